// broadcast/drbt on reduced hypercubes and hypercubes against the tables of mukherjee.md, Broadcast.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <random>

#include "../../../sanitized.hpp"
#include "method_run.hpp"
#include "plans/tree/drbt_schedule.hpp"

namespace lockstep::drbt_test {
namespace {

constexpr std::string_view drbt = "broadcast/drbt";
constexpr std::array orders{"longest-first", "cross-first"};

// mukherjee.md, Broadcast, by n.
constexpr std::array<std::uint64_t, 5> all_port_steps{1, 5, 12, 32, 76};
constexpr std::array<std::uint64_t, 5> longest_first_steps{1, 5, 13, 33, 81};
constexpr std::array<std::uint64_t, 5> cross_first_steps{1, 6, 15, 44, 96};
// mukherjee.md, Double-rooted tree, by c.
constexpr std::array<std::uint64_t, 6> stage_1_steps{0, 1, 2, 4, 6, 8};

struct Shape {
  unsigned k;
  unsigned n;

  std::string text() const { return "rh:" + std::to_string(k) + "," + std::to_string(n); }
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.text(); }

constexpr std::array shapes{Shape{0, 0}, Shape{1, 0}, Shape{2, 0}, Shape{1, 1}, Shape{2, 1}, Shape{3, 1}, Shape{6, 1},
                            Shape{2, 2}, Shape{3, 2}, Shape{4, 2}, Shape{5, 2}, Shape{3, 3}, Shape{4, 3}};

Settings ordered(std::uint64_t words, std::uint64_t root, const std::string& order) {
  Settings settings = item_settings(words, root);
  settings.order = order;
  return settings;
}

// Every rank of a machine of at most 256 processors, ten of the seed on a larger one.
std::vector<Rank> roots(Rank processors, std::uint64_t seed) {
  std::vector<Rank> ranks;
  if (processors <= 256) {
    for (Rank rank = 0; rank < processors; ++rank) ranks.push_back(rank);
    return ranks;
  }
  std::mt19937_64 random(seed);
  while (ranks.size() < 10) ranks.push_back(static_cast<Rank>(random() % processors));
  return ranks;
}

/// One message for every rank but the root, in `steps` steps.
SpecCounts traffic(std::uint64_t steps, std::uint64_t processors, std::uint64_t words) {
  return {.steps = steps,
          .longest_sum = steps * words,
          .messages = processors - 1,
          .words = (processors - 1) * words,
          .peak_words_held = words,
          .busiest_link_words = processors == 1 ? 0 : words,
          .message_words = words};
}

/// An item of `words` words in `packets` packets.
struct Items {
  std::uint64_t words;
  std::uint64_t packets;

  std::string text() const { return std::to_string(words) + " words in " + std::to_string(packets); }
};

/// mukherjee.md, Packets: T + (nu - 1) d steps, a longest sum of (T - d) ceil(w/nu) + d w.
SpecCounts in_packets(std::uint64_t steps, std::uint64_t interval, const Items& items, std::uint64_t processors) {
  const std::uint64_t longest = (items.words + items.packets - 1) / items.packets;
  SpecCounts counts{.steps = steps + (items.packets - 1) * interval,
                    .longest_sum = (steps - interval) * longest + interval * items.words,
                    .messages = (processors - 1) * items.packets,
                    .words = (processors - 1) * items.words,
                    .peak_words_held = items.words,
                    .busiest_link_words = processors == 1 ? 0 : items.words};
  if (processors == 1) counts.steps = counts.longest_sum = 0;
  if (items.words % items.packets == 0) counts.message_words = items.words / items.packets;
  return counts;
}

class DrbtOnReducedHypercube : public testing::TestWithParam<Shape> {
 protected:
  const BuiltMachine machine_{GetParam().text()};
  const Rank processors_ = machine_.topology.processors();
  const std::size_t n_ = GetParam().n;
  const std::size_t c_ = GetParam().k - GetParam().n;
};

TEST_P(DrbtOnReducedHypercube, ReachesAllFromEveryRootWithAllPorts) {
  for (const Rank root : roots(processors_, 7)) {
    for (const char* order : orders) {
      for (const std::uint64_t words : {1U, 5U}) {
        SCOPED_TRACE(order);
        expect_run(machine_, drbt, model_of(PortModel::all), ordered(words, root, order),
                   traffic(c_ + all_port_steps[n_], processors_, words));
      }
    }
  }
}

TEST_P(DrbtOnReducedHypercube, ReachesAllFromEveryRootWithOnePort) {
  for (const Rank root : roots(processors_, 8)) {
    for (const std::uint64_t words : {1U, 5U}) {
      const Model model = model_of(PortModel::one);
      const std::uint64_t steps = stage_1_steps[c_] + longest_first_steps[n_];
      expect_run(machine_, drbt, model, ordered(words, root, "longest-first"), traffic(steps, processors_, words));

      // Predicted only as an upper bound: the counts of this order are those of the run.
      const Report cross = expect_run(machine_, drbt, model, ordered(words, root, "cross-first"), {});
      EXPECT_LE(cross.steps, stage_1_steps[c_] + cross_first_steps[n_]);
      EXPECT_GE(cross.steps, steps) << "longest first is the best order for the tree";
      expect_counts(cross, traffic(cross.steps, processors_, words), model.cost);
    }
  }
}

// A node receives once and sends later, so no duplex rule matters.
TEST_P(DrbtOnReducedHypercube, IsLegalInEveryModel) {
  for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      for (const bool multicast : {false, true}) {
        SCOPED_TRACE(multicast ? "multicast" : "");
        // Multicast makes one payload on many ports one send, which `one` then allows; one-strict has one port only.
        const bool at_once = ports == PortModel::all || (ports == PortModel::one && multicast);
        const std::uint64_t steps = at_once ? c_ + all_port_steps[n_] : stage_1_steps[c_] + longest_first_steps[n_];
        SpecCounts counts = traffic(steps, processors_, 5);
        if (multicast) counts.messages.reset();  // some of them are one multicast
        const Report report =
            expect_run(machine_, drbt, model_of(ports, duplex, multicast), item_settings(5, processors_ / 3), counts);
        EXPECT_EQ(report.messages, processors_ - 1);
      }
    }
  }
}

TEST_P(DrbtOnReducedHypercube, PredictsTheCountsOfTheTable) {
  const std::uint64_t w = 5;
  const auto predicted = [&](const Model& model, const char* order) {
    return machine_.predict(drbt, model, ordered(w, 0, order));
  };
  const Model multicast = model_of(PortModel::one, Duplex::full, true);
  const SpecCounts at_once = traffic(c_ + all_port_steps[n_], processors_, w);
  for (const char* order : orders) {
    expect_predicted(predicted(model_of(PortModel::all), order), at_once);
    expect_predicted(predicted(multicast, order), at_once);
  }
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    expect_predicted(predicted(model_of(ports), "longest-first"),
                     traffic(stage_1_steps[c_] + longest_first_steps[n_], processors_, w));
    const Prediction cross = predicted(model_of(ports), "cross-first");
    const std::uint64_t steps = stage_1_steps[c_] + cross_first_steps[n_];
    EXPECT_EQ(cross.steps.value().value, steps);
    EXPECT_EQ(cross.longest_sum.value().value, steps * w);
    EXPECT_FALSE(cross.steps->exact || cross.longest_sum->exact);
    expect_predicted(cross, {.messages = processors_ - 1, .words = (processors_ - 1) * w, .message_words = w});
  }
  // mukherjee.md, Machine: the diameter is 2D + k - n, without subblocks k + 1.
  EXPECT_EQ(bound(drbt, machine_.spec.text, ordered(w, 0, "longest-first"), machine_.method(drbt).defaults).first,
            n_ == 0 ? c_ + 1 : 2 * (std::size_t{1} << n_) + c_);
}

// mukherjee.md, Packets: every packet takes the path of the first one, a fixed number of cycles later.
TEST_P(DrbtOnReducedHypercube, SendsPacketsAtTheInterval) {
  const Rank root = processors_ / 3;
  const std::uint64_t serial = stage_1_steps[c_] + longest_first_steps[n_];
  const std::uint64_t at_once = c_ + all_port_steps[n_];
  // With one port: to layers, to the other block, to subblocks. A processor that cannot send while it receives serves
  // more neighbours than children.
  constexpr std::array<std::uint64_t, 6> in_layers{0, 1, 2, 2, 2, 2};
  constexpr std::array<std::uint64_t, 4> in_subblocks{0, 1, 2, 2};
  const std::uint64_t children = in_layers[c_] + 1 + in_subblocks[n_];
  const std::uint64_t neighbours = std::max<std::uint64_t>(children + (c_ >= 3 ? 1 : 0), n_ == 3 ? 4 : 0);
  for (const Items& items : {Items{2, 2}, Items{7, 3}, Items{12, 12}, Items{40, 6}}) {
    for (const char* order : orders) {
      const auto expect_packets = [&](const Model& model, std::uint64_t steps, std::uint64_t interval) {
        SCOPED_TRACE(items.text() + ", " + order);
        Settings settings = ordered(items.words, root, order);
        settings.packets = items.packets;
        SpecCounts counts = in_packets(steps, interval, items, processors_);
        if (model.multicast) counts.messages.reset();  // some of them are one multicast
        expect_run(machine_, drbt, model, settings, counts);
        expect_predicted(machine_.predict(drbt, model, settings), counts);
      };
      for (const bool multicast : {false, true}) {
        expect_packets(model_of(PortModel::all, Duplex::full, multicast), at_once, 1);
        expect_packets(model_of(PortModel::all, Duplex::half_link, multicast), at_once, 1);
        expect_packets(model_of(PortModel::all, Duplex::half_node, multicast), at_once, at_once > 1 ? 2 : 1);
      }
      expect_packets(model_of(PortModel::one, Duplex::full, true), at_once, 1);
      if (order != orders.front()) continue;
      expect_packets(model_of(PortModel::one), serial, children);
      expect_packets(model_of(PortModel::one, Duplex::half_link), serial, children);
      expect_packets(model_of(PortModel::one, Duplex::half_node), serial, neighbours);
      expect_packets(model_of(PortModel::one_strict), serial, neighbours);
    }
  }
}

// The order of the prose is no faster with packets than without; its steps are the longest first's or more.
TEST_P(DrbtOnReducedHypercube, SendsPacketsInTheOrderOfTheProseToo) {
  const Items items{12, 4};
  Settings settings = ordered(items.words, 0, "cross-first");
  settings.packets = items.packets;
  const Report report = expect_run(machine_, drbt, model_of(PortModel::one), settings, {});
  settings.packets = 1;
  const Report whole = expect_run(machine_, drbt, model_of(PortModel::one), settings, {});
  const std::uint64_t interval = std::min<std::uint64_t>(c_, 2) + 1 + std::min<std::uint64_t>(n_, 2);
  expect_counts(report, in_packets(whole.steps, interval, items, processors_), model_of(PortModel::one).cost);
}

INSTANTIATE_TEST_SUITE_P(Machines, DrbtOnReducedHypercube,
                         testing::ValuesIn(shapes.begin(), shapes.end() - (sanitized ? 2 : 0)));  // the largest

// mukherjee.md, Errata R5: RH(3,3) one-port takes 33 steps against 44 for the order of the thesis' prose.
TEST(Drbt, OrderOfTheProseTakes44StepsOnRh33) {
  const BuiltMachine machine("rh:3,3");
  EXPECT_EQ(machine.run(drbt, model_of(PortModel::one), ordered(1, 0, "longest-first")).report.steps, 33U);
  EXPECT_EQ(machine.run(drbt, model_of(PortModel::one), ordered(1, 0, "cross-first")).report.steps, 44U);
}

class DrbtOnHypercube : public testing::TestWithParam<unsigned> {};

TEST_P(DrbtOnHypercube, ReachesAllWithTheCountsOfTheTable) {
  const std::uint64_t v = GetParam();
  const BuiltMachine machine(cube(v));
  const Rank processors = machine.topology.processors();
  const std::uint64_t serial = v <= 1 ? v : 2 * (v - 1);
  for (const Rank root : roots(processors, v)) {
    for (const std::uint64_t words : {1U, 5U}) {
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        for (const bool multicast : {false, true}) {
          SCOPED_TRACE(multicast ? "multicast" : "");
          const Model model = model_of(ports, Duplex::half_node, multicast);
          const bool at_once = ports == PortModel::all || (ports == PortModel::one && multicast);
          SpecCounts counts = traffic(at_once ? v : serial, processors, words);
          // Half of the nodes are not leaves (mukherjee.md, Double-rooted tree: a complete binary tree and the spacer).
          if (at_once && multicast) counts.sends = processors / 2;
          expect_run(machine, drbt, model, item_settings(words, root), counts);
          EXPECT_EQ(bound(drbt, machine.spec.text, item_settings(words, root), model).first, v);
        }
      }
    }
  }
}

class DrbtPacketsOnHypercube : public testing::TestWithParam<unsigned> {};

TEST_P(DrbtPacketsOnHypercube, FollowEachOtherAtTheInterval) {
  const std::uint64_t v = GetParam();
  const BuiltMachine machine(cube(v));
  const std::uint64_t serial = v <= 1 ? v : 2 * (v - 1);
  const std::uint64_t children = v <= 2 ? v : 2;
  const std::uint64_t neighbours = v <= 2 ? v : 3;
  for (const Items& items : {Items{2, 2}, Items{7, 3}, Items{12, 4}, Items{5, 5}}) {
    const auto expect_packets = [&](const Model& model, std::uint64_t steps, std::uint64_t interval) {
      SCOPED_TRACE(items.text());
      Settings settings = item_settings(items.words, machine.topology.processors() - 1);
      settings.packets = items.packets;
      const SpecCounts counts = in_packets(steps, interval, items, machine.topology.processors());
      expect_run(machine, drbt, model, settings, counts);
      expect_predicted(machine.predict(drbt, model, settings), counts);
    };
    expect_packets(model_of(PortModel::all), v, 1);
    expect_packets(model_of(PortModel::all, Duplex::half_node), v, v > 1 ? 2 : 1);
    expect_packets(model_of(PortModel::one), serial, children);
    expect_packets(model_of(PortModel::one, Duplex::half_node), serial, neighbours);
    expect_packets(model_of(PortModel::one_strict), serial, neighbours);
  }
}

INSTANTIATE_TEST_SUITE_P(Hypercubes, DrbtPacketsOnHypercube, testing::Range(0U, sanitized ? 7U : 10U));

INSTANTIATE_TEST_SUITE_P(Hypercubes, DrbtOnHypercube, testing::Range(0U, sanitized ? 8U : 13U));

// RH(4,4) has 2^20 nodes; only its plan gives the steps of n = 4.
TEST(DrbtPlan, OfRh44Takes76StepsAllPortAnd81OnePort) {
  const ReducedHypercube rh(4, 4);
  const Topology machine = reduced_hypercube(4, 4);
  EXPECT_EQ(tree::stage_2_steps(4), 76U);
  TreeSchedule plan = tree::drbt_schedule(rh, machine, tree::ChildOrder::cross_first);
  // The step in which each node receives the item, with all ports and in the plan's own order; parents come before
  // their children.
  struct Reached {
    Rank node;
    std::uint64_t all_port;
    std::uint64_t one_port;
  };
  std::vector<Reached> reached{{0, 0, 0}};
  reached.reserve(machine.processors());
  std::uint64_t deepest = 0;
  std::uint64_t last = 0;
  for (std::size_t index = 0; index < reached.size(); ++index) {
    const Reached here = reached[index];
    ASSERT_LT(index, machine.processors()) << "the plan has a cycle";
    deepest = std::max(deepest, here.all_port);
    last = std::max(last, here.one_port);
    std::uint64_t step = here.one_port;
    for (const Port port : plan.children(here.node)) {
      const End child = machine.peer(here.node, port);
      ASSERT_EQ(plan.parent(child.rank), child.port);
      reached.push_back({child.rank, here.all_port + 1, ++step});
    }
  }
  EXPECT_EQ(reached.size(), machine.processors());
  EXPECT_EQ(deepest, all_port_steps[4]);
  EXPECT_LE(last, cross_first_steps[4]);
  EXPECT_EQ(plan.serve_longest_first(machine), longest_first_steps[4]);
}

// The digests by which executors are compared do distinguish runs.
TEST(Drbt, DigestsDependOnDataAndCounts) {
  const BuiltMachine machine("rh:2,2");
  const Settings settings = ordered(1, 0, "longest-first");
  const Outcome outcome = machine.run(drbt, model_of(PortModel::one), settings);
  Settings other_data = settings;
  other_data.seed = 2;
  EXPECT_NE(machine.run(drbt, model_of(PortModel::one), other_data).data_digest, outcome.data_digest);
  const Outcome slower = machine.run(drbt, model_of(PortModel::one), ordered(1, 0, "cross-first"));
  EXPECT_EQ(slower.data_digest, outcome.data_digest);
  EXPECT_NE(slower.report.digest(), outcome.report.digest());
}

// How a run with the fault ended: the kind of its error, or what the oracle found wrong.
struct Ending {
  std::optional<ErrorKind> error;
  std::string wrong;
};

Ending run_with(const BuiltMachine& machine, const Model& model, const Settings& settings, const Fault& fault) {
  try {
    return {{}, machine.run(drbt, model, settings, fault).wrong};
  } catch (const RunError& error) {
    return {error.kind(), {}};
  }
}

class DrbtFaults : public testing::TestWithParam<const char*> {};

TEST_P(DrbtFaults, AreCaught) {
  const BuiltMachine machine(GetParam());
  const std::uint64_t messages = machine.topology.processors() - 1;
  std::mt19937_64 random(11);
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    for (const std::uint64_t words : {1U, 5U}) {
      for (int trial = 0; trial < 20; ++trial) {
        const std::uint64_t transfer = random() % messages;
        SCOPED_TRACE("seed 11, " + std::string(name(ports)) + ", words " + std::to_string(words) + ", transfer " +
                     std::to_string(transfer));
        const Settings settings = item_settings(words, random() % machine.topology.processors());
        const auto ending = [&](FaultKind kind) {
          return run_with(machine, model_of(ports), settings, {kind, transfer});
        };
        EXPECT_EQ(ending(FaultKind::drop).error, ErrorKind::deadlock);
        EXPECT_EQ(ending(FaultKind::repeat).error, ErrorKind::undelivered);
        const Ending corrupted = ending(FaultKind::corrupt);
        EXPECT_FALSE(corrupted.error);
        EXPECT_NE(corrupted.wrong, "");
        // All messages of a broadcast carry the same item: exchanging two of them changes nothing, so the data stays
        // right and there is nothing to catch.
        const Ending swapped = ending(FaultKind::swap);
        EXPECT_FALSE(swapped.error);
        EXPECT_EQ(swapped.wrong, "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, DrbtFaults, testing::Values("rh:0,0", "rh:2,1", "rh:3,2", "hypercube:5"));

TEST(Drbt, RefusesWhatItCannotDo) {
  expect_words_from(1, drbt, "rh:2,1");
  expect_roots_to(15, drbt, "rh:2,1");
  expect_roots_to(7, drbt, "hypercube:3");
  EXPECT_EQ(refusal(drbt, "rh:2,1", ordered(1, 0, "shortest")),
            "--order 'shortest' is not one of longest-first, cross-first");
  EXPECT_EQ(refusal(drbt, "rh:2,1", ordered(1, 0, "")), "--order '' is not one of longest-first, cross-first");
  EXPECT_EQ(refusal(drbt, "hypercube:3", ordered(1, 0, "longest-first")),
            "--order is for rh; on a hypercube broadcast/drbt has one order only");
  EXPECT_EQ(refusal(drbt, "rh:2,1", ordered(1, 15, "cross-first")), "");
  EXPECT_THROW(find_method(drbt, "ring"), InputError);
  Settings three_packets = item_settings(2, 0);
  three_packets.packets = 3;
  EXPECT_EQ(refusal(drbt, "rh:2,1", three_packets),
            "--packets 3 is out of range: 1 to 2, as every packet has at least one of the 2 words");
}

// The words leave the root, one a cycle or one over every link, and the last of them goes the diameter.
TEST(Drbt, IsBoundedByWhatLeavesTheRootAndByTheStepsOfTheLastWord) {
  const auto longest_sum = [](const char* text, PortModel ports, std::uint64_t words) {
    return bound(drbt, text, item_settings(words, 0), model_of(ports)).second;
  };
  // RH(3,2): diameter 9, degree 4. RH(0,0): two processors, one link.
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    EXPECT_EQ(longest_sum("rh:3,2", ports, 3), 3U - 1 + 9);
    EXPECT_EQ(longest_sum("rh:3,2", ports, 40), 40U - 1 + 9);
    EXPECT_EQ(longest_sum("hypercube:5", ports, 4), 4U - 1 + 5);
    EXPECT_EQ(longest_sum("hypercube:5", ports, 26), 26U - 1 + 5);
  }
  EXPECT_EQ(longest_sum("rh:3,2", PortModel::all, 36), 9U - 1 + 9);
  EXPECT_EQ(longest_sum("rh:3,2", PortModel::all, 37), 10U - 1 + 9);
  EXPECT_EQ(longest_sum("rh:0,0", PortModel::all, 7), 7U);
  EXPECT_EQ(longest_sum("hypercube:5", PortModel::all, 25), 5U - 1 + 5);
  EXPECT_EQ(longest_sum("hypercube:5", PortModel::all, 26), 6U - 1 + 5);
  EXPECT_EQ(longest_sum("hypercube:0", PortModel::all, 7), 0U);
}

TEST(Drbt, HasTheDefaultsOfTheCatalogue) {
  expect_defaults(drbt, "rh", PortModel::one);
  EXPECT_EQ(resolved(drbt, "rh:2,1").order, "longest-first");
  EXPECT_EQ(resolved(drbt, "rh:2,1").packets, 1U) << "whole";
  EXPECT_FALSE(resolved(drbt, "hypercube:3").order);
}

}  // namespace
}  // namespace lockstep::drbt_test
