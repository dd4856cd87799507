#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

/// The extent of a matrix.
struct MatrixSize {
  std::uint64_t rows = 0;     ///< from top to bottom
  std::uint64_t columns = 0;  ///< from left to right

  /// The extent of the transposed matrix.
  MatrixSize transposed() const { return {columns, rows}; }
  friend bool operator==(const MatrixSize&, const MatrixSize&) = default;
};

/// "64x16".
inline std::string to_string(const MatrixSize& size) {
  return std::to_string(size.rows) + "x" + std::to_string(size.columns);
}

}  // namespace lockstep
