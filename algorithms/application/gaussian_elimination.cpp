#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "application.hpp"
#include "broadcasting.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "oracle.hpp"

// A x = b by elimination with pivots. Row i is that of processor i mod N, which keeps the remaining rows evenly
// distributed. The owner of row k looks for the largest entry in it, and broadcasts from there on what the others need
// of it; then the components of x are broadcast one by one, the last first (applications.md, Elimination).
namespace lockstep {
namespace application {
namespace {

constexpr NumberParameter size_of_gaussian_elimination{
    {"size", "rows of the matrix", "one a processor, at least 8 and at most 256"}, &Settings::size, {.most = 65536}};
constexpr MethodParameter method_of_gaussian_elimination{
    {"method", "broadcast/sbt, sbt-pipelined or drbt", "broadcast/sbt"}, broadcasting_methods};

void resolve_gaussian_elimination(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_size(size_of_gaussian_elimination, machine, settings);
  method_of_gaussian_elimination.resolve(machine, model, settings);
}

/// Words that all processors need of row k of n: its pivot's place, its entries from k on, and its right side.
constexpr std::uint64_t row_words(std::uint64_t n, std::uint64_t k) { return n - k + 2; }

/// Rows of the rank after row k.
std::uint64_t rows_after(std::uint64_t n, std::uint64_t k, Rank rank, Rank processors) {
  const auto up_to = [&](std::uint64_t end) { return end > rank ? (end - rank + processors - 1) / processors : 0; };
  return up_to(n) - up_to(k + 1);
}

/// To eliminate row k from `rows` rows: a factor for each, and a product and a difference for each remaining entry and
/// the right side.
constexpr std::uint64_t elimination_operations(std::uint64_t n, std::uint64_t k, std::uint64_t rows) {
  return rows * (1 + 2 * (n - k));
}
/// To substitute component k in one right side.
constexpr std::uint64_t substitution_operations = 2;

/// Adds the two broadcasts of every row; returns their cycles in order.
std::vector<Cycle> add_broadcasts(PredictedParts& parts, const MachineSpec& machine, const Settings& settings) {
  const Method& method = chosen_method(machine, settings);
  const std::uint64_t n = *settings.size;
  std::vector<Cycle> cycles;
  for (std::uint64_t k = 0; k < n; ++k) cycles.push_back(parts.add(method, row_words(n, k)));
  const Cycle of_one_word = parts.add(method, 1, n);
  cycles.insert(cycles.end(), n, of_one_word);
  return cycles;
}

Prediction predict_gaussian_elimination(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = *settings.size;
  const auto processors = static_cast<Rank>(machine.processors);
  PredictedParts parts(machine, model);
  add_broadcasts(parts, machine, settings);
  for (std::uint64_t k = 0; k < n; ++k) {
    // In both directions the processor with most rows has the next of the rows that are left, or the first.
    const std::uint64_t left = n - k - 1;
    const std::uint64_t most = (left + processors - 1) / processors;
    parts.compute(elimination_operations(n, k, most), elimination_operations(n, k, left));
    const std::uint64_t before = (k + processors - 1) / processors;
    parts.compute(1 + substitution_operations * Wide{before}, 1 + substitution_operations * Wide{k});
  }
  return parts.prediction(std::to_string(2 * n) + " times " + *settings.method);
}

std::uint64_t bytes_gaussian_elimination(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t frames = 1000;  // of the program and its sub-programs, beyond those of a small one
  const Wide n = *settings.size;
  Settings one;
  one.words = row_words(*settings.size, 0);
  const Method& method = chosen_method(machine, settings);
  method.resolve(machine, model, one);
  // The rows, the oracle's matrix and its decomposition; and what every processor keeps of x and of the columns.
  return saturated(Wide{method.bytes(machine, model, one)} + 4 * n * n * sizeof(double) +
                   machine.processors * (frames + n * 2 * sizeof(Word)));
}

/// Row by row, from -1 to 1; and the right side.
struct System {
  Doubles matrix;
  Doubles right_side;
};

System generated_system(const Settings& settings) {
  System system;
  const std::uint64_t n = *settings.size;
  for (std::uint64_t row = 0; row < n; ++row) {
    for (std::uint64_t column = 0; column < n; ++column) {
      system.matrix.push_back(2 * generated_number(settings.seed, row, column) - 1);
    }
    system.right_side.push_back(generated_number(settings.seed, row, n));
  }
  return system;
}

struct MatrixRow {
  std::uint64_t number;
  Doubles entries;  ///< and the right side
};

/// The data of one processor.
struct GaussianEliminationState {
  std::vector<MatrixRow> rows;
  std::vector<std::uint64_t> columns;  ///< which component of x each column of the rows stands for
  Doubles x;
  Notes notes;
};

/// Swaps the column of the pivot with column k.
void swap_columns(GaussianEliminationState& state, std::uint64_t k, std::uint64_t pivot) {
  for (MatrixRow& row : state.rows) std::swap(row.entries[k], row.entries[pivot]);
  std::swap(state.columns[k], state.columns[pivot]);
}

/// What all processors need of row k.
Block message_of(const MatrixRow& row, std::uint64_t k) {
  const auto end = row.entries.end() - 1;
  const auto from = row.entries.begin() + static_cast<std::ptrdiff_t>(k);
  const auto pivot = std::max_element(from, end, [](double a, double b) { return std::abs(a) < std::abs(b); });
  Block message(row_words(row.entries.size() - 1, k));
  Word* to = message.data();
  *to++ = static_cast<Word>(pivot - row.entries.begin());
  std::transform(from, row.entries.end(), to, as_word);
  return message;
}

/// Eliminates row k as received.
void eliminate(GaussianEliminationState& state, std::uint64_t k, std::span<const Word> message) {
  const std::uint64_t n = state.columns.size();
  const std::uint64_t pivot = message.front();
  if (pivot < k || pivot >= n) throw std::logic_error("received a row whose pivot is in no column");
  // The message has the entries as they were before the swap.
  Doubles heard;
  for (const Word word : message.subspan(1)) heard.push_back(as_number(word));
  std::swap(heard[0], heard[pivot - k]);
  swap_columns(state, k, pivot);
  for (MatrixRow& row : state.rows) {
    if (row.number <= k) continue;
    const double factor = row.entries[k] / heard[0];
    for (std::uint64_t column = k + 1; column <= n; ++column) row.entries[column] -= factor * heard[column - k];
    row.entries[k] = 0;
  }
}

MatrixRow* own_row(GaussianEliminationState& state, std::uint64_t number) {
  const auto found = std::ranges::find(state.rows, number, &MatrixRow::number);
  return found == state.rows.end() ? nullptr : &*found;
}

/// Substitutes component k, as received, in the rows before it.
void substitute(GaussianEliminationState& state, std::uint64_t k, double component) {
  const std::uint64_t n = state.columns.size();
  state.x[state.columns[k]] = component;
  for (MatrixRow& row : state.rows) {
    if (row.number < k) row.entries[n] -= row.entries[k] * component;
  }
}

/// Throws std::logic_error unless the item has the expected length.
void take_note(GaussianEliminationState& state, const Block& item, std::uint64_t words) {
  if (item.size() != words) throw std::logic_error("received an item of a wrong length");
  state.notes.heard.add(item.words());
}

Process gaussian_elimination(Processor<Block>& self, const std::vector<Cycle>& cycles, Broadcasting& broadcasting,
                             GaussianEliminationState& state) {
  const std::uint64_t n = state.columns.size();
  const Rank rank = self.rank();
  self.hold(state.rows.size() * (n + 1) + n);
  Cycle start = 0;
  for (std::uint64_t k = 0; k < n; ++k) {
    Block item;
    if (const MatrixRow* row = own_row(state, k)) item = message_of(*row, k);
    const auto root = static_cast<Rank>(k % self.processors());
    co_await broadcasting.broadcast(self, root, row_words(n, k), item, start);
    start += cycles[k];
    co_await self.until(start);
    take_note(state, item, row_words(n, k));
    const std::uint64_t operations = elimination_operations(n, k, rows_after(n, k, rank, self.processors()));
    const Arithmetic arithmetic(self, operations, state.notes.seconds);
    eliminate(state, k, item.words());
  }
  for (std::uint64_t k = n; k-- > 0;) {
    Block item;
    if (const MatrixRow* row = own_row(state, k)) {
      const Arithmetic arithmetic(self, 1, state.notes.seconds);
      item = Block(1);
      item[0] = as_word(row->entries[n] / row->entries[k]);
    }
    const auto root = static_cast<Rank>(k % self.processors());
    co_await broadcasting.broadcast(self, root, 1, item, start);
    start += cycles[n + k];
    co_await self.until(start);
    take_note(state, item, 1);
    const std::uint64_t rows = state.rows.size() - rows_after(n, k, rank, self.processors());
    const std::uint64_t before = rows - (own_row(state, k) != nullptr ? 1 : 0);
    const Arithmetic arithmetic(self, substitution_operations * before, state.notes.seconds);
    substitute(state, k, as_number(item[0]));
  }
}

void verify(const RunRequest& request, const System& system, const PerRank<GaussianEliminationState>& states,
            Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const oracle::Solution expected = oracle::solve(system.matrix, system.right_side);
  double largest = 0;
  for (const double component : expected.x) largest = std::max(largest, std::abs(component));
  const double tolerance = 8 * static_cast<double>(expected.x.size()) * expected.condition * largest * 0x1p-52;
  const WordDigest heard_by_first = of_first(request, states);
  const auto judge = [&](Rank rank) {
    const GaussianEliminationState& state = states[rank];
    Verdict verdict;
    WordDigest digest;
    for (const double component : state.x) digest.add(as_word(component));
    verdict.digest = digest.value();
    verdict.wrong = what_is_wrong(rank, state.notes.heard, heard_by_first);
    if (verdict.wrong.empty()) verdict.wrong = what_is_wrong(rank, "the solution", state.x, expected.x, tolerance);
    return verdict;
  };
  verify_ranks(request, start, judge, outcome);
}

PerRank<GaussianEliminationState> initial_states(const RunRequest& request, const System& system) {
  const std::uint64_t n = system.right_side.size();
  PerRank<GaussianEliminationState> states(request);
  for_all_ranks(request, [&](Rank rank) {
    for (std::uint64_t number = rank; number < n; number += request.topology.processors()) {
      const auto first = system.matrix.begin() + static_cast<std::ptrdiff_t>(number * n);
      MatrixRow row{number, {first, first + static_cast<std::ptrdiff_t>(n)}};
      row.entries.push_back(system.right_side[number]);
      states[rank].rows.push_back(std::move(row));
    }
  });
  for (GaussianEliminationState& state : states) {
    state.x.resize(n);
    for (std::uint64_t column = 0; column < n; ++column) state.columns.push_back(column);
  }
  return states;
}

Outcome run_gaussian_elimination(const RunRequest& request) {
  const System system = generated_system(request.settings);
  PerRank<GaussianEliminationState> states = initial_states(request, system);
  PredictedParts parts(request.machine, request.model);
  const std::vector<Cycle> cycles = add_broadcasts(parts, request.machine, request.settings);
  const auto broadcasting = make_broadcasting(request, chosen_method(request.machine, request.settings),
                                              row_words(*request.settings.size, 0));
  Outcome outcome;
  outcome.report = run_program<Block>(request, [&](Processor<Block>& self) {
    return gaussian_elimination(self, cycles, *broadcasting, states[self.rank()]);
  });
  for (const GaussianEliminationState& state : states) outcome.arithmetic_seconds += state.notes.seconds;
  verify(request, system, states, outcome);
  return outcome;
}

}  // namespace
}  // namespace application

extern const Method application_gaussian_elimination_method = application::with_defaults({
    .name = "application/gaussian-elimination",
    .mapping = "elimination",
    .families = {"hypercube"},
    .source = "an application (applications.md, Elimination)",
    .summary = "a system of linear equations; every row is broadcast to be eliminated, then every component",
    .parameters = {application::size_of_gaussian_elimination, application::method_of_gaussian_elimination},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = application::resolve_gaussian_elimination,
    .predict = application::predict_gaussian_elimination,
    .bytes = application::bytes_gaussian_elimination,
    .run = application::run_gaussian_elimination,
});

}  // namespace lockstep
