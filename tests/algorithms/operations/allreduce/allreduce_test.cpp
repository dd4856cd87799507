// Allreduces and reduce-scatters against collectives.md: steps S, messages M, words W and longest sums V, for every
// number p of ranks up to 33 and vectors that p divides or does not divide.
#include <gtest/gtest.h>

#include <bit>
#include <ostream>

#include "data_directory.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "method_run.hpp"

namespace lockstep::allreduce_test {
namespace {

constexpr std::array vectors{"allreduce/circulant",    "allreduce/rabenseifner",  "allreduce/recursive-doubling",
                             "allreduce/ring",         "allreduce/swing",         "reduce-scatter/circulant",
                             "reduce-scatter/halving", "reduce-scatter/pairwise", "reduce-scatter/ring"};

Settings vector_settings(const std::string& name, std::uint64_t words) {
  Settings settings;
  settings.operator_name = name;
  settings.words = words;
  return settings;
}

std::uint64_t quotient(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// p ranks, m words, q = ceil(log2 p), Q = floor(log2 p), r = p - 2^Q, x = 2 if r > 0.
struct Size {
  std::uint64_t p;
  std::uint64_t m;
  std::uint64_t q = static_cast<std::uint64_t>(std::bit_width(p - 1));
  std::uint64_t Q = static_cast<std::uint64_t>(std::bit_width(p)) - 1;
  std::uint64_t r = p - std::bit_floor(p);
  std::uint64_t x = r > 0 ? 2 : 0;

  /// For single parts: p - 1 steps, in each of which some rank sends the longest part.
  std::uint64_t singles() const { return (p - 1) * quotient(m, p); }
  /// For 2^Q ranks that halve: a half, a quarter, .., some rounded up.
  std::uint64_t halves() const {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 1; i <= Q; ++i) sum += quotient(m, std::uint64_t{1} << i);
    return sum;
  }
  /// Skips s[q] = p, s[k] = ceil(s[k+1]/2), s[0] = 1; step k sends as many parts as lie between two skips.
  std::uint64_t between_skips() const {
    std::uint64_t sum = 0;
    for (std::uint64_t above = p; above > 1; above = quotient(above, 2)) {
      sum += quotient(m * (above - quotient(above, 2)), p);
    }
    return sum;
  }
};
std::ostream& operator<<(std::ostream& out, const Size& size) {
  return out << size.p << " ranks, " << size.m << " words";
}

SpecCounts counts_of(std::string_view method, const Size& z) {
  if (method == "allreduce/recursive-doubling" || method == "allreduce/dimension-exchange") {
    const std::uint64_t messages = (std::uint64_t{1} << z.Q) * z.Q + 2 * z.r;
    return {.steps = z.Q + z.x, .longest_sum = z.m * (z.Q + z.x), .messages = messages, .words = z.m * messages};
  }
  if (method == "allreduce/rabenseifner") {
    const std::uint64_t power = std::uint64_t{1} << z.Q;
    return {.steps = 2 * z.Q + z.x,
            .longest_sum = 2 * z.halves() + z.x * z.m,
            .messages = 2 * power * z.Q + 2 * z.r,
            .words = 2 * z.m * (power - 1) + 2 * z.r * z.m};
  }
  const std::uint64_t halves = method.starts_with("allreduce") ? 2 : 1;
  SpecCounts counts{.words = halves * (z.p - 1) * z.m};
  const auto all_send = [&](std::uint64_t steps, std::uint64_t longest_sum) {
    counts.steps = halves * steps;
    counts.messages = halves * z.p * steps;
    counts.longest_sum = halves * longest_sum;
  };
  const std::string_view own = method.substr(method.find('/') + 1);
  if (own == "ring" || own == "pairwise") all_send(z.p - 1, z.singles());
  if (own == "circulant") all_send(z.q, z.between_skips());
  if (own == "halving") all_send(z.q, z.halves());
  if (own == "swing") {
    all_send(z.q, z.m / z.p * (z.p - 1));
    if (z.m % z.p != 0) counts.longest_sum.reset();  // the parts of a message are computed below
  }
  return counts;
}

bool is_for_powers(std::string_view method) { return method.ends_with("/swing") || method.ends_with("/halving"); }

class VectorMethods : public testing::TestWithParam<const char*> {};

TEST_P(VectorMethods, HaveTheCountsOfTheSpec) {
  const std::string_view method = GetParam();
  for (std::uint64_t p = 1; p <= (sanitized ? 17 : 33); ++p) {
    if (is_for_powers(method) && !std::has_single_bit(p)) continue;
    for (const char* family : {"switch:", "complete:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      for (const std::uint64_t m : {std::uint64_t{1}, p, 3 * p + 2, 12 * p}) {
        const Size size{p, m};
        SCOPED_TRACE(testing::Message() << size << " on " << machine.spec.text);
        const SpecCounts counts = counts_of(method, size);
        expect_run(machine, method, model_of(PortModel::one), vector_settings("sum", m), counts);
        expect_predicted(machine.predict(method, model_of(PortModel::one), vector_settings("sum", m)), counts);
      }
    }
  }
}

// p divides m, or a power of two of ranks for methods that are for those.
TEST_P(VectorMethods, TakesEveryOperatorThatItsOrderAllows) {
  const std::string_view method = GetParam();
  const bool in_order = method == "allreduce/recursive-doubling";
  for (const std::uint64_t p : {1U, 2U, 4U, 8U, 13U, 20U}) {
    if (is_for_powers(method) && !std::has_single_bit(p)) continue;
    const BuiltMachine machine("switch:" + std::to_string(p));
    for (const Operator& op : operators()) {
      SCOPED_TRACE(std::string(op.name) + " of " + std::to_string(p));
      Settings settings = vector_settings(std::string(op.name), 5 * op.element_words);
      if (!op.commutative && !in_order) {
        EXPECT_EQ(refusal(method, machine.spec.text, settings),
                  "--operator " + std::string(op.name) +
                      " does not commute, and operands are combined in another order than that of the ranks");
        continue;
      }
      EXPECT_EQ(machine.run(method, model_of(PortModel::one), settings).wrong, "");
      if (op.name == "concat") continue;
      settings.type = "double";
      EXPECT_EQ(machine.run(method, model_of(PortModel::one), settings).wrong, "");
    }
  }
}

TEST_P(VectorMethods, CatchFaults) {
  for (const char* machine : {"switch:4", "complete:8"}) {
    for (const char* name : {"sum", "min", "or"}) expect_catches_faults(GetParam(), machine, vector_settings(name, 19));
  }
}

INSTANTIATE_TEST_SUITE_P(All, VectorMethods, testing::ValuesIn(vectors));

constexpr std::array on_hypercubes{"allreduce/dimension-exchange", "allreduce/rabenseifner", "reduce-scatter/halving"};

// Partners differ in one bit.
TEST(VectorMethodsOnHypercubes, HaveTheCountsOfTheSpecInEveryPortModel) {
  for (const std::string_view method : on_hypercubes) {
    for (std::uint64_t n = 0; n <= (sanitized ? 4 : 6); ++n) {
      const BuiltMachine machine(cube(n));
      const std::uint64_t p = machine.topology.processors();
      for (const std::uint64_t m : {std::uint64_t{1}, p, 3 * p + 2, 12 * p}) {
        const SpecCounts counts = counts_of(method, Size{p, m});
        for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
          expect_run(machine, method, model_of(ports), vector_settings("sum", m), counts);
        }
      }
    }
  }
}

TEST(VectorMethodsOnHypercubes, TakeEveryOperatorThatTheirOrderAllows) {
  const BuiltMachine machine("hypercube:3");
  for (const std::string_view method : on_hypercubes) {
    for (const Operator& op : operators()) {
      const Settings settings = vector_settings(std::string(op.name), 5 * op.element_words);
      if (!op.commutative && method != on_hypercubes[0]) {
        EXPECT_NE(refusal(method, machine.spec.text, settings), "") << method << " " << op.name;
      } else {
        EXPECT_EQ(machine.run(method, model_of(PortModel::one), settings).wrong, "") << method << " " << op.name;
      }
    }
    for (const char* name : {"sum", "min", "or"}) {
      expect_catches_faults(method, "hypercube:3", vector_settings(name, 19));
    }
  }
  EXPECT_EQ(&find_method("allreduce/recursive-doubling", "hypercube"),
            &find_method("allreduce/dimension-exchange", "hypercube"));
}

// A line of s ranks: s/2 steps on a ring for s even. Else, as on a path, s - 1 for s even and s for s odd. On a ring
// all send in every step. On a path the link from the i-th place up, i = 0, .., has a message for each of the pairs 0
// 1, 2 3,
// .. that begin at or before i: floor(i/2) + 1. The link from the j-th place down, from the end, has as many for s
// even; for s odd the pairs are those of 1 2, 3 4, .. and the last place is alone: floor((j + 1)/2) + 1.
TEST(AllreduceDimensionExchange, HasTheCountsOfTheSpecOnGrids) {
  std::vector<std::pair<std::string_view, std::vector<std::uint64_t>>> grids;
  for (std::uint64_t s = 1; s <= 18; ++s) {
    grids.push_back({"ring", {s}});
    grids.push_back({"path", {s}});
  }
  for (const char* family : {"torus", "mesh"}) {
    for (const std::vector<std::uint64_t>& sides : std::vector<std::vector<std::uint64_t>>{
             {1, 1}, {2, 2}, {3, 3}, {4, 4}, {3, 5}, {2, 7}, {6, 1}, {5, 4}, {2, 3, 4}, {3, 1, 6}, {2, 2, 2, 2}}) {
      grids.push_back({family, sides});
    }
  }
  for (const auto& [family, sides] : grids) {
    std::string text(family);
    std::uint64_t p = 1;
    for (const std::uint64_t s : sides) {
      text += (p == 1 && text == family ? ":" : "x") + std::to_string(s);
      p *= s;
    }
    std::uint64_t steps = 0;
    std::uint64_t messages = 0;
    for (const std::uint64_t s : sides) {
      const bool is_even = s % 2 == 0;
      if (s == 1) continue;
      if (is_even && (family == "ring" || family == "torus")) {
        steps += s / 2;
        messages += p / s * (s / 2 * s);
        continue;
      }
      steps += is_even ? s - 1 : s;
      for (std::uint64_t i = 0; i + 1 < s; ++i) messages += p / s * (i / 2 + 1 + (is_even ? i : i + 1) / 2 + 1);
    }
    const BuiltMachine machine(text);
    for (const std::uint64_t m : {std::uint64_t{1}, p + 2}) {
      SCOPED_TRACE(text + ", words " + std::to_string(m));
      const SpecCounts counts{.steps = steps,
                              .longest_sum = steps * m,
                              .messages = messages,
                              .words = messages * m,
                              .operations = messages * m,
                              .message_words = m};
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        expect_run(machine, "allreduce/dimension-exchange", model_of(ports), vector_settings("sum", m), counts);
      }
      // Every step ends with m operations of some rank.
      Model charged = model_of(PortModel::one);
      charged.cost.flop = 3;
      const Outcome outcome = machine.run("allreduce/dimension-exchange", charged, vector_settings("max", m));
      const Prediction predicted = machine.predict("allreduce/dimension-exchange", charged, vector_settings("max", m));
      EXPECT_EQ(outcome.wrong, "");
      EXPECT_EQ(predicted.most_operations, steps * m);
      EXPECT_EQ(synchronous_time(predicted, charged.cost).value().value, outcome.report.time_synchronous);
    }
  }
}

TEST(AllreduceDimensionExchange, TakesCommutativeOperatorsOnGrids) {
  for (const char* text : {"ring:6", "path:5", "torus:3x4", "mesh:2x3"}) {
    const BuiltMachine machine(text);
    for (const Operator& op : operators()) {
      const Settings settings = vector_settings(std::string(op.name), 5 * op.element_words);
      if (!op.commutative) {
        EXPECT_EQ(refusal("allreduce/dimension-exchange", text, settings),
                  "--operator " + std::string(op.name) +
                      " does not commute, and operands are combined in another order than that of the ranks");
        continue;
      }
      EXPECT_EQ(machine.run("allreduce/dimension-exchange", model_of(PortModel::one), settings).wrong, "") << op.name;
    }
  }
  EXPECT_EQ(&find_method("allreduce/recursive-doubling", "torus"),
            &find_method("allreduce/dimension-exchange", "torus"));
}

TEST(AllreduceDimensionExchange, CatchesFaultsOnGrids) {
  for (const char* text : {"ring:6", "ring:5", "path:4", "torus:4x2", "mesh:3x2"}) {
    for (const char* name : {"sum", "min", "or"}) {
      expect_catches_faults("allreduce/dimension-exchange", text, vector_settings(name, 7));
    }
  }
}

// A ring through all processors: p - 1 steps, in each of which all send one part.
TEST(ReduceScatterOverLinks, GoesOnceRoundTheRing) {
  for (const char* text :
       {"ring:1", "ring:2", "ring:5", "ring:12", "torus:1x1", "torus:2x2", "torus:3x3", "torus:4x5", "torus:2x3x4",
        "hypercube:0", "hypercube:1", "hypercube:2", "hypercube:5", "rh:0,0", "rh:1,1", "rh:2,1", "rh:2,2"}) {
    const BuiltMachine machine(text);
    const std::uint64_t p = machine.topology.processors();
    for (const std::uint64_t m : {std::uint64_t{1}, p, 3 * p + 1}) {
      const SpecCounts counts{
          .steps = p - 1, .longest_sum = Size{p, m}.singles(), .messages = p * (p - 1), .words = (p - 1) * m};
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        expect_run(machine, "reduce-scatter/ring", model_of(ports), vector_settings("sum", m), counts);
        if (p == 2) continue;  // both directions are one link
        expect_run(machine, "reduce-scatter/ring", model_of(ports, Duplex::half_link), vector_settings("max", m),
                   counts);
      }
    }
  }
  for (const char* text : {"ring:5", "torus:2x3", "hypercube:3", "rh:1,1"}) {
    expect_catches_faults("reduce-scatter/ring", text, vector_settings("sum", 11));
  }
}

// collectives.md, Allreduce over links: by p, m and the sides of a torus.
TEST(AllreduceOverLinks, HasTheCountsOfTheSpecOnARing) {
  for (std::uint64_t p = 1; p <= (sanitized ? 9 : 24); ++p) {
    const BuiltMachine machine("ring:" + std::to_string(p));
    for (const std::uint64_t m : {std::uint64_t{1}, p, 2 * p + 3, 6 * p}) {
      SCOPED_TRACE((testing::Message() << Size{p, m}));
      const SpecCounts once{.steps = 2 * (p - 1),
                            .longest_sum = 2 * Size{p, m}.singles(),
                            .messages = 2 * p * (p - 1),
                            .words = 2 * (p - 1) * m,
                            .peak_words_held = m};
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        expect_run(machine, "allreduce/ring", model_of(ports), vector_settings("sum", m), once);
        expect_predicted(machine.predict("allreduce/ring", model_of(ports), vector_settings("sum", m)), once);
      }
      SpecCounts twice = once;
      twice.steps = 2 * (p / 2);
      twice.longest_sum = 2 * (p / 2) * quotient(m, p);
      for (const char* name : {"sum", "max"}) {
        const Settings settings = vector_settings(name, m);
        expect_run(machine, "allreduce/two-way-ring", model_of(PortModel::all), settings, twice);
        expect_predicted(machine.predict("allreduce/two-way-ring", model_of(PortModel::all), settings), twice);
      }
    }
  }
}

TEST(AllreduceOverLinks, GoesRoundTheRingsOfToriHypercubesAndReducedHypercubes) {
  for (const char* text :
       {"torus:1x1", "torus:2x2", "torus:3x3", "torus:4x5", "torus:3x5", "torus:2x3x4", "torus:7", "hypercube:0",
        "hypercube:1", "hypercube:2", "hypercube:5", "rh:0,0", "rh:1,0", "rh:1,1", "rh:2,1", "rh:2,2"}) {
    const BuiltMachine machine(text);
    const std::uint64_t p = machine.topology.processors();
    for (const std::uint64_t m : {p, 3 * p + 1}) {
      SCOPED_TRACE(text);
      const SpecCounts counts{.steps = 2 * (p - 1),
                              .longest_sum = 2 * Size{p, m}.singles(),
                              .messages = 2 * p * (p - 1),
                              .words = 2 * (p - 1) * m,
                              .busiest_link_words = {}};
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        expect_run(machine, "allreduce/ring", model_of(ports), vector_settings("sum", m), counts);
        if (p == 2) continue;  // both directions are one link
        expect_run(machine, "allreduce/ring", model_of(ports, Duplex::half_link), vector_settings("sum", m), counts);
      }
    }
  }
}

TEST(AllreduceOverLinks, TakesOneDimensionOfATorusAfterTheOther) {
  const std::vector<std::vector<std::uint64_t>> tori{{1, 1}, {2, 2},    {3, 4},    {4, 3},      {5, 5},
                                                     {6},    {2, 3, 4}, {1, 4, 3}, {2, 2, 2, 2}};
  for (const std::vector<std::uint64_t>& sides : tori) {
    std::string text = "torus:";
    std::uint64_t p = 1;
    std::uint64_t hops = 0;
    for (const std::uint64_t side : sides) {
      text += (text.back() == ':' ? "" : "x") + std::to_string(side);
      p *= side;
      hops += side - 1;
    }
    const BuiltMachine machine(text);
    for (const std::uint64_t m : {std::uint64_t{1}, p, 2 * p + 1, 12 * p + 5}) {
      SCOPED_TRACE(text + ", words " + std::to_string(m));
      std::uint64_t longest_sum = 0;
      std::uint64_t pieces = 1;
      for (const std::uint64_t side : sides) {
        pieces *= side;
        longest_sum += 2 * (side - 1) * quotient(m, pieces);
      }
      const SpecCounts counts{
          .steps = 2 * hops, .longest_sum = longest_sum, .messages = 2 * p * hops, .words = 2 * (p - 1) * m};
      expect_run(machine, "allreduce/torus", model_of(PortModel::one), vector_settings("xor", m), counts);
      expect_predicted(machine.predict("allreduce/torus", model_of(PortModel::one), vector_settings("xor", m)), counts);
    }
  }
}

// d dimensions of a processors each: one copy for each dimension and direction, if there are two. Each copy has a share
// of the m words, which is cut into a, then a^2, .. pieces.
TEST(AllreduceOverLinks, KeepsAllPortsOfATorusBusy) {
  for (const auto& [a, d] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {2, 1}, {3, 1}, {8, 1}, {2, 2}, {3, 2}, {4, 2}, {5, 2}, {2, 3}, {3, 3}, {4, 3}, {2, 4}}) {
    std::string text = "torus:" + std::to_string(a);
    std::uint64_t p = a;
    for (std::uint64_t i = 1; i < d; ++i, p *= a) text += "x" + std::to_string(a);
    const BuiltMachine machine(text);
    for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
      if (a == 2 && duplex != Duplex::full) continue;  // both directions are one link
      const std::uint64_t copies = a > 2 && duplex == Duplex::full ? 2 * d : d;
      for (const std::uint64_t m : {std::uint64_t{1}, p, copies * p, 3 * copies * p + 7}) {
        SCOPED_TRACE(text + ", words " + std::to_string(m));
        std::uint64_t longest_sum = 0;
        std::uint64_t pieces = copies;
        for (std::uint64_t i = 0; i < d; ++i) longest_sum += 2 * (a - 1) * quotient(m, pieces *= a);
        if (m == copies * p) {
          EXPECT_EQ(longest_sum, 2 * (m - m / p) / copies);
        }
        const SpecCounts counts{.steps = 2 * d * (a - 1),
                                .longest_sum = longest_sum,
                                .messages = copies * 2 * p * d * (a - 1),
                                .words = 2 * (p - 1) * m};
        expect_run(machine, "allreduce/torus", model_of(PortModel::all, duplex), vector_settings("sum", m), counts);
      }
    }
  }
}

// n/2 rings in both directions: n parts of every rank's own.
TEST(AllreduceOverLinks, GoesRoundRingsThatShareNoLink) {
  for (const std::uint64_t n : {0U, 2U, 4U, 6U}) {
    const BuiltMachine machine("hypercube:" + std::to_string(n));
    const std::uint64_t p = std::uint64_t{1} << n;
    if (sanitized && n > 4) continue;
    for (const std::uint64_t m : {std::uint64_t{1}, p, n * p + 1, 2 * n * p + 2}) {
      SCOPED_TRACE(machine.spec.text + ", words " + std::to_string(m));
      expect_run(machine, "allreduce/rings", model_of(PortModel::all), vector_settings("sum", m),
                 {.steps = 2 * (p - 1),
                  .longest_sum = n == 0 ? 0 : 2 * (p - 1) * quotient(m, n * p),
                  .messages = 2 * n * p * (p - 1),
                  .words = 2 * (p - 1) * m});
    }
  }
  EXPECT_EQ(refusal("allreduce/rings", "hypercube:5", vector_settings("sum", 4)),
            "allreduce/rings is for hypercubes of an even number of dimensions to 12; hypercube:5 has 5");
  EXPECT_EQ(refusal("allreduce/rings", "hypercube:14", vector_settings("sum", 4)),
            "allreduce/rings is for hypercubes of an even number of dimensions to 12; hypercube:14 has 14");
  expect_catches_faults("allreduce/rings", "hypercube:2", vector_settings("sum", 19));
}

// Rings wait for the longest ring with a turn at the same time.
TEST(AllreduceOverLinks, KeepsTheDimensionsOfUnequalSidesApart) {
  struct Torus {
    const char* text;
    std::uint64_t p, dimensions, longest, hops, copies;
  };
  for (const Torus& torus : {Torus{"torus:3x4", 12, 2, 4, 5, 4}, Torus{"torus:1x5x3", 15, 2, 5, 6, 4},
                             Torus{"torus:2x5", 10, 2, 5, 5, 2}, Torus{"torus:3x4x5", 60, 3, 5, 9, 6}}) {
    const BuiltMachine machine(torus.text);
    for (const std::uint64_t m : {std::uint64_t{1}, torus.p, 6 * torus.p, 5 * torus.p + 3}) {
      SCOPED_TRACE(std::string(torus.text) + ", words " + std::to_string(m));
      expect_run(machine, "allreduce/torus", model_of(PortModel::all), vector_settings("max", m),
                 {.steps = 2 * torus.dimensions * (torus.longest - 1),
                  .longest_sum = {},
                  .messages = torus.copies * 2 * torus.p * torus.hops,
                  .words = 2 * (torus.p - 1) * m});
    }
  }
}

TEST(AllreduceOverLinks, IsBoundedByTheDiameterAndByThePortsInUse) {
  const auto bound_of = [](const char* method, const char* machine, std::uint64_t words, PortModel ports) {
    return bound(method, machine, vector_settings("sum", words), model_of(ports));
  };
  EXPECT_EQ(bound_of("allreduce/ring", "ring:12", 24, PortModel::one), Bound(6, 44));
  EXPECT_EQ(bound_of("allreduce/two-way-ring", "ring:12", 24, PortModel::all), Bound(6, 22));
  EXPECT_EQ(bound_of("allreduce/torus", "torus:3x3", 9, PortModel::one), Bound(4, 16));
  EXPECT_EQ(bound_of("allreduce/torus", "torus:3x3", 9, PortModel::all), Bound(2, 4));
  EXPECT_EQ(bound_of("allreduce/ring", "hypercube:4", 16, PortModel::one), Bound(4, 30));
  EXPECT_EQ(bound_of("allreduce/ring", "rh:2,1", 16, PortModel::one), Bound(5, 30));
}

TEST(AllreduceOverLinks, CatchesFaults) {
  expect_catches_faults("allreduce/ring", "torus:2x3", vector_settings("min", 7));
  for (const char* machine : {"rh:0,0", "rh:1,1"}) {
    expect_catches_faults("allreduce/ring", machine, vector_settings("sum", 11));
  }
  expect_catches_faults("allreduce/two-way-ring", "ring:6", vector_settings("and", 13));
  expect_catches_faults("allreduce/torus", "torus:3x3", vector_settings("sum", 11));
}

// The step s of rank r: r + rho(s) if r is even, else r - rho(s), rho = 1, -1, 3, -5, 11; the parts are those of all
// ranks that the partner still reaches. Words of part i: floor(m (i+1)/p) - floor(m i/p).
TEST(AllreduceSwing, SendsThePartsOfTheRanksThatThePartnerReaches) {
  const std::vector<std::int64_t> rho{1, -1, 3, -5, 11};
  for (std::uint64_t q = 0; q <= 5; ++q) {
    const std::int64_t p = std::int64_t{1} << q;
    const std::uint64_t m = 3 * static_cast<std::uint64_t>(p) + 2;
    const auto partner = [&](std::int64_t rank, std::uint64_t step) {
      return ((rank + (rank % 2 == 0 ? rho[step] : -rho[step])) % p + p) % p;
    };
    std::uint64_t longest_sum = 0;
    for (std::uint64_t step = 0; step < q; ++step) {
      std::uint64_t longest = 0;
      for (std::int64_t rank = 0; rank < p; ++rank) {
        std::set<std::int64_t> reached{partner(rank, step)};
        for (std::uint64_t later = step + 1; later < q; ++later) {
          const std::set<std::int64_t> before = reached;
          for (const std::int64_t other : before) reached.insert(partner(other, later));
        }
        EXPECT_EQ(reached.size(), std::size_t{1} << (q - 1 - step));
        std::uint64_t words = 0;
        for (const std::int64_t part : reached) {
          const auto i = static_cast<std::uint64_t>(part);
          const auto k = static_cast<std::uint64_t>(p);
          words += m * (i + 1) / k - m * i / k;
        }
        longest = std::max(longest, words);
      }
      longest_sum += 2 * longest;
    }
    expect_run(BuiltMachine("switch:" + std::to_string(p)), "allreduce/swing", model_of(PortModel::one),
               vector_settings("sum", m), {.steps = 2 * q, .longest_sum = longest_sum});
  }
}

// collectives.md: 12 ranks, 384 words, 8 steps each; the fold costs 2 m.
TEST(AllreduceCirculant, TakesAboutHalfTheWordsOfRabenseifnerOn12Ranks) {
  const BuiltMachine machine("switch:12");
  const Model model = model_of(PortModel::one);
  expect_run(machine, "allreduce/circulant", model, vector_settings("sum", 384), {.steps = 8, .longest_sum = 704});
  expect_run(machine, "allreduce/rabenseifner", model, vector_settings("sum", 384), {.steps = 8, .longest_sum = 1440});
}

TEST(VectorBounds, AreDoublingsAndWhatEveryRankHasToSend) {
  const auto bound_of = [](const char* method, const char* machine, std::uint64_t words) {
    return bound(method, machine, vector_settings("sum", words), model_of(PortModel::one));
  };
  for (const char* method : {"allreduce/ring", "allreduce/recursive-doubling"}) {
    EXPECT_EQ(bound_of(method, "switch:12", 384), Bound(4, 704));
    EXPECT_EQ(bound_of(method, "complete:3", 1), Bound(2, 2));
    EXPECT_EQ(bound_of(method, "switch:1", 7), Bound(0, 0));
    EXPECT_EQ(bound_of(method, "switch:2", 7), Bound(1, 7));
  }
  EXPECT_EQ(bound_of("reduce-scatter/pairwise", "switch:12", 384), Bound(4, 352));
}

class VectorFile : public DataDirectory {
 protected:
  std::string result(const std::string& method, const std::string& name, const std::string& input) const {
    Settings settings;
    settings.operator_name = name;
    settings.input = file("in", input);
    settings.output = path("out");
    EXPECT_EQ(BuiltMachine("switch:4").run(method, model_of(PortModel::one), settings).wrong, "") << method;
    return text_of(path("out"));
  }
};

TEST_F(VectorFile, ComesToWhatAPersonWould) {
  for (const std::string method : vectors) {
    EXPECT_EQ(result(method, "sum", "1 10 100\n2 20 200\n3 30 300\n4 40 400"), "10\n100\n1000\n") << method;
    EXPECT_EQ(result(method, "max", "1 10 9\n7 2 8\n3 3 -3\n4 4 4"), "7\n10\n9\n") << method;
  }
  EXPECT_EQ(result("allreduce/recursive-doubling", "concat", "a\nb\nc\nd"), "abcd\n");
}

TEST_F(VectorFile, ComesToWhatAPersonWouldOnAHypercubeAndARing) {
  const auto result_on = [&](const char* machine, std::string_view method) {
    Settings settings = vector_settings("sum", 3);
    settings.input = file("in", "1 10 100\n2 20 200\n3 30 300\n4 40 400");
    settings.output = path("out");
    EXPECT_EQ(BuiltMachine(machine).run(method, model_of(PortModel::one), settings).wrong, "") << method;
    return text_of(path("out"));
  };
  for (const std::string_view method : on_hypercubes) EXPECT_EQ(result_on("hypercube:2", method), "10\n100\n1000\n");
  for (const char* machine : {"hypercube:2", "ring:4", "torus:2x2"}) {
    EXPECT_EQ(result_on(machine, "reduce-scatter/ring"), "10\n100\n1000\n") << machine;
  }
}

TEST(VectorMethods, HaveAnElementARankByDefault) {
  EXPECT_EQ(resolved("allreduce/ring", "switch:12").words, 12U);
  EXPECT_EQ(resolved("reduce-scatter/circulant", "complete:5").words, 5U);
  EXPECT_EQ(refusal("allreduce/swing", "switch:12", vector_settings("sum", 12)),
            "switch:12 has 12 processors; a power of two is needed");
}

}  // namespace
}  // namespace lockstep::allreduce_test
