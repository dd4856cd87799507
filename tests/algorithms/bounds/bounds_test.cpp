// Lower bounds against the best schedules, found by exhaustive search, and against published values.
#include "lockstep/algorithms/bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../../sanitized.hpp"
#include "../../temporary_directory.hpp"
#include "arithmetic.hpp"
#include "bounds/optimum.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::bounds_test {
namespace {

using optimum::Network;

Model model_of(PortModel ports, Duplex duplex = Duplex::full, bool multicast = false) {
  Model model;
  model.ports = ports;
  model.duplex = duplex;
  model.multicast = multicast;
  return model;
}

/// All rules, that of rings only for machines that can be a part of one.
std::vector<Model> all_rules(bool with_that_of_rings = false) {
  std::vector<Model> rules;
  for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::two, PortModel::all}) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      rules.push_back(model_of(ports, duplex));
      if (ports == PortModel::one) rules.push_back(model_of(ports, duplex, true));
    }
  }
  for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
    if (with_that_of_rings) rules.push_back(model_of(PortModel::ring, duplex));
  }
  return rules;
}

bool is_part_of_a_ring(const Network& network) {
  std::vector<unsigned> links(network.processors);
  for (const auto& [one, other] : network.links) {
    ++links[one];
    ++links[other];
  }
  return std::ranges::max(links) <= 2;
}

std::string text_of(const Model& model) {
  return std::string(name(model.ports)) + ", " + std::string(name(model.duplex)) +
         (model.multicast ? ", multicast" : "");
}

/// How many bounds are the optimum, of how many, by kind of problem.
class Tally {
 public:
  void expect_no_more(const std::string& kind, const std::optional<std::uint64_t>& bound, const std::string& argument,
                      std::uint64_t optimum) {
    auto& [met, all] = kinds_[kind];
    ++all;
    if (bound == optimum) ++met;
    EXPECT_LE(bound.value_or(0), optimum) << kind << ": " << argument;
  }
  /// Prints the counts, and expects at least this share of a kind's bounds to be met, in percent.
  void expect_met(const std::map<std::string, unsigned>& shares) const {
    for (const auto& [kind, counts] : kinds_) {
      const auto& [met, all] = counts;
      testing::Test::RecordProperty(kind, std::to_string(met) + " of " + std::to_string(all));
      std::printf("%s: %u of %u bounds are met\n", kind.c_str(), met, all);
      if (shares.contains(kind)) {
        EXPECT_GE(100 * met, shares.at(kind) * all) << kind;
      }
    }
  }

 private:
  std::map<std::string, std::pair<unsigned, unsigned>> kinds_;
};

/// How many bounds of the time are the optimum, and how many are above that of the counts alone.
class TimeTally {
 public:
  void expect_no_more(const LowerBound& bound, const CostModel& cost, unsigned optimum) {
    const double of_counts = cost.time(bound.steps.value_or(0), bound.longest_sum.value_or(0));
    const double found = std::max(of_counts, bound.time ? bound.time->value : 0);
    ++all_;
    if (found > of_counts) ++above_counts_;
    if (found > optimum - 1) ++met_;  // times are whole numbers here
    EXPECT_LE(found, optimum + 1e-9) << (bound.time ? bound.time->formula : "counts");
  }
  void print() const {
    std::printf("time: %u of %u bounds are met, %u are above those of the counts\n", met_, all_, above_counts_);
    EXPECT_GT(above_counts_, all_ / 10);
  }

 private:
  unsigned met_ = 0;
  unsigned all_ = 0;
  unsigned above_counts_ = 0;
};

/// A problem on a machine, with its bounds.
class Bounded {
 public:
  Bounded(const MachineSpec& machine, const Model& model, Tally& tally)
      : machine_(machine), model_(model), tally_(tally) {}

  void expect_steps(const std::string& kind, Collective collective, Rank root, std::uint64_t optimum) {
    const std::uint64_t words = collective == Collective::reduce_scatter ? machine_.processors : 1;  // a part for each
    const LowerBound bound = bound_of(collective, words, root);
    tally_.expect_no_more(kind, bound.steps, bound.steps_argument, optimum);
  }
  void expect_cycles(const std::string& kind, Collective collective, std::uint64_t words, Rank root,
                     std::uint64_t optimum) {
    const LowerBound bound = bound_of(collective, words, root);
    tally_.expect_no_more(kind, bound.longest_sum, bound.longest_sum_argument, optimum);
  }

 private:
  LowerBound bound_of(Collective collective, std::uint64_t words, Rank root) const {
    return lower_bound(
        Problem{.collective = collective, .machine = machine_, .model = model_, .words = words, .root = root});
  }

  const MachineSpec& machine_;
  const Model& model_;
  Tally& tally_;
};

void expect_steps(const Network& network, const MachineSpec& machine, const Model& model, Tally& tally) {
  Bounded bounded(machine, model, tally);
  const optimum::Steps best = optimum::fewest_steps(network, model);
  for (const Collective collective : {Collective::allgather, Collective::alltoall, Collective::allreduce,
                                      Collective::reduce_scatter, Collective::barrier}) {
    bounded.expect_steps("steps to all", collective, 0, best.to_all);
  }
  bounded.expect_steps("steps of a scan", Collective::scan, 0, best.scan);
  bounded.expect_steps("steps of an exscan", Collective::exscan, 0, best.exscan);
  for (Rank root = 0; root < network.processors; ++root) {
    for (const Collective collective : {Collective::broadcast, Collective::scatter}) {
      bounded.expect_steps("steps from a root", collective, root, best.from[root]);
    }
    for (const Collective collective : {Collective::gather, Collective::reduce}) {
      bounded.expect_steps("steps to a root", collective, root, best.to[root]);
    }
  }
}

void expect_cycles(const Network& network, const MachineSpec& machine, const Model& model, Tally& tally) {
  Bounded bounded(machine, model, tally);
  const unsigned p = network.processors;
  std::vector<unsigned> sources;
  std::vector<unsigned> destinations;
  std::vector<std::uint32_t> each;
  for (unsigned rank = 0; rank < p; ++rank) each.push_back(1U << rank);
  for (Rank root = 0; root < p; ++root) {
    for (unsigned words = 1; words <= 3; ++words) {
      std::vector<std::uint32_t> held(p);
      held[root] = (1U << words) - 1;
      if (const auto best = optimum::fewest_cycles_to_copy(network, model, held, words)) {
        bounded.expect_cycles("words of a broadcast", Collective::broadcast, words, root, *best);
      }
    }
    std::vector<unsigned> at_root;
    std::vector<unsigned> elsewhere;
    for (Rank rank = 0; rank < p; ++rank) {
      if (rank == root) continue;
      at_root.push_back(root);
      elsewhere.push_back(rank);
      sources.push_back(root);
      destinations.push_back(rank);
    }
    bounded.expect_cycles("words of a scatter", Collective::scatter, 1, root,
                          optimum::fewest_cycles_to_move(network, model, at_root, elsewhere));
    bounded.expect_cycles("words of a gather", Collective::gather, 1, root,
                          optimum::fewest_cycles_to_move(network, model, elsewhere, at_root));
  }
  if (const auto best = optimum::fewest_cycles_to_copy(network, model, each, p)) {
    bounded.expect_cycles("words of an allgather", Collective::allgather, 1, 0, *best);
  }
  if (p <= 3) {
    bounded.expect_cycles("words of an alltoall", Collective::alltoall, 1, 0,
                          optimum::fewest_cycles_to_move(network, model, sources, destinations));
  }
}

std::string rules_and_links(const Network& network, const Model& model) {
  std::string text = text_of(model) + ", links";
  for (const auto& [one, other] : network.links) text += " " + std::to_string(one) + "-" + std::to_string(other);
  return text;
}

MachineSpec graph_of(const Network& network, const std::string& file) {
  std::ofstream edges(file);
  for (const auto& [one, other] : network.links) edges << one << ' ' << other << '\n';
  edges.close();
  return parse_machine("graph:" + file);
}

TEST(Bounds, AreNoHigherThanTheBestSchedulesOfSmallGraphs) {
  const test::TemporaryDirectory directory;
  Tally tally;
  for (unsigned processors = 2; processors <= (sanitized ? 3 : 5); ++processors) {
    for (const Network& network : optimum::connected_graphs(processors)) {
      const MachineSpec machine = graph_of(network, directory.file("graph.edges"));
      ASSERT_EQ(machine.processors, processors);
      for (const Model& model : all_rules(is_part_of_a_ring(network))) {
        SCOPED_TRACE(rules_and_links(network, model));
        expect_steps(network, machine, model, tally);
        if (processors <= 4) expect_cycles(network, machine, model, tally);
      }
    }
  }
  tally.expect_met({{"steps from a root", 95}, {"steps to a root", 95}, {"words of a scatter", 95}});
}

Network path_of(unsigned processors) {
  Network path{.processors = processors, .links = {}};
  for (unsigned rank = 1; rank < processors; ++rank) path.links.emplace_back(rank - 1, rank);
  return path;
}

// Larger ones, chosen so that a search ends: a ring, paths, trees, a mesh and two triangles that are joined.
TEST(Bounds, AreNoHigherThanTheBestSchedulesOfChosenGraphs) {
  const test::TemporaryDirectory directory;
  Tally tally;
  const auto expect = [&](const Network& network, const std::vector<Model>& rules) {
    const MachineSpec machine = graph_of(network, directory.file("graph.edges"));
    ASSERT_EQ(machine.processors, network.processors);
    for (const Model& model : rules) {
      SCOPED_TRACE(rules_and_links(network, model));
      expect_steps(network, machine, model, tally);
    }
  };
  expect({6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}}, all_rules(true));
  expect(path_of(6), all_rules(true));
  if (sanitized) return;  // the others are searches of millions of states
  expect({6, {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}}}, all_rules());
  expect({6, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}}}, all_rules());
  expect({6, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {3, 5}}}, all_rules());
  expect(path_of(7), all_rules());
  expect({7, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}}},
         {model_of(PortModel::one_strict), model_of(PortModel::two), model_of(PortModel::all)});
  expect(path_of(8), {model_of(PortModel::one), model_of(PortModel::two), model_of(PortModel::all)});
  tally.expect_met({{"steps from a root", 90}, {"steps to a root", 90}});
}

/// The least time of a broadcast, found by search. A reduction is a broadcast backwards.
void expect_times(const Network& network, const MachineSpec& machine, Model model, TimeTally& tally) {
  const bool is_reversible = !model.multicast && model.ports != PortModel::ring;
  for (const auto& [beta, tau] : {std::pair(1U, 1U), std::pair(3U, 2U), std::pair(1U, 4U)}) {
    model.cost.beta = beta;
    model.cost.tau = tau;
    for (Rank root = 0; root < network.processors; ++root) {
      for (unsigned words = 1; words <= (network.processors < 4 ? 4 : 3); ++words) {
        std::vector<std::uint32_t> held(network.processors);
        held[root] = (1U << words) - 1;
        const unsigned best = optimum::least_time_to_copy(network, model, held, words, beta, tau);
        const auto expect = [&](Collective collective) {
          tally.expect_no_more(
              lower_bound(
                  Problem{.collective = collective, .machine = machine, .model = model, .words = words, .root = root}),
              model.cost, best);
        };
        expect(Collective::broadcast);
        if (is_reversible) expect(Collective::reduce);
      }
    }
  }
}

TEST(Bounds, OfTheTimeAreNoHigherThanThatOfTheBestSchedulesOfSmallGraphs) {
  const test::TemporaryDirectory directory;
  TimeTally tally;
  for (unsigned processors = 2; processors <= (sanitized ? 3 : 4); ++processors) {
    for (const Network& network : optimum::connected_graphs(processors)) {
      const MachineSpec machine = graph_of(network, directory.file("graph.edges"));
      for (const Model& model : all_rules(is_part_of_a_ring(network))) {
        SCOPED_TRACE(rules_and_links(network, model));
        expect_times(network, machine, model, tally);
      }
    }
  }
  tally.print();
}

TEST(Bounds, AreNoHigherThanTheBestSchedulesOfBusesAndSwitches) {
  Tally tally;
  for (unsigned processors = 2; processors <= (sanitized ? 3 : 4); ++processors) {
    for (unsigned users = 0; users <= processors; ++users) {  // 0: a switch
      Network network = optimum::connected_graphs(processors).back();
      ASSERT_EQ(network.links.size(), processors * (processors - 1) / 2);
      if (users > 0) network.users = users;
      const MachineSpec machine =
          parse_machine(users == 0 ? "switch:" + std::to_string(processors)
                                   : "bus:" + std::to_string(processors) + ",kstar=" + std::to_string(users));
      for (const Duplex duplex : {Duplex::full, Duplex::half_node}) {
        for (const bool second : {false, true}) {  // multicast on a bus, two ports on a switch
          const bool multicast = second && users > 0;
          const Model model = model_of(second && users == 0 ? PortModel::two : PortModel::one, duplex, multicast);
          SCOPED_TRACE(machine.text + ", " + text_of(model));
          expect_steps(network, machine, model, tally);
          expect_cycles(network, machine, model, tally);
        }
      }
    }
  }
  tally.expect_met({{"steps from a root", 90}, {"steps to a root", 90}});
}

std::pair<std::uint64_t, std::uint64_t> bound(Collective collective, const std::string& machine, const Model& model,
                                              std::uint64_t words) {
  const MachineSpec spec = parse_machine(machine);
  const LowerBound found =
      lower_bound(Problem{.collective = collective, .machine = spec, .model = model, .words = words});
  return {found.steps.value_or(0), found.longest_sum.value_or(0)};
}

using Pair = std::pair<std::uint64_t, std::uint64_t>;

TEST(Bounds, AreOneStepWhereAllPortsReachAll) {
  const Model all = model_of(PortModel::all);
  EXPECT_EQ(bound(Collective::allgather, "complete:8", all, 64), Pair(1, 64));
  EXPECT_EQ(bound(Collective::alltoall, "complete:8", all, 64), Pair(1, 64));
  EXPECT_EQ(bound(Collective::reduce_scatter, "complete:8", all, 64), Pair(1, 8));
  EXPECT_EQ(bound(Collective::allreduce, "complete:8", all, 64), Pair(1, 16));
}

// The root sends m words one after the other, and the last one takes ceil(log2 p) steps.
TEST(Bounds, OfABroadcastOverOnePortAddTheDoublingsToTheWords) {
  for (const char* machine : {"complete:16", "switch:16", "hypercube:4", "torus:4x4"}) {
    EXPECT_EQ(bound(Collective::broadcast, machine, model_of(PortModel::one), 64), Pair(4, 67)) << machine;
  }
}

// Johnsson and Ho 1989: packets of the best length take m words over D links in (sqrt((D - 1) beta) + sqrt(m tau))^2;
// of whole words, the least of (D - 1 + q)(beta + ceil(m/q) tau).
TEST(Bounds, OfTheTimeOfABroadcastOverAPathAreThatOfTheBestPackets) {
  unsigned met = 0;
  unsigned all = 0;
  for (const std::uint64_t p : {3U, 4U, 5U, 8U, 17U, 40U, 100U, 1000U}) {
    const MachineSpec path = parse_machine("path:" + std::to_string(p));
    const auto waiting = static_cast<double>(p - 2);
    for (const std::uint64_t m : {1U, 2U, 3U, 7U, 10U, 64U, 100U, 999U, 5000U}) {
      for (const double beta : {0.005, 0.37, 1.0, 3.0, 20.0, 500.0}) {
        for (const double tau : {4e-6, 0.1, 1.0, 2.5}) {
          Model model = model_of(PortModel::one);
          model.cost.beta = beta;
          model.cost.tau = tau;
          const LowerBound bound =
              lower_bound(Problem{.collective = Collective::broadcast, .machine = path, .model = model, .words = m});
          SCOPED_TRACE(path.text + ", " + std::to_string(m) + " words, beta " + std::to_string(beta) + ", tau " +
                       std::to_string(tau));
          ASSERT_TRUE(bound.time);
          const double root = std::sqrt(waiting * beta) + std::sqrt(static_cast<double>(m) * tau);
          EXPECT_GE(bound.time->value, root * root * (1 - 1e-9));
          double least = std::numeric_limits<double>::infinity();
          for (std::uint64_t q = 1; q <= m; ++q) {
            const auto longest = static_cast<double>((m + q - 1) / q);
            least = std::min(least, (waiting + static_cast<double>(q)) * (beta + longest * tau));
          }
          EXPECT_LE(bound.time->value, least * (1 + 1e-9));
          ++all;
          if (bound.time->value >= least * (1 - 1e-9)) ++met;
        }
      }
    }
  }
  testing::Test::RecordProperty("met", std::to_string(met) + " of " + std::to_string(all));
  std::printf("%u of %u bounds are the time of the best packets\n", met, all);
  EXPECT_GE(2 * met, all);
}

// Bruck, Ho, Kipnis, Upfal, Weathersby 1997: ceil(log_(k+1) p) steps, and ceil((p - 1)/k) blocks to every processor.
TEST(Bounds, OfKPortsAreThoseOfBruckAndOthers) {
  for (const std::uint32_t k : {1U, 2U, 3U, 7U}) {
    for (const std::uint64_t p : {2U, 3U, 9U, 16U, 64U, 65U}) {
      std::uint64_t rounds = 0;
      for (std::uint64_t reached = 1; reached < p; reached *= k + 1) ++rounds;
      const std::uint64_t ports = std::min<std::uint64_t>(k, p - 1);
      const std::uint64_t words = (5 * (p - 1) + ports - 1) / ports;
      for (const char* family : {"complete:", "switch:"}) {
        const std::string machine = family + std::to_string(p);
        SCOPED_TRACE(machine + ", " + std::to_string(k));
        for (const Collective collective : {Collective::allgather, Collective::alltoall, Collective::scatter}) {
          const auto [steps, longest_sum] = bound(collective, machine, model_of(k_ports(k)), 5);
          EXPECT_EQ(steps, rounds);
          EXPECT_GE(longest_sum, words);
          EXPECT_LE(longest_sum, words + rounds);
        }
        EXPECT_EQ(bound(Collective::broadcast, machine, model_of(k_ports(k)), 1).first, rounds);
      }
    }
  }
}

// Bertsekas, Ozveren, Stamoulis, Tseng, Tsitsiklis 1991: ceil((2^d - 1)/d).
TEST(Bounds, OfBlocksOnHypercubesWithAllPortsAreThoseOfBertsekasAndOthers) {
  const std::map<unsigned, std::uint64_t> published{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {6, 11}, {8, 32}, {10, 103}};
  for (const auto& [d, cycles] : published) {
    const std::string machine = "hypercube:" + std::to_string(d);
    for (const Collective collective : {Collective::scatter, Collective::gather, Collective::allgather}) {
      EXPECT_EQ(bound(collective, machine, model_of(PortModel::all), 1), Pair(d, std::max<std::uint64_t>(d, cycles)))
          << machine;
    }
    // 2^(d-1) words cross every dimension in every direction.
    EXPECT_EQ(bound(Collective::alltoall, machine, model_of(PortModel::all), 1), Pair(d, std::uint64_t{1} << (d - 1)))
        << machine;
    EXPECT_EQ(bound(Collective::alltoall, machine, model_of(PortModel::one), 1),
              Pair(d, d * (std::uint64_t{1} << (d - 1))))
        << machine;
  }
}

// alltoall/multiport runs on ring:6 in 5 steps with three ports: a processor sends two of its 9 messages a step at
// most.
TEST(Bounds, OfMessagesOfOneBlockKnowThePorts) {
  const MachineSpec ring = parse_machine("ring:6");
  Settings settings;
  settings.words = 1;
  const auto steps = [&](PortModel ports) {
    return lower_bound(find_method("alltoall/cayley", "ring"), ring, model_of(ports), settings).steps;
  };
  EXPECT_EQ(steps(PortModel::one), 9);
  for (const std::uint32_t ports : {2U, 3U}) EXPECT_EQ(steps(k_ports(ports)), 5);
  EXPECT_EQ(steps(PortModel::all), 5);
}

// Two cliques of four, numbered alternately, whose first two pairs are joined. Everything between them crosses two
// links.
TEST(Bounds, KnowTheNarrowestCutOfASmallGraph) {
  const test::TemporaryDirectory directory;
  const std::string file = directory.file("cliques.edges");
  std::ofstream(file) << "0 2\n0 4\n0 6\n2 4\n2 6\n4 6\n"
                         "1 3\n1 5\n1 7\n3 5\n3 7\n5 7\n"
                         "0 1\n2 3\n";
  constexpr std::uint64_t m = 80;
  const auto longest_sum = [&](Collective collective, Duplex duplex) {
    return bound(collective, "graph:" + file, model_of(PortModel::all, duplex), m).second;
  };
  EXPECT_EQ(longest_sum(Collective::alltoall, Duplex::full), 4 * 4 * m / 2);
  EXPECT_EQ(longest_sum(Collective::alltoall, Duplex::half_link), 2 * 4 * 4 * m / 2);
  EXPECT_EQ(longest_sum(Collective::allgather, Duplex::half_link), 2 * 4 * m / 2);
  EXPECT_EQ(longest_sum(Collective::allreduce, Duplex::half_link), 2 * m / 2);
  EXPECT_EQ(longest_sum(Collective::reduce_scatter, Duplex::half_link), 2 * (m / 2) / 2);
  // Each of the four odd ranks needs the even ones up to another one.
  EXPECT_EQ(longest_sum(Collective::exscan, Duplex::half_link), 4 * m / 2);
}

/// The links between the processors in the mask and the others.
std::uint64_t links_across(const Network& network, std::uint32_t mask) {
  std::uint64_t across = 0;
  for (const auto& [one, other] : network.links) across += ((mask >> one) ^ (mask >> other)) & 1;
  return across;
}

/// A tree of random links and as many more.
Network random_network(std::mt19937_64& random, unsigned processors, unsigned more) {
  Network network{.processors = processors, .links = {}};
  for (unsigned rank = 1; rank < processors; ++rank) network.links.emplace_back(random() % rank, rank);
  while (more > 0) {
    const auto one = static_cast<unsigned>(random() % processors);
    const auto other = static_cast<unsigned>(random() % processors);
    if (one == other || std::ranges::any_of(network.links, [&](const auto& link) {
          return std::pair(std::min(one, other), std::max(one, other)) ==
                 std::pair(std::min(link.first, link.second), std::max(link.first, link.second));
        })) {
      continue;
    }
    network.links.emplace_back(one, other);
    --more;
  }
  return network;
}

// Of all cuts, listed one by one: the words that have to cross each, over its links. With very many words no other
// argument of a broadcast over all ports says more (Edmonds 1973: as many trees can be packed).
TEST(Bounds, KnowTheNarrowestOfAllCuts) {
  const test::TemporaryDirectory directory;
  std::mt19937_64 random(4);
  constexpr std::uint64_t m = 1 << 20;
  for (unsigned trial = 0; trial < (sanitized ? 4 : 24); ++trial) {
    const auto p = static_cast<unsigned>(4 + random() % 9);
    const Network network = random_network(random, p, static_cast<unsigned>(random() % p));
    SCOPED_TRACE(rules_and_links(network, model_of(PortModel::all)) + ", seed 4");
    const MachineSpec machine = graph_of(network, directory.file("graph.edges"));
    ASSERT_EQ(machine.processors, p);
    std::uint64_t broadcast = 0;
    std::uint64_t allgather = 0;
    std::uint64_t alltoall = 0;
    for (std::uint32_t mask = 2; mask < 1U << p; mask += 2) {
      const auto side = static_cast<std::uint64_t>(std::popcount(mask));
      const std::uint64_t links = links_across(network, mask);
      broadcast = std::max(broadcast, divided_up(m, links));
      allgather = std::max({allgather, divided_up(side * m, links), divided_up((p - side) * m, links)});
      alltoall = std::max(alltoall, divided_up(side * (p - side) * m, links));
    }
    const Model all = model_of(PortModel::all);
    for (Rank root = 0; root < p; ++root) {
      const auto longest_sum = [&](Collective collective) {
        return *lower_bound({.collective = collective, .machine = machine, .model = all, .words = m, .root = root})
                    .longest_sum;
      };
      EXPECT_GE(longest_sum(Collective::broadcast), broadcast);
      EXPECT_LT(longest_sum(Collective::broadcast), broadcast + p);
      EXPECT_GE(longest_sum(Collective::reduce), broadcast);
      EXPECT_GE(longest_sum(Collective::allreduce), broadcast);
      EXPECT_GE(longest_sum(Collective::allgather), allgather);
      EXPECT_GE(longest_sum(Collective::alltoall), alltoall);
    }
  }
}

// Two cubes of eight, whose first and last processors are joined: no ball around a processor is a cube.
TEST(Bounds, KnowANarrowCutThatIsNoBall) {
  const test::TemporaryDirectory directory;
  const std::string file = directory.file("cubes.edges");
  std::ofstream edges(file);
  for (unsigned rank = 0; rank < 8; ++rank) {
    for (const unsigned dimension : {1U, 2U, 4U}) {
      if ((rank & dimension) != 0) continue;
      for (const unsigned cube : {0U, 8U}) edges << cube + rank << ' ' << cube + (rank | dimension) << '\n';
    }
  }
  edges << "0 8\n7 15\n";
  // The same with a path of three behind each cube: more than are searched one by one.
  const std::string longer = directory.file("longer.edges");
  edges.close();
  std::ofstream(longer) << std::ifstream(file).rdbuf() << "3 16\n16 17\n17 18\n11 19\n19 20\n20 21\n";
  constexpr std::uint64_t m = 100;
  const auto of_alltoall = [&](const std::string& graph) {
    return bound(Collective::alltoall, "graph:" + graph, model_of(PortModel::all), m).second;
  };
  EXPECT_EQ(of_alltoall(file), 8 * 8 * m / 2);
  EXPECT_EQ(of_alltoall(longer), 11 * 11 * m / 2);
  // From the end of a bridge, and to it: the blocks of the other cube.
  const MachineSpec machine = parse_machine("graph:" + file);
  const Model all = model_of(PortModel::all);
  for (const Collective collective : {Collective::scatter, Collective::gather}) {
    for (const Rank root : {0U, 15U}) {
      EXPECT_EQ(lower_bound({.collective = collective, .machine = machine, .model = all, .words = m, .root = root})
                    .longest_sum,
                8 * m / 2);
    }
  }
}

// What a message pays on a path is not known here.
TEST(Bounds, OfTheTimeAreNoneWhereMessagesPassThrough) {
  const MachineSpec path = parse_machine("path:9");
  Model model = model_of(PortModel::one);
  model.cost.beta = 100;
  const Problem problem{.collective = Collective::broadcast, .machine = path, .model = model, .words = 1000};
  EXPECT_TRUE(lower_bound(problem).time);
  model.cost.switching = Switching::cut_through;
  EXPECT_FALSE(lower_bound(problem).time);
  model.cost.switching = Switching::store_and_forward;
  model.cost.startup = StartupPer::path;
  EXPECT_FALSE(lower_bound(problem).time);
}

TEST(Bounds, AreTheSameOnIsomorphicMachines) {
  const std::vector<std::pair<std::string, std::string>> twins{
      {"hypercube:4", "torus:4x4"}, {"torus:2x8", "torus:8x2"},        {"mesh:2x3x4", "mesh:4x2x3"},
      {"hypercube:2", "ring:4"},    {"complete:4", "circulant:4,1,2"}, {"hypercube:3", "product:ring:4*complete:2"}};
  constexpr Collective flows[] = {Collective::broadcast, Collective::scatter,        Collective::gather,
                                  Collective::allgather, Collective::alltoall,       Collective::reduce,
                                  Collective::allreduce, Collective::reduce_scatter, Collective::barrier};
  for (const auto& [one, other] : twins) {
    for (const Model& model : all_rules()) {
      for (const Collective collective : flows) {
        for (const std::uint64_t words : {1U, 2U, 7U, 64U}) {
          EXPECT_EQ(bound(collective, one, model, words), bound(collective, other, model, words))
              << one << " and " << other << ", " << text_of(model) << ", collective " << static_cast<int>(collective)
              << ", " << words << " words";
        }
      }
    }
  }
}

// One processor, machines too large to look at, and words beyond what a sum of them could be.
TEST(Bounds, OfDegenerateProblems) {
  for (const char* machine :
       {"ring:1", "path:1", "complete:1", "hypercube:0", "switch:1", "bus:1", "shared:1,kstar=1"}) {
    EXPECT_EQ(bound(Collective::allgather, machine, {}, 5), Pair(0, 0)) << machine;
  }
  const MachineSpec large = parse_machine("path:4294967294");
  for (const Collective collective : {Collective::broadcast, Collective::scan, Collective::alltoall}) {
    const Model model;
    EXPECT_NO_THROW(
        lower_bound(Problem{.collective = collective, .machine = large, .model = model, .words = ~std::uint64_t{0}}));
  }
  EXPECT_EQ(bound(Collective::alltoall, "hypercube:30", {}, ~std::uint64_t{0}).second, ~std::uint64_t{0});
}

// Even ranks have links of dimension 0 alone to odd ones, 2^(n-1), and every odd rank needs another sum of even ones.
// On a mesh the columns of even numbers are followed by those of odd numbers. On star:4 all links join even and odd
// permutations, which are not in turn; ranks in turn have 8 links across.
TEST(Bounds, OfScansCountTheChangesBetweenTwoSides) {
  for (const Collective collective : {Collective::scan, Collective::exscan}) {
    for (const std::uint64_t n : {2U, 3U, 5U}) {
      const std::string cube = "hypercube:" + std::to_string(n);
      EXPECT_EQ(bound(collective, cube, model_of(PortModel::all), 1000).second, 1000U) << cube;
    }
    EXPECT_EQ(bound(collective, "mesh:3x5", model_of(PortModel::all), 1200).second, 1200U);
    EXPECT_EQ(bound(collective, "star:4", model_of(PortModel::all), 800).second, 1200U);
    EXPECT_EQ(bound(collective, "star:4", model_of(PortModel::one), 800).second, 1200U);
  }
}

TEST(Bounds, GiveTheirArguments) {
  const MachineSpec machine = parse_machine("hypercube:3");
  const Model model = model_of(PortModel::one);
  const LowerBound found = lower_bound(
      Problem{.collective = Collective::scatter, .machine = machine, .model = model, .words = 2, .root = 5});
  EXPECT_EQ(found.steps_argument, "the farthest is 3 links away from rank 5");
  EXPECT_EQ(found.longest_sum_argument, "14 words leave rank 5, 1 a step");
  const MachineSpec complete = parse_machine("complete:8");
  EXPECT_EQ(
      lower_bound(Problem{.collective = Collective::broadcast, .machine = complete, .model = model}).steps_argument,
      "log2 of 8 processors, one port");
  const Model three = model_of(k_ports(3));
  const MachineSpec network = parse_machine("switch:64");
  EXPECT_EQ(
      lower_bound(Problem{.collective = Collective::broadcast, .machine = network, .model = three}).steps_argument,
      "log4 of 64 processors, 3 ports");
}

}  // namespace
}  // namespace lockstep::bounds_test
