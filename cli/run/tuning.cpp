#include "tuning.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "flags/setting_flags.hpp"
#include "lockstep/algorithms/carrier.hpp"
#include "lockstep/algorithms/packets.hpp"

namespace lockstep::cli::run {
namespace {

/// A number among the parameters.
using TunedNumber = std::optional<std::uint64_t> Settings::*;

constexpr double never = std::numeric_limits<double>::infinity();

/// The settings, resolved; empty where the method refuses them.
std::optional<Settings> resolved(const RunPlan& plan, Settings settings) {
  try {
    plan.method->resolve(plan.stage(), plan.embedding ? known_to_guest(plan.model) : plan.model, settings);
    return settings;
  } catch (const InputError&) {
    return {};
  }
}

/// The predicted time with these settings; `never` where the method refuses them or predicts no exact time.
double time_of(const RunPlan& plan, const Settings& given) {
  const std::optional<Settings> settings = resolved(plan, given);
  if (!settings) return never;
  // Arithmetic is left out: with it some predictions look at every packet.
  Model model = plan.model;
  model.cost.flop = 0;
  const auto time = synchronous_time(prediction_of(plan, model, *settings), model.cost);
  return time && time->exact ? time->value : never;
}

/// The number that takes least. Of many numbers some at equal distances are tried first, then all around the best of
/// them: from one number to the next the time turns often, but by little.
std::uint64_t least(const std::vector<std::uint64_t>& numbers, const std::function<double(std::uint64_t)>& time) {
  const auto stride =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(static_cast<double>(numbers.size()))) / 4);
  std::size_t coarse = 0;
  double best = time(numbers.front());
  for (std::size_t index = stride; index < numbers.size(); index += stride) {
    if (const double other = time(numbers[index]); other < best) {
      best = other;
      coarse = index;
    }
  }
  const std::size_t first = coarse - std::min(coarse, stride);
  const std::size_t count = std::min(numbers.size(), coarse + stride + 1) - first;
  return cheapest(std::span(numbers).subspan(first, count), time);
}

/// Sets the parameter to the best of the numbers, unless its default takes no longer.
void tune(const RunPlan& plan, TunedNumber parameter, const std::vector<std::uint64_t>& numbers, Settings& given) {
  const auto time = [&](std::uint64_t number) {
    Settings settings = given;
    settings.*parameter = number;
    return time_of(plan, settings);
  };
  const std::uint64_t best = least(numbers, time);
  if (time(best) < time_of(plan, given)) given.*parameter = best;
}

bool sends_whole_by_default(const Method& method) {
  const auto packets = std::ranges::find(method.parameters, std::string_view("packets"), &Parameter::name);
  return packets != method.parameters.end() && packets->fallback != fallback_packets &&
         packets->fallback != fallback_quotients;
}

/// Sets a choice of the method that is not given to another than its default, where that takes less.
void choose_variant(const RunPlan& plan, Settings& given) {
  std::vector<std::pair<std::string_view, std::string>> variants{{"gather", "on"},        {"hub", "0"},
                                                                 {"move", "packets"},     {"order", "cross-first"},
                                                                 {"schedules", "factor"}, {"schedules", "cayley"},
                                                                 {"schedules", "greedy"}};
  if (flags::takes(*plan.method, "trees")) {
    for (Port trees = 1; trees <= plan.stage().ports; ++trees) variants.emplace_back("trees", std::to_string(trees));
  }
  const Settings before = given;
  double best = never;
  for (const auto& [name, value] : variants) {
    const SettingFlag* const flag = flags::find_setting(name);
    if (!flags::takes(*plan.method, name) || !std::holds_alternative<std::monostate>(flag->value(before))) continue;
    if (best == never) best = time_of(plan, before);
    Settings settings = before;
    flag->set(settings, value);
    if (const double time = time_of(plan, settings); time < best) {
      best = time;
      given = settings;
    }
  }
}

}  // namespace

void tune(const RunArguments& arguments, RunPlan& plan) {
  if (!arguments.tunes || plan.settings.written_schedule) return;
  Settings given = arguments.settings;
  choose_variant(plan, given);
  const std::uint64_t words = plan.settings.words.value_or(1);
  if (sends_whole_by_default(*plan.method) && !given.packets && words > 1) {
    tune(plan, &Settings::packets, candidates(TurningPoints{.words = {words}}, words), given);
  }
  if (flags::takes(*plan.method, "radix") && !given.radix && plan.stage().processors > 2) {
    constexpr std::uint64_t most_tried = 64;
    std::vector<std::uint64_t> radices(std::min(plan.stage().processors, most_tried) - 1);
    std::iota(radices.begin(), radices.end(), std::uint64_t{2});
    if (radices.back() != plan.stage().processors) radices.push_back(plan.stage().processors);
    tune(plan, &Settings::radix, radices, given);
  }
  if (const std::optional<Settings> settings = resolved(plan, given)) plan.settings = *settings;
}

}  // namespace lockstep::cli::run
