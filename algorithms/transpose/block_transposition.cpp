#include "block_transposition.hpp"

#include "lockstep/machines/gray_code.hpp"

namespace lockstep::transpose {
namespace {

/// The block of so many columns, column by column.
Block transposed(const Block& block, std::uint64_t columns) {
  Block result(block.size());
  std::uint64_t next = 0;
  for (std::uint64_t column = 0; column < columns; ++column) {
    for (std::uint64_t index = column; index < block.size(); index += columns) result[next++] = block[index];
  }
  return result;
}

}  // namespace

Rank target_of_block(const Conversion& conversion, Port dimensions, Rank rank) {
  const Port h = dimensions / 2;
  const auto decoded = [](const Partition& partition, Rank code) { return partition.gray ? inverse_gray(code) : code; };
  const auto coded = [](const Partition& partition, Rank number) { return partition.gray ? gray(number) : number; };
  const Rank row = decoded(*conversion.before.rows, rank >> h);
  const Rank column = decoded(*conversion.before.columns, rank & ((Rank{1} << h) - 1));
  return coded(*conversion.after.rows, column) << h | coded(*conversion.after.columns, row);
}

Outcome run_blocks(const RunRequest& request, const Conversion& conversion, const MoveBlocks& move) {
  const MatrixShape shape = matrix_shape(request.settings);
  const Port n = request.topology.ports();
  const MatrixData data(request);
  std::vector<Block> arrays = spread(request, data, place_in(conversion.before, shape, n));
  std::vector<Piece> held;
  for (Rank rank = 0; rank < arrays.size(); ++rank) {
    held.push_back({rank, target_of_block(conversion, n, rank), 0, std::move(arrays[rank])});
  }
  Outcome outcome;
  outcome.report = move(held);
  const std::uint64_t columns = request.settings.matrix->columns >> n / 2;  // of a block
  for (Rank rank = 0; rank < arrays.size(); ++rank) arrays[rank] = transposed(held[rank].block, columns);
  verify_matrix(request, data, Result::transposed, place_in(conversion.after, {shape.column_bits, shape.row_bits}, n),
                arrays, outcome);
  return outcome;
}

}  // namespace lockstep::transpose
