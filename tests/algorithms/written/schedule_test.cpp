// Total exchange schedules as values: lengths and optimality (dimakopoulos.md, Cayley graphs to Products), and the
// validator that checks them. The expected schedules are written here from the text of dimakopoulos.md, Paths,
// Products.
#include "lockstep/algorithms/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "distances.hpp"
#include "method_run.hpp"
#include "random_product.hpp"

namespace lockstep::schedule_test {
namespace {

using Steps = std::vector<std::vector<Move>>;
using SharedSchedule = std::shared_ptr<const TurnSchedule>;

Steps steps_of(const TurnSchedule& schedule) {
  Steps steps;
  for (std::uint64_t step = 0; step < schedule.steps(); ++step) steps.push_back(schedule.moves(step));
  return steps;
}

std::uint64_t moves_of(const TurnSchedule& schedule) {
  std::uint64_t moves = 0;
  for (std::uint64_t step = 0; step < schedule.steps(); ++step) moves += schedule.moves(step).size();
  return moves;
}

/// The validator's error; empty if the schedule is right.
std::string complaint(const TurnSchedule& schedule, const Topology& topology) {
  try {
    validate(schedule, topology);
  } catch (const ScheduleError& error) {
    return error.what();
  }
  return {};
}

TEST(Schedule, OfARingIsOptimal) {
  for (Rank m = 1; m <= 40; ++m) {
    SCOPED_TRACE(m);
    const Topology machine = build(parse_machine("ring:" + std::to_string(m)));
    const SharedSchedule schedule = ring_schedule(m);
    EXPECT_EQ(schedule->nodes(), m);
    EXPECT_EQ(schedule->steps(), m * m / 4);
    EXPECT_EQ(moves_of(*schedule), m * (m * m / 4));  // every node sends in every step
    EXPECT_EQ(complaint(*schedule, machine), "");
  }
}

TEST(Schedule, OfAnEvenRingGoesClockwiseToTheOppositeNode) {
  const Steps steps = steps_of(*ring_schedule(4));
  // Displacement 1; displacement 2 clockwise; displacement 3, one step counter-clockwise.
  EXPECT_EQ(steps, (Steps{{{0, 1, 0, 1}, {1, 2, 1, 2}, {2, 3, 2, 3}, {3, 0, 3, 0}},
                          {{0, 1, 0, 2}, {1, 2, 1, 3}, {2, 3, 2, 0}, {3, 0, 3, 1}},
                          {{0, 1, 3, 1}, {1, 2, 0, 2}, {2, 3, 1, 3}, {3, 0, 2, 0}},
                          {{0, 3, 0, 3}, {1, 0, 1, 0}, {2, 1, 2, 1}, {3, 2, 3, 2}}}));
}

TEST(Schedule, OfACompleteGraphIsOptimal) {
  for (Rank m = 1; m <= 40; ++m) {
    SCOPED_TRACE(m);
    const Topology machine = build(parse_machine("complete:" + std::to_string(m)));
    const SharedSchedule schedule = complete_schedule(m);
    EXPECT_EQ(schedule->nodes(), m);
    EXPECT_EQ(schedule->steps(), m - 1);
    EXPECT_EQ(moves_of(*schedule), m * (m - 1));
    EXPECT_EQ(complaint(*schedule, machine), "");
  }
}

/// dimakopoulos.md, Paths, queue by queue: phase R of m nodes, or its mirror image L.
void append_path_phase(Rank m, bool mirrored, Steps& steps) {
  const auto place = [&](Rank node) { return mirrored ? m - 1 - node : node; };
  std::vector<std::deque<Move>> queues(m);
  for (Rank node = 0; node < m; ++node) {
    for (Rank destination = m - 1; destination > node; --destination) {
      if (m % 2 == 0 && node == m / 2 - 1 && destination == m / 2) continue;  // exchanged in the first step
      queues[node].push_back({0, 0, node, destination});
    }
  }
  for (;;) {
    std::vector<Move> moves;
    for (Rank node = 0; node < m; ++node) {
      if (queues[node].empty()) continue;
      const Move head = queues[node].front();
      queues[node].pop_front();
      moves.push_back({node, node + 1, head.origin, head.destination});
    }
    if (moves.empty()) return;
    for (const Move& move : moves) {
      if (move.to != move.destination) queues[move.to].push_back(move);
    }
    for (Move& move : moves) {
      move = {place(move.from), place(move.to), place(move.origin), place(move.destination)};
    }
    std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.from < b.from; });
    steps.push_back(moves);
  }
}

Steps path_steps(Rank m) {
  Steps steps;
  if (m % 2 == 0) steps.push_back({{m / 2 - 1, m / 2, m / 2 - 1, m / 2}, {m / 2, m / 2 - 1, m / 2, m / 2 - 1}});
  append_path_phase(m, false, steps);
  append_path_phase(m, true, steps);
  return steps;
}

TEST(Schedule, OfAPathIsWhatItsQueuesDo) {
  for (Rank m = 1; m <= 40; ++m) {
    SCOPED_TRACE(m);
    const Topology machine = build(parse_machine("path:" + std::to_string(m)));
    const SharedSchedule schedule = path_schedule(m);
    EXPECT_EQ(schedule->nodes(), m);
    EXPECT_EQ(schedule->steps(), m == 1 ? 0 : (m * m + 1) / 2 - 1);
    EXPECT_EQ(moves_of(*schedule), m * (m * m - 1) / 3);
    EXPECT_EQ(steps_of(*schedule), path_steps(m));
    EXPECT_EQ(complaint(*schedule, machine), "");
  }
}

/// dimakopoulos.md, Products, loop by loop: A2 for the product of two lists of steps.
Steps a2(Rank n_1, const Steps& a, Rank n_2, const Steps& b) {
  const auto node = [&](Rank i, Rank j) { return i * n_2 + j; };
  Steps steps;
  for (Rank r = 0; r < n_1; ++r) {
    for (const auto& step : b) {
      auto& moves = steps.emplace_back();
      for (Rank i = 0; i < n_1; ++i) {
        for (const Move& m : step) {
          moves.push_back({node(i, m.from), node(i, m.to), node(i, m.origin), node(r, m.destination)});
        }
      }
    }
  }
  for (Rank k = 0; k < n_2; ++k) {
    for (const auto& step : a) {
      auto& moves = steps.emplace_back();
      for (Rank j = 0; j < n_2; ++j) {
        for (const Move& m : step) {
          moves.push_back({node(m.from, j), node(m.to, j), node(m.origin, k), node(m.destination, j)});
        }
      }
      std::sort(moves.begin(), moves.end(), [](const Move& x, const Move& y) { return x.from < y.from; });
    }
  }
  return steps;
}

TEST(Schedule, OfAProductIsThatOfA2FoldedFromTheLeft) {
  const std::vector<std::vector<SharedSchedule>> products{
      {ring_schedule(3), ring_schedule(4)},
      {path_schedule(3), complete_schedule(4)},
      {path_schedule(4), path_schedule(3), ring_schedule(5)},
      {ring_schedule(3), ring_schedule(1), path_schedule(4), complete_schedule(2)},
      {path_schedule(2), path_schedule(2), path_schedule(2), path_schedule(2), path_schedule(2)},
      {path_schedule(2), path_schedule(3), ring_schedule(3), complete_schedule(3)}};
  for (std::size_t index = 0; index < products.size(); ++index) {
    SCOPED_TRACE("product " + std::to_string(index));
    Rank nodes = 1;
    Steps steps;
    for (const SharedSchedule& factor : products[index]) {
      steps = a2(nodes, steps, factor->nodes(), steps_of(*factor));
      nodes *= factor->nodes();
    }
    EXPECT_EQ(steps_of(ProductSchedule(products[index])), steps);
  }
}

TEST(Schedule, OfAProductHasTheLengthsOfTheSpec) {
  const std::pair<const char*, std::uint64_t> known[] = {{"torus:4x3", 20},
                                                         {"torus:3x4x5", 172},
                                                         {"product:complete:4*ring:5", 39},
                                                         {"product:path:3*ring:4", 28},
                                                         {"mesh:3x2", 11},
                                                         {"mesh:3x3", 24},
                                                         {"mesh:4x4", 56},
                                                         {"torus:1x1", 0},
                                                         {"torus:1x5x1", 6},
                                                         {"torus:2x2", 4},
                                                         {"torus:2x1x3", 7},
                                                         {"hypercube:0", 0},
                                                         {"product:hypercube:2*mesh:1x2", 12}};
  for (const auto& [text, steps] : known) {
    SCOPED_TRACE(text);
    const MachineSpec spec = parse_machine(text);
    const ProductSchedule schedule = total_exchange_schedule(spec);
    EXPECT_EQ(schedule.nodes(), spec.processors);
    EXPECT_EQ(schedule.steps(), steps);
    EXPECT_EQ(complaint(schedule, build(spec)), "");
  }
}

TEST(Schedule, OfRandomProductsIsValidAndOnShortestPaths) {
  std::mt19937_64 random(20);
  for (int trial = 0; trial < (sanitized ? 20 : 60); ++trial) {
    const RandomProduct product = random_product(random);
    SCOPED_TRACE(product.text);
    const MachineSpec spec = parse_machine(product.text);
    const Topology machine = build(spec);
    const ProductSchedule schedule = total_exchange_schedule(spec);
    const std::uint64_t distances = sum_of_distances(machine);
    ASSERT_EQ(schedule.nodes(), product.nodes);
    EXPECT_EQ(schedule.steps(), product.steps);
    EXPECT_EQ(moves_of(schedule), distances);
    EXPECT_EQ(complaint(schedule, machine), "");
    // Factors that reach their average status give a product that reaches its own: no idle port in any step.
    if (product.regular) {
      EXPECT_EQ(product.steps * product.nodes, distances);
    }
  }
}

TEST(Schedule, OfAProductTakesFactorsThatUsersGive) {
  const SharedSchedule left_first =  // path:3 with its phases in the other order
      listed_schedule(3, {{{2, 1, 2, 0}, {1, 0, 1, 0}},
                          {{2, 1, 2, 1}, {1, 0, 2, 0}},
                          {{0, 1, 0, 2}, {1, 2, 1, 2}},
                          {{0, 1, 0, 1}, {1, 2, 0, 2}}});
  const ProductSchedule schedule({ring_schedule(4), left_first});
  EXPECT_EQ(schedule.steps(), 4U * 4 + 3 * 4);
  EXPECT_EQ(complaint(schedule, build(parse_machine("product:ring:4*path:3"))), "");
}

TEST(Schedule, OfAProductIsLiftedWithoutATable) {
  const ProductSchedule schedule = total_exchange_schedule(parse_machine("torus:1000x2000x2000"));
  // n sum m_i/4 with n = 4 * 10^9.
  EXPECT_EQ(schedule.steps(), std::uint64_t{4'000'000'000} * 1250);
  const Turn first = schedule.turn(0, 0);  // the last factor's displacement 1
  EXPECT_EQ(first.sends, (Move{0, 1, 0, 1}));
  EXPECT_EQ(first.receives, (Move{1999, 0, 1999, 0}));
  // The end: the first factor's displacement 999, among nodes that agree in the other coordinates. Messages end at 0
  // that node 1, which is 4 * 10^6, held from the start, or received from the last origins.
  const Turn last = schedule.turn(schedule.steps() - 1, 0);
  EXPECT_EQ(last.sends, (Move{0, 3'996'000'000U, 3'999'999U, 3'996'000'000U}));
  EXPECT_EQ(last.receives, (Move{4'000'000U, 0, 7'999'999U, 0}));
}

// dimakopoulos.md, Products: on path3 x path4 a node must hold 14 undelivered messages at a time; with n = 12 it begins
// with 11.
TEST(Schedule, OfAProductOfPathsNeedsMoreRoomThanNMessages) {
  const ProductSchedule schedule = total_exchange_schedule(parse_machine("mesh:3x4"));
  std::vector<int> undelivered(12, 11);
  int most = 0;
  for (const auto& moves : steps_of(schedule)) {
    for (const Move& move : moves) {
      --undelivered[move.from];
      if (move.to != move.destination) ++undelivered[move.to];
    }
    most = std::max(most, *std::max_element(undelivered.begin(), undelivered.end()));
  }
  EXPECT_EQ(most, 14);
}

TEST(Schedule, OfOtherMachinesIsThatOfACayleyGraphOrGreedy) {
  const std::string petersen = "graph:" LOCKSTEP_GRAPHS "/petersen.json";
  for (const std::string& text : {std::string("rh:2,1"), std::string("product:ring:3*rh:1,1"), petersen}) {
    const MachineSpec spec = parse_machine(text);
    const Topology machine = build(spec);
    const ProductSchedule schedule = total_exchange_schedule(spec);
    EXPECT_EQ(complaint(schedule, machine), "");
    EXPECT_EQ(moves_of(schedule), sum_of_distances(machine));
    if (text != petersen) {
      EXPECT_EQ(schedule.steps() * schedule.nodes(), sum_of_distances(machine));
    }
  }
}

class Validator : public testing::Test {
 protected:
  std::string complaint() const { return schedule_test::complaint(*listed_schedule(3, steps), path); }

  const Topology path = build(parse_machine("path:3"));
  Steps steps{{{0, 1, 0, 2}, {1, 2, 1, 2}},
              {{0, 1, 0, 1}, {1, 2, 0, 2}},
              {{2, 1, 2, 0}, {1, 0, 1, 0}},
              {{2, 1, 2, 1}, {1, 0, 2, 0}}};
};

TEST_F(Validator, AcceptsTheScheduleInWhichFaultsArePlanted) { EXPECT_EQ(complaint(), ""); }

TEST_F(Validator, FindsTwoSends) {
  steps[0].push_back({1, 0, 1, 0});
  EXPECT_EQ(complaint(), "step 0: processor 1 sends two messages, 1->2 and 1->0");
}

TEST_F(Validator, FindsTwoReceives) {
  steps[1].push_back({2, 1, 2, 0});
  EXPECT_EQ(complaint(), "step 1: processor 1 receives two messages, 0->1 and 2->0");
}

TEST_F(Validator, FindsAMissingLink) {
  steps[0] = {{0, 2, 0, 2}};
  EXPECT_EQ(complaint(), "step 0: processor 0 sends 0->2 to processor 2, to which it has no link");
}

TEST_F(Validator, FindsAMessageSentBeforeItIsHeld) {
  std::swap(steps[2], steps[3]);
  EXPECT_EQ(complaint(), "step 2: processor 1 sends 2->0, which processor 2 holds");
}

TEST_F(Validator, FindsAMessageSentOnInTheStepInWhichItArrives) {
  steps[0] = {{0, 1, 0, 2}, {1, 2, 0, 2}};
  EXPECT_EQ(complaint(), "step 0: processor 1 sends 0->2, which processor 0 holds");
}

TEST_F(Validator, FindsAMessageThatIsNeverDelivered) {
  steps[3].erase(steps[3].begin());
  EXPECT_EQ(complaint(), "after 4 steps: message 2->1 is never delivered");
}

TEST_F(Validator, FindsAMessageThatStaysOnItsWay) {
  steps.pop_back();
  EXPECT_EQ(complaint(), "after 3 steps: message 2->0 ends at processor 1");
}

TEST_F(Validator, FindsAMessageDeliveredToTheWrongPlace) {
  steps.push_back({{1, 2, 0, 1}});
  EXPECT_EQ(complaint(), "after 5 steps: message 0->1 ends at processor 2");
}

TEST_F(Validator, FindsAnEmptyStep) {
  steps.insert(steps.begin() + 2, std::vector<Move>{});
  EXPECT_EQ(complaint(), "step 2: no processor sends");
}

TEST_F(Validator, FindsMovesWithoutAProcessorOrABlock) {
  steps[0][1] = {1, 2, 1, 3};
  EXPECT_EQ(complaint(), "step 0: processor 3 does not exist");
  steps[0][1] = {1, 2, 1, 1};
  EXPECT_EQ(complaint(), "step 0: processor 1 sends 1->1, which is no message");
  EXPECT_EQ(schedule_test::complaint(*listed_schedule(2, {}), path),
            "the schedule is for 2 processors, the machine has 3");
}

TEST_F(Validator, SaysWhere) {
  steps[2] = {};
  try {
    validate(*listed_schedule(3, steps), path);
    FAIL();
  } catch (const ScheduleError& error) {
    EXPECT_EQ(error.step(), 2U);
    EXPECT_EQ(error.node(), no_rank);
  }
  steps[2] = {{0, 1, 0, 2}};
  try {
    validate(*listed_schedule(3, steps), path);
    FAIL();
  } catch (const ScheduleError& error) {
    EXPECT_EQ(error.step(), 2U);
    EXPECT_EQ(error.node(), 0U);
  }
}

/// Its nodes are to receive blocks that no node sends.
class Inconsistent : public TurnSchedule {
 public:
  Rank nodes() const override { return 2; }
  std::uint64_t steps() const override { return 1; }
  Turn turn(std::uint64_t, Rank node) const override {
    const Rank other = 1 - node;
    return {{node, other, node, other}, {other, node, node, other}};
  }
};

TEST(ValidatorOfTurns, FindsATurnThatIsNotWhatMoves) {
  EXPECT_EQ(complaint(Inconsistent(), build(parse_machine("path:2"))),
            "step 0: processor 0 has a turn that receives something other than its move");
}

}  // namespace
}  // namespace lockstep::schedule_test
