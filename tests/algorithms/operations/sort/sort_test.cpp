// sort/bitonic against mukherjee.md, Sorting, cube: v (v+1) / 2 steps of b words, N v (v+1) / 2 messages, and sorted
// results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "lockstep/algorithms/number_file.hpp"
#include "lockstep/algorithms/string_file.hpp"
#include "operations/sort/compare_split.hpp"
#include "sort_file.hpp"

namespace lockstep::sort_test {
namespace {

constexpr std::string_view bitonic = "sort/bitonic";

SpecCounts counts(std::uint64_t v, std::uint64_t b) {
  const std::uint64_t steps = v * (v + 1) / 2;
  const std::uint64_t N = std::uint64_t{1} << v;
  return {.steps = steps,
          .longest_sum = steps * b,
          .messages = N * steps,
          .words = N * steps * b,
          .peak_words_held = v == 0 ? b : 2 * b,
          .busiest_link_words = v * b,  // dimension 0 is used in every stage
          .message_words = b};
}

class Bitonic : public testing::TestWithParam<unsigned> {};

TEST_P(Bitonic, SortsWithTheCountsOfTheSpec) {
  const unsigned v = GetParam();
  const BuiltMachine machine(cube(v));
  for (const std::uint64_t b : {1U, 2U, 3U, 17U}) {
    for (const char* type : {"int64", "double", "string"}) {
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        SCOPED_TRACE(type);
        const Report report = expect_run(machine, bitonic, model_of(ports), sort_settings(b, type), counts(v, b));
        EXPECT_DOUBLE_EQ(report.time_asynchronous, report.time_synchronous);
      }
    }
  }
}

TEST_P(Bitonic, PredictsTheCountsOfTheSpec) {
  const std::uint64_t v = GetParam();
  const BuiltMachine machine(cube(v));
  for (const std::uint64_t b : {1U, 9U}) {
    expect_predicted(machine.predict(bitonic, machine.method(bitonic).defaults, sort_settings(b)), counts(v, b));
  }
}

INSTANTIATE_TEST_SUITE_P(Hypercubes, Bitonic, testing::Range(0U, sanitized ? 8U : 10U));

// The models next stricter than one-strict with full duplex.
TEST(Bitonic, IsRefusedWhereLinksAreHalfDuplex) {
  for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
    const auto error = broken_rule(
        [&] { BuiltMachine("hypercube:3").run(bitonic, model_of(PortModel::one, duplex), sort_settings(1)); });
    ASSERT_TRUE(error) << name(duplex);
    EXPECT_EQ(error->cycle(), 0U);
  }
}

// The receiver drops half of each message; a corrupted one is caught even if none of the altered words would remain.
TEST(Bitonic, CatchesEveryFault) {
  for (const char* type : {"int64", "string"}) {
    expect_catches_faults(bitonic, "hypercube:3", sort_settings(2, type), model_of(PortModel::one));
  }
}

// The ranks' records are compared with all records sorted at once.
TEST(SortOracle, SeesLostDoubledAndMisplacedRecords) {
  const BuiltMachine machine("hypercube:2");
  const auto executor = make_executor(ExecutorKind::sequential);
  const Model model;
  Settings settings = sort_settings(3);
  const RunRequest request{machine.spec, machine.topology, model, settings, *executor, {}, {}};
  std::vector<sort::NumberKey> all = sort::make_input<sort::NumberKey>(request).records;
  ASSERT_EQ(all.size(), 12U);
  std::sort(all.begin(), all.end());
  PerRank<std::vector<sort::NumberKey>> right(request);
  for (Rank rank = 0; rank < 4; ++rank) right[rank].assign(all.begin() + 3 * rank, all.begin() + 3 * rank + 3);
  const auto verdict = [&](const PerRank<std::vector<sort::NumberKey>>& held) {
    Outcome outcome;
    sort::finish(request, held, outcome);
    return outcome.wrong;
  };
  EXPECT_EQ(verdict(right), "");
  auto wrong = right;
  std::swap(wrong[0], wrong[3]);
  EXPECT_EQ(verdict(wrong), "rank 0 holds 3 of its 3 records, the first 0 right");
  wrong = right;
  wrong[2][1] ^= 1;
  EXPECT_EQ(verdict(wrong), "rank 2 holds 3 of its 3 records, the first 1 right");
  wrong = right;
  wrong[1].pop_back();
  EXPECT_EQ(verdict(wrong), "rank 1 holds 2 of its 3 records, the first 2 right");
  wrong = right;
  wrong[3].push_back(wrong[3].back());
  EXPECT_EQ(verdict(wrong), "rank 3 holds 4 of its 3 records, the first 3 right");
}

TEST(CompareSplit, KeepsEveryRecordOnce) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t b = 1 + random() % 6;
    // Records with equal keys are distinguished by their origin.
    struct Record {
      std::uint64_t key = 0;
      std::uint64_t origin = 0;
      bool operator<(const Record& other) const { return key < other.key; }
    };
    std::vector<Record> low(b);
    std::vector<Record> high(b);
    for (std::size_t index = 0; index < b; ++index) {
      low[index] = {random() % 3, index};
      high[index] = {random() % 3, b + index};
    }
    std::stable_sort(low.begin(), low.end());
    std::stable_sort(high.begin(), high.end());
    std::vector<Record> first(b);
    std::vector<Record> second(b);
    sort::keep_low<Record>(low, high, first);
    sort::keep_high<Record>(low, high, second);
    first.insert(first.end(), second.begin(), second.end());
    EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
    std::set<std::uint64_t> origins;
    for (const Record& record : first) origins.insert(record.origin);
    EXPECT_EQ(origins.size(), 2 * b);
  }
}

class BitonicFile : public SortFile {
 protected:
  std::string refusal(Settings settings) const {
    return refusal_of([&] { find_method(bitonic, "hypercube").resolve(parse_machine("hypercube:3"), {}, settings); });
  }
};

// By the 0-1 principle these show that the schedule sorts any input.
TEST_F(BitonicFile, HoldsAllInputsOfZerosAndOnesInOrder) {
  for (const auto& [machine, records] : {std::pair("hypercube:3", 8U), std::pair("hypercube:2", 8U)}) {
    for (unsigned bits = 0; bits < 256; bits += sanitized ? 15 : 1) {
      std::vector<std::int64_t> numbers;
      for (unsigned place = 0; place < records; ++place) numbers.push_back(bits >> place & 1);
      SCOPED_TRACE(std::string(machine) + ", bits " + std::to_string(bits));
      expect_sorted(machine, numbers);
    }
  }
}

TEST_F(BitonicFile, HoldsAscendingDescendingAndEqualNumbers) {
  for (const std::int64_t count : {16, 48, 100}) {
    std::vector<std::int64_t> ascending;
    for (std::int64_t number = 0; number < count; ++number) ascending.push_back(number - count / 3);
    const std::vector<std::int64_t> descending(ascending.rbegin(), ascending.rend());
    const std::vector<std::int64_t> equal(static_cast<std::size_t>(count), -7);
    for (const auto& numbers : {ascending, descending, equal}) {
      for (const char* machine : {"hypercube:0", "hypercube:1", "hypercube:4"}) expect_sorted(machine, numbers);
    }
  }
}

TEST_F(BitonicFile, NeedNotDivideAmongTheRanks) {
  std::mt19937_64 random(9);
  for (std::size_t count = 0; count <= 40; ++count) {
    std::vector<std::int64_t> numbers(count);
    for (std::int64_t& number : numbers) number = static_cast<std::int64_t>(random() % 7) - 3;
    SCOPED_TRACE(std::to_string(count) + " numbers");
    expect_sorted("hypercube:3", numbers);
    expect_sorted("hypercube:3", numbers, 6);
    const std::uint64_t b = std::max<std::uint64_t>(1, (count + 7) / 8);
    const Report report = sort("hypercube:3", lines_of(numbers)).report;
    expect_counts(report, counts(3, b), model_of(PortModel::one).cost);
    EXPECT_DOUBLE_EQ(report.time_asynchronous, report.time_synchronous);
  }
}

// The padding equals the greatest records: neither may be mistaken for the other.
TEST_F(BitonicFile, MayHoldTheGreatestNumbers) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  expect_sorted("hypercube:3", {most, 0, most, least, -1, most, 5, least, most, 1, most});
}

TEST_F(BitonicFile, HoldsRandomNumbersInOrder) {
  std::mt19937_64 random(10);
  for (const std::uint64_t different : {2U, 10U, 1'000'000U}) {
    std::vector<std::int64_t> numbers(1000);
    for (std::int64_t& number : numbers) number = static_cast<std::int64_t>(random() % different);
    expect_sorted("hypercube:5", numbers);
  }
}

TEST_F(BitonicFile, HoldsDoublesInOrder) {
  const std::string text = "1e308 -1e308 4.9e-324 0.5 -0.5 0 -0.0 3 -4.9e-324 1e-5 1e308 2";
  EXPECT_EQ(sort("hypercube:3", text).wrong, "");
  EXPECT_EQ(text_of(path("out")), "-1e+308\n-0.5\n-5e-324\n-0.0\n0.0\n5e-324\n1e-05\n0.5\n2.0\n3.0\n1e+308\n1e+308\n");
  EXPECT_EQ(sort("hypercube:3", "3 1 2", "double").wrong, "");
  EXPECT_EQ(text_of(path("out")), "1.0\n2.0\n3.0\n");

  std::mt19937_64 random(11);
  std::normal_distribution<double> number(0, 1e3);
  std::vector<double> numbers;
  std::vector<Word> words;
  for (int count = 0; count < 500; ++count) {
    numbers.push_back(number(random));
    words.push_back(std::bit_cast<Word>(numbers.back()));
  }
  write_numbers(path("doubles"), words, NumberType::float64);
  EXPECT_EQ(sort("hypercube:6", text_of(path("doubles"))).wrong, "");
  std::sort(numbers.begin(), numbers.end());
  std::vector<Word> sorted;
  for (const double value : numbers) sorted.push_back(std::bit_cast<Word>(value));
  EXPECT_EQ(read_numbers(path("out")).words, sorted);
}

TEST_F(BitonicFile, HoldsStringsInOrder) {
  std::vector<std::string> strings{
      "pear",     "",       "apple", "pear", std::string("nul\0b", 5), std::string("nul\0a", 5), "\xff\xfe", "Zebra",
      " leading", "line\r", "12",    "9",    std::string(1000, 'x'),   std::string(999, 'x'),    "",         "\x01"};
  for (std::size_t count = 0; count <= strings.size(); ++count) {
    std::vector<std::string> some(strings.begin(), strings.begin() + static_cast<std::ptrdiff_t>(count));
    write_strings(path("strings"), some);
    EXPECT_EQ(sort("hypercube:3", text_of(path("strings")), "string").wrong, "");
    std::sort(some.begin(), some.end());
    EXPECT_EQ(read_strings(path("out"), {.may_be_empty = true}), some);
  }
  // Words from few letters, so that many are equal.
  std::mt19937_64 random(12);
  std::string text;
  for (int count = 0; count < 700; ++count) {
    for (std::uint64_t length = random() % 4; length > 0; --length) text += static_cast<char>('a' + random() % 2);
    text += '\n';
  }
  EXPECT_EQ(sort("hypercube:4", text, "string").wrong, "");
  std::vector<std::string> expected = read_strings(path("in"));
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(read_strings(path("out")), expected);
}

TEST_F(BitonicFile, IsReadAsTheTypeThatItHas) {
  Settings settings;
  settings.input = file("in", "3 1.5");
  find_method(bitonic, "hypercube").resolve(parse_machine("hypercube:3"), {}, settings);
  EXPECT_EQ(settings.type, "double");
  EXPECT_EQ(settings.words, 1U);
  Settings defaults;
  find_method(bitonic, "hypercube").resolve(parse_machine("hypercube:3"), {}, defaults);
  EXPECT_EQ(defaults.type, "int64");
  EXPECT_EQ(defaults.words, 1U);
}

TEST_F(BitonicFile, RefusesWhatItCannotDo) {
  EXPECT_EQ(refusal(sort_settings(1, "strng")),
            "--type 'strng' is not one of int64, double, string; did you mean 'string'?");
  EXPECT_EQ(refusal(sort_settings(0)), "--words 0 is out of range: 1 to 2147483648");
  Settings settings = sort_settings(1, "int64");
  settings.input = file("in", "1 2 3 4 5 6 7 8 9");
  EXPECT_EQ(refusal(settings), "--words 1 is too few: in has 9 records, at least 2 for some of 8 ranks");
  settings.words = 2;
  EXPECT_EQ(refusal(settings), "");
  settings.input = file("in", "1\nnan\n");
  EXPECT_EQ(refusal(settings), "in, line 2: 'nan' is not finite");
  settings.input = file("in", "1\n2\n2.5\n");
  EXPECT_EQ(refusal(settings), "in, line 3: '2.5' is no int64; use --type double");
  settings.input = path("none");
  EXPECT_EQ(refusal(settings), "cannot read 'none': No such file or directory");
  settings.type = "string";
  EXPECT_EQ(refusal(settings), "cannot read 'none': No such file or directory");
  settings.input.reset();
  settings.output = path("none/out");
  EXPECT_EQ(refusal(settings), "cannot write 'none/out': No such file or directory");
  EXPECT_THROW(find_method(bitonic, "rh"), InputError);
}

TEST_F(BitonicFile, IsNotWrittenByARunThatWentWrong) {
  Settings settings = sort_settings(1);
  settings.input = file("in", "3 1 2");
  settings.output = file("out", "old");
  EXPECT_THROW(
      BuiltMachine("hypercube:2").run(bitonic, model_of(PortModel::one), settings, Fault{FaultKind::corrupt, 3}),
      RunError);
  EXPECT_EQ(text_of(path("out")), "old");
}

// The oracle reads the file itself.
TEST_F(BitonicFile, IsReadAgainByTheOracle) {
  Settings settings;
  settings.input = file("in", "3 1 2");
  const BuiltMachine machine("hypercube:2");
  const Method& method = machine.method(bitonic);
  method.resolve(machine.spec, {}, settings);
  const auto executor = make_executor(ExecutorKind::sequential);
  RunOptions options;
  options.on_barrier = [&](const Progress&) { file("in", "3 1 4"); };
  const RunRequest request{machine.spec, machine.topology, method.defaults, settings, *executor, options, {}};
  EXPECT_EQ(method.run(request).wrong, "rank 1 holds 1 of its 1 records, the first 0 right");
}

TEST(Bitonic, NeedsTheMemoryOfThreeCopiesOfAllRecords) {
  const MachineSpec spec = parse_machine("hypercube:10");
  const Method& method = find_method(bitonic, spec.family);
  const auto bytes = [&](std::uint64_t words, const char* type) {
    return method.bytes(spec, method.defaults, sort_settings(words, type));
  };
  const std::uint64_t million = 1'000'000;
  const auto expect_about = [](std::uint64_t needed, std::uint64_t records) {
    EXPECT_GE(needed, records);
    EXPECT_LE(needed, records + records / 100);
  };
  expect_about(bytes(million, "int64"), 3 * 1024 * million * 8);
  expect_about(bytes(million, "string"), 3 * 1024 * million * 40);
  EXPECT_GT(bytes(most_words, "int64"), std::uint64_t{1} << 45);
}

}  // namespace
}  // namespace lockstep::sort_test
