#include "block_transposition.hpp"

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/machines/gray_code.hpp"
#include "plans/packets/packet_moves.hpp"

namespace lockstep::transpose {
namespace {

/// The block, which has that many columns, column by column.
Block transposed(const Block& block, std::uint64_t columns) {
  Block result(block.size());
  Word* next = result.data();
  for (std::uint64_t column = 0; column < columns; ++column) {
    for (std::uint64_t index = column; index < block.size(); index += columns) *next++ = block[index];
  }
  return result;
}

}  // namespace

Rank target_of_block(const matrix::Conversion& conversion, Port dimensions, Rank rank) {
  const Port h = dimensions / 2;
  const auto decoded = [](const Partition& partition, Rank code) { return partition.gray ? inverse_gray(code) : code; };
  const auto coded = [](const Partition& partition, Rank number) { return partition.gray ? gray(number) : number; };
  const Rank row = decoded(*conversion.before.rows, rank >> h);
  const Rank column = decoded(*conversion.before.columns, rank & ((Rank{1} << h) - 1));
  return coded(*conversion.after.rows, column) << h | coded(*conversion.after.columns, row);
}

Outcome run_blocks(const RunRequest& request, const matrix::Conversion& conversion, const MoveLabelledBlocks& move) {
  const MatrixShape shape = matrix_shape(request.settings);
  const Port n = request.topology.ports();
  const MatrixData data(request);
  PerRank<Block> arrays = spread(request, data, place_in(conversion.before, shape, n));
  PerRank<LabelledBlock> held(request);
  for_all_ranks(request, [&](Rank rank) {
    held[rank] = {rank, target_of_block(conversion, n, rank), 0, std::move(arrays[rank])};
  });
  Outcome outcome;
  outcome.report = move(held);
  const std::uint64_t columns = request.settings.matrix->columns >> n / 2;  // of a block
  for_all_ranks(request, [&](Rank rank) { arrays[rank] = transposed(held[rank].block, columns); });
  verify_matrix(request, data, Result::transposed, place_in(conversion.after, {shape.column_bits, shape.row_bits}, n),
                arrays, outcome);
  return outcome;
}

std::vector<Port> row_then_column(Port dimensions) {
  std::vector<Port> order;
  for (Port j = dimensions / 2; j-- > 0;) order.insert(order.end(), {j + dimensions / 2, j});
  return order;
}

Prediction predict_in_packets(const MachineSpec& machine, const Model& model, const Settings& settings,
                              std::uint32_t paths) {
  const Wide n = machine.ports;
  const std::uint64_t k = matrix::words_a_processor(machine, settings);
  const std::uint64_t packet_words = *settings.packet_words;
  const Wide packets = packets::PacketCut::full(k / paths, packet_words).packets();
  const StepCounts counts = packets::full_packet_counts(machine.ports, k / paths, packet_words, model.cost);
  const bool one = paths == 1;
  Prediction prediction{
      .steps = exact_count(counts.steps, one ? "ceil(K/B) + n - 1" : "ceil(K/(2B)) + n - 1"),
      .messages =
          exact_count(paths * packets * n * machine.processors / 2, one ? "ceil(K/B) n N/2" : "2 ceil(K/(2B)) n N/2"),
      .words = exact_count(n * machine.processors / 2 * k, "n N/2 K, K = P Q/N"),
      .longest_sum = exact_count(counts.longest_sum, "B for every step, but for the last packet's last"),
      .message_words = k / paths % packet_words == 0 ? std::optional(packet_words) : std::nullopt,
      .longest_startups = counts.startups};
  if (model.cost.startup == StartupPer::path) {
    prediction.message_words.reset();
    prediction.longest_startups.reset();
    prediction.synchronous = {packets::full_packet_time(machine.ports, k / paths, packet_words, model.cost),
                              "start-ups once a path: every packet's start, and the words of the last hops"};
  }
  return prediction;
}

std::uint64_t bytes_in_packets(const MachineSpec& machine, const Model& model, const Settings& settings,
                               std::uint32_t paths) {
  return saturated(Wide{packets::bytes_of_packets(machine, model, matrix::words_a_processor(machine, settings),
                                                  *settings.packet_words, paths)} +
                   matrix_bytes(machine, settings, 0));
}

}  // namespace lockstep::transpose
