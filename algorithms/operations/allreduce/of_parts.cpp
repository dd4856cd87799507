#include <bit>

#include "allreduce.hpp"
#include "lockstep/core/printable.hpp"
#include "method/entry_parts.hpp"
#include "method/k_ports.hpp"
#include "method/predicted.hpp"
#include "method/switches.hpp"
#include "parts/fold.hpp"
#include "parts/schedules.hpp"
#include "parts/swing.hpp"
#include "parts/vectors.hpp"

// Allreduces on a switch or complete graph that are a reduce-scatter and an allgather after it (collectives.md,
// Allreduce).
namespace lockstep {
namespace allreduce {
namespace {

using parts::Fold;
using parts::PartSchedule;

constexpr Parameter sides_parameter{"sides", "sides of the torus on whose rings partners are, powers of two, e.g. 4x4",
                                    "one ring of all ranks"};

Rank ranks_of_parts(const MachineSpec& machine) { return static_cast<Rank>(machine.processors); }

/// The counts of both halves, whose longest messages are `lengths`; all ranks send in every step.
Prediction predicted(const MachineSpec& machine, const Settings& settings, const method::StepLengths& lengths,
                     const std::string& steps, std::string longest_sum, bool is_exact = true) {
  const Wide p = machine.processors;
  Prediction prediction =
      method::predicted(lengths, p * lengths.steps(), 2 * (p - 1) * *settings.words,
                        {steps, "p times the steps", "2 (p - 1) m", std::move(longest_sum)}, is_exact);
  // The second half is the first backwards, and combines nothing.
  parts::predict_operations(machine, settings, is_exact ? std::optional(lengths.sum() / 2) : std::nullopt, prediction);
  return prediction;
}

Prediction predict_circulant(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Rank p = ranks_of_parts(machine);
  const std::uint64_t k = method::ports_at_once(model);
  method::StepLengths lengths(model.cost);
  Wide messages = 0;
  for (int half = 0; half < 2; ++half) messages += parts::add_circulant(p, k, *settings.words, lengths);
  if (k == 1) {
    return predicted(machine, settings, lengths, "2 ceil(log2 p)",
                     "twice the sum of ceil(m (s_(k+1) - s_k)/p), s the skips; 2 m (1 - 1/p) if p divides m");
  }
  Prediction prediction = method::predicted(lengths, p * messages, 2 * Wide{p - 1} * *settings.words,
                                            {"2 ceil(log_(K+1) p)", "p times the runs of parts", "2 (p - 1) m",
                                             "the longest runs; 2 ceil((p - 1)/K) m/p if p divides m"});
  parts::predict_operations(
      machine, model, settings, parts::Parts(*settings.words, p),
      [p, k] { return parts::circulant_reduce_scatter(p, k); }, prediction);
  return prediction;
}

/// The ranks as places of a torus with these sides, or of a single ring.
MixedRadix torus_of(const MachineSpec& machine, const Settings& settings) {
  if (!settings.sides) return MixedRadix({ranks_of_parts(machine)});
  return MixedRadix({settings.sides->begin(), settings.sides->end()});
}

Prediction predict_swing(const MachineSpec& machine, const Model& model, const Settings& settings) {
  method::StepLengths lengths(model.cost);
  bool is_exact = true;
  for (int half = 0; half < 2; ++half) {
    is_exact = parts::add_swing(torus_of(machine, settings), *settings.words, lengths);
  }
  return predicted(machine, settings, lengths, "2 log2 p", "the longest messages; 2 m (1 - 1/p) if p divides m",
                   is_exact);
}

Prediction predict_rabenseifner(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Fold fold(ranks_of_parts(machine));
  const Wide m = *settings.words;
  const Wide r = fold.rest();
  const Wide p2 = fold.participants();
  method::StepLengths lengths(model.cost);
  for (int half = 0; half < 2; ++half) parts::add_halves(fold.participants(), *settings.words, lengths);
  const Wide within = lengths.steps();
  if (r > 0) lengths.add(2, m);
  Prediction prediction = method::predicted(
      lengths, p2 * within + 2 * r, 2 * m * (p2 - 1) + 2 * r * m,
      {r > 0 ? "2 Q + 2, Q = floor(log2 p)" : "2 log2 p", "2 Q 2^Q + 2 r, r = p - 2^Q", "2 m (2^Q - 1) + 2 r m",
       r > 0 ? "2 sum of ceil(m/2^i), i = 1..Q, + 2 m; 2 m (1 - 1/2^Q) + 2 m if 2^Q divides m"
             : "2 sum of ceil(m/2^i), i = 1..Q; 2 m (1 - 1/p) if p divides m"});
  parts::predict_operations(machine, settings, lengths.sum() / 2, prediction);
  return prediction;
}

void resolve_swing(const MachineSpec& machine, const Model& model, Settings& settings) {
  method::require_power_of_two(machine);
  if (settings.sides) {
    Wide product = 1;
    for (const std::uint64_t side : *settings.sides) {
      if (!std::has_single_bit(side)) {
        throw InputError("--sides: " + std::to_string(side) + " is no power of two, as every side has to be");
      }
      product = saturated(product * side);
    }
    if (product != machine.processors) {
      throw InputError("--sides: the product of the sides is not " + std::to_string(machine.processors) +
                       ", the processors of " + printable(machine.text));
    }
  }
  parts::resolve_in_any_order(machine, model, settings);
}

template <PartSchedule (*scatter)(Rank p), PartSchedule (*gather)(Rank p)>
Outcome run(const RunRequest& request) {
  const Rank p = ranks_of_parts(request.machine);
  return parts::run(request, scatter(p) + gather(p), p, parts::Share::all);
}

Outcome run_circulant(const RunRequest& request) {
  const Rank p = ranks_of_parts(request.machine);
  const std::uint64_t k = method::ports_at_once(request.model);
  return parts::run(request, parts::circulant_reduce_scatter(p, k) + parts::circulant_allgather(p, k), p,
                    parts::Share::all);
}

Outcome run_rabenseifner(const RunRequest& request) {
  const Fold fold(ranks_of_parts(request.machine));
  const Rank p = fold.participants();
  PartSchedule halves = parts::halving_reduce_scatter(p) + parts::doubling_allgather(p);
  return parts::run(request,
                    parts::folded_in(fold) + parts::of_participants(fold, std::move(halves)) + parts::folded_out(fold),
                    p, parts::Share::all);
}

Outcome run_swing(const RunRequest& request) {
  const MixedRadix torus = torus_of(request.machine, request.settings);
  return parts::run(request, parts::swing_reduce_scatter(torus) + parts::swing_allgather(torus), torus.size(),
                    parts::Share::all);
}

Method with_defaults(Method own) {
  return parts::with_defaults(filled_in(std::move(own), {.operation = "allreduce",
                                                         .known_as = "allreduce",
                                                         .families = method::switches_and_complete(),
                                                         .resolve = parts::resolve_in_any_order}));
}

}  // namespace

Prediction predict_ring(const MachineSpec& machine, const Model& model, const Settings& settings) {
  method::StepLengths lengths(model.cost);
  for (int half = 0; half < 2; ++half) parts::add_single_parts(ranks_of_parts(machine), *settings.words, lengths);
  return predicted(machine, settings, lengths, "2 (p - 1)", "2 (p - 1) ceil(m/p)");
}

}  // namespace allreduce

extern const Method allreduce_circulant_method = allreduce::with_defaults({
    .name = "allreduce/circulant",
    .source = "Traeff 2024, arXiv 2410.14234 (collectives.md, Allreduce)",
    .summary = "reduce-scatter over skips that halve, rounded up, and the same backwards: best for any number of ranks",
    .port_models = {PortModel::one},
    .predict = allreduce::predict_circulant,
    .bytes = parts::bytes_of_halves,
    .run = allreduce::run_circulant,
});

extern const Method allreduce_rabenseifner_method = allreduce::with_defaults({
    .name = "allreduce/rabenseifner",
    .source = "Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005 (collectives.md, Allreduce)",
    .summary = "recursive halving and doubling, between folds where the ranks are no power of two",
    .port_models = {PortModel::one},
    .predict = allreduce::predict_rabenseifner,
    .bytes = parts::bytes_of_halves,
    .run = allreduce::run_rabenseifner,
});

extern const Method allreduce_rabenseifner_on_hypercube_method = method::on_hypercubes(filled_in(
    {.name = allreduce_rabenseifner_method.name, .summary = "recursive halving and doubling over the dimensions"},
    allreduce_rabenseifner_method));

extern const Method allreduce_ring_method = allreduce::with_defaults({
    .name = "allreduce/ring",
    .source = "Patarasuk & Yuan 2009 (collectives.md, Allreduce)",
    .summary = "parts go round the ranks twice: each adds its own, and then each copies the results",
    .port_models = {PortModel::one},
    .predict = allreduce::predict_ring,
    .run = allreduce::run<parts::ring_reduce_scatter, parts::ring_allgather>,
});

extern const Method allreduce_swing_method = allreduce::with_defaults({
    .name = "allreduce/swing",
    .families = {"switch", "complete"},
    .source = "De Sensi et al. 2024, arXiv 2401.09356 (collectives.md, Allreduce)",
    .summary =
        "partners 1, 1, 3, 5, 11, .. away, to either side in turn, on a ring or on the rings of a torus: as few steps "
        "as halving, over fewer links (2^q ranks)",
    .parameters = {parts::words_parameter, allreduce::sides_parameter, operands::operator_parameter,
                   operands::type_parameter, operands::input_parameter, parts::output_parameter},
    .port_models = {PortModel::one},
    .resolve = allreduce::resolve_swing,
    .predict = allreduce::predict_swing,
    .bytes = parts::bytes_of_halves,
    .run = allreduce::run_swing,
});

}  // namespace lockstep
