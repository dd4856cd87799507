#include <stdexcept>
#include <vector>

#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/predicted.hpp"
#include "parts/carry_out.hpp"
#include "parts/part_moves.hpp"
#include "parts/schedules.hpp"
#include "written/follow.hpp"

// Allgathers that are a schedule of blocks; a rank's block is the part of its number (collectives.md, Allgather).
namespace lockstep {
namespace allgather {
namespace {

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
  method::StepLengths lengths(model.cost);
  const std::vector<Rank> skips = parts::circulant_skips(ranks(machine));
  for (std::size_t k = 1; k < skips.size(); ++k) lengths.add(1, Wide{skips[k] - skips[k - 1]} * *settings.words);
  return predicted(machine, settings, lengths, "ceil(log2 p)");
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

/// In a step half of all blocks are on their way to every rank.
std::uint64_t bytes_of_halves(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings, Wide{machine.processors} * (machine.processors / 2));
}

void resolve_rarest_first(const MachineSpec& machine, const Model& model, Settings& settings) {
  parts::refuse_unplanned("allgather/rarest-first", machine);
  resolve(machine, model, settings);
}

Prediction predict_rarest_first(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const auto moves = parts::rarest_first_gossip(machine, model);
  const Wide p = machine.processors;
  method::StepLengths lengths(model.cost);
  lengths.add(moves->size(), *settings.words);
  return method::predicted(lengths, p * (p - 1), p * (p - 1) * *settings.words,
                           {"as planned", "P (P - 1)", "P (P - 1) b", "b a step"});
}

std::uint64_t bytes_rarest_first(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide p = machine.processors;
  return saturated(bytes(machine, model, settings, p * std::max<Wide>(machine.ports, 1)) +
                   parts::bytes_of_gossip(machine, model));
}

Outcome run_rarest_first(const RunRequest& request) {
  const PartSchedule schedule =
      parts::schedule_of(request.machine, *parts::rarest_first_gossip(request.machine, request.model), false);
  return allgather::run(request, [&](Processor<Bundle>& self, Collection& collection) {
    return collect_parts(self, schedule, collection);
  });
}

Method on_switches(Method own) {
  return with_defaults(filled_in(std::move(own), {.families = {"switch", "complete"}, .bytes = bytes_of_halves}));
}

}  // namespace
}  // namespace allgather

extern const Method allgather_circulant_method = allgather::on_switches({
    .name = "allgather/circulant",
    .source = "Traeff 2024, arXiv 2410.14234 (collectives.md, Allgather)",
    .summary = "over skips that double, rounded: everybody is given as many of the next rank's blocks as are wanting",
    .port_models = {PortModel::one},
    .predict = allgather::predict_circulant,
    .run = allgather::run_parts<parts::circulant_allgather>,
});

extern const Method allgather_rarest_first_method = allgather::with_defaults({
    .name = "allgather/rarest-first",
    .families = written::linked_families(),
    .source = "Lockstep's own (any-graph.md, Rarest first)",
    .summary = "planned step by step: over every link the port rule allows, the rarest block that the receiver lacks",
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .resolve = allgather::resolve_rarest_first,
    .predict = allgather::predict_rarest_first,
    .bytes = allgather::bytes_rarest_first,
    .run = allgather::run_rarest_first,
});

extern const Method allgather_neighbour_exchange_method = allgather::on_switches({
    .name = "allgather/neighbour-exchange",
    .source = "Chen, Zhang, Yuan 2005 (collectives.md, Allgather)",
    .summary =
        "neighbours exchange the blocks that came last, to either side in turn; if their number is odd, another one "
        "is idle in each step",
    .port_models = {PortModel::one},
    .predict = allgather::predict_neighbours,
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
    .bytes = allgather::bytes_of_own,
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
