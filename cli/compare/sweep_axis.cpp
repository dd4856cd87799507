#include "sweep_axis.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "flags/setting_flags.hpp"
#include "flags/value_range.hpp"
#include "host/number_text.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::cli::compare {
namespace {

/// A cost on an axis.
struct CostAxis {
  std::string_view name;
  std::string_view label;
};

constexpr auto cost_axes = std::to_array<CostAxis>({
    {"beta", "beta (time a start-up)"},
    {"tau", "tau (time a word)"},
    {"max-packet", "longest packet (words)"},
    {"copy-cost", "copy cost (time a word)"},
    {"flop", "flop (time an operation)"},
    {"scan-cost", "scan cost (time a block)"},
    {"stage-cost", "stage cost (time a stage)"},
    {"hop-cost", "hop cost (time a link)"},
});

/// The cost of that name; null if there is none.
const CostAxis* find_cost_axis(std::string_view name) {
  const auto found = std::ranges::find(cost_axes, name, &CostAxis::name);
  return found == cost_axes.end() ? nullptr : &*found;
}

/// "torus:#x#" of "torus:4x16".
std::string pattern_of(const std::string& machine) {
  std::string text;
  for (const char letter : machine) {
    const bool is_digit = letter >= '0' && letter <= '9';
    if (!is_digit) text += letter;
    if (is_digit && !text.ends_with('#')) text += '#';
  }
  return text;
}

}  // namespace

bool is_varied(const SweepArguments& arguments, std::string_view name) {
  return std::ranges::any_of(arguments.variations, [&](const Variation& variation) { return variation.name == name; });
}

bool is_predicted_between(std::string_view name) {
  return find_cost_axis(name) != nullptr || flags::find_setting(name) != nullptr;
}

std::size_t varied_things(const SweepArguments& arguments) {
  return arguments.variations.size() + (arguments.trials.machines.size() > 1 ? 1 : 0);
}

bool is_over_machines(const SweepArguments& arguments) { return arguments.variations.empty(); }

std::string varied_name(const SweepArguments& arguments) {
  return is_over_machines(arguments) ? "machine" : arguments.variations.front().name;
}

const std::vector<std::string>& values_of(const SweepArguments& arguments) {
  return is_over_machines(arguments) ? arguments.trials.machines : arguments.variations.front().values;
}

double place_of(const SweepArguments& arguments, const std::string& value) {
  if (is_over_machines(arguments)) return static_cast<double>(parse_machine(value).processors);
  return flags::axis_value(value).value_or(0);
}

std::string why_no_order(const SweepArguments& arguments) {
  std::map<double, std::string> places;
  const std::vector<std::string>& values = values_of(arguments);
  for (const std::string& value : values) {
    if (is_over_machines(arguments) && pattern_of(value) != pattern_of(values.front())) {
      return quoted(values.front()) + " and " + quoted(value) + " are not of one family";
    }
    if (!is_over_machines(arguments) && !flags::axis_value(value)) return quoted(value) + " is not a number";
    const auto [known, is_new] = places.emplace(place_of(arguments, value), value);
    if (!is_new && known->second != value) {
      return lockstep::quoted(known->second) + " and " + lockstep::quoted(value) + " have the same size";
    }
  }
  return "";
}

ValuesBetween between_values(const SweepArguments& arguments) {
  const std::string name = varied_name(arguments);
  if (name == "machine" || name == "matrix" || !is_predicted_between(name)) return ValuesBetween::unknown;
  const bool is_whole = find_cost_axis(name) == nullptr || name == "max-packet";
  return is_whole ? ValuesBetween::whole_numbers : ValuesBetween::numbers;
}

std::string value_text(const SweepArguments& arguments, const std::string& value) {
  const std::string name = varied_name(arguments);
  if (name == "machine") return printable(value);
  return name == "words" ? host::counted(std::stoull(value), "word") : name + " " + printable(value);
}

std::optional<std::string> unit_of_time(const SweepArguments& arguments) {
  const CostPreset* const preset = arguments.trials.run.model.preset;
  if (preset == nullptr) return {};
  return std::string(preset->time_unit);
}

std::string axis_label(const SweepArguments& arguments, const std::string& name) {
  if (name == "matrix") return "elements of the matrix";
  if (name == "packet-words") return "full packet (words)";
  const CostAxis* const cost = find_cost_axis(name);
  if (cost == nullptr) return name;
  std::string label(cost->label);
  constexpr std::string_view unknown = "(time ";
  const std::size_t at = label.find(unknown);
  const std::optional<std::string> unit = unit_of_time(arguments);
  return unit && at != std::string::npos ? label.replace(at, unknown.size(), "(" + *unit + " ") : label;
}

std::vector<std::string> in_order(std::vector<std::string> values) {
  const bool are_numbers =
      std::ranges::all_of(values, [](const std::string& value) { return flags::axis_value(value).has_value(); });
  if (are_numbers)
    std::ranges::stable_sort(values, {}, [](const std::string& value) { return *flags::axis_value(value); });
  return values;
}

}  // namespace lockstep::cli::compare
