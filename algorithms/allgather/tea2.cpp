#include "allgather.hpp"
#include "lockstep/algorithms/selection_table.hpp"
#include "tea.hpp"

// TEA2: as TEA1, but a token comes to a processor over one dimension only, and the dimensions carry equal shares.
// Saad & Schultz 1985, section 4.3, (4.5) (SS 1.9).
namespace lockstep {
namespace allgather::tea {
namespace {

Selection one_dimension(Port n) {
  const std::vector<Port> table = selection_table(n);
  return Selection(n, [&](Rank relative, Port dimension) { return table[relative] == dimension; });
}

// ceil(C(a, i) / n)
std::uint64_t share(std::uint64_t a, std::uint64_t i, std::uint64_t n) { return (binomial(a, i) + n - 1) / n; }

/// The longest messages of all passes together, in blocks.
std::uint64_t longest_blocks(Form form, std::uint64_t n) {
  if (n == 0) return 0;
  std::uint64_t sum = 0;
  if (form == Form::grouped) {
    for (std::uint64_t pass = 2; pass <= n; ++pass) sum += share(n + 1, pass, n);
    return sum + 2;
  }
  for (std::uint64_t distance = 1; distance <= n; ++distance) sum += share(n, distance, n);
  return form == Form::full ? sum : 2 * sum;
}

Prediction predict_grouped(const MachineSpec& machine, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const std::uint64_t k = machine.processors;
  const std::uint64_t m = *settings.words;
  return {
      .steps = Count{n == 0 ? 0 : n + 1, true, "n + 1"},
      .messages = Count{k / 2 * (n * n + 1), true, "2^(n-1) (n^2 + 1)"},
      .words = exact_count(Wide{k} * (k - 1) * m, "2^n (2^n - 1) m"),
      .longest_sum = Count{longest_blocks(Form::grouped, n) * m, true, "(2 + sum over p = 2..n of ceil(C(n+1,p)/n)) m"},
      .message_words = {}};
}

Prediction predict(Form form, const MachineSpec& machine, const Settings& settings) {
  if (form == Form::grouped) return predict_grouped(machine, settings);
  const bool full = form == Form::full;
  const std::uint64_t n = machine.ports;
  const std::uint64_t k = machine.processors;
  const std::uint64_t m = *settings.words;
  return {
      .steps = Count{full ? n : 2 * n, true, full ? "n" : "2 n"},
      .messages = Count{n == 0 ? 0 : k * (n * (n - 1) + 1), true, "2^n (n (n - 1) + 1)"},
      .words = exact_count(Wide{k} * (k - 1) * m, "2^n (2^n - 1) m"),
      .longest_sum = Count{longest_blocks(form, n) * m, true,
                           full ? "sum over i = 1..n of ceil(C(n,i)/n) m" : "2 sum over i = 1..n of ceil(C(n,i)/n) m"},
      .message_words = {}};
}

// A processor is given at most C(n, n/2) tokens in a step, or half of them up to twice as many; and each puts away what
// it is given before it sends again.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  return allgather::bytes(machine, model, settings, Wide{machine.processors} * binomial(n, n / 2));
}

}  // namespace
}  // namespace allgather::tea

namespace tea = allgather::tea;

extern const Method allgather_tea2_method = tea::method<tea::form_for, tea::predict, tea::bytes, tea::one_dimension>(
    "allgather/tea2", "Saad & Schultz 1985, section 4.3 (SS 1.9)",
    "over all dimensions at once neighbours give each other every block once, all links alike; in two steps each "
    "unless duplex is full");

extern const Method allgather_tea2_grouped_method =
    tea::method<tea::grouped_form, tea::predict, tea::bytes, tea::one_dimension>(
        "allgather/tea2-grouped", "Saad & Schultz 1985, section 4.3 (SS 1.9)",
        "as tea2, but processors of even and odd parity take turns to send what they would in two steps");

}  // namespace lockstep
