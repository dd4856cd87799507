#include <cmath>

#include "application.hpp"
#include "gathering.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "oracle.hpp"

// Bodies that attract each other. Every processor moves some of them, and gathers the places and masses of all in every
// time step (applications.md, Bodies).
namespace lockstep {
namespace application {
namespace {

constexpr std::uint64_t sent_words = 4;    // of a body: x y z m
constexpr std::uint64_t body_numbers = 7;  // x y z vx vy vz m
constexpr double time_step = 0x1p-10;
constexpr double softening = 0x1p-4;

constexpr NumberParameter size_of_n_body{
    {"size", "bodies", "one a processor, at least 8 and at most 256"}, &Settings::size, {.most = 16777216}};
constexpr NumberParameter iterations_of_n_body{
    {"iterations", "time steps, at most 100: then roundings begin to decide where bodies are", "4"},
    &Settings::iterations,
    {.most = 100, .otherwise = 4}};
constexpr MethodParameter method_of_n_body{
    {"method", "allgather/adea, daisy-chain, tea1 or tea2", "allgather/adea, where there is no cube daisy-chain"},
    gathering_methods};

void resolve_n_body(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_size(size_of_n_body, machine, settings);
  iterations_of_n_body.resolve(settings);
  method_of_n_body.resolve(machine, model, settings);
}

Split bodies_of(const MachineSpec& machine, const Settings& settings) { return {*settings.size, machine.processors}; }

/// 19 for the pull of one body on another, a root being one; 12 to change a body's velocity and place.
constexpr Wide operations(Wide bodies, Wide own) { return (19 * bodies + 12) * own; }

Prediction predict_n_body(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t times = *settings.iterations;
  const Wide n = *settings.size;
  const Split bodies = bodies_of(machine, settings);
  PredictedParts parts(machine, model);
  parts.add(chosen_method(machine, settings), sent_words * bodies.longest(), times);
  parts.compute(times * operations(n, bodies.longest()), times * operations(n, n));
  return parts.prediction(std::to_string(times) + " times " + *settings.method);
}

std::uint64_t bytes_n_body(const MachineSpec& machine, const Model& model, const Settings& settings) {
  Settings gathered;
  gathered.words = sent_words * bodies_of(machine, settings).longest();
  return saturated(Wide{chosen_method(machine, settings).bytes(machine, model, gathered)} +
                   4 * body_numbers * Wide{*settings.size} * sizeof(double));
}

/// In a cube of side 1, at rest or slow, with masses from 1 to 2.
Doubles generated_bodies(const Settings& settings) {
  Doubles bodies;
  for (std::uint64_t body = 0; body < *settings.size; ++body) {
    for (std::uint64_t number = 0; number < body_numbers; ++number) {
      const double random = generated_number(settings.seed, body, number);
      bodies.push_back(number < 3 ? random : number < 6 ? random - 0.5 : 1 + random);
    }
  }
  return bodies;
}

/// The data of one processor.
struct NBodyState {
  Doubles bodies;  ///< its own
  Notes notes;
};

struct NBodyProblem {
  Split bodies;
  std::uint64_t steps;
  Cycle gathering;  ///< cycles each
};

void tell(std::span<const double> bodies, std::span<Word> block) {
  for (std::size_t body = 0; body * body_numbers < bodies.size(); ++body) {
    const std::span<const double> from = bodies.subspan(body * body_numbers, body_numbers);
    const std::span<Word> to = block.subspan(body * sent_words, sent_words);
    for (std::size_t axis = 0; axis < 3; ++axis) to[axis] = as_word(from[axis]);
    to[3] = as_word(from[6]);
  }
}

/// Adds the pull of a body at `there` to the acceleration of one at `here`.
void add_pull(std::span<const double> here, std::span<const Word> there, std::span<double, 3> acceleration) {
  double away[3];
  double square = softening * softening;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    away[axis] = as_number(there[axis]) - here[axis];
    square += away[axis] * away[axis];
  }
  const double weight = as_number(there[3]) / (square * std::sqrt(square));
  for (std::size_t axis = 0; axis < 3; ++axis) acceleration[axis] += weight * away[axis];
}

/// Moves the processor's bodies by one time step: first all velocities, from the gathered places.
template <Payload T>
void move(const NBodyProblem& problem, const Gathering<T>& gathering, Rank rank, Doubles& bodies) {
  for (std::size_t first = 0; first < bodies.size(); first += body_numbers) {
    const std::span<double> body = std::span(bodies).subspan(first, body_numbers);
    double acceleration[3]{};
    for (Rank source = 0; source < problem.bodies.pieces(); ++source) {
      const std::span<const Word> block = gathering.block(rank, source);
      for (std::uint64_t other = 0; other < problem.bodies.size(source); ++other) {
        add_pull(body, block.subspan(other * sent_words, sent_words), acceleration);
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      body[3 + axis] += time_step * acceleration[axis];
      body[axis] += time_step * body[3 + axis];
    }
  }
}

template <Payload T>
Process n_body(Processor<T>& self, const NBodyProblem& problem, Gathering<T>& gathering, NBodyState& state) {
  const Rank rank = self.rank();
  const auto step_operations =
      static_cast<std::uint64_t>(operations(problem.bodies.words(), problem.bodies.size(rank)));
  self.hold(state.bodies.size() + sent_words * problem.bodies.words());
  for (std::uint64_t step = 0; step < problem.steps; ++step) {
    tell(state.bodies, gathering.own(rank));
    co_await gathering.gather(self, step * problem.gathering);
    co_await self.until((step + 1) * problem.gathering);
    hear(gathering, self, state.notes.heard);
    const Arithmetic arithmetic(self, step_operations, state.notes.seconds);
    move(problem, gathering, rank, state.bodies);
  }
}

void verify(const RunRequest& request, const Split& split, const PerRank<NBodyState>& states, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t steps = *request.settings.iterations;
  const Doubles expected = oracle::n_body(generated_bodies(request.settings), steps, time_step, softening);
  double largest = 1;
  for (const double number : expected) largest = std::max(largest, std::abs(number));
  // The pulls of n bodies are added in another order; softened, they let errors grow slowly over so short a run.
  const double tolerance = 0x1p-44 * static_cast<double>(*request.settings.size * steps) * largest;
  const WordDigest heard_by_first = of_first(request, states);
  const auto judge = [&](Rank rank) {
    const NBodyState& state = states[rank];
    const std::uint64_t first = split.first(rank) * body_numbers;
    Verdict verdict;
    WordDigest digest;
    for (const double number : state.bodies) digest.add(as_word(number));
    verdict.digest = digest.value();
    verdict.wrong = what_is_wrong(rank, state.notes.heard, heard_by_first);
    if (verdict.wrong.empty()) {
      verdict.wrong =
          what_is_wrong(rank, "the bodies (x y z vx vy vz m of each)", state.bodies,
                        std::span(expected).subspan(first, split.size(rank) * body_numbers), tolerance, first);
    }
    return verdict;
  };
  verify_ranks(request, start, judge, outcome);
}

template <Payload T>
Outcome run_with(const RunRequest& request, Gathering<T>& gathering) {
  const Split split = bodies_of(request.machine, request.settings);
  PredictedParts parts(request.machine, request.model);
  const NBodyProblem problem{split, *request.settings.iterations,
                             parts.add(chosen_method(request.machine, request.settings), sent_words * split.longest())};
  const Doubles bodies = generated_bodies(request.settings);
  PerRank<NBodyState> states(request);
  for_all_ranks(request, [&](Rank rank) {
    const auto own = std::span(bodies).subspan(split.first(rank) * body_numbers, split.size(rank) * body_numbers);
    states[rank].bodies.assign(own.begin(), own.end());
  });
  Outcome outcome;
  outcome.report = run_program<T>(
      request, [&](Processor<T>& self) { return n_body(self, problem, gathering, states[self.rank()]); });
  for (const NBodyState& state : states) outcome.arithmetic_seconds += state.notes.seconds;
  verify(request, split, states, outcome);
  return outcome;
}

Outcome run_n_body(const RunRequest& request) {
  const std::uint64_t words = sent_words * bodies_of(request.machine, request.settings).longest();
  AnyGathering any = make_gathering(request, chosen_method(request.machine, request.settings), words);
  return std::visit([&](auto& gathering) { return run_with(request, *gathering); }, any);
}

Method entry_n_body() {
  return with_defaults({
      .name = "application/n-body",
      .mapping = "n bodies",
      .source = "an application (applications.md, Bodies)",
      .summary = "bodies that attract each other; the places of all are gathered in every time step",
      .parameters = {size_of_n_body, iterations_of_n_body, method_of_n_body},
      .resolve = resolve_n_body,
      .predict = predict_n_body,
      .bytes = bytes_n_body,
      .run = run_n_body,
  });
}

}  // namespace
}  // namespace application

extern const Method application_n_body_method = application::on_cubes(application::entry_n_body(), Duplex::half_node);

extern const Method application_n_body_ring_method = application::on_rings(application::entry_n_body());

extern const Method application_n_body_switch_method = application::on_switches(application::entry_n_body());

}  // namespace lockstep
