#include <bit>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/printable.hpp"
#include "one_dimensional.hpp"
#include "operations/some_to_all/exchange.hpp"

namespace lockstep {

extern const method::MethodPair some_to_all_exchange_methods;

namespace transpose {
namespace {

// A matrix of fewer columns than processors: processor v has column v; those from 2^q on have virtual columns and hold
// no words. Every processor gets the x-th block of the rows, which are columns of the transposed matrix. Some-to-all
// with l = q: at first every column is split, then blocks are exchanged. Johnsson & Ho, section 5 (johnsson-ho.md, One
// dimension).
Process transpose_columns(Processor<Bundle>& self, const some_to_all::StepOrder& order, Block& array) {
  const Rank rank = self.rank();
  const Rank processors = self.processors();
  const std::uint64_t rows = array.size() / processors;  // of a block
  Bundle held;
  held.reserve(processors, array.size());
  for (Rank destination = 0; destination < processors && rows > 0; ++destination) {
    held.add({rank, destination, 0, array.words().subspan(destination * rows, rows)});
  }
  co_await some_to_all::exchange_in_order(self, held, order);
  std::vector<Piece> columns = held.pieces();
  std::sort(columns.begin(), columns.end(), [](const Piece& a, const Piece& b) { return a.origin < b.origin; });
  array = Block(words(held));
  Word* next = array.data();
  for (const Piece& column : columns) next = std::copy_n(column.block.data(), column.block.size(), next);
}

/// q: the processors below 2^q have a column.
Port sources_of(const Settings& settings) { return static_cast<Port>(std::countr_zero(settings.matrix->columns)); }

void resolve_1d_virtual(const MachineSpec& machine, const Model&, Settings& settings) {
  resolve_matrix(machine, settings, {machine.processors, 1});
  if (settings.matrix->columns <= machine.processors) return;
  throw InputError("--matrix " + to_string(*settings.matrix) + " has more columns than " + printable(machine.text) +
                   " has processors, so that none would be virtual; transpose/1d-exchange takes it");
}

/// The settings of some-to-all/exchange for the same blocks.
Settings of_blocks(const Settings& settings) {
  Settings blocks;
  blocks.words = matrix_words(settings);
  blocks.sources = sources_of(settings);
  return blocks;
}

Outcome run_1d_virtual(const RunRequest& request) {
  const MatrixSize& size = *request.settings.matrix;
  const std::uint64_t rows = size.rows / request.topology.processors();
  const some_to_all::StepOrder order =
      some_to_all::step_order(request.machine, of_blocks(request.settings), some_to_all::Direction::some_to_all);
  const MatrixData data(request);
  const auto by_columns = [](const MatrixSize& of, std::uint64_t columns) {  // that many columns per processor
    return PlaceOf(
        of, [](std::uint64_t) { return Rank{0}; },
        [&](std::uint64_t column) { return static_cast<Rank>(column / columns); });
  };
  PerRank<Block> arrays = spread(request, data, by_columns(size, 1));
  Outcome outcome;
  outcome.report = run_program<Bundle>(
      request, [&](Processor<Bundle>& self) { return transpose_columns(self, order, arrays[self.rank()]); });
  verify_matrix(request, data, Result::transposed, by_columns(size.transposed(), rows), arrays, outcome);
  return outcome;
}

}  // namespace
}  // namespace transpose

extern const Method transpose_1d_virtual_method = matrix::transposition({
    .name = "transpose/1d-virtual",
    .known_as = "one-dimensional transposition, virtual columns",
    .mapping = "one-dimensional, virtual columns",
    .source = "Johnsson & Ho, section 5 (johnsson-ho.md, One dimension)",
    .summary = "a matrix of no more columns than processors, one a processor: columns are split until all have a "
               "part, then exchanged",
    .parameters = {Parameter{"matrix",
                             "rows x columns of the matrix, powers of two; at least 2^n rows, at most 2^n "
                             "columns",
                             "as --input has, or the smallest that the machine takes"}},
    .strictest_duplex = Duplex::half_node,
    .resolve = transpose::resolve_1d_virtual,
    .predict =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return some_to_all_exchange_methods.front().predict(machine, model, transpose::of_blocks(settings));
        },
    .proven =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return some_to_all_exchange_methods.front().proven(machine, model, transpose::of_blocks(settings));
        },
    .bytes =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return saturated(
              Wide{some_to_all_exchange_methods.front().bytes(machine, model, transpose::of_blocks(settings))} +
              matrix_bytes(machine, settings, 0));
        },
    .run = transpose::run_1d_virtual,
});

}  // namespace lockstep
