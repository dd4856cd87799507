#pragma once

#include "operations/matrix/matrix_exchanges.hpp"

// What the two-dimensional transpositions share (Johnsson & Ho, section 6; johnsson-ho.md, Two dimensions to Gray
// codes). The cube has n = 2h dimensions; processor (r||c), r the high h bits of its rank, holds block (r,c) of the
// matrix. Afterwards (c||r) holds it, transposed.
namespace lockstep::transpose {

inline constexpr matrix::Conversion two_dimensional{consecutive_blocks, consecutive_blocks, Result::transposed};

/// A layout of n_r = R dimensions of rows and n_c = C of columns: the R highest dimensions have the R highest bits of
/// the row number, afterwards those of the old column number; the others those of the other number.
struct BlockLayout {
  Port rows;     ///< R
  Port columns;  ///< C

  /// Pairs of a row's and a column's dimension that change places.
  Port shared() const { return rows < columns ? rows : columns; }
  /// Dimensions that get a bit which was local.
  Port others() const { return rows + columns - 2 * shared(); }
  /// The larger of R and C; P and Q are at least 2 to that power.
  Port most() const { return shared() + others(); }
  /// The dimension that has the i-th highest bit of the row number before the run, of the column number afterwards.
  Port of_row(Port i) const { return rows + columns - 1 - i; }
  /// The dimension that has the i-th highest bit of the column number before the run, of the row number afterwards.
  Port of_column(Port i) const { return columns - 1 - i; }
  /// The i-th of the others, from 0.
  Port other(Port i) const { return rows > columns ? of_row(shared() + i) : of_column(shared() + i); }
  /// The local bit that it gets, as the row numbers' bits lie above the column numbers' in the address.
  unsigned local_bit_for(Port i, const MatrixShape& shape) const {
    return rows > columns ? shape.column_bits - columns - 1 - i : shape.address_bits() - rows - columns - 1 - i;
  }
  /// The conversion of the whole matrix.
  matrix::Conversion conversion() const;
};

/// The layout of --layout, or half of the dimensions each, rows the larger half.
BlockLayout block_layout(const MachineSpec& machine, const Settings& settings);

/// Any layout; at least 2^max(R,C) rows and columns, or K words per processor if that is more: K is a power of two.
void resolve_layout(const MachineSpec& machine, Settings& settings, std::uint64_t least_words);

/// Throws InputError if the number of dimensions is odd, or 0.
void require_even_dimensions(const MachineSpec& machine);

/// Even dimensions; at least 2^h rows and columns, or K words per processor if that is more: K is a power of two.
void resolve_two_dimensional(const MachineSpec& machine, Settings& settings, std::uint64_t least_words);

/// Words that a processor copies when it transposes its block, where rows and columns have the same number of
/// dimensions: K, or none if the block is one row or one column.
std::uint64_t words_to_transpose(const MachineSpec& machine, const Settings& settings);
/// The words of all processors.
std::optional<Count> copied_to_transpose(const MachineSpec& machine, const Settings& settings);

}  // namespace lockstep::transpose
