#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/machines/selection_table.hpp"
#include "method/step_lengths.hpp"
#include "tea.hpp"

// TEA2: as TEA1, but a token comes to a processor over one dimension only, and the dimensions carry equal shares.
// Saad & Schultz 1985, section 4.3, (4.5) (saad-schultz-1985.md, TEA2).
namespace lockstep {
namespace allgather::tea {

TokenSelection one_dimension(Port n) {
  const std::vector<Port> table = selection_table(n);
  return TokenSelection(n, [&](Rank relative, Port dimension) { return table[relative] == dimension; });
}

namespace {

// ceil(C(a, i) / n)
std::uint64_t share(std::uint64_t a, std::uint64_t i, std::uint64_t n) { return (binomial(a, i) + n - 1) / n; }

// In the first and the last of the grouped passes a token crosses each dimension; in pass p between them those at
// distances p-1 and p do, C(n+1, p) over all dimensions.
method::StepLengths step_lengths_tea2(TeaForm form, std::uint64_t n, std::uint64_t m, const CostModel& cost) {
  method::StepLengths lengths(cost);
  if (n == 0) return lengths;
  if (form == TeaForm::grouped) {
    lengths.add(2, m);
    for (std::uint64_t pass = 2; pass <= n; ++pass) lengths.add(1, share(n + 1, pass, n) * m);
    return lengths;
  }
  for (std::uint64_t distance = 1; distance <= n; ++distance) {
    lengths.add(form == TeaForm::full ? 1 : 2, share(n, distance, n) * m);
  }
  return lengths;
}

Prediction predict_grouped(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const std::uint64_t k = machine.processors;
  const std::uint64_t m = *settings.words;
  const method::StepLengths lengths = step_lengths_tea2(TeaForm::grouped, n, m, model.cost);
  return {.steps = exact_count(lengths.steps(), "n + 1"),
          .messages = Count{k / 2 * (n * n + 1), true, "2^(n-1) (n^2 + 1)"},
          .words = exact_count(Wide{k} * (k - 1) * m, "2^n (2^n - 1) m"),
          .longest_sum = exact_count(lengths.sum(), "(2 + sum over p = 2..n of ceil(C(n+1,p)/n)) m"),
          .longest_startups = lengths.startups()};
}

Prediction predict_tea2(TeaForm form, const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (form == TeaForm::grouped) return predict_grouped(machine, model, settings);
  const bool full = form == TeaForm::full;
  const std::uint64_t n = machine.ports;
  const std::uint64_t k = machine.processors;
  const std::uint64_t m = *settings.words;
  const method::StepLengths lengths = step_lengths_tea2(form, n, m, model.cost);
  return {.steps = exact_count(lengths.steps(), full ? "n" : "2 n"),
          .messages = Count{n == 0 ? 0 : k * (n * (n - 1) + 1), true, "2^n (n (n - 1) + 1)"},
          .words = exact_count(Wide{k} * (k - 1) * m, "2^n (2^n - 1) m"),
          .longest_sum = exact_count(lengths.sum(), full ? "sum over i = 1..n of ceil(C(n,i)/n) m"
                                                         : "2 sum over i = 1..n of ceil(C(n,i)/n) m"),
          .longest_startups = lengths.startups()};
}

// A processor receives at most C(n, n/2) tokens in a step, or half of the processors up to twice as many; and each
// stores what it receives before it sends again.
std::uint64_t bytes_tea2(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  return allgather::bytes(machine, model, settings, {.pieces = Wide{machine.processors} * binomial(n, n / 2)});
}

}  // namespace
}  // namespace allgather::tea

namespace tea = allgather::tea;

extern const Method allgather_tea2_method =
    tea::method<tea::form_for, tea::predict_tea2, tea::bytes_tea2, tea::one_dimension>(
        "allgather/tea2", {"TEA2"}, "Saad & Schultz 1985, section 4.3 (saad-schultz-1985.md, TEA2)",
        "over all dimensions at once neighbours give each other every block once, all links alike; in two steps each "
        "unless duplex is full");

extern const Method allgather_tea2_grouped_method =
    tea::method<tea::grouped_form, tea::predict_tea2, tea::bytes_tea2, tea::one_dimension>(
        "allgather/tea2-grouped", {}, "Saad & Schultz 1985, section 4.3 (saad-schultz-1985.md, TEA2)",
        "as tea2, but processors of even and odd parity take turns to send what they would in two steps");

}  // namespace lockstep
