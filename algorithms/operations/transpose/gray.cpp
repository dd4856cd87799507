#include "gray.hpp"

#include "block_transposition.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "plans/packets/block_moves.hpp"

namespace lockstep::transpose {
namespace {

// Conversion of codes and transposition together: for every bit of the row and column numbers, the highest first,
// blocks cross the dimension of the row, then that of the column, if that bit of the rank is not yet the right one. A
// processor may keep its own block while another's passes through. At its destination a block is transposed locally,
// which copies `transposed_words` of it. Johnsson & Ho, section 6.3 (johnsson-ho.md, Gray codes).
Process convert_and_transpose(Processor<LabelledBlock>& self, std::span<const packets::BlockRound> rounds,
                              std::uint64_t transposed_words, LabelledBlock& held) {
  co_await packets::move_blocks(self, rounds, held);
  self.charge(transposed_words);
}

}  // namespace

matrix::Conversion mixed_encoding(const Settings& settings) {
  const Partition binary{};
  const MatrixLayout layout = *settings.encoding == "rows-gray" ? MatrixLayout{gray_consecutive, binary}
                                                                : MatrixLayout{binary, gray_consecutive};
  return {layout, layout, Result::transposed};
}

void resolve_mixed(const MachineSpec& machine, const Model&, Settings& settings) {
  encoding_parameter.resolve(settings);
  resolve_two_dimensional(machine, settings, 1);
}

LowerBound lower_bound_of_gray(const matrix::Conversion& conversion, const MachineSpec& machine, const Model& model,
                               const Settings& settings) {
  constexpr std::uint64_t most_looked_at = std::uint64_t{1} << 20;
  if (machine.processors > most_looked_at) return {};
  std::uint64_t farthest = 0;
  Wide hops = 0;
  for (Rank rank = 0; rank < machine.processors; ++rank) {
    const Port distance = one_bits(rank ^ target_of_block(conversion, matrix::cube_dimensions(machine), rank));
    farthest = std::max<std::uint64_t>(farthest, distance);
    hops += distance;
  }
  const Wide links = Wide{machine.processors} * (model.ports == PortModel::all ? machine.ports : 1);
  return {.steps = farthest,
          .longest_sum = saturated((hops * matrix::words_a_processor(machine, settings) + links - 1) / links)};
}

Outcome run_conversion(const RunRequest& request, const matrix::Conversion& conversion) {
  const Port n = request.topology.ports();
  const packets::BlockRound round{[&](Rank rank) { return target_of_block(conversion, n, rank); }, row_then_column(n)};
  const std::uint64_t transposed_words = words_to_transpose(request.machine, request.settings);
  return run_blocks(request, conversion, [&](PerRank<LabelledBlock>& held) {
    return run_program<LabelledBlock>(request, [&](Processor<LabelledBlock>& self) {
      return convert_and_transpose(self, {&round, 1}, transposed_words, held[self.rank()]);
    });
  });
}

Prediction predict_conversion(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const Wide messages = Wide{n} * machine.processors / 2;
  const std::uint64_t k = matrix::words_a_processor(machine, settings);
  return {.steps = exact_count(n, "n"),
          .messages = exact_count(messages, "n N/2"),
          .words = exact_count(messages * k, "n N/2 K, K = P Q/N"),
          .longest_sum = exact_count(n * k, "n K"),
          .message_words = k,
          .startups = exact_count(messages * model.cost.startups(k), "n N/2 ceil(K/B_m)"),
          .copied_words = copied_to_transpose(machine, settings),
          .synchronous =
              matrix::time_in_step(model.cost, n * model.cost.startups(k), n * k, words_to_transpose(machine, settings),
                                   "n (ceil(K/B_m) beta + K tau), and K t_copy where blocks are transposed locally")};
}

std::uint64_t bytes_of_conversion(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(machine_bytes<LabelledBlock>(machine, model) + matrix_bytes(machine, settings, 1) +
                   Wide{machine.processors} * sizeof(LabelledBlock));
}

}  // namespace lockstep::transpose
