#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep {
namespace alltoall {
namespace {

// For the offsets d = 1..k-1 every processor sends its block to the processor d ranks after it, in the order of the
// ranks, one offset after the other, kstar of them a cycle. After Saad & Schultz 1988, section 3.5(a)
// (saad-schultz-1988.md, Bus). ceil(k (k-1)/kstar) steps.
Process alltoall_by_kstar(Processor<Bundle>& self, Bundle& held) {
  const std::uint64_t k = self.processors();
  const Rank rank = self.rank();
  const std::uint64_t kstar = self.topology().medium()->users;
  const auto turn_of = [=](Rank sender, std::uint64_t offset) { return ((offset - 1) * k + sender) / kstar; };
  const auto sender_to_here = [=](std::uint64_t offset) { return shifted(rank, k - offset, static_cast<Rank>(k)); };
  Bundle received;
  self.hold(words(held));  // each offset takes a block and brings one
  std::uint64_t next_in = 1;
  for (std::uint64_t offset = 1; offset <= k; ++offset) {
    const bool sends = offset < k;
    // Blocks of offsets already sent for are received first if they have come by then: a block makes room for a block.
    while (next_in < offset && (!sends || turn_of(sender_to_here(next_in), next_in) < turn_of(rank, offset))) {
      const Rank from = sender_to_here(next_in++);
      Bundle bundle = co_await self.message(from);
      check_only_piece(bundle, from, rank);
      received.add(std::move(bundle));
    }
    if (!sends) break;
    const Rank to = shifted(rank, offset, static_cast<Rank>(k));
    co_await self.until(turn_of(rank, offset));
    Bundle block;
    block.add_piece(held, place_without(rank, to));
    self.send(to, std::move(block));
  }
  held = std::move(received);
}

Prediction predict_direct_kstar(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  const Wide kstar = machine.medium->users;
  const Wide S = (k * (k - 1) + kstar - 1) / kstar;
  return {.steps = exact_count(S, "ceil(k (k - 1)/kstar)"),
          .messages = exact_count(k * (k - 1), "k (k - 1)"),
          .words = exact_count(k * (k - 1) * b, "k (k - 1) b"),
          .longest_sum = exact_count(S * b, "ceil(k (k - 1)/kstar) b"),
          .message_words = *settings.words};
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_direct_kstar_method = alltoall::with_defaults({
    .name = "alltoall/direct-kstar",
    .families = {"bus"},
    .source = "after Saad & Schultz 1988, section 3.5(a) (saad-schultz-1988.md, Bus)",
    .summary = "offset by offset everybody sends a block that far on, kstar processors a cycle",
    .port_models = {PortModel::one},
    .predict = alltoall::predict_direct_kstar,
    .bytes = alltoall::bytes_with_copies,
    .run = [](const RunRequest& request) { return alltoall::run(request, alltoall::alltoall_by_kstar); },
});

}  // namespace lockstep
