#include "daisy_chain.hpp"

#include <bit>
#include <utility>

#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/machines/gray_code.hpp"
#include "lockstep/machines/grid_tours.hpp"
#include "lockstep/machines/reduced_hypercube_embeddings.hpp"
#include "method/switches.hpp"
#include "plans/turns/port_to.hpp"

namespace lockstep {
namespace allgather {
// Saad & Schultz 1985, section 4.1 (saad-schultz-1985.md, Daisy chain): in step t = 1..k-1 the processor at place i of
// the ring sends on the block that began at place i-t+1.
Process daisy_chain::collect(Processor<Bundle>& self, RingNeighbours neighbours, Collection& collection, Cycle begin) {
  self.hold(collection.words());
  const Bundle own(collection.piece(self.rank()));
  const RingPorts ports = ports_to(self, neighbours);
  const Rank k = self.processors();
  const bool by_turns = circulates_by_turns(self.model(), self.topology().medium().has_value(), k);
  const RingPlace ring{neighbours.place, k, by_turns, begin};
  co_await circulate(self, ports, ring, own, collection);
}

// Saad & Schultz 1988, section 3.3(d) (saad-schultz-1988.md, Torus daisy chains).
RingNeighbours skew_ring(const MachineSpec& machine, Rank rank) {
  const std::optional<SkewRing> ring = SkewRing::of(Grid(machine));
  return ring ? RingNeighbours{ring->next(rank), ring->previous(rank), ring->place(rank)} : snake_ring(machine, rank);
}

RingPorts ports_to(const Processor<Bundle>& self, const RingNeighbours& neighbours) {
  return {turns::port_to(self, neighbours.next), turns::port_to(self, neighbours.previous)};
}

bool circulates_by_turns(const Model& model, bool on_medium, Rank size) {
  return takes_turns(model, on_medium) || (size == 2 && model.duplex == Duplex::half_link);
}

std::uint64_t circulation_steps(Rank size, bool by_turns) {
  const std::uint64_t others = size - 1;
  if (!by_turns || size == 1) return others;
  return size % 2 == 0 ? 2 * others : 2 * std::uint64_t{size};
}

namespace {

// In step t = 0, 1, .. place u sends if (u - t) mod size is odd; then (u + 1 - t) mod size is even, and u + 1, the
// receiver, does not send. On a ring of odd size one place in a step does neither, and the next one in the next step.
//
//     size 5, step 0   . > . > .    places 1 and 3 send, 0 waits
//             step 1   > . > . .    places 2 and 4, 1 waits
bool has_turn(const RingPlace& ring, Cycle step) {
  return (ring.place + ring.size - step % ring.size) % ring.size % 2 == 1;
}

// After its own a place sends what it has received before: between two sends it has at least one receipt.
Process circulate_by_turns(Processor<Bundle>& self, RingPorts ports, RingPlace ring, const Bundle& own,
                           Collection& collection) {
  const auto keep = [&](const Message<Bundle>& received) {
    collection.add(received.payload);
    self.hold(collection.words());
  };
  Rank sent = 0;
  for (Cycle step = 0; sent + 1 < ring.size; ++step) {
    if (!has_turn(ring, step)) continue;
    co_await self.until(ring.begin + step);
    if (sent++ == 0) {
      self.send(ports.next, own);
      continue;
    }
    Message<Bundle> received = co_await self.message(ports.previous);
    keep(received);
    self.forward(ports.next, std::move(received));
  }
  const Message<Bundle> last = co_await self.message(ports.previous);
  keep(last);
}

}  // namespace

Process circulate(Processor<Bundle>& self, RingPorts ports, RingPlace ring, const Bundle& own, Collection& collection) {
  if (ring.size == 1) co_return;
  if (ring.by_turns) {
    co_await circulate_by_turns(self, ports, ring, own, collection);
    co_return;
  }
  self.send(ports.next, own);
  for (Rank step = 1; step < ring.size; ++step) {
    Message<Bundle> received = co_await self.message(ports.previous);
    collection.add(received.payload);
    self.hold(collection.words());
    if (step + 1 < ring.size) self.forward(ports.next, std::move(received));
  }
}

Process spread_along(Processor<Bundle>& self, turns::PathPlace path, bool at_once, const Bundle& own,
                     Collection& collection) {
  const auto keep = [&](const Bundle& passing, bool) {
    collection.add(passing);
    self.hold(collection.words());
  };
  Bundle above = own;
  Bundle below = own;
  if (at_once) {
    co_await turns::travel_both_ways(self, path, above, below, keep);
  } else {
    co_await turns::travel_one_way(self, path, true, above, keep);
    co_await turns::travel_one_way(self, path, false, below, keep);
  }
}

namespace daisy_chain {

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t k = machine.processors;
  const std::uint64_t m = *settings.words;
  const auto size = static_cast<Rank>(k);
  const bool by_turns = circulates_by_turns(model, machine.medium.has_value(), size);
  const std::uint64_t steps = circulation_steps(size, by_turns);
  const std::string formula = !by_turns ? "k - 1" : k % 2 == 0 ? "2 (k - 1), k even" : "2 k, k odd and not 1";
  return {.steps = Count{steps, true, formula},
          .messages = Count{k * (k - 1), true, "k (k - 1)"},
          .words = exact_count(Wide{k} * (k - 1) * m, "k (k - 1) m"),
          .longest_sum = exact_count(Wide{steps} * m, !by_turns ? "(k - 1) m" : "S m"),
          .message_words = m};
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_where_shared(machine, model, settings, machine.processors, 0);
}

Outcome run(const RunRequest& request, RingNeighbours (*ring)(const MachineSpec& machine, Rank rank)) {
  return allgather::run(request, [&](Processor<Bundle>& self, Collection& collection) {
    return collect(self, ring(request.machine, self.rank()), collection);
  });
}

// The Gray code's ring, whose places i and i+1 are neighbours in the cube.
RingNeighbours gray_ring(const MachineSpec& machine, Rank rank) {
  return neighbours_at(inverse_gray(rank), static_cast<Rank>(machine.processors), gray);
}

RingNeighbours whole_ring(const MachineSpec& machine, Rank rank) {
  return neighbours_at(rank, static_cast<Rank>(machine.processors), [](Rank place) { return place; });
}

std::vector<RingNeighbours> reduced_ring(const MachineSpec& machine) {
  const std::vector<Rank> ring = hamiltonian_ring(ReducedHypercube(machine));
  std::vector<RingNeighbours> neighbours(ring.size());
  for (Rank place = 0; place < ring.size(); ++place) {
    neighbours[ring[place]] =
        neighbours_at(place, static_cast<Rank>(ring.size()), [&](Rank other) { return ring[other]; });
  }
  return neighbours;
}

namespace {

Outcome run_on_hypercube(const RunRequest& request) { return run(request, gray_ring); }
Outcome run_on_ring(const RunRequest& request) { return run(request, whole_ring); }
Outcome run_on_torus(const RunRequest& request) { return run(request, skew_ring); }

Outcome run_on_reduced_hypercube(const RunRequest& request) {
  const std::vector<RingNeighbours> neighbours = reduced_ring(request.machine);
  return allgather::run(request, [&](Processor<Bundle>& self, Collection& collection) {
    return collect(self, neighbours[self.rank()], collection);
  });
}

// Saad & Schultz 1988, section 3.3(d), where there is no ring (saad-schultz-1988.md, Paths both ways): in step t the
// processor at place i of the path sends up the block that began at place i-t+1, and down the one that began at place
// i+t-1.
Process collect_both_ways(Processor<Bundle>& self, const SnakePath& path, bool at_once, Collection& collection) {
  self.hold(collection.words());
  const Rank place = path.place(self.rank());
  turns::PathPlace here{.place = place, .size = self.processors()};
  if (place + 1 < here.size) here.up = turns::port_to(self, path.at(place + 1));
  if (place > 0) here.down = turns::port_to(self, path.at(place - 1));
  const Bundle own(collection.piece(self.rank()));
  co_await spread_along(self, here, at_once, own, collection);
}

Prediction predict_on_path(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  const Wide steps = turns::turns_of_both_ways(model) * (k - 1);
  const bool at_once = turns::goes_both_ways_at_once(model);
  return {.steps = exact_count(steps, at_once ? "k - 1" : "2 (k - 1)"),
          .messages = exact_count(k * (k - 1), "k (k - 1)"),
          .words = exact_count(k * (k - 1) * m, "k (k - 1) m"),
          .longest_sum = exact_count(steps * m, at_once ? "(k - 1) m" : "2 (k - 1) m"),
          .message_words = *settings.words};
}

Outcome run_on_path(const RunRequest& request) {
  const SnakePath path{Grid(request.machine)};
  const bool at_once = turns::goes_both_ways_at_once(request.model);
  return allgather::run(request, [&](Processor<Bundle>& self, Collection& collection) {
    return collect_both_ways(self, path, at_once, collection);
  });
}

}  // namespace
}  // namespace daisy_chain
}  // namespace allgather

extern const Method allgather_daisy_chain_hypercube_method = allgather::with_defaults({
    .name = "allgather/daisy-chain",
    .aliases = {"allgather/ring"},
    .families = {"hypercube"},
    .source = "Saad & Schultz 1985, section 4.1 (saad-schultz-1985.md, Daisy chain)",
    .summary = "all blocks go once round the Gray code's ring, one a step",
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = allgather::daisy_chain::predict,
    .bytes = allgather::daisy_chain::bytes,
    .run = allgather::daisy_chain::run_on_hypercube,
});

extern const Method allgather_daisy_chain_reduced_hypercube_method = allgather::with_defaults({
    .name = "allgather/daisy-chain",
    .aliases = {"allgather/ring"},
    .families = {"rh"},
    .source = "after Saad & Schultz 1985, section 4.1, round Mukherjee's ring (mukherjee.md, Allgather)",
    .summary = "all blocks go once round a ring through all nodes, one a step",
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = allgather::daisy_chain::predict,
    .bytes = allgather::daisy_chain::bytes,
    .run = allgather::daisy_chain::run_on_reduced_hypercube,
});

extern const Method allgather_daisy_chain_ring_method = allgather::with_defaults({
    .name = "allgather/daisy-chain",
    .aliases = {"allgather/ring"},
    .families = {"ring"},
    .source = "Saad & Schultz 1988, section 3.3(c) (saad-schultz-1988.md, Ring allgather)",
    .summary = "all blocks go once round the ring, one a step",
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_node,
    .predict = allgather::daisy_chain::predict,
    .bytes = allgather::daisy_chain::bytes,
    .run = allgather::daisy_chain::run_on_ring,
});

extern const Method allgather_daisy_chain_switch_method = allgather::with_defaults({
    .name = "allgather/daisy-chain",
    .aliases = {"allgather/ring"},
    .families = method::all_switches(),
    .source = "Saad & Schultz 1988, (3.34) (saad-schultz-1988.md, Switch)",
    .summary = "all blocks go once round all ranks, one a step",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = allgather::daisy_chain::predict,
    .bytes = allgather::daisy_chain::bytes,
    .run = allgather::daisy_chain::run_on_ring,
});

extern const Method allgather_daisy_chain_torus_method = allgather::with_defaults({
    .name = "allgather/daisy-chain",
    .aliases = {"allgather/ring"},
    .families = {"torus"},
    .source = "Saad & Schultz 1988, section 3.3(d) (saad-schultz-1988.md, Torus daisy chains)",
    .summary = "all blocks go once round a ring through all rows, one a step, skewed where the sides allow it",
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = allgather::daisy_chain::predict,
    .bytes = allgather::daisy_chain::bytes,
    .run = allgather::daisy_chain::run_on_torus,
});

extern const Method allgather_daisy_chain_path_method = allgather::with_defaults({
    .name = "allgather/daisy-chain",
    .aliases = {"allgather/ring"},
    .families = {"path", "mesh"},
    .source = "Saad & Schultz 1988, section 3.3(d), without wrap-around (saad-schultz-1988.md, Paths both ways)",
    .summary = "all blocks go to both ends of a path through all processors, a place a step; one sense after the other "
               "unless all ports and full duplex are there",
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .predict = allgather::daisy_chain::predict_on_path,
    .bytes = allgather::daisy_chain::bytes,
    .run = allgather::daisy_chain::run_on_path,
});

}  // namespace lockstep
