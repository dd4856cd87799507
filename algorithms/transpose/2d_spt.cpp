#include "two_dimensional.hpp"

namespace lockstep {
namespace transpose {
namespace {

// For every bit of the row and column numbers, the highest first, processors whose two bits differ exchange their
// blocks through one in which they agree: the single path transpose, step by step. A block is copied into one piece
// before it is sent, and apart afterwards. Johnsson & Ho, section 6.1.1 (johnsson-ho.md, Two dimensions).
AddressExchanges swap_dimensions(const MatrixShape& shape, Port n) {
  AddressExchanges exchanges(two_dimensional.form_before(shape, n));
  exchanges.copy();
  for (Port i = n / 2; i-- > 0;) exchanges.exchange_dimensions(i + n / 2, i);
  exchanges.copy();
  exchanges.convert_to(two_dimensional.form_after(shape, n));
  return exchanges;
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const Wide processors = machine.processors;
  const std::uint64_t k = words_a_processor(machine, settings);
  const std::uint64_t startups = n * model.cost.startups(k);
  // The blocks that cross all dimensions never wait, and none is later.
  const ModelledTime time =
      time_in_step(model.cost, startups, n * k, 2 * k, "n (ceil(K/B_m) beta + K tau) + 2 K t_copy");
  return {.steps = exact_count(n, "n"),
          .messages = exact_count(n * processors / 2, "n N/2"),
          .words = exact_count(n * processors / 2 * k, "n N/2 K, K = P Q/N"),
          .longest_sum = exact_count(n * k, "n K"),
          .message_words = {},
          .startups = exact_count(startups * processors / 2, "n N/2 ceil(K/B_m)"),
          .copied_words = exact_count(2 * k * processors, "2 N K"),
          .synchronous = time,
          .asynchronous = time};
}

Outcome run(const RunRequest& request) {
  return run_exchanges(request, two_dimensional,
                       swap_dimensions(matrix_shape(request.settings), request.topology.ports()));
}

}  // namespace
}  // namespace transpose

extern const Method transpose_2d_spt_method = transposition({
    .name = "transpose/2d-spt",
    .aliases = {"SPT"},
    .known_as = "two-dimensional transposition, single path transpose (SPT)",
    .mapping = "two-dimensional",
    .source = "Johnsson & Ho, section 6.1.1 (johnsson-ho.md, Two dimensions)",
    .summary = "processors of (r,c) and (c,r) exchange their blocks, bit by bit of r and c, step by step (n even)",
    .strictest_duplex = Duplex::half_node,
    .resolve = [](const MachineSpec& machine, const Model&,
                  Settings& settings) { transpose::resolve_two_dimensional(machine, settings, 1); },
    .predict = transpose::predict,
    .lower_bound = transpose::lower_bound_of_two_dimensional,
    .run = transpose::run,
});

}  // namespace lockstep
