#include "operations/scatter/rotated_sbt.hpp"

// Two scatters on these trees in reversed time. Johnsson & Ho, section 3.1 (johnsson-ho.md, Gather).
namespace lockstep {

extern const Method gather_rotated_sbt_method = scatter::gather_with_defaults({
    .name = "gather/rotated-sbt",
    .known_as = "all-to-one personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Gather)",
    .summary = "parts of every block up rotated binomial trees, all at once; all move in every cycle",
    .parameters = {scatter::words_of_trees_parameter, scatter::root_parameter, scatter::rotated_sbt::trees_parameter,
                   scatter::input_parameter, scatter::output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = scatter::rotated_sbt::resolve,
    .predict = scatter::rotated_sbt::predict_breadth,
    .lower_bound = scatter::lower_bound_on_cube,
    .bytes = scatter::rotated_sbt::bytes_of_breadth,
    .run =
        [](const RunRequest& request) {
          return scatter::rotated_sbt::run_breadth(request, scatter::Reading::backwards);
        },
});

extern const Method gather_rotated_sbt_halving_method = scatter::gather_with_defaults({
    .name = "gather/rotated-sbt-halving",
    .known_as = "all-to-one personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.1 (johnsson-ho.md, Gather)",
    .summary = "parts of every block up rotated binomial trees: half of the holders of each part hand all of it on",
    .parameters = {scatter::words_of_trees_parameter, scatter::root_parameter, scatter::rotated_sbt::trees_parameter,
                   scatter::input_parameter, scatter::output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = scatter::rotated_sbt::resolve,
    .predict = scatter::rotated_sbt::predict_halving,
    .lower_bound = scatter::lower_bound_on_cube,
    .bytes = scatter::rotated_sbt::bytes_of_halving,
    .run =
        [](const RunRequest& request) {
          return scatter::rotated_sbt::run_halving(request, scatter::Reading::backwards);
        },
});

}  // namespace lockstep
