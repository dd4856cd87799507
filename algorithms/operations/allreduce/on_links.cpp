#include <algorithm>
#include <utility>
#include <vector>

#include "allreduce.hpp"
#include "lockstep/machines/grid.hpp"
#include "lockstep/machines/hamiltonian_cycles.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"
#include "method/predicted.hpp"
#include "operations/allgather/daisy_chain.hpp"
#include "operations/reduce_scatter/reduce_scatter.hpp"
#include "parts/schedules.hpp"
#include "parts/vectors.hpp"

// Allreduces, and the reduce-scatter that begins one of them, over the links of rings, tori, hypercubes and reduced
// hypercubes (collectives.md, Allreduce over links).
namespace lockstep {
namespace allreduce {
namespace {

using allgather::RingNeighbours;
using parts::PartSchedule;
using parts::PartStep;

Rank ranks_on_links(const MachineSpec& machine) { return static_cast<Rank>(machine.processors); }

/// The neighbours of every rank on a ring through all ranks.
std::vector<RingNeighbours> ring_through(const MachineSpec& machine) {
  if (machine.family == "rh") return allgather::daisy_chain::reduced_ring(machine);
  const auto ring_of = is_hypercube(machine)      ? allgather::daisy_chain::gray_ring
                       : machine.family == "ring" ? allgather::daisy_chain::whole_ring
                                                  : allgather::snake_ring;
  std::vector<RingNeighbours> neighbours(machine.processors);
  for (Rank rank = 0; rank < neighbours.size(); ++rank) neighbours[rank] = ring_of(machine, rank);
  return neighbours;
}

/// A schedule for the places of a ring as one for the ranks there.
PartSchedule around(const MachineSpec& machine, const PartSchedule& of_places) {
  std::vector<RingNeighbours> neighbours = ring_through(machine);
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

/// A schedule around the ring, where the parts have the ranks' numbers instead of those of the places.
PartSchedule with_parts_of_ranks(const MachineSpec& machine, PartSchedule schedule) {
  std::vector<Rank> ranks(machine.processors);
  const std::vector<RingNeighbours> neighbours = ring_through(machine);
  for (Rank rank = 0; rank < ranks.size(); ++rank) ranks[neighbours[rank].place] = rank;
  const Cycle steps = schedule.steps;
  return {steps, [ranks = std::move(ranks), schedule = std::move(schedule)](Rank rank, Cycle number) {
            PartStep step = schedule.at(rank, number);
            for (Rank& part : step.sent) part = ranks[part];
            for (Rank& part : step.received) part = ranks[part];
            return step;
          }};
}

Outcome run_ring_scatter(const RunRequest& request) {
  const Rank p = ranks_on_links(request.machine);
  PartSchedule schedule = around(request.machine, parts::ring_reduce_scatter(p));
  return parts::run(request, with_parts_of_ranks(request.machine, std::move(schedule)), p, parts::Share::part);
}

Outcome run_ring(const RunRequest& request) {
  const Rank p = ranks_on_links(request.machine);
  return parts::run(request, around(request.machine, parts::ring_reduce_scatter(p) + parts::ring_allgather(p)), p,
                    parts::Share::all);
}

// In every step all parts are on their way, one over every link, or half of the links in the step of the shorter ways.
Prediction predict_two_way(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide p = machine.processors;
  const std::uint64_t m = *settings.words;
  method::StepLengths lengths(model.cost);
  lengths.add(2 * (machine.processors / 2), (m + p - 1) / p);
  Prediction prediction = method::predicted(lengths, 2 * p * (p - 1), 2 * (p - 1) * m,
                                            {"2 floor(p/2)", "2 p (p - 1)", "2 (p - 1) m", "2 floor(p/2) ceil(m/p)"});
  const Rank ranks = ranks_on_links(machine);
  const auto combining = [&] { return parts::two_way_allreduce(ranks); };
  parts::predict_operations(machine, model, settings, parts::Parts(m, ranks), combining, prediction);
  return prediction;
}

Outcome run_two_way(const RunRequest& request) {
  const Rank p = ranks_on_links(request.machine);
  return parts::run(request, parts::two_way_allreduce(p), p, parts::Share::all);
}

/// The same schedule both ways round each of the rings, which go through all ranks and share no link, for separate
/// parts.
PartSchedule around_both_ways(const std::vector<std::vector<Rank>>& rings, const PartSchedule& of_places) {
  struct RingLane {
    std::vector<Rank> ranks;
    std::vector<Rank> places;
  };
  std::vector<RingLane> lanes;
  for (const std::vector<Rank>& ring : rings) {
    for (const bool forwards : {true, false}) {
      RingLane& lane = lanes.emplace_back();
      lane.ranks = ring;
      if (!forwards) std::ranges::reverse(lane.ranks);
      lane.places.resize(ring.size());
      for (Rank place = 0; place < ring.size(); ++place) lane.places[lane.ranks[place]] = place;
    }
  }
  const std::size_t count = lanes.size();
  const auto at = [lanes = std::move(lanes), of_places](Rank rank, Cycle number) {
    const std::size_t index = number % lanes.size();
    const RingLane& lane = lanes[index];
    PartStep step = of_places.at(lane.places[rank], number / lanes.size());
    step.to = lane.ranks[step.to];
    step.from = lane.ranks[step.from];
    const Rank first = static_cast<Rank>(index * lane.ranks.size());
    for (Rank& part : step.sent) part += first;
    for (Rank& part : step.received) part += first;
    return step;
  };
  return {of_places.steps, at, count};
}

PartSchedule around_rings(const MachineSpec& machine, const PartSchedule& of_places) {
  if (machine.processors == 1) return {};
  return around_both_ways(hamiltonian_cycles(static_cast<Port>(machine.ports)), of_places);
}

Rank parts_of_rings(const MachineSpec& machine) {
  return std::max<Rank>(1, static_cast<Rank>(machine.ports)) * ranks_on_links(machine);
}

void resolve_rings(const MachineSpec& machine, const Model& model, Settings& settings) {
  if (machine.ports % 2 == 1 || machine.ports > most_dimensions_of_cycles) {
    throw InputError("allreduce/rings is for hypercubes of an even number of dimensions to " +
                     std::to_string(most_dimensions_of_cycles) + "; " + machine.text + " has " +
                     std::to_string(machine.ports));
  }
  parts::resolve_words(parts_of_rings(machine), settings);
  parts::resolve_in_any_order(machine, model, settings);
}

// In every step n parts per rank are on their way, all of them at once.
Prediction predict_rings(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide p = machine.processors;
  const Wide n = machine.ports;
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  lengths.add(2 * (p - 1), n == 0 ? 0 : (m + n * p - 1) / (n * p));
  Prediction prediction = method::predicted(lengths, 2 * n * p * (p - 1), 2 * (p - 1) * m,
                                            {"2 (p - 1)", "2 n p (p - 1)", "2 (p - 1) m", "2 (p - 1) ceil(m/(n p))"});
  const auto combining = [&] { return around_rings(machine, parts::ring_reduce_scatter(ranks_on_links(machine))); };
  parts::predict_operations(machine, model, settings, parts::Parts(*settings.words, parts_of_rings(machine)), combining,
                            prediction);
  return prediction;
}

Outcome run_rings(const RunRequest& request) {
  const Rank p = ranks_on_links(request.machine);
  return parts::run(request, around_rings(request.machine, parts::ring_reduce_scatter(p) + parts::ring_allgather(p)),
                    parts_of_rings(request.machine), parts::Share::all);
}

}  // namespace

Method over_links(Method own) {
  return parts::with_defaults(filled_in(
      std::move(own), {.operation = "allreduce", .known_as = "allreduce", .resolve = parts::resolve_in_any_order}));
}

}  // namespace allreduce

extern const Method allreduce_ring_on_links_method = allreduce::over_links({
    .name = "allreduce/ring",
    .families = {"ring", "torus", "hypercube", "rh"},
    .source = "Patarasuk & Yuan 2009 (collectives.md, Allreduce over links)",
    .summary =
        "parts go twice round a ring through all processors, over links: each adds its own, and then each copies "
        "the results",
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_link,
    .predict = allreduce::predict_ring,
    .run = allreduce::run_ring,
});

extern const Method allreduce_rings_method = allreduce::over_links({
    .name = "allreduce/rings",
    .families = {"hypercube"},
    .source = "after Patarasuk & Yuan 2009; Aubert & Schneider 1982 (collectives.md, Allreduce over links)",
    .summary =
        "both ways round n/2 rings through all processors that share no link, each with parts of its own (even n)",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve = allreduce::resolve_rings,
    .predict = allreduce::predict_rings,
    .run = allreduce::run_rings,
});

extern const Method allreduce_two_way_ring_method = allreduce::over_links({
    .name = "allreduce/two-way-ring",
    .families = {"ring"},
    .source = "after Patarasuk & Yuan 2009 (collectives.md, Allreduce over links)",
    .summary = "summands of every part come to it from both sides, and the results go back both ways",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .predict = allreduce::predict_two_way,
    .run = allreduce::run_two_way,
});

extern const Method reduce_scatter_ring_on_links_method = parts::with_defaults({
    .name = "reduce-scatter/ring",
    .operation = "reduce-scatter",
    .known_as = "reduce-scatter",
    .families = {"ring", "torus", "hypercube", "rh"},
    .source = "Patarasuk & Yuan 2009 (collectives.md, Reduce-scatter)",
    .summary = "parts go once round a ring through all processors, over links, and each adds its own",
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_link,
    .resolve = parts::resolve_in_any_order,
    .predict = reduce_scatter::predict_single_parts,
    .run = allreduce::run_ring_scatter,
});

}  // namespace lockstep
