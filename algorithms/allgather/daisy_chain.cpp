#include "daisy_chain.hpp"

#include "allgather.hpp"
#include "lockstep/machines/gray_code.hpp"

namespace lockstep {
namespace allgather {

namespace {

Port port_to(const Processor<Bundle>& self, Rank neighbour) {
  Port port = 0;
  while (port < self.ports() && self.neighbour(port) != neighbour) ++port;
  return port;
}

// Saad & Schultz 1985, section 4.1 (SS 1.6): in step t = 1..k-1 the processor at place i of the ring sends on the block
// that was at place i-t+1 in the beginning.
Process daisy_chain_program(Processor<Bundle>& self, RingNeighbours neighbours, Collection& collection) {
  self.hold(collection.words());
  Bundle own;
  own.pieces.push_back(collection.piece(self.rank()));
  const RingPorts ring = ports_to(self, neighbours);
  co_await circulate(self, ring, self.processors(), own, collection);
}

}  // namespace

RingPorts ports_to(const Processor<Bundle>& self, RingNeighbours neighbours) {
  return {port_to(self, neighbours.next), port_to(self, neighbours.previous)};
}

Process circulate(Processor<Bundle>& self, RingPorts ring, Rank size, const Bundle& own, Collection& collection) {
  if (size == 1) co_return;
  self.send(ring.next, own);
  for (Rank step = 1; step < size; ++step) {
    Message<Bundle> received = co_await self.message(ring.previous);
    collection.add(received.payload);
    self.hold(collection.words());
    if (step + 1 < size) self.forward(ring.next, std::move(received));
  }
}

namespace daisy_chain {

Prediction predict(const MachineSpec& machine, const Model&, const Settings& settings) {
  const std::uint64_t k = machine.processors;
  const std::uint64_t m = *settings.words;
  return {.steps = Count{k - 1, true, "k - 1"},
          .messages = Count{k * (k - 1), true, "k (k - 1)"},
          .words = exact_count(Wide{k} * (k - 1) * m, "k (k - 1) m"),
          .longest_sum = Count{(k - 1) * m, true, "(k - 1) m"},
          .message_words = m};
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return allgather::bytes(machine, model, settings, machine.processors);
}

Outcome run(const RunRequest& request, RingNeighbours (*ring)(const MachineSpec& machine, Rank rank)) {
  return allgather::run(request, [&](Processor<Bundle>& self, Collection& collection) {
    return daisy_chain_program(self, ring(request.machine, self.rank()), collection);
  });
}

namespace {

// The Gray code's ring: its places i and i+1 are neighbours in the cube.
RingNeighbours gray_ring(const MachineSpec& machine, Rank rank) {
  const Rank last = static_cast<Rank>(machine.processors - 1);  // n one bits
  const Rank place = inverse_gray(rank);
  return {gray((place + 1) & last), gray((place - 1) & last)};
}

RingNeighbours whole_ring(const MachineSpec& machine, Rank rank) {
  const auto k = static_cast<Rank>(machine.processors);
  return {rank == k - 1 ? 0 : rank + 1, rank == 0 ? k - 1 : rank - 1};
}

Outcome run_on_hypercube(const RunRequest& request) { return run(request, gray_ring); }
Outcome run_on_ring(const RunRequest& request) { return run(request, whole_ring); }

LowerBound lower_bound_on_ring(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return allgather::lower_bound(machine, model, settings, machine.processors / 2, machine.processors == 2 ? 1 : 2);
}

}  // namespace
}  // namespace daisy_chain
}  // namespace allgather

extern const Method allgather_daisy_chain_hypercube_method{
    .name = "allgather/daisy-chain",
    .operation = "allgather",
    .known_as = "total exchange",
    .families = {"hypercube"},
    .source = "Saad & Schultz 1985, section 4.1 (SS 1.6)",
    .summary = "all blocks go once round the Gray code's ring, one a step",
    .parameters = {allgather::words_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::all},
    .resolve = allgather::resolve,
    .predict = allgather::daisy_chain::predict,
    .lower_bound = allgather::lower_bound_on_hypercube,
    .bytes = allgather::daisy_chain::bytes,
    .run = allgather::daisy_chain::run_on_hypercube,
};

extern const Method allgather_daisy_chain_ring_method{
    .name = "allgather/daisy-chain",
    .operation = "allgather",
    .known_as = "total exchange",
    .families = {"ring"},
    .source = "Saad & Schultz 1988, section 3.3(c) (SS 2.5)",
    .summary = "all blocks go once round the ring, one a step",
    .parameters = {allgather::words_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::all},
    .resolve = allgather::resolve,
    .predict = allgather::daisy_chain::predict,
    .lower_bound = allgather::daisy_chain::lower_bound_on_ring,
    .bytes = allgather::daisy_chain::bytes,
    .run = allgather::daisy_chain::run_on_ring,
};

}  // namespace lockstep
