#include "some_to_all/exchange.hpp"

namespace lockstep {
namespace some_to_all {

Process exchange_all_to_some(Processor<Bundle>& self, Bundle& held, Port sources) {
  const Port end = exchange::end_of_dimensions(self, sources);
  self.hold(words(held));
  for (Port dimension = 0; dimension < end; ++dimension) {
    co_await exchange::exchange_over(self, held, dimension, (Rank{2} << dimension) - 1);
  }
}

}  // namespace some_to_all

namespace all_to_some {
namespace {

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return some_to_all::bytes_for(machine, model, settings, Wide{3} * some_to_all::sizes_of(machine, settings).pairs);
}

Outcome run_exchange(const RunRequest& request) {
  const auto sources = static_cast<Port>(*request.settings.sources);
  return some_to_all::run(request, some_to_all::Direction::all_to_some, [&](Processor<Bundle>& self, Bundle& held) {
    return some_to_all::exchange_all_to_some(self, held, sources);
  });
}

}  // namespace
}  // namespace all_to_some

extern const Method all_to_some_exchange_method{
    .name = "all-to-some/exchange",
    .operation = "all-to-some",
    .known_as = "all-to-some personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.3 (johnsson-ho.md, Some to all)",
    .summary =
        "neighbours exchange all blocks for the other side; then half of the holders hand all that they have to the "
        "other half, until those are left for which it is",
    .parameters = {some_to_all::words_parameter, some_to_all::destinations_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = some_to_all::exchange::resolve,
    .predict = some_to_all::exchange::predict,
    .lower_bound = some_to_all::lower_bound,
    .bytes = all_to_some::bytes,
    .run = all_to_some::run_exchange,
};

}  // namespace lockstep
