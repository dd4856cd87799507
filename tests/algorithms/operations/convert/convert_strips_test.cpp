// Conversions without shuffles (johnsson-ho.md, Conversion; Johnsson & Ho, section 8.1 and Figure 10): each strip of
// adjacent words is one start-up, or the strips of a message are gathered.
#include <algorithm>
#include <map>

#include "transposition.hpp"

namespace lockstep::convert_strips_test {
namespace {

constexpr const char* convert = "convert/exchange";

/// How the strips of a message are sent.
struct Sending {
  std::optional<bool> gather;
  std::optional<std::uint64_t> threshold;
};

Settings rows(const std::string& from, const std::string& to, std::uint64_t P, std::uint64_t Q,
              const Sending& sending) {
  Settings settings = matrix_settings(P, Q);
  settings.from = from;
  settings.to = to;
  settings.gather = sending.gather;
  settings.copy_threshold = sending.threshold;
  return settings;
}

/// Start-ups and copied words of a processor in n exchanges; the i-th has 2^(s+i) strips.
struct Strips {
  Strips(std::uint64_t n, std::uint64_t s, std::uint64_t K, std::uint64_t limit, std::uint64_t threshold) {
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t strips = std::uint64_t{1} << (s + i);
      const std::uint64_t strip = K / 2 / strips;
      if (strips > 1 && strip < threshold) {
        startups += packets_of(K / 2, limit);
        copied += K;
      } else {
        startups += strips * packets_of(strip, limit);
      }
    }
  }
  std::uint64_t startups = 0;
  std::uint64_t copied = 0;
};

constexpr std::uint64_t everything = ~std::uint64_t{0};

/// The conversion has the counts of these strips.
void expect_strips(const Settings& settings, std::uint64_t n, std::uint64_t K, std::uint64_t limit,
                   const Strips& strips) {
  const std::uint64_t N = std::uint64_t{1} << n;
  const Model model = copying(PortModel::one_strict, limit, 0.25);
  SpecCounts counts{n, n * K / 2, n * N, n * N * K / 2};
  counts.startups = N * strips.startups;
  counts.copied_words = N * strips.copied;
  const Report report = expect_run(convert, cube(n), model, settings, counts);
  const double time = time_of(model, strips.startups, n * K / 2, strips.copied);
  EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
  EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);
}

// From consecutive to cyclic rows, P = 2^p: the i-th exchange takes bit n-1-i of the row number, below which lie
// Q 2^(n-1-i) words: 2^(p-2n+i) strips. The way back takes the highest local bits: 2^i strips for any P.
TEST(ConvertStrips, OfConsecutiveAndCyclicRows) {
  for (std::uint64_t n = 0; n <= 5; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (std::uint64_t s = 0; s <= 2; ++s) {
      for (const std::uint64_t Q : {1, 8}) {
        const std::uint64_t P = N * N << s;
        const std::uint64_t K = P * Q / N;
        for (const std::uint64_t limit : {0, 3, 8}) {
          for (const bool gray : {false, true}) {
            const std::string consecutive = gray ? "gray:row-consecutive" : "row-consecutive";
            const auto expect = [&, n = n](const Sending& sending, std::uint64_t threshold) {
              expect_strips(rows(consecutive, "row-cyclic", P, Q, sending), n, K, limit,
                            Strips(n, s, K, limit, threshold));
              expect_strips(rows("row-cyclic", consecutive, P, Q, sending), n, K, limit,
                            Strips(n, 0, K, limit, threshold));
            };
            expect({.gather = false, .threshold = {}}, 0);
            expect({.gather = true, .threshold = {}}, everything);
            for (const std::uint64_t threshold : {1, 4, 16, 1024}) {
              expect({.gather = {}, .threshold = threshold}, threshold);
              expect({.gather = true, .threshold = threshold}, threshold);
            }
          }
        }
      }
    }
  }
}

// The two formulas of section 8.1 for P = N^2, in powers of two with B_copy <= B_m <= K and one strip of K/2 in the
// first exchange: those of the one-dimensional transposition, for cyclic rows as in Figure 10.
TEST(ConvertStrips, TakesTheStartUpsOfSection81) {
  for (std::uint64_t n = 1; n <= 5; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (std::uint64_t log_k = n; log_k <= n + 4; ++log_k) {
      const std::uint64_t K = std::uint64_t{1} << log_k;
      const std::uint64_t Q = K / N;
      for (std::uint64_t log_m = 1; log_m < log_k; ++log_m) {
        const std::uint64_t B_m = std::uint64_t{1} << log_m;
        const std::uint64_t half = packets_of(K, 2 * B_m);
        const auto startups = [&, n = n](const Sending& sending) {
          return expect_run(convert, cube(n), limited(PortModel::one, B_m),
                            rows("row-consecutive", "row-cyclic", N * N, Q, sending), {})
                     .startups /
                 N;
        };
        EXPECT_EQ(startups({.gather = false, .threshold = {}}),
                  N - std::min(N, K / B_m) + half * std::min(n, log_k - log_m));
        for (std::uint64_t log_copy = 0; log_copy <= log_m; ++log_copy) {
          const std::uint64_t B_copy = std::uint64_t{1} << log_copy;
          const std::uint64_t gathering = n - std::min(n, log_k - log_copy);
          EXPECT_EQ(startups({.gather = {}, .threshold = B_copy}),
                    std::min(N, K / B_copy) - std::min(N, K / B_m) + half * (std::min(n, log_k - log_m) + gathering));
        }
      }
    }
  }
}

/// Runs of words that move together: those whose index bit differs from the processor's bit.
std::uint64_t runs_of(std::uint64_t K, std::uint64_t bit, std::uint64_t own) {
  std::uint64_t runs = 0;
  bool moved = false;
  for (std::uint64_t index = 0; index < K; ++index) {
    const bool moves = (index >> bit & 1) != own;
    if (moves && !moved) ++runs;
    moved = moves;
  }
  return runs;
}

// Any bits: local bit j lies above 2^j words. Two real bits that swap move whole arrays; three go round through the
// highest local bit, one strip in both steps, and through it twice more.
TEST(ConvertStrips, OfAnyBits) {
  const std::uint64_t P = 64;
  const std::uint64_t Q = 16;
  const auto startups = [&](const std::string& from, const std::string& to, const std::string& machine) {
    return expect_run(convert, machine, limited(PortModel::one_strict, 0),
                      rows(from, to, P, Q, {.gather = false, .threshold = {}}), {})
        .startups;
  };
  // Local are u5 u2 u1 u0 v3 v2 v1 v0; v1 is bit 1 of the index, u2 bit 6.
  EXPECT_EQ(startups("bits:u4,u3", "bits:v1,u2", "hypercube:2"), 4 * (runs_of(256, 1, 0) + runs_of(256, 6, 1)));
  EXPECT_EQ(startups("bits:u4,u3", "bits:u3,u4", "hypercube:2"), 4U);
  EXPECT_EQ(startups("bits:u4,u3,v0", "bits:u3,v0,u4", "hypercube:3"), 4U * 8);
  // u3 takes the place of u4, whose place v1 left: bit 1 again.
  EXPECT_EQ(startups("bits:u4,u3", "bits:v1,u4", "hypercube:2"), 4 * 2 * runs_of(256, 1, 0));
}

TEST(ConvertStrips, RefusesWhatMakesNoSense) {
  const auto refused = [](const std::string& from, const std::string& to, const Sending& sending) {
    return refusal(convert, "hypercube:3", rows(from, to, 64, 8, sending));
  };
  EXPECT_EQ(refused("row-cyclic", "row-consecutive", {.gather = false, .threshold = 8}),
            "--copy-threshold 8 selects the strips to gather, and --gather off gathers none");
  EXPECT_EQ(refused("row-cyclic", "row-consecutive", {.gather = {}, .threshold = 0}),
            "--copy-threshold 0 is out of range: 1 to 2147483648");
  EXPECT_EQ(refused("gray:row-cyclic", "row-cyclic", {.gather = true, .threshold = {}}),
            "--gather takes forms in binary code, or forms without a bit that is real in both: in Gray code "
            "gray:row-cyclic and row-cyclic have messages of unequal strips");
  EXPECT_EQ(refused("gray:row-cyclic", "column-cyclic", {.gather = true, .threshold = {}}), "");
}

TEST(ConvertStrips, CatchesEveryFault) {
  expect_catches_faults(convert, "hypercube:2",
                        rows("gray:row-consecutive", "row-cyclic", 16, 2, {.gather = false, .threshold = {}}));
  expect_catches_faults(convert, "hypercube:2",
                        rows("row-consecutive", "gray:row-cyclic", 16, 2, {.gather = {}, .threshold = 4}));
}

}  // namespace
}  // namespace lockstep::convert_strips_test
