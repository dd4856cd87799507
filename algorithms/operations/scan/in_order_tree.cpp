#include <algorithm>
#include <chrono>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <vector>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/topologies.hpp"
#include "operands/predicted_operations.hpp"
#include "plans/bfs/timing.hpp"
#include "scan.hpp"
#include "written/follow.hpp"

namespace lockstep {
namespace scan {
namespace {

using bfs::Timing;
using bfs::Tree;

/// What a processor has.
template <class Value>
struct InOrderTreeCollected {
  Partial<Value> own;                      ///< its value
  Partial<Value> prefix{};                 ///< in the end; of no ranks where it has none
  Partial<Value> total{};                  ///< up to the last rank of its subtree; of all ranks at the root
  std::vector<Partial<Value>> received{};  ///< where they are judged
};

/// The number of runs of consecutive ranks that the nodes of every subtree form. Two neighbouring ranks are one run
/// less in all subtrees that have both: from the node on where their ways to the root meet.
std::vector<Rank> runs_of_subtrees(const Tree& tree) {
  std::vector<Rank> joins(tree.nodes());
  for (Rank rank = 1; rank < tree.nodes(); ++rank) {
    Rank meeting = rank - 1;
    while (!tree.is_below(rank, meeting)) meeting = tree.parent(meeting);
    ++joins[meeting];
  }
  for (const Rank node : tree.members(tree.root()) | std::views::reverse) {
    if (node != tree.root()) joins[tree.parent(node)] += joins[node];
  }
  for (Rank node = 0; node < tree.nodes(); ++node) joins[node] = tree.size(node) - joins[node];
  return joins;
}

/// The origin of a partial result in a node.
inline constexpr std::size_t own_piece = ~std::size_t{0};

template <class Value>
struct PartialSource {
  Partial<Value> partial;
  std::size_t child;  ///< by its place among the children; own_piece if it is the node's own
};

/// Joins the results of consecutive ranks.
template <class Values>
Runs<typename Values::Value> joined(Processor<Runs<typename Values::Value>>& self, const Values& values,
                                    const std::vector<PartialSource<typename Values::Value>>& pieces) {
  Runs<typename Values::Value> runs;
  for (const auto& [partial, child] : pieces) {
    if (!runs.partials.empty() && runs.partials.back().first + runs.partials.back().count == partial.first) {
      append(self, values, runs.partials.back(), partial);
    } else {
      runs.partials.push_back(partial);
    }
  }
  return runs;
}

/// The prefix before each of the pieces that do not begin at rank 0, from the prefixes received, one for each run of
/// consecutive pieces. Sorted by child, to be sent on. The node's prefix ends with its own piece or before it, and the
/// total is that up to the end of the last piece.
template <class Values>
std::vector<Runs<typename Values::Value>> prefixes_of(Processor<Runs<typename Values::Value>>& self,
                                                      const Values& values,
                                                      const std::vector<PartialSource<typename Values::Value>>& pieces,
                                                      const Runs<typename Values::Value>& came, std::size_t children,
                                                      Prefix prefix,
                                                      InOrderTreeCollected<typename Values::Value>& held) {
  using Value = typename Values::Value;
  std::vector<Runs<Value>> leaving(children);
  std::optional<Partial<Value>> before;  // of all ranks below the piece
  auto next = came.partials.begin();
  for (const auto& [partial, child] : pieces) {
    if (partial.first > 0 && (!before || before->count != partial.first)) {
      if (next == came.partials.end() || next->first != 0 || next->count != partial.first) {
        throw std::logic_error("no prefix has come for the ranks below " + std::to_string(partial.first));
      }
      before = *next++;
    }
    if (before && child != own_piece) leaving[child].partials.push_back(*before);
    if (child == own_piece && prefix == Prefix::exclusive) {
      held.prefix = before ? *before : Partial<Value>{partial.first, 0};
    }
    if (before) {
      append(self, values, *before, partial);
    } else {
      before = partial;
    }
    if (child == own_piece && prefix == Prefix::inclusive) held.prefix = *before;
  }
  if (next != came.partials.end()) throw std::logic_error("a prefix has come that no piece needs");
  held.total = std::move(*before);
  return leaving;
}

// Up go the results of all runs of ranks of a subtree; down go the prefixes before each of them, except before the run
// that begins with rank 0. any-graph.md, Scan.
template <class Values>
Process scan_in_order(Processor<Runs<typename Values::Value>>& self, const Values& values, const Tree& tree,
                      const Timing& timing, const std::vector<Rank>& runs, Prefix prefix,
                      InOrderTreeCollected<typename Values::Value>& held) {
  using Value = typename Values::Value;
  const Rank rank = self.rank();
  const std::span<const Port> ports = tree.ports(rank);
  const std::span<const Rank> children = tree.children(rank);
  const auto note = [&](const Runs<Value>& came) {
    if (values.may_absorb()) held.received.insert(held.received.end(), came.partials.begin(), came.partials.end());
  };
  std::vector<PartialSource<Value>> pieces{{held.own, own_piece}};
  std::uint64_t held_words = words(held.own);
  self.hold(held_words);
  for (std::size_t index = ports.size(); index > 0; --index) {
    Runs<Value> came = co_await self.message(ports[index - 1]);
    const Rank child = children[index - 1];
    const auto is_of_child = [&](const Partial<Value>& partial) { return tree.is_below(partial.first, child); };
    if (came.partials.size() != runs[child] || !std::ranges::all_of(came.partials, is_of_child)) {
      throw std::logic_error("the message is not of the subtree of node " + std::to_string(child));
    }
    note(came);
    held_words += words(came);
    self.hold(held_words);
    for (Partial<Value>& partial : came.partials) pieces.push_back({std::move(partial), index - 1});
  }
  std::ranges::sort(pieces, {}, [](const PartialSource<Value>& piece) { return piece.partial.first; });

  const auto is_sent_to = [&](Rank node) { return runs[node] > (tree.is_below(0, node) ? 1U : 0U); };
  Runs<Value> prefixes;
  if (rank != tree.root()) {
    co_await self.until(timing.up(rank));
    self.send(tree.parent_port(rank), joined(self, values, pieces));
    if (is_sent_to(rank)) prefixes = co_await self.message(tree.parent_port(rank));
    note(prefixes);
  }
  const Cycle start = timing.steps() + timing.arrival(rank);
  std::vector<Runs<Value>> leaving = prefixes_of(self, values, pieces, prefixes, children.size(), prefix, held);
  for (std::size_t index = 0; index < ports.size(); ++index) {
    if (!is_sent_to(children[index])) continue;
    co_await self.until(start + (bfs::all_at_once(self.model()) ? 0 : index));
    self.send(ports[index], std::move(leaving[index]));
  }
}

// A node joins its pieces to the runs that it sends up, and puts all of them but the first, if that begins at rank 0,
// behind the prefix before it.
void predict_operations(const Tree& tree, const Timing& timing, const std::vector<Rank>& runs, const Settings& settings,
                        Prediction& prediction) {
  const Wide w = *settings.words;
  Wide combinations = 0;
  operands::MostOperations most;
  const auto charge = [&](Cycle cycle, Wide count) {
    combinations += count;
    most.charge(cycle, count * w);
  };
  for (Rank node = 0; node < tree.nodes(); ++node) {
    const Rank has_first = tree.is_below(0, node) ? 1 : 0;
    Rank pieces = 1;
    for (const Rank child : tree.children(node)) pieces += runs[child];
    Cycle now = timing.steps();
    if (node != tree.root()) {
      now = timing.up(node);
      charge(now, pieces - runs[node]);
      if (runs[node] > has_first) now = timing.steps() + timing.arrival(node);
    }
    charge(now, pieces - has_first);
    most.next_processor();
  }
  operands::predict_operations(settings, combinations * w, "w for each combination, by the tree", most.sum(),
                               prediction);
}

Prediction predict_in_order_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!bfs::is_searched(machine)) return {};
  const auto kept = bfs::kept_tree_from_middle(machine);
  const Tree& tree = *kept;
  const Timing timing(tree, bfs::all_at_once(model));
  const std::vector<Rank> runs = runs_of_subtrees(tree);
  const Wide w = *settings.words;
  bfs::Traffic traffic;
  for (Rank node = 0; node < tree.nodes(); ++node) {
    if (node == tree.root()) continue;
    traffic.add(timing.up(node), w * runs[node]);
    traffic.add(timing.steps() + timing.down(node), w * (runs[node] - (tree.is_below(0, node) ? 1 : 0)));
  }
  Prediction prediction =
      traffic.prediction(model, "2 " + bfs::steps_formula(bfs::all_at_once(model)) + ", less where nothing is sent",
                         "2 (P - 1), less those without a prefix", "w times the runs of all subtrees, up and down");
  predict_operations(tree, timing, runs, settings, prediction);
  return prediction;
}

template <class Value>
Wide bytes_of(const MachineSpec& machine, const Model& model, const Settings& settings, Wide partials) {
  constexpr std::uint64_t frame = 1000;  // of the program of a processor
  // Numbers beside a processor's value: its prefix, the result of its subtree, and half of them on their way.
  const Wide kept = operands::is_concat(settings) ? partials : std::min(partials, 5 * Wide{machine.processors} / 2);
  const Wide text = operands::is_concat(settings) ? 2 * Wide{operands::text_bytes(machine, settings)} : 0;
  const Wide words = *settings.words * Wide{operands::is_concat(settings) ? sizeof(std::string) : sizeof(Word)};
  return machine_bytes<Runs<Value>>(machine, model) +
         machine.processors * Wide{sizeof(InOrderTreeCollected<Value>) + frame} +
         kept * (sizeof(PartialSource<Value>) + words + text) + operands::value_bytes(machine, settings) +
         operands::judged_bytes(machine, settings, 1, partials) + Tree::bytes(machine);
}

// Every partial result in transit is at two places, and every processor has a value and a prefix.
std::uint64_t bytes_in_order_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  Wide partials = 2 * Wide{machine.processors};
  if (bfs::is_searched(machine)) {
    for (const Rank runs : runs_of_subtrees(*bfs::kept_tree_from_middle(machine))) partials += 4 * runs;
  } else {
    partials *= machine.processors;
  }
  return saturated(operands::is_concat(settings) ? bytes_of<Strings>(machine, model, settings, partials)
                                                 : bytes_of<Block>(machine, model, settings, partials));
}

template <class Values>
Outcome run_in_order_with(const RunRequest& request, const Values& values, Prefix prefix) {
  using Value = typename Values::Value;
  const Tree tree(request.machine, bfs::middle(request.machine).rank);
  const Timing timing(tree, bfs::all_at_once(request.model));
  const std::vector<Rank> runs = runs_of_subtrees(tree);
  PerRank<InOrderTreeCollected<Value>> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = {rank, 1, values.value(rank)}; });
  Outcome outcome;
  outcome.report = run_program<Runs<Value>>(request, [&](Processor<Runs<Value>>& self) {
    return scan_in_order(self, values, tree, timing, runs, prefix, held[self.rank()]);
  });
  const auto start = std::chrono::steady_clock::now();
  operands::Judge<Values> judge(values, outcome.report.lost);
  // Only the last rank's prefix shows whether its value came whole to the others.
  held.for_each([&](Rank rank, const InOrderTreeCollected<Value>& one) {
    if (rank == tree.root()) judge.expect(rank, operands::Judge<Values>::Role::total, one.total, 0, values.ranks());
    expect_result(judge, rank, prefix, one.prefix, outcome);
    judge.received(rank, one.received);
  });
  judge.judge(outcome);
  const auto prefix_of = [&](Rank rank) -> const Partial<Value>& { return held[rank].prefix; };
  finish_results(request, values, prefix, start, prefix_of, outcome);
  return outcome;
}

template <Prefix prefix>
Outcome run_in_order(const RunRequest& request) {
  if (operands::is_concat(request.settings)) {
    return run_in_order_with(request, operands::StringValues(request), prefix);
  }
  return run_in_order_with(request, operands::NumberValues(request), prefix);
}

Method on_tree(Method own, Prefix prefix) {
  return with_output(filled_in(std::move(own),
                               {.families = written::linked_families(),
                                .source = "Lockstep's own (any-graph.md, Scan)",
                                .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
                                .predict = predict_in_order_tree,
                                .bytes = bytes_in_order_tree}),
                     prefix);
}

}  // namespace
}  // namespace scan

extern const Method scan_in_order_tree_method = scan::on_tree(
    {
        .name = "scan/in-order-tree",
        .summary =
            "up a breadth-first tree of any connected machine the results of ranks in a row, down their prefixes",
        .strictest_duplex = Duplex::half_node,
        .run = scan::run_in_order<scan::Prefix::inclusive>,
    },
    scan::Prefix::inclusive);

extern const Method exscan_in_order_tree_method = scan::on_tree(
    {
        .name = "exscan/in-order-tree",
        .summary = "scan/in-order-tree without a rank's own value",
        .strictest_duplex = Duplex::half_node,
        .run = scan::run_in_order<scan::Prefix::exclusive>,
    },
    scan::Prefix::exclusive);

}  // namespace lockstep
