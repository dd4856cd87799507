#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "application.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "oracle.hpp"
#include "strips.hpp"
#include "summation.hpp"

// A x = b by conjugate gradients, where A is that of a square grid: 8 on the diagonal, -1 for every neighbour on the
// grid. Every processor holds a strip of rows of the grid. To multiply by A it needs the rows next to its own, one
// message each way; all processors need both inner products of an iteration (applications.md, Conjugate gradients).
namespace lockstep {
namespace application {
namespace {

constexpr double diagonal = 8;
/// sqrt(c), where c is the condition of A: its eigenvalues lie between 4 and 12.
const double root_of_condition = std::sqrt(3.0);

constexpr NumberParameter size_of_conjugate_gradient{
    {"size", "rows and columns of the grid", "one a processor, at least 8 and at most 256"},
    &Settings::size,
    {.most = 1024}};
constexpr NumberParameter iterations_of_conjugate_gradient{
    {"iterations", "iterations", "8"}, &Settings::iterations, {.otherwise = 8}};
constexpr MethodParameter method_of_conjugate_gradient{
    {"method", "of the sums: scan/cube, reduce/tree (and broadcast/sbt), allgather/adea or daisy-chain", "scan/cube"},
    summation_methods};

void resolve_conjugate_gradient(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_size(size_of_conjugate_gradient, machine, settings);
  iterations_of_conjugate_gradient.resolve(settings);
  method_of_conjugate_gradient.resolve(machine, model, settings);
}

// Operations for `points` points of the grid: the product q = A p and p q; x, r and r r; and p. A quotient precedes
// each of the last two.
constexpr Wide product_operations(Wide points) { return 7 * points; }
constexpr Wide step_operations(Wide points) { return 6 * points + 1; }
constexpr Wide direction_operations(Wide points) { return 2 * points + 1; }
constexpr Wide first_operations(Wide points) { return 2 * points; }

constexpr Cycle trade_cycles = 2;

Prediction predict_conjugate_gradient(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t times = *settings.iterations;
  const Wide g = *settings.size;
  const Strips strips(*settings.size, machine.processors);
  PredictedParts parts(machine, model);
  add_summation(parts, machine, settings, 2 * times + 1);
  const Wide borders = strips.used() - 1;
  if (borders > 0) parts.add_steps(trade_cycles * times, g, 2 * borders * times, 2 * borders * g * times);
  const auto all = [](Wide points) {
    return product_operations(points) + step_operations(points) + direction_operations(points);
  };
  const Wide most = g * strips.most_rows();
  parts.compute(first_operations(most) + times * all(most),
                first_operations(g * g) + times * (all(g * g) + 2 * (machine.processors - 1)));
  return parts.prediction(std::to_string(2 * times + 1) + " sums by " + *settings.method + " and " +
                          std::to_string(times) + " trades of rows");
}

std::uint64_t bytes_conjugate_gradient(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t frames = 3000;  // of the program and its sub-programs, beyond those of a small one
  const Wide points = Wide{*settings.size} * *settings.size;
  const Wide working = std::min(machine.processors, *settings.size);
  // Four vectors and the right side; the oracle's vectors, the matrix and its decomposition, which has fill-in.
  const Wide oracle = points * (16 + 4 * static_cast<Wide>(std::bit_width(*settings.size))) * 10;
  return saturated(Wide{summation_bytes(machine, model, settings)} + 6 * points * sizeof(double) + oracle +
                   machine.processors * (frames + 2 * *settings.iterations * Wide{sizeof(double)}) +
                   working * 4 * *settings.size * sizeof(double));
}

Doubles generated_right_side(const Settings& settings) {
  const std::uint64_t side = *settings.size;
  Doubles numbers;
  for (std::uint64_t row = 0; row < side; ++row) {
    for (std::uint64_t column = 0; column < side; ++column) {
      numbers.push_back(0.5 + generated_number(settings.seed, row, column));
    }
  }
  return numbers;
}

/// The data of one processor: its strips of the vectors, and p with the rows above and below.
struct ConjugateGradientState {
  Doubles x;
  Doubles r;
  Doubles p;
  Doubles q;
  Doubles sums;  ///< in order: r r, then p q and r r of every iteration
  Notes notes;
};

struct ConjugateGradientProblem {
  Strips strips;
  std::uint64_t iterations;
  Cycle summation;  ///< cycles each
};

std::vector<Word> row_of(const Doubles& p, std::uint64_t row, std::uint64_t side) {
  std::vector<Word> words(side);
  std::transform(p.begin() + static_cast<std::ptrdiff_t>(row * side),
                 p.begin() + static_cast<std::ptrdiff_t>((row + 1) * side), words.begin(), as_word);
  return words;
}

/// Stores what the neighbour has sent as that row.
template <Payload T>
void put_row(const Message<T>& message, Rank neighbour, Doubles& p, std::uint64_t row, std::uint64_t side) {
  const std::span<const Word> words = words_of(message.payload);
  if (words.size() != side || sender_of(message.payload) != neighbour) {
    throw std::logic_error("received something else than the neighbour's row");
  }
  std::transform(words.begin(), words.end(), p.begin() + static_cast<std::ptrdiff_t>(row * side), as_number);
}

/// Neighbours trade the rows at their border: first all send downwards, then upwards.
template <Payload T>
Process trade_rows(Processor<T>& self, const Strips& strips, Doubles& p, Cycle start) {
  const Rank rank = self.rank();
  const std::uint64_t side = strips.side();
  const std::uint64_t rows = strips.rows(rank);
  if (strips.has_next(rank)) self.send(strips.next(rank), letter<T>(rank, row_of(p, rows, side)));
  co_await self.until(start + 1);
  if (strips.has_previous(rank)) {
    Message<T> above = co_await self.message(strips.previous(rank));
    self.send(strips.previous(rank), letter<T>(rank, row_of(p, 1, side)));
    put_row(above, self.neighbour(strips.previous(rank)), p, 0, side);
  }
  if (strips.has_next(rank)) {
    Message<T> below = co_await self.message(strips.next(rank));
    put_row(below, self.neighbour(strips.next(rank)), p, rows + 1, side);
  }
}

/// q := A p; returns p q.
double multiply(ConjugateGradientState& state, std::uint64_t rows, std::uint64_t side) {
  double sum = 0;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t column = 0; column < side; ++column) {
      const std::uint64_t at = (row + 1) * side + column;
      double value = diagonal * state.p[at] - state.p[at - side] - state.p[at + side];
      if (column > 0) value -= state.p[at - 1];
      if (column + 1 < side) value -= state.p[at + 1];
      state.q[row * side + column] = value;
      sum += state.p[at] * value;
    }
  }
  return sum;
}

double square(const Doubles& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number * number;
  return sum;
}

/// Moves x and r one step along p; returns r r.
double go_along(ConjugateGradientState& state, double alpha, std::uint64_t side) {
  for (std::size_t point = 0; point < state.x.size(); ++point) {
    state.x[point] += alpha * state.p[point + side];
    state.r[point] -= alpha * state.q[point];
  }
  return square(state.r);
}

void turn(ConjugateGradientState& state, double beta, std::uint64_t side) {
  for (std::size_t point = 0; point < state.r.size(); ++point) {
    state.p[point + side] = state.r[point] + beta * state.p[point + side];
  }
}

/// 0 where the divisor is 0: the system is solved.
double ratio(double a, double b) { return b == 0 ? 0 : a / b; }

template <Payload T>
Process conjugate_gradient(Processor<T>& self, const ConjugateGradientProblem& problem, Summation<T>& summation,
                           ConjugateGradientState& state) {
  const std::uint64_t side = problem.strips.side();
  const std::uint64_t rows = problem.strips.rows(self.rank());
  const Wide points = rows * side;
  const auto charged = [](Wide operations) { return static_cast<std::uint64_t>(operations); };
  self.hold(state.x.size() + state.r.size() + state.p.size() + state.q.size());
  double squares = 0;
  {
    const Arithmetic arithmetic(self, charged(first_operations(points)), state.notes.seconds);
    squares = square(state.r);
  }
  co_await summation.sum(self, squares, 0, state.notes);
  Cycle now = problem.summation;
  co_await self.until(now);
  state.sums.push_back(squares);
  for (std::uint64_t iteration = 0; iteration < problem.iterations; ++iteration) {
    if (problem.strips.used() > 1) {
      co_await trade_rows(self, problem.strips, state.p, now);
      now += trade_cycles;
      co_await self.until(now);
    }
    double product = 0;
    {
      const Arithmetic arithmetic(self, charged(product_operations(points)), state.notes.seconds);
      product = multiply(state, rows, side);
    }
    co_await summation.sum(self, product, now, state.notes);
    now += problem.summation;
    co_await self.until(now);
    state.sums.push_back(product);
    double next = 0;
    {
      const Arithmetic arithmetic(self, charged(step_operations(points)), state.notes.seconds);
      next = go_along(state, ratio(squares, product), side);
    }
    co_await summation.sum(self, next, now, state.notes);
    now += problem.summation;
    co_await self.until(now);
    state.sums.push_back(next);
    const Arithmetic arithmetic(self, charged(direction_operations(points)), state.notes.seconds);
    turn(state, ratio(next, squares), side);
    squares = next;
  }
}

PerRank<ConjugateGradientState> initial_states(const RunRequest& request, const Strips& strips,
                                               const Doubles& right_side) {
  PerRank<ConjugateGradientState> states(request);
  for_all_ranks(request, [&](Rank rank) {
    ConjugateGradientState& state = states[rank];
    const auto points = static_cast<std::ptrdiff_t>(strips.rows(rank) * strips.side());
    const auto first = right_side.begin() + static_cast<std::ptrdiff_t>(strips.first_row(rank) * strips.side());
    state.r.assign(first, first + points);
    state.x.resize(state.r.size());
    state.q.resize(state.r.size());
    state.p.resize(state.r.size() + 2 * strips.side());
    std::copy(state.r.begin(), state.r.end(), state.p.begin() + static_cast<std::ptrdiff_t>(strips.side()));
  });
  return states;
}

/// Checks that the error has shrunk as theory has it; empty if it has.
std::string what_is_wrong_with_the_error(const oracle::ConjugateGradients& expected, const Doubles& x,
                                         std::uint64_t side, std::uint64_t iterations) {
  const double first = oracle::energy_distance(Doubles(x.size()), expected.solution, side);
  const double left = oracle::energy_distance(x, expected.solution, side);
  const double rate = (root_of_condition - 1) / (root_of_condition + 1);
  const double most = (2 * std::pow(rate, static_cast<double>(iterations)) + 0x1p-40) * first;
  if (left <= most) return {};
  return "the error is " + std::to_string(left / first) + " of the first, and may be " + std::to_string(most / first);
}

void verify(const RunRequest& request, const Strips& strips, const Doubles& right_side,
            const PerRank<ConjugateGradientState>& states, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t side = strips.side();
  const std::uint64_t iterations = *request.settings.iterations;
  const oracle::ConjugateGradients expected = oracle::conjugate_gradients(right_side, side, iterations);
  // The sums of n products are off by n roundings at most; iterations add that up.
  const double rounding = 0x1p-50 * static_cast<double>(side * side * (iterations + 1));
  const WordDigest heard_by_first = of_first(request, states);
  const auto judge = [&](Rank rank) {
    const ConjugateGradientState& state = states[rank];
    Verdict verdict;
    WordDigest digest;
    for (const Doubles& numbers : {state.x, state.sums}) {
      for (const double number : numbers) digest.add(as_word(number));
    }
    verdict.digest = digest.value();
    verdict.wrong = what_is_wrong(rank, state.notes.heard, heard_by_first);
    if (verdict.wrong.empty()) {
      verdict.wrong =
          what_is_wrong(rank, "the inner products", state.sums, expected.sums, rounding * 12 * expected.sums.front());
    }
    if (verdict.wrong.empty()) {
      const std::uint64_t first = strips.first_row(rank) * side;
      const auto due = std::span(expected.iterate).subspan(first, strips.rows(rank) * side);
      verdict.wrong =
          what_is_wrong(rank, "the solution", state.x, due, rounding * std::sqrt(expected.sums.front()), first);
    }
    return verdict;
  };
  verify_ranks(request, start, judge, outcome);
  if (!outcome.wrong.empty() || !outcome.report.lost.empty()) return;  // the error is that of all together
  const std::vector<Doubles> strips_of_x = shared(request, [&](Rank rank) { return states[rank].x; });
  Doubles x(right_side.size());
  for (Rank rank = 0; rank < strips_of_x.size(); ++rank) {
    std::ranges::copy(strips_of_x[rank], x.begin() + static_cast<std::ptrdiff_t>(strips.first_row(rank) * side));
  }
  outcome.wrong = what_is_wrong_with_the_error(expected, x, side, iterations);
}

Outcome run_conjugate_gradient(const RunRequest& request) {
  const Settings& settings = request.settings;
  const Rank processors = request.topology.processors();
  PredictedParts parts(request.machine, request.model);
  const Cycle cycles = add_summation(parts, request.machine, settings, 1);
  const ConjugateGradientProblem problem{Strips(*settings.size, processors), *settings.iterations, cycles};
  const Doubles right_side = generated_right_side(settings);
  PerRank<ConjugateGradientState> states = initial_states(request, problem.strips, right_side);
  AnySummation any = make_summation(request);
  Outcome outcome;
  outcome.report = std::visit(
      [&]<Payload T>(std::unique_ptr<Summation<T>>& summation) {
        return run_program<T>(request, [&](Processor<T>& self) {
          return conjugate_gradient(self, problem, *summation, states[self.rank()]);
        });
      },
      any);
  for (const ConjugateGradientState& state : states) outcome.arithmetic_seconds += state.notes.seconds;
  verify(request, problem.strips, right_side, states, outcome);
  return outcome;
}

}  // namespace
}  // namespace application

extern const Method application_conjugate_gradient_method = application::with_defaults({
    .name = "application/conjugate-gradient",
    .mapping = "conjugate gradients",
    .families = {"hypercube"},
    .source = "an application (applications.md, Conjugate gradients)",
    .summary = "a system of linear equations on a square grid; two inner products an iteration that all need",
    .parameters = {application::size_of_conjugate_gradient, application::iterations_of_conjugate_gradient,
                   application::method_of_conjugate_gradient},
    .port_models = {PortModel::one, PortModel::all},
    .resolve = application::resolve_conjugate_gradient,
    .predict = application::predict_conjugate_gradient,
    .bytes = application::bytes_conjugate_gradient,
    .run = application::run_conjugate_gradient,
});

}  // namespace lockstep
