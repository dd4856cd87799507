// The scatters and gathers of Saad & Schultz: sbt on the hypercube (saad-schultz-1985.md, Gather, Scatter), two-way on
// the ring (saad-schultz-1988.md, Ring scatter) and two-phase on the torus (saad-schultz-1988.md, Torus scatter). A
// gather has the counts of the scatter, in time reversed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "data_directory.hpp"
#include "method_run.hpp"

namespace lockstep::scatter_test {
namespace {

// saad-schultz-1985.md, Gather: S = n, W = (k-1) m, M = k-1, V = n (k/2) m.
SpecCounts cube_counts(std::uint64_t n, std::uint64_t m) {
  const std::uint64_t k = std::uint64_t{1} << n;
  return {n, (k - 1) * m, k - 1, n * (k / 2) * m};
}

// saad-schultz-1988.md, Ring scatter: D = floor(k/2), E = k-1-D; S = D, W = D m, M = D(D+1)/2 + E(E+1)/2, V = M m.
SpecCounts ring_counts(std::uint64_t k, std::uint64_t m) {
  const std::uint64_t D = k / 2;
  const std::uint64_t E = k - 1 - D;
  const std::uint64_t M = D * (D + 1) / 2 + E * (E + 1) / 2;
  return {D, D * m, M, M * m};
}

// saad-schultz-1988.md, Torus scatter: D = h = floor(s/2), E = s-1-h, H = D(D+1)/2 + E(E+1)/2; S = 2h, W = h(s+1)m, M =
// H(1+s), V = 2sHm.
SpecCounts torus_counts(std::uint64_t s, std::uint64_t m) {
  const std::uint64_t h = s / 2;
  const std::uint64_t E = s - 1 - h;
  const std::uint64_t H = h * (h + 1) / 2 + E * (E + 1) / 2;
  return {2 * h, h * (s + 1) * m, H * (1 + s), 2 * s * H * m};
}

/// Runs scatter/ and gather/`name` on the machine from several roots, in these models, and expects the counts.
template <class CountsOf>
void expect_scatter_and_gather(const std::string& name, const std::string& text, const std::vector<Model>& models,
                               const CountsOf& counts) {
  const BuiltMachine machine(text);
  const Rank k = machine.topology.processors();
  for (const std::string& method : {"scatter/" + name, "gather/" + name}) {
    for (const Rank root : std::set<Rank>{0, k / 3, k - 1}) {
      for (const std::uint64_t words : {1U, 2U, 5U}) {
        for (const Model& model : models) {
          SpecCounts spec = counts(words);
          spec.peak_words_held = k * words;
          expect_run(machine, method, model, item_settings(words, root), spec);
        }
      }
    }
  }
}

std::vector<Model> models_of(std::initializer_list<PortModel> ports, std::initializer_list<Duplex> duplexes) {
  std::vector<Model> models;
  for (const PortModel port : ports) {
    for (const Duplex duplex : duplexes) models.push_back(model_of(port, duplex));
  }
  return models;
}

TEST(ScatterSbt, HasTheCountsOfThePaperInEveryModel) {
  const auto models = models_of({PortModel::one, PortModel::one_strict, PortModel::all},
                                {Duplex::full, Duplex::half_link, Duplex::half_node});
  for (unsigned n = 0; n <= 9; ++n) {
    expect_scatter_and_gather("sbt", cube(n), models, [n](std::uint64_t m) { return cube_counts(n, m); });
  }
}

TEST(ScatterTwoWay, HasTheCountsOfThePaper) {
  const auto models = models_of({PortModel::all}, {Duplex::full, Duplex::half_link});
  for (unsigned k = 1; k <= 20; ++k) {
    expect_scatter_and_gather("two-way", "ring:" + std::to_string(k), models,
                              [k](std::uint64_t m) { return ring_counts(k, m); });
  }
}

TEST(ScatterTwoPhase, HasTheCountsOfThePaper) {
  const auto models = models_of({PortModel::all}, {Duplex::full, Duplex::half_link});
  for (unsigned s = 1; s <= 7; ++s) {
    expect_scatter_and_gather("two-phase", square(s), models, [s](std::uint64_t m) { return torus_counts(s, m); });
  }
}

// "The message doubles every cycle (m, 2m, ..., 2^(n-1) m)" in the gather; "message lengths in reverse order" in the
// scatter. On the ring every cycle has one of m.
TEST(ScatterAndGather, AreEachOtherInReversedTime) {
  for (const auto& [method, text, expected] : {std::tuple("gather/sbt", "hypercube:4", Lengths{3, 6, 12, 24}),
                                               std::tuple("scatter/sbt", "hypercube:4", Lengths{24, 12, 6, 3}),
                                               std::tuple("gather/two-way", "ring:8", Lengths{3, 3, 3, 3}),
                                               std::tuple("scatter/two-way", "ring:8", Lengths{3, 3, 3, 3}),
                                               std::tuple("gather/two-phase", "torus:4x4", Lengths{3, 3, 12, 12}),
                                               std::tuple("scatter/two-phase", "torus:4x4", Lengths{12, 12, 3, 3})}) {
    const BuiltMachine machine(text);
    const Model& model = machine.method(method).defaults;
    expect_run(machine, method, model, item_settings(3, 5), {.longest = expected});
  }
}

TEST(ScatterTwoWay, IsRefusedWhereTheModelIsStricter) {
  EXPECT_EQ(violation("scatter/two-way", "ring:4", model_of(PortModel::one)),
            "scatter/two-way: cycle 0, rank 0, ports 0 and 1: a second send in one cycle (port model one: at most one "
            "send a cycle)");
  EXPECT_EQ(violation("gather/two-way", "ring:4", model_of(PortModel::one)),
            "gather/two-way: cycle 1, rank 0, ports 0 and 1: 2 messages sent to one processor in one cycle (port model "
            "one: at most one receive a cycle)");
  EXPECT_EQ(violation("scatter/two-way", "ring:4", model_of(PortModel::all, Duplex::half_node)),
            "scatter/two-way: cycle 1, rank 1, port 1: received there, but sent on port 0 in the same cycle (duplex "
            "half-node: either send or receive)");
  EXPECT_EQ(violation("gather/two-way", "ring:4", model_of(PortModel::all, Duplex::half_node)),
            "gather/two-way: cycle 0, rank 1, port 0: received there, but sent on port 1 in the same cycle (duplex "
            "half-node: either send or receive)");
  // One link, used once.
  EXPECT_EQ(violation("scatter/two-way", "ring:2", model_of(PortModel::one_strict, Duplex::half_node)), "");
}

TEST(ScatterTwoPhase, IsRefusedWhereTheModelIsStricter) {
  EXPECT_EQ(
      violation("scatter/two-phase", "torus:3x3", model_of(PortModel::one)),
      "scatter/two-phase: cycle 0, rank 0, ports 2 and 3: a second send in one cycle (port model one: at most one "
      "send a cycle)");
  EXPECT_EQ(
      violation("gather/two-phase", "torus:3x3", model_of(PortModel::one)),
      "gather/two-phase: cycle 0, rank 0, ports 0 and 1: 2 messages sent to one processor in one cycle (port model "
      "one: at most one receive a cycle)");
  EXPECT_EQ(violation("scatter/two-phase", "torus:4x4", model_of(PortModel::all, Duplex::half_node)),
            "scatter/two-phase: cycle 1, rank 1, port 3: received there, but sent on port 2 in the same cycle "
            "(duplex half-node: either send or receive)");
  EXPECT_EQ(violation("gather/two-phase", "torus:4x4", model_of(PortModel::all, Duplex::half_node)),
            "gather/two-phase: cycle 0, rank 4, port 0: received there, but sent on port 1 in the same cycle (duplex "
            "half-node: either send or receive)");
}

// One port: n cycles on the cube, ceil(k/2) on the ring, as in S steps messages of the root reach 2 S processors,
// itself included, and (k-1) m words. All ports: the diameter, and (k-1) m words over the links of the root; blocks may
// be divided.
TEST(ScatterAndGather, AreBoundedByGrowthAndByTheLinksOfTheRoot) {
  const auto bound = [](const std::string& name, const char* text, PortModel ports) {
    const Bound scatter = lockstep::bound("scatter/" + name, text, item_settings(3, 0), model_of(ports));
    EXPECT_EQ(lockstep::bound("gather/" + name, text, item_settings(3, 0), model_of(ports)), scatter);
    return scatter;
  };
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    EXPECT_EQ(bound("sbt", "hypercube:0", ports), Bound(0, 0));
    EXPECT_EQ(bound("sbt", "hypercube:4", ports), Bound(4, 45));
    EXPECT_EQ(bound("two-way", "ring:1", ports), Bound(0, 0));
    EXPECT_EQ(bound("two-way", "ring:2", ports), Bound(1, 3));
    EXPECT_EQ(bound("two-way", "ring:9", ports), Bound(5, 24));
  }
  EXPECT_EQ(bound("sbt", "hypercube:0", PortModel::all), Bound(0, 0));
  EXPECT_EQ(bound("sbt", "hypercube:1", PortModel::all), Bound(1, 3));
  EXPECT_EQ(bound("sbt", "hypercube:4", PortModel::all), Bound(4, 12));  // ceil(45/4)
  EXPECT_EQ(bound("two-way", "ring:1", PortModel::all), Bound(0, 0));
  EXPECT_EQ(bound("two-way", "ring:2", PortModel::all), Bound(1, 3));
  EXPECT_EQ(bound("two-way", "ring:8", PortModel::all), Bound(4, 11));  // ceil(21/2)
  EXPECT_EQ(bound("two-way", "ring:9", PortModel::all), Bound(4, 12));
  // "2h cycles, ceil((k-1)/4) blocks", in words (k-1) m / 4; a processor has one link along a side of 2.
  EXPECT_EQ(bound("two-phase", "torus:1x1", PortModel::all), Bound(0, 0));
  EXPECT_EQ(bound("two-phase", "torus:2x2", PortModel::all), Bound(2, 5));  // ceil(9/2)
  EXPECT_EQ(bound("two-phase", "torus:3x3", PortModel::all), Bound(2, 6));
  EXPECT_EQ(bound("two-phase", "torus:4x4", PortModel::all), Bound(4, 12));
  EXPECT_EQ(bound("two-phase", "torus:4x4", PortModel::one), Bound(4, 45));
}

TEST(ScatterAndGather, SeeWhatArrivesWrong) {
  const auto wrong = [](std::string_view method, const char* text, const Fault& fault) {
    return noticed(BuiltMachine(text), method, model_of(PortModel::all), item_settings(3, 0), fault);
  };
  // The last message of the scatter is from 3 to 7; the first of the gather is from 4 to 0.
  EXPECT_EQ(wrong("scatter/sbt", "hypercube:3", {FaultKind::corrupt, 6}),
            "rank 7 holds 3 words of the 3 from rank 0, the first 1 right");
  EXPECT_EQ(wrong("gather/sbt", "hypercube:3", {FaultKind::corrupt, 0}),
            "rank 0 holds 3 words of the 3 from rank 4, the first 1 right");
  EXPECT_EQ(wrong("scatter/sbt", "hypercube:3", {FaultKind::swap, 5}),
            "scatter/sbt: cycle 3, rank 6: the program threw: a message of other blocks than planned");
  // Both are sent by a neighbour of the root in the last cycle, each with its own block.
  EXPECT_EQ(wrong("gather/two-way", "ring:3", {FaultKind::swap, 0}),
            "gather/two-way: cycle 1, rank 0: the program threw: a message of other blocks than planned");
}

TEST(ScatterAndGather, HaveDefaultsAndLimits) {
  for (const auto& [method, text] :
       {std::pair("scatter/sbt", "hypercube:4"), std::pair("gather/sbt", "hypercube:4"),
        std::pair("scatter/two-way", "ring:16"), std::pair("gather/two-way", "ring:16"),
        std::pair("scatter/two-phase", "torus:4x4"), std::pair("gather/two-phase", "torus:4x4")}) {
    SCOPED_TRACE(method);
    const bool cube = std::string_view(method).ends_with("sbt");
    expect_defaults(method, parse_machine(text).family, cube ? PortModel::one : PortModel::all);
    expect_words_from(1, method, text);
    expect_roots_to(15, method, text);
    EXPECT_THROW(find_method(method, "rh"), InputError);
    const std::uint64_t data = std::uint64_t{16} * 1000000 * 8;
    expect_bytes(method, text, item_settings(1000000, 0), data, data + data / 100);
  }
  EXPECT_EQ(bytes_of("scatter/sbt", "hypercube:31", item_settings(most_words, 0)), too_many_bytes);
}

class ScatterFiles : public DataDirectory {
 protected:
  static Settings with_input(const std::string& path, std::optional<std::uint64_t> words = {}) {
    Settings settings;
    settings.words = words;
    settings.root = 2;
    settings.input = path;
    return settings;
  }

  std::string refused(std::string_view name, const std::string& machine, const Settings& settings) const {
    return refusal_of([&] {
      Settings resolved = settings;
      const MachineSpec spec = parse_machine(machine);
      find_method(name, spec.family).resolve(spec, {}, resolved);
    });
  }
};

TEST_F(ScatterFiles, ComeOutAsTheyWentIn) {
  const std::string numbers = "1\n-2\n3\n4\n5\n6\n7\n9223372036854775807\n";
  Settings settings = with_input(file("in.txt", numbers));
  settings.output = path("out.txt");
  for (const auto& [method, text] :
       {std::pair("scatter/sbt", "hypercube:2"), std::pair("gather/sbt", "hypercube:2"),
        std::pair("scatter/two-way", "ring:4"), std::pair("gather/two-way", "ring:4"),
        std::pair("scatter/two-phase", "torus:2x2"), std::pair("gather/two-phase", "torus:2x2")}) {
    SCOPED_TRACE(method);
    const BuiltMachine machine(text);
    const Model model = machine.method(method).defaults;
    const Outcome outcome = machine.run(method, model, settings);
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.report.peak_words_held, 8U);
    EXPECT_EQ(text_of(path("out.txt")), numbers);
    std::filesystem::remove(path("out.txt"));
    EXPECT_NE(machine.run(method, model, settings, Fault{FaultKind::corrupt, 0}).wrong, "");
    EXPECT_EQ(files(), std::vector<std::string>{"in.txt"});
  }
}

TEST_F(ScatterFiles, ThatDoNotFitAreRefusedWithWhatWould) {
  const std::string in = file("in.txt", "1 2 3 4 5 6 7 8 9 10");
  EXPECT_EQ(refused("scatter/sbt", "hypercube:2", with_input(in)),
            "in.txt has 10 numbers, which cannot be divided evenly among the processors of hypercube:2: 8 or 12 would "
            "fit");
  EXPECT_EQ(refused("gather/two-way", "ring:11", with_input(in)),
            "in.txt has 10 numbers, which cannot be divided evenly among the processors of ring:11: 11 would fit");
  EXPECT_EQ(refused("gather/two-way", "ring:5", with_input(in, 3)),
            "--words 3 does not fit in.txt, which has 10 numbers: 15 would fit ring:5");
  EXPECT_EQ(refused("gather/two-way", "ring:5", with_input(in, 2)), "");
  EXPECT_EQ(refused("gather/two-way", "ring:5", with_input(in, 0)), "--words 0 is out of range: 1 to 2147483648");
}

}  // namespace
}  // namespace lockstep::scatter_test
