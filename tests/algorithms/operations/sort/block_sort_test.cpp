// sort/resort, sort/merge and sort/classic against mukherjee.md, Sorting: the counts of every phase, and sorted
// results.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "lockstep/algorithms/number_file.hpp"
#include "lockstep/algorithms/string_file.hpp"
#include "sort_file.hpp"

namespace lockstep::block_sort_test {
namespace {

const std::vector<std::string> variants{"sort/resort", "sort/merge", "sort/classic"};
const std::vector<std::string> moves{"combine", "packets"};

Settings sort_settings(const std::string& move, std::uint64_t words, const std::string& type = "int64") {
  Settings settings = lockstep::sort_settings(words, type);
  settings.move = move;
  return settings;
}

struct Counts {
  std::uint64_t steps;
  std::uint64_t messages;
  std::uint64_t words;
  std::uint64_t longest_sum;

  Counts operator+(const Counts& other) const {
    return {steps + other.steps, messages + other.messages, words + other.words, longest_sum + other.longest_sum};
  }
  friend bool operator==(const Counts&, const Counts&) = default;
  friend void PrintTo(const Counts& counts, std::ostream* out) {
    *out << counts.steps << " steps, " << counts.messages << " messages, " << counts.words << " words, longest sum "
         << counts.longest_sum;
  }
};

/// The formulas of mukherjee.md, Sorting.
struct Spec {
  std::uint64_t k, n, D, c, N;

  Spec(std::uint64_t k_, std::uint64_t n_)
      : k(k_), n(n_), D(std::uint64_t{1} << n), c(k - n), N(std::uint64_t{1} << (k + D)) {}

  std::uint64_t X(const std::string& variant) const {
    if (variant == "sort/resort") return D * (D + 1) / 2 * (1 + c * (k + 1) - c * (c - 1) / 2);
    if (variant == "sort/merge") return D * (D + 1) / 2 * (1 + c);
    return D * (D + 1) / 2 + D * c;
  }
  std::uint64_t P(const std::string& variant) const { return D * (D - 1) + X(variant); }

  Counts block_sort(std::uint64_t b) const {
    const std::uint64_t steps = k * (k + 1) / 2;
    return {steps, N * steps, N * b * steps, b * steps};
  }
  Counts one_way(const std::string& move, PortModel ports, std::uint64_t b) const {
    const std::uint64_t words = N / D * b * (n * D / 2);
    if (move == "combine") return {n, N / D * (D - 1), words, b * (D - 1)};
    const std::uint64_t G = ports == PortModel::all ? D / 2 : D - 1;
    return {G, N / D * (n * D / 2), words, b * G};
  }
  Counts between_blocks(const std::string& variant, std::uint64_t b) const {
    return {P(variant), N / D * P(variant), N * b * P(variant), D * b * P(variant)};
  }
};

void expect_counts(const Report& report, const Spec& spec, const std::string& variant, const std::string& move,
                   PortModel ports, std::uint64_t b) {
  const Counts gather = spec.one_way(move, ports, b);
  const std::map<std::string, Counts> phases{{"block sort", spec.block_sort(b)},
                                             {"gather", gather},
                                             {"between blocks", spec.between_blocks(variant, b)},
                                             {"scatter", gather}};
  Counts sum{};
  for (const auto& [name, counts] : phases) sum = sum + counts;
  expect_counts(report,
                {.steps = sum.steps,
                 .longest_sum = sum.longest_sum,
                 .messages = sum.messages,
                 .words = sum.words,
                 .peak_words_held = 2 * spec.D * b},
                model_of(ports).cost);
  EXPECT_EQ(report.phases.size(), phases.size());
  for (const PhaseCounts& phase : report.phases) {
    ASSERT_TRUE(phases.contains(phase.name)) << phase.name;
    EXPECT_EQ((Counts{phase.steps, phase.messages, phase.words, phase.longest_sum}), phases.at(phase.name))
        << phase.name;
  }
}

void expect_prediction(const Prediction& predicted, const Spec& spec, const std::string& variant,
                       const std::string& move, PortModel ports, std::uint64_t b) {
  const Counts gather = spec.one_way(move, ports, b);
  const Counts sum = spec.block_sort(b) + gather + spec.between_blocks(variant, b) + gather;
  EXPECT_EQ((Counts{predicted.steps.value().value, predicted.messages.value().value, predicted.words.value().value,
                    predicted.longest_sum.value().value}),
            sum);
  const bool exact = variant != "sort/resort" || spec.c == 0;
  EXPECT_EQ(predicted.steps->exact, exact);
  EXPECT_EQ(predicted.messages->exact, exact);
  EXPECT_EQ(predicted.words->exact, exact);
  EXPECT_EQ(predicted.longest_sum->exact, exact);
}

void expect_sorts_with_counts(std::uint64_t k, std::uint64_t n, const std::vector<std::uint64_t>& blocks) {
  const Spec spec(k, n);
  const BuiltMachine machine("rh:" + std::to_string(k) + "," + std::to_string(n));
  for (const std::string& variant : variants) {
    for (const std::string& move : moves) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        for (const std::uint64_t b : blocks) {
          SCOPED_TRACE(machine.spec.text + ", " + variant + ", " + move + ", ports " + std::string(name(ports)) +
                       ", b " + std::to_string(b));
          const Outcome outcome = machine.run(variant, model_of(ports), sort_settings(move, b));
          EXPECT_EQ(outcome.wrong, "");
          expect_counts(outcome.report, spec, variant, move, ports, b);
          const Method& method = machine.method(variant);
          expect_prediction(method.predict(machine.spec, model_of(ports), sort_settings(move, b)), spec, variant, move,
                            ports, b);
        }
      }
    }
  }
}

// ---- Counts.

using Shape = std::pair<std::uint64_t, std::uint64_t>;  // k, n

/// All RH(k,n) with k + 2^n from `least` to `most` address bits.
std::vector<Shape> shapes(std::uint64_t least, std::uint64_t most) {
  std::vector<Shape> all;
  for (std::uint64_t n = 0; n <= 4; ++n) {
    for (std::uint64_t k = n; k + (std::uint64_t{1} << n) <= most; ++k) {
      if (k + (std::uint64_t{1} << n) >= least) all.emplace_back(k, n);
    }
  }
  return all;
}

std::string shape_name(const testing::TestParamInfo<Shape>& info) {
  return "rh_" + std::to_string(info.param.first) + "_" + std::to_string(info.param.second);
}

class BlockSort : public testing::TestWithParam<Shape> {};
TEST_P(BlockSort, SortsWithTheCountsOfTheSpec) {
  expect_sorts_with_counts(GetParam().first, GetParam().second, {1, 2, 3, 5});
}
INSTANTIATE_TEST_SUITE_P(Small, BlockSort, testing::ValuesIn(shapes(0, sanitized ? 6 : 10)), shape_name);

class LargeBlockSort : public testing::TestWithParam<Shape> {};
TEST_P(LargeBlockSort, SortsWithTheCountsOfTheSpec) {
  expect_sorts_with_counts(GetParam().first, GetParam().second, {2});
}
INSTANTIATE_TEST_SUITE_P(Large, LargeBlockSort, testing::ValuesIn(sanitized ? shapes(7, 7) : shapes(11, 12)),
                         shape_name);

// 2^16 processors.
TEST(BlockSort, SortsOnTheLargestMachinesWithTheCountsOfTheSpec) {
  for (const auto& [shape, variant] : {std::pair(Shape(8, 3), "sort/merge"), std::pair(Shape(12, 2), "sort/classic")}) {
    const auto [k, n] = sanitized ? Shape(5, 2) : shape;
    const BuiltMachine machine("rh:" + std::to_string(k) + "," + std::to_string(n));
    SCOPED_TRACE(machine.spec.text + ", " + variant);
    const Outcome outcome = machine.run(variant, model_of(PortModel::one), sort_settings("packets", 1));
    EXPECT_EQ(outcome.wrong, "");
    expect_counts(outcome.report, Spec(k, n), variant, "packets", PortModel::one, 1);
  }
}

// mukherjee.md, Sorting: for c = 0 the three coincide, X = D (D+1) / 2.
TEST(BlockSort, IsTheSameInAllVariantsWithoutLayers) {
  for (const std::uint64_t n : {0U, 1U, 2U, 3U}) {
    const std::string machine = "rh:" + std::to_string(n) + "," + std::to_string(n);
    const std::uint64_t D = std::uint64_t{1} << n;
    for (const std::string& variant : variants) {
      const Report report = BuiltMachine(machine).run(variant, {}, sort_settings("combine", 1)).report;
      EXPECT_EQ(report.steps, n * (n + 1) / 2 + 2 * n + D * (D - 1) + D * (D + 1) / 2) << machine << ", " << variant;
    }
  }
}

// Every valid n: the packets of a gather meet the bound for one node, D-1 steps or floor(D/2).
TEST(BlockSort, IsPredictedForMachinesTooLargeToTest) {
  for (const auto& [k, n] : shapes(13, 31)) {
    const Spec spec(k, n);
    const MachineSpec machine = parse_machine("rh:" + std::to_string(k) + "," + std::to_string(n));
    for (const std::string& variant : variants) {
      for (const std::string& move : moves) {
        for (const PortModel ports : {PortModel::one, PortModel::all}) {
          SCOPED_TRACE(machine.text + ", " + variant + ", " + move);
          expect_prediction(find_method(variant, "rh").predict(machine, model_of(ports), sort_settings(move, 7)), spec,
                            variant, move, ports, 7);
        }
      }
    }
  }
}

// ---- Models.

TEST(BlockSort, KeepsToOnePortStrictlyWhereBlocksAreCombined) {
  for (const auto& [k, n] : {Shape(0, 0), Shape(2, 0), Shape(1, 1), Shape(3, 1), Shape(2, 2), Shape(3, 2)}) {
    const std::string machine = "rh:" + std::to_string(k) + "," + std::to_string(n);
    for (const std::string& variant : variants) {
      SCOPED_TRACE(machine + ", " + variant);
      const Outcome outcome =
          BuiltMachine(machine).run(variant, model_of(PortModel::one_strict), sort_settings("combine", 2));
      EXPECT_EQ(outcome.wrong, "");
      expect_counts(outcome.report, Spec(k, n), variant, "combine", PortModel::one_strict, 2);
    }
  }
}

// Subblock 1 forwards subblock 0's packet for 3 over one port while it receives the packet for 1 over another.
TEST(BlockSort, DoesNotKeepToOnePortStrictlyWithPackets) {
  const auto refused = [](const std::string& variant, const std::string& machine) {
    return violation(variant, machine, model_of(PortModel::one_strict), sort_settings("packets", 1));
  };
  for (const std::string& variant : variants) {
    EXPECT_EQ(refused(variant, "rh:1,1"), "");
    EXPECT_EQ(refused(variant, "rh:3,1"), "");
    // 3 steps of block sort, 3 of gather, 12 + 10 between blocks.
    EXPECT_EQ(refused(variant, "rh:2,2"),
              variant +
                  ": cycle 29, rank 1, port 0: received there, but sent on port 1 in the same cycle (port model "
                  "one-strict: both on one port)");
  }
}

TEST(BlockSort, IsRefusedWhereLinksAreHalfDuplex) {
  for (const std::string& variant : variants) {
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      for (const std::string machine : {"rh:0,0", "rh:2,1"}) {
        EXPECT_EQ(violation(variant, machine, model_of(ports, Duplex::half_link)),
                  variant +
                      ": cycle 0, rank 0, port 0: sent and received over one link in one cycle (duplex "
                      "half-link: one direction a cycle)");
        EXPECT_EQ(violation(variant, machine, model_of(ports, Duplex::half_node)),
                  variant +
                      ": cycle 0, rank 0, port 0: received there, but sent on port 0 in the same cycle (duplex "
                      "half-node: either send or receive)");
      }
    }
  }
}

TEST(BlockSort, ComesToTheSameOnAllExecutorsWithPackets) {
  const BuiltMachine machine("rh:4,2");
  for (const std::string& variant : variants) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      const Settings settings = sort_settings("packets", 2);
      const Outcome expected = machine.run(variant, model_of(ports), settings);
      for (const ExecutorKind kind : {ExecutorKind::tbb, ExecutorKind::threads, ExecutorKind::seeded}) {
        const auto executor = make_executor(kind, kind == ExecutorKind::seeded ? 1 : 4, 9);
        const Outcome outcome = machine.run(variant, model_of(ports), settings, {}, executor.get());
        EXPECT_EQ(outcome.wrong, "");
        EXPECT_EQ(outcome.report.digest(), expected.report.digest());
        EXPECT_EQ(outcome.data_digest, expected.data_digest);
      }
    }
  }
}

// ---- Data.

TEST(BlockSort, CatchesEveryFault) {
  for (const std::string& variant : variants) {
    for (const std::string& move : moves) {
      for (const char* type : {"int64", "string"}) {
        expect_catches_faults(variant, "rh:1,1", sort_settings(move, 2, type));
      }
      expect_catches_faults(variant, "rh:2,1", sort_settings(move, 1));
    }
    expect_catches_faults(variant, "rh:1,0", sort_settings("packets", 1));
  }
  expect_catches_faults("sort/merge", "rh:2,2", sort_settings("packets", 1));
}

class BlockSortFile : public SortFile {
 protected:
  /// All three sorts, with both ways to move blocks.
  static std::vector<SortOn> all_on(const char* machine) {
    std::vector<SortOn> all;
    for (const std::string& variant : variants) {
      for (const std::string& move : moves) all.emplace_back(machine, variant, move);
    }
    return all;
  }
};

// By the 0-1 principle these show that the schedules sort any input.
TEST_F(BlockSortFile, HoldsAllInputsOfZerosAndOnesInOrder) {
  for (unsigned bits = 0; bits < 256; bits += sanitized ? 15 : 1) {
    std::vector<std::int64_t> numbers;
    for (unsigned place = 0; place < 8; ++place) numbers.push_back(bits >> place & 1);
    const std::string input = file("bits" + std::to_string(bits), lines_of(numbers));
    for (const char* machine : {"rh:1,1", "rh:2,0"}) {
      for (const SortOn& how : all_on(machine)) {
        SCOPED_TRACE(how.text() + ", bits " + std::to_string(bits));
        expect_verified(how, input);
      }
    }
  }
}

TEST_F(BlockSortFile, HoldsRandomZerosAndOnesInOrder) {
  std::mt19937_64 random(20);
  for (const char* machine : {"rh:2,1", "rh:3,1", "rh:2,2", "rh:4,1", "rh:3,2"}) {
    for (unsigned trial = 0; trial < (sanitized ? 5 : 100); ++trial) {
      std::vector<std::int64_t> numbers(parse_machine(machine).processors);
      const std::uint64_t ones = random() % (numbers.size() + 1);
      for (std::int64_t& number : numbers) number = random() % numbers.size() < ones ? 1 : 0;
      const std::string input = file(machine + std::to_string(trial), lines_of(numbers));
      for (const SortOn& how : all_on(machine)) {
        SCOPED_TRACE(how.text() + ", trial " + std::to_string(trial) + " of seed 20");
        expect_verified(how, input);
      }
    }
  }
}

TEST_F(BlockSortFile, HoldsAscendingDescendingAndEqualNumbers) {
  for (const std::int64_t count : {32, 96, 200}) {
    std::vector<std::int64_t> ascending;
    for (std::int64_t number = 0; number < count; ++number) ascending.push_back(number - count / 3);
    const std::vector<std::int64_t> descending(ascending.rbegin(), ascending.rend());
    const std::vector<std::int64_t> equal(static_cast<std::size_t>(count), -7);
    for (const auto& numbers : {ascending, descending, equal}) {
      for (const char* machine : {"rh:0,0", "rh:1,1", "rh:3,1", "rh:3,2"}) {
        for (const SortOn& how : all_on(machine)) {
          SCOPED_TRACE(how.text());
          expect_sorted(how, numbers);
        }
      }
    }
  }
}

TEST_F(BlockSortFile, HoldsRandomNumbersInOrder) {
  std::mt19937_64 random(21);
  for (const std::uint64_t different : {2U, 10U, 1'000'000U}) {
    for (const char* machine : {"rh:3,0", "rh:4,1", "rh:3,2"}) {
      for (const SortOn& how : all_on(machine)) {
        SCOPED_TRACE(how.text() + ", seed 21");
        std::vector<std::int64_t> numbers(1000);
        for (std::int64_t& number : numbers) number = static_cast<std::int64_t>(random() % different) - 5;
        expect_sorted(how, numbers);
      }
    }
  }
}

TEST_F(BlockSortFile, NeedNotDivideAmongTheRanks) {
  std::mt19937_64 random(22);
  for (std::size_t count = 0; count <= 40; count += 3) {
    std::vector<std::int64_t> numbers(count);
    for (std::int64_t& number : numbers) number = static_cast<std::int64_t>(random() % 7) - 3;
    for (const SortOn& how : all_on("rh:2,1")) {
      SCOPED_TRACE(how.text() + ", " + std::to_string(count) + " numbers");
      expect_sorted(how, numbers);
      expect_sorted(how, numbers, 6);
    }
  }
}

// The padding equals the greatest records: neither may be mistaken for the other.
TEST_F(BlockSortFile, MayHoldTheGreatestNumbers) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (const SortOn& how : all_on("rh:2,1")) {
    expect_sorted(how, {most, 0, most, least, -1, most, 5, least, most, 1, most});
  }
}

TEST_F(BlockSortFile, HoldsDoublesInOrder) {
  std::mt19937_64 random(23);
  std::normal_distribution<double> number(0, 1e3);
  std::vector<double> numbers{-0.0, 0.0, 1e308, -1e308, 4.9e-324};
  std::vector<Word> words;
  while (numbers.size() < 300) numbers.push_back(number(random));
  for (const double value : numbers) words.push_back(std::bit_cast<Word>(value));
  write_numbers(path("doubles"), words, NumberType::float64);
  std::stable_sort(numbers.begin(), numbers.end(),
                   [](double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); });
  std::vector<Word> sorted;
  for (const double value : numbers) sorted.push_back(std::bit_cast<Word>(value));
  for (const SortOn& how : all_on("rh:3,2")) {
    EXPECT_EQ(sort(how, text_of(path("doubles"))).wrong, "");
    EXPECT_EQ(read_numbers(path("out")).words, sorted);
  }
}

// Strings longer and shorter than a std::string holds in place, many of them equal.
TEST_F(BlockSortFile, HoldsStringsInOrder) {
  std::mt19937_64 random(24);
  std::string text;
  for (int count = 0; count < 700; ++count) {
    text += random() % 4 == 0 ? "a common beginning that is long " : "";
    for (std::uint64_t length = random() % 4; length > 0; --length) text += static_cast<char>('a' + random() % 2);
    text += '\n';
  }
  for (const char* machine : {"rh:2,1", "rh:3,2"}) {
    for (const SortOn& how : all_on(machine)) {
      SCOPED_TRACE(how.text());
      EXPECT_EQ(sort(how, text, "string").wrong, "");
      std::vector<std::string> expected = read_strings(path("in"));
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(read_strings(path("out")), expected);
    }
  }
}

TEST_F(BlockSortFile, IsRefusedIfItHasNoNumbers) {
  Settings settings;
  for (const std::string& variant : variants) {
    const auto refusal = [&] {
      return refusal_of([&] { find_method(variant, "rh").resolve(parse_machine("rh:1,1"), {}, settings); });
    };
    settings = sort_settings("combine", 1);
    settings.type = "double";
    settings.input = file("in", "1\nnan\n");
    EXPECT_EQ(refusal(), "in, line 2: 'nan' is not finite");
    settings.input = file("in", "1 2 3 4 5 6 7 8 9");
    EXPECT_EQ(refusal(), "--words 1 is too few: in has 9 records, at least 2 for some of 8 ranks");
    settings.input = path("none");
    EXPECT_EQ(refusal(), "cannot read 'none': No such file or directory");
  }
}

TEST(BlockSort, RefusesWhatItCannotDo) {
  for (const std::string& variant : variants) {
    EXPECT_EQ(refusal(variant, "rh:2,1", sort_settings("packet", 1)),
              "--move 'packet' is not one of combine, packets; did you mean 'packets'?");
    EXPECT_EQ(refusal(variant, "rh:2,1", sort_settings("", 1)), "--move '' is not one of combine, packets");
    EXPECT_EQ(refusal(variant, "rh:2,1", sort_settings("combine", 0)), "--words 0 is out of range: 1 to 2147483648");
    EXPECT_EQ(refusal(variant, "rh:2,1", sort_settings("combine", 1, "strng")),
              "--type 'strng' is not one of int64, double, string; did you mean 'string'?");
    EXPECT_EQ(refusal(variant, "hypercube:3", sort_settings("combine", 1)),
              variant + " does not run on hypercube: it is for rh; for hypercube there is sort/bitonic");
  }
}

TEST(BlockSort, CombinesBlocksByDefault) {
  Settings settings;
  const MachineSpec spec = parse_machine("rh:2,1");
  find_method("sort/merge", "rh").resolve(spec, {}, settings);
  EXPECT_EQ(settings.move, "combine");
}

// All records may have to move the diameter: 2 D + c for n >= 1, else k + 1.
TEST(BlockSort, HasTheBoundsOfTheDiameter) {
  const auto bound = [](const std::string& machine, PortModel ports, std::uint64_t b) {
    const MachineSpec spec = parse_machine(machine);
    const LowerBound known = lower_bound(find_method("sort/merge", "rh"), spec, model_of(ports), sort_settings("", b));
    return std::pair(known.steps.value(), known.longest_sum.value());
  };
  EXPECT_EQ(bound("rh:0,0", PortModel::one, 5), std::pair(1UL, 5UL));
  EXPECT_EQ(bound("rh:3,0", PortModel::all, 5), std::pair(4UL, 5UL));
  EXPECT_EQ(bound("rh:3,2", PortModel::one, 5), std::pair(9UL, 45UL));
  EXPECT_EQ(bound("rh:3,2", PortModel::all, 5), std::pair(9UL, 12UL));
  EXPECT_EQ(bound("rh:3,2", PortModel::all, 1), std::pair(9UL, 9UL));
}

TEST(BlockSort, NeedsTheMemoryOfFourCopiesOfNumbersAndThreeOfStrings) {
  const MachineSpec spec = parse_machine("rh:6,2");
  const std::uint64_t million = 1'000'000;
  for (const std::string& variant : variants) {
    const auto bytes = [&](std::uint64_t words, const char* type) {
      return find_method(variant, "rh").bytes(spec, {}, sort_settings("combine", words, type));
    };
    EXPECT_EQ(bytes(million, "int64") - bytes(1, "int64"), 4 * 1024 * (million - 1) * 8);
    EXPECT_EQ(bytes(million, "string") - bytes(1, "string"), 3 * 1024 * (million - 1) * 40);
  }
}

}  // namespace
}  // namespace lockstep::block_sort_test
