#include "two_dimensional.hpp"

namespace lockstep {
namespace transpose {
namespace {

// Every two bits of the ranks that change places do so through the highest bit of the local address, in three exchanges
// of half of every array; every other dimension is exchanged with the local bit that it gets, where that lies. Last,
// every block is transposed locally. Not in the paper (johnsson-ho.md, Two dimensions).
matrix::AddressExchanges swap_through_local_bit(const BlockLayout& layout, const MatrixShape& shape) {
  const matrix::Conversion conversion = layout.conversion();
  const Port n = layout.rows + layout.columns;
  matrix::AddressExchanges exchanges(conversion.form_before(shape, n));
  for (Port i = 0; i < layout.shared(); ++i) {
    for (const Port dimension : {layout.of_column(i), layout.of_row(i), layout.of_column(i)}) {
      exchanges.exchange(dimension, exchanges.local_bits() - 1);
    }
  }
  for (Port i = 0; i < layout.others(); ++i) {
    const unsigned local = layout.local_bit_for(i, shape);
    exchanges.exchange(
        layout.other(i), local,
        local + 1 == exchanges.local_bits() ? matrix::StripGathering::free : matrix::StripGathering::copying);
  }
  exchanges.convert_to(conversion.form_after(shape, n), matrix::Copying::charged);
  return exchanges;
}

/// The number of times that a processor copies its K words. The row bits lie above the column bits in the local
/// address: p - R and q - C of them before, and C - R of the first or R - C of the second change.
struct Copies {
  std::uint64_t gathering;  ///< exchanges of several strips: all but one of the highest local bit
  std::uint64_t reorders;   ///< after all exchanges, unless every bit lies where it should
};

Copies copies_of(const MachineSpec& machine, const Settings& settings) {
  const BlockLayout layout = block_layout(machine, settings);
  const MatrixShape shape = matrix_shape(settings);
  const Port others = layout.others();
  const bool has_low_row_bits = shape.row_bits > layout.most();  // local before and after
  const bool has_low_column_bits = shape.column_bits > layout.most();
  if (layout.rows <= layout.columns) {
    // (changed low-rows low-columns) is to become (changed low-columns low-rows).
    return {others > 0 ? others - 1U : 0U, has_low_row_bits && has_low_column_bits ? 1U : 0U};
  }
  // (low-rows changed low-columns) is to become (low-columns changed low-rows).
  return {has_low_row_bits ? others : others - 1U, has_low_row_bits || has_low_column_bits ? 1U : 0U};
}

std::optional<Count> predict_copies(const MachineSpec& machine, const Settings& settings) {
  if (block_layout(machine, settings).others() == 0) return copied_to_transpose(machine, settings);
  const auto [gathering, reorders] = copies_of(machine, settings);
  return exact_count((gathering + reorders) * matrix::words_a_processor(machine, settings) * Wide{machine.processors},
                     std::to_string(gathering) + " N K for exchanges of several strips, " + std::to_string(reorders) +
                         " N K for the order at last");
}

Prediction predict_2d_pivot(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const BlockLayout layout = block_layout(machine, settings);
  const std::uint64_t steps = 3 * layout.shared() + layout.others();
  const bool square = layout.others() == 0;
  const std::string formula = square ? "3 n/2" : "(3 c + d)";
  const Wide processors = machine.processors;
  const std::uint64_t half = matrix::words_a_processor(machine, settings) / 2;
  const auto [gathering, reorders] = copies_of(machine, settings);
  const ModelledTime time = matrix::time_in_step(
      model.cost, steps * model.cost.startups(half), steps * half,
      (gathering + reorders) * matrix::words_a_processor(machine, settings),
      formula + " (ceil(K/(2 B_m)) beta + K/2 tau), and K t_copy where blocks are transposed locally" +
          (square ? "" : " or strips gathered"));
  return {.steps = exact_count(steps, square ? "3 n/2" : "3 c + d, c = min(R,C), d = |R - C|"),
          .messages = exact_count(steps * processors, formula + " N"),
          .words = exact_count(steps * processors * half, formula + " N K/2, K = P Q/N"),
          .longest_sum = exact_count(steps * half, formula + " K/2"),
          .message_words = half,
          .startups = exact_count(steps * processors * model.cost.startups(half), formula + " N ceil(K/(2 B_m))"),
          .copied_words = predict_copies(machine, settings),
          .synchronous = time,
          .asynchronous = time};
}

Outcome run_2d_pivot(const RunRequest& request) {
  const BlockLayout layout = block_layout(request.machine, request.settings);
  return matrix::run_exchanges(request, layout.conversion(),
                               swap_through_local_bit(layout, matrix_shape(request.settings)));
}

void resolve_2d_pivot(const MachineSpec& machine, const Model&, Settings& settings) {
  resolve_layout(machine, settings, block_layout(machine, settings).shared() > 0 ? 2 : 1);
}

}  // namespace
}  // namespace transpose

extern const Method transpose_2d_pivot_method = matrix::transposition({
    .name = "transpose/2d-pivot",
    .known_as = "two-dimensional transposition",
    .mapping = "two-dimensional",
    .source = "after Johnsson & Ho, section 6.1 (johnsson-ho.md, Two dimensions)",
    .summary = "every two bits of the ranks are exchanged through one bit of the local address, by three exchanges of "
               "half of the data (K >= 2)",
    .parameters = {matrix_parameter, matrix::layout_parameter},
    .resolve = transpose::resolve_2d_pivot,
    .predict = transpose::predict_2d_pivot,
    .run = transpose::run_2d_pivot,
});

}  // namespace lockstep
