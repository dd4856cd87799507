#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/algorithms/matrix_size.hpp"
#include "lockstep/algorithms/number_file.hpp"

namespace lockstep {

// Matrices as Matrix Market text files of the dense kind: "%%MatrixMarket matrix array real general", or integer for
// int64; lines of comments, which begin with %; rows and columns; then all numbers, one a line, column by column. Such
// a file has one matrix of at most most_words numbers. All functions throw InputError, one line that names the file.

/// A matrix of int64 or double; its words stand for them as those of number_file.hpp do.
struct Matrix {
  MatrixSize size;                      ///< rows and columns
  NumberType type = NumberType::int64;  ///< what the words stand for
  std::vector<Word> words;              ///< rows * columns of them, column by column as in the file

  /// The number at that place, to be changed.
  Word& at(std::uint64_t row, std::uint64_t column) { return words[column * size.rows + row]; }
  /// The number at that place.
  Word at(std::uint64_t row, std::uint64_t column) const { return words[column * size.rows + row]; }
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

/// The summary of a matrix file.
struct MatrixSummary {
  MatrixSize size;                      ///< rows and columns
  NumberType type = NumberType::int64;  ///< type of its numbers
};

/// Reads the whole file but keeps no number. Refuses a file that is not regular or cannot be read and, naming the line,
/// anything but a dense matrix of finite numbers.
MatrixSummary scan_matrix(const std::string& path);

/// The matrix of the file. Refuses what scan_matrix refuses. Allocates no more numbers than the file has room for.
Matrix read_matrix(const std::string& path);

/// Writes the matrix so that read_matrix reads the same, except for "inf" and "nan": see write_numbers. The file is
/// replaced at once by a new one, or left unchanged.
void write_matrix(const std::string& path, const Matrix& matrix);

}  // namespace lockstep
