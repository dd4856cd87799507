#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "scanning.hpp"

// x_i = a_i x_(i-1) + b_i modulo 2^64, from x_0 on: a step is a map, maps are composed, and composing is associative
// (applications.md, Linear recurrence).
namespace lockstep {
namespace application {
namespace {

constexpr NumberParameter size_of_linear_recurrence{
    {"size", "steps of the recurrence", "one a processor, at least 8 and at most 256"}, &Settings::size};

constexpr std::uint64_t map_words = 2;
constexpr std::uint64_t composing = 3;  // operations of a step put behind a map
constexpr std::uint64_t stepping = 2;

Prediction predict_linear_recurrence(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Split split(*settings.size, machine.processors);
  PredictedParts parts(machine, model);
  add_scan(parts, machine, settings, map_words);
  parts.compute(Wide{composing + stepping} * split.longest(), Wide{composing + stepping} * split.words());
  return parts.prediction("one " + *settings.method + " of maps");
}

std::uint64_t bytes_linear_recurrence(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(Wide{scan_bytes(machine, model, settings, map_words)} + 4 * Wide{*settings.size} * sizeof(Word));
}

/// x becomes factor x + summand.
struct Map {
  Word factor = 1;
  Word summand = 0;

  Word of(Word x) const { return factor * x + summand; }
};

Block as_block(const Map& map) { return Block(std::vector<Word>{map.factor, map.summand}); }
Map as_map(const Block& block) {
  if (block.size() != map_words) throw std::logic_error("received a block that is no map");
  return {block[0], block[1]};
}

/// `first`, then `second`, as one map.
Map composed(const Map& first, const Map& second) {
  return {second.factor * first.factor, second.factor * first.summand + second.summand};
}

void compose(Block& lower, const Block& higher) { lower = as_block(composed(as_map(lower), as_map(higher))); }

/// Factors are odd, so that every step is invertible and no earlier value is lost.
struct Recurrence {
  Word start;
  std::vector<Map> steps;

  explicit Recurrence(const Settings& settings) : start(generated_word(settings.seed, 2, 0, 0)) {
    for (std::uint64_t index = 0; index < *settings.size; ++index) {
      steps.push_back({generated_word(settings.seed, 0, 0, index) | 1, generated_word(settings.seed, 1, 0, index)});
    }
  }
};

/// The data of one processor.
struct LinearRecurrenceState {
  std::vector<Word> x;
  Scanning::Result scanned;
  double seconds = 0;
};

Process linear_recurrence(Processor<Partial>& self, const Split& split, const Recurrence& recurrence,
                          const Scanning& scanning, LinearRecurrenceState& state) {
  const auto steps = std::span(recurrence.steps).subspan(split.first(self.rank()), split.size(self.rank()));
  Map own;
  {
    const Arithmetic arithmetic(self, composing * steps.size(), state.seconds);
    for (const Map& step : steps) own = composed(own, step);
  }
  const Block value = as_block(own);
  co_await scan_lower_ranks(self, scanning, value, state.scanned);
  const Arithmetic arithmetic(self, stepping * steps.size(), state.seconds);
  Word x = as_map(state.scanned.before).of(recurrence.start);
  for (const Map& step : steps) state.x.push_back(x = step.of(x));
}

/// Computes the recurrence step by step.
void verify(const RunRequest& request, const Split& split, const Recurrence& recurrence, const Scanning& scanning,
            const PerRank<LinearRecurrenceState>& states, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Word> expected;
  Word x = recurrence.start;
  for (const Map& step : recurrence.steps) expected.push_back(x = step.factor * x + step.summand);
  const auto total = [&](Rank first, Rank count) {
    // A map is determined by its values at 0 and 1.
    Word zero = 0;
    Word one = 1;
    for (std::uint64_t index = split.first(first); index < split.first(std::uint64_t{first} + count); ++index) {
      const auto& [factor, summand] = recurrence.steps[index];
      zero = factor * zero + summand;
      one = factor * one + summand;
    }
    return Block(std::vector<Word>{one - zero, zero});
  };
  const Scanning::Totals totals = scanning.totals(request.topology.processors(), total);
  const auto judge = [&](Rank rank) -> Verdict {
    const LinearRecurrenceState& state = states[rank];
    const auto right = std::span(expected).subspan(split.first(rank), split.size(rank));
    if (!std::ranges::equal(state.x, right)) {
      const std::uint64_t first = right_words(state.x, right);
      return {0, "rank " + std::to_string(rank) + " has a wrong x " + std::to_string(split.first(rank) + first + 1)};
    }
    return {digest_of(state.x), scanning.what_is_wrong(rank, state.scanned, totals)};
  };
  verify_ranks(request, start, judge, outcome);
}

Outcome run_linear_recurrence(const RunRequest& request) {
  const Split split(*request.settings.size, request.topology.processors());
  const Recurrence recurrence(request.settings);
  const Scanning scanning(request, {as_block({}), compose});
  PerRank<LinearRecurrenceState> states(request);
  Outcome outcome;
  outcome.report = run_program<Partial>(request, [&](Processor<Partial>& self) {
    return linear_recurrence(self, split, recurrence, scanning, states[self.rank()]);
  });
  for (const LinearRecurrenceState& state : states) outcome.arithmetic_seconds += state.seconds;
  verify(request, split, recurrence, scanning, states, outcome);
  return outcome;
}

}  // namespace
}  // namespace application

extern const Method application_linear_recurrence_method =
    application::on_scans<application::size_of_linear_recurrence>({
        .name = "application/linear-recurrence",
        .mapping = "linear recurrence",
        .source = "an application (applications.md, Linear recurrence); Mukherjee, chapter 4, names it",
        .summary = "x_i = a_i x_(i-1) + b_i modulo 2^64, by a scan of the steps as maps",
        .predict = application::predict_linear_recurrence,
        .bytes = application::bytes_linear_recurrence,
        .run = application::run_linear_recurrence,
    });

}  // namespace lockstep
