#include "operations/some_to_all/rotated_sbt.hpp"

// Johnsson & Ho, section 3.3 (johnsson-ho.md, Some to all).
namespace lockstep {
namespace all_to_some {
namespace {

constexpr some_to_all::Direction collecting = some_to_all::Direction::all_to_some;

}  // namespace
}  // namespace all_to_some

extern const Method all_to_some_rotated_sbt_method{
    .name = "all-to-some/rotated-sbt",
    .operation = "all-to-some",
    .known_as = "all-to-some personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.3 (johnsson-ho.md, Some to all)",
    .summary =
        "as all-to-some/exchange, but in parts that cross the dimensions of each phase in rotated orders, over all of "
        "them at once",
    .parameters = {some_to_all::rotated_sbt::words_parameter, some_to_all::destinations_parameter,
                   some_to_all::accumulate_phases_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve =
        [](const MachineSpec& machine, const Model&, Settings& settings) {
          some_to_all::rotated_sbt::resolve(machine, settings, all_to_some::collecting);
        },
    .predict =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return some_to_all::rotated_sbt::predict(machine, model, settings, all_to_some::collecting);
        },
    .lower_bound = some_to_all::lower_bound,
    .bytes = some_to_all::rotated_sbt::bytes,
    .run =
        [](const RunRequest& request) {
          return some_to_all::rotated_sbt::run_rotated(request, all_to_some::collecting);
        },
};

}  // namespace lockstep
