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

/// A method on a machine.
struct JudgedSize {
  /// The catalogued method that takes the fewest steps for the same.
  struct Best {
    std::string method;
    std::uint64_t steps;
    std::optional<double> time;
  };

  std::string machine;
  std::string method;
  std::uint64_t processors = 0;
  JudgedRun run{};
  std::string schedule{};                ///< how it depends on the order of processors; empty if that was not seen
  std::optional<std::uint64_t> bound{};  ///< of the steps: the least that is known
  std::optional<Best> best{};

  bool has_too_few_steps() const { return run.has_right_data() && bound && run.steps < *bound; }
  /// Whether it has data without messages, or depends on the order of processors.
  bool is_found_out() const { return !run.unexplained.empty() || has_too_few_steps() || !schedule.empty(); }
  bool is_right() const { return run.has_right_data() && !is_found_out() && run.differing.empty(); }
  /// The steps with which its own are compared: the bound, else the best method's, if one is known.
  std::optional<std::uint64_t> reference() const;
  /// What these are over the steps: 1 where nothing is known to compare them with.
  double nearness() const;
};

/// "right", "wrong data", "deadlock", ..
std::string verdict(const JudgedSize& size);
/// What is wrong, a line each.
std::vector<std::string> complaints(const JudgedSize& size);

/// All that was judged, and the points that come of it.
struct Assessment {
  struct Part {
    std::string name;  ///< "data"
    double share;
    double part;  ///< from 0 to 1

    double points() const { return share * part; }
  };

  std::vector<JudgedSize> sizes;
  std::vector<Part> parts;  ///< none of the bound where nothing is known to compare steps with

  /// Whether its data counts: it is right, and the method is not found out on any machine.
  bool counts(const JudgedSize& size) const;
  bool is_right() const;
  double points() const;
};

/// Runs the methods on the machines, each in processes of their own. `show` is told what is being run. Throws
/// InputError, MachineSpecError and Interrupted.
Assessment judged(const JudgeArguments& arguments, const std::function<void(const std::string& what)>& show,
                  const std::atomic<bool>& stop);

/// Of points as they are shown: one digit behind the point.
double rounded_points(double points);
std::string points_text(double points);

std::string text_of(const JudgeArguments& arguments, const Assessment& assessment);
nlohmann::ordered_json json_of(const Assessment& assessment);

}  // namespace lockstep::cli::judge
