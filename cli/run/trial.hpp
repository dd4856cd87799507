#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/exit_code.hpp"
#include "host/file_names.hpp"
#include "run_options.hpp"
#include "run_record.hpp"

namespace lockstep::cli::run {

/// Which methods are laid beside each other, and where.
struct TrialArguments {
  std::string operation;
  std::vector<std::string> schedules{};  ///< "file:ring8.xml": beside the methods
  std::vector<std::string> machines;
  std::vector<PortModel> ports;  ///< each in turn; none: every method's default
  /// Parameters as they were given. A method that has not one of those that say what is to be done cannot be compared;
  /// what only says how a method does it is for those that have it.
  std::vector<std::pair<const SettingFlag*, std::string>> settings;
  RunArguments run;      ///< model, execution; neither machine nor algorithm nor settings
  bool predict = false;  ///< nothing is run, and no memory needed
  /// Each method also with its other choices of how it does it, where those are few and the default need not be best.
  bool with_alternatives = false;
  std::vector<const Method*> left_out{};  ///< as if the operation had them not
};

/// One method on one machine under one port model.
struct Trial {
  std::string machine;
  std::string method;
  std::string guest{};                ///< the machine embedded in it whose method it is; empty: its own
  std::optional<PortModel> ports;     ///< as given; of a run that failed, the one under which it ran
  std::string alternative{};          ///< "--gather on": in what it differs from the method as it is by default
  RunArguments arguments{};           ///< what runs it alone
  std::optional<RunRecord> record{};  ///< what is known of it, and what the run came to; none if it cannot, or failed
  std::string reason{};               ///< why it cannot run, or what went wrong; else empty
  bool has_failed = false;            ///< as no run should: its data or counts are wrong, or it did not end
  bool is_too_large = false;          ///< for the memory of the host
  bool takes_settings = false;        ///< it is for the machine and has the parameters

  /// "torus:8x8", "complete:64 on torus:8x8".
  std::string place() const { return guest.empty() ? machine : guest + " on " + machine; }
  /// Whether a machine of that family is one of the method's.
  bool is_for_machine() const { return !arguments.machine.empty(); }
};

/// The methods of the operation, beside which schedules are laid; a replay, of schedules alone, has none. Throws
/// InputError if there is no such operation.
std::vector<const Method*> methods_beside(const TrialArguments& arguments);

/// All methods of the operation on all machines under all port models, nothing run yet. Throws InputError if the
/// operation does not exist, a parameter is none of any of its methods, or nothing at all can run, and
/// MachineSpecError.
std::vector<Trial> plan_trials(const TrialArguments& arguments);

/// Throws InputError if a value is there twice.
void refuse_twice(const std::string& flag, std::vector<std::string> values);
/// Throws InputError with the most telling reason if none of the operation's trials, or of those on the machine, can be
/// run.
void refuse_if_nothing_runs(const std::vector<Trial>& trials, const std::string& operation,
                            const std::string& machine = {});

/// Makes one that is only predicted one to be run; without a record, and with the reason, if it cannot be.
void plan_to_run(Trial& trial);

/// The files from which data, patterns and graphs are read.
std::vector<host::NamedFile> inputs_of(const TrialArguments& arguments);

/// Runs one that can. Whatever is wrong with the run becomes the reason. Throws InputError if the host cannot start the
/// threads, and Interrupted if the user asks to stop.
void run_trial(Trial& trial, const std::atomic<bool>& stop);

/// Runs those that can, in turn, each after show(trial). Returns whether the user has asked to stop: what was not run
/// to its end then says so. Throws what run_trial() throws else.
bool run_until_stopped(
    std::span<Trial* const> trials, const std::atomic<bool>& stop,
    const std::function<void(const Trial&)>& show = [](const Trial&) {});

/// What the command returns, after a line on standard error for whatever is not as it should be: run_failed if one has
/// failed, bad_input if none could run. Not all of them are for other machines.
host::ExitCode exit_code_of(std::span<const Trial> trials);

}  // namespace lockstep::cli::run
