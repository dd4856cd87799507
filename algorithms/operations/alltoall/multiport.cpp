// Total exchange with all ports on Cayley graphs, and on products of rings, paths, complete graphs and other graphs
// (dimakopoulos.md, All ports).
#include <algorithm>

#include "all_port_exchanges.hpp"
#include "lockstep/machines/cayley.hpp"
#include "lockstep/machines/dimensions.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/topologies.hpp"
#include "on_shortest_paths.hpp"
#include "parcels.hpp"

namespace lockstep {
namespace {

using alltoall::CyclicSide;
using alltoall::TotalExchange;

/// Dimensions that are planned together: all rings and complete graphs, or equal factors of another kind.
struct DimensionGroup {
  bool is_cyclic;
  std::vector<Dimension> dimensions;

  const MachineSpec& factor() const { return dimensions.front().factor; }
  Wide nodes() const {
    Wide product = 1;
    for (const Dimension& dimension : dimensions) product *= dimension.factor.processors;
    return product;
  }
  std::vector<CyclicSide> sides() const {
    std::vector<CyclicSide> sides;
    for (const Dimension& dimension : dimensions) {
      const auto m = static_cast<Rank>(dimension.factor.processors);
      sides.push_back({m, dimension.factor.family == "ring" && m > 2});
    }
    return sides;
  }
};

bool is_cyclic(const MachineSpec& factor) {
  return factor.family == "ring" || factor.family == "complete" || factor.processors == 2;
}

/// In the order of their first dimensions; factors of one node have nothing to do.
std::vector<DimensionGroup> groups_of(const MachineSpec& machine) {
  std::vector<DimensionGroup> groups;
  for (const Dimension& dimension : dimensions(machine)) {
    if (dimension.factor.processors == 1) continue;
    const bool cyclic = is_cyclic(dimension.factor);
    const auto group = std::ranges::find_if(groups, [&](const DimensionGroup& one) {
      return one.is_cyclic == cyclic && (cyclic || one.factor().text == dimension.factor.text);
    });
    if (group == groups.end()) {
      groups.push_back({cyclic, {dimension}});
    } else {
      group->dimensions.push_back(dimension);
    }
  }
  return groups;
}

/// The exchange of a factor that is neither ring nor complete graph.
TotalExchange exchange_of_factor(const MachineSpec& factor) {
  const auto nodes = static_cast<Rank>(factor.processors);
  if (factor.family == "path") return alltoall::path_exchange(nodes);
  if (is_cayley_graph(factor)) return alltoall::cayley_exchange(factor);
  return {.nodes = nodes, .steps = greedy_steps(build(factor), true)};
}

TotalExchange exchange_of(const DimensionGroup& group) {
  if (group.is_cyclic) return alltoall::cyclic_exchange(group.sides());
  return alltoall::power_exchange(exchange_of_factor(group.factor()), static_cast<unsigned>(group.dimensions.size()));
}

/// The machine's ranks by the tuples that the groups' exchanges number, one group behind the other.
std::vector<Rank> ranks_of(const std::vector<DimensionGroup>& groups) {
  std::vector<Rank> ranks{0};
  for (const DimensionGroup& group : groups) {
    for (const Dimension& dimension : group.dimensions) {
      std::vector<Rank> longer;
      for (const Rank rank : ranks) {
        for (Rank i = 0; i < dimension.factor.processors; ++i) longer.push_back(rank + i * dimension.stride);
      }
      ranks = std::move(longer);
    }
  }
  return ranks;
}

MoveSteps plan_multiport(const MachineSpec& machine) {
  const std::vector<DimensionGroup> groups = groups_of(machine);
  if (groups.empty()) return {};
  TotalExchange exchange = exchange_of(groups.front());
  for (std::size_t group = 1; group < groups.size(); ++group) {
    exchange = alltoall::two_phase_exchange(exchange, exchange_of(groups[group]));
  }
  const std::vector<Rank> ranks = ranks_of(groups);
  for (std::vector<Move>& moves : exchange.steps) {
    for (Move& move : moves) move = {ranks[move.from], ranks[move.to], ranks[move.origin], ranks[move.destination]};
  }
  return std::move(exchange.steps);
}

/// An upper bound of the steps, and whether it is exact.
struct KnownSteps {
  Wide most;
  bool exact;
};

// In a step of a Cayley graph at least n messages move, of others at least one.
std::optional<KnownSteps> steps_of_factor(const MachineSpec& factor) {
  const Wide m = factor.processors;
  if (factor.family == "path") return KnownSteps{m * m / 4, true};
  const bool is_cayley = is_cayley_graph(factor);
  if (is_cayley && m <= alltoall::most_planned_elements) return KnownSteps{alltoall::steps_of_cayley(factor), true};
  const std::optional<Wide> sum = alltoall::sum_of_distances(factor);
  if (!sum) return std::nullopt;
  return KnownSteps{is_cayley ? *sum / m : *sum, false};
}

std::optional<KnownSteps> steps_of(const DimensionGroup& group) {
  if (group.is_cyclic) return KnownSteps{alltoall::steps_of_cyclic(group.sides()), true};
  std::optional<KnownSteps> steps = steps_of_factor(group.factor());
  if (steps) steps->most *= group.nodes() / group.factor().processors;
  return steps;
}

std::optional<KnownSteps> steps_of(const std::vector<DimensionGroup>& groups) {
  KnownSteps all{0, true};
  Wide nodes = 1;
  for (const DimensionGroup& group : groups) {
    const std::optional<KnownSteps> steps = steps_of(group);
    if (!steps) return std::nullopt;
    all.exact = all.exact && steps->exact;
    all.most = nodes == 1 ? steps->most : alltoall::phase_split(nodes, all.most, group.nodes(), steps->most).steps;
    nodes *= group.nodes();
  }
  return all;
}

std::string formula(const std::vector<DimensionGroup>& groups) {
  if (groups.size() > 1) return "T_1 + T_2 of the two phases (dimakopoulos.md, All ports)";
  if (groups.empty()) return "0";
  if (groups.front().is_cyclic) return "max(ceil(n S_i / (n_i^2 degree_i)), diameter)";
  if (groups.front().factor().family == "path") return "n/m floor(m^2/4)";
  return is_cayley_graph(groups.front().factor()) ? "n/m T_m, as planned (dimakopoulos.md, All ports)" : "n/m S_m";
}

Prediction predict_multiport(const MachineSpec& machine, const Model&, const Settings& settings) {
  const std::vector<DimensionGroup> groups = groups_of(machine);
  const std::optional<KnownSteps> steps = steps_of(groups);
  const std::optional<Wide> moves = alltoall::sum_of_distances(machine);
  if (!steps || !moves) return {};
  const Wide b = *settings.words;
  const auto count_steps = steps->exact ? exact_count : alltoall::at_most_count;
  return {.steps = count_steps(steps->most, formula(groups)),
          .messages = exact_count(*moves, "S, the sum of all distances"),
          .words = exact_count(b * *moves, "b S"),
          .longest_sum = count_steps(b * steps->most, "b T"),
          .message_words = *settings.words};
}

// Two copies of the plan exist while it is put together.
std::uint64_t bytes_multiport(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide moves = alltoall::most_moves(machine);
  return saturated(alltoall::bytes_to_follow(machine, model, settings, moves) + 2 * moves * sizeof(Move));
}

Outcome run_multiport(const RunRequest& request) {
  return alltoall::follow_steps(request, plan_multiport(request.machine));
}

}  // namespace

extern const Method alltoall_multiport_method = alltoall::with_defaults({
    .name = "alltoall/multiport",
    .known_as = "total exchange",
    .families = {"torus", "mesh", "product", "hypercube", "ring", "path", "complete", "ccc", "star", "pancake",
                 "circulant", "rh"},
    .source = "after Dimakopoulos & Dimopoulos, section 6 (dimakopoulos.md, All ports)",
    .summary = "all links at once, every message along shortest paths; optimal on tori, hypercubes, generalized "
               "hypercubes and meshes",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .combines = false,
    .predict = predict_multiport,
    .bytes = bytes_multiport,
    .run = run_multiport,
});

}  // namespace lockstep
