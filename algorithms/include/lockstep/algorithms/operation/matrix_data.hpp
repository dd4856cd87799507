#pragma once

#include <functional>
#include <span>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/matrix_file.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/operation/matrix_layout.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_request.hpp"

// What the methods that move matrices share: their parameters, data and oracle.
namespace lockstep {

/// For every method that moves a matrix.
inline constexpr Parameter matrix_parameter{"matrix", "rows x columns of the matrix, powers of two",
                                            "as --input has, or the smallest that the machine takes"};
/// The source of the matrix.
inline constexpr Parameter matrix_input_parameter{"input", "dense Matrix Market file of the matrix",
                                                  "generated from --seed"};
/// The file for the final matrix.
inline constexpr Parameter matrix_output_parameter{"output", "Matrix Market file for the matrix as it is in the end",
                                                   "none"};

/// Fills in --matrix from --input or as `least`, and checks it: powers of two, no side less than that of `least`, no
/// more than most_words elements. Reads the whole of --input, and checks that --output can be written. Throws
/// InputError.
void resolve_matrix(const MachineSpec& machine, Settings& settings, const MatrixSize& least);

/// The user's name of the matrix, for refusals: "--matrix 3x2" or "FILE (3x2)"; else as the machine's default.
std::string matrix_text(const MachineSpec& machine, const Settings& given, const MatrixSize& size);

/// p and q of --matrix, which is resolved.
MatrixShape matrix_shape(const Settings& settings);
/// P Q.
std::uint64_t matrix_words(const Settings& settings);

/// The effect of a run on the matrix.
enum class Result {
  same,       ///< its layout changes, and no element
  transposed  ///< rows become columns
};

/// The matrix before the run, read from --input or generated.
class MatrixData {
 public:
  /// Reads the file, if there is one. Throws InputError if the file cannot be read (any more).
  explicit MatrixData(const RunRequest& request);

  /// The type of its elements; int64 where they are generated.
  NumberType type() const { return input_.type; }
  /// Writes a row of the matrix, or of the resulting one.
  void write_row(Result result, std::uint64_t row, std::span<Word> words) const;

 private:
  std::uint64_t seed_;
  Matrix input_;  // no words if generated
};

/// The processor of every element of a matrix: some bits of its number come from the element's row, and others from its
/// column, so that two tables suffice.
class PlaceOf {
 public:
  /// Adjacent columns whose elements in a row belong to one processor.
  struct Run {
    Rank column_bits;       ///< the columns' share of the processor's number, modulo 2 in every bit
    std::uint64_t columns;  ///< how many there are
  };

  /// The functions give a row's and a column's share of the processor's number, modulo 2 in every bit.
  PlaceOf(const MatrixSize& size, const std::function<Rank(std::uint64_t row)>& row_bits,
          const std::function<Rank(std::uint64_t column)>& column_bits);

  /// Calls visit(rank, columns) for the runs of the row, in their order.
  template <class Visit>
  void for_runs(std::uint64_t row, const Visit& visit) const {
    for (const Run& run : runs_) visit(row_bits_[row] ^ run.column_bits, run.columns);
  }

 private:
  std::vector<Rank> row_bits_;
  std::vector<Run> runs_;
};

/// The elements of every processor, in row-major order.
PerRank<Block> spread(const RunRequest& request, const MatrixData& data, const PlaceOf& place_of);

/// Compares the elements that the processors hold after the run with the resulting matrix: every processor has its own,
/// in row-major order. Uses no bits and no schedule. Fills in wrong, data_digest and verify_seconds. If all is right,
/// writes the output.
void verify_matrix(const RunRequest& request, const MatrixData& data, Result result, const PlaceOf& place_of,
                   const PerRank<Block>& arrays, Outcome& outcome);

/// The place of elements in that layout.
PlaceOf place_in(const MatrixLayout& layout, const MatrixShape& shape, Port dimensions);

/// Bytes of the matrix: in arrays, once more `copies` times (on its way, or in another order), and in files.
Wide matrix_bytes(const MachineSpec& machine, const Settings& settings, unsigned copies);

}  // namespace lockstep
