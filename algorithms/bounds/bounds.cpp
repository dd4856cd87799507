#include "lockstep/algorithms/bounds.hpp"

#include <algorithm>
#include <utility>

#include "bounds/best_known.hpp"
#include "bounds/on_network.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "method/group.hpp"

namespace lockstep {
namespace {

using bounds::is_paid_on_every_link;

/// A message has a word or more, a barrier's a token of m words.
void add_words_of_steps(const Problem& problem, LowerBound& bound) {
  if (!bound.steps || problem.words == 0) return;
  const Wide words = Wide{*bound.steps} * (problem.collective == Collective::barrier ? problem.words : 1);
  if (bound.longest_sum && *bound.longest_sum >= words) return;
  bound.longest_sum = saturated(words);
  bound.longest_sum_argument =
      (problem.collective == Collective::barrier ? "a token" : "a word") + (" a step: " + bound.steps_argument);
}

/// What is said of blocks of one word, said of blocks.
std::string said_of_blocks(std::string text) {
  for (std::size_t at = 0; (at = text.find("word", at)) != std::string::npos;) text.replace(at, 4, "block");
  return text;
}

/// Where every message is a block, a step brings as much as one in which every message is a word.
void add_steps_of_blocks(const Problem& problem, LowerBound& bound) {
  if (problem.combines || problem.collective != Collective::alltoall || problem.machine.medium) return;
  Problem of_words = problem;
  of_words.words = 1;
  const LowerBound least = bounds::on_network(of_words);
  if (!least.longest_sum) return;
  const std::string argument = said_of_blocks(least.longest_sum_argument);
  bound = better_of(std::move(bound), {.steps = least.longest_sum,
                                       .longest_sum = saturated(Wide{*least.longest_sum} * problem.words),
                                       .steps_argument = argument,
                                       .longest_sum_argument = argument});
}

/// Every step has a start-up at least.
void add_time(const Model& model, LowerBound& bound) {
  const CostModel& cost = model.cost;
  if (!bound.steps || !bound.longest_sum || !is_paid_on_every_link(cost)) return;
  const double time = cost.time(*bound.steps, *bound.longest_sum);
  constexpr double up_to_rounding = 1 + 1e-9;
  if (!bound.time || bound.time->value <= time * up_to_rounding)
    bound.time = ModelledTime{.value = time, .formula = std::string(bound_of_counts)};
}

}  // namespace

std::optional<Collective> collective_of(std::string_view operation) {
  constexpr std::pair<std::string_view, Collective> flows[] = {
      {"broadcast", Collective::broadcast}, {"scatter", Collective::scatter},
      {"gather", Collective::gather},       {"allgather", Collective::allgather},
      {"alltoall", Collective::alltoall},   {"reduce", Collective::reduce},
      {"allreduce", Collective::allreduce}, {"reduce-scatter", Collective::reduce_scatter},
      {"scan", Collective::scan},           {"exscan", Collective::exscan},
      {"barrier", Collective::barrier}};
  const auto* const found = std::ranges::find(flows, operation, &std::pair<std::string_view, Collective>::first);
  return found == std::end(flows) ? std::nullopt : std::optional(found->second);
}

LowerBound lower_bound(const Problem& problem) {
  if (bounds::members_of(problem) == 1) {
    return {.steps = 0, .longest_sum = 0, .steps_argument = "one processor", .longest_sum_argument = "one processor"};
  }
  const auto& medium = problem.machine.medium;
  LowerBound bound =
      medium && medium->kind == MediumKind::memory ? bounds::on_memory(problem) : bounds::on_network(problem);
  add_steps_of_blocks(problem, bound);
  add_words_of_steps(problem, bound);
  return bound;
}

LowerBound better_of(LowerBound one, LowerBound other) {
  if (!one.steps || other.steps.value_or(0) > *one.steps) {
    one.steps = other.steps;
    one.steps_argument = std::move(other.steps_argument);
  }
  if (!one.longest_sum || other.longest_sum.value_or(0) > *one.longest_sum) {
    one.longest_sum = other.longest_sum;
    one.longest_sum_argument = std::move(other.longest_sum_argument);
  }
  if (other.time && (!one.time || one.time->value < other.time->value)) one.time = std::move(other.time);
  return one;
}

LowerBound bound_of_task(std::string_view operation, Rank root, const MachineSpec& machine, const Model& model,
                         std::uint64_t words, bool combines) {
  const auto collective = collective_of(operation);
  if (!collective) return {};
  Problem problem{.collective = *collective, .machine = machine, .model = model, .words = words, .root = root};
  problem.combines = combines;
  return lower_bound(problem);
}

LowerBound lower_bound(const Method& method, const MachineSpec& machine, const Model& model, const Settings& settings) {
  LowerBound bound;
  // A written schedule has its own words and root, and states its bound itself.
  if (const auto collective = settings.written_schedule ? std::nullopt : collective_of(method.operation)) {
    Problem problem{.collective = *collective, .machine = machine, .model = model, .words = settings.words.value_or(0)};
    problem.root = static_cast<Rank>(settings.root.value_or(0));
    problem.combines = method.combines;
    if (const auto group = method::group_of(machine, settings)) {
      problem.members.assign(group->members().begin(), group->members().end());
    }
    // Where there are fewer matrices than ranks, some have no part, as if a matrix were one word.
    if (*collective == Collective::reduce_scatter && settings.operator_name) {
      const std::uint64_t elements = problem.words / find_operator(*settings.operator_name).element_words;
      if (elements < machine.processors) problem.words = elements;
    }
    bound = lower_bound(problem);
    if (*collective == Collective::barrier && !settings.words) {
      bound.longest_sum = 0;
      bound.longest_sum_argument = "signals have no words";
    }
  }
  if (method.proven != nullptr) {
    LowerBound proven = method.proven(machine, model, settings);
    for (std::string* argument : {&proven.steps_argument, &proven.longest_sum_argument}) {
      if (argument->empty() && !settings.written_schedule)
        *argument = method.source.substr(0, method.source.find(" ("));
    }
    bound = better_of(std::move(bound), std::move(proven));
  }
  add_time(model, bound);
  return bound;
}

}  // namespace lockstep
