#include "reduce_scatter.hpp"

#include "method/entry_parts.hpp"
#include "method/k_ports.hpp"
#include "method/predicted.hpp"
#include "method/switches.hpp"
#include "parts/schedules.hpp"
#include "parts/vectors.hpp"

// Reduce-scatters on a switch or complete graph, in which rank r gets part r of the result (collectives.md,
// Reduce-scatter).
namespace lockstep {
namespace reduce_scatter {
namespace {

using parts::PartSchedule;

Rank ranks(const MachineSpec& machine) { return static_cast<Rank>(machine.processors); }

/// Every rank sends all but its own part away, combined or not.
Prediction predicted(const MachineSpec& machine, const Settings& settings, const method::StepLengths& lengths,
                     const std::string& steps, std::string longest_sum, bool is_exact = true) {
  const Wide p = machine.processors;
  Prediction prediction =
      method::predicted(lengths, p * lengths.steps(), (p - 1) * *settings.words,
                        {steps, "p times the steps", "(p - 1) m", std::move(longest_sum)}, is_exact);
  parts::predict_operations(machine, settings, is_exact ? std::optional(lengths.sum()) : std::nullopt, prediction);
  return prediction;
}

Prediction predict_halving(const MachineSpec& machine, const Model& model, const Settings& settings) {
  method::StepLengths lengths(model.cost);
  parts::add_halves(ranks(machine), *settings.words, lengths);
  return predicted(machine, settings, lengths, "log2 p",
                   "sum of ceil(m/2^i), i = 1..log2 p; m (1 - 1/p) if p divides m");
}

Prediction predict_circulant(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Rank p = ranks(machine);
  const std::uint64_t k = method::ports_at_once(model);
  method::StepLengths lengths(model.cost);
  const Wide messages = parts::add_circulant(p, k, *settings.words, lengths);
  if (k == 1) {
    return predicted(machine, settings, lengths, "ceil(log2 p)",
                     "sum of ceil(m (s_(k+1) - s_k)/p), s the skips; m (1 - 1/p) if p divides m");
  }
  Prediction prediction = method::predicted(lengths, p * messages, Wide{p - 1} * *settings.words,
                                            {"ceil(log_(K+1) p)", "p times the runs of parts", "(p - 1) m",
                                             "the longest runs; ceil((p - 1)/K) m/p if p divides m"});
  parts::predict_operations(
      machine, model, settings, parts::Parts(*settings.words, p),
      [p, k] { return parts::circulant_reduce_scatter(p, k); }, prediction);
  return prediction;
}

void resolve_powers(const MachineSpec& machine, const Model& model, Settings& settings) {
  method::require_power_of_two(machine);
  parts::resolve_in_any_order(machine, model, settings);
}

template <PartSchedule (*schedule)(Rank p)>
Outcome run(const RunRequest& request) {
  const Rank p = ranks(request.machine);
  return parts::run(request, schedule(p), p, parts::Share::part);
}

Outcome run_circulant(const RunRequest& request) {
  const Rank p = ranks(request.machine);
  const std::uint64_t k = method::ports_at_once(request.model);
  return parts::run(request, parts::circulant_reduce_scatter(p, k), p, parts::Share::part);
}

Method with_defaults(Method own) {
  return parts::with_defaults(filled_in(std::move(own), {.operation = "reduce-scatter",
                                                         .known_as = "reduce-scatter",
                                                         .families = method::switches_and_complete(),
                                                         .resolve = parts::resolve_in_any_order}));
}

}  // namespace

Prediction predict_single_parts(const MachineSpec& machine, const Model& model, const Settings& settings) {
  method::StepLengths lengths(model.cost);
  parts::add_single_parts(ranks(machine), *settings.words, lengths);
  return predicted(machine, settings, lengths, "p - 1", "(p - 1) ceil(m/p)");
}

}  // namespace reduce_scatter

extern const Method reduce_scatter_circulant_method = reduce_scatter::with_defaults({
    .name = "reduce-scatter/circulant",
    .source = "Traeff 2024, arXiv 2410.14234 (collectives.md, Reduce-scatter)",
    .summary = "over skips that halve, rounded up, each gives the parts of those beyond it away: any number of ranks",
    .port_models = {PortModel::one},
    .predict = reduce_scatter::predict_circulant,
    .bytes = parts::bytes_of_halves,
    .run = reduce_scatter::run_circulant,
});

extern const Method reduce_scatter_halving_method = reduce_scatter::with_defaults({
    .name = "reduce-scatter/halving",
    .source = "Thakur, Rabenseifner, Gropp 2005 (collectives.md, Reduce-scatter)",
    .summary = "at half the distance in every step, each gives away the half that the other is to have (2^q ranks)",
    .port_models = {PortModel::one},
    .resolve = reduce_scatter::resolve_powers,
    .predict = reduce_scatter::predict_halving,
    .bytes = parts::bytes_of_halves,
    .run = reduce_scatter::run<parts::halving_reduce_scatter>,
});

extern const Method reduce_scatter_halving_on_hypercube_method = method::on_hypercubes(filled_in(
    {.name = reduce_scatter_halving_method.name,
     .summary =
         "over every dimension, from the highest down, neighbours give each other the half that is for the other "
         "side"},
    reduce_scatter_halving_method));

extern const Method reduce_scatter_pairwise_method = reduce_scatter::with_defaults({
    .name = "reduce-scatter/pairwise",
    .source = "Thakur, Rabenseifner, Gropp 2005 (collectives.md, Reduce-scatter)",
    .summary = "in step t every rank gives its part to the one t farther on",
    .port_models = {PortModel::one},
    .predict = reduce_scatter::predict_single_parts,
    .run = reduce_scatter::run<parts::pairwise_reduce_scatter>,
});

extern const Method reduce_scatter_ring_method = reduce_scatter::with_defaults({
    .name = "reduce-scatter/ring",
    .source = "Patarasuk & Yuan 2009 (collectives.md, Reduce-scatter)",
    .summary = "parts go once round the ranks, and each adds its own",
    .port_models = {PortModel::one},
    .predict = reduce_scatter::predict_single_parts,
    .run = reduce_scatter::run<parts::ring_reduce_scatter>,
});

}  // namespace lockstep
