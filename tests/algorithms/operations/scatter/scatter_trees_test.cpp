// The scatters of Johnsson & Ho (johnsson-ho.md, Scatter): sbt-reflected, sbt-all-port, sbnt, rotated-sbt-halving and
// rotated-sbt-rbf, with n trees and with fewer.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "arithmetic.hpp"
#include "data_directory.hpp"
#include "method_run.hpp"

namespace lockstep::scatter_trees_test {
namespace {

constexpr std::string_view reflected = "scatter/sbt-reflected";
constexpr std::string_view all_port = "scatter/sbt-all-port";
constexpr std::string_view balanced = "scatter/sbnt";
constexpr std::string_view halving = "scatter/rotated-sbt-halving";
constexpr std::string_view breadth = "scatter/rotated-sbt-rbf";

/// A row of Pascal's triangle: C(n, 0) to C(n, n).
Lengths binomials(std::uint64_t n) {
  Lengths row{1};
  for (std::uint64_t i = 0; i < n; ++i) {
    Lengths next{1};
    for (std::size_t place = 1; place < row.size(); ++place) next.push_back(row[place - 1] + row[place]);
    next.push_back(1);
    row = next;
  }
  return row;
}

/// Number of strings of n zeros and ones, `weight` of them ones, that are the least of all their rotations.
std::uint64_t necklaces(std::uint64_t n, std::uint64_t weight) {
  std::uint64_t count = 0;
  std::string beads = std::string(n - weight, '0') + std::string(weight, '1');
  do {
    std::string turned = beads;
    bool least = true;
    for (std::uint64_t turn = 0; turn < n; ++turn) {
      std::rotate(turned.begin(), turned.begin() + 1, turned.end());
      least = least && beads <= turned;
    }
    if (least) ++count;
  } while (std::next_permutation(beads.begin(), beads.end()));
  return count;
}

Settings tree_settings(std::uint64_t words, std::uint64_t root, std::optional<std::uint64_t> trees = {}) {
  Settings settings = item_settings(words, root);
  settings.trees = trees;
  return settings;
}

/// Runs the method on the n-cube and expects n steps, D n N/2 words, right data and exact predictions.
Report expect_scatter(std::string_view method, std::uint64_t n, const Model& model, const Settings& settings,
                      SpecCounts counts = {}) {
  const BuiltMachine machine(cube(n));
  const std::uint64_t N = machine.topology.processors();
  counts.steps = n;
  counts.words = *settings.words * n * N / 2;
  counts.peak_words_held = *settings.words * N;
  Report report = expect_run(machine, method, model, settings, counts);
  expect_predicted(machine.predict(method, model, settings), counts_of(report));
  return report;
}

std::set<std::uint64_t> roots(std::uint64_t n) {
  const std::uint64_t N = std::uint64_t{1} << n;
  return {0, N / 3, N - 1};
}

/// The same from several roots, with these longest messages of the steps.
void expect_lengths(std::string_view method, std::uint64_t n, const Model& model, std::uint64_t words,
                    const Lengths& lengths) {
  for (const std::uint64_t root : roots(n)) {
    expect_scatter(method, n, model, item_settings(words, root), {.longest = lengths});
  }
}

// (1-1/N) PQ words in the longest, PQ/2^i of them in step i; N-1 messages.
TEST(ScatterTrees, ReflectedHasTheCountsOfTheSpecInEveryModel) {
  for (std::uint64_t n = 0; n <= 8; ++n) {
    for (const std::uint64_t D : {1, 2, 5}) {
      const std::uint64_t PQ = D << n;
      Lengths lengths;
      for (std::uint64_t i = 1; i <= n; ++i) lengths.push_back(PQ >> i);
      EXPECT_EQ(sum_of(lengths), PQ - D);
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        expect_lengths(reflected, n, model_of(ports), D, lengths);
      }
      expect_scatter(reflected, n, model_of(PortModel::one), item_settings(D, 0),
                     {.messages = (std::uint64_t{1} << n) - 1});
    }
  }
}

// One-port start-ups: sum_{i=1..n} ceil(PQ/(2^i B_m)), in sequence.
TEST(ScatterTrees, ReflectedTakesTheStartUpsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 8; ++n) {
    for (const std::uint64_t B_m : {1, 3, 4, 7, 1000}) {
      const std::uint64_t D = 5;
      const std::uint64_t PQ = D << n;
      std::uint64_t in_turn = 0;
      std::uint64_t of_all = 0;
      for (std::uint64_t i = 1; i <= n; ++i) {
        const std::uint64_t startups = ((PQ >> i) + B_m - 1) / B_m;
        in_turn += startups;
        of_all += startups << (i - 1);
      }
      Model model = model_of(PortModel::one);
      model.cost.max_packet_words = B_m;
      const Report report = expect_scatter(reflected, n, model, item_settings(D, 0));
      EXPECT_EQ(report.startups, of_all);
      EXPECT_DOUBLE_EQ(report.time_synchronous, static_cast<double>(in_turn) * 3 + static_cast<double>(PQ - D) * 0.5);
    }
  }
}

// PQ/2 words in the longest. The root's first port has 2^(n-1) processors behind it, C(n-1, i) of them at distance i+1.
TEST(ScatterTrees, AllPortHasTheCountsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 8; ++n) {
    for (const std::uint64_t D : {1, 2, 5}) {
      Lengths lengths;
      for (std::uint64_t distance = n; distance > 0; --distance) lengths.push_back(binomials(n - 1)[distance - 1] * D);
      EXPECT_EQ(sum_of(lengths), n == 0 ? 0 : (D << n) / 2);
      expect_lengths(all_port, n, model_of(PortModel::all), D, lengths);
    }
  }
}

// D times the necklaces of weight n-t+1 in cycle t.
TEST(ScatterTrees, BalancedHasTheCountsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 8; ++n) {
    for (const std::uint64_t D : {1, 3}) {
      Lengths lengths;
      for (std::uint64_t weight = n; weight > 0; --weight) lengths.push_back(necklaces(n, weight) * D);
      expect_lengths(balanced, n, model_of(PortModel::all), D, lengths);
    }
  }
  // Subtree 0 has necklaces(n) - 1 nodes, and no link carries more than that.
  const std::vector<std::uint64_t> all_necklaces{1, 2, 3, 4, 6, 8, 14, 20, 36};
  for (std::uint64_t n = 0; n <= 8; ++n) {
    const Report report = expect_scatter(balanced, n, model_of(PortModel::all), item_settings(2, 0));
    EXPECT_EQ(report.longest_sum, 2 * (all_necklaces[n] - 1));
    EXPECT_EQ(report.busiest_link_words, 2 * (all_necklaces[n] - 1));
  }
}

// PQ/(n 2^i) words in step i of halving, C(n, n-i+1) D/n in cycle i of reverse breadth first: (1-1/N) PQ/n in all.
TEST(ScatterTrees, RotatedHaveTheCountsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 8; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const std::uint64_t part : {1, 3}) {
      const std::uint64_t D = part * std::max<std::uint64_t>(n, 1);
      Lengths halves;
      Lengths distances;
      for (std::uint64_t i = 1; i <= n; ++i) {
        halves.push_back(N * D / n >> i);
        distances.push_back(binomials(n)[n - i + 1] * D / n);
      }
      EXPECT_EQ(sum_of(halves), n == 0 ? 0 : (N - 1) * D / n);
      EXPECT_EQ(sum_of(distances), sum_of(halves));
      expect_lengths(halving, n, model_of(PortModel::all), D, halves);
      expect_lengths(breadth, n, model_of(PortModel::all), D, distances);
      // Every tree has a message for every rank but the root.
      expect_scatter(halving, n, model_of(PortModel::all), item_settings(D, 0), {.messages = n * (N - 1)});
    }
  }
}

// The first part of a block is as long as any, and its tree's first message goes together with those of all others.
TEST(ScatterTrees, RotatedDivideAnyBlocksThatHaveAWordForEveryTree) {
  for (std::uint64_t n = 1; n <= 6; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (std::uint64_t D = n; D <= 3 * n; ++D) {
      for (const std::uint64_t root : roots(n)) {
        SCOPED_TRACE(cube(n) + ", words " + std::to_string(D) + ", root " + std::to_string(root));
        const Settings settings = item_settings(D, root);
        const Report report = expect_scatter(halving, n, model_of(PortModel::all), settings);
        EXPECT_EQ(report.longest_sum, (N - 1) * ((D + n - 1) / n));
        EXPECT_LE(expect_scatter(breadth, n, model_of(PortModel::all), settings).longest_sum, report.longest_sum);
      }
    }
  }
}

TEST(ScatterTrees, HalvingTakesStartUpsForEveryPart) {
  const std::uint64_t n = 3;
  Model model = model_of(PortModel::all);
  model.cost.max_packet_words = 3;
  // Parts of 3, 2 and 2 words, 4 blocks a message in step 1, then 2, then 1.
  const Report report = expect_scatter(halving, n, model, item_settings(7, 0));
  EXPECT_EQ(report.startups, 1U * (4 + 3 + 3) + 2U * (2 + 2 + 2) + 4U * (1 + 1 + 1));
}

// One word a tree: (N-1) 2^(n/k-1) / (2^(n/k)-1) words over the busiest link.
TEST(ScatterTrees, FewerRotatedTreesLoadTheLinksAsTheSpecSays) {
  for (std::uint64_t n = 1; n <= 8; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (std::uint64_t k = 1; k <= n; ++k) {
      if (n % k != 0) continue;
      const std::uint64_t power = std::uint64_t{1} << (n / k);
      for (const std::string_view method : {halving, breadth}) {
        SCOPED_TRACE(std::string(method) + " on " + cube(n) + ", trees " + std::to_string(k));
        const Report report = expect_scatter(method, n, model_of(PortModel::all), tree_settings(k, N / 3, k));
        EXPECT_EQ(report.busiest_link_words, (N - 1) * (power / 2) / (power - 1));
        expect_scatter(method, n, model_of(PortModel::all), tree_settings(2 * k + 1, N / 3, k));
      }
    }
  }
}

// k = 2: rotation by n/2, rounded, N/2 + 2^(ceil(n/2)-1); reflection N/2 + 1.
TEST(ScatterTrees, TwoTreesLoadTheLinksAsTheSpecSays) {
  for (std::uint64_t n = 1; n <= 8; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const std::uint64_t root : roots(n)) {
      SCOPED_TRACE(cube(n) + ", root " + std::to_string(root));
      for (const std::string_view method : {halving, breadth}) {
        if (n == 1) continue;  // one dimension has one order
        const Report report = expect_scatter(method, n, model_of(PortModel::all), tree_settings(2, root, 2));
        EXPECT_EQ(report.busiest_link_words, N / 2 + (std::uint64_t{1} << ((n + 1) / 2 - 1)));
      }
      const Report report = expect_scatter(reflected, n, model_of(PortModel::all), tree_settings(2, root, 2));
      EXPECT_EQ(report.busiest_link_words, N / 2 + 1);
    }
  }
}

// k/2 rotated plus k/2 reflected trees: (N-1) (2^(2n/k-1)+1) / (2^(2n/k)-1).
TEST(ScatterTrees, RotatedAndReflectedTreesLoadTheLinksAsTheSpecSays) {
  for (std::uint64_t n = 1; n <= 8; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (std::uint64_t k = 2; k <= 2 * n; k += 2) {
      if (2 * n % k != 0) continue;
      SCOPED_TRACE(cube(n) + ", trees " + std::to_string(k));
      const std::uint64_t power = std::uint64_t{1} << (2 * n / k);
      const Report report = expect_scatter(reflected, n, model_of(PortModel::all), tree_settings(k, N / 3, k));
      EXPECT_EQ(report.busiest_link_words, (N - 1) * (power / 2 + 1) / (power - 1));
      expect_scatter(reflected, n, model_of(PortModel::all), tree_settings(2 * k + 1, N / 3, k));
    }
  }
}

TEST(ScatterTrees, HaveDefaults) {
  for (const auto& [name, words, trees] : {std::tuple(reflected, 1, std::optional<std::uint64_t>(1)),
                                           std::tuple(all_port, 1, std::optional<std::uint64_t>()),
                                           std::tuple(balanced, 1, std::optional<std::uint64_t>()),
                                           std::tuple(halving, 6, std::optional<std::uint64_t>(6)),
                                           std::tuple(breadth, 6, std::optional<std::uint64_t>(6))}) {
    expect_defaults(name, "hypercube", name == reflected ? PortModel::one : PortModel::all);
    const Settings settings = resolved(name, "hypercube:6");
    EXPECT_EQ(settings.words, words) << name;
    EXPECT_EQ(settings.trees, trees) << name;
  }
}

TEST(ScatterTrees, AreRefusedNumbersThatDoNotFit) {
  for (const std::string_view method : {halving, breadth}) {
    EXPECT_EQ(refusal(method, "hypercube:6", tree_settings(9, 0, 4)),
              "--trees 4 does not fit hypercube:6: 1, 2, 3 or 6 would");
    EXPECT_EQ(refusal(method, "hypercube:5", tree_settings(9, 0, 3)),
              "--trees 3 does not fit hypercube:5: 1, 2 or 5 would");
    EXPECT_EQ(refusal(method, "hypercube:0", tree_settings(9, 0, 2)), "--trees 2 does not fit hypercube:0: 1 would");
    EXPECT_EQ(refusal(method, "hypercube:1", tree_settings(9, 0, 0)), "--trees 0 does not fit hypercube:1: 1 would");
    EXPECT_EQ(refusal(method, "hypercube:5", tree_settings(4, 0)),
              "blocks of 4 words cannot be divided among 5 trees: 5 words are the least that would fit");
    EXPECT_EQ(refusal(method, "hypercube:5", tree_settings(1, 0, 2)),
              "blocks of 1 word cannot be divided among 2 trees: 2 words are the least that would fit");
    EXPECT_EQ(refusal(method, "hypercube:5", tree_settings(2, 0, 2)), "");
  }
  EXPECT_EQ(refusal(reflected, "hypercube:6", tree_settings(9, 0, 3)),
            "--trees 3 does not fit hypercube:6: 1, 2, 4, 6 or 12 would");
  EXPECT_EQ(refusal(reflected, "hypercube:0", tree_settings(9, 0, 2)), "--trees 2 does not fit hypercube:0: 1 would");
  for (const std::string_view method : {reflected, all_port, balanced, halving, breadth}) {
    EXPECT_EQ(refusal(method, "hypercube:4", block_settings(0)), "--words 0 is out of range: 1 to 2147483648");
    expect_roots_to(15, method, "hypercube:4");
  }
}

TEST(ScatterTrees, AreRefusedWhereTheModelIsStricter) {
  for (const std::string_view method : {all_port, balanced, halving, breadth}) {
    EXPECT_NE(violation(method, "hypercube:3", model_of(PortModel::one)), "") << method;
    EXPECT_NE(violation(method, "hypercube:3", model_of(PortModel::one_strict)), "") << method;
    EXPECT_EQ(violation(method, "hypercube:1", model_of(PortModel::one_strict)), "") << method;
  }
  EXPECT_EQ(
      violation(halving, "hypercube:3", model_of(PortModel::one)),
      "scatter/rotated-sbt-halving: cycle 0, rank 0, ports 0 and 1: a second send in one cycle (port model one: at "
      "most one send a cycle)");
  EXPECT_EQ(refusal(reflected, "hypercube:3", tree_settings(2, 0, 2)),
            "--trees 2 needs --ports all: with --ports one scatter/sbt-reflected has 1 tree");
  EXPECT_EQ(violation(reflected, "hypercube:3", model_of(PortModel::one_strict)), "");
}

// One port: max((1-1/N) PQ, n); all ports: an n-th of it, rounded up.
TEST(ScatterTrees, AreBoundedAsTheSpecSays) {
  const auto bound = [](std::string_view method, std::uint64_t n, PortModel ports, std::uint64_t words) {
    return bound_as_given(method, cube(n), item_settings(words, 0), model_of(ports));
  };
  for (const std::string_view method : {reflected, all_port, balanced, halving, breadth}) {
    EXPECT_EQ(bound(method, 0, PortModel::all, 3), Bound(0, 0));
    EXPECT_EQ(bound(method, 4, PortModel::all, 3), Bound(4, 12));
    EXPECT_EQ(bound(method, 4, PortModel::one, 3), Bound(4, 45));
    EXPECT_EQ(bound(method, 3, PortModel::all, 1), Bound(3, 3));
  }
}

TEST(ScatterTrees, PredictLargeCubes) {
  const MachineSpec spec = parse_machine("hypercube:24");
  const auto predicted = [&](std::string_view method) {
    return find_method(method, "hypercube").predict(spec, model_of(PortModel::all), item_settings(48, 0));
  };
  const std::uint64_t N = std::uint64_t{1} << 24;
  EXPECT_EQ(predicted(all_port).longest_sum->value, 24 * N);
  EXPECT_EQ(predicted(all_port).messages->value, 2 * N - 26);
  EXPECT_EQ(predicted(breadth).longest_sum->value, 2 * (N - 1));
  EXPECT_EQ(predicted(breadth).messages->value, 24 * (N - 1));
  EXPECT_EQ(predicted(balanced).longest_sum->value, 48U * (699252 - 1));  // A000031
  EXPECT_FALSE(predicted(balanced).messages);
}

TEST(ScatterTrees, CatchEveryFault) {
  const Model all = model_of(PortModel::all);
  expect_catches_faults(reflected, "hypercube:3", tree_settings(2, 5));
  expect_catches_faults(reflected, "hypercube:3", tree_settings(5, 5, 2), all);
  expect_catches_faults(reflected, "hypercube:3", tree_settings(6, 0, 6), all);
  expect_catches_faults(all_port, "hypercube:4", tree_settings(2, 5));
  expect_catches_faults(balanced, "hypercube:4", tree_settings(2, 5));
  for (const std::string_view method : {halving, breadth}) {
    expect_catches_faults(method, "hypercube:3", tree_settings(4, 5));
    expect_catches_faults(method, "hypercube:4", tree_settings(3, 9, 2));
  }
}

class ScatterTreeFiles : public DataDirectory {};

TEST_F(ScatterTreeFiles, ComeOutAsTheyWentIn) {
  const std::string numbers = "1\n-2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n9223372036854775807\n";
  Settings settings;
  settings.root = 2;
  settings.input = file("in.txt", numbers);
  settings.output = path("out.txt");
  for (const std::string_view method : {reflected, all_port, balanced, halving, breadth}) {
    SCOPED_TRACE(method);
    const BuiltMachine machine("hypercube:2");
    const Outcome outcome = machine.run(method, machine.method(method).defaults, settings);
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(text_of(path("out.txt")), numbers);
    std::filesystem::remove(path("out.txt"));
  }
  settings.input = file("short.txt", "1 2 3 4");
  EXPECT_EQ(refusal(breadth, "hypercube:2", settings),
            *settings.input +
                " is too short: blocks of 1 word cannot be divided among 2 trees: 8 numbers are the least "
                "that would fit");
}

}  // namespace
}  // namespace lockstep::scatter_trees_test
