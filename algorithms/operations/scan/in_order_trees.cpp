#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/printable.hpp"
#include "method/kept_by_machine.hpp"
#include "method/predicted.hpp"
#include "method/switches.hpp"
#include "operands/predicted_operations.hpp"
#include "parts/vectors.hpp"
#include "plans/bfs/timing.hpp"
#include "plans/turns/port_to.hpp"
#include "plans/turns/steps_by_rank.hpp"
#include "trees_node.hpp"
#include "written/follow.hpp"

// Scans of long vectors on any connected machine or switch: every part of the vector has a tree of its own, so that all
// links share the work (any-graph.md, Scan in parts).
namespace lockstep {
namespace scan {
namespace {

std::shared_ptr<const std::vector<PartTrees>> trees_for(const MachineSpec& machine, const Model& model,
                                                        const Settings& settings) {
  return part_trees(machine, model, *settings.words / element_words(settings));
}

PartWords parts_of_trees(const Settings& settings, const PartTrees& planned) {
  const std::uint64_t element = element_words(settings);
  return {parts::Parts(*settings.words / element, static_cast<Rank>(planned.trees.size())), element};
}

template <class Values>
Process scan_by_trees(Processor<Runs<typename Values::Value>>& self, const Values& values,
                      const std::vector<PartTree>& trees, const PartWords& words,
                      const std::vector<turns::StepOfRank<FlightsMove>>& steps, Prefix prefix,
                      InOrderTreesCollected<typename Values::Value>& held) {
  TreesNode<Values> node(self, values, trees, words, prefix, held);
  for (const turns::StepOfRank<FlightsMove>& step : steps) {
    co_await self.until(step.step);
    for (const FlightsMove* move : step.sent) self.send(turns::port_to(self, move->to), node.message(*move));
    for (const FlightsMove* move : step.received) {
      Runs<typename Values::Value> came = co_await self.message(turns::port_to(self, move->from));
      node.take(*move, std::move(came));
    }
  }
  node.finish();
}

/// The counts of a plan.
struct PlanCounts {
  method::StepLengths lengths;
  Wide messages = 0;
  Wide words = 0;
};

PlanCounts counts_of(const std::vector<PartTree>& trees, const PartTreesPlan& plan, const PartWords& parts,
                     const CostModel& cost) {
  PlanCounts counts{method::StepLengths(cost)};
  for (const auto& step : plan.steps) {
    Wide longest = 0;
    for (const FlightsMove& move : step) {
      Wide length = 0;
      for (const PartFlight& flight : move.flights) {
        const PartTree& tree = trees[flight.part];
        length += Wide{flight.up ? tree.sent_up(flight.node) : tree.sent_down(flight.node)} * parts.size(flight.part);
      }
      longest = std::max(longest, length);
      counts.words += length;
    }
    counts.messages += step.size();
    counts.lengths.add(1, longest);
  }
  return counts;
}

/// A plan, and the parts and trees that it is for.
struct ChosenPlan {
  const PartTrees& planned;
  const PartTreesPlan& plan;
  PartWords parts;
  PlanCounts counts;
};

/// The plan that takes the least time if all parts are as long as the longest, the first of several.
ChosenPlan best_plan(const std::vector<PartTrees>& all, const Settings& settings, const CostModel& cost) {
  const PartTrees* trees = nullptr;
  const PartTreesPlan* best = nullptr;
  double least = 0;
  for (const PartTrees& planned : all) {
    const std::uint64_t longest = parts_of_trees(settings, planned).longest();
    for (const PartTreesPlan& plan : planned.plans) {
      method::StepLengths lengths(cost);
      for (const Rank results : plan.most_results) lengths.add(1, Wide{results} * longest);
      const double time = cost.time(lengths.startups().value_or(~std::uint64_t{0}), saturated(lengths.sum()));
      if (best != nullptr && time >= least) continue;
      trees = &planned;
      best = &plan;
      least = time;
    }
  }
  const PartWords parts = parts_of_trees(settings, *trees);
  return {*trees, *best, parts, counts_of(trees->trees, *best, parts, cost)};
}

// A node joins pieces when it sends the results of its runs up, and puts what it needs of them behind the prefixes when
// it has all.
Wide joined_pieces(const PartTree& tree, Rank node) {
  const Rank end = end_of_sent(tree, node);
  const auto sent =
      std::ranges::count_if(pieces_of(tree, node), [end](const TreePiece& piece) { return piece.run.first < end; });
  return static_cast<Wide>(sent) - tree.sent_up(node);
}

Wide needed_prefixes(const PartTree& tree, Rank node, Prefix prefix) {
  const std::vector<TreePiece> pieces = pieces_of(tree, node);
  Wide needed = 0;
  for (std::size_t index = 0; index < pieces.size(); ++index) {
    if (pieces[index].run.first > 0 && is_prefix_needed(pieces, index, prefix)) ++needed;
  }
  return needed;
}

/// Combinations of every part, which do not depend on the plan.
using PartCombinations = std::vector<Wide>;

/// For every number of parts. Kept for the next call.
std::shared_ptr<const std::vector<PartCombinations>> combinations_of(const MachineSpec& machine, const Model& model,
                                                                     const std::vector<PartTrees>& all, Prefix prefix) {
  static method::KeptByMachine<std::vector<PartCombinations>> kept;
  const std::uint64_t number =
      4 * all.front().trees.size() + (bfs::all_at_once(model) ? 2 : 0) + (prefix == Prefix::exclusive ? 1 : 0);
  return kept.find(machine, number, [&] {
    std::vector<PartCombinations> combinations;
    for (const PartTrees& planned : all) {
      PartCombinations& of_parts = combinations.emplace_back();
      for (const PartTree& tree : planned.trees) {
        Wide of_part = 0;
        for (Rank node = 0; node < tree.nodes(); ++node) {
          if (node != tree.root() && tree.sent_up(node) > 0) of_part += joined_pieces(tree, node);
          of_part += needed_prefixes(tree, node, prefix);
        }
        of_parts.push_back(of_part);
      }
    }
    return combinations;
  });
}

/// The most operations of a rank in every cycle, summed.
Wide most_operations(const ChosenPlan& chosen, Prefix prefix) {
  const auto& [planned, plan, parts, counts] = chosen;
  const Rank ranks = planned.trees.front().nodes();
  std::vector<Wide> operations(ranks * (plan.steps.size() + 1));  // by cycle and rank
  for (Cycle step = 0; step < plan.steps.size(); ++step) {
    for (const FlightsMove& move : plan.steps[step]) {
      for (const PartFlight& flight : move.flights) {
        if (!flight.up) continue;
        operations[step * ranks + move.from] +=
            joined_pieces(planned.trees[flight.part], move.from) * parts.size(flight.part);
      }
    }
  }
  for (const PrefixReady& ready : plan.ready) {
    operations[ready.cycle * ranks + ready.node] +=
        needed_prefixes(planned.trees[ready.part], ready.node, prefix) * parts.size(ready.part);
  }
  Wide most = 0;
  for (auto of_cycle = operations.begin(); of_cycle != operations.end(); of_cycle += ranks) {
    most += *std::max_element(of_cycle, of_cycle + ranks);
  }
  return most;
}

template <Prefix prefix>
Prediction predict_by_trees(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const auto planned = trees_for(machine, model, settings);
  const ChosenPlan chosen = best_plan(*planned, settings, model.cost);
  const PlanCounts& counts = chosen.counts;
  Prediction prediction = method::predicted(
      counts.lengths, counts.messages, counts.words,
      {"as planned", "as planned", "a part times the runs of all subtrees, up and down", "as planned"});
  const auto combinations = combinations_of(machine, model, *planned, prefix);
  const auto index = static_cast<std::size_t>(&chosen.planned - planned->data());
  Wide operations = 0;
  for (Rank part = 0; part < chosen.parts.count(); ++part) {
    operations += (*combinations)[index][part] * chosen.parts.size(part);
  }
  const auto most = model.cost.flop == 0 ? std::nullopt : std::optional(most_operations(chosen, prefix));
  operands::predict_operations(settings, operations, "words of all combinations, by the trees", most, prediction);
  return prediction;
}

template <Prefix prefix>
void resolve_by_trees(const MachineSpec& machine, const Model& model, Settings& settings) {
  if (machine.processors > most_processors_with_part_trees) {
    throw InputError(std::string(prefix == Prefix::exclusive ? "exscan" : "scan") +
                     "/in-order-trees plans for at most " + std::to_string(most_processors_with_part_trees) +
                     " processors; " + printable(machine.text) + " has " + std::to_string(machine.processors));
  }
  parts::resolve_in_order(machine, model, settings);
}

template <class Value>
Wide bytes_with(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t frame = 1000;    // of the program of a processor
  constexpr std::uint64_t of_run = 400;    // in trees, plans, also for fewer parts, and at nodes
  constexpr std::uint64_t of_node = 1000;  // of a tree, also of those for fewer parts
  const auto planned = trees_for(machine, model, settings);
  const std::vector<PartTree>& trees = best_plan(*planned, settings, model.cost).planned.trees;
  Wide runs = 0;
  for (const PartTree& tree : trees) {
    for (Rank node = 0; node < tree.nodes(); ++node) runs += tree.runs(node).size();
  }
  const Wide parts = trees.size();
  const Wide part_words = (*settings.words + parts - 1) / parts;
  const Wide element = operands::is_concat(settings) ? 4 * sizeof(std::string) : 0;  // numbers are values' parts
  const Wide text = operands::is_concat(settings) ? 2 * runs * operands::text_bytes(machine, settings) / parts : 0;
  return machine_bytes<Runs<Value>>(machine, model) +
         machine.processors * Wide{sizeof(InOrderTreesCollected<Value>) + frame} +
         parts * machine.processors * of_node + runs * (of_run + part_words * element) + text +
         3 * operands::value_bytes(machine, settings) + operands::judged_bytes(machine, settings, 1, 2 * runs);
}

std::uint64_t bytes_by_trees(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(operands::is_concat(settings) ? bytes_with<Strings>(machine, model, settings)
                                                 : bytes_with<Block>(machine, model, settings));
}

/// Judges what ranks have received of each part.
template <class Values>
void judge_received(const Values& values, const PartWords& words,
                    const PerRank<InOrderTreesCollected<typename Values::Value>>& held, Outcome& outcome) {
  using Value = typename Values::Value;
  using Judge = operands::Judge<PartOfValues<Values>>;
  for (Rank part = 0; part < words.count(); ++part) {
    const PartOfValues<Values> of_part(values, words.first(part), words.size(part));
    Judge judge(of_part, outcome.report.lost);
    held.for_each([&](Rank rank, const InOrderTreesCollected<Value>& one) {
      for (const PartialOfPart<Value>& received : one.received) {
        if (received.part != part) continue;
        judge.expect(rank, Judge::Role::message, received.partial, received.partial.first, received.partial.count);
      }
    });
    judge.judge(outcome);
  }
}

template <class Values>
Outcome run_by_trees_with(const RunRequest& request, const Values& values, Prefix prefix) {
  using Value = typename Values::Value;
  const auto planned = trees_for(request.machine, request.model, request.settings);
  const ChosenPlan chosen = best_plan(*planned, request.settings, request.model.cost);
  const std::vector<PartTree>& trees = chosen.planned.trees;
  const PartWords& words = chosen.parts;
  const auto steps = turns::steps_by_rank(chosen.plan.steps, static_cast<Rank>(request.machine.processors));
  PerRank<InOrderTreesCollected<Value>> held(request);
  for_all_ranks(request, [&](Rank rank) {
    held[rank].own = {rank, 1, values.value(rank)};
    held[rank].prefix = {rank, 0, {}};
  });
  Outcome outcome;
  outcome.report = run_program<Runs<Value>>(request, [&](Processor<Runs<Value>>& self) {
    return scan_by_trees(self, values, trees, words, steps[self.rank()], prefix, held[self.rank()]);
  });
  const auto start = std::chrono::steady_clock::now();
  operands::Judge<Values> judge(values, outcome.report.lost);
  held.for_each([&](Rank rank, const InOrderTreesCollected<Value>& one) {
    expect_result(judge, rank, prefix, one.prefix, outcome);
  });
  judge.judge(outcome);
  if (values.may_absorb()) judge_received(values, words, held, outcome);
  const auto prefix_of = [&](Rank rank) -> const Partial<Value>& { return held[rank].prefix; };
  finish_results(request, values, prefix, start, prefix_of, outcome);
  return outcome;
}

template <Prefix prefix>
Outcome run_by_trees(const RunRequest& request) {
  if (operands::is_concat(request.settings)) {
    return run_by_trees_with(request, operands::StringValues(request), prefix);
  }
  return run_by_trees_with(request, operands::NumberValues(request), prefix);
}

template <Prefix prefix>
Method by_trees(Method own) {
  own = filled_in(std::move(own), {.source = "Lockstep's own (any-graph.md, Scan in parts)",
                                   .resolve = resolve_by_trees<prefix>,
                                   .predict = predict_by_trees<prefix>,
                                   .bytes = bytes_by_trees,
                                   .run = run_by_trees<prefix>});
  own = with_output(std::move(own), prefix);
  own.parameters.front() = parts::words_parameter;
  own.reads_costs = true;  // best_plan()
  return own;
}

template <Prefix prefix>
Method by_trees_of_links(Method own) {
  own.families = written::linked_families();
  own.port_models = {PortModel::one, PortModel::all, PortModel::ring};
  return by_trees<prefix>(std::move(own));
}

template <Prefix prefix>
Method by_trees_on_switch(Method own) {
  own.families = method::all_switches();
  own.port_models = {PortModel::one};
  return by_trees<prefix>(std::move(own));
}

}  // namespace
}  // namespace scan

extern const Method scan_in_order_trees_method = scan::by_trees_of_links<scan::Prefix::inclusive>({
    .name = "scan/in-order-trees",
    .summary = "each part of the vector up and down a tree of its own; operands stay in order",
});

extern const Method scan_in_order_trees_on_switches_method = scan::by_trees_on_switch<scan::Prefix::inclusive>(
    {.name = scan_in_order_trees_method.name, .summary = scan_in_order_trees_method.summary});

extern const Method exscan_in_order_trees_method = scan::by_trees_of_links<scan::Prefix::exclusive>({
    .name = "exscan/in-order-trees",
    .summary = "scan/in-order-trees without a rank's own value",
});

extern const Method exscan_in_order_trees_on_switches_method = scan::by_trees_on_switch<scan::Prefix::exclusive>(
    {.name = exscan_in_order_trees_method.name, .summary = exscan_in_order_trees_method.summary});

}  // namespace lockstep
