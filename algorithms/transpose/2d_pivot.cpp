#include "two_dimensional.hpp"

namespace lockstep {
namespace transpose {
namespace {

// Every two bits of the ranks that change places do so through one bit of the local address, in three exchanges of half
// of every array; at last every block is transposed locally. Not in the paper (johnsson-ho.md, Two dimensions).
AddressExchanges swap_through_local_bit(const MatrixShape& shape, Port n) {
  AddressExchanges exchanges(two_dimensional.form_before(shape, n));
  for (Port i = n / 2; i-- > 0;) {
    for (const Port dimension : {i, i + n / 2, i}) exchanges.exchange(dimension, exchanges.local_bits() - 1);
  }
  exchanges.convert_to(two_dimensional.form_after(shape, n), Copying::charged);
  return exchanges;
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t steps = machine.ports / 2 * 3;
  const Wide processors = machine.processors;
  const std::uint64_t half = words_a_processor(machine, settings) / 2;
  const ModelledTime time =
      time_in_step(model.cost, steps * model.cost.startups(half), steps * half, words_to_transpose(machine, settings),
                   "3 n/2 (ceil(K/(2 B_m)) beta + K/2 tau), and K t_copy where blocks are transposed locally");
  return {.steps = exact_count(steps, "3 n/2"),
          .messages = exact_count(steps * processors, "3 n/2 N"),
          .words = exact_count(steps * processors * half, "3 n/2 N K/2, K = P Q/N"),
          .longest_sum = exact_count(steps * half, "3 n/2 K/2"),
          .message_words = half,
          .startups = exact_count(steps * processors * model.cost.startups(half), "3 n/2 N ceil(K/(2 B_m))"),
          .copied_words = copied_to_transpose(machine, settings),
          .synchronous = time,
          .asynchronous = time};
}

Outcome run(const RunRequest& request) {
  return run_exchanges(request, two_dimensional,
                       swap_through_local_bit(matrix_shape(request.settings), request.topology.ports()));
}

}  // namespace
}  // namespace transpose

extern const Method transpose_2d_pivot_method = transposition({
    .name = "transpose/2d-pivot",
    .known_as = "two-dimensional transposition",
    .mapping = "two-dimensional",
    .source = "after Johnsson & Ho, section 6.1 (johnsson-ho.md, Two dimensions)",
    .summary = "every two bits of the ranks are exchanged through one bit of the local address, by three exchanges of "
               "half of the data (n even, K >= 2)",
    .resolve = [](const MachineSpec& machine, const Model&,
                  Settings& settings) { transpose::resolve_two_dimensional(machine, settings, 2); },
    .predict = transpose::predict,
    .lower_bound = transpose::lower_bound_of_two_dimensional,
    .run = transpose::run,
});

}  // namespace lockstep
