// reduce/tree against mukherjee.md, Reduction: k + (n+1) D steps on RH(k,n), v on the v-cube, with 2^D (2^k - 1) + sum
// over i < D of 2^(D-1-i) (2 pc(i) + 1) and N - 1 messages.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "../../../sanitized.hpp"
#include "data_directory.hpp"
#include "lockstep/algorithms/operation/operands.hpp"
#include "method_run.hpp"

namespace lockstep::reduce_test {
namespace {

constexpr std::string_view tree = "reduce/tree";

/// A machine and its counts from mukherjee.md, Reduction, typed from the formulas and multiplied out by hand.
struct Shape {
  std::string machine;
  std::uint64_t steps;
  std::uint64_t messages;
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.machine; }

const Shape shapes[] = {
    {"hypercube:0", 0, 0},
    {"hypercube:1", 1, 1},
    {"hypercube:2", 2, 3},
    {"hypercube:7", 7, 127},
    {"hypercube:11", 11, 2047},
    // D = 1: k + 1 steps, 2 (2^k - 1) + 1 messages.
    {"rh:0,0", 1, 1},
    {"rh:1,0", 2, 3},
    {"rh:2,0", 3, 7},
    {"rh:5,0", 6, 63},
    // D = 2: k + 4 steps, 4 (2^k - 1) + 2 + 3.
    {"rh:1,1", 5, 9},
    {"rh:2,1", 6, 17},
    {"rh:3,1", 7, 33},
    {"rh:6,1", 10, 257},
    // D = 4: k + 12 steps, 16 (2^k - 1) + 8 + 4*3 + 2*3 + 5.
    {"rh:2,2", 14, 79},
    {"rh:3,2", 15, 143},
    {"rh:4,2", 16, 271},
    {"rh:5,2", 17, 527},
    // D = 8: k + 32 steps, 256 (2^k - 1) + 128 + 64*3 + 32*3 + 16*5 + 8*3 + 4*5 + 2*5 + 7.
    {"rh:3,3", 35, 2349},
    {"rh:4,3", 36, 4397},
};

/// Both lists end with the two machines that take most of the time.
constexpr std::ptrdiff_t largest_left_out = sanitized ? 2 : 0;

Settings with_operator(const std::string& name, std::uint64_t words, std::uint64_t root = 0) {
  Settings settings = item_settings(words, root);
  settings.operator_name = name;
  return settings;
}

// mukherjee.md, Routing, counted on its own: links from node 0 to the root.
std::uint64_t way_length(const MachineSpec& machine, Rank root) {
  if (machine.family == "hypercube") return static_cast<std::uint64_t>(std::popcount(root));
  const std::uint64_t k = machine.parameters[0];
  const std::uint64_t n = machine.parameters[1];
  std::uint64_t links = 0;
  Rank subblock = 0;
  for (Rank m = 0; m < (Rank{1} << n); ++m) {
    if ((root >> (k + m) & 1) == 0) continue;
    links += static_cast<std::uint64_t>(std::popcount(subblock ^ m)) + 1;
    subblock = m;
  }
  const Rank inside = root & ((Rank{1} << k) - 1);
  return links + static_cast<std::uint64_t>(std::popcount(inside ^ (subblock << (k - n))));
}

SpecCounts counts_of(std::uint64_t steps, std::uint64_t messages, std::uint64_t w) {
  return {.steps = steps, .longest_sum = steps * w, .messages = messages, .words = messages * w, .peak_words_held = w};
}

class ReduceTree : public testing::TestWithParam<Shape> {
 protected:
  SpecCounts counts(std::uint64_t w) const { return counts_of(GetParam().steps, GetParam().messages, w); }

  /// 0, its neighbours in rank, the last, and some more.
  std::set<Rank> roots() const {
    const Rank n = machine_.topology.processors();
    std::mt19937_64 random(n);
    std::set<Rank> ranks{0, 1 % n, 2 % n, n / 2, n - 1};
    while (ranks.size() < std::min<Rank>(n, 9)) ranks.insert(static_cast<Rank>(random() % n));
    return ranks;
  }

  const BuiltMachine machine_{GetParam().machine};
};

TEST_P(ReduceTree, HasTheCountsOfTheSpecInEveryModel) {
  for (const std::uint64_t words : {1U, 3U}) {
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
        expect_run(machine_, tree, model_of(ports, duplex), with_operator("sum", words), counts(words));
      }
    }
  }
}

TEST_P(ReduceTree, MovesTheOriginToTheRootWhereTheOperatorCommutes) {
  for (const Rank root : roots()) {
    for (const char* name : {"sum", "min", "max", "and", "or", "xor"}) {
      SCOPED_TRACE(name);
      expect_run(machine_, tree, model_of(PortModel::one), with_operator(name, 2, root), counts(2));
    }
  }
}

TEST_P(ReduceTree, FoldsInTheOrderOfRanksAndSendsOnWhereTheOperatorDoesNotCommute) {
  for (const Rank root : roots()) {
    const std::uint64_t links = way_length(machine_.spec, root);
    for (const char* name : {"matrix2", "concat"}) {
      SCOPED_TRACE(name);
      expect_run(machine_, tree, model_of(PortModel::one), with_operator(name, 4, root),
                 counts_of(GetParam().steps + links, GetParam().messages + links, 4));
    }
  }
}

TEST_P(ReduceTree, PredictsTheCountsOfTheSpec) {
  const Settings settings = with_operator("sum", 5, machine_.topology.processors() - 1);
  expect_predicted(machine_.predict(tree, model_of(PortModel::all), settings), counts(5));
}

TEST_P(ReduceTree, TakesEveryOperatorOnDoubles) {
  for (const char* name : {"sum", "min", "max", "and", "or", "xor", "matrix2"}) {
    Settings settings = with_operator(name, 4, machine_.topology.processors() / 2);
    settings.type = "double";
    EXPECT_EQ(machine_.run(tree, model_of(PortModel::one), settings).wrong, "") << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, ReduceTree,
                         testing::ValuesIn(std::begin(shapes), std::end(shapes) - largest_left_out));

/// mukherjee.md, Packets: a machine, its processors, the steps of one packet with one port and with all, and the
/// interval with one port, and where a processor does not send while it receives; multiplied out by hand.
struct InPackets {
  std::string machine;
  std::uint64_t processors;
  std::uint64_t serial;
  std::uint64_t at_once;
  std::uint64_t children;
  std::uint64_t neighbours;
};
std::ostream& operator<<(std::ostream& out, const InPackets& shape) { return out << shape.machine; }

const InPackets shapes_in_packets[] = {
    {"hypercube:1", 2, 1, 1, 1, 1},    {"hypercube:2", 4, 2, 2, 2, 2}, {"hypercube:3", 8, 4, 3, 2, 3},
    {"hypercube:8", 256, 14, 8, 2, 3}, {"rh:0,0", 2, 1, 1, 1, 1},      {"rh:1,0", 4, 2, 2, 2, 2},
    {"rh:2,0", 8, 3, 3, 3, 3},         {"rh:4,0", 32, 7, 5, 3, 4},     {"rh:1,1", 8, 5, 5, 2, 2},
    {"rh:2,1", 16, 6, 6, 3, 3},        {"rh:3,1", 32, 7, 7, 4, 4},     {"rh:5,1", 128, 11, 9, 4, 5},
    {"rh:2,2", 64, 13, 12, 3, 3},      {"rh:4,2", 256, 15, 14, 5, 5},  {"rh:5,2", 512, 17, 15, 5, 6},
    {"rh:3,3", 2048, 33, 32, 3, 4},    {"rh:4,3", 4096, 34, 33, 4, 4},
};

class ReduceTreeInPackets : public testing::TestWithParam<InPackets> {};

TEST_P(ReduceTreeInPackets, SendsThemUpTheDoubleRootedTreeAtTheInterval) {
  const InPackets& shape = GetParam();
  const BuiltMachine machine(shape.machine);
  std::mt19937_64 random(3);
  for (const auto& [words, packets] : {std::pair<std::uint64_t, std::uint64_t>{2, 2}, {7, 3}, {12, 4}, {40, 6}}) {
    for (const char* name : {"sum", "min", "and", "xor"}) {
      const auto expect_packets = [&](const Model& model, std::uint64_t steps, std::uint64_t interval) {
        SCOPED_TRACE(std::string(name) + ", " + std::to_string(words) + " words in " + std::to_string(packets) +
                     ", roots of seed 3");
        Settings settings = with_operator(name, words, random() % shape.processors);
        settings.packets = packets;
        const std::uint64_t longest = (words + packets - 1) / packets;
        const SpecCounts counts{.steps = steps + (packets - 1) * interval,
                                .longest_sum = (steps - interval) * longest + interval * words,
                                .messages = (shape.processors - 1) * packets,
                                .words = (shape.processors - 1) * words,
                                .peak_words_held = words};
        expect_run(machine, tree, model, settings, counts);
        expect_predicted(machine.predict(tree, model, settings), counts);
      };
      expect_packets(model_of(PortModel::one), shape.serial, shape.children);
      expect_packets(model_of(PortModel::one, Duplex::full, true), shape.serial, shape.children);
      expect_packets(model_of(PortModel::one, Duplex::half_node), shape.serial, shape.neighbours);
      expect_packets(model_of(PortModel::one_strict), shape.serial, shape.neighbours);
      expect_packets(model_of(PortModel::all), shape.at_once, 1);
      expect_packets(model_of(PortModel::all, Duplex::half_link), shape.at_once, 1);
      expect_packets(model_of(PortModel::all, Duplex::half_node), shape.at_once, shape.at_once > 1 ? 2 : 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, ReduceTreeInPackets,
                         testing::ValuesIn(std::begin(shapes_in_packets),
                                           std::end(shapes_in_packets) - largest_left_out));

TEST(ReduceTreeInPackets, IsForOperatorsThatCommute) {
  for (const char* name : {"matrix2", "concat"}) {
    Settings settings = with_operator(name, 4);
    settings.packets = 2;
    EXPECT_EQ(refusal(tree, "rh:2,1", settings),
              "--packets is for operators that commute; " + std::string(name) + " is folded in the order of the ranks");
    settings.packets = 1;
    EXPECT_EQ(refusal(tree, "rh:2,1", settings), "");
  }
  Settings settings = with_operator("sum", 2);
  settings.packets = 3;
  EXPECT_EQ(refusal(tree, "rh:2,1", settings),
            "--packets 3 is out of range: 1 to 2, as every packet has at least one of the 2 words");
}

TEST(ReduceTreeInPackets, CatchesFaultsWhateverTheOperator) {
  for (const char* text : {"hypercube:4", "rh:2,1", "rh:2,2"}) {
    for (const char* name : {"sum", "min", "max", "and", "or", "xor"}) {
      Settings settings = with_operator(name, 3, 3);
      settings.packets = 2;
      expect_catches_faults(tree, text, settings);
    }
  }
}

TEST(ReduceTreeFaults, AreCaughtWhateverTheOperator) {
  for (const char* text : {"hypercube:4", "rh:2,1", "rh:2,2"}) {
    for (const Operator& op : operators()) {
      expect_catches_faults(tree, text, with_operator(std::string(op.name), op.element_words, 3));
    }
  }
}

TEST(ReduceTreeFaults, AreCaughtInTheResultOf128OperandsThatHideEachOther) {
  const BuiltMachine machine("hypercube:7");
  for (const char* name : {"and", "or", "min", "max"}) {
    for (const char* type : {"int64", "double"}) {
      Settings settings = with_operator(name, 1);
      settings.type = type;
      for (std::uint64_t transfer = 0; transfer < 127; ++transfer) {
        bool done = false;
        const Fault fault{FaultKind::corrupt, transfer, &done};
        const std::string wrong = machine.run(tree, model_of(PortModel::one), settings, fault).wrong;
        EXPECT_EQ(wrong, "rank 0 holds a result of 1 words of 1, the first 0 right")
            << name << " of " << type << ", message " << transfer;
        EXPECT_TRUE(done);
      }
    }
  }
}

// A sum does not depend on the order of its operands; that they arrive in the order of their addresses is still
// checked.
TEST(ReduceTreeFaults, AreCaughtWhereOperandsComeInAnotherOrder) {
  try {
    BuiltMachine("hypercube:3").run(tree, model_of(PortModel::one), with_operator("sum", 1), Fault{FaultKind::swap, 0});
    FAIL();
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("received the values from node 3 on instead of those from node 1 on"),
              std::string::npos)
        << error.what();
  }
}

/// The oracle's error for a result of all ranks.
std::string verdict_on(const operands::NumberValues& values, const Block& result) {
  operands::NumberValues::Oracle oracle(values, values.value(0));
  for (Rank rank = 1; rank < values.ranks(); ++rank) oracle.extend(values.value(rank));
  return operands::what_is_wrong(oracle, result, values.noun);
}

class ReduceFile : public DataDirectory {
 protected:
  /// Runs with that input and returns the text that was written.
  std::string reduced(const std::string& machine, const std::string& name, const std::string& input,
                      std::uint64_t root = 0, const std::optional<std::string>& type = {}) const {
    Settings settings;
    settings.operator_name = name;
    settings.type = type;
    settings.root = root;
    settings.input = file("in", input);
    settings.output = path("out");
    EXPECT_EQ(BuiltMachine(machine).run(tree, model_of(PortModel::one), settings).wrong, "");
    return text_of(path("out"));
  }

  std::string refusal(const std::string& machine, Settings settings) const {
    const MachineSpec spec = parse_machine(machine);
    return refusal_of([&] { find_method(tree, spec.family).resolve(spec, {}, settings); });
  }
};

TEST_F(ReduceFile, ComesToWhatAPersonWould) {
  for (const char* machine : {"hypercube:3", "rh:1,1"}) {
    for (const std::uint64_t root : {0U, 1U, 7U}) {
      SCOPED_TRACE(std::string(machine) + ", root " + std::to_string(root));
      const std::string eight = "3 -4 5 6 7 1 2 12";
      EXPECT_EQ(reduced(machine, "sum", eight, root), "32\n");
      EXPECT_EQ(reduced(machine, "min", eight, root), "-4\n");
      EXPECT_EQ(reduced(machine, "max", eight, root), "12\n");
      EXPECT_EQ(reduced(machine, "and", "15 7 14 31 6 22 70 6", root), "6\n");
      EXPECT_EQ(reduced(machine, "or", "1 2 4 8 1 2 4 16", root), "31\n");
      EXPECT_EQ(reduced(machine, "xor", "1 2 4 8 1 2 4 16", root), "24\n");
      EXPECT_EQ(reduced(machine, "sum", "1 10\n2 20\n3 30\n4 40\n5 50\n6 60\n7 70\n8 80", root), "36\n360\n");
      EXPECT_EQ(reduced(machine, "sum", "0.5 1 1 1 1 1 1 1", root), "7.5\n");
      EXPECT_EQ(reduced(machine, "sum", "1 1 1 1 1 1 1 1", root, "double"), "8.0\n");
      // Fibonacci: [[1,1],[1,0]]^8 = [[34,21],[21,13]].
      std::string matrices;
      for (int rank = 0; rank < 8; ++rank) matrices += "1 1 1 0\n";
      EXPECT_EQ(reduced(machine, "matrix2", matrices, root), "34\n21\n21\n13\n");
      EXPECT_EQ(reduced(machine, "concat", "a\nb\nc \n\ne\nf\ng\nh", root), "abc efgh\n");
      EXPECT_EQ(reduced(machine, "concat", "a\n1\nb\n2\nc\n3\nd\n4\ne\n5\nf\n6\ng\n7\nh\n8", root),
                "abcdefgh\n12345678\n");
    }
  }
  EXPECT_EQ(reduced("hypercube:1", "sum", "9223372036854775807 1"), "-9223372036854775808\n");
  EXPECT_EQ(reduced("hypercube:0", "matrix2", "1 2 3 4"), "1\n2\n3\n4\n");
}

TEST_F(ReduceFile, ComesToTheSameInPackets) {
  const auto in_two = [&](const std::string& machine, const std::string& name, const std::string& input) {
    Settings settings;
    settings.operator_name = name;
    settings.packets = 2;
    settings.root = 5;
    settings.input = file("in", input);
    settings.output = path("out");
    EXPECT_EQ(BuiltMachine(machine).run(tree, model_of(PortModel::one), settings).wrong, "");
    return text_of(path("out"));
  };
  for (const char* machine : {"hypercube:3", "rh:1,1"}) {
    EXPECT_EQ(in_two(machine, "sum", "1 10\n2 20\n3 30\n4 40\n5 50\n6 60\n7 70\n8 80"), "36\n360\n");
    EXPECT_EQ(in_two(machine, "sum", "1 1e9 2\n1 3 4\n0.5 6 7\n1 1 1\n1 1 1\n1 1 1\n1 1 1\n1 1 1"),
              "7.5\n1000000014.0\n18.0\n");
    EXPECT_EQ(in_two(machine, "max", "1 10\n2 20\n9 30\n4 40\n5 50\n6 60\n7 70\n8 -80"), "9\n70\n");
  }
}

TEST_F(ReduceFile, OfDoublesMayBeRoundedInAnotherOrder) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> number(-100, 100);  // products of 128 matrices do not overflow
  std::ostringstream text;
  text.precision(17);
  for (int count = 0; count < 128 * 4; ++count) text << number(random) << "\n";
  for (const char* name : {"sum", "matrix2"}) {
    reduced("rh:3,2", name, text.str(), 77);
    reduced("hypercube:7", name, text.str());
  }
}

TEST_F(ReduceFile, OfDoublesThatOverflowIsInfiniteOnlyIfTheSumIs) {
  const auto wrong = [&](const std::string& input, const std::optional<std::string>& output = {}) {
    Settings settings;
    settings.input = file("in", input);
    settings.output = output;
    return BuiltMachine("hypercube:2").run(tree, model_of(PortModel::one), settings).wrong;
  };
  EXPECT_EQ(wrong("1e308 1e308 -1e308 1e308"), "");
  EXPECT_EQ(wrong("-1e308 -1e308 -1e308 -1e308"), "");
  EXPECT_EQ(wrong("1e308 -1e308 1e308 -1e308"), "");  // pair by pair it is 0
  EXPECT_EQ(wrong("1e308 1e308 -1e308 -1e308"),       // inf - inf
            "rank 0 holds a result of 1 words of 1, the first 0 right; there, absolute values exceed the largest "
            "double, so that the order of combining decides the result");
  EXPECT_EQ(refusal_of([&] { wrong("1e308 1e308 1e308 1e308", file("out", "old")); }),
            "cannot write 'out': a result is inf, and files have finite numbers");
  EXPECT_EQ(text_of(path("out")), "old");
}

TEST_F(ReduceFile, OfDoublesThatOverflowIsComparedByKindAndSign) {
  const BuiltMachine machine("hypercube:2");
  Settings settings;
  const double infinity = std::numeric_limits<double>::infinity();
  const double greatest = std::numeric_limits<double>::max();
  const std::string remark =
      "; there, absolute values exceed the largest double, so that the order of combining decides the result";
  for (const auto& [input, sum, right] : std::vector<std::tuple<std::string, long double, double>>{
           {"1e308 1e308 -1e308 -1e308", 0.0L, 0.0},
           {"1e308 1e308 -1e308 1e308", 2e308L, infinity},
           {"-1e308 -1e308 -1e308 1.0", -3e308L, -infinity},
           {"1.7976931348623157e308 1.7976931348623157e308 -1.7976931348623157e308 0.0", greatest, greatest}}) {
    settings.input = file("in", input);
    settings.words.reset();
    settings.type.reset();
    machine.method(tree).resolve(machine.spec, {}, settings);
    const auto executor = make_executor(ExecutorKind::sequential);
    const Model model;
    const operands::NumberValues values({machine.spec, machine.topology, model, settings, *executor, {}, {}});
    for (const double found :
         {0.0, 1.0, -1e308, greatest, -greatest, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
      Block result(1);
      result[0] = std::bit_cast<Word>(found);
      // A sum of 4 within a few units of the last place of its absolute values is right, so that the greatest double
      // and infinity may be the same.
      const bool is_at_limit = sum == greatest && found == infinity;
      const bool is_small = sum == 0 && std::abs(found) <= 1;
      EXPECT_EQ(verdict_on(values, result),
                found == right || is_at_limit || is_small ? "" : "a result of 1 words of 1, the first 0 right" + remark)
          << input << ": " << found;
    }
  }
}

TEST_F(ReduceFile, OfDoublesIsComparedWithTheStatedTolerance) {
  const BuiltMachine machine("hypercube:1");
  Settings settings;
  settings.input = file("in", "1.0 -3.0 2.0 2.5");  // sums of absolute values 3 and 5.5
  machine.method(tree).resolve(machine.spec, {}, settings);
  const auto executor = make_executor(ExecutorKind::sequential);
  const Model model;
  const operands::NumberValues values({machine.spec, machine.topology, model, settings, *executor, {}, {}});
  const auto verdict = [&](double first, double second) {
    Block result(2);
    result[0] = std::bit_cast<Word>(first);
    result[1] = std::bit_cast<Word>(second);
    return verdict_on(values, result);
  };
  const double allowed = std::ldexp(2.0, -51);  // N 2^-51
  EXPECT_EQ(verdict(3, -0.5), "");
  EXPECT_EQ(verdict(3 + 3 * allowed / 2, -0.5 + 5.5 * allowed / 2), "");
  EXPECT_EQ(verdict(3 + 3 * allowed * 2, -0.5), "a result of 2 words of 2, the first 0 right");
  EXPECT_EQ(verdict(3, -0.5 - 5.5 * allowed * 2), "a result of 2 words of 2, the first 1 right");
  EXPECT_NE(verdict(std::numeric_limits<double>::quiet_NaN(), -0.5), "");
  EXPECT_NE(verdict_on(values, Block(1)), "");
}

TEST_F(ReduceFile, OfDoublesMayLoseSmallProductsInAnotherOrder) {
  // Diagonal matrices: x x and 1/x 1/x, combined in pairs or one after the other.
  const auto diagonal = [](const std::vector<std::string>& numbers) {
    std::string text;
    for (const std::string& number : numbers) text.append(number).append(" 0.0 0.0 ").append(number).append("\n");
    return text;
  };
  EXPECT_EQ(reduced("hypercube:2", "matrix2", diagonal({"1.0", "1e-200", "1e-200", "1e200"})),
            "1e-200\n0.0\n0.0\n1e-200\n");  // one after the other gives 0
  EXPECT_EQ(reduced("hypercube:2", "matrix2", diagonal({"1e200", "1.0", "1e-200", "1e-200"})), "0.0\n0.0\n0.0\n0.0\n");

  const BuiltMachine machine("hypercube:2");
  Settings settings;
  settings.operator_name = "matrix2";
  settings.input = file("in", diagonal({"1.0", "1e-200", "1e-200", "1e200"}));
  machine.method(tree).resolve(machine.spec, machine.method(tree).defaults, settings);
  const auto executor = make_executor(ExecutorKind::sequential);
  const Model model;
  const operands::NumberValues values({machine.spec, machine.topology, model, settings, *executor, {}, {}});
  Block result(4);
  result[0] = std::bit_cast<Word>(1e-120);  // more than can be lost
  EXPECT_EQ(verdict_on(values, result), "a result of 4 words of 4, the first 0 right");
}

// The result is right, since -1 decides all bits.
TEST_F(ReduceFile, IsWrongIfOnlyAMessageIs) {
  Settings settings;
  settings.operator_name = "or";
  settings.input = file("in", "-1 -1 -1 -1");
  const BuiltMachine machine("hypercube:2");
  settings.root = 2;
  const Outcome outcome = machine.run(tree, model_of(PortModel::one), settings, Fault{FaultKind::corrupt, 0});
  EXPECT_EQ(outcome.wrong, "rank 0 received a result of 1 words of 1, the first 0 right");
}

TEST_F(ReduceFile, SaysHowManyNumbersFit) {
  const std::string ten = file("ten", "1 2 3 4 5 6 7 8 9 10");
  const auto refusal_with = [&](const std::string& input, const std::string& name, std::optional<std::uint64_t> words,
                                std::optional<std::string> type = {}) {
    Settings settings;
    settings.input = input;
    settings.operator_name = name;
    settings.words = words;
    settings.type = std::move(type);
    return refusal("rh:1,1", settings);
  };
  EXPECT_EQ(refusal_with(ten, "sum", {}), "ten has 10 numbers, which 8 ranks cannot share evenly: 8 or 16 would fit");
  EXPECT_EQ(refusal_with(ten, "matrix2", {}),
            "ten has 10 numbers, which 8 ranks cannot share evenly in elements of 4 words: 32 would fit");
  EXPECT_EQ(refusal_with(ten, "concat", {}), "ten has 1 line, which 8 ranks cannot share evenly: 8 would fit");
  const std::string eight = file("eight", "1 2 3 4 5 6 7 8.5");
  EXPECT_EQ(refusal_with(eight, "sum", 1), "");
  EXPECT_EQ(refusal_with(eight, "sum", 2), "--words 2 does not fit: eight has 8 numbers, 1 for each of 8 ranks");
  EXPECT_EQ(refusal_with(eight, "sum", {}, "int64"), "eight, line 1: '8.5' is no int64; use --type double");
  EXPECT_EQ(refusal_with(path("none"), "sum", {}), "cannot read 'none': No such file or directory");
  EXPECT_EQ(refusal_with(path("none"), "concat", {}), "cannot read 'none': No such file or directory");
}

TEST_F(ReduceFile, RefusesWhatItCannotDo) {
  EXPECT_EQ(refusal("hypercube:3", with_operator("summ", 1)),
            "--operator 'summ' is not one of sum, min, max, and, or, xor, matrix2, concat; did you mean 'sum'?");
  EXPECT_EQ(refusal("hypercube:3", with_operator("matrix2", 6)),
            "--words 6 is no whole number of matrix2's elements, each of 4 words: 4 or 8 would fit");
  EXPECT_EQ(refusal("hypercube:3", with_operator("matrix2", 3)), "--words 3 is out of range: 4 to 2147483648");
  expect_words_from(1, tree, "hypercube:3");
  expect_roots_to(7, tree, "hypercube:3");
  Settings settings = with_operator("concat", 1);
  settings.type = "double";
  EXPECT_EQ(refusal("hypercube:3", settings), "--type is for operators on numbers; concat appends strings");
  settings = with_operator("sum", 1);
  settings.type = "string";
  EXPECT_EQ(refusal("hypercube:3", settings), "--type 'string' is not one of int64, double");
  settings.type = "int46";
  EXPECT_EQ(refusal("hypercube:3", settings), "--type 'int46' is not one of int64, double; did you mean 'int64'?");
  settings.type = "int64";
  settings.output = path("none/out");
  EXPECT_EQ(refusal("hypercube:3", settings), "cannot write 'none/out': No such file or directory");
}

TEST(Reduce, NamesEveryOperator) {
  const std::string_view named = operands::operator_parameter.meaning;
  for (const Operator& known : operators()) EXPECT_NE(named.find(known.name), std::string_view::npos) << known.name;
}

TEST_F(ReduceFile, HasTheDefaultsOfTheCatalogue) {
  const Settings settings = resolved(tree, "rh:2,1");
  EXPECT_EQ(settings.operator_name, "sum");
  EXPECT_EQ(settings.type, "int64");
  EXPECT_EQ(settings.words, 1U);
  EXPECT_EQ(settings.root, 0U);
  Settings matrices;
  matrices.operator_name = "matrix2";
  EXPECT_EQ(resolved(tree, "rh:2,1", matrices).words, 4U);
  Settings doubles;
  doubles.input = file("in", "1 2.5");
  EXPECT_EQ(resolved(tree, "hypercube:1", doubles).type, "double");
}

TEST_F(ReduceFile, IsNotWrittenByARunThatWentWrong) {
  Settings settings;
  settings.input = file("in", "1 2 3 4");
  settings.output = file("out", "old");
  const BuiltMachine machine("hypercube:2");
  EXPECT_NE(machine.run(tree, model_of(PortModel::one), settings, Fault{FaultKind::corrupt, 1}).wrong, "");
  EXPECT_EQ(text_of(path("out")), "old");
}

}  // namespace
}  // namespace lockstep::reduce_test
