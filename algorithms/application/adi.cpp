#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "application.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "operations/alltoall/exchange.hpp"
#include "operations/alltoall/sbnt.hpp"
#include "oracle.hpp"
#include "strips.hpp"

// Heat on a square grid by alternating directions: every time step solves a tridiagonal system along each row of the
// grid, then along each column. Every processor holds a strip of rows. With an alltoall the grid is transposed between
// the sweeps, so that both are local; without one, the sweep along columns goes from strip to strip and back, in a
// pipeline of groups of columns (applications.md, Alternating directions).
namespace lockstep {
namespace application {
namespace {

constexpr std::string_view adi_methods[] = {"alltoall/exchange", "alltoall/sbnt", none};

constexpr NumberParameter size_of_adi{
    {"size", "rows and columns of the grid", "one a processor, at least 8 and at most 256"},
    &Settings::size,
    {.most = 4096}};
constexpr NumberParameter iterations_of_adi{{"iterations", "time steps", "2"}, &Settings::iterations, {.otherwise = 2}};
constexpr MethodParameter method_of_adi{
    {"method", "of the transposition: alltoall/exchange, sbnt, or none, which sweeps from strip to strip",
     "alltoall/exchange"},
    adi_methods};

void resolve_adi(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_size(size_of_adi, machine, settings);
  iterations_of_adi.resolve(settings);
  method_of_adi.resolve(machine, model, settings);
}

bool transposes(const Settings& settings) { return settings.method != none; }

/// Forth and back along a line, for each point of the grid: a sum and a product.
constexpr std::uint64_t way_operations = 2;
constexpr std::uint64_t sweep_operations = 2 * way_operations;

/// Elimination along a line of the matrix with 3 on the diagonal and -1 beside it: the factors, known without data.
///
///     forth:  d[i] := (u[i] + d[i-1]) inverse[i]        back:  u[i] := d[i] + inverse[i] u[i+1]
Doubles inverses(std::uint64_t side) {
  Doubles all;
  for (std::uint64_t index = 0; index < side; ++index) all.push_back(1 / (3 - (index == 0 ? 0 : all.back())));
  return all;
}

/// A sweep along columns that are distributed over strips. In cycle t + q of a way the strip at place t computes the
/// q-th group of columns and sends on the row at its border.
class Wavefront {
 public:
  explicit Wavefront(const Strips& strips) : strips_(strips), groups_(strips.side(), strips.used()) {}

  const Split& groups() const { return groups_; }
  /// Cycles until the last strip computes the last group.
  Cycle way() const { return strips_.used() - 1 + groups_.pieces() - 1; }

  /// Adds a way's messages and computation, where in every cycle all strips wait for the one with most to do.
  void add_way(PredictedParts& parts, std::uint64_t processors, bool back) const {
    const Split rows(strips_.side(), processors);
    const std::uint64_t used = strips_.used();
    for (Cycle cycle = 0; cycle <= way(); ++cycle) {
      std::uint64_t most = 0;
      std::uint64_t longest = 0;
      for (std::uint64_t turn = 0; turn < used && turn <= cycle; ++turn) {
        const std::uint64_t group = cycle - turn;
        if (group >= groups_.pieces()) continue;
        most = std::max(most, rows.size(back ? used - 1 - turn : turn) * groups_.size(group));
        if (turn + 1 < used) longest = std::max(longest, groups_.size(group));
      }
      parts.compute(way_operations * Wide{most}, 0);
      if (cycle < way()) parts.add_steps(1, longest, 0, 0);
    }
    parts.compute(0, way_operations * Wide{strips_.side()} * strips_.side());
    parts.add_steps(0, 0, Wide{used - 1} * groups_.pieces(), Wide{used - 1} * strips_.side());
  }

 private:
  Strips strips_;
  Split groups_;
};

Prediction predict_adi(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t times = *settings.iterations;
  const Wide g = *settings.size;
  const Strips strips(*settings.size, machine.processors);
  PredictedParts parts(machine, model);
  const Wide sweep = sweep_operations * g;
  const std::string steps = std::to_string(times) + " time steps";
  if (transposes(settings)) {
    parts.add(chosen_method(machine, settings), strips.most_rows() * strips.most_rows(), 2 * times);
    parts.compute(2 * times * sweep * strips.most_rows(), 2 * times * sweep * g);
    return parts.prediction(std::to_string(2 * times) + " times " + *settings.method);
  }
  PredictedParts step(machine, model);
  step.compute(sweep * strips.most_rows(), sweep * g);
  const Wavefront wavefront(strips);
  wavefront.add_way(step, machine.processors, false);
  wavefront.add_way(step, machine.processors, true);
  parts.add(step, times);
  return parts.prediction(steps + " of two ways over " + std::to_string(strips.used()) + " strips");
}

std::uint64_t bytes_adi(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide points = Wide{*settings.size} * *settings.size;
  const Wide grids = 8 * points * sizeof(double);  // two here; the oracle's, and those it solves into
  if (!transposes(settings)) return saturated(machine_bytes<Block>(machine, model) + grids);
  const std::uint64_t rows = Strips(*settings.size, machine.processors).most_rows();
  Settings moved;
  moved.words = rows * rows;
  return saturated(Wide{chosen_method(machine, settings).bytes(machine, model, moved)} + grids);
}

Doubles generated_grid(const Settings& settings) {
  const std::uint64_t side = *settings.size;
  Doubles grid;
  for (std::uint64_t row = 0; row < side; ++row) {
    for (std::uint64_t column = 0; column < side; ++column) {
      grid.push_back(1 + generated_number(settings.seed, row, column));
    }
  }
  return grid;
}

/// The data of one processor.
struct AdiState {
  Doubles u;  ///< its rows
  Notes notes;
};

struct AdiProblem {
  std::uint64_t side;
  Split rows;  ///< over ranks, where the grid is transposed
  std::uint64_t steps;
  Cycle transposition;  ///< cycles each
  Doubles inverse;
  std::uint64_t seed;
};

/// Solves the systems of all rows.
void sweep_rows(const AdiProblem& problem, Doubles& u) {
  const std::uint64_t side = problem.side;
  for (auto line = u.begin(); line != u.end(); line += static_cast<std::ptrdiff_t>(side)) {
    double before = 0;
    for (std::uint64_t index = 0; index < side; ++index) {
      double& here = line[static_cast<std::ptrdiff_t>(index)];
      before = here = (here + before) * problem.inverse[index];
    }
    double behind = 0;
    for (std::uint64_t index = side; index-- > 0;) {
      double& here = line[static_cast<std::ptrdiff_t>(index)];
      behind = here = here + problem.inverse[index] * behind;
    }
  }
}

// ---- With transposition. Rank r holds the r-th rows of the split; a block is padded to a square with words that
// differ from all others, so that an exchange of two shows.

Bundle blocks_for_others(const AdiProblem& problem, Rank rank, const Doubles& u) {
  const std::uint64_t edge = problem.rows.longest();
  Bundle blocks;
  for (Rank other = 0; other < problem.rows.pieces(); ++other) {
    if (other == rank) continue;
    Word* const block = blocks.add(rank, other, 0, edge * edge);
    generate_block(problem.seed, rank, other, {block, edge * edge});
    for (std::uint64_t row = 0; row < problem.rows.size(rank); ++row) {
      for (std::uint64_t column = 0; column < problem.rows.size(other); ++column) {
        block[column * edge + row] = as_word(u[row * problem.side + problem.rows.first(other) + column]);
      }
    }
  }
  return blocks;
}

void put_block(const AdiProblem& problem, Rank rank, const Piece& piece, Doubles& u) {
  const std::uint64_t edge = problem.rows.longest();
  if (piece.destination != rank || piece.block.size() != edge * edge) {
    throw std::logic_error("received a block that is not expected");
  }
  for (std::uint64_t at = 0; at < piece.block.size(); ++at) {
    const std::uint64_t row = at / edge;
    const std::uint64_t column = at % edge;
    if (row < problem.rows.size(rank) && column < problem.rows.size(piece.origin)) {
      u[row * problem.side + problem.rows.first(piece.origin) + column] = as_number(piece.block[at]);
    } else if (piece.block[at] != generated_word(problem.seed, piece.origin, rank, at)) {
      throw std::logic_error("received a block with wrong padding");
    }
  }
}

void transpose_own(const AdiProblem& problem, Rank rank, Doubles& u) {
  const std::uint64_t first = problem.rows.first(rank);
  for (std::uint64_t row = 0; row < problem.rows.size(rank); ++row) {
    for (std::uint64_t column = 0; column < row; ++column) {
      std::swap(u[row * problem.side + first + column], u[column * problem.side + first + row]);
    }
  }
}

/// A transposition method as a sub-program.
using ExchangeMethod = std::function<Process(Processor<Bundle>& self, Bundle& held)>;

Process adi_by_transposition(Processor<Bundle>& self, const AdiProblem& problem, const ExchangeMethod& exchange,
                             AdiState& state) {
  const Rank rank = self.rank();
  const std::uint64_t operations = sweep_operations * state.u.size();
  self.hold(state.u.size());
  for (std::uint64_t sweep = 0; sweep < 2 * problem.steps; ++sweep) {
    {
      const Arithmetic arithmetic(self, operations, state.notes.seconds);
      sweep_rows(problem, state.u);
    }
    Bundle held = blocks_for_others(problem, rank, state.u);
    co_await exchange(self, held);
    co_await self.until((sweep + 1) * problem.transposition);
    transpose_own(problem, rank, state.u);
    if (held.size() + 1 != self.processors()) throw std::logic_error("received a wrong number of blocks");
    for (const Piece& piece : held) put_block(problem, rank, piece, state.u);
  }
}

Outcome run_by_transposition(const RunRequest& request, const AdiProblem& problem, PerRank<AdiState>& states) {
  const alltoall::SbntBases bases(request.topology.ports());
  const bool over_trees = own_name(chosen_method(request.machine, request.settings)) == "sbnt";
  const ExchangeMethod exchange = [&](Processor<Bundle>& self, Bundle& held) {
    return over_trees ? alltoall::sbnt(self, bases, held) : alltoall::exchange(self, held);
  };
  Outcome outcome;
  outcome.report = run_program<Bundle>(request, [&](Processor<Bundle>& self) {
    return adi_by_transposition(self, problem, exchange, states[self.rank()]);
  });
  return outcome;
}

// ---- Without transposition.

/// The group's part of a row, as a message.
Block border(const Doubles& u, std::uint64_t first, std::uint64_t size) {
  Block words(size);
  std::transform(u.begin() + static_cast<std::ptrdiff_t>(first), u.begin() + static_cast<std::ptrdiff_t>(first + size),
                 words.data(), as_word);
  return words;
}

/// What the strip before has sent; zeros at the border of the grid.
Doubles taken(const Block& block, std::uint64_t size) {
  if (block.size() == 0) return Doubles(size);
  if (block.size() != size) throw std::logic_error("received a border of a wrong length");
  Doubles numbers;
  for (const Word word : block.words()) numbers.push_back(as_number(word));
  return numbers;
}

/// Solves forth or back along a group of columns, over all rows of the strip.
void go_along_columns(const AdiProblem& problem, std::uint64_t first_row, std::uint64_t first, bool back,
                      Doubles before, Doubles& u) {
  const std::uint64_t rows = u.size() / problem.side;
  for (std::uint64_t step = 0; step < rows; ++step) {
    const std::uint64_t row = back ? rows - 1 - step : step;
    const double inverse = problem.inverse[first_row + row];
    for (std::uint64_t column = 0; column < before.size(); ++column) {
      double& here = u[row * problem.side + first + column];
      here = back ? here + inverse * before[column] : (here + before[column]) * inverse;
      before[column] = here;
    }
  }
}

/// One way of a sweep, which starts in cycle `start`: forth with the rows, or back.
Process go_over_strips(Processor<Block>& self, const AdiProblem& problem, const Strips& strips, bool back, Cycle start,
                       AdiState& state) {
  const Rank rank = self.rank();
  const std::uint64_t rows = strips.rows(rank);
  if (rows == 0) co_return;
  const Split groups = Wavefront(strips).groups();
  const std::uint64_t turn = back ? strips.used() - 1 - strips.place(rank) : strips.place(rank);
  const bool receives = back ? strips.has_next(rank) : strips.has_previous(rank);
  const bool sends = back ? strips.has_previous(rank) : strips.has_next(rank);
  for (std::uint64_t group = 0; group < groups.pieces(); ++group) {
    co_await self.until(start + turn + group);
    const std::uint64_t first = groups.first(group);
    const std::uint64_t size = groups.size(group);
    Block came;
    if (receives) came = co_await self.message(back ? strips.next(rank) : strips.previous(rank));
    {
      const Arithmetic arithmetic(self, way_operations * rows * size, state.notes.seconds);
      go_along_columns(problem, strips.first_row(rank), first, back, taken(came, size), state.u);
    }
    const std::uint64_t last_row = back ? 0 : rows - 1;
    Block leaves = border(state.u, last_row * problem.side + first, size);
    if (sends) self.send(back ? strips.previous(rank) : strips.next(rank), std::move(leaves));
  }
}

Process adi_over_strips(Processor<Block>& self, const AdiProblem& problem, const Strips& strips, AdiState& state) {
  const Cycle way = Wavefront(strips).way();
  self.hold(state.u.size());
  for (std::uint64_t step = 0; step < problem.steps; ++step) {
    const Cycle start = step * 2 * way;
    co_await self.until(start);
    {
      const Arithmetic arithmetic(self, sweep_operations * state.u.size(), state.notes.seconds);
      sweep_rows(problem, state.u);
    }
    co_await go_over_strips(self, problem, strips, false, start, state);
    co_await go_over_strips(self, problem, strips, true, start + way, state);
  }
}

Outcome run_over_strips(const RunRequest& request, const AdiProblem& problem, const Strips& strips,
                        PerRank<AdiState>& states) {
  Outcome outcome;
  outcome.report = run_program<Block>(
      request, [&](Processor<Block>& self) { return adi_over_strips(self, problem, strips, states[self.rank()]); });
  return outcome;
}

void verify(const RunRequest& request, const Doubles& grid, const PerRank<AdiState>& states,
            const PerRank<std::uint64_t>& first_rows, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t side = *request.settings.size;
  const Doubles expected = oracle::alternating_directions(grid, side, *request.settings.iterations);
  // A line is well conditioned: errors do not grow along it.
  const double tolerance = 0x1p-46 * static_cast<double>(*request.settings.iterations);
  const auto judge = [&](Rank rank) {
    const AdiState& state = states[rank];
    const std::uint64_t first = first_rows[rank] * side;
    Verdict verdict;
    WordDigest digest;
    for (const double number : state.u) digest.add(as_word(number));
    verdict.digest = digest.value();
    verdict.wrong =
        what_is_wrong(rank, "the grid", state.u, std::span(expected).subspan(first, state.u.size()), tolerance, first);
    return verdict;
  };
  verify_ranks(request, start, judge, outcome);
}

Outcome run_adi(const RunRequest& request) {
  const Settings& settings = request.settings;
  const std::uint64_t side = *settings.size;
  const Rank processors = request.topology.processors();
  const Strips strips(side, processors);
  AdiProblem problem{side, Split(side, processors), *settings.iterations, 0, inverses(side), settings.seed};
  const Doubles grid = generated_grid(settings);
  PerRank<AdiState> states(request);
  PerRank<std::uint64_t> first_rows(request);
  for_all_ranks(request, [&](Rank rank) {
    first_rows[rank] = transposes(settings) ? problem.rows.first(rank) : strips.first_row(rank);
    const std::uint64_t rows = transposes(settings) ? problem.rows.size(rank) : strips.rows(rank);
    const auto first = grid.begin() + static_cast<std::ptrdiff_t>(first_rows[rank] * side);
    states[rank].u.assign(first, first + static_cast<std::ptrdiff_t>(rows * side));
  });
  Outcome outcome;
  if (transposes(settings)) {
    PredictedParts parts(request.machine, request.model);
    const std::uint64_t edge = problem.rows.longest();
    problem.transposition = parts.add(chosen_method(request.machine, settings), edge * edge);
    outcome = run_by_transposition(request, problem, states);
  } else {
    outcome = run_over_strips(request, problem, strips, states);
  }
  for (const AdiState& state : states) outcome.arithmetic_seconds += state.notes.seconds;
  verify(request, grid, states, first_rows, outcome);
  return outcome;
}

}  // namespace
}  // namespace application

extern const Method application_adi_method = application::with_defaults({
    .name = "application/adi",
    .mapping = "alternating directions",
    .families = {"hypercube"},
    .source = "an application (applications.md, Alternating directions)",
    .summary = "heat on a square grid by alternating directions, the grid being transposed between the sweeps or not",
    .parameters = {application::size_of_adi, application::iterations_of_adi, application::method_of_adi},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = application::resolve_adi,
    .predict = application::predict_adi,
    .bytes = application::bytes_adi,
    .run = application::run_adi,
});

}  // namespace lockstep
