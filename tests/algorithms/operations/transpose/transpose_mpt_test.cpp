// The transposition over multiple paths (johnsson-ho.md, Multiple paths): its counts, its rounds and its two clocks.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "lockstep/algorithms/data.hpp"
#include "operations/transpose/2d_mpt.hpp"
#include "recorded_run.hpp"
#include "transposition.hpp"

namespace lockstep::transpose_mpt_test {
namespace {

/// Regime 3 of Theorem 2, n <= sqrt(r/2), r = K tau/beta, in which k_H is not floor(h/H).
bool has_many_words(std::uint64_t n, std::uint64_t K, const CostModel& cost) {
  return static_cast<double>(n) <= std::sqrt(static_cast<double>(K) * cost.tau / cost.beta / 2);
}

// n + 1 steps, sum_H 8 k_H H^2 C(h,H) 2^h messages; cycle c has the longest packet K/(2 min{a_H : a_H >= c-1}),
// a_H = 2 H floor(h/H); the asynchronous time is max_H (2 k_H H + 1)(beta + K tau/(4 k_H H)).
TEST(TransposeMpt, MultiplePaths) {
  for (const std::uint64_t n : {2, 4, 6, 8, 10}) {
    const std::uint64_t h = n / 2;
    const std::uint64_t N = std::uint64_t{1} << n;
    std::uint64_t messages = 0;
    std::uint64_t most = 0;
    for (std::uint64_t H = 1; H <= h; ++H) {
      messages += 8 * (h / H) * H * H * binomial(h, H) << h;
      most = std::max(most, 4 * (h / H) * H);
    }
    for (const std::uint64_t K : {32, 64, 256}) {
      const Model model = model_of(PortModel::all);
      if (K < most || has_many_words(n, K, model.cost)) continue;
      const std::uint64_t P = std::uint64_t{1} << h;
      SpecCounts counts;
      counts.steps = n + 1;
      counts.messages = messages;
      counts.words = n * N / 2 * K;
      bool divides = true;
      double asynchronous = 0;
      for (std::uint64_t H = 1; H <= h; ++H) {
        const std::uint64_t packets = 4 * (h / H) * H;
        divides = divides && K % packets == 0;
        asynchronous = std::max(asynchronous, static_cast<double>(2 * (h / H) * H + 1) *
                                                  (3 + 0.5 * static_cast<double>(K) / static_cast<double>(packets)));
      }
      std::uint64_t longest_sum = 0;
      for (std::uint64_t c = 1; c <= n + 1; ++c) {
        std::uint64_t least = n;
        for (std::uint64_t H = 1; H <= h; ++H) {
          const std::uint64_t a = 2 * H * (h / H);
          if (a >= c - 1) least = std::min(least, a);
        }
        longest_sum += (K + 2 * least - 1) / (2 * least);
      }
      if (divides) counts.longest_sum = longest_sum;
      const Report report = expect_run("transpose/2d-mpt", cube(n), model, matrix_settings(P, P * K), counts);
      EXPECT_LE(report.longest_sum, longest_sum);
      if (divides) {
        EXPECT_DOUBLE_EQ(report.time_asynchronous, asynchronous);
      }
    }
  }
}

// With k rounds for every class the last one ends in cycle 2 k h + 1; no two packets need the same link.
TEST(TransposeMpt, MultiplePathsInRounds) {
  for (const std::uint64_t n : {2, 4, 6, 8, 10}) {
    const std::uint64_t h = n / 2;
    for (const std::uint64_t k : {1, 2, 3}) {
      std::uint64_t messages = 0;
      for (std::uint64_t H = 1; H <= h; ++H) messages += 8 * k * H * H * binomial(h, H) << h;
      Settings settings = matrix_settings(std::uint64_t{1} << h, std::uint64_t{64} << h);
      settings.rounds = k;
      SpecCounts counts;
      counts.steps = 2 * k * h + 1;
      counts.messages = messages;
      expect_run("transpose/2d-mpt", cube(n), model_of(PortModel::all), settings, counts);
    }
  }
}

/// The time of class H with k rounds, in fractions of words as in johnsson-ho.md, Multiple paths, with the start-ups of
/// long packets.
double time_of_class(std::uint64_t H, std::uint64_t k, std::uint64_t K, const CostModel& cost) {
  const std::uint64_t packets = 4 * k * H;
  const std::uint64_t startups = cost.max_packet_words == 0 ? 1 : packets_of(K, packets * cost.max_packet_words);
  return static_cast<double>(2 * k * H + 1) *
         (static_cast<double>(startups) * cost.beta + static_cast<double>(K) / static_cast<double>(packets) * cost.tau);
}

/// The number of rounds with the least time among those whose packets have a word; the smallest if several have it.
std::uint64_t best_rounds(std::uint64_t H, std::uint64_t K, const CostModel& cost) {
  std::uint64_t best = 1;
  for (std::uint64_t k = 2; k <= K / (4 * H); ++k) {
    if (time_of_class(H, k, K, cost) < time_of_class(H, best, K, cost) * (1 - 1e-12)) best = k;
  }
  return best;
}

// In regime 3 the k of every class that minimises (2kH+1)(1 + r/(4kH)), r = K tau/beta; else floor(h/H).
TEST(TransposeMpt, RoundsAreTheBestOfEveryClass) {
  std::mt19937_64 random(15);
  const auto cost = [&] { return std::array{0.0, 0.01, 0.25, 1.0, 3.0, 20.0, 700.0}[random() % 7]; };
  std::uint64_t many = 0;
  for (int trial = 0; trial < (sanitized ? 200 : 2000); ++trial) {
    const std::uint64_t h = 1 + random() % 6;
    const std::uint64_t K = std::bit_ceil(4 * h) << random() % 9;
    CostModel costs{.beta = cost(), .tau = cost()};
    if (random() % 2 == 0) costs.max_packet_words = 2 + random() % K;
    const bool has_many = costs.tau > 0 && (costs.beta == 0 || has_many_words(2 * h, K, costs));
    many += has_many ? 1 : 0;
    transpose::Rounds expected;
    for (std::uint64_t H = 1; H <= h; ++H) expected.push_back(has_many ? best_rounds(H, K, costs) : h / H);
    EXPECT_EQ(transpose::default_rounds(static_cast<Port>(2 * h), K, costs), expected)
        << "trial " << trial << ": h " << h << ", K " << K << ", beta " << costs.beta << ", tau " << costs.tau
        << ", at most " << costs.max_packet_words << " words a start-up";
  }
  EXPECT_GE(many, sanitized ? 50U : 500U);
  // Equal times, 3 (1 + 4) and 5 (1 + 2): the fewest rounds.
  EXPECT_EQ(transpose::default_rounds(2, 16, {.beta = 1, .tau = 1}), (transpose::Rounds{1}));
  // With one start-up a word: as many packets as words, or as close to that as rounds allow.
  EXPECT_EQ(transpose::default_rounds(6, 64, {.beta = 1, .tau = 9, .max_packet_words = 1}),
            (transpose::Rounds{16, 8, 5}));
}

/// Moves blocks of K words by the plan of these rounds; messages and times are the report's.
Report move_in_rounds(Port n, std::uint64_t K, const transpose::Rounds& rounds, const CostModel& cost) {
  const BuiltMachine machine(cube(n));
  Model model = model_of(PortModel::all);
  model.cost = cost;
  const RecordedRun run(machine, model, {});
  const Rank processors = machine.topology.processors();
  PerRank<LabelledBlock> held(run.request());
  for (Rank rank = 0; rank < processors; ++rank) {
    held[rank] = {rank, transposed(rank, n), 0, generated_block(1, rank, 0, K)};
  }
  Report report = packets::move_packets(run.request(), transpose::multiple_paths(n, K, rounds), held);
  for (Rank rank = 0; rank < processors; ++rank) {
    EXPECT_EQ(held[rank].block, generated_block(1, transposed(rank, n), 0, K)) << rank;
  }
  return report;
}

// sum_H 8 k_H H^2 C(h,H) 2^h messages; class H ends in cycle 2 k_H H + 1, and no two packets need the same link.
TEST(TransposeMpt, MultiplePathsHaveRoundsOfTheirOwn) {
  std::mt19937_64 random(16);
  for (const Port n : {2U, 4U, 6U, 8U}) {
    const std::uint64_t h = n / 2;
    for (int trial = 0; trial < (sanitized ? 2 : 8); ++trial) {
      transpose::Rounds rounds;
      std::uint64_t messages = 0;
      std::uint64_t steps = 0;
      std::uint64_t most = 0;
      for (std::uint64_t H = 1; H <= h; ++H) {
        const std::uint64_t k = 1 + random() % 6;
        rounds.push_back(k);
        messages += 8 * k * H * H * binomial(h, H) << h;
        steps = std::max(steps, 2 * k * H + 1);
        most = std::max(most, 4 * k * H);
      }
      SCOPED_TRACE(cube(n) + ", trial " + std::to_string(trial));
      const Report report = move_in_rounds(n, most + random() % 40, rounds, {});
      EXPECT_EQ(report.messages, messages);
      EXPECT_EQ(report.steps, steps);
    }
  }
}

// Counts and times in whole words, with given and default rounds and any cost of start-ups.
TEST(TransposeMpt, MultiplePathsTakeTheTimesThatArePredicted) {
  std::mt19937_64 random(17);
  std::uint64_t exact = 0;
  std::uint64_t uneven = 0;
  for (int trial = 0; trial < (sanitized ? 20 : 200); ++trial) {
    const std::uint64_t n = 2 + 2 * (random() % 3);
    const std::uint64_t h = n / 2;
    Settings settings;
    std::uint64_t k = 1;
    if (random() % 2 == 0) settings.rounds = k = 1 + random() % 5;
    const std::uint64_t K = std::bit_ceil(4 * k * h) << random() % 4;
    settings.matrix = MatrixSize{1ULL << h, K << h};
    Model model = model_of(PortModel::all);
    model.cost.beta = std::array{0.0, 0.3, 1.0, 7.0}[random() % 4];
    model.cost.tau = std::array{0.0, 0.1, 1.0, 2.5}[random() % 4];
    model.cost.max_packet_words = random() % 2 == 0 ? 0 : 1 + random() % 20;
    const BuiltMachine machine(cube(n));
    SCOPED_TRACE("trial " + std::to_string(trial) + ": " + machine.spec.text + ", K " + std::to_string(K) +
                 ", rounds " + (settings.rounds ? std::to_string(k) : "not given") + ", beta " +
                 std::to_string(model.cost.beta) + ", tau " + std::to_string(model.cost.tau) + ", at most " +
                 std::to_string(model.cost.max_packet_words) + " words a start-up");
    const Report report = expect_run(machine, "transpose/2d-mpt", model, settings, {});
    const Prediction predicted = machine.predict("transpose/2d-mpt", model, settings);
    expect_predicted(predicted, counts_of(report));
    const auto synchronous = synchronous_time(predicted, model.cost);
    ASSERT_TRUE(synchronous && predicted.asynchronous);
    EXPECT_TRUE(synchronous->exact);
    (predicted.asynchronous->exact ? exact : uneven) += 1;
  }
  EXPECT_GT(exact, 0U);
  EXPECT_GT(uneven, 0U);
}

// 512x512 on hypercube:6 with beta = tau = 1, r = 4096: 45 (1 + 4096/88) = 2139.5 at best. floor(h/H) rounds take 2565,
// 10 for every class 2172.
TEST(TransposeMpt, MultiplePathsOfManyWordsTakeManyRounds) {
  const CostModel cost{.beta = 1, .tau = 1};
  const transpose::Rounds rounds = transpose::default_rounds(6, 4096, cost);
  EXPECT_EQ(rounds, (transpose::Rounds{23, 11, 8}));
  EXPECT_EQ(move_in_rounds(6, 4096, {3, 1, 1}, cost).time_asynchronous, 2565);
  EXPECT_EQ(move_in_rounds(6, 4096, {10, 10, 10}, cost).time_asynchronous, 2172);
  const double best = move_in_rounds(6, 4096, rounds, cost).time_asynchronous;
  EXPECT_GE(best, std::pow(1 + std::sqrt(2048.0), 2));
  EXPECT_LE(best, 2145);

  const BuiltMachine machine("hypercube:6");
  Model model = model_of(PortModel::all);
  model.cost = cost;
  EXPECT_EQ(machine.run("transpose/2d-mpt", model, matrix_settings(512, 512)).report.time_asynchronous, best);
  Settings settings = matrix_settings(512, 512);
  settings.rounds = 10;
  EXPECT_EQ(machine.run("transpose/2d-mpt", model, settings).report.time_asynchronous, 2172);
}

// n = 10, K = 3072, beta = tau = 1: 1799 with a clock for every class, 2494 with a common one.
TEST(TransposeMpt, MultiplePathsHaveTwoClocks) {
  constexpr Port n = 10;
  constexpr std::uint64_t K = 3072;
  const BuiltMachine machine("hypercube:10");
  const auto executor = make_executor(ExecutorKind::sequential);
  Model model = model_of(PortModel::all);
  model.cost = {.beta = 1, .tau = 1};
  const Settings settings;
  const RunRequest request{machine.spec, machine.topology, model, settings, *executor, {}, {}};
  const packets::PacketSchedule plan = transpose::multiple_paths(n, K, {5, 2, 1, 1, 1});
  PerRank<LabelledBlock> held(request);
  for (Rank rank = 0; rank < 1024; ++rank) held[rank] = {rank, (rank % 32) * 32 + rank / 32, 0, Block(K)};
  const Report report = packets::move_packets(request, plan, held);
  EXPECT_EQ(report.steps, 11U);
  EXPECT_NEAR(report.time_asynchronous, 1799, 0.001);
  // In real numbers 2494.2: 3072 words make 20 packets of 153.6, which are 154 or 153 words long.
  EXPECT_NEAR(report.time_synchronous, 2494.2, 1);
}

// Regimes of Theorem 2 by n against sqrt(r), r = K tau/beta; the bound of Theorem 3, max(n beta, K/2 tau): by the
// synchronous clock all steps and all words take their time, n beta + K/2 tau.
TEST(TransposeMpt, ClosedFormsOfMultiplePaths) {
  const BuiltMachine machine("hypercube:6");
  const auto predict = [&](std::uint64_t K, double beta, const MachineSpec& spec) {
    Model model = model_of(PortModel::all);
    model.cost = {.beta = beta, .tau = 1};
    const std::uint64_t side = std::uint64_t{1} << spec.ports / 2;
    return machine.method("transpose/2d-mpt").predict(spec, model, matrix_settings(side, side * K));
  };
  // n = 6, K = 32: regime 1 for beta = 1: r = 32 <= 36.
  const Prediction first = predict(32, 1, machine.spec);
  EXPECT_DOUBLE_EQ(first.closed_form->value, 7 + 7 * 32.0 / 12);
  EXPECT_NE(first.closed_form->formula.find("regime 1"), std::string::npos);
  // K = 64: 36 < r = 64 < 72, h = 3 odd.
  const Prediction second = predict(64, 1, machine.spec);
  EXPECT_DOUBLE_EQ(second.closed_form->value, 5 + 10 * 64.0 / 16);
  EXPECT_NE(second.closed_form->formula.find("regime 2"), std::string::npos);
  // n = 8, h = 4 even: 64 < r = 100 < 128.
  const Prediction even = predict(256, 2.56, parse_machine("hypercube:8"));
  EXPECT_NEAR(even.closed_form->value, 2.56 * (7 + 14 * 100.0 / 24), 1e-9);
  EXPECT_NE(even.closed_form->formula.find("regime 2"), std::string::npos);
  const Prediction third = predict(1024, 1, machine.spec);
  EXPECT_DOUBLE_EQ(third.closed_form->value, std::pow(1 + std::sqrt(512.0), 2));
  EXPECT_NE(third.closed_form->formula.find("regime 3"), std::string::npos);

  Model model = model_of(PortModel::all);
  const Settings settings = matrix_settings(8, 8 * 64);
  const LowerBound bound = lower_bound(machine.method("transpose/2d-mpt"), machine.spec, model, settings);
  EXPECT_EQ(bound.steps, 6U);
  EXPECT_EQ(bound.longest_sum, 32U);
  EXPECT_DOUBLE_EQ(bound.time->value, 6 * 3.0 + 32 * 0.5);
}

}  // namespace
}  // namespace lockstep::transpose_mpt_test
