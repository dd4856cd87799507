#include "plans/bfs/farthest_first.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "method/kept_by_machine.hpp"
#include "method/predicted.hpp"
#include "operations/scatter/and_gather.hpp"
#include "plans/bfs/timing.hpp"
#include "scatter_schedule.hpp"
#include "written/follow.hpp"

// Block by block, that for the farthest processor first, down a breadth-first tree (any-graph.md, Scatter and gather;
// Bertsekas, Ozveren, Stamoulis, Tseng, Tsitsiklis 1991 for hypercubes with all ports).
namespace lockstep {
namespace scatter {
namespace farthest_first {
namespace {

using bfs::BalancedTree;
using bfs::Departures;

/// A node receives the blocks of its subtree one after the other, its own last, and sends each on in the next step.
class FarthestFirst : public ScatterSchedule {
 public:
  FarthestFirst(const BalancedTree& tree, bool at_once) : tree_(tree), departures_(tree, at_once) {
    first_.resize(std::size_t{tree.nodes()} + 1);
    for (const Rank node : departures_.order()) {
      for (Rank at = node; at != tree.root(); at = tree.parent(at)) ++first_[tree.parent(at) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    passing_.resize(first_.back());
    std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
    for (const Rank node : departures_.order()) {
      for (Rank at = node; at != tree.root(); at = tree.parent(at)) {
        passing_[next[tree.parent(at)]++] = {node, tree.port_from_parent(at)};
      }
    }
  }

  Cycle steps() const override { return departures_.steps(); }

  std::uint64_t moves(Rank rank) const override {
    const std::uint64_t sends = first_[rank + 1] - first_[rank];
    return rank == tree_.root() ? sends : 2 * sends + 1;
  }

  ScatterMove move(Rank rank, std::uint64_t index) const override {
    const bool is_root = rank == tree_.root();
    const bool sends = is_root || index % 2 == 1;
    const std::uint64_t place = first_[rank] + (is_root ? index : index / 2);
    const Passing block = place < first_[rank + 1] ? passing_[place] : Passing{rank, 0};
    const Cycle sent = departures_.at(block.destination) + tree_.depth(rank);
    return {.step = sends ? sent : sent - 1,
            .port = sends ? block.port : tree_.parent_port(rank),
            .sends = sends,
            .blocks = {.first = block.destination}};
  }

  static Wide bytes(Wide hops, std::uint64_t processors) {
    return hops * sizeof(Passing) + processors * Wide{2 * sizeof(std::uint64_t) + sizeof(Cycle) + sizeof(Rank)};
  }

 private:
  /// A block that a node sends on, and the port over which it does.
  struct Passing {
    Rank destination;
    Port port;
  };

  const BalancedTree& tree_;
  Departures departures_;
  std::vector<std::uint64_t> first_;  // of a node's blocks
  std::vector<Passing> passing_;
};

/// What a prediction needs.
struct DepartureCounts {
  Cycle steps;
  Wide hops;
};

std::shared_ptr<const DepartureCounts> counts_of(const MachineSpec& machine, Rank root, bool at_once) {
  static method::KeptByMachine<DepartureCounts> kept;
  return kept.find(machine, std::uint64_t{root} * 2 + (at_once ? 1 : 0), [&] {
    const Departures departures(BalancedTree(machine, root), at_once);
    return DepartureCounts{departures.steps(), departures.hops()};
  });
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!bfs::is_searched(machine)) return {};
  const auto counts = counts_of(machine, root_of(settings), bfs::all_at_once(model));
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  lengths.add(counts->steps, m);
  Prediction prediction = method::predicted(
      lengths, counts->hops, counts->hops * m,
      {bfs::all_at_once(model) ? "nodes of the largest branch of the tree" : "P - 1",
       "sum of the distances from the root", "m times the sum of the distances", "m times the steps"});
  prediction.message_words = *settings.words;
  return prediction;
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!bfs::is_searched(machine)) return std::numeric_limits<std::uint64_t>::max();
  const Wide hops = counts_of(machine, root_of(settings), bfs::all_at_once(model))->hops;
  return saturated(bytes_for(machine, model, settings, 5 * Wide{machine.processors}) + BalancedTree::bytes(machine) +
                   FarthestFirst::bytes(hops, machine.processors));
}

Outcome run_schedule(const RunRequest& request, Reading reading) {
  const BalancedTree tree(request.machine, request.root());
  return run(request, FarthestFirst(tree, bfs::all_at_once(request.model)), reading);
}

}  // namespace
}  // namespace farthest_first
}  // namespace scatter

extern const method::MethodPair scatter_farthest_first_methods =
    scatter::and_gather<scatter::farthest_first::run_schedule>(
        {
            .name = "scatter/farthest-first",
            .families = written::linked_families(),
            .source = "Bertsekas, Ozveren, Stamoulis, Tseng, Tsitsiklis 1991 (any-graph.md, Scatter and gather)",
            .summary = "block by block down a tree of shortest paths with balanced branches, the farthest first",
            .port_models = {PortModel::one, PortModel::all, PortModel::ring},
            .strictest_duplex = Duplex::half_link,
            .predict = scatter::farthest_first::predict,
            .bytes = scatter::farthest_first::bytes,
        },
        {
            .name = "gather/farthest-first",
            .summary = "block by block up a tree of shortest paths with balanced branches, the farthest last",
        });

}  // namespace lockstep
