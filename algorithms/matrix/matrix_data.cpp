#include "matrix_data.hpp"

#include <bit>
#include <chrono>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep {
namespace {

void refuse_unless_power_of_two(const std::string& matrix, std::uint64_t extent, const char* what) {
  if (std::has_single_bit(extent)) return;
  throw InputError(matrix + ": " + std::to_string(extent) + " " + what + " are no power of two; " +
                   std::to_string(std::bit_floor(extent)) + " or " + std::to_string(std::bit_ceil(extent)) +
                   " would fit");
}

MatrixSize resulting(const Settings& settings, Result result) {
  return result == Result::transposed ? settings.matrix->transposed() : *settings.matrix;
}

std::string element_text(std::uint64_t row, std::uint64_t column) {
  std::string text(1, '(');
  return text += std::to_string(row) + "," + std::to_string(column) + ")";
}

}  // namespace

std::string matrix_text(const MachineSpec& machine, const Settings& given, const MatrixSize& size) {
  if (given.input) return input_name(*given.input) + " (" + to_string(size) + ")";
  if (given.matrix) return "--matrix " + to_string(size);
  return "the smallest matrix for " + printable(machine.text) + ", " + to_string(size) + ",";
}

void resolve_matrix(const MachineSpec& machine, Settings& settings, const MatrixSize& least) {
  std::optional<MatrixSize> given = settings.matrix;
  if (settings.input) {
    given = scan_matrix(*settings.input).size;
    if (settings.matrix && settings.matrix != given) {
      throw InputError("--matrix " + to_string(*settings.matrix) + " does not fit " + input_name(*settings.input) +
                       ", which is " + to_string(*given));
    }
  }
  const MatrixSize size = given.value_or(least);
  const std::string text = matrix_text(machine, settings, size);
  refuse_unless_power_of_two(text, size.rows, "rows");
  refuse_unless_power_of_two(text, size.columns, "columns");
  if (size.rows < least.rows || size.columns < least.columns) {
    throw InputError(text + " is too small for " + printable(machine.text) + ", which takes at least " +
                     to_string(least));
  }
  if (Wide{size.rows} * size.columns > most_words) {
    throw InputError(text + " is too large: at most " + std::to_string(most_words) + " elements");
  }
  settings.matrix = size;
  if (settings.output) check_writable(*settings.output);
}

MatrixShape matrix_shape(const Settings& settings) {
  return {static_cast<unsigned>(std::countr_zero(settings.matrix->rows)),
          static_cast<unsigned>(std::countr_zero(settings.matrix->columns))};
}

std::uint64_t matrix_words(const Settings& settings) { return settings.matrix->rows * settings.matrix->columns; }

MatrixData::MatrixData(const RunRequest& request) : seed_(request.settings.seed) {
  if (!request.settings.input) return;
  input_ = read_matrix(*request.settings.input);
  if (input_.size != request.settings.matrix) {
    throw InputError(*request.settings.input + " has changed meanwhile");
  }
}

Word MatrixData::at(std::uint64_t row, std::uint64_t column) const {
  if (!input_.words.empty()) return input_.at(row, column);
  return generated_word(seed_, static_cast<Rank>(row), static_cast<Rank>(column), 0);
}

std::vector<Block> spread(const RunRequest& request, const MatrixData& data, const PlaceOf& place_of) {
  const auto& [rows, columns] = *request.settings.matrix;
  std::vector<std::uint64_t> sizes(request.topology.processors());
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t column = 0; column < columns; ++column) ++sizes.at(place_of(row, column));
  }
  std::vector<Block> arrays(sizes.begin(), sizes.end());
  std::vector<std::uint64_t> next(sizes.size());
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t column = 0; column < columns; ++column) {
      const Rank rank = place_of(row, column);
      arrays[rank][next[rank]++] = data.at(row, column);
    }
  }
  return arrays;
}

void verify_matrix(const RunRequest& request, const MatrixData& data, Result result, const PlaceOf& place_of,
                   const std::vector<Block>& arrays, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const MatrixSize size = resulting(request.settings, result);
  const bool transposed = result == Result::transposed;
  Matrix matrix{size, data.type(), {}};
  if (request.settings.output) matrix.words.resize(matrix_words(request.settings));
  std::vector<std::uint64_t> next(arrays.size());
  Digest digest;
  for (std::uint64_t row = 0; row < size.rows; ++row) {
    for (std::uint64_t column = 0; column < size.columns; ++column) {
      const Rank rank = place_of(row, column);
      const std::uint64_t index = next[rank]++;
      const Word right = transposed ? data.at(column, row) : data.at(row, column);
      const bool missing = index >= arrays[rank].size();
      const Word held = missing ? 0 : arrays[rank][index];
      digest.add(held);
      if (!matrix.words.empty()) matrix.at(row, column) = held;
      if ((missing || held != right) && outcome.wrong.empty()) {
        outcome.wrong = "rank " + std::to_string(rank) + (missing ? " does not hold" : " holds something else than") +
                        " element " + element_text(row, column) + " of the resulting matrix at index " +
                        std::to_string(index);
      }
    }
  }
  for (Rank rank = 0; rank < arrays.size(); ++rank) {
    if (next[rank] < arrays[rank].size() && outcome.wrong.empty()) {
      outcome.wrong = "rank " + std::to_string(rank) + " holds " + std::to_string(arrays[rank].size()) +
                      " words, and should hold " + std::to_string(next[rank]);
    }
  }
  outcome.data_digest = digest.value();
  outcome.verify_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (request.settings.output && outcome.wrong.empty()) write_matrix(*request.settings.output, matrix);
}

PlaceOf place_in(const MatrixLayout& layout, const MatrixShape& shape, Port dimensions) {
  return [=](std::uint64_t row, std::uint64_t column) { return layout.rank(shape, dimensions, row, column); };
}

Wide matrix_bytes(const MachineSpec& machine, const Settings& settings, unsigned copies) {
  const Wide words = matrix_words(settings);
  const Wide files = (settings.input ? 1 : 0) + (settings.output ? 1 : 0);
  return words * sizeof(Word) * (1 + copies + files) +
         Wide{machine.processors} * (sizeof(Block) + 2 * sizeof(std::uint64_t));
}

}  // namespace lockstep
