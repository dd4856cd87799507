#include <algorithm>
#include <bit>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/step_lengths.hpp"
#include "parts/schedules.hpp"
#include "scheduled.hpp"

// The item is scattered down a binomial tree, and its parts go once round a ring. Barnett et al. 1994 (collectives.md,
// Broadcast).
namespace lockstep {
namespace broadcast {
namespace {

/// In step s = 0, 1, .. ranks that are multiples of 2 d, d = 2^(q-1-s), send to the rank d after them its part and
/// those of the ranks after it, up to 2 d after the sender.
parts::PartSchedule scatter(Rank p) {
  const std::uint64_t q = doublings(p);
  return {q, [p, q](Rank rank, Cycle step) -> parts::PartStep {
            const std::uint64_t d = std::uint64_t{1} << (q - 1 - step);
            const auto of = [&](std::uint64_t first) {
              const std::uint64_t end = std::min<std::uint64_t>(first + d, p);
              return parts::run_of_parts(static_cast<Rank>(first), static_cast<Rank>(end - first), p);
            };
            if (rank % (2 * d) == 0 && rank + d < p) return {.to = static_cast<Rank>(rank + d), .sent = of(rank + d)};
            if (rank % (2 * d) == d) return {.from = static_cast<Rank>(rank - d), .received = of(rank)};
            return {};
          }};
}

constexpr NumberParameter part_words_parameter{
    {"words", "words of the whole item, of which every rank gets a part first",
     "one a processor, or as many as the numbers of --input"},
    &Settings::words};

void resolve_scatter_allgather(const MachineSpec& machine, const Model& model, Settings& settings) {
  if (!settings.words && !settings.input) settings.words = machine.processors;
  resolve(machine, model, settings);
}

Split parts_of(const MachineSpec& machine, const Settings& settings) { return {*settings.words, machine.processors}; }

/// One bits of all numbers below this one.
Wide one_bits_below(std::uint64_t end) {
  Wide sum = 0;
  for (std::uint64_t bit = 1; bit < end; bit *= 2) {
    sum += end / (2 * bit) * bit + std::max(end % (2 * bit), bit) - bit;
  }
  return sum;
}

Prediction predict_scatter_allgather(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t p = machine.processors;
  const std::uint64_t q = doublings(p);
  const Split parts = parts_of(machine, settings);
  method::StepLengths lengths(model.cost);
  // The root sends the most words: longer parts come first, and other ranks have fewer ranks behind them.
  for (std::uint64_t d = std::uint64_t{1} << q; (d /= 2) > 0;) {
    lengths.add(1, parts.first(std::min(2 * d, p)) - parts.first(d));
  }
  lengths.add(p - 1, parts.longest());
  // A part crosses as many links of the tree as its rank has one bits.
  const Wide scattered = parts.shortest() * one_bits_below(p) + one_bits_below(parts.longer());
  const Wide m = *settings.words;
  const bool is_power = std::has_single_bit(p);
  Prediction prediction{
      .steps = exact_count(lengths.steps(), p == 1 ? "0" : "ceil(log2 p) + p - 1"),
      .messages = exact_count(Wide{p - 1} * (p + 1), "(p - 1) + p (p - 1)"),
      .words = exact_count(scattered + (p - 1) * m,
                           is_power ? "m log2(p)/2 + (p - 1) m if p divides m"
                                    : "(p - 1) m + parts times the one bits of their ranks' offsets from the root"),
      .longest_sum = exact_count(lengths.sum(), "2 m (1 - 1/p) if p divides m; else by the parts"),
      .longest_startups = lengths.startups()};
  return prediction;
}

Outcome run_scatter_allgather(const RunRequest& request) {
  const Rank p = request.topology.processors();
  return run_schedule(request, from_root(scatter(p) + parts::ring_allgather(p), request.root(), p),
                      parts::Parts(parts_of(request.machine, request.settings)));
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_scatter_allgather_method = broadcast::with_defaults({
    .name = "broadcast/scatter-allgather",
    .families = {"switch", "complete"},
    .source = "Barnett et al. 1994; Thakur, Rabenseifner, Gropp 2005 (collectives.md, Broadcast)",
    .summary = "a part to every rank down a binomial tree, then all parts round a ring",
    .parameters = {broadcast::part_words_parameter, broadcast::root_parameter, broadcast::input_parameter,
                   broadcast::output_parameter},
    .port_models = {PortModel::one},
    .resolve = broadcast::resolve_scatter_allgather,
    .predict = broadcast::predict_scatter_allgather,
    .run = broadcast::run_scatter_allgather,
});

}  // namespace lockstep
