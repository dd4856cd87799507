// Conversions between forms of any real bits (johnsson-ho.md, Conversion): exact counts from the cycles and paths of
// bits, and bounds against every element's path.
#include <algorithm>
#include <bit>
#include <set>

#include "lockstep/algorithms/operation/matrix_layout.hpp"
#include "transposition.hpp"

namespace lockstep::convert_forms_test {
namespace {

constexpr const char* convert = "convert/exchange";

/// Bits of an address as they are written, the highest first: "u3", "v0"..
using Bits = std::vector<std::string>;

std::string joined(const Bits& bits, const char* separator) {
  std::string text;
  for (const std::string& bit : bits) text += (text.empty() ? "" : separator) + bit;
  return text;
}

Settings conversion(const std::string& from, const std::string& to, std::uint64_t P, std::uint64_t Q) {
  Settings settings = matrix_settings(P, Q);
  settings.from = from;
  settings.to = to;
  return settings;
}

/// Random numbers, the same everywhere.
class Random {
 public:
  std::uint64_t below(std::uint64_t end) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33) % end;
  }
  void shuffle(Bits& bits) {
    for (std::size_t left = bits.size(); left > 1; --left) std::swap(bits[left - 1], bits[below(left)]);
  }

 private:
  std::uint64_t state_ = 1987;
};

Bits all_bits(unsigned p, unsigned q) {
  Bits bits;
  for (unsigned bit = 0; bit < p; ++bit) bits.push_back("u" + std::to_string(bit));
  for (unsigned bit = 0; bit < q; ++bit) bits.push_back("v" + std::to_string(bit));
  return bits;
}

/// Steps, longest sum in units of half an array, and messages in halves of N, from the cycles of dimensions that
/// exchange bits and the paths of the others.
struct Expected {
  std::uint64_t steps = 0;
  std::uint64_t halves = 0;
  std::uint64_t half_messages = 0;
  std::uint64_t greatest = 0;
  std::uint64_t changing = 0;
};

Expected expected_of(const Bits& from, const Bits& to, bool has_local_bits) {
  Expected expected;
  std::set<std::size_t> seen;
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (from[d] == to[d] || seen.contains(d)) continue;
    std::vector<std::size_t> cycle;
    for (std::size_t at = d; std::ranges::find(cycle, at) == cycle.end();) {
      cycle.push_back(at);
      const auto next = std::ranges::find(from, to[at]);
      if (next == from.end()) break;
      at = static_cast<std::size_t>(next - from.begin());
    }
    const std::size_t last = static_cast<std::size_t>(std::ranges::find(from, to[cycle.back()]) - from.begin());
    if (last != d) {  // a path: d gets a local bit at the end, in one step
      ++expected.steps;
      ++expected.halves;
      expected.half_messages += 2;
      ++expected.greatest;
      ++expected.changing;
      continue;
    }
    seen.insert(cycle.begin(), cycle.end());
    const std::uint64_t length = cycle.size();
    expected.changing += length;
    expected.greatest += length / 2 * 2;
    if (length == 2 || !has_local_bits) {
      expected.steps += 2 * (length - 1);
      expected.halves += 4 * (length - 1);
      expected.half_messages += 2 * (length - 1);
    } else {
      expected.steps += length + 1;
      expected.halves += length + 1;
      expected.half_messages += 2 * (length + 1);
    }
  }
  return expected;
}

// A step of K/2 words for every dimension that gets a local bit or the bit of another one on its path; two dimensions
// that swap take two steps of K words, L > 2 of them L + 1 steps of K/2.
TEST(ConvertForms, CountsPathsAndCycles) {
  Random random;
  for (int trial = 0; trial < 400; ++trial) {
    const auto p = static_cast<unsigned>(random.below(6));
    const auto q = static_cast<unsigned>(random.below(6));
    const std::uint64_t n = random.below(std::min(p + q, 7U) + 1);
    if (n == 0) continue;
    Bits before = all_bits(p, q);
    random.shuffle(before);
    Bits after = before;
    before.resize(n);
    if (trial % 3 == 0) after.resize(n);  // permuted among each other only
    random.shuffle(after);
    after.resize(n);
    const std::uint64_t N = std::uint64_t{1} << n;
    const std::uint64_t K = (std::uint64_t{1} << (p + q)) / N;
    const Expected expected = expected_of(before, after, K > 1);
    const std::string from = "bits:" + joined(before, trial % 2 == 0 ? "," : "+");
    const std::string to = "bits:" + joined(after, ",");
    SCOPED_TRACE(from + " to " + to);
    const Settings settings = conversion(from, to, std::uint64_t{1} << p, std::uint64_t{1} << q);
    SpecCounts counts{expected.steps, expected.halves * K / 2, expected.half_messages * N / 2};
    counts.words = expected.steps * N * K / 2;
    expect_run(convert, cube(n), model_of(PortModel::one_strict), settings, counts);
    const Bound one{expected.greatest, (expected.changing * K + 1) / 2};
    EXPECT_EQ(bound(convert, cube(n), settings, model_of(PortModel::one)), one);
    const Bound all{expected.greatest, expected.changing == 0 ? 0 : (K + 1) / 2};
    EXPECT_EQ(bound(convert, cube(n), settings, model_of(PortModel::all)), all);
  }
}

/// The processor of an element by the written bits of a form, field by field.
std::uint64_t processor(const std::vector<std::pair<Bits, bool>>& fields, std::uint64_t u, std::uint64_t v) {
  std::uint64_t rank = 0;
  for (const auto& [bits, gray] : fields) {
    bool above = false;
    for (const std::string& bit : bits) {
      const bool own = ((bit[0] == 'u' ? u : v) >> std::stoul(bit.substr(1)) & 1) != 0;
      rank = 2 * rank + (gray && own != above ? 1 : 0) + (!gray && own ? 1 : 0);
      above = own;
    }
  }
  return rank;
}

/// A random form of n bits in random fields, some in Gray code.
std::vector<std::pair<Bits, bool>> random_fields(Random& random, unsigned p, unsigned q, std::uint64_t n) {
  Bits bits = all_bits(p, q);
  random.shuffle(bits);
  std::vector<std::pair<Bits, bool>> fields;
  for (std::uint64_t index = 0; index < n; ++index) {
    if (index == 0 || random.below(3) == 0) fields.push_back({{}, random.below(2) == 0});
    fields.back().first.push_back(bits[index]);
  }
  return fields;
}

std::string text_of(const std::vector<std::pair<Bits, bool>>& fields) {
  std::string text = "bits:";
  for (const auto& [bits, gray] : fields) {
    text += (text.back() == ':' ? "" : ",") + std::string(gray ? "gray:" : "") + joined(bits, "+");
  }
  return text;
}

// In any code: every element arrives, at the predicted cost, and the bounds come from the paths of all elements: the
// longest, and their sum over all processors.
TEST(ConvertForms, BoundsAreTheWaysOfAllElements) {
  Random random;
  for (int trial = 0; trial < 400; ++trial) {
    const auto p = static_cast<unsigned>(random.below(5));
    const auto q = static_cast<unsigned>(random.below(5));
    const std::uint64_t n = random.below(std::min(p + q, 6U) + 1);
    if (n == 0) continue;
    const auto before = random_fields(random, p, q, n);
    const auto after = random_fields(random, p, q, n);
    const std::uint64_t N = std::uint64_t{1} << n;
    std::uint64_t greatest = 0;
    std::uint64_t sum = 0;
    std::uint64_t changing = 0;
    for (std::uint64_t u = 0; u < std::uint64_t{1} << p; ++u) {
      for (std::uint64_t v = 0; v < std::uint64_t{1} << q; ++v) {
        const std::uint64_t crossed = processor(before, u, v) ^ processor(after, u, v);
        greatest = std::max(greatest, static_cast<std::uint64_t>(std::popcount(crossed)));
        sum += static_cast<std::uint64_t>(std::popcount(crossed));
        changing |= crossed;
      }
    }
    SCOPED_TRACE(text_of(before) + " to " + text_of(after));
    const Settings settings = conversion(text_of(before), text_of(after), std::uint64_t{1} << p, std::uint64_t{1} << q);
    const Report report = expect_run(convert, cube(n), model_of(PortModel::one_strict), settings, {});
    EXPECT_LE(report.steps, 2 * static_cast<std::uint64_t>(std::popcount(changing)));
    EXPECT_EQ(report.longest_sum == 0, greatest == 0);
    EXPECT_EQ(bound(convert, cube(n), settings, model_of(PortModel::one)), Bound(greatest, divided_up(sum, N)));
  }
}

// The code of one field: a conditional step for all bits but the highest, in which half of the processors send all.
TEST(ConvertForms, CountsChangesOfCode) {
  for (std::uint64_t n = 1; n <= 6; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const auto& [from, to] : {std::pair("row-cyclic", "gray:row-cyclic"), {"gray:row-cyclic", "row-cyclic"}}) {
      expect_run(convert, cube(n), model_of(PortModel::one_strict), conversion(from, to, 4 * N, 2),
                 {n - 1, (n - 1) * 8, (n - 1) * N / 2, (n - 1) * N / 2 * 8});
    }
  }
}

// Section 2: a band of 2^p rows and 2^q columns in blocks of 2^(q-h) x 2^(q-h), cyclic in the rows, in 2^s block rows.
TEST(ConvertForms, StoresABand) {
  for (unsigned s = 0; s <= 3; ++s) {
    for (unsigned h = 0; h <= 2; ++h) {
      for (const auto& [more_rows, more_columns] : {std::pair{0U, 0U}, {2U, 1U}}) {
        const unsigned q = h + more_columns;
        const unsigned p = q + s + more_rows;
        const unsigned n = s + 2 * h;
        const MatrixShape shape{p, q};
        Bits high;
        Bits middle;
        Bits low;
        for (unsigned i = 1; i <= s; ++i) high.push_back("u" + std::to_string(p - i));
        for (unsigned i = 1; i <= h; ++i) middle.push_back("u" + std::to_string(q - i));
        for (unsigned i = 1; i <= h; ++i) low.push_back("v" + std::to_string(q - i));
        for (const bool gray : {false, true}) {
          const std::string name = (gray ? "gray:band=" : "band=") + std::to_string(s);
          SCOPED_TRACE(name + " of 2^" + std::to_string(p) + " x 2^" + std::to_string(q));
          const MatrixLayout layout = parse_layout("--from", name);
          const StorageForm form = layout.form(shape, n);
          for (std::uint64_t u = 0; u < std::uint64_t{1} << p; ++u) {
            for (std::uint64_t v = 0; v < std::uint64_t{1} << q; ++v) {
              const std::uint64_t due = processor({{high, gray}, {middle, gray}, {low, gray}}, u, v);
              ASSERT_EQ(form.node(u << q | v), due);
              ASSERT_EQ(layout.rank(shape, n, u, v), due);
            }
          }
          // To the lowest bits, and back.
          Bits lowest = all_bits(p, q);
          lowest.resize(n);
          const std::string other = n == 0 ? "row-cyclic" : "bits:" + joined(lowest, ",");
          for (const bool back : {false, true}) {
            const Settings settings =
                conversion(back ? other : name, back ? name : other, std::uint64_t{1} << p, std::uint64_t{1} << q);
            expect_run(convert, cube(n), model_of(PortModel::one_strict), settings, {});
          }
        }
      }
    }
  }
  // u5 u2 v2 and u5 u4 u3: two dimensions get local bits.
  expect_run(convert, "hypercube:3", model_of(PortModel::one_strict), conversion("band=1", "row-consecutive", 64, 8),
             {2, 2 * 32, 2 * 8, 2 * 8 * 32});
}

TEST(ConvertForms, TakesUnequalTwoDimensionalLayouts) {
  // Rows u2 u1, column v2 become rows u2, columns v2 v1: v2 goes to the second dimension, where u1 was, and v1 to the
  // third.
  Settings settings = conversion("2d:consecutive,consecutive", "bits:u2,v2,v1", 8, 8);
  expect_run(convert, "hypercube:3", model_of(PortModel::one_strict), settings, {2, 2 * 4, 2 * 8, 2 * 8 * 4});
  settings.layout = "1,2";
  expect_run(convert, "hypercube:3", model_of(PortModel::one_strict), settings, {0, 0, 0, 0});
  // The transposition of transpose/2d-spt: c swaps, and d exchanges with local bits.
  for (std::uint64_t n = 1; n <= 6; ++n) {
    for (std::uint64_t R = 0; R <= n; ++R) {
      const std::uint64_t C = n - R;
      const std::uint64_t c = std::min(R, C);
      const std::uint64_t d = n - 2 * c;
      const std::uint64_t N = std::uint64_t{1} << n;
      const std::uint64_t side = std::uint64_t{1} << (c + d);
      const std::uint64_t K = 2 * side * side / N;
      Settings transposed = conversion("2d:consecutive,consecutive", "2d:consecutive,consecutive", side, 2 * side);
      transposed.transposed = true;
      transposed.layout = std::to_string(R) + "," + std::to_string(C);
      expect_run(convert, cube(n), model_of(PortModel::one_strict), transposed,
                 {n, 2 * c * K + d * K / 2, (c + d) * N, n * N * K / 2});
      EXPECT_EQ(bound(convert, cube(n), transposed, model_of(PortModel::one)), Bound(n, n * K / 2));
    }
  }
}

TEST(ConvertForms, TakesTheSmallestMatrixByDefault) {
  const auto size = [](const char* machine, const char* from, const char* to, bool transposed = false) {
    Settings settings;
    settings.from = from;
    settings.to = to;
    if (transposed) settings.transposed = true;
    return to_string(*resolved(convert, machine, settings, Model{}).matrix);
  };
  EXPECT_EQ(size("hypercube:3", "bits:u4,v1,u0", "row-cyclic"), "32x4");
  EXPECT_EQ(size("hypercube:3", "bits:u4,v1,u0", "row-cyclic", true), "32x8");
  EXPECT_EQ(size("hypercube:3", "bits:u4-u3,v0", "bits:v0+u3-u4"), "32x2");
  EXPECT_EQ(size("hypercube:4", "band=2", "row-cyclic"), "16x2");
  EXPECT_EQ(size("hypercube:4", "band=2", "column-cyclic"), "64x16");
  EXPECT_EQ(size("hypercube:4", "row-cyclic", "band=2", true), "16x64");
}

TEST(ConvertForms, RefusesWhatDoesNotFit) {
  const auto refused = [](const std::string& from, std::uint64_t P, std::uint64_t Q, const std::string& layout = "") {
    Settings settings = conversion(from, "row-cyclic", P, Q);
    if (!layout.empty()) settings.layout = layout;
    return refusal(convert, "hypercube:3", settings);
  };
  for (const char* bad : {"bits:", "bits:u", "bits:w1", "bits:u2,", "bits:u2+", "bits:u2-", "bits:u2-v0", "bits:u2-1",
                          "bits:u2;u1", "bits:gray", "bits:gray:", "bits:u2,,u1", "gray:bits:u2", "band", "band1"}) {
    const std::string line = refused(bad, 64, 64);
    EXPECT_TRUE(line == "--from '" + std::string(bad) + "' is no storage form: " + storage_form_names ||
                line.starts_with("--from: bit "))
        << bad << ": " << line;
  }
  EXPECT_EQ(refused("bits:u63,u1,u0", 64, 64), "--from: bit u '63' is out of range: 0 to 62");
  EXPECT_EQ(refused("band=63", 64, 64), "--from: the dimensions of band '63' is out of range: 0 to 62");
  EXPECT_EQ(refused("bits:u2,u1", 64, 64),
            "--from bits:u2,u1 on hypercube:3: it names 2 bits, and a processor's number has 3");
  EXPECT_EQ(refused("bits:u2,u1,u2", 64, 64),
            "--from bits:u2,u1,u2 on hypercube:3: address bit u2 is in the processor's number twice: the parts of a "
            "form must not overlap");
  EXPECT_EQ(refused("bits:u2,u1,v6", 64, 64),
            "--matrix 64x64 is too small for hypercube:3, which takes at least 8x128");
  EXPECT_EQ(refused("band=2", 64, 8),
            "--from band=2 on hypercube:3: band=2 takes 2 dimensions and an even number more, not 3");
  EXPECT_EQ(refused("band=5", 64, 8),
            "--from band=5 on hypercube:3: band=5 takes 5 dimensions and an even number more, not 3");
  EXPECT_EQ(refused("band=1", 8, 8),
            "--from band=1 on hypercube:3: band=1 takes 2 columns or more, and at least 2 times as many rows");
  EXPECT_EQ(refused("row-consecutive", 8, 8, "2,1"),
            "--layout 2,1 is for two-dimensional forms, which neither --from row-consecutive nor --to row-cyclic is");
  EXPECT_EQ(refused("2d:cyclic,cyclic", 8, 8, "2,2"), "--layout 2,2 takes 4 dimensions, and there are 3");
  EXPECT_EQ(refused("2d:cyclic,cyclic", 8, 8, "2"),
            "--layout '2' is not of the form R,C, the dimensions of rows and of columns, e.g. 3,2");
}

TEST(ConvertForms, CatchesEveryFault) {
  expect_catches_faults(convert, "hypercube:3", conversion("bits:u2,u0,v0", "bits:u0,v0,u2", 8, 4));
  expect_catches_faults(convert, "hypercube:3", conversion("bits:gray:u2+v1+u0", "gray:band=1", 8, 4));
}

}  // namespace
}  // namespace lockstep::convert_forms_test
