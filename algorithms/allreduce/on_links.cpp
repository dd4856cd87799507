#include <algorithm>
#include <vector>

#include "allgather/daisy_chain.hpp"
#include "allreduce.hpp"
#include "lockstep/machines/grid.hpp"
#include "lockstep/machines/grid_tours.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "vector/schedules.hpp"
#include "vector/vectors.hpp"

// Allreduces over the links of rings, tori and hypercubes (collectives.md, Allreduce over links).
namespace lockstep {
namespace allreduce {
namespace {

using allgather::RingNeighbours;
using vector::PartSchedule;
using vector::PartStep;

Rank ranks(const MachineSpec& machine) { return static_cast<Rank>(machine.processors); }

/// Links to the farthest rank.
std::uint64_t diameter(const MachineSpec& machine) {
  return is_hypercube(machine) ? machine.ports : Grid(machine).eccentricity(0);
}

/// With one port what a rank knows at most doubles; and 2 (p-1) m words have to be sent, by all ranks over all ports
/// that they use at once.
LowerBound bound_over_links(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const bool all = model.ports == PortModel::all;
  const Wide ways = Wide{machine.processors} * (all ? std::max<std::uint64_t>(machine.ports, 1) : 1);
  const Wide words = Wide{2} * *settings.words * (machine.processors - 1);
  const std::uint64_t steps =
      std::max(diameter(machine), sends_on_several_ports(model.ports) ? 0 : doublings(machine.processors));
  return {.steps = steps, .longest_sum = std::max(steps, saturated((words + ways - 1) / ways))};
}

RingNeighbours ring_of(const MachineSpec& machine, Rank rank) {
  if (is_hypercube(machine)) return allgather::daisy_chain::gray_ring(machine, rank);
  return machine.family == "ring" ? allgather::daisy_chain::whole_ring(machine, rank)
                                  : allgather::snake_ring(machine, rank);
}

/// A schedule for the places of a ring as one for the ranks there.
PartSchedule around(const MachineSpec& machine, PartSchedule of_places) {
  std::vector<RingNeighbours> neighbours(machine.processors);
  for (Rank rank = 0; rank < neighbours.size(); ++rank) neighbours[rank] = ring_of(machine, rank);
  const auto at = [neighbours = std::move(neighbours), of_places](Rank rank, Cycle number) {
    const RingNeighbours& own = neighbours[rank];
    PartStep step = of_places.at(own.place, number);
    const Rank p = static_cast<Rank>(neighbours.size());
    const auto rank_at = [&](Rank place) {
      if (place == no_rank) return no_rank;
      return place == shifted(own.place, 1, p) ? own.next : own.previous;
    };
    step.to = rank_at(step.to);
    step.from = rank_at(step.from);
    return step;
  };
  return {of_places.steps, at, of_places.lanes};
}

void resolve_ring(const MachineSpec& machine, const Model& model, Settings& settings) {
  if (!is_hypercube(machine) && !SnakeRing::exists(Grid(machine))) ring_of(machine, 0);  // which says why not
  vector::resolve_in_any_order(machine, model, settings);
}

Outcome run_ring(const RunRequest& request) {
  const Rank p = ranks(request.machine);
  return vector::run(request, around(request.machine, vector::ring_reduce_scatter(p) + vector::ring_allgather(p)), p,
                     vector::Share::all);
}

// In every step all parts are on their way, one over every link, or half of the links in the step of the shorter ways.
Prediction predict_two_way(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide p = machine.processors;
  const Wide m = *settings.words;
  StepLengths lengths(model.cost);
  lengths.add(2 * (machine.processors / 2), (m + p - 1) / p);
  return vector::predicted(lengths, 2 * p * (p - 1), 2 * (p - 1) * m,
                           {"2 floor(p/2)", "2 p (p - 1)", "2 (p - 1) m", "2 floor(p/2) ceil(m/p)"});
}

Outcome run_two_way(const RunRequest& request) {
  const Rank p = ranks(request.machine);
  return vector::run(request, vector::two_way_allreduce(p), p, vector::Share::all);
}

/// Rings of one dimension after the other, the first first: of the parts that agree with the rank in the dimensions
/// before, those that agree in this one too are its own.
class Torus {
 public:
  explicit Torus(const MachineSpec& machine) : grid_(machine) {}

  const Grid& grid() const { return grid_; }

  PartSchedule reduce_scatter(std::size_t dimension) const {
    const PartSchedule ring = vector::ring_reduce_scatter(grid_.axis(dimension).side());
    return {ring.steps, [this, dimension, ring](Rank rank, Cycle t) { return along(dimension, rank, ring, t); }};
  }
  PartSchedule allgather(std::size_t dimension) const {
    const PartSchedule ring = vector::ring_allgather(grid_.axis(dimension).side());
    return {ring.steps, [this, dimension, ring](Rank rank, Cycle t) { return along(dimension, rank, ring, t); }};
  }

 private:
  /// A step of a ring of the dimension, whose parts are the groups of parts with that coordinate.
  PartStep along(std::size_t dimension, Rank rank, const PartSchedule& ring, Cycle t) const {
    const GridAxis& axis = grid_.axis(dimension);
    PartStep step = ring.at(axis.position(rank), t);
    step.to = axis.at(rank, step.to);
    step.from = axis.at(rank, step.from);
    const auto group = [&](Rank place) {
      const Rank first = axis.at(rank, place) / axis.stride() * axis.stride();
      return vector::run_of_parts(first, axis.stride(), grid_.processors());
    };
    step.sent = group(step.sent.front());
    step.received = group(step.received.front());
    return step;
  }

  Grid grid_;
};

Prediction predict_torus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Grid grid(machine);
  const Wide p = machine.processors;
  const Wide m = *settings.words;
  StepLengths lengths(model.cost);
  for (const GridAxis& axis : grid.axes()) lengths.add(2 * (Wide{axis.side()} - 1), (m * axis.stride() + p - 1) / p);
  return vector::predicted(lengths, p * lengths.steps(), 2 * (p - 1) * m,
                           {"2 sum (a_i - 1)", "2 p sum (a_i - 1)", "2 (p - 1) m",
                            "2 sum (a_i - 1) ceil(m/(a_1 .. a_i)); 2 m (1 - 1/p) if p divides m"});
}

Outcome run_torus(const RunRequest& request) {
  const Torus torus(request.machine);
  PartSchedule schedule = torus.reduce_scatter(0);
  const std::size_t dimensions = torus.grid().dimensions();
  for (std::size_t d = 1; d < dimensions; ++d) schedule = schedule + torus.reduce_scatter(d);
  for (std::size_t d = dimensions; d-- > 0;) schedule = schedule + torus.allgather(d);
  return vector::run(request, schedule, ranks(request.machine), vector::Share::all);
}

Method with_defaults(Method own) {
  return vector::with_defaults(filled_in(std::move(own), {.operation = "allreduce",
                                                          .known_as = "allreduce",
                                                          .resolve = vector::resolve_in_any_order,
                                                          .lower_bound = bound_over_links}));
}

}  // namespace
}  // namespace allreduce

extern const Method allreduce_ring_on_links_method = allreduce::with_defaults({
    .name = "allreduce/ring",
    .families = {"ring", "torus", "hypercube"},
    .source = "Patarasuk & Yuan 2009 (collectives.md, Allreduce over links)",
    .summary =
        "parts go twice round a ring through all processors, over links: each adds its own, and then each copies "
        "the results",
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_link,
    .resolve = allreduce::resolve_ring,
    .predict = allreduce::predict_ring,
    .run = allreduce::run_ring,
});

extern const Method allreduce_two_way_ring_method = allreduce::with_defaults({
    .name = "allreduce/two-way-ring",
    .families = {"ring"},
    .source = "after Patarasuk & Yuan 2009 (collectives.md, Allreduce over links)",
    .summary = "summands of every part come to it from both sides, and the results go back both ways",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .predict = allreduce::predict_two_way,
    .run = allreduce::run_two_way,
});

extern const Method allreduce_torus_method = allreduce::with_defaults({
    .name = "allreduce/torus",
    .families = {"torus"},
    .source = "Cho et al. 2019; Sack & Gropp 2015 (collectives.md, Allreduce over links)",
    .summary = "rings of one dimension after the other scatter what is reduced, and gather it the same way back",
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .predict = allreduce::predict_torus,
    .run = allreduce::run_torus,
});

}  // namespace lockstep
