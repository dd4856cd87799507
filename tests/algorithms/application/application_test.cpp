// The applications: their counts are those of their collectives, as often as applications.md states, plus arithmetic;
// no method changes their results; every planted fault is noticed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "data_directory.hpp"
#include "lockstep/algorithms/data.hpp"
#include "method_run.hpp"

namespace lockstep::application_test {
namespace {

const std::vector<std::string> applications{
    "power-iteration",   "n-body",           "inner-product", "gaussian-elimination", "conjugate-gradient", "adi",
    "linear-recurrence", "carry-look-ahead", "packing"};

std::string full_name(const std::string& application) { return "application/" + application; }

Settings with_method(const std::string& method) {
  Settings settings;
  if (!method.empty()) settings.method = method;
  return settings;
}

/// An application with a method, and its default counts on a 3-cube.
struct Counted {
  std::string application;
  std::string method;
  PortModel ports;
  SpecCounts counts;
  std::uint64_t most_operations;  ///< of the processor for which the others wait
};

constexpr PortModel one = PortModel::one;
constexpr PortModel all = PortModel::all;

// N = 8 processors and a size of 8. One allgather of w words: adea S = 3, M = 24, V = 56 w, W = 7 w; daisy-chain S = 7,
// M = 56; tea1 with all ports S = 3, M = 72, V = 96 w, W = 4 w. scan/cube of one word: 3, 24, 24, 3. reduce/tree and
// broadcast/sbt: 6, 14, 14, 6. alltoall/exchange of one word: 3, 24, 96, 12.
const std::vector<Counted> counted{
    // 8 gatherings of a word; 2 * 8 * 1 operations for a row and 5 * 8 for the length, 8 times.
    {"power-iteration",
     "",
     one,
     {.steps = 24, .longest_sum = 56, .messages = 192, .words = 448, .operations = 3584},
     448},
    {"power-iteration",
     "daisy-chain",
     one,
     {.steps = 56, .longest_sum = 56, .messages = 448, .words = 448, .operations = 3584},
     448},
    {"power-iteration",
     "allgather/tea1",
     all,
     {.steps = 24, .longest_sum = 32, .messages = 576, .words = 768, .operations = 3584},
     448},
    // 4 gatherings of 4 words; 19 * 8 + 12 operations a body and time step.
    {"n-body", "", one, {.steps = 12, .longest_sum = 112, .messages = 96, .words = 896, .operations = 5248}, 656},
    {"n-body",
     "daisy-chain",
     one,
     {.steps = 28, .longest_sum = 112, .messages = 224, .words = 896, .operations = 5248},
     656},
    // One sum; a product and a sum for each component, and 7 sums of the gathered values.
    {"inner-product", "", one, {.steps = 3, .longest_sum = 3, .messages = 24, .words = 24, .operations = 16}, 2},
    {"inner-product",
     "reduce/tree",
     one,
     {.steps = 6, .longest_sum = 6, .messages = 14, .words = 14, .operations = 16},
     2},
    {"inner-product", "adea", one, {.steps = 3, .longest_sum = 7, .messages = 24, .words = 56, .operations = 72}, 9},
    // 8 rows of 10, 9, .. 3 words and 8 components of one, each broadcast in 3 steps with 7 messages. Row k is
    // subtracted from 7 - k rows, 1 + 2 (8 - k) operations each: 364; component k from k rows, 2 each, and a quotient:
    // 64. A processor has one row.
    {"gaussian-elimination",
     "",
     one,
     {.steps = 48, .longest_sum = 180, .messages = 112, .words = 420, .operations = 428},
     77 + 22},
    {"gaussian-elimination",
     "drbt",
     one,
     {.steps = 64, .longest_sum = 240, .messages = 112, .words = 420, .operations = 428},
     77 + 22},
    // 17 sums, and 8 exchanges of rows of 8 words over 7 borders in 2 steps. 2 operations a point and 15 in each
    // iteration,
    // and 2 quotients, on 8 points a processor.
    {"conjugate-gradient",
     "",
     one,
     {.steps = 67, .longest_sum = 179, .messages = 520, .words = 1304, .operations = 7936},
     16 + 8 * 122},
    {"conjugate-gradient",
     "tree",
     one,
     {.steps = 118, .longest_sum = 230, .messages = 350, .words = 1134, .operations = 7936},
     16 + 8 * 122},
    // Two time steps of two sweeps, each 4 operations a point and a transposition.
    {"adi", "", one, {.steps = 12, .longest_sum = 48, .messages = 96, .words = 384, .operations = 1024}, 128},
    // Without one: 8 columns over 8 strips take 7 + 7 steps forwards and as many back, 2 operations in each of 15
    // cycles.
    {"adi", "none", one, {.steps = 56, .longest_sum = 56, .messages = 224, .words = 224, .operations = 1024}, 184},
    // One scan of maps, 2 words each; 3 operations a step to compose and 2 to apply.
    {"linear-recurrence", "", one, {.steps = 3, .longest_sum = 6, .messages = 24, .words = 48, .operations = 40}, 5},
    // One scan of carries, a word each; 2 operations a word to add, and 2 for the carry.
    {"carry-look-ahead", "", one, {.steps = 3, .longest_sum = 3, .messages = 24, .words = 24, .operations = 32}, 4},
};

TEST(Applications, CountWhatTheirPartsCount) {
  const BuiltMachine machine("hypercube:3");
  for (const auto& [application, method, ports, counts, most_operations] : counted) {
    expect_run(machine, full_name(application), model_of(ports), with_method(method), counts);
    // A start-up costs 3, a word 0.5; an operation 0.25 more.
    Model model = model_of(ports);
    model.cost.flop = 0.25;
    const Report report = expect_run(machine, full_name(application), model, with_method(method), counts);
    const double arithmetic = 0.25 * static_cast<double>(most_operations);
    EXPECT_DOUBLE_EQ(report.time_arithmetic, arithmetic);
    EXPECT_DOUBLE_EQ(report.time_synchronous, 3.0 * static_cast<double>(*counts.steps) +
                                                  0.5 * static_cast<double>(*counts.longest_sum) + arithmetic);
  }
}

/// All methods of an application, and the ports that they need.
struct Choice {
  std::string application;
  std::vector<std::string> methods;
  PortModel ports = PortModel::one;
};

const std::vector<Choice> choices{
    {"power-iteration", {"allgather/adea", "allgather/daisy-chain"}},
    {"power-iteration", {"allgather/tea1", "allgather/tea2"}, PortModel::all},
    {"n-body", {"allgather/adea", "allgather/daisy-chain"}},
    {"n-body", {"allgather/tea1", "allgather/tea2"}, PortModel::all},
    {"inner-product", {"scan/cube", "reduce/tree", "allgather/adea", "allgather/daisy-chain"}},
    {"gaussian-elimination", {"broadcast/sbt", "broadcast/drbt"}},
    {"gaussian-elimination", {"broadcast/sbt-pipelined"}, PortModel::all},
    {"conjugate-gradient", {"scan/cube", "reduce/tree", "allgather/adea", "allgather/daisy-chain"}},
    {"adi", {"alltoall/exchange", "none"}},
    {"adi", {"alltoall/sbnt"}, PortModel::all},
    {"linear-recurrence", {"scan/cube"}},
    {"carry-look-ahead", {"scan/cube"}},
    {"packing", {"scan/cube"}},
};

// Fewer rows than processors, as many, more, and numbers that the processors do not divide.
TEST(Applications, AreRightForEverySizeOnEveryCube) {
  for (const auto& [application, methods, ports] : choices) {
    for (const std::string& method : methods) {
      for (const unsigned dimensions : {0U, 1U, 2U, 3U, 4U}) {
        const BuiltMachine machine(cube(dimensions));
        for (const std::uint64_t size : {1U, 2U, 3U, 8U, 13U}) {
          Settings settings = with_method(method);
          settings.size = size;
          Model model = model_of(ports);
          model.cost.flop = 0.125;
          expect_run(machine, full_name(application), model, settings, {});
        }
      }
    }
  }
}

// mukherjee.md, Prefix: on RH(2,1) a scan takes 2 k + 3 + 2 + 2 = 11 steps, and 2 * 16 + 10 + 9 = 51 messages; on
// RH(1,0) 2 + 1 steps, and 4 + 1 + 1 messages.
TEST(Applications, StandOnTheScanOfHubs) {
  for (const std::uint64_t size : {1U, 3U, 8U, 16U, 53U}) {
    Settings settings;
    settings.size = size;
    for (const auto& [text, steps, messages] : {std::tuple("rh:2,1", 11U, 51U), std::tuple("rh:1,0", 3U, 6U)}) {
      const BuiltMachine machine(text);
      expect_run(machine, "application/linear-recurrence", model_of(one), settings,
                 {.steps = steps,
                  .longest_sum = 2 * steps,
                  .messages = messages,
                  .words = 2 * messages,
                  .operations = 5 * size});
      expect_run(
          machine, "application/carry-look-ahead", model_of(one), settings,
          {.steps = steps, .longest_sum = steps, .messages = messages, .words = messages, .operations = 4 * size});
    }
  }
  for (const std::string application :
       {"application/linear-recurrence", "application/carry-look-ahead", "application/packing"}) {
    for (const char* text : {"rh:0,0", "rh:1,1", "rh:3,1", "rh:2,2"}) {
      expect_run(BuiltMachine(text), application, model_of(one), {}, {});
    }
    Settings settings;
    settings.size = 11;
    // The machine does not affect the results: all data of the processors, in the order of ranks.
    EXPECT_EQ(BuiltMachine("rh:2,1").run(application, model_of(one), settings).data_digest,
              BuiltMachine("hypercube:4").run(application, model_of(one), settings).data_digest);
  }
}

/// The moves of packing: every record along its E-cube path, bit after bit, one message for those that leave a
/// processor in the same turn. 17 records on 4 processors, 5 a processor: computed from the marks, without the
/// program's turns.
TEST(Applications, PackWhatIsMarkedOverTheDimensionsInTurn) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Settings settings;
    settings.size = 17;
    settings.seed = seed;
    std::vector<std::uint64_t> firsts{0, 5, 9, 13, 17};
    std::vector<std::pair<Rank, Rank>> ways;
    for (Rank rank = 0; rank < 4; ++rank) {
      for (std::uint64_t index = firsts[rank]; index < firsts[rank + 1]; ++index) {
        if (generated_word(seed, 1, 0, index) % 2 == 0) ways.emplace_back(rank, static_cast<Rank>(ways.size() / 5));
      }
    }
    SpecCounts counts{.steps = 2, .longest_sum = 2, .messages = 8, .words = 8, .operations = 17};  // the scan
    for (const Rank bit : {1U, 2U}) {
      std::array<std::uint64_t, 4> lengths{};
      for (auto& [at, to] : ways) {
        if (((at ^ to) & bit) == 0) continue;
        lengths[at] += 2;
        at ^= bit;
      }
      const std::uint64_t longest = *std::ranges::max_element(lengths);
      *counts.steps += longest > 0 ? 1 : 0;
      *counts.longest_sum += longest;
      *counts.messages += static_cast<std::uint64_t>(4 - std::ranges::count(lengths, 0U));
      *counts.words += std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
    }
    const BuiltMachine machine("hypercube:2");
    const Outcome outcome = machine.run("application/packing", model_of(one), settings);
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.report.steps, counts.steps);
    EXPECT_EQ(outcome.report.longest_sum, counts.longest_sum);
    EXPECT_EQ(outcome.report.messages, counts.messages);
    EXPECT_EQ(outcome.report.words, counts.words);
    expect_predicted(machine.predict("application/packing", model_of(one), settings), counts);
  }
}

/// The digest of the processors' data.
std::uint64_t digest(const std::string& application, const std::string& method, PortModel ports) {
  Settings settings = with_method(method);
  settings.size = 11;
  const Outcome outcome = BuiltMachine("hypercube:3").run(full_name(application), model_of(ports), settings);
  EXPECT_EQ(outcome.wrong, "");
  return outcome.data_digest;
}

// Data that is gathered, broadcast or transposed is equal to the last bit; sums may be added in another order.
TEST(Applications, ComeToTheSameWithAnyMethod) {
  const auto same = [](const std::string& application, const std::string& method, PortModel ports) {
    EXPECT_EQ(digest(application, method, ports), digest(application, "", one)) << application << " " << method;
  };
  for (const std::string application : {"power-iteration", "n-body"}) {
    same(application, "daisy-chain", one);
    same(application, "tea1", all);
    same(application, "tea2", all);
  }
  same("gaussian-elimination", "drbt", one);
  same("gaussian-elimination", "sbt-pipelined", all);
  same("adi", "sbnt", all);
  for (const std::string application : {"inner-product", "conjugate-gradient"}) {
    same(application, "reduce/tree", one);  // adds in the order of scan/cube
    EXPECT_EQ(digest(application, "adea", one), digest(application, "daisy-chain", one));
  }
}

TEST(Applications, AreTimedByTheHost) {
  for (const std::string& application : applications) {
    Settings settings;
    settings.size = 64;
    const Outcome outcome = BuiltMachine("hypercube:2").run(full_name(application), model_of(one), settings);
    EXPECT_GT(outcome.arithmetic_seconds, 0) << application;
    EXPECT_LE(outcome.arithmetic_seconds, outcome.report.run_seconds) << application;  // on one thread
  }
}

// The daisy chain goes round every machine that has it: N - 1 steps a gathering, N (N - 1) blocks.
TEST(Applications, GoRoundOtherMachines) {
  for (const char* const text : {"ring:5", "torus:3x3", "torus:2x3", "switch:6", "omega:8"}) {
    const BuiltMachine machine(text);
    const std::uint64_t k = machine.spec.processors;
    const std::uint64_t words = k > 8 ? 1 : (8 + k - 1) / k;  // of a block of 8 rows, or of one a processor
    expect_run(machine, "application/power-iteration", model_of(one), {},
               {.steps = 8 * (k - 1),
                .longest_sum = 8 * (k - 1) * words,
                .messages = 8 * k * (k - 1),
                .words = 8 * k * (k - 1) * words});
    expect_run(machine, "application/n-body", model_of(one), {},
               {.steps = 4 * (k - 1),
                .longest_sum = 4 * (k - 1) * 4 * words,
                .messages = 4 * k * (k - 1),
                .words = 4 * k * (k - 1) * 4 * words});
    expect_run(machine, "application/inner-product", model_of(one), {},
               {.steps = k - 1, .longest_sum = k - 1, .messages = k * (k - 1), .words = k * (k - 1)});
  }
}

std::string method_refusal(const std::string& application, const std::string& method, const Model& model = {}) {
  const MachineSpec machine = parse_machine("hypercube:3");
  Settings settings = with_method(method);
  try {
    find_method(full_name(application), machine.family).resolve(machine, model, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Applications, RefuseMethodsOnWhichTheyCannotStand) {
  EXPECT_EQ(method_refusal("power-iteration", "tee1"),
            "--method 'tee1' is not one of allgather/adea, allgather/daisy-chain, allgather/tea1, allgather/tea2");
  EXPECT_EQ(method_refusal("adi", "non"),
            "--method 'non' is not one of alltoall/exchange, alltoall/sbnt, none; did you mean 'none'?");
  EXPECT_EQ(method_refusal("power-iteration", "tea1"), "--method tea1 is not for --ports one, but for all");
  EXPECT_EQ(method_refusal("n-body", "daisy-chain", {.ports = PortModel::one_strict}),
            "--method daisy-chain is not for --ports one-strict, but for one, all");
  EXPECT_EQ(method_refusal("gaussian-elimination", "sbt-pipelined"),
            "--method sbt-pipelined needs --multicast on or --ports all");
  EXPECT_EQ(method_refusal("gaussian-elimination", "SBT"), "");
  EXPECT_EQ(method_refusal("gaussian-elimination", "sbt-pipelined", {.multicast = true}), "");
}

TEST(Applications, TakeSizesInTheirRange) {
  Settings settings;
  settings.size = 0;
  EXPECT_EQ(refusal("application/adi", "hypercube:3", settings), "--size 0 is out of range: 1 to 4096");
  settings.size = 4097;
  EXPECT_EQ(refusal("application/adi", "hypercube:3", settings), "--size 4097 is out of range: 1 to 4096");
  // One a processor, from 8 to 256.
  EXPECT_EQ(resolved("application/adi", "hypercube:0").size, 8U);
  EXPECT_EQ(resolved("application/adi", "hypercube:5").size, 32U);
  EXPECT_EQ(resolved("application/adi", "hypercube:10").size, 256U);
}

// The faults that the catalogue's sweep does not reach: with all ports.
TEST(Applications, NoticeEveryFaultWithAllPorts) {
  for (const auto& [application, methods, ports] : choices) {
    if (ports != all) continue;
    for (const std::string& method : methods) {
      Settings settings = with_method(method);
      settings.size = 5;
      if (application != "inner-product" && application != "gaussian-elimination") settings.iterations = 2;
      expect_catches_faults(full_name(application), "hypercube:2", settings, model_of(all));
    }
  }
}

TEST(Applications, SayWhereDataIsWrong) {
  const BuiltMachine machine("hypercube:2");
  bool done = false;
  // In the sum's second and last step rank 3 sends last, to rank 1.
  const Outcome outcome =
      machine.run("application/inner-product", model_of(one), {}, Fault{FaultKind::corrupt, 7, &done});
  EXPECT_TRUE(done);
  EXPECT_TRUE(outcome.wrong.starts_with("rank 1 has as component 0 of the inner product ")) << outcome.wrong;
}

class MatrixInput : public DataDirectory {
 protected:
  std::string run(const std::string& text, std::optional<std::uint64_t> size = {}) const {
    Settings settings;
    settings.input = file("matrix.mtx", text);
    settings.size = size;
    const BuiltMachine machine("hypercube:1");
    return refusal_of([&] {
      const Outcome outcome = machine.run("application/power-iteration", model_of(one), settings);
      EXPECT_EQ(outcome.wrong, "");
    });
  }
};

TEST_F(MatrixInput, IsIterated) {
  EXPECT_EQ(run("%%MatrixMarket matrix array integer general\n3 3\n2\n1\n0\n1\n2\n1\n0\n1\n2\n"), "");
  EXPECT_EQ(run("%%MatrixMarket matrix array real general\n2 2\n2.5\n-1\n-1\n0.5\n"), "");
  // The vector of ones is orthogonal to the largest eigenvector: rounding errors grow, and are accepted.
  EXPECT_EQ(run("%%MatrixMarket matrix array real general\n2 2\n1\n-3\n-3\n1\n"), "");
}

TEST_F(MatrixInput, IsRefusedUnlessItIsSymmetric) {
  const std::string wide = "%%MatrixMarket matrix array real general\n1 2\n1\n2\n";
  EXPECT_EQ(run(wide), "a square matrix is needed, unlike that of matrix.mtx, which has 1x2 numbers");
  const std::string uneven = "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n";
  EXPECT_EQ(run(uneven), "matrix.mtx is not symmetric at row 1, column 2");
  const std::string even = "%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n4\n";
  EXPECT_EQ(run(even, 3), "--size 3 does not fit matrix.mtx, which has 2x2 numbers");
}

// The vector of ones goes to 0, and to values that only rounding decides; products of large entries are not numbers.
TEST_F(MatrixInput, IsRefusedWhereRoundingsDecide) {
  const std::string said =
      "in 8 iterations roundings decide what comes out: the matrix takes the vector of equal components next to 0";
  const std::string head = "%%MatrixMarket matrix array integer general\n";
  EXPECT_EQ(run(head + "4 4\n2\n-1\n0\n-1\n-1\n2\n-1\n0\n0\n-1\n2\n-1\n-1\n0\n-1\n2\n"), said);
  EXPECT_EQ(run(head + "2 2\n0\n0\n0\n0\n"), said);
  EXPECT_EQ(run("%%MatrixMarket matrix array real general\n2 2\n1e200\n0\n0\n1\n"),
            "matrix.mtx has an entry beyond 1e100 at row 1, column 1");
}

// Long after the residual has become 0.
TEST(Applications, ConjugateGradientsStayWhereTheyHaveArrived) {
  for (const std::uint64_t iterations : {157, 160, 190, 1000}) {
    Settings settings;
    settings.iterations = iterations;
    const Outcome outcome = BuiltMachine("hypercube:3").run("application/conjugate-gradient", model_of(one), settings);
    EXPECT_EQ(outcome.wrong, "") << iterations;
  }
}

// Beyond this, rounding decides the positions.
TEST(Applications, BodiesAreFollowedForAHundredSteps) {
  for (const std::uint64_t size : {64, 128}) {
    Settings settings;
    settings.size = size;
    settings.iterations = 100;
    EXPECT_EQ(BuiltMachine("hypercube:3").run("application/n-body", model_of(one), settings).wrong, "") << size;
  }
  Settings settings;
  settings.iterations = 101;
  EXPECT_THROW(BuiltMachine("hypercube:3").run("application/n-body", model_of(one), settings), InputError);
}

}  // namespace
}  // namespace lockstep::application_test
