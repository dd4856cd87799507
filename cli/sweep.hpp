#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "quantity.hpp"
#include "sweep_options.hpp"

namespace lockstep::cli {

/// A trial at a point of a sweep.
struct SweepTrial {
  std::vector<std::string> values;  ///< of what is varied, in the order of the flags
  Trial trial;
  std::string task;                   ///< what it is ranked with: empty where it cannot run
  std::optional<Figure> predicted{};  ///< the figure as the method predicts it
  std::optional<Figure> figure{};     ///< by which it is ranked, once it is known
};

/// All trials of all points, in their order, of methods that are for their machines; nothing run yet. Throws what
/// plan_trials() throws, with the point at which it happens, and InputError if something is varied twice, is varied and
/// given, or there are too many points.
std::vector<SweepTrial> plan_sweep(const SweepArguments& arguments, const Quantity& criterion);

/// The files from which data, patterns and graphs are read, those that are varied too.
std::vector<NamedFile> inputs_of(const SweepArguments& arguments);

/// What is compared at one point.
TrialArguments at_point(const SweepArguments& arguments, const std::string& machine,
                        const std::vector<std::string>& values);

/// "adea", with its alternative, and with the port model where several were asked for.
std::string heading_of(const Trial& trial, const SweepArguments& arguments);

/// What a line of a file says: of which trial, what of the criterion, and whether it failed.
struct SweepLine {
  std::string key;
  std::optional<Figure> figure{};
  bool has_failed = false;
  std::string reason{};
};

/// What tells the trial from all others of the sweep.
std::string key_of(const SweepTrial& trial);

std::string csv_header(const SweepArguments& arguments);
std::string csv_line(const SweepTrial& trial);
/// Empty if that is no such line.
std::optional<SweepLine> read_csv_line(const SweepArguments& arguments, const std::string& line,
                                       const Quantity& criterion);
/// A number where the text is written as JSON writes it, else the text.
nlohmann::ordered_json json_of_value(const std::string& text);
std::string json_line(const SweepArguments& arguments, const SweepTrial& trial);
std::optional<SweepLine> read_json_line(const SweepArguments& arguments, const std::string& line,
                                        const Quantity& criterion);

/// For people: a line a point, a column a method, a star at the best of those that do the same.
std::string sweep_table(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                        const Quantity& criterion);

}  // namespace lockstep::cli
