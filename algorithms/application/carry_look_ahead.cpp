#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "scanning.hpp"

// The sum of two long numbers. Every processor adds its words as if no carry came in; a scan of what its words do to a
// carry then gives those that do come (applications.md, Carry look-ahead).
namespace lockstep {
namespace application {
namespace {

constexpr NumberParameter size_of_carry_look_ahead{
    {"size", "words of 64 bits of each number", "one a processor, at least 8 and at most 256"}, &Settings::size};

constexpr std::uint64_t adding = 2;  // operations a word: a sum, and whether it has a carry

Prediction predict_carry_look_ahead(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Split split(*settings.size, machine.processors);
  PredictedParts parts(machine, model);
  add_scan(parts, machine, settings, 1);
  parts.compute(Wide{2 * adding} * split.longest(), Wide{2 * adding} * split.words());
  return parts.prediction("one " + *settings.method + " of carries");
}

std::uint64_t bytes_carry_look_ahead(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(Wide{scan_bytes(machine, model, settings, 1)} + 5 * Wide{*settings.size} * sizeof(Word));
}

/// What words do to the carry that comes into them.
enum class Carry : Word { ends, goes_on, begins };

Block as_block(Carry carry) {
  const auto word = static_cast<Word>(carry);
  return Block(std::span(&word, 1));
}
Carry as_carry(const Block& block) {
  if (block.size() != 1 || block[0] > static_cast<Word>(Carry::begins)) throw std::logic_error("a block is no carry");
  return static_cast<Carry>(block[0]);
}

void put_behind(Block& lower, const Block& higher) {
  const Carry before = as_carry(lower);
  const Carry after = as_carry(higher);
  lower = as_block(after == Carry::goes_on ? before : after);
}

/// The lowest words first. A carry goes on through three words of four.
struct LongNumbers {
  std::vector<Word> a;
  std::vector<Word> b;

  explicit LongNumbers(const Settings& settings) {
    for (std::uint64_t index = 0; index < *settings.size; ++index) {
      const Word random = generated_word(settings.seed, 1, 0, index);
      a.push_back(generated_word(settings.seed, 0, 0, index));
      b.push_back(random % 4 == 0 ? random : ~a.back());
    }
  }
};

/// The data of one processor.
struct CarryLookAheadState {
  std::vector<Word> sum;
  Scanning::Result scanned;
  double seconds = 0;
};

/// Adds as if no carry came in, and finds what would become of one.
Carry add_words(std::span<const Word> a, std::span<const Word> b, std::vector<Word>& sum) {
  bool carries = false;
  bool goes_on = true;
  for (std::size_t index = 0; index < a.size(); ++index) {
    const Word without = a[index] + b[index];
    sum.push_back(without + (carries ? 1 : 0));
    goes_on = goes_on && sum.back() == ~Word{0};
    carries = without < a[index] || sum.back() < without;
  }
  return goes_on ? Carry::goes_on : carries ? Carry::begins : Carry::ends;
}

/// Adds the carry that does come in.
void add_carry(std::vector<Word>& sum) {
  for (Word& word : sum) {
    if (++word != 0) return;
  }
}

Process carry_look_ahead(Processor<Partial>& self, const Split& split, const LongNumbers& numbers,
                         const Scanning& scanning, CarryLookAheadState& state) {
  const std::uint64_t first = split.first(self.rank());
  const std::uint64_t size = split.size(self.rank());
  Carry own{};
  {
    const Arithmetic arithmetic(self, adding * size, state.seconds);
    own = add_words(std::span(numbers.a).subspan(first, size), std::span(numbers.b).subspan(first, size), state.sum);
  }
  const Block value = as_block(own);
  co_await scan_lower_ranks(self, scanning, value, state.scanned);
  const Arithmetic arithmetic(self, adding * size, state.seconds);
  if (as_carry(state.scanned.before) == Carry::begins) add_carry(state.sum);
}

/// The sum of the words from `first` on, with a carry into the lowest or without; returns whether a carry comes out.
bool add_by_hand(const LongNumbers& numbers, std::uint64_t first, std::uint64_t end, bool carry,
                 std::vector<Word>& sum) {
  for (std::uint64_t index = first; index < end; ++index) {
    Word low = 0;
    for (unsigned half = 0; half < 2; ++half) {  // 32 bits at a time cannot overflow
      const unsigned shift = 32 * half;
      const Word digits = (numbers.a[index] >> shift & 0xffffffffU) + (numbers.b[index] >> shift & 0xffffffffU) + carry;
      low |= (digits & 0xffffffffU) << shift;
      carry = digits >> 32 != 0;
    }
    sum.push_back(low);
  }
  return carry;
}

void verify(const RunRequest& request, const Split& split, const LongNumbers& numbers, const Scanning& scanning,
            const PerRank<CarryLookAheadState>& states, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Word> expected;
  add_by_hand(numbers, 0, split.words(), false, expected);
  const auto total = [&](Rank first, Rank count) {
    std::vector<Word> unused;
    const std::uint64_t from = split.first(first);
    const std::uint64_t end = split.first(std::uint64_t{first} + count);
    if (add_by_hand(numbers, from, end, false, unused)) return as_block(Carry::begins);
    return as_block(add_by_hand(numbers, from, end, true, unused) ? Carry::goes_on : Carry::ends);
  };
  const Scanning::Totals totals = scanning.totals(request.topology.processors(), total);
  const auto judge = [&](Rank rank) -> Verdict {
    const CarryLookAheadState& state = states[rank];
    const auto right = std::span(expected).subspan(split.first(rank), split.size(rank));
    if (!std::ranges::equal(state.sum, right)) {
      const std::uint64_t word = split.first(rank) + right_words(state.sum, right);
      return {0, "rank " + std::to_string(rank) + " has a wrong word " + std::to_string(word) + " of the sum"};
    }
    return {digest_of(state.sum), scanning.what_is_wrong(rank, state.scanned, totals)};
  };
  verify_ranks(request, start, judge, outcome);
}

Outcome run_carry_look_ahead(const RunRequest& request) {
  const Split split(*request.settings.size, request.topology.processors());
  const LongNumbers numbers(request.settings);
  const Scanning scanning(request, {as_block(Carry::goes_on), put_behind});
  PerRank<CarryLookAheadState> states(request);
  Outcome outcome;
  outcome.report = run_program<Partial>(request, [&](Processor<Partial>& self) {
    return carry_look_ahead(self, split, numbers, scanning, states[self.rank()]);
  });
  for (const CarryLookAheadState& state : states) outcome.arithmetic_seconds += state.seconds;
  verify(request, split, numbers, scanning, states, outcome);
  return outcome;
}

}  // namespace
}  // namespace application

extern const Method application_carry_look_ahead_method = application::on_scans<application::size_of_carry_look_ahead>({
    .name = "application/carry-look-ahead",
    .mapping = "sum of long numbers",
    .source = "an application (applications.md, Carry look-ahead); Mukherjee, chapter 4, names it",
    .summary = "the sum of two long numbers, by a scan of what becomes of carries",
    .predict = application::predict_carry_look_ahead,
    .bytes = application::bytes_carry_look_ahead,
    .run = application::run_carry_look_ahead,
});

}  // namespace lockstep
