// Transpositions with Gray codes (johnsson-ho.md, Gray codes): n steps, n N/2 messages, K words each; the naive way 2n
// - 2 steps and (n-1) N messages; both transpose blocks locally; in packets ceil(K/B) + n - 1 steps. Shuffles
// (johnsson-ho.md, Permutations): min(p,q) steps of N - 2 messages.
#include "transposition.hpp"

namespace lockstep::transpose_gray_test {
namespace {

Settings encoded(const char* encoding, std::uint64_t P, std::uint64_t Q) {
  Settings settings = matrix_settings(P, Q);
  settings.encoding = encoding;
  return settings;
}

constexpr const char* encodings[] = {"rows-binary", "rows-gray"};

TEST(TransposeGray, MixedCodesTakeNSteps) {
  for (const std::uint64_t n : {2, 4, 6, 8}) {
    const std::uint64_t N = std::uint64_t{1} << n;
    const std::uint64_t side = std::uint64_t{1} << n / 2;
    for (const std::uint64_t K : {1, 4, 8}) {
      for (const char* encoding : encodings) {
        for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
          const Settings settings = encoded(encoding, side, side * K);
          SpecCounts counts{n, n * K, n * N / 2, n * N / 2 * K};
          counts.startups = n * N / 2 * packets_of(K, 3);
          expect_run("transpose/gray-mixed", cube(n), limited(ports, 3), settings, counts);
          counts = {2 * n - 2, (2 * n - 2) * K, (n - 1) * N, (n - 1) * N * K};
          counts.startups = (n - 1) * N * packets_of(K, 3);
          expect_run("transpose/gray-mixed-naive", cube(n), limited(ports, 3), settings, counts);
        }
      }
      for (const char* method : {"transpose/binary-to-gray", "transpose/gray-to-binary"}) {
        expect_run(method, cube(n), model_of(PortModel::one_strict), matrix_settings(side * K, side),
                   {n, n * K, n * N / 2, n * N / 2 * K});
      }
    }
  }
}

// At the end a block is transposed locally, with K words copied, unless it is one row or one column.
TEST(TransposeGray, BlocksAreTransposedLocally) {
  for (const std::uint64_t n : {2, 4, 6}) {
    const std::uint64_t N = std::uint64_t{1} << n;
    const std::uint64_t side = std::uint64_t{1} << n / 2;
    for (const auto& [rows, columns] : {std::pair{1U, 1U}, {1U, 8U}, {4U, 1U}, {2U, 2U}, {4U, 8U}}) {
      const std::uint64_t K = rows * columns;
      const std::uint64_t copied = rows == 1 || columns == 1 ? 0 : K;
      for (const auto& [limit, copy_cost] : {std::pair{0U, 0.5}, {3U, 0.125}}) {
        const Model model = copying(PortModel::one, limit, copy_cost);
        const auto expect = [&, limit = limit](const char* method, const Settings& settings, std::uint64_t steps) {
          SpecCounts counts;
          counts.steps = steps;
          counts.copied_words = N * copied;
          const Report report = expect_run(method, cube(n), model, settings, counts);
          const double time = time_of(model, steps * packets_of(K, limit), steps * K, copied);
          EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time) << method;
          EXPECT_LE(report.time_asynchronous, time * (1 + 1e-9)) << method;
        };
        for (const char* encoding : encodings) {
          const Settings settings = encoded(encoding, rows * side, columns * side);
          expect("transpose/gray-mixed", settings, n);
          expect("transpose/gray-mixed-naive", settings, 2 * n - 2);
        }
        expect("transpose/binary-to-gray", matrix_settings(rows * side, columns * side), n);
        expect("transpose/gray-to-binary", matrix_settings(rows * side, columns * side), n);
      }
    }
  }
}

TEST(TransposeGray, MixedCodesInPackets) {
  for (const std::uint64_t n : {2, 4, 6, 8}) {
    const std::uint64_t N = std::uint64_t{1} << n;
    const std::uint64_t side = std::uint64_t{1} << n / 2;
    constexpr std::uint64_t K = 16;
    for (const std::uint64_t B : {1, 3, 4, 16}) {
      for (const char* encoding : encodings) {
        Settings settings = encoded(encoding, side, side * K);
        settings.packet_words = B;
        const std::uint64_t packets = packets_of(K, B);
        SpecCounts counts{packets + n - 1, {}, packets * n * N / 2, n * N / 2 * K};
        if (K % B == 0) counts.longest_sum = (packets + n - 1) * B;
        expect_run("transpose/gray-mixed-pipelined", cube(n), model_of(PortModel::all), settings, counts);
      }
    }
  }
}

// The longest distance of a block (johnsson-ho.md, Conventions): ceil(3n/4) with rows binary and columns Gray, n - 1
// from binary to Gray and back for n >= 4.
TEST(TransposeGray, BoundsAreTheDistances) {
  const auto steps = [](const char* method, std::uint64_t n) {
    const std::uint64_t side = std::uint64_t{1} << n / 2;
    return bound(method, cube(n), matrix_settings(side, side), find_method(method, "hypercube").defaults).first;
  };
  for (std::uint64_t n = 2; n <= 10; n += 2) {
    EXPECT_EQ(steps("transpose/gray-mixed", n), (3 * n + 3) / 4) << n;
    EXPECT_EQ(steps("transpose/gray-mixed-naive", n), (3 * n + 3) / 4) << n;
    EXPECT_EQ(steps("transpose/binary-to-gray", n), n == 2 ? 2 : n - 1) << n;
    EXPECT_EQ(steps("transpose/gray-to-binary", n), n == 2 ? 2 : n - 1) << n;
  }
}

TEST(TransposeGray, RefusesUnknownEncodings) {
  EXPECT_EQ(refusal("transpose/gray-mixed", "hypercube:4", encoded("rows-grey", 4, 4)),
            "--encoding 'rows-grey' is not one of rows-binary, rows-gray; did you mean 'rows-gray'?");
}

TEST(TransposeGray, CatchesEveryFault) {
  for (const char* encoding : encodings) {
    expect_catches_faults("transpose/gray-mixed", "hypercube:4", encoded(encoding, 4, 8));
    expect_catches_faults("transpose/gray-mixed-naive", "hypercube:4", encoded(encoding, 4, 8));
    expect_catches_faults("transpose/gray-mixed-pipelined", "hypercube:4", encoded(encoding, 4, 8));
  }
  expect_catches_faults("transpose/binary-to-gray", "hypercube:4", matrix_settings(4, 8));
  expect_catches_faults("transpose/gray-to-binary", "hypercube:4", matrix_settings(4, 8));
}

TEST(TransposeShuffles, TakesAsManyStepsAsTheShorterSideHasBits) {
  for (std::uint64_t n = 1; n <= 8; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (std::uint64_t p = 0; p <= n; ++p) {
      const std::uint64_t steps = n == 1 ? 0 : std::min(p, n - p);
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        expect_run("transpose/shuffles", "shuffle-exchange:" + std::to_string(n), model_of(ports),
                   matrix_settings(1ULL << p, N >> p), {steps, steps, steps * (N - 2), steps * (N - 2)});
      }
    }
  }
}

TEST(TransposeShuffles, RefusesOtherThanOneElementAProcessor) {
  EXPECT_EQ(
      refusal("transpose/shuffles", "shuffle-exchange:5", matrix_settings(4, 4)),
      "--matrix 4x4 does not have one element for each of the 32 processors of shuffle-exchange:5; 4x8 would fit");
  EXPECT_EQ(refusal("transpose/shuffles", "shuffle-exchange:5", matrix_settings(3, 8)),
            "--matrix 3x8: 3 rows are no power of two; 2 or 4 would fit");
  EXPECT_NE(violation("transpose/shuffles", "shuffle-exchange:3", model_of(PortModel::one_strict)), "");
}

TEST(TransposeShuffles, CatchesEveryFault) {
  expect_catches_faults("transpose/shuffles", "shuffle-exchange:4", matrix_settings(4, 4));
}

}  // namespace
}  // namespace lockstep::transpose_gray_test
