#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lockstep/machines/storage_form.hpp"

namespace lockstep {

/// How a matrix is spread over the processors of a cube: one-dimensional, by its rows or by its columns, or
/// two-dimensional, by both, with half of the dimensions for each.
struct MatrixLayout {
  std::optional<Partition> rows;     ///< of the row numbers, if they choose the processor
  std::optional<Partition> columns;  ///< of the column numbers, if they choose the processor

  /// Whether both do.
  bool is_two_dimensional() const { return rows && columns; }
  /// Of the processor's number, bits that come from the row number, and from the column number.
  unsigned row_width(Port dimensions) const { return !rows ? 0 : columns ? dimensions / 2 : dimensions; }
  /// Bits of the processor's number that come from the column number.
  unsigned column_width(Port dimensions) const { return dimensions - row_width(dimensions); }

  /// Throws std::invalid_argument if the matrix is too small for it.
  StorageForm form(const MatrixShape& shape, Port dimensions) const;
  /// The processor of an element, by arithmetic on row and column instead of bits.
  Rank rank(const MatrixShape& shape, Port dimensions, std::uint64_t row, std::uint64_t column) const;
};

/// Reads the name of a form: "[gray:]row-SCHEME", "[gray:]column-SCHEME" or "2d:[gray:]SCHEME,[gray:]SCHEME", rows
/// first, where SCHEME is consecutive, cyclic, combined=I or split=S. Throws InputError, naming the flag.
MatrixLayout parse_layout(std::string_view flag, const std::string& text);

/// Both sides by rows; two-dimensional by consecutive rows and columns. What most transpositions use.
inline constexpr MatrixLayout consecutive_rows{Partition{}, {}};
inline constexpr MatrixLayout consecutive_blocks{Partition{}, Partition{}};  ///< Consecutive rows and columns

}  // namespace lockstep
