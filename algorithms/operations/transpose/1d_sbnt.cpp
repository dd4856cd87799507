#include <stdexcept>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "one_dimensional.hpp"
#include "operations/alltoall/sbnt.hpp"

namespace lockstep {

extern const Method alltoall_sbnt_method;

namespace transpose {
namespace {

// The blocks, by columns, of every processor's rows go down its spanning balanced n-tree, all at once. Johnsson & Ho,
// section 5 (johnsson-ho.md, One dimension).

/// Rows and columns of one block.
struct Extent {
  std::uint64_t rows;
  std::uint64_t columns;

  std::uint64_t words() const { return rows * columns; }
};

Extent extent_of_blocks(const MachineSpec& machine, const Settings& settings) {
  return {settings.matrix->rows / machine.processors, settings.matrix->columns / machine.processors};
}

/// The blocks of a processor's rows for the others.
Bundle cut(Rank rank, const Block& rows, const Extent& extent, Rank processors) {
  Bundle pieces;
  pieces.reserve(processors - 1, (processors - 1) * extent.words());
  for (Rank destination = 0; destination < processors; ++destination) {
    if (destination == rank) continue;
    Word* const block = pieces.add(rank, destination, 0, extent.words());
    for (std::uint64_t row = 0; row < extent.rows; ++row) {
      const Word* const from = rows.data() + (row * processors + destination) * extent.columns;
      std::copy_n(from, extent.columns, block + row * extent.columns);
    }
  }
  return pieces;
}

/// Writes a block, transposed, among the columns of its origin.
void place(const Word* block, Rank origin, const Extent& extent, Rank processors, Word* columns) {
  for (std::uint64_t row = 0; row < extent.rows; ++row) {
    for (std::uint64_t column = 0; column < extent.columns; ++column) {
      columns[(column * processors + origin) * extent.rows + row] = *block++;
    }
  }
}

Process transpose_sbnt(Processor<Bundle>& self, const Extent& extent, const alltoall::SbntBases& bases, Block& array) {
  const Rank rank = self.rank();
  Bundle held = cut(rank, array, extent, self.processors());
  co_await alltoall::sbnt(self, bases, held);
  if (held.size() + 1 != self.processors()) throw std::logic_error("other blocks than one of every processor");
  Block columns(array.size());
  Block own(extent.words());
  const Word* const rows = std::as_const(array).data();
  for (std::uint64_t row = 0; row < extent.rows; ++row) {
    const Word* const from = rows + (row * self.processors() + rank) * extent.columns;
    std::copy_n(from, extent.columns, own.data() + row * extent.columns);
  }
  place(own.data(), rank, extent, self.processors(), columns.data());
  for (const Piece& piece : held) place(piece.block.data(), piece.origin, extent, self.processors(), columns.data());
  array = std::move(columns);
}

/// The settings of alltoall/sbnt for the same blocks.
Settings of_blocks(const MachineSpec& machine, const Settings& settings) {
  Settings blocks;
  blocks.words = extent_of_blocks(machine, settings).words();
  return blocks;
}

Outcome run_1d_sbnt(const RunRequest& request) {
  const MatrixShape shape = matrix_shape(request.settings);
  const Port n = request.topology.ports();
  const Extent extent = extent_of_blocks(request.machine, request.settings);
  const alltoall::SbntBases bases(n);
  const MatrixData data(request);
  PerRank<Block> arrays = spread(request, data, place_in(one_dimensional.before, shape, n));
  Outcome outcome;
  outcome.report = run_program<Bundle>(
      request, [&](Processor<Bundle>& self) { return transpose_sbnt(self, extent, bases, arrays[self.rank()]); });
  verify_matrix(request, data, Result::transposed,
                place_in(one_dimensional.after, {shape.column_bits, shape.row_bits}, n), arrays, outcome);
  return outcome;
}

}  // namespace
}  // namespace transpose

extern const Method transpose_1d_sbnt_method = matrix::transposition({
    .name = "transpose/1d-sbnt",
    .known_as = "one-dimensional transposition",
    .mapping = "one-dimensional",
    .source = "Johnsson & Ho, section 5 (johnsson-ho.md, One dimension)",
    .summary = "blocks of rows become blocks of columns: every block moves in every cycle, down the spanning balanced "
               "n-tree of its source",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = transpose::resolve_one_dimensional,
    .predict =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return alltoall_sbnt_method.predict(machine, model, transpose::of_blocks(machine, settings));
        },
    .bytes =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return saturated(Wide{alltoall_sbnt_method.bytes(machine, model, transpose::of_blocks(machine, settings))} +
                           matrix_bytes(machine, settings, 0));
        },
    .run = transpose::run_1d_sbnt,
});

}  // namespace lockstep
