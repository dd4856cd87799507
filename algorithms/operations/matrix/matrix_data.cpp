#include "lockstep/algorithms/operation/matrix_data.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <functional>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/verification.hpp"
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
  if (input_.size != request.settings.matrix) refuse_changed(*request.settings.input);
}

void MatrixData::write_row(Result result, std::uint64_t row, std::span<Word> words) const {
  const bool transposed = result == Result::transposed;
  if (!input_.words.empty()) {
    for (std::uint64_t column = 0; column < words.size(); ++column) {
      words[column] = transposed ? input_.at(column, row) : input_.at(row, column);
    }
    return;
  }
  const auto fixed = static_cast<Rank>(row);
  if (transposed) {
    for (Rank column = 0; column < words.size(); ++column) words[column] = generated_word(seed_, column, fixed, 0);
  } else {
    for (Rank column = 0; column < words.size(); ++column) words[column] = generated_word(seed_, fixed, column, 0);
  }
}

PlaceOf::PlaceOf(const MatrixSize& size, const std::function<Rank(std::uint64_t row)>& row_bits,
                 const std::function<Rank(std::uint64_t column)>& column_bits)
    : row_bits_(size.rows) {
  for (std::uint64_t row = 0; row < size.rows; ++row) row_bits_[row] = row_bits(row);
  for (std::uint64_t column = 0; column < size.columns; ++column) {
    const Rank bits = column_bits(column);
    if (runs_.empty() || runs_.back().column_bits != bits) runs_.push_back({bits, 0});
    ++runs_.back().columns;
  }
}

PerRank<Block> spread(const RunRequest& request, const MatrixData& data, const PlaceOf& place_of) {
  const auto& [rows, columns] = *request.settings.matrix;
  const Division* const division = request.division;
  PerRank<std::uint64_t> sizes(request);
  for (std::uint64_t row = 0; row < rows; ++row) {
    place_of.for_runs(row, [&](Rank rank, std::uint64_t count) {
      if (is_here(division, rank)) sizes[rank] += count;
    });
  }
  PerRank<Block> arrays(request);
  PerRank<Word*> next(request);
  for_all_ranks(request, [&](Rank rank) {
    arrays[rank] = Block(sizes[rank]);
    next[rank] = arrays[rank].data();
  });
  std::vector<Word> words(columns);
  for (std::uint64_t row = 0; row < rows; ++row) {
    data.write_row(Result::same, row, words);
    const Word* from = words.data();
    place_of.for_runs(row, [&](Rank rank, std::uint64_t count) {
      if (is_here(division, rank)) next[rank] = std::copy_n(from, count, next[rank]);
      from += count;
    });
  }
  return arrays;
}

namespace {

/// Consecutive rows of the resulting matrix, compared independently of the others.
struct Rows {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  PerRank<std::uint64_t> next;    ///< the index of the next element in its array
  std::string wrong{};            ///< the first error
  std::uint64_t wrong_place = 0;  ///< its place, row by row
};

/// The rows in as many parts as there are workers, each with the indices at which it begins.
std::vector<Rows> parts_of(const RunRequest& request, const MatrixSize& size, const PlaceOf& place_of) {
  const unsigned workers = request.executor.workers();
  std::vector<Rows> parts;
  for (unsigned part = 0; part < workers; ++part) {
    parts.push_back({size.rows * part / workers, size.rows * (part + 1) / workers, PerRank<std::uint64_t>(request)});
  }
  request.executor.for_ranges(parts.size() - 1, [&](unsigned, std::size_t first, std::size_t last) {
    for (std::size_t part = first; part < last; ++part) {
      for (std::uint64_t row = parts[part].first; row < parts[part].end; ++row) {
        place_of.for_runs(row, [&](Rank rank, std::uint64_t count) {
          if (is_here(request.division, rank)) parts[part + 1].next[rank] += count;
        });
      }
    }
  });
  for (unsigned part = 1; part < workers; ++part) {
    for_all_ranks(request, [&](Rank rank) { parts[part].next[rank] += parts[part - 1].next[rank]; });
  }
  return parts;
}

/// Ranks with a wrong element.
using WrongRanks = std::vector<std::atomic<bool>>;

/// Compares the elements of these rows; afterwards `next` is where the arrays go on.
void compare(const RunRequest& request, const Outcome& outcome, Rows& rows, const MatrixData& data, Result result,
             const PlaceOf& place_of, const PerRank<Block>& arrays, Matrix& matrix, WrongRanks& wrong_ranks) {
  std::vector<Word> row_words(matrix.size.columns);
  for (std::uint64_t row = rows.first; row < rows.end; ++row) {
    data.write_row(result, row, row_words);
    std::uint64_t column = 0;
    place_of.for_runs(row, [&](Rank rank, std::uint64_t count) {
      column += count;
      if (!is_judged(request, outcome, rank)) return;
      const std::uint64_t first = column - count;
      const std::span<const Word> array = arrays[rank].words();
      const std::uint64_t index = std::min<std::uint64_t>(rows.next[rank], array.size());
      const std::span<const Word> held = array.subspan(index, std::min(count, array.size() - index));
      const std::span<const Word> due(row_words.data() + first, count);
      const auto right = static_cast<std::uint64_t>(std::ranges::mismatch(held, due).in1 - held.begin());
      if (right < count) wrong_ranks[rank].store(true, std::memory_order_relaxed);
      if (right < count && rows.wrong.empty()) {
        rows.wrong_place = row * row_words.size() + first + right;
        rows.wrong = "rank " + std::to_string(rank) +
                     (right == held.size() ? " does not hold" : " holds something else than") + " element " +
                     element_text(row, first + right) + " of the resulting matrix at index " +
                     std::to_string(rows.next[rank] + right);
      }
      if (!matrix.words.empty()) {
        for (std::uint64_t place = 0; place < held.size(); ++place) matrix.at(row, first + place) = held[place];
      }
      rows.next[rank] += count;
    });
  }
}

}  // namespace

void verify_matrix(const RunRequest& request, const MatrixData& data, Result result, const PlaceOf& place_of,
                   const PerRank<Block>& arrays, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const MatrixSize size = resulting(request.settings, result);
  Matrix matrix{size, data.type(), {}};
  if (request.settings.output) matrix.words.resize(matrix_words(request.settings));
  std::vector<Rows> parts = parts_of(request, size, place_of);
  WrongRanks wrong_ranks(request.topology.processors());
  request.executor.for_ranges(parts.size(), [&](unsigned, std::size_t first, std::size_t last) {
    for (std::size_t part = first; part < last; ++part) {
      compare(request, outcome, parts[part], data, result, place_of, arrays, matrix, wrong_ranks);
    }
  });
  const PerRank<std::uint64_t>& due = parts.back().next;
  const auto judge = [&](Rank rank) -> Verdict {
    const std::span<const Word> held = arrays[rank].words();
    if (held.size() <= due[rank]) return {digest_of(held), {}};
    return {digest_of(held), "rank " + std::to_string(rank) + " holds " + std::to_string(held.size()) +
                                 " words, and should hold " + std::to_string(due[rank])};
  };
  verify_ranks(request, start, judge, outcome, [&](Rank rank) { return !wrong_ranks[rank]; });
  const auto wrong = std::ranges::find_if(parts, [](const Rows& rows) { return !rows.wrong.empty(); });
  outcome.wrong_place = size.rows * size.columns;  // surplus words are reported last
  if (wrong != parts.end()) blame(outcome, wrong->wrong_place, wrong->wrong);
  agree(request, outcome);
  if (!request.settings.output || !outcome.wrong.empty()) return;
  // Each process has filled in its own elements, and left the others 0.
  if (request.division != nullptr) request.division->processes.reduce(matrix.words, {});
  write_matrix(*request.settings.output, matrix);
}

PlaceOf place_in(const MatrixLayout& layout, const MatrixShape& shape, Port dimensions) {
  return {{std::uint64_t{1} << shape.row_bits, std::uint64_t{1} << shape.column_bits},
          [&](std::uint64_t row) { return layout.rank(shape, dimensions, row, 0); },
          [&](std::uint64_t column) { return layout.rank(shape, dimensions, 0, column); }};
}

Wide matrix_bytes(const MachineSpec& machine, const Settings& settings, unsigned copies) {
  const Wide words = matrix_words(settings);
  const Wide files = (settings.input ? 1 : 0) + (settings.output ? 1 : 0);
  return words * sizeof(Word) * (1 + copies + files) +
         Wide{machine.processors} * (sizeof(Block) + 2 * sizeof(std::uint64_t));
}

}  // namespace lockstep
