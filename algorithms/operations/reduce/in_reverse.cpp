#include <algorithm>
#include <chrono>
#include <utility>

#include "lockstep/algorithms/operation/reduce.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/k_ports.hpp"
#include "method/predicted.hpp"
#include "method/switches.hpp"
#include "operations/broadcast/circulant.hpp"
#include "operations/broadcast/scheduled.hpp"
#include "operations/broadcast/schedules.hpp"
#include "parts/fold.hpp"
#include "parts/gossip.hpp"
#include "parts/schedules.hpp"
#include "parts/vectors.hpp"
#include "written/follow.hpp"

// Reductions that are a broadcast from the last step to the first: the receiver of a packet sends back its partial
// result of it, once all to which it sent the packet have done so (collectives.md, Reduce). The operator has to
// commute.
namespace lockstep {
namespace reduce {
namespace {

using parts::GossipMessage;

constexpr PacketsWordsParameter packets_words_parameter{
    {"words", "words of one vector, taken element by element, one or more a packet",
     "one a packet, or what --input has for each rank"}};
constexpr packets::FlowPackets packets_parameter{"packets of every vector, each a word or more"};
constexpr Parameter output_of_in_reverse{"output", "file for the result, one number a line", "none"};

packets::PacketFlow chain_flow(const MachineSpec& machine) { return packets::flow_over_hops(machine.processors - 1); }

void resolve_packets(const MachineSpec& machine, const Model& model, Settings& settings,
                     const packets::PacketFlow& flow) {
  operands::require_commutative(settings);
  if (!settings.input) packets_words_parameter.resolve(settings, 1);
  operands::resolve(machine, settings);
  root_parameter.resolve(machine, settings);
  CostModel cost = model.cost;
  cost.tau += cost.flop;  // every word of a step's longest message is combined
  packets_parameter.resolve(settings, flow, cost);
}

void resolve_chain(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_packets(machine, model, settings, chain_flow(machine));
}

void resolve_circulant(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_packets(machine, model, settings, broadcast::circulant_flow(machine));
}

void resolve_whole(const MachineSpec& machine, const Model&, Settings& settings) {
  operands::require_commutative(settings);
  operands::resolve(machine, settings);
  root_parameter.resolve(machine, settings);
}

/// Every packet that is received is combined, the longest of every step too.
Prediction with_operations(Prediction prediction, const MachineSpec& machine, const Settings& settings) {
  const Count& longest_sum = *prediction.longest_sum;
  const std::optional<Wide> most = longest_sum.exact ? std::optional<Wide>(longest_sum.value) : std::nullopt;
  parts::predict_operations(machine, settings, most, prediction);
  return prediction;
}

Prediction predict_chain(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return with_operations(broadcast::predict_packets(machine, model, settings, chain_flow(machine), "p + n - 2"),
                         machine, settings);
}

Prediction predict_circulant(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return with_operations(
      broadcast::predict_packets(machine, model, settings, broadcast::circulant_flow(machine), "n - 1 + ceil(log2 p)",
                                 broadcast::is_circulant_flow_exact(machine, settings)),
      machine, settings);
}

broadcast::KNomial tree_for(const MachineSpec& machine, const Model& model) {
  const std::uint64_t k = method::ports_at_once(model);
  return {static_cast<Rank>(machine.processors), k + 1, k};
}

// The root has the most children in every step.
Prediction predict_binomial(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide others = machine.processors - 1;
  const Wide k = method::ports_at_once(model);
  const Wide q = tree_for(machine, model).steps();
  const Wide m = *settings.words;
  const std::string steps = k == 1 ? "ceil(log2 p)" : "ceil(log_(K+1) p)";
  Prediction prediction{.steps = exact_count(q, steps),
                        .messages = exact_count(others, "p - 1"),
                        .words = exact_count(others * m, "(p - 1) m"),
                        .longest_sum = exact_count(q * m, steps + " m"),
                        .message_words = *settings.words};
  Wide most = 0;
  for (Wide distance = 1; distance <= others; distance *= k + 1) most += std::min(k, others / distance) * m;
  parts::predict_operations(machine, settings, most, prediction);
  return prediction;
}

std::uint64_t bytes_in_reverse(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide packets = Wide{machine.processors} * settings.packets.value_or(1);
  const Wide judged = operands::may_absorb(settings) ? 2 * packets * sizeof(Block) : 0;
  return saturated(Wide{parts::bytes(machine, model, settings)} + judged);
}

std::uint64_t bytes_of_circulant(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(Wide{bytes_in_reverse(machine, model, settings)} + CirculantBroadcast::bytes(machine.processors));
}

/// Runs the schedule, and verifies the root's result.
Outcome run_to_root(const RunRequest& request, const parts::PartSchedule& schedule, const parts::Parts& parts) {
  const operands::NumberValues values(request);
  const Rank root = request.root();
  PerRank<Block> held = operands::initial_values(request, values);
  PerRank<std::vector<Block>> received(request);
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(request, [&](Processor<LabelledBlock>& self) {
    return parts::exchange_parts(self, values, schedule, parts, held[self.rank()], received[self.rank()]);
  });
  const auto start = std::chrono::steady_clock::now();
  operands::NumberValues::Oracle oracle(values, values.value(0));
  for (Rank rank = 1; rank < values.ranks(); ++rank) oracle.extend(values.value(rank));
  const auto judge = [&](Rank rank) -> Verdict {
    if (rank != root) return {};
    return {values.digest(held[rank]), operands::what_is_wrong_at(rank, oracle, held[rank])};
  };
  verify_ranks(request, start, judge, outcome);
  parts::judge_on_the_way(request, values, schedule, parts, received, outcome);
  if (request.settings.output && outcome.wrong.empty()) {
    const Block result = of_rank(request, root, [&] { return held[root]; });
    values.write(*request.settings.output, {&result, 1});
  }
  return outcome;
}

/// Runs the broadcast from rank 0 backwards, to the root.
Outcome run_in_reverse(const RunRequest& request, parts::PartSchedule broadcast, const Split& packets) {
  const Rank ranks = request.topology.processors();
  return run_to_root(request, broadcast::from_root(parts::reversed(std::move(broadcast)), request.root(), ranks),
                     parts::Parts(packets));
}

Split packets_of(const RunRequest& request) { return Split(*request.settings.words, *request.settings.packets); }

Outcome run_chain(const RunRequest& request) {
  const Split packets = packets_of(request);
  return run_in_reverse(request, broadcast::chain(request.topology.processors(), packets.pieces()), packets);
}

Outcome run_circulant(const RunRequest& request) {
  const Split packets = packets_of(request);
  const CirculantBroadcast broadcast(request.topology.processors(), packets.pieces());
  return run_in_reverse(request, broadcast::circulant_schedule(broadcast), packets);
}

Outcome run_binomial(const RunRequest& request) {
  return run_in_reverse(request, tree_for(request.machine, request.model).schedule(),
                        Split(*request.settings.words, 1));
}

// Halving, then a gather to the root, which is the last participant. Where the ranks are a power of two, places differ
// from ranks in a constant, so that partners are neighbours on a hypercube.
Outcome run_rabenseifner(const RunRequest& request) {
  const Rank ranks = request.topology.processors();
  const Rank root = request.root();
  const parts::Fold fold(ranks);
  const Rank p = fold.participants();
  parts::PartSchedule schedule =
      parts::folded_in(fold) +
      parts::of_participants(fold, parts::halving_reduce_scatter(p) + parts::gather_to_last(p));
  if (fold.rest() == 0) {
    const auto xored = [flips = root ^ (ranks - 1)](Rank rank) { return rank ^ flips; };
    schedule = parts::moved(std::move(schedule), xored, xored);
  } else {
    schedule = broadcast::from_root(std::move(schedule), shifted(root, 1, ranks), ranks);
  }
  return run_to_root(request, schedule, parts::Parts(*request.settings.words, p));
}

Prediction predict_rabenseifner(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const parts::Fold fold(static_cast<Rank>(machine.processors));
  const Rank p = fold.participants();
  const std::uint64_t m = *settings.words;
  const parts::Parts parts(m, p);
  method::StepLengths lengths(model.cost);
  if (fold.rest() > 0) lengths.add(1, m);
  parts::add_halves(p, m, lengths);
  const Wide combined = lengths.sum();
  Wide words = Wide{fold.rest()} * m + Wide{p - 1} * m;
  // A sender's run of parts is the lower one of two.
  for (Rank count = 1; count < p; count *= 2) {
    std::uint64_t longest = 0;
    for (Rank first = 0; first < p; first += 2 * count) {
      const std::uint64_t sent = parts.first(first + count) - parts.first(first);
      longest = std::max(longest, sent);
      words += sent;
    }
    lengths.add(1, longest);
  }
  const bool is_power = fold.rest() == 0;
  Prediction prediction = method::predicted(
      lengths, Wide{p} * doublings(p) + (p - 1) + fold.rest(), words,
      {is_power ? "2 log2 p" : "2 Q + 1, Q = floor(log2 p)",
       is_power ? "p log2 p + p - 1" : "Q 2^Q + 2^Q - 1 + r, r = p - 2^Q",
       is_power ? "(p - 1) m + m log2(p)/2 if p divides m" : "r m + (2^Q - 1) m + m Q/2 if 2^Q divides m",
       is_power ? "2 m (1 - 1/p) if p divides m" : "m + 2 m (1 - 1/2^Q) if 2^Q divides m"});
  parts::predict_operations(machine, settings, combined, prediction);
  return prediction;
}

// The moves of broadcast/scatter-rarest-first or scatter-gossip backwards. What passes a rank on the way from another
// to the root replaces its own part, which the rank has sent off.
template <GossipMessage message>
Outcome run_gossip(const RunRequest& request) {
  const MachineSpec& machine = request.machine;
  const parts::PartMoves scattered = parts::scatter_before(machine, request.model, request.root(), message);
  const auto gossip = parts::gossip(machine, request.model, message);
  return run_to_root(request,
                     parts::schedule_of(machine, parts::reversed(*gossip), true) +
                         parts::schedule_of(machine, parts::reversed(scattered), false),
                     parts::Parts(*request.settings.words, static_cast<Rank>(machine.processors)));
}

template <GossipMessage message>
Prediction predict_gossip(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr bool is_rarest = message == GossipMessage::rarest;
  const parts::Parts parts(*settings.words, static_cast<Rank>(machine.processors));
  const parts::PartMoves scattered = parts::scatter_before(machine, model, root_of(settings), message);
  const auto gossip = parts::gossip(machine, model, message);
  method::StepLengths lengths(model.cost);
  const parts::MovedMessages first = parts::add_moves(*gossip, parts, lengths);
  const parts::MovedMessages then = parts::add_moves(scattered, parts, lengths);
  Prediction prediction = method::predicted(
      lengths, first.count + then.count, first.words + then.words,
      {"as planned", is_rarest ? "P (P - 1) + sum of the distances from the root" : "as planned",
       "(P - 1) m + parts times their distances", is_rarest ? "the longest parts" : "the longest messages"});
  const auto most =
      model.cost.flop == 0 ? std::nullopt : std::optional(parts::most_combined_in_reverse(*gossip, parts));
  parts::predict_operations(machine, settings, most, prediction);
  return prediction;
}

template <GossipMessage message>
std::uint64_t bytes_of_gossip(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(Wide{bytes_in_reverse(machine, model, settings)} +
                   (message == GossipMessage::rarest ? 1 : 2) * parts::bytes_of_gossip(machine, model, message));
}

void resolve_parts_in_any_order(const MachineSpec& machine, const Model& model, Settings& settings) {
  parts::resolve_in_any_order(machine, model, settings);
  root_parameter.resolve(machine, settings);
}

template <GossipMessage message>
void resolve_gossip(const MachineSpec& machine, const Model& model, Settings& settings) {
  parts::refuse_unplanned(message == GossipMessage::rarest ? "reduce/rarest-first" : "reduce/gossip", machine);
  resolve_parts_in_any_order(machine, model, settings);
}

/// Completes the entries with what they share; those in packets take --packets too.
Method with_reverse_defaults(Method own, bool in_packets) {
  std::vector<Parameter> parameters{root_parameter, operands::operator_parameter, operands::type_parameter,
                                    operands::input_parameter, output_of_in_reverse};
  if (in_packets) parameters.insert(parameters.begin(), packets_parameter);
  parameters.insert(parameters.begin(),
                    in_packets ? Parameter(packets_words_parameter) : Parameter(operands::words_parameter));
  return with_defaults(filled_in(
      std::move(own),
      {.families = method::switches_and_complete(), .parameters = std::move(parameters), .bytes = bytes_in_reverse}));
}

template <GossipMessage message>
Method with_gossip(Method own) {
  return with_reverse_defaults(
      filled_in(std::move(own),
                {.families = written::linked_families(),
                 .parameters = {parts::words_parameter, root_parameter, operands::operator_parameter,
                                operands::type_parameter, operands::input_parameter, output_of_in_reverse},
                 .port_models = {PortModel::one, PortModel::all, PortModel::ring},
                 .resolve = resolve_gossip<message>,
                 .predict = predict_gossip<message>,
                 .bytes = bytes_of_gossip<message>,
                 .run = run_gossip<message>}),
      false);
}

}  // namespace
}  // namespace reduce

extern const Method reduce_binomial_method = reduce::with_reverse_defaults(
    {
        .name = "reduce/binomial",
        .source = "Thakur, Rabenseifner, Gropp 2005 (collectives.md, Reduce)",
        .summary = "up a binomial tree: half of those that are left give all that they have to the other half",
        .port_models = {PortModel::one},
        .strictest_duplex = Duplex::half_node,
        .resolve = reduce::resolve_whole,
        .predict = reduce::predict_binomial,
        .run = reduce::run_binomial,
    },
    false);

extern const Method reduce_chain_method = reduce::with_reverse_defaults(
    {
        .name = "reduce/chain",
        .source = "Saad & Schultz 1988, (3.22), backwards (collectives.md, Reduce)",
        .summary = "packet behind packet along all ranks, each of which adds its own",
        .port_models = {PortModel::one},
        .resolve = reduce::resolve_chain,
        .predict = reduce::predict_chain,
        .run = reduce::run_chain,
    },
    true);

extern const Method reduce_circulant_method = reduce::with_reverse_defaults(
    {
        .name = "reduce/circulant",
        .source = "Traeff 2022 to 2024, arXiv 2312.11236, 2407.18004 (collectives.md, Reduce)",
        .summary = "broadcast/circulant backwards: packets in the fewest steps for any number of ranks",
        .port_models = {PortModel::one},
        .resolve = reduce::resolve_circulant,
        .predict = reduce::predict_circulant,
        .bytes = reduce::bytes_of_circulant,
        .run = reduce::run_circulant,
    },
    true);

extern const Method reduce_rarest_first_method = reduce::with_gossip<parts::GossipMessage::rarest>({
    .name = "reduce/rarest-first",
    .source = "Lockstep's own (any-graph.md, Rarest first)",
    .summary = "reduce-scatter/rarest-first, then gather/farthest-first with the parts of the result",
});

extern const Method reduce_gossip_method = reduce::with_gossip<parts::GossipMessage::all>({
    .name = "reduce/gossip",
    .source = "Lockstep's own (any-graph.md, Gossip)",
    .summary = "reduce-scatter/gossip, then gather/bfs-tree with the parts of the result",
});

extern const Method reduce_rabenseifner_method = reduce::with_reverse_defaults(
    {
        .name = "reduce/rabenseifner",
        .source = "Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005 (collectives.md, Reduce)",
        .summary =
            "recursive halving, and a gather of the parts to the root, after a fold where the ranks are no power "
            "of two",
        .parameters = {parts::words_parameter, reduce::root_parameter, operands::operator_parameter,
                       operands::type_parameter, operands::input_parameter, reduce::output_of_in_reverse},
        .port_models = {PortModel::one},
        .resolve = reduce::resolve_parts_in_any_order,
        .predict = reduce::predict_rabenseifner,
        .bytes = parts::bytes_of_halves,
        .run = reduce::run_rabenseifner,
    },
    false);

extern const Method reduce_rabenseifner_on_hypercube_method = method::on_hypercubes(
    filled_in({.name = reduce_rabenseifner_method.name,
               .summary = "recursive halving over the dimensions, and a gather of the parts to the root"},
              reduce_rabenseifner_method));

}  // namespace lockstep
