#include "operations/some_to_all/exchange.hpp"

namespace lockstep {
namespace all_to_some {
namespace {

constexpr some_to_all::Direction direction = some_to_all::Direction::all_to_some;

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return some_to_all::bytes_for(machine, model, settings, Wide{3} * some_to_all::sizes_of(machine, settings).pairs);
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
    .parameters = {some_to_all::words_parameter, some_to_all::destinations_parameter,
                   some_to_all::accumulate_order_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = [](const MachineSpec& machine, const Model&,
                  Settings& settings) { some_to_all::exchange::resolve(machine, settings, all_to_some::direction); },
    .predict =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return some_to_all::exchange::predict(machine, model, settings, all_to_some::direction);
        },
    .lower_bound = some_to_all::lower_bound,
    .bytes = all_to_some::bytes,
    .run =
        [](const RunRequest& request) { return some_to_all::exchange::run_exchange(request, all_to_some::direction); },
};

}  // namespace lockstep
