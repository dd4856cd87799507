#include <algorithm>
#include <bit>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/predicted.hpp"
#include "method/switches.hpp"
#include "parts/gossip.hpp"
#include "parts/schedules.hpp"
#include "scheduled.hpp"
#include "written/follow.hpp"

// The item is scattered down a binomial tree, and its parts are gathered by all: once round a ring (Barnett et al.
// 1994), or in doubling steps (Thakur, Rabenseifner, Gropp 2005) (collectives.md, Broadcast).
namespace lockstep {
namespace broadcast {
namespace {

using parts::GossipMessage;

/// In step s = 0, 1, .. ranks that are multiples of 2 d, d = 2^(q-1-s), send to the rank d after them its part and
/// those of the ranks after it, up to 2 d after the sender.
parts::PartSchedule scatter(Rank p) {
  const std::uint64_t q = doublings(p);
  return {q, [p, q](Rank rank, Cycle step) -> parts::PartStep {
            const std::uint64_t d = std::uint64_t{1} << (q - 1 - step);
            const auto of = [&](std::uint64_t first) {
              const std::uint64_t end = std::min<std::uint64_t>(first + d, p);
              return parts::run_of_parts(static_cast<Rank>(first), static_cast<Rank>(end - first), p);
            };
            if (rank % (2 * d) == 0 && rank + d < p) return {.to = static_cast<Rank>(rank + d), .sent = of(rank + d)};
            if (rank % (2 * d) == d) return {.from = static_cast<Rank>(rank - d), .received = of(rank)};
            return {};
          }};
}

constexpr NumberParameter part_words_parameter{
    {"words", "words of the whole item, of which every rank gets a part first",
     "one a processor, or as many as the numbers of --input"},
    &Settings::words};

void resolve_scatter_allgather(const MachineSpec& machine, const Model& model, Settings& settings) {
  if (!settings.words && !settings.input) settings.words = machine.processors;
  resolve(machine, model, settings);
}

Split parts_of(const MachineSpec& machine, const Settings& settings) { return {*settings.words, machine.processors}; }

/// One bits of all numbers below this one.
Wide one_bits_below(std::uint64_t end) {
  Wide sum = 0;
  for (std::uint64_t bit = 1; bit < end; bit *= 2) {
    sum += end / (2 * bit) * bit + std::max(end % (2 * bit), bit) - bit;
  }
  return sum;
}

/// Adds the steps of the scatter; returns the words that it moves.
Wide add_scatter(const Split& parts, method::StepLengths& lengths) {
  const std::uint64_t p = parts.pieces();
  // The root sends the most words: longer parts come first, and other ranks have fewer ranks behind them.
  for (std::uint64_t d = std::bit_ceil(p); (d /= 2) > 0;) {
    lengths.add(1, parts.first(std::min(2 * d, p)) - parts.first(d));
  }
  // A part crosses as many links of the tree as its rank has one bits.
  return parts.shortest() * one_bits_below(p) + one_bits_below(parts.longer());
}

/// The counts of a scatter that moves `scattered` words, and of `rounds` steps after it in which all ranks send.
Prediction predicted(const Split& parts, const method::StepLengths& lengths, Wide scattered, Wide rounds,
                     std::string steps, std::string messages) {
  const std::uint64_t p = parts.pieces();
  return method::predicted(
      lengths, Wide{p - 1} + p * rounds, scattered + Wide{p - 1} * parts.words(),
      {std::move(steps), std::move(messages),
       std::has_single_bit(p) ? "m log2(p)/2 + (p - 1) m if p divides m"
                              : "(p - 1) m + parts times the one bits of their ranks' offsets from the root",
       "2 m (1 - 1/p) if p divides m; else by the parts"});
}

Prediction predict_scatter_allgather(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t p = machine.processors;
  const Split parts = parts_of(machine, settings);
  method::StepLengths lengths(model.cost);
  const Wide scattered = add_scatter(parts, lengths);
  lengths.add(p - 1, parts.longest());
  return predicted(parts, lengths, scattered, p - 1, p == 1 ? "0" : "ceil(log2 p) + p - 1", "(p - 1) + p (p - 1)");
}

// The longer parts come first, so that the longest run of parts begins with the root's.
Prediction predict_scatter_doubling(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t p = machine.processors;
  const Split parts = parts_of(machine, settings);
  method::StepLengths lengths(model.cost);
  const Wide scattered = add_scatter(parts, lengths);
  const std::vector<Rank> skips = parts::circulant_skips(static_cast<Rank>(p));
  for (std::size_t k = 1; k < skips.size(); ++k) lengths.add(1, parts.first(skips[k] - skips[k - 1]));
  return predicted(parts, lengths, scattered, doublings(p), "2 ceil(log2 p)", "(p - 1) + p ceil(log2 p)");
}

Outcome run_scatter_allgather(const RunRequest& request) {
  const Rank p = request.topology.processors();
  return run_schedule(request, from_root(scatter(p) + parts::ring_allgather(p), request.root(), p),
                      parts::Parts(parts_of(request.machine, request.settings)));
}

// Where the ranks are a power of two, partners differ in one bit, and are neighbours on a hypercube.
Outcome run_scatter_doubling(const RunRequest& request) {
  const Rank p = request.topology.processors();
  const Rank root = request.root();
  parts::PartSchedule schedule;
  if (std::has_single_bit(p)) {
    const auto flipped = [root](Rank rank) { return rank ^ root; };
    schedule = parts::moved(scatter(p) + parts::doubling_allgather(p), flipped, flipped);
  } else {
    schedule = from_root(scatter(p) + parts::circulant_allgather(p), root, p);
  }
  return run_schedule(request, schedule, parts::Parts(parts_of(request.machine, request.settings)));
}

/// In the longest step every rank lists half of all parts as sent and half as received.
std::uint64_t bytes_of_doubling(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide p = machine.processors;
  return saturated(bytes_in_parts(machine, model, settings) + p * p * 5 * sizeof(Rank) / 4);
}

template <GossipMessage message>
void resolve_gossip(const MachineSpec& machine, const Model& model, Settings& settings) {
  constexpr bool is_rarest = message == GossipMessage::rarest;
  parts::refuse_unplanned(is_rarest ? "broadcast/scatter-rarest-first" : "broadcast/scatter-gossip", machine);
  resolve_scatter_allgather(machine, model, settings);
}

template <GossipMessage message>
Prediction predict_gossip(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr bool is_rarest = message == GossipMessage::rarest;
  const parts::Parts parts(parts_of(machine, settings));
  const parts::PartMoves scattered = parts::scatter_before(machine, model, root_of(settings), message);
  const auto gossip = parts::gossip(machine, model, message);
  method::StepLengths lengths(model.cost);
  const parts::MovedMessages first = parts::add_moves(scattered, parts, lengths);
  const parts::MovedMessages then = parts::add_moves(*gossip, parts, lengths);
  return method::predicted(
      lengths, first.count + then.count, first.words + then.words,
      {"as planned", is_rarest ? "sum of the distances from the root + P (P - 1)" : "as planned",
       "parts times their distances + (P - 1) m", is_rarest ? "the longest parts" : "the longest messages"});
}

template <GossipMessage message>
std::uint64_t bytes_of_gossip(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(Wide{bytes_in_parts(machine, model, settings)} +
                   2 * parts::bytes_of_gossip(machine, model, message));
}

template <GossipMessage message>
Outcome run_gossip(const RunRequest& request) {
  const MachineSpec& machine = request.machine;
  const parts::PartMoves scattered = parts::scatter_before(machine, request.model, request.root(), message);
  const parts::PartSchedule schedule =
      parts::schedule_of(machine, scattered, false) +
      parts::schedule_of(machine, *parts::gossip(machine, request.model, message), false);
  return run_schedule(request, schedule, parts::Parts(parts_of(machine, request.settings)));
}

Method with_scatter(Method own) {
  return with_defaults(filled_in(
      std::move(own), {.families = method::switches_and_complete(),
                       .source = "Thakur, Rabenseifner, Gropp 2005 (collectives.md, Broadcast)",
                       .parameters = {part_words_parameter, root_parameter, input_parameter, output_parameter},
                       .port_models = {PortModel::one},
                       .resolve = resolve_scatter_allgather,
                       .bytes = bytes_in_parts}));
}

template <GossipMessage message>
Method with_gossip(Method own) {
  return with_scatter(filled_in(std::move(own), {.families = written::linked_families(),
                                                 .port_models = {PortModel::one, PortModel::all, PortModel::ring},
                                                 .resolve = resolve_gossip<message>,
                                                 .predict = predict_gossip<message>,
                                                 .bytes = bytes_of_gossip<message>,
                                                 .run = run_gossip<message>}));
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_scatter_allgather_method = broadcast::with_scatter({
    .name = "broadcast/scatter-allgather",
    .source = "Barnett et al. 1994; Thakur, Rabenseifner, Gropp 2005 (collectives.md, Broadcast)",
    .summary = "a part to every rank down a binomial tree, then all parts round a ring",
    .predict = broadcast::predict_scatter_allgather,
    .run = broadcast::run_scatter_allgather,
});

extern const Method broadcast_scatter_doubling_method = broadcast::with_scatter({
    .name = "broadcast/scatter-doubling",
    .summary = "a part to every rank down a binomial tree, then an allgather in doubling steps",
    .predict = broadcast::predict_scatter_doubling,
    .bytes = broadcast::bytes_of_doubling,
    .run = broadcast::run_scatter_doubling,
});

extern const Method broadcast_scatter_allgather_on_hypercube_method = method::on_hypercubes(broadcast::with_scatter({
    .name = "broadcast/scatter-allgather",
    .aliases = {"broadcast/scatter-doubling"},
    .summary = "a part to every processor down the binomial tree, then an allgather over the dimensions",
    .predict = broadcast::predict_scatter_doubling,
    .bytes = broadcast::bytes_of_doubling,
    .run = broadcast::run_scatter_doubling,
}));

extern const Method broadcast_scatter_rarest_first_method = broadcast::with_gossip<parts::GossipMessage::rarest>({
    .name = "broadcast/scatter-rarest-first",
    .source = "Lockstep's own (any-graph.md, Rarest first)",
    .summary = "scatter/farthest-first with a part for every processor, then allgather/rarest-first with the parts",
});

extern const Method broadcast_scatter_gossip_method = broadcast::with_gossip<parts::GossipMessage::all>({
    .name = "broadcast/scatter-gossip",
    .source = "Lockstep's own (any-graph.md, Gossip)",
    .summary = "scatter/bfs-tree with a part for every processor, then allgather/gossip with the parts",
});

}  // namespace lockstep
