// One-dimensional transpositions (johnsson-ho.md, One dimension): n steps of K/2 words, n N messages; start-ups without
// shuffles, S; the best copy threshold; virtual columns with the counts of johnsson-ho.md, Some to all, l = q and k = n
// - q.
#include <algorithm>
#include <cmath>

#include "transposition.hpp"

namespace lockstep::transpose_1d_test {
namespace {

constexpr const char* methods[] = {"transpose/1d-exchange", "transpose/1d-unbuffered", "transpose/1d-buffered"};

TEST(Transpose1d, TakesNStepsOfHalfTheWords) {
  for (std::uint64_t n = 0; n <= 6; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const auto& [P, Q] : {std::pair{N, N}, {2 * N, N}, {N, 4 * N}, {4 * N, 2 * N}}) {
      const std::uint64_t K = P * Q / N;
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        for (const char* method : methods) {
          const Report report = expect_run(method, cube(n), model_of(ports), matrix_settings(P, Q),
                                           {n, n * K / 2, n * N, n * N * K / 2, n * N});
          EXPECT_EQ(report.peak_words_held, K);
          EXPECT_EQ(report.busiest_link_words, n == 0 ? 0 : K / 2);
        }
      }
    }
  }
}

// One message is one block after a shuffle: ceil(K/(2 B_m)) start-ups.
TEST(Transpose1d, ShufflesMakeOneBlockOfWhatIsSent) {
  for (std::uint64_t n = 1; n <= 5; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    const std::uint64_t K = 2 * N;
    for (const std::uint64_t limit : {0, 1, 3, 8}) {
      SpecCounts counts{n, n * K / 2, n * N, n * N * K / 2};
      counts.startups = n * N * packets_of(K / 2, limit);
      expect_run("transpose/1d-exchange", cube(n), limited(PortModel::one, limit), matrix_settings(N, 2 * N), counts);
    }
  }
}

// The shuffle after every exchange copies all K words, n K of every processor; one of two blocks moves none. All stay
// in step, so both clocks give n (ceil(K/(2 B_m)) beta + K/2 tau + K t_copy).
TEST(Transpose1d, ShufflesAreCopies) {
  for (std::uint64_t n = 0; n <= 6; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const auto& [P, Q] : {std::pair{N, N}, {2 * N, N}, {N, 4 * N}}) {
      const std::uint64_t K = P * Q / N;
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        for (const auto& [limit, copy_cost] : {std::pair{0U, 0.0}, {0U, 0.25}, {3U, 0.0}, {3U, 1.75}, {8U, 0.001}}) {
          const Model model = copying(ports, limit, copy_cost);
          const std::uint64_t copied = n < 2 ? 0 : n * K;
          SpecCounts counts{n, n * K / 2, n * N, n * N * K / 2};
          counts.startups = n * N * packets_of(K / 2, limit);
          counts.copied_words = N * copied;
          const Report report = expect_run("transpose/1d-exchange", cube(n), model, matrix_settings(P, Q), counts);
          const double time = time_of(model, n * packets_of(K / 2, limit), n * K / 2, copied);
          EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
          EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);
        }
      }
    }
  }
}

// S = sum_i 2^i ceil(K/(2^(i+1) B_m)) start-ups a processor; for powers of two
// N - min(N,r) + ceil(K/(2 B_m)) min(n, log2 r), r = max(1, K/B_m).
TEST(Transpose1d, StartUpsWithoutShuffles) {
  for (std::uint64_t n = 0; n <= 6; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const std::uint64_t K : {N, 4 * N, 16 * N}) {
      for (const std::uint64_t limit : {1, 2, 3, 7, 8, 64, 4096}) {
        std::uint64_t S = 0;
        for (std::uint64_t i = 0; i < n; ++i) S += (1ULL << i) * packets_of(K >> (i + 1), limit);
        if ((limit & (limit - 1)) == 0) {
          const std::uint64_t r = std::max<std::uint64_t>(1, K / limit);
          const auto log = static_cast<std::uint64_t>(std::log2(r));
          EXPECT_EQ(S, N - std::min(N, r) + packets_of(K / 2, limit) * std::min(n, log))
              << n << " " << K << " " << limit;
        }
        SpecCounts counts{n, n * K / 2, n * N, n * N * K / 2};
        counts.startups = N * S;
        counts.copied_words = 0;
        const Report report = expect_run("transpose/1d-unbuffered", cube(n), limited(PortModel::one, limit),
                                         matrix_settings(N, K), counts);
        EXPECT_DOUBLE_EQ(report.time_synchronous, 3 * static_cast<double>(S) + 0.5 * static_cast<double>(n * (K / 2)));
      }
    }
  }
  // Without a limit a block is one start-up: N - 1.
  EXPECT_EQ(expect_run("transpose/1d-unbuffered", "hypercube:4", model_of(PortModel::one), matrix_settings(16, 64), {})
                .startups,
            16U * 15U);
}

// S = min(N,K/B_copy) - min(N,K/B_m) + ceil(K/2B_m) (min(n,log2(K/B_m)) + max(0, n-log2(K/B_copy))), and
// K max(0, n - log2(K/B_copy)) words copied, for powers of two with B_copy <= B_m <= K.
TEST(Transpose1d, StartUpsAndCopiesWithABuffer) {
  for (std::uint64_t n = 1; n <= 6; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const std::uint64_t K : {N, 4 * N, 32 * N}) {
      for (std::uint64_t limit = 1; limit <= K; limit *= 2) {
        for (std::uint64_t threshold = 1; threshold <= limit; threshold *= 2) {
          const auto log = [](std::uint64_t ratio) { return static_cast<std::uint64_t>(std::log2(ratio)); };
          const std::uint64_t gathered = n - std::min(n, log(K / threshold));
          const std::uint64_t S = std::min(N, K / threshold) - std::min(N, K / limit) +
                                  packets_of(K / 2, limit) * (std::min(n, log(K / limit)) + gathered);
          const Model model = copying(PortModel::one, limit, 0.25);
          Settings settings = matrix_settings(K, N);
          settings.copy_threshold = threshold;
          SpecCounts counts{n, n * K / 2, n * N, n * N * K / 2};
          counts.startups = N * S;
          counts.copied_words = N * K * gathered;
          const Report report = expect_run("transpose/1d-buffered", cube(n), model, settings, counts);
          const double time = time_of(model, S, n * K / 2, K * gathered);
          EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
          EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);  // copies in before the send, out before the next
        }
      }
    }
  }
}

std::uint64_t measured(const Outcome& outcome, std::string_view name) {
  for (const Measure& measure : outcome.measures) {
    if (measure.name == name) return measure.value;
  }
  ADD_FAILURE() << "no measure " << name;
  return 0;
}

// beta/(2 t_copy + beta/B_m): 54 words with the costs of the iPSC, 64 as a power of two.
TEST(Transpose1d, GathersWhatIsShorterThanTheBestThreshold) {
  Model ipsc = model_of(PortModel::one);
  ipsc.cost = {.beta = 5e-3, .tau = 4e-6, .max_packet_words = 256, .copy_cost = 3.6e-5};
  const BuiltMachine machine("hypercube:5");
  Settings settings = matrix_settings(1024, 64);
  machine.method("transpose/1d-buffered").resolve(machine.spec, ipsc, settings);
  EXPECT_EQ(settings.copy_threshold, 64U);
  EXPECT_EQ(measured(machine.run("transpose/1d-buffered", ipsc, settings), "best_copy_threshold"), 54U);

  // No other threshold takes less time.
  const auto time_with = [&](std::uint64_t threshold) {
    settings.copy_threshold = threshold;
    return machine.run("transpose/1d-buffered", ipsc, settings).report.time_synchronous;
  };
  const double best = time_with(64);
  for (std::uint64_t threshold = 1; threshold <= 2048; threshold *= 2) EXPECT_LE(best, time_with(threshold) + 1e-12);

  // Where copies are free, all messages of several pieces are gathered.
  settings = matrix_settings(64, 64);
  machine.method("transpose/1d-buffered").resolve(machine.spec, model_of(PortModel::one), settings);
  EXPECT_EQ(settings.copy_threshold, 64U);
}

// With K = 1024 words and n = 6, packets of at most 256: 2 exchanges gather blocks below 64 words, S = 16 - 4 + 2 (2 +
// 2) = 20; 3 gather those below 128, S = 8 - 4 + 2 (2 + 3) = 14. Copies cost more than the start-ups that they save, in
// both clocks.
TEST(Transpose1d, BothClocksRankThresholdsAlike) {
  Model ipsc = model_of(PortModel::one);
  ipsc.cost = {.beta = 5e-3, .tau = 4e-6, .max_packet_words = 256, .copy_cost = 3.6e-5};
  const BuiltMachine machine("hypercube:6");
  const auto expect_times = [&](std::uint64_t threshold, double time) {
    Settings settings = matrix_settings(256, 256);
    settings.copy_threshold = threshold;
    const Report report = machine.run("transpose/1d-buffered", ipsc, settings).report;
    EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time) << threshold;
    EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time) << threshold;
  };
  expect_times(64, 20 * 5e-3 + 6 * 512 * 4e-6 + 2 * 1024 * 3.6e-5);   // 0.186
  expect_times(128, 14 * 5e-3 + 6 * 512 * 4e-6 + 3 * 1024 * 3.6e-5);  // 0.193
}

TEST(Transpose1d, GathersSoThatNoThresholdTakesLessTime) {
  const char* const method = "transpose/1d-buffered";
  for (const std::uint64_t n : {0, 1, 3, 5}) {
    const BuiltMachine machine(cube(n));
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const std::uint64_t K : {N, 8 * N, 64 * N}) {
      for (const std::uint64_t limit : {0, 4, 64, 256}) {  // powers of two, as in johnsson-ho.md, One dimension
        for (const double copy_cost : {0.0, 0.001, 0.0105469, 0.04, 1.0}) {
          Model model = limited(PortModel::one, limit);
          model.cost.beta = 1;
          model.cost.tau = 0.001;
          model.cost.copy_cost = copy_cost;
          const auto time_with = [&](std::optional<std::uint64_t> threshold) {
            Settings settings = matrix_settings(N, K);
            settings.copy_threshold = threshold;
            machine.method(method).resolve(machine.spec, model, settings);
            return machine.method(method).predict(machine.spec, model, settings).synchronous->value;
          };
          const double best = time_with({});
          for (std::uint64_t threshold = 1; threshold <= 2 * K; threshold *= 2) {
            EXPECT_LE(best, time_with(threshold) * (1 + 1e-12)) << n << " " << K << " " << limit << " " << copy_cost;
          }
        }
      }
    }
  }
}

// johnsson-ho.md, Some to all, with l = q and k = n - q: k + l steps, l PQ/2^(k+l+1) + sum_(i<k) PQ/2^(k+l-i) words.
TEST(Transpose1d, VirtualColumnsAreSomeToAll) {
  for (std::uint64_t n = 0; n <= 6; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (std::uint64_t q = 0; q <= n; ++q) {
      for (const std::uint64_t P : {N, 4 * N}) {
        const std::uint64_t PQ = P << q;
        std::uint64_t longest_sum = q * PQ / (2 * N);
        for (std::uint64_t i = 0; i < n - q; ++i) longest_sum += PQ / (N >> i);
        SpecCounts counts;
        counts.steps = n;
        counts.longest_sum = longest_sum;
        const Report report = expect_run("transpose/1d-virtual", cube(n), model_of(PortModel::one_strict),
                                         matrix_settings(P, std::uint64_t{1} << q), counts);
        EXPECT_EQ(report.words, n * PQ / 2);
      }
    }
  }
}

// Counts as those of alltoall/sbnt, for prime n: b (N/2 + n - 1), b = PQ/N^2.
TEST(Transpose1d, GoesDownBalancedTrees) {
  for (const std::uint64_t n : {2, 3, 5}) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const auto& [P, Q] : {std::pair{N, N}, {2 * N, 4 * N}}) {
      const std::uint64_t b = P * Q / (N * N);
      SpecCounts counts;
      counts.steps = n;
      counts.words = n * b * N * N / 2;
      counts.longest_sum = b * (N / 2 + n - 1);
      const Report report =
          expect_run("transpose/1d-sbnt", cube(n), model_of(PortModel::all), matrix_settings(P, Q), counts);
      EXPECT_EQ(report.busiest_link_words, b * N / 2);
    }
  }
  expect_run("transpose/1d-sbnt", "hypercube:0", model_of(PortModel::all), matrix_settings(2, 8), {0, 0, 0, 0});
  expect_run("transpose/1d-sbnt", "hypercube:1", model_of(PortModel::all), matrix_settings(2, 8), {1, 4, 2, 8});
}

TEST(Transpose1d, TakesTheSmallestMatrixByDefault) {
  for (const char* method : methods) {
    EXPECT_EQ(resolved(method, "hypercube:3", {}, model_of(PortModel::one)).matrix, (MatrixSize{8, 8})) << method;
  }
}

TEST(Transpose1d, RefusesMatricesThatDoNotFit) {
  for (const char* method :
       {"transpose/1d-exchange", "transpose/1d-unbuffered", "transpose/1d-buffered", "transpose/1d-sbnt"}) {
    EXPECT_EQ(refusal(method, "hypercube:3", matrix_settings(4, 64)),
              "--matrix 4x64 is too small for hypercube:3, which takes at least 8x8");
    EXPECT_EQ(refusal(method, "hypercube:3", matrix_settings(64, 4)),
              "--matrix 64x4 is too small for hypercube:3, which takes at least 8x8");
    EXPECT_EQ(refusal(method, "hypercube:3", matrix_settings(24, 8)),
              "--matrix 24x8: 24 rows are no power of two; 16 or 32 would fit");
    EXPECT_EQ(refusal(method, "hypercube:3", matrix_settings(8, 9)),
              "--matrix 8x9: 9 columns are no power of two; 8 or 16 would fit");
    EXPECT_EQ(refusal(method, "hypercube:3", matrix_settings(1U << 20, 1U << 20)),
              "--matrix 1048576x1048576 is too large: at most 2147483648 elements");
  }
  EXPECT_EQ(refusal("transpose/1d-exchange", "hypercube:16", {}),
            "the smallest matrix for hypercube:16, 65536x65536, is too large: at most 2147483648 elements");
  EXPECT_EQ(refusal("transpose/1d-virtual", "hypercube:3", matrix_settings(4, 2)),
            "--matrix 4x2 is too small for hypercube:3, which takes at least 8x1");
  EXPECT_EQ(refusal("transpose/1d-virtual", "hypercube:3", matrix_settings(8, 16)),
            "--matrix 8x16 has more columns than hypercube:3 has processors, so that none would be virtual; "
            "transpose/1d-exchange takes it");
  Settings settings = matrix_settings(8, 8);
  settings.copy_threshold = 0;
  EXPECT_EQ(refusal("transpose/1d-buffered", "hypercube:3", settings),
            "--copy-threshold 0 is out of range: 1 to 2147483648");
}

TEST(Transpose1d, CatchesEveryFault) {
  for (const char* method : methods) expect_catches_faults(method, "hypercube:3", matrix_settings(8, 16));
  expect_catches_faults("transpose/1d-sbnt", "hypercube:3", matrix_settings(16, 8));
  expect_catches_faults("transpose/1d-virtual", "hypercube:3", matrix_settings(16, 2));
}

TEST(Transpose1d, NeedsAllPortsForTrees) {
  EXPECT_NE(violation("transpose/1d-sbnt", "hypercube:2", model_of(PortModel::one)), "");
}

// Restricted to one send or one receive at a time: twice the steps, the words of the longest messages and the
// successive start-ups. Copies are unchanged.
TEST(Transpose1d, TakesTurnsWhereDuplexIsHalf) {
  for (std::uint64_t n = 0; n <= 5; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    const std::uint64_t K = 4 * N;
    for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        for (const std::uint64_t limit : {0, 3, 8}) {
          Model model = copying(ports, limit, 0.25);
          model.duplex = duplex;
          for (const std::string_view method : methods) {
            const std::uint64_t threshold = method == "transpose/1d-buffered" ? 8 : 0;
            std::uint64_t S = 0;
            std::uint64_t copied = 0;
            for (std::uint64_t i = 0; i < n; ++i) {
              const std::uint64_t strip = K >> (i + 1);
              const bool is_one = method == "transpose/1d-exchange" || strip < threshold;
              S += is_one ? packets_of(K / 2, limit) : (1ULL << i) * packets_of(strip, limit);
              if (strip < threshold || (method == "transpose/1d-exchange" && n > 1)) copied += K;
            }
            Settings settings = matrix_settings(N, K);
            if (threshold > 0) settings.copy_threshold = threshold;
            SpecCounts counts{2 * n, n * K, n * N, n * N * K / 2};
            counts.startups = N * S;
            counts.copied_words = N * copied;
            const Report report = expect_run(method, cube(n), model, settings, counts);
            const double time = time_of(model, 2 * S, n * K, copied);
            EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time) << method;
            EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time) << method;
          }
        }
      }
    }
  }
}

// Splitting has one direction; the l exchanges are two steps each.
TEST(Transpose1d, VirtualColumnsTakeTurnsInExchangesOnly) {
  for (std::uint64_t n = 1; n <= 5; ++n) {
    for (std::uint64_t l = 0; l <= n; ++l) {
      const std::uint64_t PQ = 2ULL << (n + l);
      std::uint64_t longest = 2 * l * (PQ >> (n + 1));
      for (std::uint64_t i = 0; i < n - l; ++i) longest += PQ >> (n - i);
      expect_run("transpose/1d-virtual", cube(n), model_of(PortModel::one, Duplex::half_node),
                 matrix_settings(2ULL << n, 1ULL << l),
                 {n + l, longest, (1ULL << n) - (1ULL << l) + (l << n), PQ * n / 2});
    }
  }
}

TEST(Transpose1d, CatchesEveryFaultInTurnsToo) {
  const Model half = model_of(PortModel::one, Duplex::half_node);
  for (const char* method : methods) expect_catches_faults(method, "hypercube:2", matrix_settings(4, 8), half);
  expect_catches_faults("transpose/1d-virtual", "hypercube:3", matrix_settings(16, 2), half);
  expect_catches_faults("transpose/1d-sbnt", "hypercube:3", matrix_settings(16, 8),
                        model_of(PortModel::all, Duplex::half_node));
}

}  // namespace
}  // namespace lockstep::transpose_1d_test
