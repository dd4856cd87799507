#include <algorithm>

#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/core/spread.hpp"

namespace lockstep {
namespace broadcast {
namespace {

constexpr Port up = 0;    // to rank + 1
constexpr Port down = 1;  // to rank - 1

/// The ports to which this processor forwards the item: away from the root; the root serves the longer side first.
std::vector<Port> onward(Rank rank, Rank root, Rank processors) {
  std::vector<Port> ports;
  if (rank >= root && rank + 1 < processors) ports.push_back(up);
  if (rank <= root && rank > 0) ports.push_back(down);
  if (ports.size() == 2 && rank > processors - 1 - rank) std::swap(ports[0], ports[1]);
  return ports;
}

// The root of a path sends the item to both sides, and every processor forwards it. With one port the side served
// second is one cycle later.
Process broadcast_both_ways(Processor<Block>& self, Rank root, Block& item) {
  const Rank rank = self.rank();
  if (rank != root) item = co_await self.message(rank < root ? up : down);
  self.hold(item.size());
  const std::vector<Port> ports = onward(rank, root, self.processors());
  co_await spread(self, ports, item);
}

Outcome run_both_ways(const RunRequest& request) {
  const Rank root = request.root();
  return run(request, [root](Processor<Block>& self, Block& item) { return broadcast_both_ways(self, root, item); });
}

/// Steps until both ends hold the item: no schedule takes fewer.
std::uint64_t steps(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t below = *settings.root;
  const std::uint64_t above = machine.processors - 1 - below;
  const auto [near, far] = std::minmax(below, above);
  return near == 0 || spreads_at_once(model) ? far : std::max(far, near + 1);
}

Prediction predict_both_ways(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide duration = steps(machine, model, settings);
  const Wide others = machine.processors - 1;
  const Wide w = *settings.words;
  return {.steps = exact_count(duration,
                               spreads_at_once(model) ? "max(r, M-1-r)" : "max(far, near + 1), far only if near = 0"),
          .messages = exact_count(others, "M - 1"),
          .words = exact_count(others * w, "(M - 1) w"),
          .longest_sum = exact_count(duration * w, "steps w"),
          .message_words = *settings.words};
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_both_ways_method = broadcast::with_defaults({
    .name = "broadcast/both-ways",
    .families = {"path"},
    .source = "an example of the documents",
    .summary = "the whole item both ways along the path, to the longer side first",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = broadcast::predict_both_ways,
    .run = broadcast::run_both_ways,
});

}  // namespace lockstep
