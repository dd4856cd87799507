#include "two_dimensional.hpp"

#include <algorithm>

#include "lockstep/core/printable.hpp"

namespace lockstep::transpose {

namespace {

void require_words(const MachineSpec& machine, const Settings& as_given, const Settings& settings,
                   std::uint64_t least_words) {
  const std::uint64_t k = matrix::words_a_processor(machine, settings);
  if (k >= least_words) return;
  throw InputError(matrix_text(machine, as_given, *settings.matrix) + " is too small: it gives a processor of " +
                   printable(machine.text) + " " + counted(k, "word") + ", and its parts take at least " +
                   std::to_string(least_words));
}

}  // namespace

matrix::Conversion BlockLayout::conversion() const {
  matrix::Conversion conversion = two_dimensional;
  conversion.before.row_dimensions = conversion.after.row_dimensions = rows;
  return conversion;
}

BlockLayout block_layout(const MachineSpec& machine, const Settings& settings) {
  const Port n = matrix::cube_dimensions(machine);
  const Port rows = settings.layout ? parse_row_dimensions(*settings.layout, n) : (n + 1) / 2;
  return {rows, n - rows};
}

void resolve_layout(const MachineSpec& machine, Settings& settings, std::uint64_t least_words) {
  const BlockLayout layout = block_layout(machine, settings);
  const std::uint64_t side = std::uint64_t{1} << layout.most();
  const Settings as_given = settings;
  const bool given = settings.matrix || settings.input;
  const std::uint64_t words = side * side / machine.processors;  // of the smallest matrix
  resolve_matrix(machine, settings, {side, given || words >= least_words ? side : side * least_words / words});
  require_words(machine, as_given, settings, least_words);
}

void require_even_dimensions(const MachineSpec& machine) {
  if (machine.ports >= 2 && machine.ports % 2 == 0) return;
  throw InputError(printable(machine.text) + " has " + counted(machine.ports, "dimension") +
                   ": whole blocks change places only where rows and columns have equally many, 1 or more; "
                   "transpose/2d-spt, transpose/2d-pivot, one-dimensional transpositions and convert/exchange take "
                   "any number");
}

void resolve_two_dimensional(const MachineSpec& machine, Settings& settings, std::uint64_t least_words) {
  require_even_dimensions(machine);
  resolve_layout(machine, settings, least_words);
}

std::uint64_t words_to_transpose(const MachineSpec& machine, const Settings& settings) {
  const MatrixSize block{settings.matrix->rows >> machine.ports / 2, settings.matrix->columns >> machine.ports / 2};
  return block.rows > 1 && block.columns > 1 ? block.rows * block.columns : 0;
}

std::optional<Count> copied_to_transpose(const MachineSpec& machine, const Settings& settings) {
  const std::uint64_t words = words_to_transpose(machine, settings);
  return exact_count(Wide{words} * machine.processors, words > 0 ? "N K, every block is transposed locally"
                                                                 : "0, as a block of one row or column stays as it is");
}

}  // namespace lockstep::transpose
