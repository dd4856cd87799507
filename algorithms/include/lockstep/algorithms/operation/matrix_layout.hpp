#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/machines/storage_form.hpp"

namespace lockstep {

/// One bit of the row number of an element, or of its column number.
struct NumberBit {
  bool of_row = true;   ///< if false, of the column number
  unsigned number = 0;  ///< 0 is the lowest

  friend bool operator==(const NumberBit&, const NumberBit&) = default;
};

/// Chosen bits that make a part of the processor's number.
struct ChosenField {
  std::vector<NumberBit> bits;  ///< the highest first
  bool gray = false;            ///< they are the Gray code of a number

  friend bool operator==(const ChosenField&, const ChosenField&) = default;
};

/// The distribution of a matrix over the processors of a cube: one-dimensional, by rows or by columns; two-dimensional,
/// by both; as a band for elimination; or by bits that are chosen one by one.
struct MatrixLayout {
  std::optional<Partition> rows;                ///< of the row numbers, if they choose the processor
  std::optional<Partition> columns;             ///< of the column numbers, if they choose the processor
  std::optional<unsigned> row_dimensions{};     ///< of a two-dimensional layout, if not half, the larger one
  std::optional<unsigned> band_dimensions{};    ///< of the storage of a band: s of them choose among 2^s block rows
  bool band_gray = false;                       ///< every field of the band is in Gray code
  std::vector<ChosenField> chosen_fields = {};  ///< the highest first; else empty

  /// Whether rows and columns both choose the processor, each by its own partition.
  bool is_two_dimensional() const { return rows && columns; }
  /// Bits of the processor's number that come from the row number. For layouts by rows, by columns and by both.
  unsigned row_width(Port dimensions) const {
    return !rows ? 0 : columns ? row_dimensions.value_or((dimensions + 1) / 2) : dimensions;
  }
  /// Bits of the processor's number that come from the column number.
  unsigned column_width(Port dimensions) const { return dimensions - row_width(dimensions); }

  /// Throws std::invalid_argument if the matrix is too small for it, or the cube of the wrong size.
  StorageForm form(const MatrixShape& shape, Port dimensions) const;
  /// The processor of an element, by arithmetic on row and column instead of bits. It is the sum modulo 2, bit by bit,
  /// of those of the row with column 0 and of the column with row 0.
  Rank rank(const MatrixShape& shape, Port dimensions, std::uint64_t row, std::uint64_t column) const;
};

/// The possible names of storage forms, for messages.
extern const std::string storage_form_names;

/// Reads the name of a form: "[gray:]row-SCHEME", "[gray:]column-SCHEME", "2d:[gray:]SCHEME,[gray:]SCHEME", rows
/// first, where SCHEME is consecutive, cyclic, combined=I or split=S; "[gray:]band=S"; or "bits:FIELD,FIELD..", where
/// FIELD is [gray:]BIT+BIT.. and a BIT is u3, v0 or a range u3-u0. Throws InputError, naming the flag.
MatrixLayout parse_layout(std::string_view flag, const std::string& text);

/// R of "R,C", the dimensions of rows and of columns of a two-dimensional layout. Throws InputError, naming --layout,
/// if it is of another form or they are not `dimensions` together.
unsigned parse_row_dimensions(const std::string& text, Port dimensions);

/// Both sides by rows; two-dimensional by consecutive rows and columns. The usual layouts of transpositions.
inline constexpr MatrixLayout consecutive_rows{Partition{}, {}};
inline constexpr MatrixLayout consecutive_blocks{Partition{}, Partition{}};  ///< Consecutive rows and columns

}  // namespace lockstep
