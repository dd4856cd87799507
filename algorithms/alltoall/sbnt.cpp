#include "sbnt.hpp"

#include <algorithm>

#include "catalogue/step_lengths.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/spanning_balanced_tree.hpp"

namespace lockstep {
namespace alltoall {
namespace {

/// Whether the piece's path leads over that port to the rank by that many hops: from base(c) on, all one bits of c up
/// to the port have been crossed.
bool is_due(const Piece& piece, Rank rank, Port hops, Port port, const SbntBases& bases) {
  const Rank c = piece.origin ^ piece.destination;
  const Rank crossed = piece.origin ^ rank;
  if (c == 0 || one_bits(crossed) != hops || !has_bit(crossed, port)) return false;
  const Port base = bases[c];
  const Rank from_base = ~Rank{0} << base;
  const Rank to_port = (Rank{2} << port) - 1;
  return (c & (base <= port ? from_base & to_port : from_base | to_port)) == crossed;
}

}  // namespace

SbntBases::SbntBases(Port n) : n_(n), bases_(std::size_t{1} << n) {
  for (Rank c = 1; c < bases_.size(); ++c) bases_[c] = static_cast<std::uint8_t>(sbnt_base(c, n));
}

// Every block starts in the first cycle over dimension base(c) of its relative address c, and moves in every cycle,
// over the next one bit of c to the left. What goes over a link in a cycle is one message. Johnsson & Ho, section 3.2
// (johnsson-ho.md, All to all). Where links or processors are half duplex such a cycle takes two of the machine: first
// the processors of even parity send, then the others what they had before.
Process sbnt(Processor<Bundle>& self, const SbntBases& bases, Bundle& held) {
  const Rank rank = self.rank();
  const Port n = self.ports();
  const bool takes_turns = self.model().duplex != Duplex::full;
  const bool sends_first = one_bits(rank) % 2 == 0;
  self.hold(words(held));
  std::vector<Bundle> leaving(n);
  held.deal([&](const Piece& piece) -> Bundle& { return leaving[bases[piece.destination ^ rank]]; });
  for (Port cycle = 0; cycle < n; ++cycle) {
    if (takes_turns && !sends_first) co_await self.cycle();
    for (Port port = 0; port < n; ++port) {
      if (!leaving[port].empty()) self.send(port, std::exchange(leaving[port], {}));
    }
    if (takes_turns && sends_first) co_await self.cycle();
    co_await self.cycle();
    for (Port port = 0; port < n; ++port) {
      if (!self.arrived(port)) continue;
      Bundle received = self.receive(port);
      check(received, [&](const Piece& piece) { return is_due(piece, rank, cycle + 1, port, bases); });
      received.deal([&](const Piece& piece) -> Bundle& {
        const Rank left = piece.destination ^ rank;
        return left == 0 ? held : leaving[sbnt_next(left, port)];
      });
    }
    std::uint64_t held_words = words(held);
    for (const Bundle& bundle : leaving) held_words += words(bundle);
    self.hold(held_words);
  }
}

namespace {

/// The relative addresses whose t-th hop is over port p, for all t and p. Time in proportion to n^2 2^n.
std::vector<std::vector<std::uint64_t>> loads(Port n) {
  std::vector<std::vector<std::uint64_t>> loads(n, std::vector<std::uint64_t>(n));
  for (Rank c = 1; c < Rank{1} << n; ++c) {
    Rank left = c;
    Port port = sbnt_base(c, n);
    for (std::size_t hop = 0;; ++hop) {
      ++loads[hop][port];
      left ^= Rank{1} << port;
      if (left == 0) break;
      port = sbnt_next(left, port);
    }
  }
  return loads;
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t most_counted = 16;  // beyond, counting takes too long
  const std::uint64_t n = machine.ports;
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  const bool full = model.duplex == Duplex::full;
  const std::uint64_t f = full ? 1 : 2;
  Prediction prediction{.steps = exact_count(f * n, full ? "n" : "2 n"),
                        .messages = {},
                        .words = exact_count(n * k * (k / 2) * b, "n 2^(2n-1) b"),
                        .longest_sum = {},
                        .message_words = {}};
  if (n > most_counted) return prediction;
  Wide links = 0;
  StepLengths lengths(model.cost);
  for (const auto& cycle : loads(static_cast<Port>(n))) {
    links += static_cast<Wide>(std::count_if(cycle.begin(), cycle.end(), [](std::uint64_t load) { return load != 0; }));
    lengths.add(f, *std::max_element(cycle.begin(), cycle.end()) * b);
  }
  prediction.messages = exact_count(k * links, "2^n sum_t |{p: load(t,p) > 0}|");
  prediction.longest_sum = exact_count(lengths.sum(), full ? "b sum_t max_p load(t,p)" : "2 b sum_t max_p load(t,p)");
  prediction.longest_startups = lengths.startups();
  return prediction;
}

// All pieces are on their way at once, and lists grow by doubling their room.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{3} * machine.processors * machine.processors);
}

Outcome run_sbnt(const RunRequest& request) {
  const SbntBases bases(request.topology.ports());
  return run(request, [&](Processor<Bundle>& self, Bundle& held) { return sbnt(self, bases, held); });
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_sbnt_method = alltoall::with_defaults({
    .name = "alltoall/sbnt",
    .aliases = {"SBnT"},
    .known_as = "all-to-all personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.2 (johnsson-ho.md, All to all)",
    .summary = "every block moves in every cycle, down the spanning balanced n-tree of its source; all links work; in "
               "two cycles each unless duplex is full",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = alltoall::predict,
    .lower_bound = alltoall::lower_bound,
    .bytes = alltoall::bytes,
    .run = alltoall::run_sbnt,
});

}  // namespace lockstep
