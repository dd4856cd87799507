// The methods of any connected machine (any-graph.md): their tree against searches of all distances and all orders of
// children, and their counts against a count here, message by message, from the tree's links only.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "catalogue_cases.hpp"
#include "data_directory.hpp"
#include "distances.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "lockstep/algorithms/port_models.hpp"
#include "method_run.hpp"
#include "plans/bfs/tree.hpp"
#include "written/follow.hpp"

namespace lockstep::bfs_tree_test {
namespace {

using bfs::Tree;

constexpr const char* petersen = "graph:" LOCKSTEP_GRAPHS "/petersen.json";

/// Links between every two processors, by Floyd and Warshall.
std::vector<std::vector<std::uint64_t>> all_distances(const Topology& topology) {
  const Rank n = topology.processors();
  std::vector<std::vector<std::uint64_t>> far(n, std::vector<std::uint64_t>(n, n));
  for (Rank a = 0; a < n; ++a) {
    far[a][a] = 0;
    for (Port port = 0; port < topology.ports(); ++port) {
      if (const End end = topology.peer(a, port)) far[a][end.rank] = 1;
    }
  }
  for (Rank via = 0; via < n; ++via) {
    for (Rank a = 0; a < n; ++a) {
      for (Rank b = 0; b < n; ++b) far[a][b] = std::min(far[a][b], far[a][via] + far[via][b]);
    }
  }
  return far;
}

/// The fewest steps of a one-port broadcast to a subtree: every order of every node's children tried.
std::uint64_t fewest_of_all_orders(const std::vector<std::vector<Rank>>& children, Rank node) {
  std::vector<std::uint64_t> needs;
  for (const Rank child : children[node]) needs.push_back(fewest_of_all_orders(children, child));
  std::sort(needs.begin(), needs.end());
  std::uint64_t fewest = needs.empty() ? 0 : ~std::uint64_t{0};
  do {
    std::uint64_t steps = 0;
    for (std::size_t place = 0; place < needs.size(); ++place) steps = std::max(steps, place + 1 + needs[place]);
    fewest = std::min(fewest, steps);
  } while (std::next_permutation(needs.begin(), needs.end()));
  return fewest;
}

/// A random connected graph's text: one link a line.
std::string random_links(std::mt19937_64& random, Rank nodes) {
  std::string text;
  std::vector<std::pair<Rank, Rank>> links;
  for (Rank node = 1; node < nodes; ++node) links.emplace_back(static_cast<Rank>(random() % node), node);
  for (std::uint64_t more = random() % (2 * nodes); more > 0; --more) {
    const auto a = static_cast<Rank>(random() % nodes);
    const auto b = static_cast<Rank>(random() % nodes);
    const std::pair link = std::minmax(a, b);
    if (a != b && std::ranges::find(links, std::pair<Rank, Rank>(link)) == links.end()) links.emplace_back(link);
  }
  for (const auto& [a, b] : links) text += std::to_string(a) + " " + std::to_string(b) + "\n";
  return text;
}

/// A tree as seen from outside: its parents and children.
struct SeenTree {
  explicit SeenTree(const Tree& tree) : root(tree.root()), parents(tree.nodes(), no_rank), children(tree.nodes()) {
    for (Rank node = 0; node < tree.nodes(); ++node) {
      if (node != root) parents[node] = tree.parent(node);
      children[node].assign(tree.children(node).begin(), tree.children(node).end());
    }
  }

  std::uint64_t size(Rank node) const {
    std::uint64_t sum = 1;
    for (const Rank child : children[node]) sum += size(child);
    return sum;
  }
  std::uint64_t height(Rank node) const {
    std::uint64_t most = 0;
    for (const Rank child : children[node]) most = std::max(most, 1 + height(child));
    return most;
  }

  Rank root;
  std::vector<Rank> parents;
  std::vector<std::vector<Rank>> children;
};

/// The receivers of the messages down a tree, cycle by cycle, from a simulation of the holders in each cycle.
std::vector<std::vector<Rank>> sent_down(const SeenTree& tree, bool at_once) {
  std::vector<std::vector<Rank>> cycles;
  std::vector<Rank> have{tree.root};
  std::vector<std::size_t> served(tree.children.size());
  while (have.size() < tree.children.size()) {
    std::vector<Rank> now;
    for (const Rank node : have) {
      while (served[node] < tree.children[node].size()) {
        now.push_back(tree.children[node][served[node]++]);
        if (!at_once) break;
      }
    }
    have.insert(have.end(), now.begin(), now.end());
    cycles.push_back(now);
  }
  return cycles;
}

/// Words of a message between the top of each subtree and its parent.
using Length = std::function<std::uint64_t(Rank top)>;

/// One message for each of the ranks in each cycle.
SpecCounts counts_of(const std::vector<std::vector<Rank>>& cycles, const Length& length) {
  SpecCounts counts{.steps = cycles.size(), .longest_sum = 0, .messages = 0, .words = 0};
  for (const std::vector<Rank>& now : cycles) {
    std::uint64_t longest = 0;
    for (const Rank top : now) {
      ++*counts.messages;
      *counts.words += length(top);
      longest = std::max(longest, length(top));
    }
    *counts.longest_sum += longest;
  }
  return counts;
}

SpecCounts operator+(const SpecCounts& a, const SpecCounts& b) {
  return {.steps = *a.steps + *b.steps,
          .longest_sum = *a.longest_sum + *b.longest_sum,
          .messages = *a.messages + *b.messages,
          .words = *a.words + *b.words};
}

/// A scan: in every cycle a message up or down with one value for each run of ranks in the subtree; down none for the
/// run of rank 0. Found by marking the ranks of the subtree.
SpecCounts scan_counts(const SeenTree& tree, const std::vector<std::vector<Rank>>& down, std::uint64_t w) {
  SpecCounts counts{.steps = 0, .longest_sum = 0, .messages = 0, .words = 0};
  const auto add = [&](const std::vector<Rank>& now, bool is_down) {
    std::uint64_t longest = 0;
    for (const Rank top : now) {
      std::vector<bool> in(tree.parents.size());
      for (Rank rank = 0; rank < in.size(); ++rank) {
        for (Rank at = rank; at != no_rank; at = tree.parents[at]) in[rank] = in[rank] || at == top;
      }
      std::uint64_t runs = is_down && in[0] ? 0 : in[0] ? 1 : 0;
      for (Rank rank = 1; rank < in.size(); ++rank) runs += in[rank] && !in[rank - 1] ? 1 : 0;
      if (runs == 0) continue;
      ++*counts.messages;
      *counts.words += runs * w;
      longest = std::max(longest, runs * w);
    }
    *counts.longest_sum += longest;
    *counts.steps += longest > 0 ? 1 : 0;
  };
  for (const std::vector<Rank>& now : down) add(now, false);
  for (const std::vector<Rank>& now : down) add(now, true);
  return counts;
}

Settings operator_settings(std::string_view name, std::uint64_t words) {
  Settings settings = block_settings(words);
  settings.operator_name = std::string(name);
  return settings;
}

std::vector<Model> models_on(const MachineSpec& machine) {
  std::vector<Model> models;
  for (const PortModel ports : port_models_on(find_method("broadcast/bfs-tree", machine.family), machine.family)) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      models.push_back(model_of(ports, duplex));
    }
  }
  return models;
}

/// All methods on the machine, in every model.
void expect_all(const std::string& text, std::uint64_t w) {
  SCOPED_TRACE(text);
  const BuiltMachine machine(text);
  const std::uint64_t p = machine.spec.processors;
  const SeenTree middle(Tree(machine.spec, bfs::middle(machine.spec).rank));
  for (const Model& model : models_on(machine.spec)) {
    const bool all = model.ports == PortModel::all;
    for (const std::uint64_t root : {std::uint64_t{0}, p / 2, p - 1}) {
      const SeenTree tree(Tree(machine.spec, static_cast<Rank>(root)));
      const std::vector<std::vector<Rank>> down = sent_down(tree, all);
      const SpecCounts whole = counts_of(down, [&](Rank) { return w; });
      expect_run(machine, "broadcast/bfs-tree", model, item_settings(w, root), whole);
      Settings reduction = operator_settings("sum", w);
      reduction.root = root;
      expect_run(machine, "reduce/bfs-tree", model, reduction, whole);
      const SpecCounts parts = counts_of(down, [&](Rank top) { return w * tree.size(top); });
      expect_run(machine, "scatter/bfs-tree", model, item_settings(w, root), parts);
      expect_run(machine, "gather/bfs-tree", model, item_settings(w, root), parts);

      // The interval between packets is the number of messages of one packet at the busiest node.
      std::uint64_t busiest = 1;
      const bool half = model.duplex == Duplex::half_node;
      const bool apart = half || model.ports == PortModel::one_strict;
      for (Rank node = 0; node < p; ++node) {
        const std::uint64_t children = tree.children[node].size();
        const bool receives = apart && node != tree.root && children > 0;
        busiest = std::max(busiest, children + (receives ? 1 : 0));
      }
      if (all) busiest = half && tree.height(tree.root) > 1 ? 2 : 1;
      constexpr std::uint64_t nu = 4;
      std::map<std::uint64_t, std::uint64_t> longest;
      for (std::uint64_t packet = 0; packet < nu; ++packet) {
        for (std::uint64_t cycle = 0; cycle < down.size(); ++cycle) {
          std::uint64_t& at = longest[cycle + busiest * packet];
          at = std::max<std::uint64_t>(at, packet < 2 ? 3 : 2);
        }
      }
      SpecCounts packets{.steps = longest.size(), .longest_sum = 0, .messages = nu * (p - 1), .words = 10 * (p - 1)};
      for (const auto& [cycle, words] : longest) *packets.longest_sum += words;
      expect_run(machine, "broadcast/bfs-tree", model, packet_settings(10, nu, root), packets);
    }
    const std::vector<std::vector<Rank>> way = sent_down(middle, all);
    const SpecCounts once = counts_of(way, [&](Rank) { return w; });
    expect_run(machine, "allreduce/bfs-tree", model, operator_settings("sum", w), once + once);
    expect_run(machine, "barrier/bfs-tree", model, block_settings(w), once + once);
    const SpecCounts scanned = scan_counts(middle, way, w);
    const Settings prefixes = operator_settings("sum", w);
    const Outcome outcome = machine.run("scan/in-order-tree", model, prefixes);
    EXPECT_EQ(outcome.wrong, "");
    const Prediction predicted = machine.predict("scan/in-order-tree", model, prefixes);
    expect_predicted(predicted, scanned);
    expect_kept(predicted, outcome.report, model.cost);
    const Bound least = bound("scan/in-order-tree", text, prefixes, model);
    EXPECT_LE(least.first, outcome.report.steps);
    EXPECT_LE(least.second, outcome.report.longest_sum);
    const SpecCounts up = counts_of(way, [&](Rank top) { return w * middle.size(top); });
    const SpecCounts lacked = counts_of(way, [&](Rank top) { return w * (p - middle.size(top)); });
    expect_run(machine, "allgather/bfs-tree", model, block_settings(w), up + lacked);
  }
}

TEST(BfsTree, IsShortestAndServesInTheBestOrder) {
  for (const char* text : {"path:1", "path:2", "path:7", "ring:6", "mesh:3x4", "hypercube:4", "complete:7", "star:4",
                           "rh:2,1", "ccc:3", "hypercube:3+2", petersen}) {
    const MachineSpec machine = parse_machine(text);
    const Topology topology = build(machine);
    const auto far = all_distances(topology);
    for (Rank root = 0; root < topology.processors(); ++root) {
      SCOPED_TRACE(std::string(text) + " from " + std::to_string(root));
      const Tree tree(machine, root);
      const SeenTree seen(tree);
      ASSERT_EQ(tree.root(), root);
      for (Rank node = 0; node < tree.nodes(); ++node) {
        EXPECT_EQ(tree.depth(node), far[root][node]);
        EXPECT_EQ(tree.size(node), seen.size(node));
        EXPECT_EQ(tree.need(node), fewest_of_all_orders(seen.children, node));
        for (std::size_t index = 0; index < tree.children(node).size(); ++index) {
          const Rank child = tree.children(node)[index];
          EXPECT_EQ(tree.parent(child), node);
          EXPECT_EQ(topology.peer(node, tree.ports(node)[index]), (End{child, tree.parent_port(child)}));
        }
        for (Rank top = 0; top < tree.nodes(); ++top) {
          bool below = false;
          for (Rank up = node; !below && up != no_rank; up = seen.parents[up]) below = up == top;
          EXPECT_EQ(tree.is_below(node, top), below);
          EXPECT_EQ(std::ranges::count(tree.members(top), node), below ? 1 : 0);
        }
      }
      EXPECT_EQ(tree.height(), *std::ranges::max_element(far[root]));
      EXPECT_EQ(tree.steps(false), sent_down(seen, false).size());
      EXPECT_EQ(tree.steps(true), sent_down(seen, true).size());
    }
  }
}

// All orders of a whole tree are tried by simulating the cycles.
TEST(BfsTree, IsNotBeatenByAnyOrderOfItsChildren) {
  for (const char* text : {"mesh:2x3", "hypercube:3", "complete:5", petersen}) {
    const Tree tree(parse_machine(text), 0);
    SeenTree seen(tree);
    std::size_t fewest = ~std::size_t{0};
    const auto go = [&](const auto& again, Rank node) -> void {
      if (node == tree.nodes()) {
        fewest = std::min(fewest, sent_down(seen, false).size());
        return;
      }
      std::ranges::sort(seen.children[node]);
      do {
        again(again, node + 1);
      } while (std::ranges::next_permutation(seen.children[node]).found);
    };
    go(go, 0);
    EXPECT_EQ(tree.steps(false), fewest) << text;
  }
}

TEST(BfsTree, HasItsMiddleWhereNothingIsFar) {
  const auto farthest = [](const std::string& text) {
    const MachineSpec machine = parse_machine(text);
    const auto [rank, distance] = bfs::middle(machine);
    return std::pair(std::uint64_t{distance}, std::uint64_t{Tree(machine, rank).height()});
  };
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(farthest("path:1"), Pair(0, 0));
  EXPECT_EQ(farthest("path:8"), Pair(7, 4));
  EXPECT_EQ(farthest("path:9"), Pair(8, 4));
  EXPECT_EQ(farthest("mesh:4x4"), Pair(6, 4));
  EXPECT_EQ(farthest("mesh:5x7"), Pair(10, 5));
  EXPECT_EQ(farthest("mesh:3x3x3"), Pair(6, 3));
  EXPECT_EQ(farthest("ring:9"), Pair(4, 4));
}

// By hand: n(root) on small machines; h is the eccentricity.
TEST(BfsTree, HasTheStepsCountedByHand) {
  const auto steps = [](const std::string& text, Rank root) {
    const Tree tree(parse_machine(text), root);
    return std::pair(tree.steps(false), tree.steps(true));
  };
  using Pair = std::pair<Cycle, Cycle>;
  EXPECT_EQ(steps("path:7", 0), Pair(6, 6));
  EXPECT_EQ(steps("path:7", 2), Pair(4, 4));
  EXPECT_EQ(steps("path:7", 3), Pair(4, 3));
  EXPECT_EQ(steps("ring:8", 5), Pair(4, 4));
  EXPECT_EQ(steps("ring:9", 5), Pair(5, 4));
  EXPECT_EQ(steps("complete:7", 3), Pair(6, 1));
  EXPECT_EQ(steps("mesh:4x4", 0), Pair(6, 6));
}

TEST(BfsTree, HasItsCountsOnEveryFamily) {
  for (const std::string_view family : written::linked_families()) {
    for (const std::string& text : machines_of(family)) {
      if (parse_machine(text).processors <= (sanitized ? 12 : 64)) expect_all(text, 3);
    }
  }
  for (const char* text : {"ring:3", "path:3", "complete:2", "mesh:1x1", "mesh:5x2"}) expect_all(text, 1);
}

class BfsTreeOfFiles : public DataDirectory {};

TEST_F(BfsTreeOfFiles, HasItsCountsOnRandomGraphs) {
  constexpr std::uint64_t seed = 20261123;
  std::mt19937_64 random(seed);
  for (int round = 0; round < (sanitized ? 4 : 24); ++round) {
    const auto nodes = static_cast<Rank>(2 + random() % 23);
    const std::string text = random_links(random, nodes);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", links\n" + text);
    expect_all("graph:" + file("graph" + std::to_string(round) + ".edgelist", text), 1 + random() % 5);
  }
}

TEST(BfsTreeMethods, TakeMulticastWhereOnePayloadGoesToSeveral) {
  const BuiltMachine machine("mesh:4x4");
  const Model model = model_of(PortModel::one, Duplex::full, true);
  // A multicast is one send; all nodes but the leaves send.
  const auto steps = [&](const char* method, Settings settings) {
    machine.method(method).resolve(machine.spec, model, settings);
    const Outcome outcome = machine.run(method, model, settings);
    EXPECT_EQ(outcome.wrong, "");
    expect_kept(machine.predict(method, model, settings), outcome.report, model.cost);
    return outcome.report.steps;
  };
  EXPECT_EQ(steps("broadcast/bfs-tree", item_settings(4, 5)), 4U);
  EXPECT_EQ(steps("broadcast/bfs-tree", packet_settings(4, 4, 5)), 7U);
  const Tree middle(machine.spec, bfs::middle(machine.spec).rank);
  const Cycle both = middle.need(middle.root()) + middle.height();
  EXPECT_EQ(steps("allreduce/bfs-tree", operator_settings("sum", 4)), both);
  EXPECT_EQ(steps("barrier/bfs-tree", block_settings(4)), both);
}

TEST(BfsTreeMethods, KnowWhatLateArrivalsCost) {
  for (const char* text : {"mesh:3x4", "star:4", "ring:7", "complete:6", petersen}) {
    const BuiltMachine machine(text);
    for (const Model& model : models_on(machine.spec)) {
      for (const std::uint64_t latest : {1U, 5U, 40U}) {
        for (std::uint64_t seed = 1; seed < 5; ++seed) {
          Settings settings = block_settings(2);
          settings.arrivals = latest;
          settings.seed = seed;
          const Outcome outcome = machine.run("barrier/bfs-tree", model, settings);
          EXPECT_EQ(outcome.wrong, "");
          const Prediction predicted = machine.predict("barrier/bfs-tree", model, settings);
          ASSERT_TRUE(predicted.steps && predicted.steps->exact);
          expect_kept(predicted, outcome.report, model.cost);
          EXPECT_EQ(outcome.report.messages, 2 * (machine.spec.processors - 1));
        }
      }
    }
  }
}

TEST(BfsTreeMethods, TakeOperatorsThatCommuteAndRefuseOthersByName) {
  for (const char* method : {"reduce/bfs-tree", "allreduce/bfs-tree"}) {
    for (const char* text : {"path:1", "mesh:2x3", petersen}) {
      const BuiltMachine machine(text);
      for (const Operator& op : operators()) {
        SCOPED_TRACE(std::string(method) + " on " + text + ", " + std::string(op.name));
        Settings settings = operator_settings(op.name, 5 * op.element_words);
        if (!op.commutative) {
          EXPECT_EQ(refusal(method, text, settings),
                    "--operator " + std::string(op.name) +
                        " does not commute, and operands are combined in another order than that of the ranks");
          continue;
        }
        EXPECT_EQ(machine.run(method, model_of(PortModel::one), settings).wrong, "");
        settings.type = "double";
        EXPECT_EQ(machine.run(method, model_of(PortModel::all), settings).wrong, "");
      }
    }
  }
}

TEST(BfsTreeMethods, ScanWithEveryOperatorInTheOrderOfTheRanks) {
  for (const char* text : {"path:1", "path:5", "mesh:3x4", "star:4", "complete:6", petersen}) {
    const BuiltMachine machine(text);
    for (const Operator& op : operators()) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        SCOPED_TRACE(std::string(text) + ", " + std::string(op.name));
        EXPECT_EQ(
            machine.run("scan/in-order-tree", model_of(ports), operator_settings(op.name, 3 * op.element_words)).wrong,
            "");
      }
    }
  }
}

TEST(BfsTreeMethods, CatchFaults) {
  for (const char* text : {"mesh:2x3", "star:3", petersen}) {
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      const Model model = model_of(ports);
      expect_catches_faults("broadcast/bfs-tree", text, item_settings(3, 1), model);
      expect_catches_faults("broadcast/bfs-tree", text, packet_settings(6, 3, 1), model);
      expect_catches_faults("scatter/bfs-tree", text, item_settings(2, 1), model);
      expect_catches_faults("gather/bfs-tree", text, item_settings(2, 1), model);
      expect_catches_faults("allgather/bfs-tree", text, block_settings(2), model);
      expect_catches_faults("barrier/bfs-tree", text, block_settings(2), model);
      for (const char* name : {"sum", "min", "or"}) {
        expect_catches_faults("reduce/bfs-tree", text, operator_settings(name, 7), model);
        expect_catches_faults("allreduce/bfs-tree", text, operator_settings(name, 7), model);
        expect_catches_faults("scan/in-order-tree", text, operator_settings(name, 7), model);
      }
    }
  }
}

// Worked out by hand: ecc, ceil(log2 P), words into a corner, cuts, and words that leave a corner over its links, the
// last of them to the opposite one.
TEST(BfsTreeMethods, HaveTheirBounds) {
  const Model one = model_of(PortModel::one);
  const Model all = model_of(PortModel::all);
  EXPECT_EQ(bound("broadcast/bfs-tree", "mesh:4x4", item_settings(64, 0), one), Bound(6, 64 - 1 + 6));
  EXPECT_EQ(bound("broadcast/bfs-tree", "mesh:4x4", item_settings(64, 0), all), Bound(6, 32 - 1 + 6));
  EXPECT_EQ(bound("broadcast/bfs-tree", "complete:9", item_settings(1, 0), one), Bound(4, 4));
  EXPECT_EQ(bound("broadcast/bfs-tree", "complete:9", item_settings(1, 0), all), Bound(1, 1));
  EXPECT_EQ(bound("scatter/bfs-tree", "mesh:4x4", item_settings(2, 0), one), Bound(6, 30));
  EXPECT_EQ(bound("gather/bfs-tree", "mesh:4x4", item_settings(2, 0), all), Bound(6, 15));
  EXPECT_EQ(bound("scatter/bfs-tree", "ring:8", item_settings(2, 0), model_of(PortModel::ring)), Bound(4, 7));
  EXPECT_EQ(bound("gather/bfs-tree", "ring:8", item_settings(2, 0), model_of(PortModel::ring)), Bound(4, 14));
  EXPECT_EQ(bound("allgather/bfs-tree", "mesh:4x4", block_settings(2), one), Bound(6, 30));
  EXPECT_EQ(bound("allgather/bfs-tree", "mesh:4x4", block_settings(2), all), Bound(6, 15));
  EXPECT_EQ(bound("allreduce/bfs-tree", "mesh:4x4", operator_settings("sum", 16), one), Bound(6, 30));
  EXPECT_EQ(bound("allreduce/bfs-tree", "mesh:4x4", operator_settings("sum", 16), all), Bound(6, 8 - 1 + 6));
  EXPECT_EQ(bound("scan/in-order-tree", "mesh:4x4", operator_settings("sum", 9), one), Bound(6, 9 - 1 + 6));
  EXPECT_EQ(bound("barrier/bfs-tree", "star:4", block_settings(1), one), Bound(5, 5));
}

// Two leaves and a chain of six on the root: eight blocks cross the root's three links, but six of them the link to the
// chain.
TEST_F(BfsTreeOfFiles, HasTheBoundOfItsBusiestCut) {
  const std::string graph = "graph:" + file("chain.edgelist", "0 1\n0 2\n0 3\n3 4\n4 5\n5 6\n6 7\n7 8\n");
  const Model all = model_of(PortModel::all);
  EXPECT_EQ(bound("gather/bfs-tree", graph, item_settings(2, 0), all), Bound(6, 6 * 2));
  EXPECT_EQ(bound("scatter/bfs-tree", graph, item_settings(2, 0), all), Bound(6, 6 * 2));
  EXPECT_EQ(bound("scatter/bfs-tree", graph, item_settings(2, 0), model_of(PortModel::one)), Bound(6, 16));
}

}  // namespace
}  // namespace lockstep::bfs_tree_test
