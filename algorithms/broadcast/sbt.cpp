#include "sbt.hpp"

#include <numeric>
#include <vector>

#include "lockstep/algorithms/operation/broadcast.hpp"

namespace lockstep {

TreeSchedule broadcast::sbt_schedule(Port dimensions) {
  std::vector<Port> ports(dimensions);
  std::iota(ports.begin(), ports.end(), Port{0});
  TreeSchedule schedule(Rank{1} << dimensions);
  for (Rank node = 0; node < Rank{1} << dimensions; ++node) {
    schedule.add(node == 0 ? TreeSchedule::no_port : highest_bit(node), std::span(ports).subspan(width(node)));
  }
  return schedule;
}

namespace {

Prediction predict(const MachineSpec& machine, const Model&, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const std::uint64_t others = machine.processors - 1;
  const std::uint64_t m = *settings.words;
  return {.steps = Count{n, true, "n"},
          .messages = Count{others, true, "2^n - 1"},
          .words = Count{others * m, true, "(2^n - 1) m"},
          .longest_sum = Count{n * m, true, "n m"},
          .message_words = m};
}

// At most twice as many processors hold the item after a one-port cycle; with all ports the diameter remains.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return broadcast::lower_bound(machine, model, settings, machine.ports);
}

Outcome run(const RunRequest& request) {
  const auto root = static_cast<Rank>(*request.settings.root);
  return broadcast::run(request, [root](Processor<Block>& self, Block& item) {
    return broadcast::broadcast_sbt(self, self.rank() ^ root, self.ports(), item);
  });
}

}  // namespace

extern const Method broadcast_sbt_method = broadcast::with_defaults({
    .name = "broadcast/sbt",
    .aliases = {"SBT"},
    .families = {"hypercube"},
    .source = "Saad & Schultz 1985, section 2 (saad-schultz-1985.md, Broadcast)",
    .summary = "spanning binomial tree: the holders double every step",
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = predict,
    .lower_bound = lower_bound,
    .run = run,
});

}  // namespace lockstep
