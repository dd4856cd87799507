#include "alltoall.hpp"
#include "lockstep/core/machine.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep {
namespace alltoall {
namespace {

// Dimension by dimension, the highest first, neighbours give each other all blocks for processors on the other side.
// Saad & Schultz 1985, section 6, MTADEA (SS 1.13). In full duplex an exchange takes one step; else two: first those
// send whose bit of the dimension is 1, then the others what they had before, so that no processor sends and receives
// in one step.
Process exchange(Processor<Bundle>& self, std::vector<Piece>& held) {
  const Rank rank = self.rank();
  const bool at_once = self.model().duplex == Duplex::full;
  const std::uint64_t own_words = words(held);  // as many come in an exchange as go
  self.hold(own_words);
  for (Port dimension = self.ports(); dimension-- > 0;) {
    const bool first = has_bit(rank, dimension);
    Bundle sent = take(held, [&](const Piece& piece) { return has_bit(piece.destination ^ rank, dimension); });
    Bundle received;
    if (at_once || first) {
      self.send(dimension, std::move(sent));
      received = co_await self.message(dimension);
    } else {
      received = co_await self.message(dimension);
      self.hold(own_words + words(received));
      self.send(dimension, std::move(sent));
      co_await self.cycle();
    }
    const Rank crossed = ~Rank{0} << dimension;
    check(received.pieces, [&](const Piece& piece) { return can_be_at(rank, piece, crossed); });
    keep(held, std::move(received));
  }
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const bool full = model.duplex == Duplex::full;
  const Wide f = full ? 1 : 2;
  const Wide n = machine.ports;
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  const auto length = exact_count(k / 2 * b, "");
  return {.steps = exact_count(f * n, full ? "n" : "2 n"),
          .messages = exact_count(n * k, "n 2^n"),
          .words = exact_count(n * k * (k / 2) * b, "n 2^(2n-1) b"),
          .longest_sum = exact_count(f * n * (k / 2) * b, full ? "n 2^(n-1) b" : "n 2^n b"),
          .message_words = length ? std::optional(length->value) : std::nullopt};
}

// Half of what a processor holds is on its way in an exchange.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{machine.processors} * machine.processors * 3 / 2);
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_exchange_method{
    .name = "alltoall/exchange",
    .operation = "alltoall",
    .known_as = "multiscatter",
    .families = {"hypercube"},
    .source = "Saad & Schultz 1985, section 6 (SS 1.13)",
    .summary =
        "dimension by dimension, neighbours exchange all blocks for the other side; in two steps each unless duplex is "
        "full",
    .parameters = {alltoall::words_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = alltoall::resolve,
    .predict = alltoall::predict,
    .lower_bound = alltoall::lower_bound,
    .bytes = alltoall::bytes,
    .run = [](const RunRequest& request) { return alltoall::run(request, alltoall::exchange); },
};

}  // namespace lockstep
