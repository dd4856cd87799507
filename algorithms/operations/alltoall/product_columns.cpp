// Algorithm A1 (dimakopoulos.md, Columns).
#include <algorithm>

#include "lockstep/machines/dimensions.hpp"
#include "lockstep/machines/topologies.hpp"
#include "on_shortest_paths.hpp"
#include "parcels.hpp"

namespace lockstep {
namespace {

/// The factors of more than one node.
std::vector<MachineSpec> factors_of(const MachineSpec& machine) {
  std::vector<MachineSpec> factors;
  for (const Dimension& dimension : dimensions(machine)) {
    if (dimension.factor.processors > 1) factors.push_back(dimension.factor);
  }
  return factors;
}

/// A tree of shortest paths to one node, the nodes but that one in preorder.
struct ColumnTree {
  std::vector<Rank> parents;
  std::vector<Rank> depths;
  std::vector<Rank> preorder;
};

ColumnTree shortest_paths_to(const Topology& topology, Rank root) {
  ColumnTree tree{std::vector<Rank>(topology.processors(), no_rank), std::vector<Rank>(topology.processors()), {}};
  std::vector<std::vector<Rank>> children(topology.processors());
  std::vector<Rank> queue{root};
  tree.parents[root] = root;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const Rank here = queue[next];
    for (Port port = 0; port < topology.ports(); ++port) {
      const Rank there = topology.peer(here, port).rank;
      if (there == no_rank || tree.parents[there] != no_rank) continue;
      tree.parents[there] = here;
      tree.depths[there] = tree.depths[here] + 1;
      children[here].push_back(there);
      queue.push_back(there);
    }
  }
  std::vector<Rank> open(children[root].rbegin(), children[root].rend());
  while (!open.empty()) {
    const Rank node = open.back();
    open.pop_back();
    tree.preorder.push_back(node);
    open.insert(open.end(), children[node].rbegin(), children[node].rend());
  }
  return tree;
}

// A product of A, of n_1 nodes, and B, of n_2, has the nodes (i,j); copy B_i has all (i,*), copy A_j all (*,j):
//
//    for k = 0..n_2-1: in all B_i at once, all (i,j) send their n_1 messages for A_k to (i,k)
//    for k = 0..n_2-1: all A_j at once run the exchange of A;
//                      its message from i to l carries the message of (i,k) for (l,j)
class Columns {
 public:
  Columns(Rank nodes_of_a, const MoveSteps& steps_of_a, const MachineSpec& b)
      : n1_(nodes_of_a), n2_(static_cast<Rank>(b.processors)), topology_(build(b)), steps_of_a_(steps_of_a) {}

  MoveSteps run() const {
    MoveSteps steps;
    for (Rank k = 0; k < n2_; ++k) add_column(k, steps);
    for (Rank k = 0; k < n2_; ++k) add_round(k, steps);
    return steps;
  }

 private:
  Rank node(Rank i, Rank j) const { return i * n2_ + j; }

  // The p-th message to be received arrives in the p-th step, origin by origin in preorder, and moves without stopping.
  // A node at depth d sends the p-th in step p - d + 1: one per step, and so it receives. An origin at depth h has the
  // place h - 1 or a later one in the preorder, so that none would have to start before step 0.
  void add_column(Rank k, MoveSteps& steps) const {
    const ColumnTree tree = shortest_paths_to(topology_, k);
    const std::size_t begin = steps.size();
    steps.resize(begin + std::size_t{n1_} * tree.preorder.size());
    for (std::size_t place = 0; place < tree.preorder.size(); ++place) {
      const Rank origin = tree.preorder[place];
      for (Rank row = 0; row < n1_; ++row) {
        std::size_t step = begin + place * n1_ + row + 1 - tree.depths[origin];
        for (Rank at = origin; at != k; at = tree.parents[at], ++step) {
          for (Rank i = 0; i < n1_; ++i) {
            steps[step].push_back({node(i, at), node(i, tree.parents[at]), node(i, origin), node(row, k)});
          }
        }
      }
    }
  }

  void add_round(Rank k, MoveSteps& steps) const {
    for (const std::vector<Move>& moves_of_a : steps_of_a_) {
      std::vector<Move>& moves = steps.emplace_back();
      for (const Move& move : moves_of_a) {
        for (Rank j = 0; j < n2_; ++j) {
          moves.push_back({node(move.from, j), node(move.to, j), node(move.origin, k), node(move.destination, j)});
        }
      }
    }
  }

  Rank n1_;
  Rank n2_;
  Topology topology_;
  const MoveSteps& steps_of_a_;
};

/// More factors are folded from the left.
MoveSteps plan_product_columns(const MachineSpec& machine) {
  const std::vector<MachineSpec> factors = factors_of(machine);
  if (factors.empty()) return {};
  const ProductSchedule first = total_exchange_schedule(factors.front());
  MoveSteps steps;
  for (std::uint64_t step = 0; step < first.steps(); ++step) steps.push_back(first.moves(step));
  Rank nodes = first.nodes();
  for (auto factor = factors.begin() + 1; factor != factors.end(); ++factor) {
    steps = Columns(nodes, steps, *factor).run();
    nodes *= static_cast<Rank>(factor->processors);
  }
  return steps;
}

Prediction predict_product_columns(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::vector<MachineSpec> factors = factors_of(machine);
  const std::optional<Wide> moves = alltoall::sum_of_distances(machine);
  if (!moves) return {};
  const Wide n = machine.processors;
  const Wide b = *settings.words;
  Wide steps = 0;
  bool exact = true;
  if (!factors.empty()) {
    Settings of_first;
    of_first.words = 1;
    const auto first = alltoall::parcels::predict(factors.front(), model, of_first).steps;
    if (!first) return {};
    exact = first->exact;
    steps = n / factors.front().processors * first->value;
    for (auto factor = factors.begin() + 1; factor != factors.end(); ++factor) steps += n * (factor->processors - 1);
  }
  const auto count_steps = exact ? exact_count : alltoall::at_most_count;
  return {.steps = count_steps(steps, "n (T_1/n_1 + (n_2 - 1) + .. + (n_d - 1))"),
          .messages = exact_count(*moves, "S, the sum of all distances"),
          .words = exact_count(b * *moves, "b S"),
          .longest_sum = count_steps(b * steps, "b T"),
          .message_words = *settings.words};
}

std::uint64_t bytes_product_columns(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide moves = alltoall::most_moves(machine);
  Wide schedule = 0;  // that of the first factor where it has no rule of its own
  const std::vector<MachineSpec> factors = factors_of(machine);
  if (!factors.empty()) schedule = alltoall::parcels::bytes(factors.front(), model, settings);
  return saturated(alltoall::bytes_to_follow(machine, model, settings, moves) + moves * sizeof(Move) + schedule);
}

Outcome run_product_columns(const RunRequest& request) {
  return alltoall::follow_steps(request, plan_product_columns(request.machine));
}

}  // namespace

extern const Method alltoall_product_columns_method = alltoall::with_defaults({
    .name = "alltoall/product-columns",
    .aliases = {"A1"},
    .known_as = "total exchange",
    .families = {"torus", "mesh", "product", "hypercube"},
    .source = "Dimakopoulos & Dimopoulos, section 4, algorithm A1 (dimakopoulos.md, Columns)",
    .summary = "copy by copy of the first factor all messages for it are gathered there, then each copy exchanges its "
               "own; what A2 is measured against",
    .port_models = {PortModel::one, PortModel::all},
    .combines = false,
    .predict = predict_product_columns,
    .bytes = bytes_product_columns,
    .run = run_product_columns,
});

}  // namespace lockstep
