#include <algorithm>

#include "two_dimensional.hpp"

namespace lockstep {
namespace transpose {
namespace {

/// The order of local bits, the highest first, that begins with those that other dimensions get.
std::vector<unsigned> others_first(const BlockLayout& layout, const MatrixShape& shape, unsigned local_bits) {
  std::vector<unsigned> order;
  for (Port i = 0; i < layout.others(); ++i) order.push_back(layout.local_bit_for(i, shape));
  for (unsigned bit = local_bits; bit-- > 0;) {
    if (std::ranges::find(order, bit) == order.end()) order.push_back(bit);
  }
  return order;
}

// For every bit that rows and columns both have in the ranks, the highest first, processors whose two bits differ
// exchange their blocks through one in which they agree: the single path transpose, step by step. Every other dimension
// is exchanged with the local bit that it gets. A block is copied into one piece before it is sent, in an order that
// makes the first of these exchanges one of halves, and is copied apart afterwards; the later ones gather. Johnsson &
// Ho, section 6.1.1 (johnsson-ho.md, Two dimensions).
matrix::AddressExchanges swap_dimensions(const BlockLayout& layout, const MatrixShape& shape, Duplex duplex) {
  const matrix::Conversion conversion = layout.conversion();
  const Port n = layout.rows + layout.columns;
  matrix::AddressExchanges exchanges(conversion.form_before(shape, n));
  if (duplex != Duplex::full) exchanges.take_turns();
  exchanges.copy();
  exchanges.reorder(others_first(layout, shape, exchanges.local_bits()));
  for (Port i = 0; i < layout.shared(); ++i) exchanges.exchange_dimensions(layout.of_row(i), layout.of_column(i));
  for (Port i = 0; i < layout.others(); ++i) {
    exchanges.exchange(layout.other(i), exchanges.local_bits() - 1 - i,
                       i == 0 ? matrix::StripGathering::free : matrix::StripGathering::copying);
  }
  exchanges.copy();
  exchanges.convert_to(conversion.form_after(shape, n));
  return exchanges;
}

Prediction predict_2d_spt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const BlockLayout layout = block_layout(machine, settings);
  const std::uint64_t swaps = layout.shared();
  const std::uint64_t others = layout.others();
  const std::uint64_t turns = model.duplex == Duplex::full ? 1 : 2;  // steps of an exchange of halves
  const Wide processors = machine.processors;
  const std::uint64_t k = matrix::words_a_processor(machine, settings);
  const std::uint64_t whole = model.cost.startups(k);
  const std::uint64_t half = model.cost.startups(k / 2);
  const std::uint64_t copies = 2 + (others > 1 ? others - 1 : 0);
  const std::uint64_t steps = 2 * swaps + turns * others;
  const std::uint64_t longest_sum = 2 * swaps * k + turns * others * (k / 2);
  const bool square = others == 0;
  // The blocks that cross all dimensions never wait, and no other block is later.
  const ModelledTime time = matrix::time_in_step(
      model.cost, 2 * swaps * whole + turns * others * half, longest_sum, copies * k,
      square ? "n (ceil(K/B_m) beta + K tau) + 2 K t_copy"
             : "2 c (ceil(K/B_m) beta + K tau) + d (ceil(K/(2 B_m)) beta + K/2 tau), the latter twice "
               "below full duplex, and (d + 1) K t_copy");
  return {.steps = exact_count(steps, turns == 1 || square ? "n" : "2 c + 2 d, c = min(R,C), d = |R - C|"),
          .messages = exact_count((swaps + others) * processors, square ? "n N/2" : "max(R,C) N"),
          .words = exact_count(Wide{machine.ports} * processors * k / 2, "n N/2 K, K = P Q/N"),
          .longest_sum = exact_count(longest_sum, square       ? "n K"
                                                  : turns == 1 ? "(2 c + d/2) K, c = min(R,C), d = |R - C|"
                                                               : "n K"),
          .startups = exact_count((swaps * whole + others * half) * processors,
                                  square ? "n N/2 ceil(K/B_m)" : "c N ceil(K/B_m) + d N ceil(K/(2 B_m))"),
          .copied_words = exact_count(copies * k * processors, others < 2 ? "2 N K" : "(d + 1) N K, d = |R - C|"),
          .synchronous = time,
          .asynchronous = time};
}

// Blocks that change places as a whole are not copied.
std::uint64_t bytes_2d_spt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const bool is_cut = block_layout(machine, settings).others() > 0;
  return saturated(matrix::bytes_of_exchanges(machine, model) + matrix_bytes(machine, settings, is_cut ? 1 : 0));
}

Outcome run_2d_spt(const RunRequest& request) {
  const BlockLayout layout = block_layout(request.machine, request.settings);
  return matrix::run_exchanges(request, layout.conversion(),
                               swap_dimensions(layout, matrix_shape(request.settings), request.model.duplex));
}

}  // namespace
}  // namespace transpose

extern const Method transpose_2d_spt_method = matrix::transposition({
    .name = "transpose/2d-spt",
    .aliases = {"SPT"},
    .known_as = "two-dimensional transposition, single path transpose (SPT)",
    .mapping = "two-dimensional",
    .source = "Johnsson & Ho, section 6.1.1 (johnsson-ho.md, Two dimensions)",
    .summary = "processors of (r,c) and (c,r) exchange their blocks, bit by bit of r and c, step by step; where one of "
               "these has more bits, halves of blocks change places",
    .parameters = {matrix_parameter, matrix::layout_parameter},
    .strictest_duplex = Duplex::half_node,
    .resolve = [](const MachineSpec& machine, const Model&,
                  Settings& settings) { transpose::resolve_layout(machine, settings, 1); },
    .predict = transpose::predict_2d_spt,
    .bytes = transpose::bytes_2d_spt,
    .run = transpose::run_2d_spt,
});

}  // namespace lockstep
