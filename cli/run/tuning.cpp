#include "tuning.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "flags/setting_flags.hpp"
#include "lockstep/algorithms/packets.hpp"

namespace lockstep::cli::run {
namespace {

using Number = std::optional<std::uint64_t> Settings::*;

/// The predicted time of the plan with that number; infinite where the method refuses it or predicts no time.
double time_with(const RunArguments& arguments, const RunPlan& plan, Number parameter, std::uint64_t number) {
  Settings settings = arguments.settings;
  settings.written_schedule = plan.settings.written_schedule;
  settings.*parameter = number;
  try {
    plan.method->resolve(plan.machine, plan.model, settings);
  } catch (const InputError&) {
    return std::numeric_limits<double>::infinity();
  }
  const auto time = synchronous_time(plan.method->predict(plan.machine, plan.model, settings), plan.model.cost);
  return time && time->exact ? time->value : std::numeric_limits<double>::infinity();
}

/// The number that takes least. Of many numbers first every so-manieth is tried, then those around the best of them:
/// from one number to the next the time turns often, but by little.
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

void tune(const RunArguments& arguments, RunPlan& plan, Number parameter, const std::vector<std::uint64_t>& numbers) {
  const auto time = [&](std::uint64_t number) { return time_with(arguments, plan, parameter, number); };
  const std::uint64_t best = least(numbers, time);
  if (time(best) < time(*(plan.settings.*parameter))) plan.settings.*parameter = best;
}

bool sends_whole_by_default(const Method& method) {
  const auto packets = std::ranges::find(method.parameters, std::string_view("packets"), &Parameter::name);
  return packets != method.parameters.end() && packets->fallback != fallback_packets &&
         packets->fallback != fallback_quotients;
}

}  // namespace

void tune(const RunArguments& arguments, RunPlan& plan) {
  if (plan.embedding || arguments.plan) return;
  const std::uint64_t words = plan.settings.words.value_or(1);
  if (sends_whole_by_default(*plan.method) && !arguments.settings.packets && words > 1) {
    tune(arguments, plan, &Settings::packets, candidates(TurningPoints{.words = {words}}, words));
  }
  if (flags::takes(*plan.method, "radix") && !arguments.settings.radix && plan.machine.processors > 2) {
    constexpr std::uint64_t most_tried = 64;
    std::vector<std::uint64_t> radices(std::min(plan.machine.processors, most_tried) - 1);
    std::iota(radices.begin(), radices.end(), std::uint64_t{2});
    if (radices.back() != plan.machine.processors) radices.push_back(plan.machine.processors);
    tune(arguments, plan, &Settings::radix, radices);
  }
}

}  // namespace lockstep::cli::run
