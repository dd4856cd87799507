#include "rotate_drop.hpp"

#include "catalogue/step_lengths.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep {
namespace alltoall {

Process rotate_and_drop(Processor<Bundle>& self, const RingLines& rings, Bundle& held) {
  const RingAxis& axis = rings.axis();
  const Rank place = rings.position(self.rank());
  const auto travels_on = [&](const Piece& piece) { return rings.position(piece.destination) != place; };
  std::uint64_t held_words = words(held);
  self.hold(held_words);
  if (axis.side() == 1) co_return;
  Bundle own = held.take(travels_on);
  held_words -= words(own);
  self.send(axis.towards(true), std::move(own));
  for (Rank hop = 1; hop < axis.side(); ++hop) {
    Message<Bundle> message = co_await self.message(axis.towards(false));
    self.hold(held_words + words(message.payload));
    Bundle dropped = message.payload.take([&](const Piece& piece) { return !travels_on(piece); });
    held_words += words(dropped);
    held.add(std::move(dropped));
    if (hop + 1 < axis.side()) {
      self.forward(axis.towards(true), std::move(message));
    } else {
      held.add(std::move(message.payload));  // nothing, if all has gone as it should
    }
  }
}

namespace {

Process rotate_and_drop_on_ring(Processor<Bundle>& self, Bundle& held) {
  const RingLines ring = ring_of(self.processors());
  co_await rotate_and_drop(self, ring, held);
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  StepLengths lengths(model.cost);
  lengths.add_multiples(k - 1, b);  // a block fewer in every step
  return {.steps = exact_count(lengths.steps(), "k - 1"),
          .messages = exact_count(k * (k - 1), "k (k - 1)"),
          .words = exact_count(k * (k * (k - 1) / 2) * b, "k^2 (k - 1)/2 b"),
          .longest_sum = exact_count(lengths.sum(), "k (k - 1)/2 b"),
          .message_words = {},
          .longest_startups = lengths.startups()};
}

// What has been dropped makes its room as it comes.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{3} * machine.processors * machine.processors);
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_rotate_drop_method = alltoall::with_defaults({
    .name = "alltoall/rotate-drop",
    .families = {"ring"},
    .source = "Saad & Schultz 1988, (3.43) (saad-schultz-1988.md, Ring alltoall)",
    .summary = "the blocks of every processor go once round together, each processor keeping those for it",
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .strictest_duplex = Duplex::half_link,
    .predict = alltoall::predict,
    .lower_bound = alltoall::lower_bound,
    .bytes = alltoall::bytes,
    .run = [](const RunRequest& request) { return alltoall::run(request, alltoall::rotate_and_drop_on_ring); },
});

}  // namespace lockstep
