#include "lockstep/algorithms/operation/transpose.hpp"

#include <algorithm>
#include <utility>

#include "lockstep/algorithms/per_rank.hpp"

namespace lockstep::transpose {
namespace {

/// The blocks of rows and of columns that belong to the processors, one after the other.
struct ProcessorStrips {
  explicit ProcessorStrips(const RunRequest& request)
      : processors(request.topology.processors()),
        rows(request.settings.matrix->rows / processors),
        columns(request.settings.matrix->columns / processors) {}

  PlaceOf place_of(const MatrixSize& size) const {
    return {size,
            [rows_of_one = size.rows / processors](std::uint64_t row) { return static_cast<Rank>(row / rows_of_one); },
            [](std::uint64_t) { return Rank{0}; }};
  }

  Rank processors;
  std::uint64_t rows;     ///< of one processor before the run
  std::uint64_t columns;  ///< of one processor's block for another; its rows after the run
};

/// The block of a processor's rows for the destination, transposed.
Block transposed_block(const ProcessorStrips& cut, const Block& own_rows, Rank destination) {
  Block block(cut.rows * cut.columns);
  Word* to = block.data();
  const std::uint64_t width = cut.columns * cut.processors;
  for (std::uint64_t column = 0; column < cut.columns; ++column) {
    for (std::uint64_t row = 0; row < cut.rows; ++row) {
      *to++ = own_rows.words()[row * width + destination * cut.columns + column];
    }
  }
  return block;
}

/// Puts the origin's block, or the first words of it, into rows of the transposed matrix.
void put(const ProcessorStrips& cut, Rank origin, std::span<const Word> block, Block& rows) {
  const std::uint64_t width = cut.rows * cut.processors;
  for (std::uint64_t index = 0; index < std::min(block.size(), cut.rows * cut.columns); ++index) {
    rows[index / cut.rows * width + origin * cut.rows + index % cut.rows] = block[index];
  }
}

void resolve_transpose(const MachineSpec& machine, const Model&, Settings& settings) {
  resolve_matrix(machine, settings, {machine.processors, machine.processors});
}

std::uint64_t bytes_transpose(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide blocks = Wide{machine.processors} * machine.processors;
  const std::uint64_t words = matrix_words(settings) / machine.processors / machine.processors;
  return saturated(machine_bytes<Bundle>(machine, model) + matrix_bytes(machine, settings, 0) +
                   blocks * Wide{Bundle::bytes(1, words)});
}

}  // namespace

Method with_defaults(Method own) {
  return filled_in(std::move(own), {.operation = "transpose",
                                    .known_as = "one-dimensional transposition",
                                    .mapping = "one-dimensional",
                                    .parameters = {matrix_parameter, matrix_input_parameter, matrix_output_parameter},
                                    .resolve = resolve_transpose,
                                    .bytes = bytes_transpose});
}

Outcome run(const RunRequest& request, Process (*program)(Processor<Bundle>&, Bundle&)) {
  const ProcessorStrips cut(request);
  const MatrixData data(request);
  PerRank<Block> rows = spread(request, data, cut.place_of(*request.settings.matrix));
  PerRank<Bundle> held(request);
  for_all_ranks(request, [&](Rank rank) {
    Block transposed(rows[rank].size());
    for (Rank other = 0; other < cut.processors; ++other) {
      Block block = transposed_block(cut, rows[rank], other);
      if (other == rank) {
        put(cut, rank, block.words(), transposed);
      } else {
        held[rank].add(LabelledBlock{.origin = rank, .destination = other, .block = std::move(block)});
      }
    }
    rows[rank] = std::move(transposed);
  });
  Outcome outcome;
  outcome.report =
      run_program<Bundle>(request, [&](Processor<Bundle>& self) { return program(self, held[self.rank()]); });
  for_all_ranks(request, [&](Rank rank) {
    for (const Piece& piece : held[rank]) {
      if (piece.destination == rank && piece.origin < cut.processors) put(cut, piece.origin, piece.block, rows[rank]);
    }
  });
  verify_matrix(request, data, Result::transposed, cut.place_of(request.settings.matrix->transposed()), rows, outcome);
  return outcome;
}

}  // namespace lockstep::transpose
