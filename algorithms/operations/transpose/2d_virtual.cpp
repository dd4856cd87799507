#include <bit>

#include "block_transposition.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/printable.hpp"
#include "plans/packets/block_moves.hpp"

namespace lockstep {
namespace transpose {
namespace {

// A matrix of no more columns than processors in a row of a two-dimensional layout: processor (r||c) has the rows of
// block r of column c; those with c >= 2^q have virtual columns and hold no words. The single path transpose, step by
// step; virtual columns are not sent. Johnsson & Ho, section 6.2, Definition 2 (johnsson-ho.md, Two dimensions).

void resolve_2d_virtual(const MachineSpec& machine, const Model&, Settings& settings) {
  require_even_dimensions(machine);
  const std::uint64_t side = std::uint64_t{1} << machine.ports / 2;
  resolve_matrix(machine, settings, {side, 1});
  if (settings.matrix->columns <= side) return;
  throw InputError("--matrix " + to_string(*settings.matrix) + " has more than " + std::to_string(side) +
                   " columns, so that none would be virtual on " + printable(machine.text) +
                   "; transpose/2d-spt takes it");
}

Outcome run_2d_virtual(const RunRequest& request) {
  const Port h = request.topology.ports() / 2;
  const std::uint64_t rows = request.settings.matrix->rows >> h;  // of a block
  const MatrixData data(request);
  const auto in_blocks = [h](const MatrixSize& size, const MatrixSize& block) {
    return PlaceOf(
        size, [&](std::uint64_t row) { return static_cast<Rank>(row / block.rows << h); },
        [&](std::uint64_t column) { return static_cast<Rank>(column / block.columns); });
  };
  const MatrixSize& size = *request.settings.matrix;
  const MatrixSize block{rows, 1};
  PerRank<Block> arrays = spread(request, data, in_blocks(size, block));
  const auto swapped = [&](Rank rank) { return target_of_block(two_dimensional, 2 * h, rank); };
  const packets::BlockRound round{swapped, row_then_column(2 * h)};
  PerRank<LabelledBlock> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank] = {rank, swapped(rank), 0, std::move(arrays[rank])}; });
  Outcome outcome;
  outcome.report = packets::move_blocks(request, {&round, 1}, held);
  for_all_ranks(request, [&](Rank rank) { arrays[rank] = std::move(held[rank].block); });
  verify_matrix(request, data, Result::transposed, in_blocks(size.transposed(), block.transposed()), arrays, outcome);
  return outcome;
}

// Column c is real in 2^q of 2^h cases. There each of the q lowest bits of row and column differ in half of the blocks,
// and each of the others, 0 in c, where the row's is 1; for each bit that differs a block crosses two links.
Prediction predict_2d_virtual(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const std::uint64_t words = settings.matrix->rows >> n / 2;
  const Wide messages = n / 2 * Wide{settings.matrix->columns} << n / 2;
  return {.steps = exact_count(n, "n"),
          .messages = exact_count(messages, "n/2 2^(h+q), q = log2 Q"),
          .words = exact_count(messages * words, "n/2 P Q"),
          .longest_sum = exact_count(Wide{n} * words, "n P/2^h"),
          .message_words = words,
          .startups = exact_count(messages * model.cost.startups(words), "n/2 2^(h+q) ceil(P/(2^h B_m))")};
}

// The column number is 0 in the bits from q on. Words and hops are those predicted.
LowerBound lower_bound_2d_virtual(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const Wide hops = n / 2 * Wide{matrix_words(settings)};
  const Wide links = Wide{machine.processors} * (model.ports == PortModel::all ? n : 1);
  return {.steps = n, .longest_sum = saturated((hops + links - 1) / links)};
}

std::uint64_t bytes_2d_virtual(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(machine_bytes<LabelledBlock>(machine, model) + matrix_bytes(machine, settings, 1) +
                   Wide{machine.processors} * sizeof(LabelledBlock));
}

}  // namespace
}  // namespace transpose

extern const Method transpose_2d_virtual_method = matrix::transposition({
    .name = "transpose/2d-virtual",
    .known_as = "two-dimensional transposition, virtual columns",
    .mapping = "two-dimensional, virtual columns",
    .source = "Johnsson & Ho, section 6.2, Definition 2 (johnsson-ho.md, Two dimensions)",
    .summary =
        "a matrix of no more than 2^h columns, one for every 2^h processors: the single path transpose, in which "
        "nothing virtual is sent (n = 2h)",
    .parameters = {Parameter{"matrix",
                             "rows x columns of the matrix, powers of two; at least 2^h rows, at most 2^h "
                             "columns",
                             "as --input has, or the smallest that the machine takes"}},
    .strictest_duplex = Duplex::half_node,
    .resolve = transpose::resolve_2d_virtual,
    .predict = transpose::predict_2d_virtual,
    .proven = transpose::lower_bound_2d_virtual,
    .bytes = transpose::bytes_2d_virtual,
    .run = transpose::run_2d_virtual,
});

}  // namespace lockstep
