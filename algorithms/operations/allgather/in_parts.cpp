#include <stdexcept>
#include <vector>

#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/k_ports.hpp"
#include "method/predicted.hpp"
#include "parts/carry_out.hpp"
#include "parts/gossip.hpp"
#include "parts/schedules.hpp"
#include "written/follow.hpp"

// Allgathers that are a schedule of blocks; a rank's block is the part of its number (collectives.md, Allgather).
namespace lockstep {
namespace allgather {
namespace {

using parts::GossipMessage;
using parts::PartSchedule;
using parts::PartStep;

Rank ranks(const MachineSpec& machine) { return static_cast<Rank>(machine.processors); }

/// Throws std::logic_error unless the message has the blocks of these ranks.
void check_blocks(const Bundle& message, const std::vector<Rank>& due) {
  bool is_due = message.size() == due.size();
  for (std::size_t index = 0; is_due && index < due.size(); ++index) is_due = message[index].origin == due[index];
  if (!is_due) throw std::logic_error("a message of other blocks than planned");
}

Process collect_parts(Processor<Bundle>& self, const PartSchedule& schedule, Collection& collection) {
  return parts::carry_out(
      self, schedule, collection.words(),
      [&collection](const PartStep& step, Cycle) {
        Bundle sent;
        for (const Rank part : step.sent) sent.add(collection.piece(part));
        return sent;
      },
      [&](const PartStep& step, Cycle, Bundle message) {
        check_blocks(message, step.received);
        collection.add(std::move(message));
        self.hold(collection.words());
      });
}

/// All ranks send in every step and receive p - 1 blocks in all; every message of a step has the same number of them.
Prediction predicted(const MachineSpec& machine, const Settings& settings, const method::StepLengths& lengths,
                     const std::string& steps) {
  const Wide p = machine.processors;
  return {.steps = exact_count(lengths.steps(), steps),
          .messages = exact_count(p * lengths.steps(), "p times the steps"),
          .words = exact_count(p * (p - 1) * *settings.words, "p (p - 1) b"),
          .longest_sum = exact_count(lengths.sum(), "(p - 1) b"),
          .longest_startups = lengths.startups()};
}

Prediction predict_circulant(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide p = machine.processors;
  const std::uint64_t k = method::ports_at_once(model);
  method::StepLengths lengths(model.cost);
  Wide messages = 0;
  for (const auto& [blocks, of_rank] : parts::circulant_rounds(ranks(machine), k)) {
    lengths.add(1, Wide{blocks} * *settings.words);
    messages += of_rank;
  }
  if (k == 1) return predicted(machine, settings, lengths, "ceil(log2 p)");
  return method::predicted(lengths, p * messages, p * (p - 1) * *settings.words,
                           {"ceil(log_(K+1) p)", "p times the runs of blocks", "p (p - 1) b", "ceil((p - 1)/K) b"});
}

Prediction predict_sparbit(const MachineSpec& machine, const Model& model, const Settings& settings) {
  method::StepLengths lengths(model.cost);
  for (std::uint64_t step = doublings(machine.processors); step-- > 0;) {
    lengths.add(1, Wide{parts::sparbit_blocks(ranks(machine), step)} * *settings.words);
  }
  return predicted(machine, settings, lengths, "ceil(log2 p)");
}

Prediction predict_neighbours(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide p = machine.processors;
  if (p == 1) return method::nothing_moves();
  const Wide b = *settings.words;
  method::StepLengths lengths(model.cost);
  lengths.add(1, b);
  if (p % 2 == 0) {
    lengths.add(p / 2 - 1, 2 * b);
    return predicted(machine, settings, lengths, "p/2");
  }
  lengths.add(1, 2 * b);
  lengths.add((p - 3) / 2, 3 * b);
  lengths.add(1, b);
  return method::predicted(lengths, (p * p + 1) / 2, p * (p - 1) * b,
                           {"(p + 3)/2", "(p^2 + 1)/2", "p (p - 1) b", "1, 2, 3, 3, .., 3 and 1 blocks"});
}

template <PartSchedule (*schedule)(Rank p)>
Outcome run_parts(const RunRequest& request) {
  const PartSchedule of_all = schedule(ranks(request.machine));
  return allgather::run(request, [&](Processor<Bundle>& self, Collection& collection) {
    return collect_parts(self, of_all, collection);
  });
}

Outcome run_circulant(const RunRequest& request) {
  const PartSchedule of_all = parts::circulant_allgather(ranks(request.machine), method::ports_at_once(request.model));
  return allgather::run(request, [&](Processor<Bundle>& self, Collection& collection) {
    return collect_parts(self, of_all, collection);
  });
}

/// Messages of two blocks.
std::uint64_t bytes_of_neighbours(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings, {.messages = Wide{machine.processors} * (machine.processors / 2)});
}

template <GossipMessage message>
void resolve_gossip(const MachineSpec& machine, const Model& model, Settings& settings) {
  parts::refuse_unplanned(message == GossipMessage::all ? "allgather/gossip" : "allgather/rarest-first", machine);
  resolve(machine, model, settings);
}

template <GossipMessage message>
Prediction predict_gossip(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const auto moves = parts::gossip(machine, model, message);
  const Wide p = machine.processors;
  constexpr bool is_rarest = message == GossipMessage::rarest;
  method::StepLengths lengths(model.cost);
  for (const Wide blocks : parts::longest_messages(*moves)) lengths.add(1, blocks * *settings.words);
  return method::predicted(lengths, parts::count(*moves), p * (p - 1) * *settings.words,
                           {"as planned", is_rarest ? "P (P - 1)" : "as planned", "P (P - 1) b",
                            is_rarest ? "b a step" : "the longest messages"});
}

template <GossipMessage message>
std::uint64_t bytes_of_gossip(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(Wide{bytes(machine, model, settings)} + parts::bytes_of_gossip(machine, model, message));
}

template <GossipMessage message>
Outcome run_gossip(const RunRequest& request) {
  const PartSchedule schedule =
      parts::schedule_of(request.machine, *parts::gossip(request.machine, request.model, message), false);
  return allgather::run(request, [&](Processor<Bundle>& self, Collection& collection) {
    return collect_parts(self, schedule, collection);
  });
}

template <GossipMessage message>
Method of_gossip(Method own) {
  return with_defaults(filled_in(std::move(own), {.families = written::linked_families(),
                                                  .port_models = {PortModel::one, PortModel::all, PortModel::ring},
                                                  .resolve = resolve_gossip<message>,
                                                  .predict = predict_gossip<message>,
                                                  .bytes = bytes_of_gossip<message>,
                                                  .run = run_gossip<message>}));
}

Method on_switches(Method own) {
  return with_defaults(
      filled_in(std::move(own), {.families = {"switch", "complete"}, .bytes = bytes_of_long_messages}));
}

}  // namespace
}  // namespace allgather

extern const Method allgather_circulant_method = allgather::on_switches({
    .name = "allgather/circulant",
    .source = "Traeff 2024, arXiv 2410.14234 (collectives.md, Allgather)",
    .summary = "over skips that double, rounded: everybody is given as many of the next rank's blocks as are wanting",
    .port_models = {PortModel::one},
    .predict = allgather::predict_circulant,
    .bytes = allgather::bytes_of_long_messages,
    .run = allgather::run_circulant,
});

extern const Method allgather_rarest_first_method = allgather::of_gossip<parts::GossipMessage::rarest>({
    .name = "allgather/rarest-first",
    .source = "Lockstep's own (any-graph.md, Rarest first)",
    .summary = "planned step by step: over every link the port rule allows, the rarest block that the receiver lacks",
});

extern const Method allgather_gossip_method = allgather::of_gossip<parts::GossipMessage::all>({
    .name = "allgather/gossip",
    .source = "Lockstep's own (any-graph.md, Gossip)",
    .summary = "planned step by step: over every link the port rule allows, all blocks that the receiver lacks",
});

extern const Method allgather_neighbour_exchange_method = allgather::on_switches({
    .name = "allgather/neighbour-exchange",
    .source = "Chen, Zhang, Yuan 2005 (collectives.md, Allgather)",
    .summary =
        "neighbours exchange the blocks that came last, to either side in turn; if their number is odd, another one "
        "is idle in each step",
    .port_models = {PortModel::one},
    .predict = allgather::predict_neighbours,
    .bytes = allgather::bytes_of_neighbours,
    .run = allgather::run_parts<parts::neighbour_allgather>,
});

extern const Method allgather_neighbour_exchange_on_ring_method = allgather::with_defaults({
    .name = "allgather/neighbour-exchange",
    .families = {"ring"},
    .source = "Chen, Zhang, Yuan 2005 (collectives.md, Allgather)",
    .summary = "neighbours exchange the blocks that came last, over every other link in turn; if their number is odd, "
               "another one is idle in each step",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
    .predict = allgather::predict_neighbours,
    .bytes = allgather::bytes_of_neighbours,
    .run = allgather::run_parts<parts::neighbour_allgather>,
});

extern const Method allgather_sparbit_method = allgather::on_switches({
    .name = "allgather/sparbit",
    .source = "Loch & Koslovski 2021 (collectives.md, Allgather)",
    .summary = "at p/2, p/4, .., 1 blocks go to ranks that far on, and stay where they are to lie: any number of ranks",
    .port_models = {PortModel::one},
    .predict = allgather::predict_sparbit,
    .run = allgather::run_parts<parts::sparbit_allgather>,
});

}  // namespace lockstep
