// Two-dimensional transpositions (T 8, T 9).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "exact_counts.hpp"
#include "lockstep/algorithms/data.hpp"
#include "recorded_run.hpp"
#include "transpose/mpt_2d.hpp"
#include "transpose/paths_2d.hpp"
#include "transposition.hpp"

namespace lockstep {
namespace {

struct Size {
  std::uint64_t n, N, P, Q, K;
};

/// Even n from 2 to `most` with matrices of at least 2^least rows and columns, square and not.
std::vector<Size> sizes(std::uint64_t most, bool whole_ranks = false) {
  std::vector<Size> all;
  for (std::uint64_t n = 2; n <= most; n += 2) {
    const std::uint64_t N = std::uint64_t{1} << n;
    const std::uint64_t side = whole_ranks ? N : std::uint64_t{1} << n / 2;
    for (const auto& [p, q] : {std::pair{1, 1}, {1, 2}, {2, 1}, {4, 8}}) {
      all.push_back({n, N, p * side, q * side, p * side * q * side / N});
    }
  }
  return all;
}

// n steps of K words, n N/2 messages; n (ceil(K/B_m) beta + K tau) + 2 K t_copy.
TEST(Transpose2d, single_path_step_by_step) {
  for (const auto& [n, N, P, Q, K] : sizes(8)) {
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      const Model model = copying(ports, 3, 0.125);
      SpecCounts counts{n, n * N / 2, n * N / 2 * K, n * K};
      counts.startups = n * N / 2 * packets_of(K, 3);
      counts.copied_words = 2 * K * N;
      const Report report = expect_spec("transpose/2d-spt", cube_text(n), model, matrix_settings(P, Q), counts);
      const double time = time_of(model, n * packets_of(K, 3), n * K, 2 * K);
      EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
      EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);  // of blocks that cross all dimensions
    }
  }
}

// 3 n/2 steps of K/2 words; then every block is transposed locally, which leaves one row or one column as it is.
TEST(Transpose2d, pivot) {
  for (const auto& [n, N, P, Q, K] : sizes(8)) {
    if (K < 2) continue;
    for (const auto& [limit, copy_cost] : {std::pair{0U, 0.0}, {3U, 0.75}}) {
      const Model model = copying(PortModel::one_strict, limit, copy_cost);
      const std::uint64_t side = std::uint64_t{1} << n / 2;
      const std::uint64_t copied = P == side || Q == side ? 0 : K;
      SpecCounts counts{3 * n / 2, 3 * n / 2 * N, 3 * n / 2 * N * (K / 2), 3 * n / 2 * (K / 2)};
      counts.startups = 3 * n / 2 * N * packets_of(K / 2, limit);
      counts.copied_words = N * copied;
      const Report report = expect_spec("transpose/2d-pivot", cube_text(n), model, matrix_settings(P, Q), counts);
      const double time = time_of(model, 3 * n / 2 * packets_of(K / 2, limit), 3 * n / 2 * (K / 2), copied);
      EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
      EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);
    }
  }
}

// Algorithm 1: 2n steps, 3 n K/2, 3 n N/2 messages; 2 and 3: n steps, n K/2, n N messages. Without shuffles a message
// of an exchange with offset s is 2^(s+i) blocks in step i; gathered in a buffer, it is one, and K words are copied
// where there were several. Local reorders copy K words: at last, with algorithm 2 also at first, with 3 only if p > n.
TEST(Transpose2d, change_of_assignment) {
  for (const auto& [n, N, P, Q, K] : sizes(6, true)) {
    const std::uint64_t h = n / 2;
    const auto p = static_cast<std::uint64_t>(std::log2(P));
    const auto q = static_cast<std::uint64_t>(std::log2(Q));
    const std::uint64_t L = p + q - n;
    for (const std::uint64_t limit : {0, 2, 5}) {
      const auto exchange = [&](std::uint64_t s) {
        std::uint64_t startups = 0;
        for (std::uint64_t i = 0; i < h; ++i) {
          const std::uint64_t blocks = std::uint64_t{1} << (s + i);
          startups += blocks * packets_of(K / 2 / blocks, limit);
        }
        return startups;
      };
      const auto gathering = [&](std::uint64_t s) { return s == 0 ? h - 1 : h; };  // exchanges of several blocks
      const Model model = copying(PortModel::one_strict, limit, 0.375);
      SpecCounts counts{2 * n, 3 * n * N / 2, 3 * n * N / 2 * (K / 2) * 2 / 3 + n * N * K / 2, 3 * n * K / 2};
      counts.words = n * N * (K / 2) + n * N / 2 * K;  // by halves, then whole blocks
      counts.startups = N * (exchange(p - n) + exchange(L - h)) + n * N / 2 * packets_of(K, limit);
      const auto expect = [&](const char* method, const Settings& settings, std::uint64_t startups,
                              std::uint64_t copied) {
        counts.copied_words = N * copied;
        const Report report = expect_spec(method, cube_text(n), model, settings, counts);
        const double time = time_of(model, startups, *counts.longest_sum, copied);
        EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
        EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);
      };
      Settings settings = matrix_settings(P, Q);
      expect("transpose/reassign-1", settings, exchange(p - n) + exchange(L - h) + n * packets_of(K, limit), K);
      counts = {n, n * N, n * N * (K / 2), n * K / 2};
      for (const std::optional<bool> gather : {std::optional<bool>(), std::optional(false), std::optional(true)}) {
        settings.gather = gather;
        const bool off = !gather.value_or(false);
        const std::uint64_t gathered = n * packets_of(K / 2, limit);
        const std::uint64_t of_2 = off ? exchange(q - n) + exchange(L - h) : gathered;
        const std::uint64_t of_3 = off ? exchange(L - h) + exchange(p - n) : gathered;
        counts.startups = N * of_2;
        expect("transpose/reassign-2", settings, of_2, off ? 2 * K : (2 + gathering(q - n) + gathering(L - h)) * K);
        const std::uint64_t last = p > n ? 1 : 0;
        counts.startups = N * of_3;
        expect("transpose/reassign-3", settings, of_3,
               off ? last * K : (last + gathering(L - h) + gathering(p - n)) * K);
      }
    }
  }
}

// 64x64 on 16 processors: 4 exchanges of 4, 8, 64 and 128 blocks; of 2^4 in a row with shuffles in between.
TEST(Transpose2d, gathering_buys_single_start_ups) {
  const auto run = [](const char* method, std::optional<bool> gather) {
    Settings settings = matrix_settings(64, 64);
    settings.gather = gather;
    return expect_spec(method, "hypercube:4", model_of(PortModel::one), settings, {});
  };
  for (const char* method : {"transpose/reassign-2", "transpose/reassign-3"}) {
    EXPECT_EQ(run(method, {}).startups, 3264U) << method;
    EXPECT_EQ(run(method, false).startups, 3264U) << method;
    EXPECT_EQ(run(method, true).startups, 64U) << method;
  }
  EXPECT_EQ(run("transpose/1d-exchange", {}).startups, 64U);
  EXPECT_EQ(run("transpose/1d-exchange", {}).copied_words, 4U * 4096);
  EXPECT_EQ(run("transpose/reassign-2", {}).copied_words, 2U * 4096);
  EXPECT_EQ(run("transpose/reassign-2", true).copied_words, (2U + 4) * 4096);
  EXPECT_EQ(run("transpose/reassign-3", {}).copied_words, 4096U);
  EXPECT_EQ(run("transpose/reassign-3", true).copied_words, (1U + 4) * 4096);
}

// ceil(K/B) + n - 1 steps and ceil(K/B) n N/2 messages; with two paths ceil(K/(2B)) + n - 1 and 2 ceil(K/(2B)) n N/2.
// A full packet is the longest of every step but the last, where there is a shorter last one.
TEST(Transpose2d, pipelines) {
  for (const auto& [n, N, P, Q, K] : sizes(8)) {
    for (const std::uint64_t B : {1, 2, 3, 8, 32}) {
      const auto longest_sum = [&](std::uint64_t words) {
        const std::uint64_t packets = packets_of(words, B);
        if (packets == 1) return n * words;
        return (packets + n - 2) * B + (words - (packets - 1) * B);
      };
      Settings settings = matrix_settings(P, Q);
      settings.packet_words = B;
      if (B <= K) {
        const Report report =
            expect_spec("transpose/2d-spt-pipelined", cube_text(n), model_of(PortModel::all), settings,
                        {packets_of(K, B) + n - 1, packets_of(K, B) * n * N / 2, n * N / 2 * K, longest_sum(K)});
        if (K % B == 0) {
          EXPECT_DOUBLE_EQ(report.time_synchronous,
                           static_cast<double>(packets_of(K, B) + n - 1) * (3 + 0.5 * static_cast<double>(B)));
        }
      }
      if (B <= K / 2) {
        expect_spec(
            "transpose/2d-dpt", cube_text(n), model_of(PortModel::all), settings,
            {packets_of(K, 2 * B) + n - 1, 2 * packets_of(K, 2 * B) * n * N / 2, n * N / 2 * K, longest_sum(K / 2)});
      }
    }
  }
}

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  if (k == 0 || k == n) return 1;
  return binomial(n - 1, k - 1) + binomial(n - 1, k);
}

/// Regime 3 of Theorem 2, n <= sqrt(r/2), r = K tau/beta, in which k_H is not floor(h/H).
bool has_many_words(std::uint64_t n, std::uint64_t K, const CostModel& cost) {
  return static_cast<double>(n) <= std::sqrt(static_cast<double>(K) * cost.tau / cost.beta / 2);
}

// n + 1 steps, sum_H 8 k_H H^2 C(h,H) 2^h messages; cycle c has the longest packet K/(2 min{a_H : a_H >= c-1}),
// a_H = 2 H floor(h/H); the asynchronous time is max_H (2 k_H H + 1)(beta + K tau/(4 k_H H)).
TEST(Transpose2d, multiple_paths) {
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
      const Report report = expect_spec("transpose/2d-mpt", cube_text(n), model, matrix_settings(P, P * K), counts);
      EXPECT_LE(report.longest_sum, longest_sum);
      if (divides) {
        EXPECT_DOUBLE_EQ(report.time_asynchronous, asynchronous);
      }
    }
  }
}

// With k rounds for every class the last ends in cycle 2 k h + 1; no two packets want one link.
TEST(Transpose2d, multiple_paths_in_rounds) {
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
      expect_spec("transpose/2d-mpt", cube_text(n), model_of(PortModel::all), settings, counts);
    }
  }
}

/// The time of class H with k rounds, in parts of words as T 8 has it, start-ups of long packets included.
double time_of_class(std::uint64_t H, std::uint64_t k, std::uint64_t K, const CostModel& cost) {
  const std::uint64_t packets = 4 * k * H;
  const std::uint64_t startups = cost.max_packet_words == 0 ? 1 : packets_of(K, packets * cost.max_packet_words);
  return static_cast<double>(2 * k * H + 1) *
         (static_cast<double>(startups) * cost.beta + static_cast<double>(K) / static_cast<double>(packets) * cost.tau);
}

/// Of all rounds whose packets have a word those with the least time, the fewest if several have.
std::uint64_t best_rounds(std::uint64_t H, std::uint64_t K, const CostModel& cost) {
  std::uint64_t best = 1;
  for (std::uint64_t k = 2; k <= K / (4 * H); ++k) {
    if (time_of_class(H, k, K, cost) < time_of_class(H, best, K, cost) * (1 - 1e-12)) best = k;
  }
  return best;
}

// In regime 3 the k of every class that minimises (2kH+1)(1 + r/(4kH)), r = K tau/beta; else floor(h/H).
TEST(Transpose2d, rounds_are_the_best_of_every_class) {
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
  // Every word a start-up: as many packets as words, or as near to it as rounds go.
  EXPECT_EQ(transpose::default_rounds(6, 64, {.beta = 1, .tau = 9, .max_packet_words = 1}),
            (transpose::Rounds{16, 8, 5}));
}

/// Blocks of K words as the plan of these rounds moves them; the messages and times are those of the report.
Report move_in_rounds(Port n, std::uint64_t K, const transpose::Rounds& rounds, const CostModel& cost) {
  const BuiltMachine machine(cube_text(n));
  Model model = model_of(PortModel::all);
  model.cost = cost;
  const RecordedRun run(machine, model, {});
  std::vector<Piece> held;
  for (Rank rank = 0; rank < machine.topology.processors(); ++rank) {
    held.push_back({rank, transposed(rank, n), 0, generated_block(1, rank, 0, K)});
  }
  const Report report = permute::move_packets(run.request(), transpose::multiple_paths(n, K, rounds), held);
  for (Rank rank = 0; rank < held.size(); ++rank) {
    EXPECT_EQ(held[rank].block, generated_block(1, transposed(rank, n), 0, K)) << rank;
  }
  return report;
}

// sum_H 8 k_H H^2 C(h,H) 2^h messages; class H ends in cycle 2 k_H H + 1, and no two packets want one link.
TEST(Transpose2d, multiple_paths_have_rounds_of_their_own) {
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
      SCOPED_TRACE(cube_text(n) + ", trial " + std::to_string(trial));
      const Report report = move_in_rounds(n, most + random() % 40, rounds, {});
      EXPECT_EQ(report.messages, messages);
      EXPECT_EQ(report.steps, steps);
    }
  }
}

// Its counts and times in whole words, with rounds given and not, whatever a start-up takes.
TEST(Transpose2d, multiple_paths_take_the_times_that_are_predicted) {
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
    const BuiltMachine machine(cube_text(n));
    const Method& method = machine.method("transpose/2d-mpt");
    method.resolve(machine.spec, model, settings);
    SCOPED_TRACE("trial " + std::to_string(trial) + ": " + machine.spec.text + ", K " + std::to_string(K) +
                 ", rounds " + (settings.rounds ? std::to_string(k) : "not given") + ", beta " +
                 std::to_string(model.cost.beta) + ", tau " + std::to_string(model.cost.tau) + ", at most " +
                 std::to_string(model.cost.max_packet_words) + " words a start-up");
    const Outcome outcome = machine.run("transpose/2d-mpt", model, settings);
    EXPECT_EQ(outcome.wrong, "");
    const Prediction predicted = method.predict(machine.spec, model, settings);
    expect_predicted(predicted, outcome.report);
    expect_predicted_times(predicted, model.cost, outcome.report);
    (predicted.asynchronous->exact ? exact : uneven) += 1;
  }
  EXPECT_GT(exact, 0U);
  EXPECT_GT(uneven, 0U);
}

// 512x512 on hypercube:6 with beta = tau = 1, r = 4096: 45 (1 + 4096/88) = 2139.5 at best. floor(h/H) rounds take 2565,
// 10 for every class 2172.
TEST(Transpose2d, multiple_paths_of_many_words_take_many_rounds) {
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

// n = 10, K = 3072, beta = tau = 1: 1799 with a clock for every class, 2494 on a common one.
TEST(Transpose2d, multiple_paths_have_two_clocks) {
  constexpr Port n = 10;
  constexpr std::uint64_t K = 3072;
  const BuiltMachine machine("hypercube:10");
  const auto executor = make_executor(ExecutorKind::sequential);
  Model model = model_of(PortModel::all);
  model.cost = {.beta = 1, .tau = 1};
  const Settings settings;
  const RunRequest request{machine.spec, machine.topology, model, settings, *executor, {}, {}};
  const permute::PacketPlan plan = transpose::multiple_paths(n, K, {5, 2, 1, 1, 1});
  std::vector<Piece> held;
  for (Rank rank = 0; rank < 1024; ++rank) held.push_back({rank, (rank % 32) * 32 + rank / 32, 0, Block(K)});
  const Report report = permute::move_packets(request, plan, held);
  EXPECT_EQ(report.steps, 11U);
  EXPECT_NEAR(report.time_asynchronous, 1799, 0.001);
  // In real numbers 2494.2: 3072 words make 20 packets of 153.6, which are 154 or 153 words long.
  EXPECT_NEAR(report.time_synchronous, 2494.2, 1);
}

// Regimes of Theorem 2 by n against sqrt(r), r = K tau/beta; the bound of Theorem 3.
TEST(Transpose2d, closed_forms_of_multiple_paths) {
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
  const LowerBound bound = machine.method("transpose/2d-mpt").lower_bound(machine.spec, model, settings);
  EXPECT_EQ(bound.steps, 6U);
  EXPECT_EQ(bound.longest_sum, 32U);
  EXPECT_DOUBLE_EQ(bound.time->value, std::max(6 * 3.0, 32 * 0.5));
}

// Paths share no link, are 2H long, and lead to the transposed rank.
TEST(Transpose2d, paths_share_no_link) {
  for (const Port n : {2U, 4U, 6U, 8U}) {
    for (Rank x = 0; x < Rank{1} << n; ++x) {
      const Port h = n / 2;
      const Rank target = (x % (1U << h)) << h | x >> h;
      const Port H = transpose::differing_pairs(x, n);
      std::vector<std::pair<Rank, Port>> links;
      for (std::uint32_t path = 0; path < 2 * H; ++path) {
        Rank at = x;
        const auto crossed = transpose::transposition_path(x, n, path);
        ASSERT_EQ(crossed.size(), 2 * H);
        for (const Port dimension : crossed) {
          links.emplace_back(at, dimension);
          at ^= Rank{1} << dimension;
        }
        ASSERT_EQ(at, target);
      }
      std::sort(links.begin(), links.end());
      EXPECT_EQ(std::adjacent_find(links.begin(), links.end()), links.end()) << n << " " << x;
    }
  }
}

// n steps; only the P Q real words travel.
TEST(Transpose2d, virtual_columns_are_not_sent) {
  for (const std::uint64_t n : {2, 4, 6, 8}) {
    const std::uint64_t h = n / 2;
    for (std::uint64_t q = 0; q <= h; ++q) {
      for (const std::uint64_t words : {1, 4}) {
        const std::uint64_t P = words << h;
        const std::uint64_t Q = std::uint64_t{1} << q;
        // A block (r,c) crosses two links for every bit in which r and c differ.
        std::uint64_t messages = 0;
        for (std::uint64_t r = 0; r < std::uint64_t{1} << h; ++r) {
          for (std::uint64_t c = 0; c < Q; ++c) messages += 2 * static_cast<std::uint64_t>(__builtin_popcountll(r ^ c));
        }
        expect_spec("transpose/2d-virtual", cube_text(n), model_of(PortModel::one_strict), matrix_settings(P, Q),
                    {n, messages, messages * words, n * words});
      }
    }
  }
}

TEST(Transpose2d, refuses_what_does_not_fit) {
  for (const char* method :
       {"transpose/2d-spt", "transpose/2d-spt-pipelined", "transpose/2d-dpt", "transpose/2d-mpt", "transpose/2d-pivot",
        "transpose/2d-virtual", "transpose/reassign-1", "transpose/reassign-2", "transpose/reassign-3",
        "transpose/gray-mixed", "transpose/gray-mixed-naive", "transpose/gray-mixed-pipelined",
        "transpose/binary-to-gray", "transpose/gray-to-binary"}) {
    for (const char* n : {"0", "3"}) {
      EXPECT_EQ(refusal(method, "hypercube:" + std::string(n), {}),
                "hypercube:" + std::string(n) + " has " + n +
                    " dimensions: a two-dimensional layout takes an even number of them, 2 or more; "
                    "one-dimensional transpositions and convert/exchange take any");
    }
    EXPECT_EQ(refusal(method, "hypercube:4", matrix_settings(12, 16)),
              "--matrix 12x16: 12 rows are no power of two; 8 or 16 would fit");
    EXPECT_NE(refusal(method, "hypercube:4", matrix_settings(2, 16)).find("--matrix 2x16 is too small for hypercube:4"),
              std::string::npos)
        << method;
  }
  EXPECT_EQ(refusal("transpose/reassign-2", "hypercube:4", matrix_settings(8, 16)),
            "--matrix 8x16 is too small for hypercube:4, which takes at least 16x16");
  EXPECT_EQ(refusal("transpose/2d-spt", "hypercube:4", matrix_settings(16, 2)),
            "--matrix 16x2 is too small for hypercube:4, which takes at least 4x4");
  EXPECT_EQ(refusal("transpose/2d-pivot", "hypercube:4", matrix_settings(4, 4)),
            "--matrix 4x4 is too small: it gives a processor of hypercube:4 1 word, and its parts take at least 2");
  EXPECT_EQ(refusal("transpose/2d-dpt", "hypercube:4", matrix_settings(4, 4)),
            "--matrix 4x4 is too small: it gives a processor of hypercube:4 1 word, and its parts take at least 2");
  EXPECT_EQ(refusal("transpose/2d-mpt", "hypercube:6", matrix_settings(8, 64)),
            "--matrix 8x64 is too small: it gives a processor of hypercube:6 8 words, and its parts take at least 12");
  Settings settings = matrix_settings(8, 256);
  settings.rounds = 3;
  EXPECT_EQ(
      refusal("transpose/2d-mpt", "hypercube:6", settings),
      "--matrix 8x256 is too small: it gives a processor of hypercube:6 32 words, and its parts take at least 36");
  settings.rounds = 0;
  EXPECT_NE(refusal("transpose/2d-mpt", "hypercube:6", settings).find("--rounds 0 is out of range: 1 to "),
            std::string::npos);
  settings = matrix_settings(4, 16);
  settings.packet_words = 5;
  EXPECT_NE(refusal("transpose/2d-spt-pipelined", "hypercube:4", settings).find("--packet-words 5"), std::string::npos);
  EXPECT_EQ(
      refusal("transpose/2d-virtual", "hypercube:4", matrix_settings(4, 8)),
      "--matrix 4x8 has more than 4 columns, so that none would be virtual on hypercube:4; transpose/2d-spt takes "
      "it");
}

TEST(Transpose2d, catches_every_fault) {
  expect_catches_faults("transpose/2d-spt", "hypercube:4", matrix_settings(4, 8));
  expect_catches_faults("transpose/2d-pivot", "hypercube:2", matrix_settings(4, 8));
  expect_catches_faults("transpose/2d-virtual", "hypercube:4", matrix_settings(8, 2));
  expect_catches_faults("transpose/reassign-1", "hypercube:2", matrix_settings(8, 4));
  expect_catches_faults("transpose/reassign-2", "hypercube:2", matrix_settings(4, 8));
  expect_catches_faults("transpose/reassign-3", "hypercube:2", matrix_settings(8, 8));
  expect_catches_faults("transpose/2d-spt-pipelined", "hypercube:4", matrix_settings(4, 16));
  expect_catches_faults("transpose/2d-dpt", "hypercube:4", matrix_settings(4, 16));
  expect_catches_faults("transpose/2d-mpt", "hypercube:4", matrix_settings(4, 32));
}

TEST(Transpose2d, needs_all_ports_for_packets) {
  for (const char* method : {"transpose/2d-spt-pipelined", "transpose/2d-dpt", "transpose/2d-mpt"}) {
    EXPECT_NE(violation(method, "hypercube:4", model_of(PortModel::one), matrix_settings(4, 64)), "") << method;
  }
  // The single path uses every link in one direction only.
  EXPECT_EQ(violation("transpose/2d-spt-pipelined", "hypercube:4", model_of(PortModel::all, Duplex::half_link),
                      matrix_settings(4, 64)),
            "");
  EXPECT_NE(
      violation("transpose/2d-dpt", "hypercube:4", model_of(PortModel::all, Duplex::half_link), matrix_settings(4, 64)),
      "");
}

}  // namespace
}  // namespace lockstep
