// Broadcasts and sends on incomplete hypercubes (mukherjee.md, Incomplete hypercube), with distances by breadth-first
// search.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "distances.hpp"
#include "send_run.hpp"

namespace lockstep::incomplete_hypercube_test {
namespace {

struct Shape {
  Port n;
  Port m;

  std::string text() const { return "hypercube:" + std::to_string(n) + "+" + std::to_string(m); }
  Rank larger() const { return Rank{1} << n; }
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.text(); }

std::vector<Shape> shapes_to(Port most) {
  std::vector<Shape> shapes;
  for (Port n = 1; n <= most; ++n) {
    for (Port m = 0; m < n; ++m) shapes.push_back({n, m});
  }
  return shapes;
}

class BroadcastOnIncompleteHypercube : public testing::TestWithParam<Shape> {
 protected:
  const BuiltMachine machine_{GetParam().text()};
  const Rank processors_ = machine_.topology.processors();

  std::uint64_t eccentricity(Rank root) const {
    const std::vector<Rank> distances = distances_from(machine_.topology, root);
    return *std::max_element(distances.begin(), distances.end());
  }
};

TEST_P(BroadcastOnIncompleteHypercube, TakesAsManyStepsAsItMust) {
  constexpr std::string_view sbt = "broadcast/sbt";
  for (Rank root = 0; root < processors_; ++root) {
    SCOPED_TRACE(root);
    const auto expect_steps = [&](const Model& model, std::uint64_t steps) {
      for (const std::uint64_t words : {1U, 5U}) {
        SpecCounts counts{.steps = steps,
                          .longest_sum = steps * words,
                          .messages = processors_ - 1,
                          .words = (processors_ - 1) * words,
                          .peak_words_held = words,
                          .message_words = words};
        if (model.multicast) counts.messages.reset();  // some of them are one multicast
        expect_run(machine_, sbt, model, item_settings(words, root), counts);
        expect_predicted(machine_.predict(sbt, model, item_settings(words, root)), counts);
      }
      EXPECT_EQ(bound(sbt, machine_.spec.text, item_settings(1, root), model).first, steps) << "optimal";
    };
    // Holders at most double, and 2^N is not enough.
    expect_steps(model_of(PortModel::one), GetParam().n + 1);
    expect_steps(model_of(PortModel::one_strict, Duplex::half_node), GetParam().n + 1);
    expect_steps(model_of(PortModel::all), eccentricity(root));
    expect_steps(model_of(PortModel::one, Duplex::half_link, true), eccentricity(root));
  }
}

TEST_P(BroadcastOnIncompleteHypercube, InPacketsIsAPipelineAsDeepAsTheFarthestIsAway) {
  constexpr std::string_view sbt = "broadcast/sbt-pipelined";
  for (Rank root = 0; root < processors_; ++root) {
    const std::uint64_t e = eccentricity(root);
    for (const auto& [words, packets] : {std::pair<std::uint64_t, std::uint64_t>{1, 1}, {7, 3}, {12, 4}}) {
      SCOPED_TRACE("root " + std::to_string(root) + ", packets " + std::to_string(packets));
      Settings settings = item_settings(words, root);
      settings.packets = packets;
      const std::uint64_t longest = (words + packets - 1) / packets;
      for (const Duplex duplex : {Duplex::full, Duplex::half_node}) {
        const std::uint64_t turn = duplex == Duplex::half_node && e > 1 ? 2 : 1;
        const SpecCounts counts{.steps = e + turn * (packets - 1),
                                .longest_sum = (e - turn) * longest + turn * words,
                                .messages = (processors_ - 1) * packets,
                                .words = (processors_ - 1) * words,
                                .peak_words_held = words};
        expect_run(machine_, sbt, model_of(PortModel::all, duplex), settings, counts);
        expect_predicted(machine_.predict(sbt, model_of(PortModel::all, duplex), settings), counts);
        EXPECT_EQ(machine_.run(sbt, model_of(PortModel::one, duplex, true), settings).report.steps, counts.steps);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, BroadcastOnIncompleteHypercube, testing::ValuesIn(shapes_to(sanitized ? 3 : 5)));

TEST(BroadcastOnIncompleteHypercube, OfTheThesisHas1280Processors) {
  const BuiltMachine machine("hypercube:10+8");
  expect_run(machine, "broadcast/sbt", model_of(PortModel::one), item_settings(3, 1100),
             {.steps = 11, .longest_sum = 33, .messages = 1279, .words = 3 * 1279});
}

/// mukherjee.md, Incomplete hypercube: the lengths of the disjoint paths, in ascending order.
std::vector<std::uint64_t> lengths_between(const Shape& shape, Rank a, Rank b) {
  if (a == b) return {};
  if (a > b) std::swap(a, b);
  const auto distance = static_cast<std::uint64_t>(std::popcount(a ^ b));
  const bool a_in_smaller = a >= shape.larger();
  const bool b_in_smaller = b >= shape.larger();
  const bool both_linked = (a & (shape.larger() - 1)) >> shape.m == 0 && (b & (shape.larger() - 1)) >> shape.m == 0;
  std::uint64_t all = shape.m + 1;
  std::uint64_t direct = distance;
  if (!a_in_smaller && !b_in_smaller) all = shape.n + (both_linked ? 1 : 0);
  if (a_in_smaller != b_in_smaller) {
    const Rank differing_below = (a ^ b) & ((Rank{1} << shape.m) - 1);
    direct = static_cast<std::uint64_t>(std::popcount(differing_below)) + 1;
  }
  std::vector<std::uint64_t> lengths(all, distance + 2);
  std::fill_n(lengths.begin(), direct, distance);
  return lengths;
}

class SendOnIncompleteHypercube : public testing::TestWithParam<Shape> {
 protected:
  const BuiltMachine machine_{GetParam().text()};
  const Rank processors_ = machine_.topology.processors();
};

TEST_P(SendOnIncompleteHypercube, GoesAShortestWay) {
  for (Rank from = 0; from < processors_; ++from) {
    const std::vector<Rank> distance = distances_from(machine_.topology, from);
    Settings farthest;
    farthest.source = from;
    machine_.method("send/pipelined").resolve(machine_.spec, {}, farthest);
    EXPECT_EQ(*farthest.destination, std::max_element(distance.begin(), distance.end()) - distance.begin());
    for (Rank to = 0; to < processors_; ++to) {
      SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to));
      const std::uint64_t d = distance[to];
      expect_run(machine_, "send/store-and-forward", PortModel::one, transfer(from, to, 5), {d, 5 * d, d, 5 * d});
      expect_run(machine_, "send/pipelined", PortModel::one, transfer(from, to, 6, 3),
                 d == 0 ? Counts{} : Counts{d + 2, 2 * (d + 2), 3 * d, 6 * d});
    }
  }
}

TEST_P(SendOnIncompleteHypercube, HasAsManyDisjointPathsAsTheEndWithFewerLinks) {
  for (Rank from = 0; from < processors_; ++from) {
    for (Rank to = 0; to < processors_; ++to) {
      SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to));
      const std::vector<std::uint64_t> lengths = lengths_between(GetParam(), from, to);
      const auto links = [&](Rank rank) { return machine_.topology.degree(rank); };
      EXPECT_EQ(lengths.size(), from == to ? 0 : std::min(links(from), links(to)));
      const std::uint64_t words = 2 * std::max<std::uint64_t>(lengths.size(), 1) + 1;
      expect_run(machine_, "send/disjoint-paths", PortModel::all, transfer(from, to, words, 2),
                 along_paths(lengths, words, 2));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, SendOnIncompleteHypercube, testing::ValuesIn(shapes_to(sanitized ? 2 : 4)));

}  // namespace
}  // namespace lockstep::incomplete_hypercube_test
