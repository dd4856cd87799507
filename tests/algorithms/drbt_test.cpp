// broadcast/drbt on reduced hypercubes and hypercubes against the tables of mukherjee.md, Broadcast.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <random>

#include "../sanitized.hpp"
#include "broadcast/drbt_plan.hpp"
#include "built_machine.hpp"

namespace lockstep {
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

void expect_traffic(const Report& report, std::uint64_t processors, std::uint64_t words) {
  EXPECT_EQ(report.cycles, report.steps);
  EXPECT_EQ(report.messages, processors - 1);
  EXPECT_EQ(report.words, (processors - 1) * words);
  EXPECT_EQ(report.longest_sum, report.steps * words);
  EXPECT_EQ(report.busiest_link_words, processors == 1 ? 0 : words);
  EXPECT_EQ(report.peak_words_held, words);
}

class DrbtOnReducedHypercube : public testing::TestWithParam<Shape> {
 protected:
  const BuiltMachine machine_{GetParam().text()};
  const Rank processors_ = machine_.topology.processors();
  const std::size_t n_ = GetParam().n;
  const std::size_t c_ = GetParam().k - GetParam().n;
};

TEST_P(DrbtOnReducedHypercube, reaches_all_from_every_root_with_all_ports) {
  for (const Rank root : roots(processors_, 7)) {
    for (const char* order : orders) {
      for (const std::uint64_t words : {1U, 5U}) {
        SCOPED_TRACE("root " + std::to_string(root) + ", " + order + ", words " + std::to_string(words));
        const Outcome outcome = machine_.run(drbt, model_of(PortModel::all), ordered(words, root, order));
        EXPECT_EQ(outcome.wrong, "");
        EXPECT_EQ(outcome.report.steps, c_ + all_port_steps[n_]);
        expect_traffic(outcome.report, processors_, words);
      }
    }
  }
}

TEST_P(DrbtOnReducedHypercube, reaches_all_from_every_root_with_one_port) {
  for (const Rank root : roots(processors_, 8)) {
    for (const std::uint64_t words : {1U, 5U}) {
      SCOPED_TRACE("root " + std::to_string(root) + ", words " + std::to_string(words));
      const Model model = model_of(PortModel::one);
      const Outcome longest = machine_.run(drbt, model, ordered(words, root, "longest-first"));
      EXPECT_EQ(longest.wrong, "");
      EXPECT_EQ(longest.report.steps, stage_1_steps[c_] + longest_first_steps[n_]);
      EXPECT_EQ(longest.report.sends, processors_ - 1);
      expect_traffic(longest.report, processors_, words);

      const Outcome cross = machine_.run(drbt, model, ordered(words, root, "cross-first"));
      EXPECT_EQ(cross.wrong, "");
      EXPECT_LE(cross.report.steps, stage_1_steps[c_] + cross_first_steps[n_]);
      EXPECT_GE(cross.report.steps, longest.report.steps) << "longest first is the best order for the tree";
      expect_traffic(cross.report, processors_, words);
    }
  }
}

// A node receives once and sends later, so that no rule about directions is in the way.
TEST_P(DrbtOnReducedHypercube, is_legal_in_every_model) {
  for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      for (const bool multicast : {false, true}) {
        SCOPED_TRACE(std::string(name(ports)) + ", " + std::string(name(duplex)) + (multicast ? ", multicast" : ""));
        const Outcome outcome =
            machine_.run(drbt, model_of(ports, duplex, multicast), item_settings(5, processors_ / 3));
        EXPECT_EQ(outcome.wrong, "");
        // Multicast makes one payload on many ports one send, which `one` then allows; one-strict has one port only.
        const bool at_once = ports == PortModel::all || (ports == PortModel::one && multicast);
        EXPECT_EQ(outcome.report.steps,
                  at_once ? c_ + all_port_steps[n_] : stage_1_steps[c_] + longest_first_steps[n_]);
        expect_traffic(outcome.report, processors_, 5);
      }
    }
  }
}

TEST_P(DrbtOnReducedHypercube, predicts_the_counts_of_the_table) {
  const Method& method = machine_.method(drbt);
  const std::uint64_t w = 5;
  const auto expect_steps = [&](const Model& model, const char* order, std::uint64_t steps, bool exact) {
    const Prediction predicted = method.predict(machine_.spec, model, ordered(w, 0, order));
    EXPECT_EQ(predicted.steps.value().value, steps);
    EXPECT_EQ(predicted.steps->exact, exact);
    EXPECT_EQ(predicted.longest_sum.value().value, steps * w);
    EXPECT_EQ(predicted.longest_sum->exact, exact);
    EXPECT_EQ(predicted.messages.value().value, processors_ - 1);
    EXPECT_TRUE(predicted.messages->exact);
    EXPECT_EQ(predicted.words.value().value, (processors_ - 1) * w);
    EXPECT_EQ(predicted.message_words, w);
    EXPECT_TRUE(predicted.words->exact);
  };
  const Model multicast = model_of(PortModel::one, Duplex::full, true);
  for (const char* order : orders) {
    expect_steps(model_of(PortModel::all), order, c_ + all_port_steps[n_], true);
    expect_steps(multicast, order, c_ + all_port_steps[n_], true);
  }
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    expect_steps(model_of(ports), "longest-first", stage_1_steps[c_] + longest_first_steps[n_], true);
    expect_steps(model_of(ports), "cross-first", stage_1_steps[c_] + cross_first_steps[n_], false);
  }
  // mukherjee.md, Machine: the diameter is 2D + k - n, without subblocks k + 1.
  const LowerBound bound = method.lower_bound(machine_.spec, method.defaults, ordered(w, 0, "longest-first"));
  EXPECT_EQ(bound.steps, n_ == 0 ? c_ + 1 : 2 * (std::size_t{1} << n_) + c_);
}

INSTANTIATE_TEST_SUITE_P(machines, DrbtOnReducedHypercube, testing::ValuesIn(shapes));

// mukherjee.md, Errata R5: RH(3,3) one-port takes 33 steps against 44 for the order of the thesis' prose.
TEST(Drbt, order_of_the_prose_takes_44_steps_on_rh_3_3) {
  const BuiltMachine machine("rh:3,3");
  EXPECT_EQ(machine.run(drbt, model_of(PortModel::one), ordered(1, 0, "longest-first")).report.steps, 33U);
  EXPECT_EQ(machine.run(drbt, model_of(PortModel::one), ordered(1, 0, "cross-first")).report.steps, 44U);
}

class DrbtOnHypercube : public testing::TestWithParam<unsigned> {};

TEST_P(DrbtOnHypercube, reaches_all_with_the_counts_of_the_table) {
  const std::uint64_t v = GetParam();
  const BuiltMachine machine("hypercube:" + std::to_string(v));
  const Rank processors = machine.topology.processors();
  const std::uint64_t serial = v <= 1 ? v : 2 * (v - 1);
  for (const Rank root : roots(processors, v)) {
    for (const std::uint64_t words : {1U, 5U}) {
      for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
        for (const bool multicast : {false, true}) {
          SCOPED_TRACE("root " + std::to_string(root) + ", words " + std::to_string(words) + ", " +
                       std::string(name(ports)) + (multicast ? ", multicast" : ""));
          const Model model = model_of(ports, Duplex::half_node, multicast);
          const bool at_once = ports == PortModel::all || (ports == PortModel::one && multicast);
          Settings settings = item_settings(words, root);
          const Outcome outcome = machine.run(drbt, model, settings);
          EXPECT_EQ(outcome.wrong, "");
          EXPECT_EQ(outcome.report.steps, at_once ? v : serial);
          expect_traffic(outcome.report, processors, words);
          // Half of the nodes are no leaves (mukherjee.md, Double-rooted tree: a complete binary tree and the spacer).
          const std::uint64_t sends = at_once && multicast ? processors / 2 : processors - 1;
          EXPECT_EQ(outcome.report.sends, sends);

          const Prediction predicted = machine.method(drbt).predict(machine.spec, model, settings);
          EXPECT_EQ(predicted.steps.value().value, at_once ? v : serial);
          EXPECT_EQ(predicted.longest_sum.value().value, (at_once ? v : serial) * words);
          EXPECT_TRUE(predicted.steps->exact && predicted.longest_sum->exact);
          const LowerBound bound = machine.method(drbt).lower_bound(machine.spec, model, settings);
          EXPECT_EQ(bound.steps, v);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(hypercubes, DrbtOnHypercube, testing::Range(0U, sanitized ? 8U : 13U));

// RH(4,4) has 2^20 nodes; its plan alone tells the steps of n = 4.
TEST(DrbtPlan, of_rh_4_4_takes_76_steps_all_port_and_81_one_port) {
  const ReducedHypercube rh(4, 4);
  const Topology machine = reduced_hypercube(4, 4);
  EXPECT_EQ(stage_2_steps(4), 76U);
  TreePlan plan = drbt_plan(rh, machine, ChildOrder::cross_first);
  // When each node holds the item, all-port and in the plan's own order; parents are met before their children.
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

// The digests by which executors are compared do tell runs apart.
TEST(Drbt, digests_depend_on_data_and_counts) {
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

TEST_P(DrbtFaults, are_caught) {
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
        // All messages of a broadcast carry the same item: exchanging two of them changes nothing, so that the data
        // stays right and there is nothing to catch.
        const Ending swapped = ending(FaultKind::swap);
        EXPECT_FALSE(swapped.error);
        EXPECT_EQ(swapped.wrong, "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(machines, DrbtFaults, testing::Values("rh:0,0", "rh:2,1", "rh:3,2", "hypercube:5"));

TEST(Drbt, refuses_what_it_cannot_do) {
  EXPECT_EQ(refusal(drbt, "rh:2,1", item_settings(1, 16)), "--root 16 is out of range: 0 to 15");
  EXPECT_EQ(refusal(drbt, "rh:2,1", item_settings(0, 0)), "--words 0 is out of range: 1 to 2147483648");
  EXPECT_EQ(refusal(drbt, "rh:2,1", ordered(1, 0, "shortest")),
            "--order 'shortest' is not one of longest-first, cross-first");
  EXPECT_EQ(refusal(drbt, "rh:2,1", ordered(1, 0, "")), "--order '' is not one of longest-first, cross-first");
  EXPECT_EQ(refusal(drbt, "hypercube:3", item_settings(1, 8)), "--root 8 is out of range: 0 to 7");
  EXPECT_EQ(refusal(drbt, "hypercube:3", ordered(1, 0, "longest-first")),
            "--order is for rh; on a hypercube broadcast/drbt has one order only");
  EXPECT_EQ(refusal(drbt, "rh:2,1", ordered(1, 15, "cross-first")), "");
  EXPECT_THROW(find_method(drbt, "ring"), InputError);
}

// A word or more in every step, and the item through the links that a processor can receive on in one step.
TEST(Drbt, is_bounded_by_the_steps_and_by_what_a_processor_can_receive) {
  const auto longest_sum = [](const char* text, PortModel ports, std::uint64_t words) {
    const MachineSpec spec = parse_machine(text);
    return find_method(drbt, spec.family).lower_bound(spec, model_of(ports), item_settings(words, 0)).longest_sum;
  };
  // RH(3,2): diameter 9, degree 4. RH(0,0): two processors, one link.
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    EXPECT_EQ(longest_sum("rh:3,2", ports, 3), 9U);
    EXPECT_EQ(longest_sum("rh:3,2", ports, 40), 40U);
    EXPECT_EQ(longest_sum("hypercube:5", ports, 4), 5U);
    EXPECT_EQ(longest_sum("hypercube:5", ports, 26), 26U);
  }
  EXPECT_EQ(longest_sum("rh:3,2", PortModel::all, 36), 9U);
  EXPECT_EQ(longest_sum("rh:3,2", PortModel::all, 37), 10U);
  EXPECT_EQ(longest_sum("rh:0,0", PortModel::all, 7), 7U);
  EXPECT_EQ(longest_sum("hypercube:5", PortModel::all, 25), 5U);
  EXPECT_EQ(longest_sum("hypercube:5", PortModel::all, 26), 6U);
  EXPECT_EQ(longest_sum("hypercube:0", PortModel::all, 7), 0U);
}

TEST(Drbt, has_the_defaults_of_the_catalogue) {
  const Method& method = find_method(drbt, "rh");
  EXPECT_EQ(method.defaults.ports, PortModel::one);
  EXPECT_FALSE(method.defaults.multicast);
  EXPECT_EQ(method.defaults.duplex, Duplex::full);
  Settings settings;
  method.resolve(parse_machine("rh:2,1"), {}, settings);
  EXPECT_EQ(settings.words, 1U);
  EXPECT_EQ(settings.root, 0U);
  EXPECT_EQ(settings.order, "longest-first");
  Settings on_cube;
  method.resolve(parse_machine("hypercube:3"), {}, on_cube);
  EXPECT_FALSE(on_cube.order);
}

}  // namespace
}  // namespace lockstep
