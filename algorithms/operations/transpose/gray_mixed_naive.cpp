#include "gray.hpp"

namespace lockstep {
namespace transpose {
namespace {

// The rows go from binary to Gray code, the columns from Gray code to binary, or the other way round; then the
// single path transpose puts both right, and every block is transposed locally. Johnsson & Ho, section 6.3
// (johnsson-ho.md, Gray codes).

/// Flips bit j of the field where bit j+1 is 1, from the lowest up: binary to Gray code.
void code(matrix::AddressExchanges& exchanges, Port lowest, Port width) {
  for (Port j = 0; j + 1 < width; ++j) exchanges.add_dimension(lowest + j, lowest + j + 1);
}
/// As above from the highest down: Gray code to binary.
void decode(matrix::AddressExchanges& exchanges, Port lowest, Port width) {
  for (Port j = width - 1; j-- > 0;) exchanges.add_dimension(lowest + j, lowest + j + 1);
}

matrix::AddressExchanges convert_then_transpose(const matrix::Conversion& conversion, const MatrixShape& shape,
                                                Port n) {
  const Port h = n / 2;
  matrix::AddressExchanges exchanges(conversion.form_before(shape, n));
  if (conversion.before.rows->gray) {
    decode(exchanges, h, h);
    code(exchanges, 0, h);
  } else {
    code(exchanges, h, h);
    decode(exchanges, 0, h);
  }
  for (Port i = h; i-- > 0;) exchanges.exchange_dimensions(i + h, i);
  exchanges.convert_to(conversion.form_after(shape, n), matrix::Copying::charged);
  return exchanges;
}

Prediction predict_gray_mixed_naive(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const Wide processors = machine.processors;
  const std::uint64_t k = matrix::words_a_processor(machine, settings);
  const Wide messages = (n - 1) * processors;
  return {.steps = exact_count(2 * n - 2, "2 n - 2"),
          .messages = exact_count(messages, "(n - 1) N"),
          .words = exact_count(messages * k, "(n - 1) N K, K = P Q/N"),
          .longest_sum = exact_count((2 * n - 2) * k, "(2 n - 2) K"),
          .message_words = k,
          .startups = exact_count(messages * model.cost.startups(k), "(n - 1) N ceil(K/B_m)"),
          .copied_words = copied_to_transpose(machine, settings),
          .synchronous = matrix::time_in_step(
              model.cost, (2 * n - 2) * model.cost.startups(k), (2 * n - 2) * k, words_to_transpose(machine, settings),
              "(2 n - 2) (ceil(K/B_m) beta + K tau), and K t_copy where blocks are transposed locally")};
}

Outcome run_gray_mixed_naive(const RunRequest& request) {
  const matrix::Conversion conversion = mixed_encoding(request.settings);
  return matrix::run_exchanges(
      request, conversion,
      convert_then_transpose(conversion, matrix_shape(request.settings), request.topology.ports()));
}

}  // namespace
}  // namespace transpose

extern const Method transpose_gray_mixed_naive_method = matrix::transposition({
    .name = "transpose/gray-mixed-naive",
    .known_as = "two-dimensional transposition, mixed encoding, naive",
    .mapping = "two-dimensional, mixed codes",
    .source = "Johnsson & Ho, section 6.3 (johnsson-ho.md, Gray codes)",
    .summary = "rows in binary code and columns in Gray code, or the other way round: both codes are converted in "
               "steps of their own, then the single path transpose follows (n even)",
    .parameters = {transpose::encoding_parameter, matrix_parameter},
    .resolve = transpose::resolve_mixed,
    .predict = transpose::predict_gray_mixed_naive,
    .proven = transpose::lower_bound_of_mixed,
    .run = transpose::run_gray_mixed_naive,
});

}  // namespace lockstep
