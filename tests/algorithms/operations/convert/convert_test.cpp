// Conversions of storage forms (johnsson-ho.md, Conversion): n steps of K/2 words and n N messages where no bit is real
// before and after, otherwise at most the cost of general exchanges; and general exchanges (johnsson-ho.md, General
// exchange).
#include <algorithm>
#include <set>

#include "lockstep/algorithms/operation/matrix_layout.hpp"
#include "transposition.hpp"

namespace lockstep::convert_test {
namespace {

constexpr const char* convert = "convert/exchange";

Settings conversion(const std::string& from, const std::string& to, bool transposed, std::uint64_t P, std::uint64_t Q) {
  Settings settings = matrix_settings(P, Q);
  settings.from = from;
  settings.to = to;
  if (transposed) settings.transposed = true;
  return settings;
}

/// The 16 one-dimensional forms with that offset and that split.
std::vector<std::string> one_dimensional_forms(unsigned offset, unsigned split) {
  std::vector<std::string> forms;
  for (const std::string gray : {"", "gray:"}) {
    for (const std::string side : {"row-", "column-"}) {
      for (const std::string& scheme : {std::string("consecutive"), std::string("cyclic"),
                                        "combined=" + std::to_string(offset), "split=" + std::to_string(split)}) {
        forms.push_back(gray + side + scheme);
      }
    }
  }
  return forms;
}

/// The numbers of the bits "u3", "v0".. that choose the processor in that form of a 2^p x 2^q matrix, by its name.
std::set<std::string> real_bits(const std::string& form, unsigned p, unsigned q, unsigned n, bool transposed) {
  const bool of_rows = form.find("row-") != std::string::npos;
  const unsigned size = of_rows != transposed ? p : q;
  std::string letter = of_rows != transposed ? "u" : "v";
  std::set<std::string> bits;
  const std::size_t equals = form.find('=');
  const unsigned place = equals == std::string::npos ? 0 : static_cast<unsigned>(std::stoul(form.substr(equals + 1)));
  for (unsigned index = 0; index < n; ++index) {
    unsigned bit = size - 1 - index;
    if (form.find("cyclic") != std::string::npos) bit = n - 1 - index;
    if (form.find("combined") != std::string::npos) bit = size - place - index;
    if (form.find("split") != std::string::npos && index >= place) bit = n - 1 - index;
    bits.insert(letter + std::to_string(bit));
  }
  return bits;
}

TEST(Convert, AllPairsOfSixteenForms) {
  unsigned admissible = 0;
  constexpr unsigned n = 3;
  const std::uint64_t N = 8;
  for (const auto& [p, q, offset, split] : {std::tuple{6U, 7U, 2U, 1U}, {7U, 6U, 3U, 2U}}) {
    const std::uint64_t K = (std::uint64_t{1} << (p + q)) / N;
    const std::vector<std::string> forms = one_dimensional_forms(offset, split);
    EXPECT_EQ(forms.size(), 16U);
    for (const std::string& from : forms) {
      for (const std::string& to : forms) {
        for (const bool transposed : {false, true}) {
          SCOPED_TRACE(from + " to " + to + (transposed ? " transposed" : ""));
          const Settings settings = conversion(from, to, transposed, std::uint64_t{1} << p, std::uint64_t{1} << q);
          std::set<std::string> real = real_bits(from, p, q, n, false);
          real.merge(real_bits(to, p, q, n, transposed));
          SpecCounts counts;
          if (real.size() == 2 * n) {
            ++admissible;
            counts = {n, n * K / 2, n * N, n * N * K / 2};
            counts.startups = n * N;
          }
          const Report report = expect_run(convert, "hypercube:3", model_of(PortModel::one_strict), settings, counts);
          EXPECT_LE(report.steps, 2 * n);
        }
      }
    }
  }
  EXPECT_GE(admissible, 640U / 2);
}

// A real bit that becomes another real bit takes two steps, a local bit one.
TEST(Convert, TakesAsManyStepsAsItsExchanges) {
  // u5 u4 u3 becomes u4 u3 u2: two bits get bits that were real, but in a chain that begins with a local bit: three
  // steps.
  const auto steps = [](const char* from, const char* to, std::uint64_t P, bool transposed = false) {
    const BuiltMachine machine("hypercube:3");
    const Settings settings = conversion(from, to, transposed, P, 8);
    return expect_run(machine, convert, model_of(PortModel::one_strict), settings, {}).steps;
  };
  EXPECT_EQ(steps("row-consecutive", "row-combined=2", 64), 3U);
  EXPECT_EQ(steps("row-consecutive", "row-cyclic", 64), 3U);
  EXPECT_EQ(steps("row-consecutive", "row-consecutive", 64), 0U);
  EXPECT_EQ(steps("row-consecutive", "row-cyclic", 8), 0U);  // the same bits
  EXPECT_EQ(steps("row-cyclic", "row-split=1", 64), 1U);
  EXPECT_EQ(steps("gray:row-cyclic", "row-cyclic", 64), 2U);  // a Gray code of 3 bits: two conditional steps
  EXPECT_EQ(steps("row-cyclic", "gray:row-cyclic", 64), 2U);
}

TEST(Convert, TwoDimensionalForms) {
  const std::vector<std::string> schemes{"consecutive", "cyclic", "combined=2", "gray:consecutive", "gray:cyclic"};
  for (const std::uint64_t n : {2, 4}) {
    const std::uint64_t h = n / 2;
    const std::uint64_t P = std::uint64_t{4} << n;
    const std::uint64_t Q = std::uint64_t{2} << n;
    for (const std::string& rows : schemes) {
      for (const std::string& columns : schemes) {
        for (const std::string& to :
             {"2d:" + columns + "," + rows, std::string("2d:cyclic,gray:cyclic"), std::string("row-cyclic")}) {
          for (const bool transposed : {false, true}) {
            const Report report = expect_run(convert, cube(n), model_of(PortModel::one_strict),
                                             conversion("2d:" + rows + "," + columns, to, transposed, P, Q), {});
            EXPECT_LE(report.steps, 2 * n) << h;
          }
        }
      }
    }
  }
  // No bit is real twice: n steps.
  expect_run(convert, "hypercube:4", model_of(PortModel::one),
             conversion("2d:consecutive,consecutive", "2d:cyclic,gray:cyclic", true, 64, 64),
             {4, 4 * 128, 4 * 16, 4 * 16 * 128});
}

TEST(Convert, WorksOnCubesOfAnySize) {
  for (std::uint64_t n = 0; n <= 7; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const std::uint64_t factor : {1, 2}) {
      const std::uint64_t K = factor * N;
      expect_run(convert, cube(n), model_of(PortModel::one_strict),
                 conversion("row-consecutive", "gray:column-cyclic", false, N, factor * N),
                 {n, n * K / 2, n * N, n * N * K / 2});
    }
  }
}

TEST(Convert, MovesNothingOnOneProcessor) {
  for (const std::string& from : one_dimensional_forms(2, 1)) {
    for (const std::string to : {"row-combined=3", "gray:column-consecutive", "2d:cyclic,gray:combined=1"}) {
      if (from.find("split") != std::string::npos) continue;
      expect_run(convert, "hypercube:0", model_of(PortModel::one), conversion(from, to, true, 16, 8), {0});
    }
  }
}

TEST(Convert, TakesTheSmallestMatrixByDefault) {
  const auto size = [](const char* machine, const char* from, const char* to, bool transposed) {
    Settings settings;
    settings.from = from;
    settings.to = to;
    if (transposed) settings.transposed = true;
    return to_string(*resolved(convert, machine, settings, Model{}).matrix);
  };
  EXPECT_EQ(size("hypercube:3", "row-consecutive", "row-cyclic", false), "8x1");
  EXPECT_EQ(size("hypercube:3", "row-consecutive", "row-cyclic", true), "8x8");
  EXPECT_EQ(size("hypercube:3", "row-combined=3", "column-split=2", false), "32x8");
  EXPECT_EQ(size("hypercube:4", "2d:consecutive,cyclic", "row-cyclic", true), "4x16");
}

std::string refused(const std::string& from, const std::string& to, std::uint64_t P = 64, std::uint64_t Q = 64,
                    const std::string& machine = "hypercube:3") {
  return refusal(convert, machine, conversion(from, to, false, P, Q));
}

TEST(Convert, RefusesWhatIsNoFormOrDoesNotFit) {
  const std::string forms =
      " is no storage form: [gray:]row-SCHEME, [gray:]column-SCHEME, 2d:[gray:]SCHEME,[gray:]SCHEME, [gray:]band=S or "
      "bits:FIELD,FIELD.., where SCHEME is consecutive, cyclic, combined=I or split=S, and FIELD is [gray:]BIT+BIT.., "
      "a BIT being u3, v0 or a range u3-u0";
  for (const char* bad : {"", "row", "rows-cyclic", "row-cyclical", "row-cyclic=1", "row-combined", "row-split", "gray",
                          "gray:cyclic", "2d:cyclic", "2d:cyclic;cyclic", "2d:row-cyclic,cyclic", "cyclic",
                          "row-cyclic,cyclic", "Row-cyclic", "2d:gray:cyclic"}) {
    EXPECT_EQ(refused(bad, "row-cyclic"), "--from '" + std::string(bad) + "'" + forms);
    EXPECT_EQ(refused("row-cyclic", bad), "--to '" + std::string(bad) + "'" + forms);
  }
  EXPECT_EQ(refused("row-combined=0", "row-cyclic"), "--from: the place of combined '0' is out of range: 1 to 62");
  EXPECT_NE(refused("row-combined=x", "row-cyclic").find("--from: the place of combined 'x'"), std::string::npos);
  EXPECT_EQ(refused("row-combined=5", "row-cyclic"),
            "--matrix 64x64 is too small for hypercube:3, which takes at least 128x1");
  EXPECT_EQ(refused("row-split=3", "row-cyclic"),
            "--from row-split=3 on hypercube:3: split=3 does not fit: for 3 bits it is 1 to 2");
  EXPECT_EQ(refused("row-cyclic", "row-split=1", 2, 2, "hypercube:1"),
            "--to row-split=1 on hypercube:1: split=1 does not fit: it takes at least 2 bits of a processor's number");
  EXPECT_EQ(refused("column-split=2", "row-cyclic", 16, 4, "hypercube:0"),
            "--from column-split=2 on hypercube:0: split=2 does not fit: it takes at least 2 bits of a processor's "
            "number");
  EXPECT_EQ(refused("row-cyclic", "column-cyclic", 4, 64),
            "--matrix 4x64 is too small for hypercube:3, which takes at least 8x8");
  EXPECT_EQ(refused("row-cyclic", "column-cyclic", 8, 48),
            "--matrix 8x48: 48 columns are no power of two; 32 or 64 would fit");
  Settings only_to;
  only_to.to = "row-cyclic";
  EXPECT_EQ(refusal(convert, "hypercube:3", only_to),
            "convert/exchange needs --from FORM and --to FORM, e.g. --from row-consecutive --to row-cyclic");
}

TEST(Convert, CatchesEveryFault) {
  expect_catches_faults(convert, "hypercube:2", conversion("row-consecutive", "gray:row-cyclic", false, 16, 2));
  expect_catches_faults(convert, "hypercube:2", conversion("gray:row-consecutive", "row-cyclic", true, 4, 8));
}

// General exchange: the word at place (rank, index) goes where its bits go, one pair after the other.
constexpr const char* general = "permute/general-exchange";

Settings pairs(std::uint64_t words, const std::string& text) {
  Settings settings;
  settings.words = words;
  settings.pairs = text;
  return settings;
}

TEST(GeneralExchange, CountsOneStepForALocalBitAndTwoForADimension) {
  for (std::uint64_t n = 1; n <= 6; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    constexpr std::uint64_t K = 16;  // bits 0 to 3 are local
    const auto run = [&](const std::string& text, std::uint64_t mixed, std::uint64_t real) {
      for (const std::uint64_t limit : {0, 3}) {
        const Model model = limited(PortModel::one_strict, limit);
        const std::uint64_t longest_sum = mixed * (K / 2) + 2 * real * K;
        const Report report =
            expect_run(general, cube(n), model, pairs(K, text),
                       {mixed + 2 * real, longest_sum, (mixed + real) * N, mixed * N * K / 2 + real * N * K});
        const double time =
            time_of(model, mixed * packets_of(K / 2, limit) + 2 * real * packets_of(K, limit), longest_sum, 0);
        EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
        const auto said = synchronous_time(BuiltMachine(cube(n)).predict(general, model, pairs(K, text)), model.cost);
        ASSERT_TRUE(said) << "packets of " << limit;
        EXPECT_NEAR(said->value, time, 1e-9 * time);
      }
    };
    const std::string top = std::to_string(3 + n);
    run("4:0", 1, 0);
    run("0:" + top, 1, 0);
    run("1:0,3:2", 0, 0);
    run("2:2", 0, 0);
    if (n >= 2) run(top + ":4", 0, 1);
    if (n >= 2) run(top + ":1,4:" + top + ",0:3", 1, 1);
    if (n >= 3) run(top + ":4,4:5,5:0", 1, 2);
  }
}

TEST(GeneralExchange, TakesRandomPairs) {
  std::uint64_t state = 2026;
  const auto random = [&state](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % below;
  };
  SCOPED_TRACE("seed 2026");
  for (int trial = 0; trial < 200; ++trial) {
    const std::uint64_t n = random(6);
    const std::uint64_t k = random(5);
    const std::uint64_t bits = n + k;
    if (bits == 0) continue;
    std::string text;
    std::vector<std::uint64_t> firsts(bits);
    std::vector<std::uint64_t> seconds(bits);
    for (std::uint64_t bit = 0; bit < bits; ++bit) firsts[bit] = seconds[bit] = bit;
    const std::uint64_t count = 1 + random(bits);
    for (std::uint64_t pair = 0; pair < count; ++pair) {
      std::swap(firsts[pair], firsts[pair + random(bits - pair)]);
      std::swap(seconds[pair], seconds[pair + random(bits - pair)]);
      text += (pair == 0 ? "" : ",") + std::to_string(firsts[pair]) + ":" + std::to_string(seconds[pair]);
    }
    SCOPED_TRACE(text);
    const Report report =
        expect_run(general, cube(n), limited(PortModel::one_strict, static_cast<std::uint64_t>(trial % 4)),
                   pairs(std::uint64_t{1} << k, text), {});
    EXPECT_LE(report.steps, 2 * count);
  }
}

TEST(GeneralExchange, RefusesWhatAreNoPairs) {
  EXPECT_NE(refusal(general, "hypercube:3", {}).find("needs --pairs G:F,G:F.."), std::string::npos);
  EXPECT_EQ(refusal(general, "hypercube:3", pairs(4, "1:0,2")),
            "--pairs '1:0,2' is no list of pairs G:F,G:F..; '2' is not a pair");
  EXPECT_EQ(refusal(general, "hypercube:3", pairs(4, "1:0,1:2")),
            "--pairs '1:0,1:2' names a bit twice on one side: the first bits of all pairs must differ, and so must the "
            "second");
  EXPECT_EQ(refusal(general, "hypercube:3", pairs(4, "5:0")), "--pairs: bit '5' is out of range: 0 to 4");
  EXPECT_EQ(refusal(general, "hypercube:3", pairs(6, "1:0")),
            "--words 6 is no power of two, so that its index has no bits to exchange");
}

TEST(GeneralExchange, CatchesEveryFault) { expect_catches_faults(general, "hypercube:3", pairs(4, "4:2,3:0,2:1")); }

}  // namespace
}  // namespace lockstep::convert_test
