// Two-dimensional transpositions (johnsson-ho.md, Two dimensions, Reassignment).
#include <algorithm>
#include <cmath>

#include "lockstep/algorithms/data.hpp"
#include "operations/transpose/2d_paths.hpp"
#include "recorded_run.hpp"
#include "transposition.hpp"

namespace lockstep::transpose_2d_test {
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
TEST(Transpose2d, SinglePathStepByStep) {
  for (const auto& [n, N, P, Q, K] : sizes(8)) {
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      const Model model = copying(ports, 3, 0.125);
      SpecCounts counts{n, n * K, n * N / 2, n * N / 2 * K};
      counts.startups = n * N / 2 * packets_of(K, 3);
      counts.copied_words = 2 * K * N;
      const Report report = expect_run("transpose/2d-spt", cube(n), model, matrix_settings(P, Q), counts);
      const double time = time_of(model, n * packets_of(K, 3), n * K, 2 * K);
      EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
      EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);  // of blocks that cross all dimensions
    }
  }
}

// 3 n/2 steps of K/2 words; then every block is transposed locally, which does not change one row or one column.
TEST(Transpose2d, Pivot) {
  for (const auto& [n, N, P, Q, K] : sizes(8)) {
    if (K < 2) continue;
    for (const auto& [limit, copy_cost] : {std::pair{0U, 0.0}, {3U, 0.75}}) {
      const Model model = copying(PortModel::one_strict, limit, copy_cost);
      const std::uint64_t side = std::uint64_t{1} << n / 2;
      const std::uint64_t copied = P == side || Q == side ? 0 : K;
      SpecCounts counts{3 * n / 2, 3 * n / 2 * (K / 2), 3 * n / 2 * N, 3 * n / 2 * N * (K / 2)};
      counts.startups = 3 * n / 2 * N * packets_of(K / 2, limit);
      counts.copied_words = N * copied;
      const Report report = expect_run("transpose/2d-pivot", cube(n), model, matrix_settings(P, Q), counts);
      const double time = time_of(model, 3 * n / 2 * packets_of(K / 2, limit), 3 * n / 2 * (K / 2), copied);
      EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
      EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);
    }
  }
}

// Algorithm 1: 2n steps, 3 n K/2, 3 n N/2 messages; 2 and 3: n steps, n K/2, n N messages. Without shuffles a message
// of an exchange with offset s is 2^(s+i) blocks in step i; gathered in a buffer, it is one, and K words are copied
// where there were several. Local reorders copy K words: at the end, with algorithm 2 also at the start, with 3 only if
// p > n.
TEST(Transpose2d, ChangeOfAssignment) {
  for (const auto& [n, N, P, Q, K] : sizes(6, true)) {
    const std::uint64_t h = n / 2;
    const auto p = static_cast<std::uint64_t>(std::log2(P));
    const auto q = static_cast<std::uint64_t>(std::log2(Q));
    const std::uint64_t L = p + q - n;
    for (const std::uint64_t limit : {0, 2, 5}) {
      const auto exchange = [&, K = K](std::uint64_t s) {
        std::uint64_t startups = 0;
        for (std::uint64_t i = 0; i < h; ++i) {
          const std::uint64_t blocks = std::uint64_t{1} << (s + i);
          startups += blocks * packets_of(K / 2 / blocks, limit);
        }
        return startups;
      };
      const auto gathering = [&](std::uint64_t s) { return s == 0 ? h - 1 : h; };  // exchanges of several blocks
      const Model model = copying(PortModel::one_strict, limit, 0.375);
      SpecCounts counts{2 * n, 3 * n * K / 2, 3 * n * N / 2, 3 * n * N / 2 * (K / 2) * 2 / 3 + n * N * K / 2};
      counts.words = n * N * (K / 2) + n * N / 2 * K;  // by halves, then whole blocks
      counts.startups = N * (exchange(p - n) + exchange(L - h)) + n * N / 2 * packets_of(K, limit);
      const auto expect = [&, N = N, n = n](const char* method, const Settings& settings, std::uint64_t startups,
                                            std::uint64_t copied) {
        counts.copied_words = N * copied;
        const Report report = expect_run(method, cube(n), model, settings, counts);
        const double time = time_of(model, startups, *counts.longest_sum, copied);
        EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
        EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);
      };
      Settings settings = matrix_settings(P, Q);
      expect("transpose/reassign-1", settings, exchange(p - n) + exchange(L - h) + n * packets_of(K, limit), K);
      counts = {n, n * K / 2, n * N, n * N * (K / 2)};
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
TEST(Transpose2d, GatheringBuysSingleStartUps) {
  const auto run = [](const char* method, std::optional<bool> gather) {
    Settings settings = matrix_settings(64, 64);
    settings.gather = gather;
    return expect_run(method, "hypercube:4", model_of(PortModel::one), settings, {});
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
// A full packet is the longest of every step but the last, if the last packet is shorter.
TEST(Transpose2d, Pipelines) {
  for (const auto& [n, N, P, Q, K] : sizes(8)) {
    for (const std::uint64_t B : {1, 2, 3, 8, 32}) {
      const auto longest_sum = [&, n = n](std::uint64_t words) {
        const std::uint64_t packets = packets_of(words, B);
        if (packets == 1) return n * words;
        return (packets + n - 2) * B + (words - (packets - 1) * B);
      };
      Settings settings = matrix_settings(P, Q);
      settings.packet_words = B;
      if (B <= K) {
        const Report report =
            expect_run("transpose/2d-spt-pipelined", cube(n), model_of(PortModel::all), settings,
                       {packets_of(K, B) + n - 1, longest_sum(K), packets_of(K, B) * n * N / 2, n * N / 2 * K});
        if (K % B == 0) {
          EXPECT_DOUBLE_EQ(report.time_synchronous,
                           static_cast<double>(packets_of(K, B) + n - 1) * (3 + 0.5 * static_cast<double>(B)));
        }
      }
      if (B <= K / 2) {
        expect_run(
            "transpose/2d-dpt", cube(n), model_of(PortModel::all), settings,
            {packets_of(K, 2 * B) + n - 1, longest_sum(K / 2), 2 * packets_of(K, 2 * B) * n * N / 2, n * N / 2 * K});
      }
    }
  }
}

// Paths share no link, are 2H long, and lead to the transposed rank.
TEST(Transpose2d, PathsShareNoLink) {
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
TEST(Transpose2d, VirtualColumnsAreNotSent) {
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
        expect_run("transpose/2d-virtual", cube(n), model_of(PortModel::one_strict), matrix_settings(P, Q),
                   {n, n * words, messages, messages * words});
      }
    }
  }
}

TEST(Transpose2d, RefusesWhatDoesNotFit) {
  for (const char* method :
       {"transpose/2d-spt", "transpose/2d-spt-pipelined", "transpose/2d-dpt", "transpose/2d-mpt", "transpose/2d-pivot",
        "transpose/2d-virtual", "transpose/reassign-1", "transpose/reassign-2", "transpose/reassign-3",
        "transpose/gray-mixed", "transpose/gray-mixed-naive", "transpose/gray-mixed-pipelined",
        "transpose/binary-to-gray", "transpose/gray-to-binary"}) {
    for (const char* n : {"0", "3"}) {
      const std::string said = refusal(method, "hypercube:" + std::string(n), {});
      if (method == std::string("transpose/2d-spt") || method == std::string("transpose/2d-pivot")) {
        EXPECT_EQ(said, "");
        continue;
      }
      EXPECT_EQ(said, "hypercube:" + std::string(n) + " has " + n +
                          " dimensions: whole blocks change places only where rows and columns have equally many, 1 or "
                          "more; transpose/2d-spt, transpose/2d-pivot, one-dimensional transpositions and "
                          "convert/exchange take any number");
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

TEST(Transpose2d, CatchesEveryFault) {
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

TEST(Transpose2d, NeedsAllPortsForPackets) {
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
}  // namespace lockstep::transpose_2d_test
