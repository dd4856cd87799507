#include "copies.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "msbt.hpp"
#include "scheduled.hpp"

// The whole item down each of the k spanning binomial trees of a k-cube, which share no link, so that it reaches all
// even if some links have failed. Ramanathan & Shin 1988 (collectives.md, Faults).
namespace lockstep {
namespace broadcast {
namespace {

/// Takes all copies that have arrived, of which the first is the item.
void take_all(Processor<Block>& self, Block& item) {
  for (const Port port : self.arrivals()) take_copy(item, self.receive(port).payload);
  self.hold(words(item));
}

/// In the step in which the item is to go down a tree, a processor that has it, from any tree, sends it there; one that
/// has not received it, or whose link is down, sends nothing.
Process broadcast_down_all(Processor<Block>& self, const parts::PartSchedule& schedule, Rank node, Block& item) {
  for (Cycle step = 0; step < schedule.steps; ++step) {
    take_all(self, item);
    for (Cycle lane = 0; lane < schedule.lanes && item.size() > 0; ++lane) {
      const Rank to = schedule.at(node, step * schedule.lanes + lane).to;
      if (to == no_rank) continue;
      const Port dimension = highest_bit(node ^ to);
      if (self.is_up(dimension)) self.send(dimension, item);
    }
    co_await self.cycle();
  }
  take_all(self, item);
}

Prediction predict_redundant(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t k = machine.ports;
  const Wide m = *settings.words;
  const bool at_once = model.ports == PortModel::all;
  const Wide steps = k < 2 ? k : at_once ? k + 1 : 2 * k;
  const Wide messages = Wide{k} * (machine.processors - 1);
  return {.steps = exact_count(steps, k < 2     ? "n"
                                      : at_once ? "n + 1"
                                                : "2 n"),
          .messages = exact_count(messages, "n (2^n - 1)"),
          .words = exact_count(messages * m, "n (2^n - 1) m"),
          .longest_sum = exact_count(steps * m, "steps m"),
          .message_words = *settings.words};
}

std::uint64_t bytes_of_redundant(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_over(machine, model, settings, Wide{machine.processors} * machine.ports);
}

Outcome run_redundant(const RunRequest& request) {
  const Rank root = request.root();
  const Port k = request.topology.ports();
  const parts::PartSchedule schedule = msbt_schedule(k, k, request.model.ports == PortModel::all);
  return run(request, [&](Processor<Block>& self, Block& item) {
    return broadcast_down_all(self, schedule, self.rank() ^ root, item);
  });
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_msbt_redundant_method = broadcast::with_defaults({
    .name = "broadcast/msbt-redundant",
    .families = {"hypercube"},
    .source = "after Johnsson & Ho 1989; Ramanathan & Shin 1988 (collectives.md, Faults)",
    .summary = "the whole item down all rotated binomial trees: it comes to all though n - 1 links have failed",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .predict = broadcast::predict_redundant,
    .bytes = broadcast::bytes_of_redundant,
    .run = broadcast::run_redundant,
});

}  // namespace lockstep
