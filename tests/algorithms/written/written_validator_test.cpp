// The validator of written schedules: the rules of every model, and the blocks of every task.
#include <gtest/gtest.h>

#include "lockstep/algorithms/schedule.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::written_validator_test {
namespace {

class WrittenValidator : public testing::Test {
 protected:
  std::string complaint(const Model& model) const {
    try {
      validate(schedule, square, model);
    } catch (const ScheduleError& error) {
      return error.what();
    }
    return {};
  }
  static Model model(PortModel ports, Duplex duplex = Duplex::full) {
    Model model;
    model.ports = ports;
    model.duplex = duplex;
    return model;
  }

  const Topology square = build(parse_machine("ring:4"));
  // With all ports: every rank sends to both neighbours; blocks for the opposite rank go through the next one.
  Schedule schedule{
      4,
      {{{0, 1, 0, 1}, {0, 3, 0, 3}, {1, 2, 1, 2}, {1, 0, 1, 0}, {2, 3, 2, 3}, {2, 1, 2, 1}, {3, 0, 3, 0}, {3, 2, 3, 2}},
       {{0, 1, 0, 2}, {1, 2, 1, 3}, {2, 3, 2, 0}, {3, 0, 3, 1}},
       {{1, 2, 0, 2}, {2, 3, 1, 3}, {3, 0, 2, 0}, {0, 1, 3, 1}}}};
};

TEST_F(WrittenValidator, KnowsTheRulesOfAllPorts) {
  EXPECT_EQ(complaint(model(PortModel::all)), "");
  EXPECT_EQ(complaint(model(PortModel::one)), "step 0: processor 0 sends two messages, 0->1 and 0->3");
  schedule.steps[1].push_back({0, 1, 0, 1});
  EXPECT_EQ(complaint(model(PortModel::all)), "step 1: processor 0 sends two messages to processor 1, 0->2 and 0->1");
}

TEST_F(WrittenValidator, KnowsThatAMessageCanGoOneWayOnly) {
  schedule.steps[1].push_back({0, 3, 0, 2});
  EXPECT_EQ(complaint(model(PortModel::all)), "step 1: processor 0 sends 0->2 twice");
}

TEST_F(WrittenValidator, KnowsTheRulesOfHalfDuplex) {
  EXPECT_EQ(complaint(model(PortModel::all, Duplex::half_link)),
            "step 0: processor 1 sends 1->0 to processor 0, which sends 0->1 over that link");
  EXPECT_EQ(complaint(model(PortModel::all, Duplex::half_node)),
            "step 0: processor 1 receives 0->1 and sends 1->2, in half duplex");
  schedule.steps = {{{0, 1, 0, 1}, {1, 0, 1, 0}}};
  EXPECT_EQ(complaint(model(PortModel::one, Duplex::half_link)),
            "step 0: processor 1 sends 1->0 to processor 0, which sends 0->1 over that link");
}

TEST_F(WrittenValidator, KnowsTheRulesOfOneStrict) {
  schedule.steps = {{{0, 1, 0, 1}, {1, 0, 1, 0}, {2, 3, 2, 3}, {3, 2, 3, 2}}, {{0, 1, 0, 2}, {1, 2, 1, 2}}};
  EXPECT_EQ(complaint(model(PortModel::one_strict)),
            "step 1: processor 1 sends 1->2 to processor 2 and receives 0->2 over another link");
  schedule.steps[1] = {{1, 2, 1, 2}, {0, 1, 0, 2}};
  EXPECT_EQ(complaint(model(PortModel::one_strict)),
            "step 1: processor 1 receives 0->2 and sends 1->2 over another link");
}

TEST_F(WrittenValidator, AcceptsWhatIsLegalInHalfDuplexAndOneStrict) {
  // One after the other, on a path of two.
  const Topology pair = build(parse_machine("path:2"));
  const Schedule in_turn{2, {{{0, 1, 0, 1}}, {{1, 0, 1, 0}}}};
  const Schedule at_once{2, {{{0, 1, 0, 1}, {1, 0, 1, 0}}}};
  for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      EXPECT_NO_THROW(validate(in_turn, pair, model(ports, duplex)));
    }
  }
  EXPECT_NO_THROW(validate(at_once, pair, model(PortModel::one_strict)));
  // Round the ring over different links: allowed by half-link, not by half-node.
  const Topology triangle = build(parse_machine("ring:3"));
  const Schedule round{3, {{{0, 1, 0, 1}, {1, 2, 1, 2}, {2, 0, 2, 0}}, {{0, 2, 0, 2}, {2, 1, 2, 1}, {1, 0, 1, 0}}}};
  EXPECT_NO_THROW(validate(round, triangle, model(PortModel::one, Duplex::half_link)));
  EXPECT_THROW(validate(round, triangle, model(PortModel::one, Duplex::half_node)), ScheduleError);
}

TEST_F(WrittenValidator, TakesMessagesThatAreCombinedForOne) {
  // saad-schultz-1985.md, MTADEA, on the square: first the blocks for the other side over one dimension, then over the
  // other.
  schedule.steps = {
      {{0, 1, 0, 1}, {0, 1, 0, 2}, {1, 0, 1, 0}, {1, 0, 1, 3}, {2, 3, 2, 3}, {2, 3, 2, 0}, {3, 2, 3, 2}, {3, 2, 3, 1}},
      {{0, 3, 0, 3}, {0, 3, 1, 3}, {3, 0, 3, 0}, {3, 0, 2, 0}, {1, 2, 1, 2}, {1, 2, 0, 2}, {2, 1, 2, 1}, {2, 1, 3, 1}}};
  EXPECT_EQ(complaint(model(PortModel::one)), "step 0: processor 0 sends two messages, 0->1 and 0->2");
  schedule.combined = true;
  for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
    EXPECT_EQ(complaint(model(ports)), "");
  }
  schedule.steps[0].push_back({0, 1, 0, 1});
  EXPECT_EQ(complaint(model(PortModel::one)), "step 0: processor 0 sends 0->1 twice");
  schedule.steps[0].back() = {0, 3, 0, 3};
  EXPECT_EQ(complaint(model(PortModel::one)), "step 0: processor 0 sends two messages, 0->2 and 0->3");
}

TEST_F(WrittenValidator, KnowsTheHoldersOfCopiesOfBlocksForAll) {
  schedule = {4, {{{3, 0, 3, 3}}, {{3, 2, 3, 3}, {0, 1, 3, 3}}}, false, {.operation = "broadcast", .root = 3}};
  EXPECT_EQ(complaint(model(PortModel::one)), "");
  schedule.task.operation = "allgather";
  EXPECT_EQ(complaint(model(PortModel::one)), "after 2 steps: processor 1 lacks the block of 0");
  schedule.task = {.operation = "broadcast", .root = 2};
  EXPECT_EQ(complaint(model(PortModel::one)), "step 0: processor 3 sends the block of 3, which is no message");
  schedule.task.root = 3;
  schedule.steps = {{{3, 0, 3, 3}, {0, 1, 3, 3}}};
  EXPECT_EQ(complaint(model(PortModel::one)), "step 0: processor 0 sends the block of 3, which it does not hold");
}

TEST_F(WrittenValidator, TakesAMulticastForOneMessage) {
  Model multicast = model(PortModel::one);
  multicast.multicast = true;
  schedule = {4, {{{0, 1, 0, 0}, {0, 3, 0, 0}}, {{1, 2, 0, 0}}}, false, {.operation = "broadcast"}};
  EXPECT_EQ(complaint(multicast), "");
  EXPECT_EQ(complaint(model(PortModel::one)),
            "step 0: processor 0 sends two messages, the block of 0 and the block of 0");
  const Schedule two{4, {{{0, 1, 0, 1}, {0, 3, 0, 3}}}, false, {.operation = "scatter"}};
  schedule = two;
  EXPECT_EQ(complaint(multicast), "step 0: processor 0 sends two messages, 0->1 and 0->3");
  // Messages are the same only if they are equal as a whole.
  schedule = {
      4, {{{0, 1, 0, 0}, {1, 0, 1, 1}}, {{0, 1, 0, 0}, {0, 1, 1, 1}, {0, 3, 0, 0}}}, true, {.operation = "allgather"}};
  EXPECT_EQ(complaint(multicast), "step 1: processor 0 sends two messages, the block of 0 and the block of 0");
}

TEST_F(WrittenValidator, KnowsTheBlocksOfEveryTask) {
  schedule = {4, {{{0, 1, 0, 1}}, {{0, 3, 0, 3}, {1, 2, 0, 1}}}, false, {.operation = "scatter"}};
  EXPECT_EQ(complaint(model(PortModel::one)), "after 2 steps: message 0->1 ends at processor 2");
  schedule.steps.pop_back();
  EXPECT_EQ(complaint(model(PortModel::one)), "after 1 steps: message 0->2 is never delivered");
  schedule.task = {.operation = "gather", .root = 1};
  schedule.steps = {{{0, 1, 0, 1}}, {{2, 1, 2, 1}}, {{3, 0, 3, 1}}, {{0, 1, 3, 1}}};
  EXPECT_EQ(complaint(model(PortModel::one)), "");
  schedule.task = {.operation = "some-to-all", .few = 1};
  EXPECT_EQ(complaint(model(PortModel::one)), "step 1: processor 2 sends 2->1, which is no message");
  schedule.task = {.operation = "all-to-some", .few = 2};
  EXPECT_EQ(complaint(model(PortModel::one)), "after 4 steps: message 1->0 is never delivered");
}

TEST_F(WrittenValidator, TakesTheBlocksThatMoveWhereMovesTellOfThem) {
  schedule = {4, {{{0, 1, 0, 2}, {3, 0, 3, 0}}, {{1, 2, 0, 2}}}, false, {.operation = "permute"}};
  EXPECT_EQ(complaint(model(PortModel::one)), "");
  schedule.steps[1] = {{1, 2, 0, 3}};
  EXPECT_EQ(complaint(model(PortModel::one)), "step 1: processor 1 sends 0->3, which processor 0 holds");
  schedule.steps.pop_back();
  EXPECT_EQ(complaint(model(PortModel::one)), "after 1 steps: message 0->2 ends at processor 1");
}

TEST_F(WrittenValidator, KnowsTheSize) {
  schedule.nodes = 5;
  EXPECT_EQ(complaint(model(PortModel::all)), "the schedule is for 5 processors, the machine has 4");
}

}  // namespace
}  // namespace lockstep::written_validator_test
