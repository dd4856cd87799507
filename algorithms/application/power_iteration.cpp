#include <array>
#include <cmath>
#include <limits>

#include "application.hpp"
#include "gathering.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/matrix_file.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/input_file.hpp"
#include "oracle.hpp"

// The eigenvalue of largest magnitude of a symmetric matrix, and its eigenvector: x := A x / |A x|, repeated. Every
// processor holds some rows of A, and gathers A x from all (applications.md, Power iteration).
namespace lockstep {
namespace application {
namespace {

constexpr NumberParameter size_of_power_iteration{
    {"size", "rows of the matrix", "one a processor, at least 8 and at most 256, or those of --input"},
    &Settings::size,
    {.most = 65536}};
constexpr NumberParameter iterations_of_power_iteration{
    {"iterations", "products of the matrix and a vector", "8"}, &Settings::iterations, {.otherwise = 8}};
constexpr MethodParameter method_of_power_iteration{
    {"method", "allgather/adea, daisy-chain, tea1 or tea2", "allgather/adea, where there is no cube daisy-chain"},
    gathering_methods};
constexpr Parameter input_parameter{"input", "Matrix Market file of a symmetric matrix", "generated from --seed"};

void resolve_power_iteration(const MachineSpec& machine, const Model& model, Settings& settings) {
  if (settings.input) {
    const MatrixSize size = scan_matrix(*settings.input).size;
    const std::string what = input_name(*settings.input) + ", which has " + to_string(size) + " numbers";
    if (size.rows != size.columns) throw InputError("a square matrix is needed, unlike that of " + what);
    if (settings.size.value_or(size.rows) != size.rows) {
      throw InputError("--size " + std::to_string(*settings.size) + " does not fit " + what);
    }
    settings.size = size.rows;
  }
  resolve_size(size_of_power_iteration, machine, settings);
  iterations_of_power_iteration.resolve(settings);
  method_of_power_iteration.resolve(machine, model, settings);
}

Split rows_of(const MachineSpec& machine, const Settings& settings) { return {*settings.size, machine.processors}; }

/// A processor's operations from one gathering to the next: the products, and then |A x| and x of length 1.
Wide product_operations(Wide n, Wide rows) { return 2 * n * rows; }
Wide scaling_operations(Wide n) { return 5 * n; }

Prediction predict_power_iteration(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t times = *settings.iterations;
  const Wide n = *settings.size;
  const Split rows = rows_of(machine, settings);
  PredictedParts parts(machine, model);
  parts.add(chosen_method(machine, settings), rows.longest(), times);
  parts.compute(times * (product_operations(n, rows.longest()) + scaling_operations(n)),
                times * (product_operations(n, n) + machine.processors * scaling_operations(n)));
  return parts.prediction(std::to_string(times) + " times " + *settings.method);
}

std::uint64_t bytes_power_iteration(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide n = *settings.size;
  Settings gathered;
  gathered.words = rows_of(machine, settings).longest();
  // The matrix, the oracle's decomposition where it makes one, and two vectors per processor.
  const Wide matrices = n <= oracle::most_decomposed ? 6 : 1;
  return saturated(Wide{chosen_method(machine, settings).bytes(machine, model, gathered)} +
                   matrices * n * n * sizeof(double) + 2 * n * machine.processors * sizeof(double));
}

/// Entry (row, column): from 0 to 1, and the same as (column, row).
double generated_entry(std::uint64_t seed, std::uint64_t row, std::uint64_t column) {
  return generated_number(seed, std::max(row, column), std::min(row, column));
}

constexpr double largest_entry = 1e100;  // products of two are still finite

/// The matrix, row by row.
Doubles matrix_of(const Settings& settings) {
  const std::uint64_t n = *settings.size;
  Doubles matrix(n * n);
  if (!settings.input) {
    for (std::uint64_t row = 0; row < n; ++row) {
      for (std::uint64_t column = 0; column < n; ++column) {
        matrix[row * n + column] = generated_entry(settings.seed, row, column);
      }
    }
    return matrix;
  }
  const Matrix read = read_matrix(*settings.input);
  if (read.size.rows != n || read.size.columns != n) refuse_changed(*settings.input);
  for (std::uint64_t row = 0; row < n; ++row) {
    for (std::uint64_t column = 0; column < n; ++column) {
      const Word word = read.at(row, column);
      if (word != read.at(column, row)) {
        throw InputError(input_name(*settings.input) + " is not symmetric at row " + std::to_string(row + 1) +
                         ", column " + std::to_string(column + 1));
      }
      const double entry =
          read.type == NumberType::int64 ? static_cast<double>(std::bit_cast<std::int64_t>(word)) : as_number(word);
      if (std::abs(entry) > largest_entry) {
        throw InputError(input_name(*settings.input) + " has an entry beyond 1e100 at row " + std::to_string(row + 1) +
                         ", column " + std::to_string(column + 1));
      }
      matrix[row * n + column] = entry;
    }
  }
  return matrix;
}

/// The data of one processor.
struct PowerIterationState {
  Doubles x;            ///< all of it, of length 1
  double estimate = 0;  ///< of the eigenvalue
  Notes notes;
};

/// What is the same for all processors.
struct PowerIterationProblem {
  const Doubles& matrix;
  Split rows;
  std::uint64_t iterations;
  Cycle gathering;  ///< cycles each
};

void multiply(const PowerIterationProblem& problem, Rank rank, const Doubles& x, std::span<Word> product) {
  const std::uint64_t n = x.size();
  for (std::uint64_t row = 0; row < problem.rows.size(rank); ++row) {
    const double* entries = problem.matrix.data() + (problem.rows.first(rank) + row) * n;
    double sum = 0;
    for (std::uint64_t column = 0; column < n; ++column) sum += entries[column] * x[column];
    product[row] = as_word(sum);
  }
}

/// x := y / |y| where y is the gathered vector, and the estimate x y before. All processors add in the same order.
template <Payload T>
void take_product(const PowerIterationProblem& problem, const Gathering<T>& gathering, Rank rank,
                  PowerIterationState& state) {
  Doubles product;
  product.reserve(state.x.size());
  for (Rank source = 0; source < problem.rows.pieces(); ++source) {
    for (std::uint64_t row = 0; row < problem.rows.size(source); ++row) {
      product.push_back(as_number(gathering.block(rank, source)[row]));
    }
  }
  double squares = 0;
  double estimate = 0;
  for (std::size_t index = 0; index < product.size(); ++index) {
    squares += product[index] * product[index];
    estimate += state.x[index] * product[index];
  }
  const double length = std::sqrt(squares);
  for (std::size_t index = 0; index < product.size(); ++index) state.x[index] = product[index] / length;
  state.estimate = estimate;
}

template <Payload T>
Process power_iteration(Processor<T>& self, const PowerIterationProblem& problem, Gathering<T>& gathering,
                        PowerIterationState& state) {
  const std::uint64_t n = state.x.size();
  const std::uint64_t rows = problem.rows.size(self.rank());
  self.hold((rows + 2) * n);
  for (std::uint64_t iteration = 0; iteration < problem.iterations; ++iteration) {
    const Cycle start = iteration * problem.gathering;
    {
      const Arithmetic arithmetic(self, static_cast<std::uint64_t>(product_operations(n, rows)), state.notes.seconds);
      multiply(problem, self.rank(), state.x, gathering.own(self.rank()));
    }
    co_await gathering.gather(self, start);
    co_await self.until(start + problem.gathering);
    hear(gathering, self, state.notes.heard);
    const Arithmetic arithmetic(self, static_cast<std::uint64_t>(scaling_operations(n)), state.notes.seconds);
    take_product(problem, gathering, self.rank(), state);
  }
}

/// The expected result. Throws InputError where it depends on roundings: where A x is next to 0.
oracle::Iterate expected_iterate(const Settings& settings, const Doubles& matrix) {
  constexpr double most_growth = 1e8;
  oracle::Iterate expected = oracle::power_iteration(matrix, *settings.size, *settings.iterations);
  if (expected.growth >= 0 && expected.growth < most_growth) return expected;
  throw InputError("in " + std::to_string(*settings.iterations) +
                   " iterations roundings decide what comes out: the matrix takes the vector of equal components next "
                   "to 0");
}

void verify(const RunRequest& request, const oracle::Iterate& expected, const PerRank<PowerIterationState>& states,
            Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t n = *request.settings.size;
  const std::uint64_t iterations = *request.settings.iterations;
  // A product of n terms is off by n roundings at most, and the iterations add that up.
  const double tolerance = 8 * static_cast<double>(n * iterations) * expected.growth * 0x1p-52;
  const double largest = std::max(1.0, std::abs(expected.estimate));
  const WordDigest heard_by_first = of_first(request, states);
  const auto judge = [&](Rank rank) {
    const PowerIterationState& state = states[rank];
    Verdict verdict;
    WordDigest digest;
    for (const double component : state.x) digest.add(as_word(component));
    digest.add(as_word(state.estimate));
    verdict.digest = digest.value();
    verdict.wrong = what_is_wrong(rank, state.notes.heard, heard_by_first);
    if (verdict.wrong.empty()) {
      verdict.wrong = what_is_wrong(rank, "the eigenvector", state.x, expected.vector, tolerance);
    }
    if (verdict.wrong.empty()) {
      verdict.wrong =
          what_is_wrong(rank, "the eigenvalue", {&state.estimate, 1}, {&expected.estimate, 1}, tolerance * largest);
    }
    return verdict;
  };
  verify_ranks(request, start, judge, outcome);
}

template <Payload T>
Outcome run_with(const RunRequest& request, Gathering<T>& gathering, const Doubles& matrix) {
  const std::uint64_t n = *request.settings.size;
  const Split rows = rows_of(request.machine, request.settings);
  const oracle::Iterate expected = expected_iterate(request.settings, matrix);
  PredictedParts parts(request.machine, request.model);
  const PowerIterationProblem problem{matrix, rows, *request.settings.iterations,
                                      parts.add(chosen_method(request.machine, request.settings), rows.longest())};
  PerRank<PowerIterationState> states(request);
  for (PowerIterationState& state : states) state.x.assign(n, 1 / std::sqrt(static_cast<double>(n)));
  Outcome outcome;
  outcome.report = run_program<T>(
      request, [&](Processor<T>& self) { return power_iteration(self, problem, gathering, states[self.rank()]); });
  for (const PowerIterationState& state : states) outcome.arithmetic_seconds += state.notes.seconds;
  verify(request, expected, states, outcome);
  return outcome;
}

Outcome run_power_iteration(const RunRequest& request) {
  const Doubles matrix = matrix_of(request.settings);
  const std::uint64_t words = rows_of(request.machine, request.settings).longest();
  AnyGathering any = make_gathering(request, chosen_method(request.machine, request.settings), words);
  return std::visit([&](auto& gathering) { return run_with(request, *gathering, matrix); }, any);
}

Method entry_power_iteration() {
  return with_defaults({
      .name = "application/power-iteration",
      .mapping = "power iteration",
      .source = "an application (applications.md, Power iteration)",
      .summary =
          "the largest eigenvalue of a symmetric matrix; its product with a vector is gathered in every iteration",
      .parameters = {size_of_power_iteration, iterations_of_power_iteration, method_of_power_iteration,
                     input_parameter},
      .resolve = resolve_power_iteration,
      .predict = predict_power_iteration,
      .bytes = bytes_power_iteration,
      .run = run_power_iteration,
  });
}

}  // namespace
}  // namespace application

extern const Method application_power_iteration_method =
    application::on_cubes(application::entry_power_iteration(), Duplex::half_node);

extern const Method application_power_iteration_ring_method =
    application::on_rings(application::entry_power_iteration());

extern const Method application_power_iteration_switch_method =
    application::on_switches(application::entry_power_iteration());

}  // namespace lockstep
