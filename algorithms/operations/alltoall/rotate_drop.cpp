#include "rotate_drop.hpp"

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "method/step_lengths.hpp"

namespace lockstep {
namespace alltoall {

Process rotate_and_drop(Processor<Bundle>& self, const GridAxis& line, allgather::RingPorts ring, Bundle& held) {
  const Rank place = line.position(self.rank());
  const auto travels_on = [&](const Piece& piece) { return line.position(piece.destination) != place; };
  std::uint64_t held_words = words(held);
  self.hold(held_words);
  if (line.side() == 1) co_return;
  Bundle own = held.take(travels_on);
  held_words -= words(own);
  self.send(ring.next, std::move(own));
  for (Rank hop = 1; hop < line.side(); ++hop) {
    Message<Bundle> message = co_await self.message(ring.previous);
    self.hold(held_words + words(message.payload));
    Bundle dropped = message.payload.take([&](const Piece& piece) { return !travels_on(piece); });
    held_words += words(dropped);
    held.add(std::move(dropped));
    if (hop + 1 < line.side()) {
      self.forward(ring.next, std::move(message));
    } else {
      held.add(std::move(message.payload));  // nothing, unless a piece has gone astray
    }
  }
}

Process drop_both_ways(Processor<Bundle>& self, const GridAxis& line, bool at_once, Bundle& held) {
  const Rank place = line.position(self.rank());
  const turns::PathPlace here{place, line.side(), line.towards(true), line.towards(false)};
  std::uint64_t held_words = words(held);
  self.hold(held_words);
  // What goes down is fixed before anything comes up, so that a piece gone astray does not go back.
  Bundle above = held.take([&](const Piece& piece) { return line.position(piece.destination) > place; });
  Bundle below = held.take([&](const Piece& piece) { return line.position(piece.destination) < place; });
  const auto keep = [&](Bundle& passing, bool is_end) {
    self.hold(held_words + words(passing));
    const auto is_here = [&](const Piece& piece) { return is_end || line.position(piece.destination) == place; };
    Bundle dropped = passing.take(is_here);
    held_words += words(dropped);
    held.add(std::move(dropped));
  };
  held_words -= words(above);
  if (at_once) {
    held_words -= words(below);
    co_await turns::travel_both_ways(self, here, above, below, keep);
  } else {
    co_await turns::travel_one_way(self, here, true, above, keep);
    held_words -= words(below);
    co_await turns::travel_one_way(self, here, false, below, keep);
  }
}

namespace {

Process rotate_and_drop_round(Processor<Bundle>& self, const GridAxis& line, allgather::RingNeighbours neighbours,
                              Bundle& held) {
  const allgather::RingPorts ring = allgather::ports_to(self, neighbours);
  co_await rotate_and_drop(self, line, ring, held);
}

Prediction predict_rotate_drop(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  method::StepLengths lengths(model.cost);
  lengths.add_multiples(k - 1, b);  // a block fewer in every step
  return {.steps = exact_count(lengths.steps(), "k - 1"),
          .messages = exact_count(k * (k - 1), "k (k - 1)"),
          .words = exact_count(k * (k * (k - 1) / 2) * b, "k^2 (k - 1)/2 b"),
          .longest_sum = exact_count(lengths.sum(), "k (k - 1)/2 b"),
          .longest_startups = lengths.startups()};
}

// Dropped blocks get their room as they come.
std::uint64_t bytes_rotate_drop(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{3} * machine.processors * machine.processors);
}

// A ring through all processors is one line, on which each has the position of its rank.
Outcome run_rotate_and_drop(const RunRequest& request) {
  const GridAxis line(request.topology.processors(), true, 0, 1);
  const auto ring = request.machine.family == "torus" ? allgather::skew_ring : allgather::daisy_chain::whole_ring;
  return run(request, [&](Processor<Bundle>& self, Bundle& held) {
    return rotate_and_drop_round(self, line, ring(request.machine, self.rank()), held);
  });
}

}  // namespace

}  // namespace alltoall

extern const Method alltoall_rotate_drop_method = alltoall::with_defaults({
    .name = "alltoall/rotate-drop",
    .families = {"ring", "torus"},
    .source = "Saad & Schultz 1988, (3.43) (saad-schultz-1988.md, Ring alltoall)",
    .summary = "the blocks of every processor go once round together, each processor keeping those for it",
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_link,
    .predict = alltoall::predict_rotate_drop,
    .bytes = alltoall::bytes_rotate_drop,
    .run = alltoall::run_rotate_and_drop,
});

}  // namespace lockstep
