#include <algorithm>
#include <stdexcept>

#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/machines/topologies.hpp"
#include "method/step_lengths.hpp"
#include "written/follow.hpp"

namespace lockstep {
namespace allgather {
namespace {

constexpr std::uint64_t most_flooded = 512;

/// A block that has come in this cycle, and the ports on which it came.
struct FloodedBlock {
  Rank source;
  std::vector<Port> from;
};

/// Adds the blocks that have come for the first time to the collection, and returns them. A copy must equal its block.
std::vector<FloodedBlock> take_arrivals(Processor<Bundle>& self, Collection& collection) {
  std::vector<FloodedBlock> newest;
  for (const Port port : self.arrivals()) {
    const Bundle came = self.receive(port).payload;
    Bundle unknown;
    for (const Piece& piece : came) {
      const auto known = std::ranges::find(newest, piece.origin, &FloodedBlock::source);
      if (known != newest.end()) {
        known->from.push_back(port);
      } else if (!collection.has(piece.origin)) {
        newest.push_back({piece.origin, {port}});
        unknown.add(piece);
      }
      if (collection.has(piece.origin) && !std::ranges::equal(collection.block(piece.origin), piece.block)) {
        throw std::logic_error("two copies of the block of rank " + std::to_string(piece.origin) + " differ");
      }
    }
    if (!unknown.empty()) collection.add(std::move(unknown));
  }
  return newest;
}

// In a cycle a processor sends its neighbours the blocks that came to it in the cycle before, at first its own, except
// back where they came from.
Process allgather_flooding(Processor<Bundle>& self, std::uint64_t diameter, Collection& collection) {
  std::vector<FloodedBlock> newest{{self.rank(), {}}};
  self.hold(collection.words());
  for (std::uint64_t step = 0; step < diameter; ++step) {
    for (Port port = 0; port < self.ports(); ++port) {
      Bundle onward;
      for (const FloodedBlock& block : newest) {
        if (std::ranges::find(block.from, port) == block.from.end()) onward.add(collection.piece(block.source));
      }
      if (self.has_link(port) && !onward.empty()) self.send(port, std::move(onward));
    }
    co_await self.cycle();
    newest = take_arrivals(self, collection);
    self.hold(collection.words());
  }
}

/// The distances from one processor to all.
std::vector<std::uint64_t> flood_distances(const Topology& topology, Rank source) {
  std::vector<std::uint64_t> distances(topology.processors(), topology.processors());
  std::vector<Rank> reached{source};
  distances[source] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    for (Port port = 0; port < topology.ports(); ++port) {
      const Rank peer = topology.peer(reached[next], port).rank;
      if (peer == no_rank || distances[peer] < topology.processors()) continue;
      distances[peer] = distances[reached[next]] + 1;
      reached.push_back(peer);
    }
  }
  return distances;
}

/// What moves in a step.
struct FloodStep {
  std::uint64_t blocks = 0;   ///< in all messages
  std::uint64_t longest = 0;  ///< blocks of the longest message
};
struct Flood {
  std::vector<FloodStep> steps;  ///< as many as the diameter
  std::uint64_t messages = 0;
};

/// A processor at distance d from a source sends that block in step d to the neighbours that are not nearer to it.
Flood flood_of(const MachineSpec& machine) {
  const Topology topology = build(machine);
  const Rank p = topology.processors();
  std::vector<std::vector<std::uint64_t>> distances;
  std::uint64_t diameter = 0;
  for (Rank source = 0; source < p; ++source) {
    distances.push_back(flood_distances(topology, source));
    diameter = std::max(diameter, std::ranges::max(distances.back()));
  }
  Flood flood{std::vector<FloodStep>(diameter), 0};
  for (Rank rank = 0; rank < p; ++rank) {
    for (Port port = 0; port < topology.ports(); ++port) {
      const Rank peer = topology.peer(rank, port).rank;
      if (peer == no_rank) continue;
      std::vector<std::uint64_t> lengths(diameter);
      for (const std::vector<std::uint64_t>& from : distances) {
        if (from[rank] < diameter && from[peer] >= from[rank]) ++lengths[from[rank]];
      }
      for (std::uint64_t step = 0; step < diameter; ++step) {
        flood.messages += lengths[step] > 0 ? 1 : 0;
        flood.steps[step].blocks += lengths[step];
        flood.steps[step].longest = std::max(flood.steps[step].longest, lengths[step]);
      }
    }
  }
  return flood;
}

void resolve_flooding(const MachineSpec& machine, const Model& model, Settings& settings) {
  if (machine.processors > most_flooded) {
    throw InputError("allgather/flooding runs on at most 512 processors, of which " + machine.text + " has " +
                     std::to_string(machine.processors));
  }
  resolve(machine, model, settings);
}

Prediction predict_flooding(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Flood flood = flood_of(machine);
  const Wide w = *settings.words;
  Wide blocks = 0;
  method::StepLengths lengths(model.cost);
  for (const FloodStep& step : flood.steps) {
    blocks += step.blocks;
    lengths.add(1, step.longest * w);
  }
  return {.steps = exact_count(lengths.steps(), "the diameter D"),
          .messages = exact_count(flood.messages, "of d(s, u) < D, d(s, v) >= d(s, u) for each link u-v"),
          .words = exact_count(blocks * w, "w for each s in them"),
          .longest_sum = exact_count(lengths.sum(), "the longest of each step"),
          .longest_startups = lengths.startups()};
}

std::uint64_t flooding_bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  std::uint64_t most = 0;
  for (const FloodStep& step : flood_of(machine).steps) most = std::max(most, step.blocks);
  return bytes(machine, model, settings, {.pieces = most});
}

Outcome run_flooding(const RunRequest& request) {
  const std::uint64_t diameter = flood_of(request.machine).steps.size();
  return run(request, [diameter](Processor<Bundle>& self, Collection& collection) {
    return allgather_flooding(self, diameter, collection);
  });
}

}  // namespace
}  // namespace allgather

extern const Method allgather_flooding_method = allgather::with_defaults({
    .name = "allgather/flooding",
    .families = written::linked_families(),
    .source = "Lockstep's own (flooding.md, Flooding)",
    .summary = "every processor sends on all links what it has just received, except back",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve = allgather::resolve_flooding,
    .predict = allgather::predict_flooding,
    .bytes = allgather::flooding_bytes,
    .run = allgather::run_flooding,
});

}  // namespace lockstep
