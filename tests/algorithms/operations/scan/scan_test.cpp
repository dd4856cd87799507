// scan/hub, scan/cube and exscan/cube against mukherjee.md, Prefix: 2k + D(D+1)/2 + nD + (n+1)D(D-1)/2 steps on
// RH(k,n), v on the v-cube, with k N + sum over m < D of (2(n-pc(m))+1) (2^(D-1-m) + (D-1-m) 2^(D-2-m)) +
// (2^D-1)(2^k-1) and v N messages.
#include <gtest/gtest.h>

#include <bit>
#include <ostream>
#include <random>
#include <set>
#include <sstream>
#include <vector>

#include "data_directory.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "method_run.hpp"

namespace lockstep::scan_test {
namespace {

constexpr std::string_view hub_scan = "scan/hub";
constexpr std::string_view cube_scan = "scan/cube";
constexpr std::string_view cube_exscan = "exscan/cube";

Settings with_operator(const std::string& name, std::uint64_t words, std::optional<std::uint64_t> hub = {}) {
  Settings settings;
  settings.words = words;
  settings.operator_name = name;
  settings.hub = hub;
  return settings;
}

/// Steps and messages of a phase or of a run.
struct Counts {
  std::uint64_t steps = 0;
  std::uint64_t messages = 0;
};

/// The counts of RH(k,n) in mukherjee.md, Prefix, typed from its formulas.
struct HubCounts {
  HubCounts(std::uint64_t k, std::uint64_t n, bool last_is_hub) {
    const std::uint64_t d = std::uint64_t{1} << n;
    const std::uint64_t all_nodes = std::uint64_t{1} << (k + d);
    blocks = {k, k * all_nodes};
    // The variant's steps without the 2k of phases I and III.
    between.steps = last_is_hub ? d * (d + 1) / 2 + n * d + (n + 1) * d * (d - 1) / 2
                                : d * (d + 1) / 2 + n * d * d - (n + 1) * d * (d - 1) / 2;
    for (std::uint64_t m = 0; m < d; ++m) {
      const auto pc = static_cast<std::uint64_t>(std::popcount(m));
      const std::uint64_t second = m == d - 1 ? 0 : (d - 1 - m) << (d - 2 - m);
      between.messages += (2 * (last_is_hub ? n - pc : pc) + 1) * ((std::uint64_t{1} << (d - 1 - m)) + second);
    }
    spread = {k, ((std::uint64_t{1} << d) - 1) * ((std::uint64_t{1} << k) - 1)};
    all = {2 * k + between.steps, blocks.messages + between.messages + spread.messages};
  }

  Counts blocks, between, spread, all;
};

SpecCounts said(const Counts& counts, std::uint64_t w) {
  return {.steps = counts.steps,
          .longest_sum = counts.steps * w,
          .messages = counts.messages,
          .words = counts.messages * w,
          .message_words = w};
}

/// A phase in which nothing moves is not reported.
void expect_phase(const Report& report, const std::string& name, const Counts& expected, std::uint64_t w) {
  SCOPED_TRACE(name);
  Counts found;
  for (const PhaseCounts& phase : report.phases) {
    if (phase.name != name) continue;
    found = {phase.steps, phase.messages};
    EXPECT_EQ(phase.words, expected.messages * w);
    EXPECT_EQ(phase.longest_sum, expected.steps * w);
  }
  EXPECT_EQ(found.steps, expected.messages == 0 ? 0 : expected.steps);
  EXPECT_EQ(found.messages, expected.messages);
}

/// RH(k,n).
struct Shape {
  std::uint64_t k;
  std::uint64_t n;

  std::string machine() const { return "rh:" + std::to_string(k) + "," + std::to_string(n); }
  friend std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.machine(); }
};

/// All of up to 2^12 processors, with a sanitizer 2^8.
std::vector<Shape> shapes() {
  constexpr std::uint64_t most = sanitized ? 8 : 12;
  std::vector<Shape> all;
  for (std::uint64_t n = 0; n <= 3; ++n) {
    for (std::uint64_t k = n; k + (std::uint64_t{1} << n) <= most; ++k) all.push_back({k, n});
  }
  return all;
}

class ScanHub : public testing::TestWithParam<Shape> {
 protected:
  std::uint64_t last_node() const { return (std::uint64_t{1} << GetParam().k) - 1; }
  /// The nodes that may be hubs.
  std::set<std::uint64_t> hubs() const { return {0, last_node()}; }
  HubCounts expected(std::uint64_t hub) const { return {GetParam().k, GetParam().n, hub == last_node()}; }

  void expect_run(const Model& model, const Settings& settings, std::uint64_t hub) const {
    const HubCounts counts = expected(hub);
    const std::uint64_t w = *settings.words;
    // A hub's prefix, its total, the value of all ranks left of its block, and the value received last.
    SpecCounts spec = said(counts.all, w);
    spec.peak_words_held = 4 * w;
    const Report report = lockstep::expect_run(machine_, hub_scan, model, settings, spec);
    expect_phase(report, "blocks", counts.blocks, w);
    expect_phase(report, "between blocks", counts.between, w);
    expect_phase(report, "spread", counts.spread, w);
  }

  const BuiltMachine machine_{GetParam().machine()};
};

TEST_P(ScanHub, HasTheCountsOfTheSpecInEveryPortModel) {
  for (const std::uint64_t hub : hubs()) {
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      for (const std::uint64_t words : {1U, 3U}) {
        SCOPED_TRACE("hub " + std::to_string(hub));
        expect_run(model_of(ports), with_operator("sum", words, hub), hub);
      }
    }
  }
}

TEST_P(ScanHub, KeepsOperandsInOrderWhereTheOperatorDoesNotCommute) {
  for (const std::uint64_t hub : hubs()) {
    SCOPED_TRACE(hub);
    expect_run(model_of(PortModel::one), with_operator("matrix2", 8, hub), hub);
    if (machine_.topology.processors() <= 512)
      expect_run(model_of(PortModel::all), with_operator("concat", 2, hub), hub);
  }
}

TEST_P(ScanHub, PredictsTheCountsOfTheSpec) {
  for (const std::uint64_t hub : hubs()) {
    SCOPED_TRACE(hub);
    expect_predicted(machine_.predict(hub_scan, model_of(PortModel::all), with_operator("sum", 5, hub)),
                     said(expected(hub).all, 5));
  }
}

TEST_P(ScanHub, TakesEveryOperatorOnEitherType) {
  if (machine_.topology.processors() > 512) return;
  for (const char* name : {"sum", "min", "max", "and", "or", "xor", "matrix2"}) {
    for (const char* type : {"int64", "double"}) {
      Settings settings = with_operator(name, 4);
      settings.type = type;
      EXPECT_EQ(machine_.run(hub_scan, model_of(PortModel::one), settings).wrong, "") << name << " on " << type;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, ScanHub, testing::ValuesIn(shapes()));

TEST(ScanHubLarge, HasTheCountsOfTheSpec) {
  for (const Shape shape : sanitized ? std::vector{Shape{9, 0}, Shape{6, 2}}
                                     : std::vector{Shape{15, 0}, Shape{14, 1}, Shape{12, 2}, Shape{8, 3}}) {
    const BuiltMachine machine(shape.machine());
    for (const bool last_is_hub : {false, true}) {
      SCOPED_TRACE(shape.machine() + (last_is_hub ? ", last" : ", first"));
      const HubCounts counts(shape.k, shape.n, last_is_hub);
      const std::uint64_t hub = last_is_hub ? (std::uint64_t{1} << shape.k) - 1 : 0;
      const Report report =
          expect_run(machine, hub_scan, model_of(PortModel::one), with_operator("sum", 1, hub), said(counts.all, 1));
      expect_phase(report, "between blocks", counts.between, 1);
    }
  }
}

// Multiplied out by hand: RH(2,1), D = 2, N = 16, hub 3. Phase II: m = 0 over one zero bit, 3 links, for 2 + 1 values;
// m = 1 over none, 1 link, for 1 value; substeps of 3, 1 and 3 steps.
TEST(ScanHubByHand, HasTheseCounts) {
  const auto expect = [](std::uint64_t hub, const Counts& counts) {
    expect_run(BuiltMachine("rh:2,1"), hub_scan, model_of(PortModel::one), with_operator("sum", 1, hub),
               said(counts, 1));
  };
  expect(3, {4 + 7, 32 + 10 + 9});
  // Hub 0: m = 0 over no bit, 1 link; m = 1 over one, 3 links; substeps of 1, 3 and 1 steps.
  expect(0, {4 + 5, 32 + 6 + 9});
}

TEST(ScanHub, HasTheLastNodeAsHubByDefault) {
  const Settings settings = resolved(hub_scan, "rh:3,1");
  EXPECT_EQ(settings.hub, 7U);
  EXPECT_EQ(settings.operator_name, "sum");
  EXPECT_EQ(settings.type, "int64");
  EXPECT_EQ(settings.words, 1U);
  EXPECT_EQ(resolved(hub_scan, "rh:0,0").hub, 0U);
}

TEST(ScanHub, RefusesOtherHubs) {
  EXPECT_EQ(refusal(hub_scan, "rh:3,1", with_operator("sum", 1, 6)),
            "--hub 6 is neither the first nor the last node of a block of rh:3,1: 0 or 7");
  EXPECT_EQ(refusal(hub_scan, "rh:3,1", with_operator("sum", 1, 8)),
            "--hub 8 is neither the first nor the last node of a block of rh:3,1: 0 or 7");
  EXPECT_EQ(refusal(hub_scan, "rh:0,0", with_operator("sum", 1, 1)),
            "--hub 1 is neither the first nor the last node of a block of rh:0,0: 0");
  expect_words_from(1, hub_scan, "rh:3,1");
  EXPECT_EQ(refusal(hub_scan, "rh:3,1", with_operator("matrix2", 6)),
            "--words 6 is no whole number of matrix2's elements, each of 4 words: 4 or 8 would fit");
  EXPECT_EQ(refusal(hub_scan, "rh:3,1", with_operator("summ", 1)),
            "--operator 'summ' is not one of sum, min, max, and, or, xor, matrix2, concat; did you mean 'sum'?");
}

class ScanCube : public testing::TestWithParam<std::uint64_t> {
 protected:
  Counts expected() const { return {v_, v_ << v_}; }

  const std::uint64_t v_ = GetParam();
  const BuiltMachine machine_{cube(v_)};
};

TEST_P(ScanCube, HasTheCountsOfTheSpecInEveryPortModel) {
  for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
    for (const std::uint64_t words : {1U, 3U}) {
      SpecCounts spec = said(expected(), words);
      spec.peak_words_held = 2 * words;
      expect_run(machine_, cube_scan, model_of(ports), with_operator("sum", words), spec);
      spec.peak_words_held = (v_ == 0 ? 1 : 2) * words;  // one processor has no result
      expect_run(machine_, cube_exscan, model_of(ports), with_operator("sum", words), spec);
    }
  }
}

TEST_P(ScanCube, KeepsOperandsInOrderWhereTheOperatorDoesNotCommute) {
  for (const char* name : {"matrix2", "concat"}) {
    if (v_ > 9 && std::string(name) == "concat") continue;  // strings of all ranks at all ranks
    SCOPED_TRACE(name);
    expect_run(machine_, cube_scan, model_of(PortModel::one), with_operator(name, 4), said(expected(), 4));
    expect_run(machine_, cube_exscan, model_of(PortModel::one), with_operator(name, 4), said(expected(), 4));
  }
}

TEST_P(ScanCube, PredictsTheCountsOfTheSpec) {
  expect_predicted(machine_.predict(cube_scan, model_of(PortModel::one), with_operator("sum", 5)), said(expected(), 5));
}

INSTANTIATE_TEST_SUITE_P(Dimensions, ScanCube, testing::Values(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12));

// Neighbours exchange, so both directions of a link carry a message in one cycle.
TEST(Scan, NeedsLinksThatCarryBothDirectionsAtOnce) {
  for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
    EXPECT_EQ(violation(cube_scan, "hypercube:3", model_of(ports, Duplex::half_link)),
              "scan/cube: cycle 0, rank 0, port 0: sent and received over one link in one cycle (duplex half-link: one "
              "direction a cycle)");
    EXPECT_EQ(violation(cube_scan, "hypercube:3", model_of(ports, Duplex::half_node)),
              "scan/cube: cycle 0, rank 0, port 0: received there, but sent on port 0 in the same cycle (duplex "
              "half-node: either send or receive)");
    EXPECT_EQ(violation(hub_scan, "rh:2,1", model_of(ports, Duplex::half_link)),
              "scan/hub: cycle 0, rank 0, port 0: sent and received over one link in one cycle (duplex half-link: one "
              "direction a cycle)");
    EXPECT_EQ(violation(hub_scan, "rh:2,1", model_of(ports, Duplex::half_node)),
              "scan/hub: cycle 0, rank 0, port 0: received there, but sent on port 0 in the same cycle (duplex "
              "half-node: either send or receive)");
  }
  // Without phase I there are two blocks of one node, and one message.
  for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
    EXPECT_EQ(violation(cube_scan, "hypercube:0", model_of(PortModel::one, duplex)), "");
    EXPECT_EQ(violation(hub_scan, "rh:0,0", model_of(PortModel::one, duplex)), "");
  }
}

// A value and a prefix of every processor, and of every other a message; prefixes of strings are on average half as
// long as the whole.
TEST(Scan, SaysWhatMemoryItNeeds) {
  const auto bytes = [](std::string_view method, const std::string& machine, const Settings& settings) {
    return bytes_of(method, machine, resolved(method, machine, settings));
  };
  const std::uint64_t numbers = 1024 * 10000 * 8;
  EXPECT_GE(bytes(cube_scan, "hypercube:10", with_operator("sum", 10000)), 5 * numbers / 2);
  EXPECT_LE(bytes(cube_scan, "hypercube:10", with_operator("sum", 10000)), 2.6 * numbers);
  EXPECT_GE(bytes(hub_scan, "rh:6,2", with_operator("sum", 10000)), 7 * numbers / 2);
  EXPECT_LE(bytes(hub_scan, "rh:6,2", with_operator("sum", 10000)), 3.6 * numbers);
  const std::uint64_t letters = 1024 * 100 * 5 / 2;  // generated strings have 1 to 4
  EXPECT_GE(bytes(hub_scan, "rh:6,2", with_operator("concat", 100)), letters * 512);
  EXPECT_GE(bytes(cube_scan, "hypercube:10", with_operator("concat", 100)), letters * (512 + 1024));
  EXPECT_EQ(bytes(cube_scan, "hypercube:27", with_operator("concat", most_words)), ~std::uint64_t{0});
}

// Totals that affect no prefix are checked, too.
TEST(ScanFaults, AreCaughtWhateverTheOperator) {
  for (const Operator& op : operators()) {
    const std::string name(op.name);
    const std::uint64_t words = op.element_words;
    expect_catches_faults(cube_scan, "hypercube:3", with_operator(name, words));
    expect_catches_faults(cube_exscan, "hypercube:3", with_operator(name, words));
    for (const std::uint64_t hub : {0U, 3U}) {
      expect_catches_faults(hub_scan, "rh:2,1", with_operator(name, words, hub));
      expect_catches_faults(hub_scan, "rh:2,2", with_operator(name, words, hub));
    }
    expect_catches_faults(hub_scan, "rh:2,0", with_operator(name, words));
  }
}

TEST(ScanFaults, AreCaughtAmong128OperandsThatHideEachOther) {
  for (const char* name : {"and", "or", "min", "max"}) {
    expect_catches_faults(cube_scan, "hypercube:7", with_operator(name, 1), model_of(PortModel::one),
                          {FaultKind::corrupt});
  }
}

class ScanFile : public DataDirectory {
 protected:
  /// Runs with that input and returns the text that was written.
  std::string scanned(const std::string& machine, const std::string& name, const std::string& input,
                      const std::optional<std::string>& type = {}) const {
    Settings settings;
    settings.operator_name = name;
    settings.type = type;
    settings.input = file("in", input);
    settings.output = path("out");
    const std::string_view method = machine.starts_with("rh") ? hub_scan : cube_scan;
    EXPECT_EQ(BuiltMachine(machine).run(method, model_of(PortModel::one), settings).wrong, "");
    return text_of(path("out"));
  }
};

TEST_F(ScanFile, ComesToWhatAPersonWould) {
  for (const char* machine : {"hypercube:3", "rh:1,1", "rh:2,0"}) {
    SCOPED_TRACE(machine);
    const std::string eight = "3 -4 5 6 7 1 2 12";
    EXPECT_EQ(scanned(machine, "sum", eight), "3\n-1\n4\n10\n17\n18\n20\n32\n");
    EXPECT_EQ(scanned(machine, "min", eight), "3\n-4\n-4\n-4\n-4\n-4\n-4\n-4\n");
    EXPECT_EQ(scanned(machine, "max", eight), "3\n3\n5\n6\n7\n7\n7\n12\n");
    EXPECT_EQ(scanned(machine, "and", "15 7 14 31 6 22 70 6"), "15\n7\n6\n6\n6\n6\n6\n6\n");
    EXPECT_EQ(scanned(machine, "or", "1 2 4 8 1 2 4 16"), "1\n3\n7\n15\n15\n15\n15\n31\n");
    EXPECT_EQ(scanned(machine, "xor", "1 2 4 8 1 2 4 16"), "1\n3\n7\n15\n14\n12\n8\n24\n");
    EXPECT_EQ(scanned(machine, "sum", "1 10\n2 20\n3 30\n4 40\n5 50\n6 60\n7 70\n8 80"),
              "1\n10\n3\n30\n6\n60\n10\n100\n15\n150\n21\n210\n28\n280\n36\n360\n");
    EXPECT_EQ(scanned(machine, "sum", "1 1 1 1 1 1 1 1", "double"), "1.0\n2.0\n3.0\n4.0\n5.0\n6.0\n7.0\n8.0\n");
    EXPECT_EQ(scanned(machine, "concat", "a\nb\nc\n\ne\nf\ng\nh"), "a\nab\nabc\nabc\nabce\nabcef\nabcefg\nabcefgh\n");
    // Fibonacci: [[1,1],[1,0]]^i = [[F(i+1),F(i)],[F(i),F(i-1)]].
    std::string matrices;
    for (int rank = 0; rank < 8; ++rank) matrices += "1 1 1 0\n";
    EXPECT_EQ(
        scanned(machine, "matrix2", matrices),
        "1\n1\n1\n0\n2\n1\n1\n1\n3\n2\n2\n1\n5\n3\n3\n2\n8\n5\n5\n3\n13\n8\n8\n5\n21\n13\n13\n8\n34\n21\n21\n13\n");
  }
  EXPECT_EQ(scanned("hypercube:0", "matrix2", "1 2 3 4"), "1\n2\n3\n4\n");
  EXPECT_EQ(scanned("rh:0,0", "concat", "a\nb\n"), "a\nab\n");
}

// Rank 0 has no result.
TEST_F(ScanFile, OfTheRanksBeforeComesToWhatAPersonWould) {
  const auto exclusive = [&](const char* name, const std::string& input) {
    Settings settings;
    settings.operator_name = name;
    settings.input = file("in", input);
    settings.output = path("out");
    EXPECT_EQ(BuiltMachine("hypercube:2").run(cube_exscan, model_of(PortModel::one), settings).wrong, "");
    return text_of(path("out"));
  };
  EXPECT_EQ(exclusive("sum", "3 -4 5 6"), "3\n-1\n4\n");
  EXPECT_EQ(exclusive("max", "3 -4 5 6"), "3\n3\n5\n");
  EXPECT_EQ(exclusive("concat", "a\nb\nc\nd"), "a\nab\nabc\n");
}

TEST_F(ScanFile, OfDoublesMayBeRoundedInAnotherOrder) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> number(-100, 100);  // products of 128 matrices do not overflow
    std::ostringstream text;
    text.precision(17);
    for (int count = 0; count < 128 * 4; ++count) text << number(random) << "\n";
    for (const char* name : {"sum", "matrix2"}) {
      scanned("rh:3,2", name, text.str());
      scanned("hypercube:7", name, text.str());
    }
  }
}

TEST_F(ScanFile, OfDoublesMayLoseSmallProductsInAnotherOrder) {
  // Diagonal matrices: 1, x and 1/x; x x is 0 as a double, so x x 1/x is x or 0.
  std::string text;
  for (const char* number : {"1.0", "1e-200", "1e-200", "1e200"}) {
    text.append(number).append(" 0.0 0.0 ").append(number).append("\n");
  }
  EXPECT_EQ(scanned("hypercube:2", "matrix2", text),
            "1.0\n0.0\n0.0\n1.0\n1e-200\n0.0\n0.0\n1e-200\n0.0\n0.0\n0.0\n0.0\n1e-200\n0.0\n0.0\n1e-200\n");
}

TEST_F(ScanFile, SaysHowManyNumbersFit) {
  Settings settings;
  settings.input = file("ten", "1 2 3 4 5 6 7 8 9 10");
  const MachineSpec machine = parse_machine("rh:1,1");
  EXPECT_EQ(refusal_of([&] { find_method(hub_scan, "rh").resolve(machine, {}, settings); }),
            "ten has 10 numbers, which 8 ranks cannot share evenly: 8 or 16 would fit");
}

TEST_F(ScanFile, IsNotWrittenByARunThatWentWrong) {
  Settings settings;
  settings.input = file("in", "1 2 3 4");
  settings.output = file("out", "old");
  const BuiltMachine machine("hypercube:2");
  const Outcome outcome = machine.run(cube_scan, model_of(PortModel::one), settings, Fault{FaultKind::corrupt, 0});
  EXPECT_EQ(outcome.wrong, "rank 1 holds a result of 1 words of 1, the first 0 right");
  EXPECT_EQ(text_of(path("out")), "old");
}

// The last message to the lower half of the cube affects no prefix.
TEST_F(ScanFile, IsWrongIfOnlyATotalIs) {
  const BuiltMachine machine("hypercube:1");
  const Outcome outcome = machine.run(cube_scan, model_of(PortModel::one), {}, Fault{FaultKind::corrupt, 1});
  EXPECT_EQ(outcome.wrong, "rank 0 holds as a total a result of 1 words of 1, the first 0 right");
}

}  // namespace
}  // namespace lockstep::scan_test
