#include <algorithm>
#include <stdexcept>

#include "application.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/gray_code.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "oracle.hpp"

// A tridiagonal system by cyclic reduction: every processor eliminates all of its unknowns but the last; then every
// other one is eliminated until one is left, and all are substituted back (applications.md, Cyclic reduction).
//
// Place t is along the Gray code's path. In stage j the places t with t + 1 a multiple of 2^j still have an equation,
// and the odd multiples send theirs to both neighbours, at t - 2^j and t + 2^j. For j > 0 these are two links away, and
// one path to both begins with dimension j - 1; the processor behind that link has no equation and serves no other
// place:
//
//     N = 8, j = 1:  t      1     3     5     7          001 -> 000 -> 010 = rank of t = 3
//                    rank  001   010   111   100         111 -> 110 -> 100 = rank of t = 7, -> 010
namespace lockstep {
namespace application {
namespace {

constexpr NumberParameter size_of_cyclic_reduction{
    {"size", "unknowns, at least one a processor", "one a processor, at least 8"},
    &Settings::size,
    {.most = std::uint64_t{1} << 24}};

void resolve_cyclic_reduction(const MachineSpec& machine, const Model&, Settings& settings) {
  const std::uint64_t processors = machine.processors;
  size_of_cyclic_reduction.resolve(settings, {.least = processors,
                                              .most = std::max(size_of_cyclic_reduction.range.most, processors),
                                              .otherwise = std::max<std::uint64_t>(processors, 8)});
}

/// The cycles in which stages begin, on 2^n processors, n > 0.
struct ReductionTimetable {
  Cycle n;

  Cycle elimination(Cycle stage) const { return stage == 0 ? 1 : 3 * stage; }
  /// The way back's begin of a stage; it ends where that of stage - 1 begins, or with the last step.
  Cycle substitution(Cycle stage) const { return stage + 1 == n ? 3 * n - 1 : 6 * n - 5 - 3 * stage; }
  Cycle last_step() const { return 6 * n - 3; }
};

// Operations of a processor with `unknowns` unknowns, and for an equation.
constexpr Wide elimination_operations(Wide unknowns) { return 6 * (unknowns - 1); }
constexpr Wide relation_operations(Wide unknowns) { return unknowns < 2 ? 0 : 3 + 8 * (unknowns - 2); }
constexpr Wide substitution_operations(Wide unknowns) { return 5 * (unknowns - 1); }
constexpr Wide replacing = 5;
constexpr Wide resolving = 3;
constexpr Wide finding = 4;

Prediction predict_cyclic_reduction(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide g = *settings.size;
  const Wide processors = machine.processors;
  const Wide n = machine.ports;
  const Split unknowns(*settings.size, machine.processors);
  PredictedParts parts(machine, model);
  const Wide first = unknowns.size(0);
  if (n == 0) {
    parts.compute(elimination_operations(g) + 1 + substitution_operations(g),
                  elimination_operations(g) + 1 + substitution_operations(g));
    return parts.prediction("one processor");
  }
  const Wide messages = 3 * (processors - 1) - n - processors / 2;  // of all eliminations, and of all substitutions
  parts.add_steps(1, 3, processors - 1, 3 * (processors - 1));
  parts.add_steps(3 * n - 2, 3, messages, 3 * messages);
  parts.add_steps(3 * n - 2, 1, messages, messages);
  const Wide second = unknowns.size(1);
  Wide relations = 0;
  Wide last_words = 0;
  for (Rank place = 1; place < processors; ++place) {
    relations += relation_operations(unknowns.size(place));
    if (place % 2 == 1 && unknowns.size(place) > 1) ++last_words;
  }
  if (last_words > 0) parts.add_steps(1, 1, last_words, last_words);
  const Wide local =
      std::max(elimination_operations(first), elimination_operations(second) + relation_operations(second));
  parts.compute(
      local + replacing + resolving + (n - 1) * (2 * replacing + resolving) + replacing + 1 + n * finding +
          substitution_operations(first) + substitution_operations(second),
      11 * (g - processors) + relations + (processors - 1) * (3 * replacing + resolving + finding) - n * replacing + 1);
  return parts.prediction(std::to_string(machine.ports) + " eliminations and as many substitutions");
}

std::uint64_t bytes_cyclic_reduction(const MachineSpec& machine, const Model& model, const Settings& settings) {
  // The system here and in the processors, with the oracle's matrix and its decomposition.
  constexpr std::uint64_t frames = 2000;  // of the program and its sub-programs, beyond those of a small one
  return saturated(machine_bytes<Block>(machine, model) + frames * Wide{machine.processors} +
                   40 * Wide{*settings.size} * sizeof(double));
}

/// left x_before + own x + right x_behind = result.
struct Equation {
  double left;
  double own;
  double right;
  double result;
};

/// x = result - left x_before - right x_behind.
struct SolutionRelation {
  double left;
  double right;
  double result;
};

struct CyclicReductionState {
  std::vector<Equation> equations;
  Doubles x;
  Notes notes;
};

struct CyclicReductionProblem {
  std::uint64_t places;
  ReductionTimetable timetable;
  Split unknowns;  ///< of the places
};

/// The whole system: symmetric, and diagonally dominant.
std::vector<Equation> generated_system(const Settings& settings) {
  const std::uint64_t size = *settings.size;
  std::vector<Equation> system(size);
  for (std::uint64_t index = 0; index < size; ++index) {
    const double right = index + 1 < size ? -0.5 - generated_number(settings.seed, 0, index) : 0;
    const double left = index > 0 ? system[index - 1].right : 0;
    system[index] = {left, 0.125 - left - right, right, 0.5 + generated_number(settings.seed, 1, index)};
  }
  return system;
}

/// Eliminates every unknown but the last from the equation below it: all equations are then in x_before, the last
/// unknown of the place before, and in the next unknown.
void eliminate(std::vector<Equation>& equations) {
  for (std::size_t index = 1; index < equations.size(); ++index) {
    const Equation& above = equations[index - 1];
    Equation& here = equations[index];
    const double factor = here.left / above.own;
    here = {-factor * above.left, here.own - factor * above.right, here.right, here.result - factor * above.result};
  }
}

/// The first unknown in terms of x_before and the place's last: itself, if it is the only one.
SolutionRelation relation_of_first(const std::vector<Equation>& equations) {
  if (equations.size() == 1) return {0, -1, 0};
  const Equation& bottom = equations[equations.size() - 2];
  SolutionRelation relation{bottom.left / bottom.own, bottom.right / bottom.own, bottom.result / bottom.own};
  for (std::size_t index = equations.size() - 2; index-- > 0;) {
    const auto& [left, own, right, result] = equations[index];
    relation = {(left - right * relation.left) / own, -(right * relation.right) / own,
                (result - right * relation.result) / own};
  }
  return relation;
}

void replace_behind(Equation& here, const SolutionRelation& by) {
  here = {here.left, here.own - here.right * by.left, -(here.right * by.right), here.result - here.right * by.result};
}

void replace_before(Equation& here, const SolutionRelation& by) {
  here = {-(here.left * by.left), here.own - here.left * by.right, here.right, here.result - here.left * by.result};
}

Block as_block(const SolutionRelation& relation) {
  Block block(3);
  std::ranges::transform(Doubles{relation.left, relation.right, relation.result}, block.data(), as_word);
  return block;
}

Block as_block(double x) {
  Block block(1);
  *block.data() = as_word(x);
  return block;
}

SolutionRelation relation_in(const Block& block) {
  if (block.size() != 3) throw std::logic_error("received a block that is no relation");
  return {as_number(block[0]), as_number(block[1]), as_number(block[2])};
}

double number_in(const Block& block) {
  if (block.size() != 1) throw std::logic_error("received a block that is no unknown");
  return as_number(block[0]);
}

/// A processor's part in one stage: the equation it has or serves, and the ports to and from the places beside.
class ReductionStage {
 public:
  ReductionStage(Rank rank, Cycle stage, std::uint64_t places) : rank_(rank), stage_(stage), places_(places) {
    place_ = inverse_gray(rank);
    has_equation_ = is_left(place_);
    if (has_equation_ || stage == 0) return;
    place_ = inverse_gray(beside(rank));
    serves_ = is_left(place_);
  }

  bool has_equation() const { return has_equation_; }
  bool serves() const { return serves_; }
  /// Whether the equation it has or serves is eliminated in this stage.
  bool is_eliminated() const { return ((place_ + 1) >> stage_ & 1U) != 0; }
  bool has_before() const { return place_ + 1 > std::uint64_t{1} << stage_; }
  bool has_behind() const { return place_ + (std::uint64_t{1} << stage_) < places_; }

  /// To the processor that serves this one, or that this one serves.
  Port to_server() const { return static_cast<Port>(stage_ - 1); }
  /// From a processor that serves, or from any in stage 0, to the place before and behind.
  Port to_before() const { return port_between(rank_, gray_of(place_ - distance())); }
  Port to_behind() const { return port_between(rank_, gray_of(place_ + distance())); }
  /// The ports on which messages of those places arrive.
  Port from_before() const { return port_between(rank_, sender(place_ - distance())); }
  Port from_behind() const { return port_between(rank_, sender(place_ + distance())); }

 private:
  static Rank gray_of(std::uint64_t place) { return gray(static_cast<Rank>(place)); }
  static Port port_between(Rank one, Rank other) { return highest_bit(one ^ other); }
  /// Whether a place still has an equation when the stage begins.
  bool is_left(std::uint64_t place) const { return (place + 1) % distance() == 0; }
  std::uint64_t distance() const { return std::uint64_t{1} << stage_; }
  Rank beside(Rank rank) const { return rank ^ (Rank{1} << (stage_ - 1)); }
  Rank sender(std::uint64_t place) const { return stage_ == 0 ? gray_of(place) : beside(gray_of(place)); }

  Rank rank_;
  Cycle stage_;
  std::uint64_t places_;
  std::uint64_t place_ = 0;
  bool has_equation_ = false;
  bool serves_ = false;
};

/// Sends to both neighbours of the stage, one after the other: from `begin` on in stage 0, later through the server.
Process send_to_both(Processor<Block>& self, const ReductionStage& stage, Cycle index, Cycle begin, bool behind_first,
                     Block block) {
  co_await self.until(begin);
  if (index > 0 && !stage.serves()) {
    self.send(stage.to_server(), std::move(block));
    co_return;
  }
  const bool both = stage.has_before() && stage.has_behind();
  const bool behind = both ? behind_first : stage.has_behind();
  if (both) {
    self.send(behind ? stage.to_behind() : stage.to_before(), Block(block));
    co_await self.until(begin + 1);
  }
  const bool last_behind = both ? !behind : behind;
  self.send(last_behind ? stage.to_behind() : stage.to_before(), std::move(block));
}

/// Serves another's equation: forwards its message to both of its neighbours.
Process pass_on(Processor<Block>& self, const ReductionStage& stage, Cycle index, Cycle begin, bool behind_first) {
  Block block;
  {
    Message<Block> message = co_await self.message(stage.to_server());
    block = std::move(message.payload);
  }
  co_await send_to_both(self, stage, index, begin + 1, behind_first, std::move(block));
}

/// Checks that a relation from a place with none before it does not depend on one.
SolutionRelation checked(const SolutionRelation& relation, bool has_before) {
  if (!has_before && relation.left != 0) throw std::logic_error("a relation came to what does not exist");
  return relation;
}

Process eliminate_stage(Processor<Block>& self, const CyclicReductionProblem& problem, Cycle index, Equation& own,
                        CyclicReductionState& state) {
  const ReductionStage stage(self.rank(), index, problem.places);
  const Cycle begin = problem.timetable.elimination(index);
  if (stage.serves() && stage.is_eliminated()) {
    co_await pass_on(self, stage, index, begin, true);
  } else if (stage.has_equation() && stage.is_eliminated()) {
    co_await self.until(begin);
    SolutionRelation relation{};
    {
      const Arithmetic arithmetic(self, static_cast<std::uint64_t>(resolving), state.notes.seconds);
      relation = {own.left / own.own, own.right / own.own, own.result / own.own};
    }
    own = {relation.left, 1, relation.right, relation.result};
    co_await send_to_both(self, stage, index, begin, true, as_block(relation));
  } else if (stage.has_equation()) {
    const Message<Block> before = co_await self.message(stage.from_before());
    const std::uint64_t place = inverse_gray(self.rank());
    {
      const Arithmetic arithmetic(self, static_cast<std::uint64_t>(replacing), state.notes.seconds);
      replace_before(own, checked(relation_in(before.payload), place + 1 > std::uint64_t{2} << index));
    }
    if (!stage.has_behind()) co_return;
    const Message<Block> behind = co_await self.message(stage.from_behind());
    const Arithmetic arithmetic(self, static_cast<std::uint64_t>(replacing), state.notes.seconds);
    replace_behind(own, relation_in(behind.payload));
  }
}

/// The way back: computes x of this place, if the stage eliminated it; `before` becomes x of the neighbour before.
Process substitute_stage(Processor<Block>& self, const CyclicReductionProblem& problem, Cycle index,
                         const Equation& own, double& x, double& before, CyclicReductionState& state) {
  const ReductionStage stage(self.rank(), index, problem.places);
  const Cycle begin = problem.timetable.substitution(index);
  if (stage.serves() && !stage.is_eliminated()) {
    co_await pass_on(self, stage, index, begin, false);
  } else if (stage.has_equation() && !stage.is_eliminated()) {
    co_await send_to_both(self, stage, index, begin, false, as_block(x));
  } else if (stage.has_equation()) {
    const Message<Block> behind = co_await self.message(stage.from_behind());
    before = 0;
    if (stage.has_before()) {
      const Message<Block> came = co_await self.message(stage.from_before());
      before = number_in(came.payload);
    }
    co_await self.until(index == 0 ? problem.timetable.last_step() : problem.timetable.substitution(index - 1));
    const Arithmetic arithmetic(self, static_cast<std::uint64_t>(finding), state.notes.seconds);
    x = own.result - own.left * before - own.right * number_in(behind.payload);
  }
}

/// The unknowns above the last.
void substitute(const std::vector<Equation>& equations, double before, Doubles& x) {
  for (std::size_t index = equations.size() - 1; index-- > 0;) {
    const auto& [left, own, right, result] = equations[index];
    x[index] = (result - left * before - right * x[index + 1]) / own;
  }
}

Process reduce_cyclically(Processor<Block>& self, const CyclicReductionProblem& problem, CyclicReductionState& state) {
  const std::uint64_t place = inverse_gray(self.rank());
  const std::uint64_t unknowns = state.equations.size();
  const ReductionStage first(self.rank(), 0, problem.places);
  double& x = state.x.back();
  double before = 0;
  self.hold(5 * unknowns);
  SolutionRelation relation{};
  {
    const Wide operations = elimination_operations(unknowns) + (place == 0 ? 0 : relation_operations(unknowns));
    const Arithmetic arithmetic(self, static_cast<std::uint64_t>(operations), state.notes.seconds);
    eliminate(state.equations);
    if (place > 0) relation = relation_of_first(state.equations);
  }
  Equation own = state.equations.back();
  if (first.has_before()) self.send(first.to_before(), as_block(relation));
  if (first.has_behind()) {
    const Message<Block> behind = co_await self.message(first.to_behind());
    const Arithmetic arithmetic(self, static_cast<std::uint64_t>(replacing), state.notes.seconds);
    replace_behind(own, relation_in(behind.payload));
  }
  for (Cycle stage = 0; stage < problem.timetable.n; ++stage) {
    co_await eliminate_stage(self, problem, stage, own, state);
  }
  if (place + 1 == problem.places) {
    const Arithmetic arithmetic(self, 1, state.notes.seconds);
    x = own.result / own.own;
  }
  for (Cycle stage = problem.timetable.n; stage-- > 0;) {
    co_await substitute_stage(self, problem, stage, own, x, before, state);
  }
  const auto has_more = [&](std::uint64_t of) { return problem.unknowns.size(of) > 1; };
  if (first.is_eliminated() && first.has_behind() && has_more(place + 1)) self.send(first.to_behind(), as_block(x));
  if (!first.is_eliminated() && has_more(place)) {
    const Message<Block> came = co_await self.message(first.to_before());
    before = number_in(came.payload);
  }
  const Arithmetic arithmetic(self, static_cast<std::uint64_t>(substitution_operations(unknowns)), state.notes.seconds);
  substitute(state.equations, before, state.x);
}

void verify(const RunRequest& request, const std::vector<Equation>& system, const PerRank<CyclicReductionState>& states,
            const Split& unknowns, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  Doubles diagonals;
  Doubles beside;
  Doubles right_side;
  for (const Equation& equation : system) {
    diagonals.push_back(equation.own);
    beside.push_back(equation.right);
    right_side.push_back(equation.result);
  }
  beside.pop_back();
  const Doubles expected = oracle::tridiagonal(diagonals, beside, right_side);
  // The inverse's rows sum up to 8 at most, as the diagonal exceeds the entries beside it by 1/8; no number grows.
  constexpr double tolerance = 0x1p-40;
  const auto judge = [&](Rank rank) {
    const CyclicReductionState& state = states[rank];
    const std::uint64_t first = unknowns.first(inverse_gray(rank));
    const auto due = std::span(expected).subspan(first, unknowns.size(inverse_gray(rank)));
    Verdict verdict;
    WordDigest digest;
    for (const double number : state.x) digest.add(as_word(number));
    verdict.digest = digest.value();
    verdict.wrong = what_is_wrong(rank, "the solution", state.x, due, tolerance, first);
    return verdict;
  };
  verify_ranks(request, start, judge, outcome);
}

Outcome run_cyclic_reduction(const RunRequest& request) {
  const Rank processors = request.topology.processors();
  const Split unknowns(*request.settings.size, processors);
  const std::vector<Equation> system = generated_system(request.settings);
  PerRank<CyclicReductionState> states(request);
  for_all_ranks(request, [&](Rank rank) {
    const std::uint64_t place = inverse_gray(rank);
    const auto first = system.begin() + static_cast<std::ptrdiff_t>(unknowns.first(place));
    states[rank].equations.assign(first, first + static_cast<std::ptrdiff_t>(unknowns.size(place)));
    states[rank].x.resize(unknowns.size(place));
  });
  const CyclicReductionProblem problem{processors, {request.topology.ports()}, unknowns};
  Outcome outcome;
  outcome.report = run_program<Block>(
      request, [&](Processor<Block>& self) { return reduce_cyclically(self, problem, states[self.rank()]); });
  for (const CyclicReductionState& state : states) outcome.arithmetic_seconds += state.notes.seconds;
  verify(request, system, states, unknowns, outcome);
  return outcome;
}

}  // namespace
}  // namespace application

extern const Method application_cyclic_reduction_method = application::with_defaults({
    .name = "application/cyclic-reduction",
    .mapping = "a tridiagonal system",
    .families = {"hypercube"},
    .source = "an application (applications.md, Cyclic reduction)",
    .summary = "a tridiagonal system by cyclic reduction: every processor keeps one equation, of which every other is "
               "eliminated until one is left",
    .parameters = {application::size_of_cyclic_reduction},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = application::resolve_cyclic_reduction,
    .predict = application::predict_cyclic_reduction,
    .bytes = application::bytes_cyclic_reduction,
    .run = application::run_cyclic_reduction,
});

}  // namespace lockstep
