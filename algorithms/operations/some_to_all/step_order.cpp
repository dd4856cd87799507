#include "step_order.hpp"

#include <algorithm>

#include "lockstep/core/printable.hpp"
#include "method/comma_list.hpp"

namespace lockstep::some_to_all {
namespace {

constexpr std::string_view exchange_first = "exchange-first";

std::string_view upper_first(Direction direction) {
  return direction == Direction::some_to_all ? "split-first" : "accumulate-first";
}

std::string_view upper_letter(Direction direction) { return direction == Direction::some_to_all ? "s" : "a"; }

/// Whether each step is one of splitting or accumulating, as --order lists them.
std::vector<bool> listed_steps(const Sizes& sizes, const std::string& text, Direction direction) {
  const std::string_view upper = upper_letter(direction);
  const auto times = [](std::uint64_t count, std::string_view letter) {
    return std::to_string(count) + (count == 1 ? " time " : " times ") + std::string(letter);
  };
  std::vector<bool> steps;
  for (const std::string_view letter : method::split_at_commas(text)) {
    if (letter != upper && letter != "e") {
      throw InputError("--order " + quoted(text) + " is not " + std::string(upper_first(direction)) + ", " +
                       std::string(exchange_first) + ", or a list of " + std::string(upper) + " and e");
    }
    steps.push_back(letter == upper);
  }
  const auto given = static_cast<std::uint64_t>(std::ranges::count(steps, true));
  if (given == sizes.k && steps.size() == sizes.n) return steps;
  throw InputError("--order " + quoted(text) + " has " + times(given, upper) + " and " +
                   times(steps.size() - given, "e") + "; " + times(sizes.k, upper) + " and " + times(sizes.l, "e") +
                   " are needed");
}

/// As above, where --order is a name, or not given.
std::vector<bool> named_steps(const Sizes& sizes, bool begins_with_upper) {
  std::vector<bool> steps(sizes.n, !begins_with_upper);
  std::fill_n(steps.begin(), begins_with_upper ? sizes.k : sizes.l, begins_with_upper);
  return steps;
}

bool is_named(const Settings& settings, Direction direction) {
  return !settings.order || *settings.order == exchange_first || *settings.order == upper_first(direction);
}

}  // namespace

StepOrder step_order(const MachineSpec& machine, const Settings& settings, Direction direction) {
  const Sizes sizes = sizes_of(machine, settings);
  const std::vector<bool> steps = is_named(settings, direction)
                                      ? named_steps(sizes, begins_with_upper(settings, direction))
                                      : listed_steps(sizes, *settings.order, direction);
  StepOrder order{.dimensions = {}, .few = static_cast<Port>(sizes.l), .direction = direction};
  const bool descends = direction == Direction::some_to_all;
  const auto n = static_cast<Port>(sizes.n);
  Port upper = descends ? n : order.few;  // above the next one, or the next one itself
  Port lower = descends ? order.few : 0;
  for (const bool is_upper : steps) {
    Port& next = is_upper ? upper : lower;
    order.dimensions.push_back(descends ? --next : next++);
  }
  return order;
}

bool is_best(const StepOrder& order) {
  const auto is_upper = [&](Port dimension) { return dimension >= order.few; };
  const auto is_lower = [&](Port dimension) { return dimension < order.few; };
  return order.direction == Direction::some_to_all ? std::ranges::is_partitioned(order.dimensions, is_upper)
                                                   : std::ranges::is_partitioned(order.dimensions, is_lower);
}

bool begins_with_upper(const Settings& settings, Direction direction) {
  if (!settings.order) return direction == Direction::some_to_all;
  if (!is_named(settings, direction)) {
    refuse_choice("--order", *settings.order, {std::string(upper_first(direction)), std::string(exchange_first)});
  }
  return *settings.order != exchange_first;
}

std::vector<std::uint64_t> senders(const StepOrder& order) {
  const bool splits = order.direction == Direction::some_to_all;
  std::uint64_t holders = std::uint64_t{1} << (splits ? order.few : order.dimensions.size());
  std::vector<std::uint64_t> counts;
  for (Port step = 0; step < order.dimensions.size(); ++step) {
    if (order.is_upper(step) && !splits) holders /= 2;
    counts.push_back(holders);
    if (order.is_upper(step) && splits) holders *= 2;
  }
  return counts;
}

}  // namespace lockstep::some_to_all
