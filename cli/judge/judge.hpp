#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "judged_run.hpp"

namespace lockstep::cli::judge {

/// The judgement of a method on one machine.
struct JudgedSize {
  /// The catalogued method with the fewest steps for the same task.
  struct FewestSteps {
    std::string method;
    std::string guest;  ///< as below
    std::uint64_t steps;
    std::optional<double> time;

    std::string name() const { return run::name_on(method, guest); }
  };

  std::string machine;
  std::string method;
  std::string guest{};           ///< the embedded machine whose method it is; empty: the machine itself
  std::uint64_t processors = 0;  ///< on which the method runs
  JudgedRun run{};
  std::string schedule{};                ///< how it depends on the order of processors; empty if it was not seen to
  std::optional<std::uint64_t> bound{};  ///< the best known lower bound of the steps
  std::optional<FewestSteps> best{};

  std::string name() const { return run::name_on(method, guest); }
  bool has_too_few_steps() const { return run.has_right_data() && bound && run.steps < *bound; }
  /// Whether it has data without messages, or depends on the order of processors.
  bool is_found_out() const { return !run.unexplained.empty() || has_too_few_steps() || !schedule.empty(); }
  bool is_right() const { return run.has_right_data() && !is_found_out() && run.differing.empty(); }
  /// The steps with which its own are compared: the bound, else the best method's, if one is known.
  std::optional<std::uint64_t> reference() const;
  /// Those divided by its own steps: 1 where none are known.
  double nearness() const;
};

/// "right", "wrong data", "deadlock", ..
std::string verdict(const JudgedSize& size);
/// The errors, one a line.
std::vector<std::string> complaints(const JudgedSize& size);

/// All judgements, and the points for them.
struct Assessment {
  struct AssessedPart {
    std::string name;  ///< "data"
    double share;
    double part;  ///< from 0 to 1

    double points() const { return share * part; }
  };

  std::vector<JudgedSize> sizes;
  std::vector<AssessedPart> parts;  ///< without that of the bound where no steps are known to compare with

  /// Whether its data counts: it is right, and the method was not seen to cheat on any machine.
  bool counts(const JudgedSize& size) const;
  bool is_right() const;
  double points() const;
};

/// Splits the algorithm "scatter/two-phase on path:16" into the method and the machine to embed, as --embed also gives
/// it to the processes of the runs. Throws InputError if another is given.
JudgeArguments with_named_guest(JudgeArguments arguments);

/// Runs the methods on the machines, each run in its own process. `show` gets the text of the current run. Throws
/// InputError, MachineSpecError and Interrupted.
Assessment judged(const JudgeArguments& arguments, const std::function<void(const std::string& what)>& show,
                  const std::atomic<bool>& stop);

/// Points with one decimal, as reports show them.
double rounded_points(double points);
std::string points_text(double points);

std::string text_of(const JudgeArguments& arguments, const Assessment& assessment);
nlohmann::ordered_json json_of(const Assessment& assessment);

}  // namespace lockstep::cli::judge
