#include "lockstep/algorithms/operation/allgather.hpp"
#include "method/step_lengths.hpp"
#include "tea.hpp"

// TEA1: a processor sends over every dimension all tokens that are nearer to their source than the neighbour there. So
// a processor receives a token at distance i from all i neighbours that have it, and discards the copies. Saad &
// Schultz 1985, section 4.3, (4.4) (saad-schultz-1985.md, TEA1).
namespace lockstep {
namespace allgather::tea {

TokenSelection every_dimension(Port n) {
  return TokenSelection(n, [](Rank relative, Port dimension) { return has_bit(relative, dimension); });
}

namespace {

// At distance i from the source C(n-1, i-1) tokens cross a dimension. In the grouped form those at distances p-1 and p
// do in pass p, which are C(n, p-1).
method::StepLengths step_lengths_tea1(TeaForm form, std::uint64_t n, std::uint64_t m, const CostModel& cost) {
  method::StepLengths lengths(cost);
  if (n == 0) return lengths;
  if (form == TeaForm::grouped) {
    for (std::uint64_t pass = 1; pass <= n + 1; ++pass) lengths.add(1, binomial(n, pass - 1) * m);
    return lengths;
  }
  for (std::uint64_t distance = 1; distance <= n; ++distance) {
    lengths.add(form == TeaForm::full ? 1 : 2, binomial(n - 1, distance - 1) * m);
  }
  return lengths;
}

Prediction predict_tea1(TeaForm form, const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const std::uint64_t k = machine.processors;
  const std::uint64_t m = *settings.words;
  const method::StepLengths lengths = step_lengths_tea1(form, n, m, model.cost);
  return {.steps = exact_count(lengths.steps(), form == TeaForm::full   ? "n"
                                                : form == TeaForm::half ? "2 n"
                                                                        : "n + 1"),
          .messages = form == TeaForm::grouped ? Count{(n + 1) * n * (k / 2), true, "(n + 1) n 2^(n-1)"}
                                               : Count{n * n * k, true, "n^2 2^n"},
          .words = exact_count(Wide{n} * k * (k / 2) * m, "n 2^(2n-1) m"),
          .longest_sum = exact_count(lengths.sum(), form == TeaForm::full ? "2^(n-1) m" : "2^n m"),
          .longest_startups = lengths.startups()};
}

// In a step all processors send at most C(n-1, (n-1)/2) tokens over each dimension, or half of them up to twice as
// many; and each stores what it receives before it sends again.
std::uint64_t bytes_tea1(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const std::uint64_t most = n == 0 ? 0 : binomial(n - 1, (n - 1) / 2);
  return allgather::bytes(machine, model, settings, {.pieces = Wide{machine.processors} * n * most});
}

}  // namespace
}  // namespace allgather::tea

namespace tea = allgather::tea;

extern const Method allgather_tea1_method =
    tea::method<tea::form_for, tea::predict_tea1, tea::bytes_tea1, tea::every_dimension>(
        "allgather/tea1", {"TEA1"}, "Saad & Schultz 1985, section 4.3 (saad-schultz-1985.md, TEA1)",
        "over all dimensions at once neighbours give each other all that can be new to them, copies of the same block "
        "too; in two steps each unless duplex is full");

extern const Method allgather_tea1_grouped_method =
    tea::method<tea::grouped_form, tea::predict_tea1, tea::bytes_tea1, tea::every_dimension>(
        "allgather/tea1-grouped", {}, "Saad & Schultz 1985, section 4.3 (saad-schultz-1985.md, TEA1)",
        "as tea1, but processors of even and odd parity take turns to send what they would in two steps");

}  // namespace lockstep
