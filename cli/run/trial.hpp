#pragma once

#include <atomic>
#include <functional>
#include <memory>
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

/// A method of a machine that spans another (spanning_machines()), on which it runs as it is.
struct GuestMethod {
  std::shared_ptr<const Embedding> embedding;
  const Method* method = nullptr;
};

/// The methods to compare, and the machines.
struct TrialArguments {
  std::string operation;
  std::vector<std::string> methods{};    ///< names or patterns, as of selected_methods(); none: all of the operation
  std::vector<std::string> schedules{};  ///< "file:ring8.xml": compared with the methods
  std::vector<std::string> machines;
  std::vector<PortModel> ports;  ///< each in turn; none: each method's default
  /// Parameters as given. A method that lacks a parameter of the task cannot be compared; a parameter that only tunes a
  /// method applies to the methods that have it.
  std::vector<std::pair<const SettingFlag*, std::string>> settings;
  RunArguments run;                       ///< model, execution; neither machine nor algorithm nor settings
  bool predict = false;                   ///< nothing is run, and no memory needed
  std::vector<const Method*> left_out{};  ///< as if the operation did not have them
  std::vector<GuestMethod> guests{};      ///< beside the methods of the machines that they span
  bool chooses_guests = true;             ///< those that beat these methods take part
};

/// One method on one machine under one port model.
struct Trial {
  std::string machine;
  std::string method;
  std::string guest{};                ///< the embedded machine whose method it is; empty: the machine itself
  std::optional<PortModel> ports;     ///< as given
  RunArguments arguments{};           ///< of a run of this trial alone
  std::optional<RunRecord> record{};  ///< the plan, then the result; none if it cannot run, or failed
  std::optional<RunPlan> plan{};      ///< of a run that failed or, in a sweep, is too large
  std::optional<RunRecord> failed{};  ///< of a run that failed, if its counts are known; it is never ranked
  std::string reason{};               ///< why it cannot run, or the error; else empty
  bool has_failed = false;            ///< its data or counts are wrong, or it did not end
  bool is_too_large = false;          ///< for the memory of the host
  bool takes_settings = false;        ///< the method is for the machine and has the parameters

  std::string name() const { return name_on(method, guest); }
  /// Whether a machine of that family is one of the method's.
  bool is_for_machine() const { return !arguments.machine.empty(); }
  /// Null for one that cannot run.
  const RunPlan* known_plan() const { return record ? &record->plan : plan ? &*plan : nullptr; }
  /// The record, also of a run that failed, if its counts are known; null if there is none.
  const RunRecord* known_record() const { return record ? &*record : failed ? &*failed : nullptr; }
  /// The port model of the plan, else as given.
  std::optional<PortModel> known_ports() const { return known_plan() ? known_plan()->model.ports : ports; }

  /// Keeps the plan of a run that failed, and as `failed` its record, if its counts are known.
  void drop_record();
};

/// The methods of the operation with which schedules are compared; a replay has none. Throws InputError if there is no
/// such operation, or no such method.
std::vector<const Method*> methods_beside(const TrialArguments& arguments);

/// The methods of all machines that span the host, if the task is one that they can do for the host's ranks; none if
/// a machine to embed is given.
std::vector<GuestMethod> guest_methods(const TrialArguments& arguments, const MachineSpec& host);

/// The guests' methods on the machines that they span under all port models, not yet run; without the bounds if they
/// are only to be chosen from. The root is the host's; the parameters have its rank in the guest.
std::vector<Trial> plan_guests(const TrialArguments& arguments, bool has_bounds = true);

/// All methods of the operation, and the guests', on all machines under all port models, not yet run. Throws InputError
/// if the operation does not exist, none of its methods has a given parameter, or nothing can run, and
/// MachineSpecError.
std::vector<Trial> plan_trials(const TrialArguments& arguments);

/// Throws InputError for faults where nothing is run.
void refuse_idle_faults(const TrialArguments& arguments);
/// Throws InputError if a value occurs twice.
void refuse_twice(const std::string& flag, std::vector<std::string> values);
/// Throws InputError with the most useful reason if none of the operation's trials, or none on the machine, can run.
void refuse_if_nothing_runs(const std::vector<Trial>& trials, const std::string& operation,
                            const std::string& machine = {});

/// Whether the planned trial's prediction holds under its rules, for which its method is meant.
bool is_under_own_rules(const Trial& trial);

/// Turns a prediction into a planned run; if it cannot run, the trial has the reason and no record.
void plan_to_run(Trial& trial);

/// The files from which data, patterns and graphs are read.
std::vector<host::NamedFile> inputs_of(const TrialArguments& arguments);

/// Makes the problems of a trial's record, if there are any, its failure.
void note_problems(Trial& trial);

/// Runs a planned trial. An error of the run, or threads that cannot start, become the reason. Throws Interrupted.
void run_trial(Trial& trial, const std::atomic<bool>& stop);

/// Runs the planned trials in turn, each after show(trial). Returns whether the user interrupted; unfinished trials
/// then have that as their reason. Throws what run_trial() throws otherwise.
bool run_until_stopped(
    std::span<Trial* const> trials, const std::atomic<bool>& stop,
    const std::function<void(const Trial&)>& show = [](const Trial&) {});

/// The exit code: run_failed if a trial has failed, bad_input if none could run; prints a line on standard error for
/// each failure, up to ten. At least one trial must be for its machine.
host::ExitCode exit_code_of(std::span<const Trial* const> trials);

}  // namespace lockstep::cli::run
