#include "one_dimensional.hpp"

namespace lockstep::transpose {

void resolve_one_dimensional(const MachineSpec& machine, const Model&, Settings& settings) {
  resolve_matrix(machine, settings, {machine.processors, machine.processors});
}

Prediction predict_half_exchanges(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t f = steps_an_exchange(model);
  const Wide n = machine.ports;
  const Wide k = machine.processors;
  const std::uint64_t half = matrix::words_a_processor(machine, settings) / 2;
  return {.steps = exact_count(f * n, f == 1 ? "n" : "2 n"),
          .messages = exact_count(n * k, "n N"),
          .words = exact_count(n * k * half, "n N K/2, K = P Q/N"),
          .longest_sum = exact_count(f * n * half, f == 1 ? "n K/2" : "n K"),
          .message_words = half};
}

Outcome run_one_dimensional(const RunRequest& request, matrix::AddressExchanges exchanges) {
  if (request.model.duplex != Duplex::full) exchanges.take_turns();
  return matrix::run_exchanges(request, one_dimensional, exchanges);
}

std::vector<unsigned> block_number_first(const MatrixShape& shape, Port dimensions) {
  const unsigned q = shape.column_bits;
  std::vector<unsigned> order;
  const auto add = [&order](unsigned above, unsigned lowest) {
    while (above > lowest) order.push_back(--above);
  };
  add(q, q - dimensions);
  add(q + shape.row_bits - dimensions, q);
  add(q - dimensions, 0);
  return order;
}

}  // namespace lockstep::transpose
