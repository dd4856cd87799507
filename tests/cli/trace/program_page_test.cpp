// Pages of a user's programs: their content for a run that ends well and for one that does not.
#include "lockstep/command/program_page.hpp"

#include <gtest/gtest.h>

#include "lockstep/core/machine.hpp"
#include "lockstep/machines/topologies.hpp"
#include "page.hpp"

namespace lockstep::test::program_page_test {
namespace {

enum class Manner { good, waits_first, sends_twice };

/// Every processor sends its rank to the next one, once round the ring of the machine.
Process pass_on(Processor<Word>& self, Manner manner) {
  constexpr Port next = 0, previous = 1;
  Word number = self.rank();
  self.phase("round");
  for (Rank seen = 1; seen < self.processors(); ++seen) {
    if (manner != Manner::waits_first) self.send(next, number);
    if (manner == Manner::sends_twice && self.now() == 1 && self.rank() == 2) self.send(previous, number);
    number = co_await self.message(previous);
  }
}

/// The page of the program's run on a ring of three.
Page page_of(Manner manner, std::uint64_t max_messages = 1000) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("html");
  const MachineSpec ring = parse_machine("ring:3");
  Model model;
  model.cost.beta = 10;
  const Topology topology = build(ring);
  Machine<Word> machine(topology, model);
  ProgramPage page("pass-on", ring, model, max_messages);
  PayloadObserver<Word> observer(page.observer());
  machine.observe(&observer);
  try {
    page.write(file, machine.run([=](Processor<Word>& self) { return pass_on(self, manner); }, {.name = "pass-on"}));
  } catch (const RunError&) {
    page.write(file, std::current_exception());
  }
  return test::page_of(read_file(file));
}

TEST(ProgramPage, HasAWholeRun) {
  const Page page = page_of(Manner::good);
  EXPECT_EQ(page.title, "pass-on on ring:3");
  const Json& run = page.run();
  EXPECT_EQ(run["report"]["algorithm"]["name"], "pass-on");
  EXPECT_EQ(run["report"]["counted"]["steps"], 2);
  EXPECT_EQ(run["report"]["counted"]["messages"], 6);
  EXPECT_EQ(run["report"]["model"]["beta"], 10);
  EXPECT_EQ(run["report"]["status"], "ended");
  EXPECT_EQ(run["report"]["verified"], false);
  EXPECT_EQ(run["report"]["digest"], nullptr);
  EXPECT_EQ(run["report"]["error"], nullptr);
  EXPECT_EQ(run["graph"]["nodes"].size(), 3U);
  EXPECT_EQ(run["code"], nullptr);
  const Json& transfers = run["trace"]["transfers"];
  ASSERT_EQ(transfers.size(), 6U);
  EXPECT_EQ(transfers[3], Json::parse(R"({"cycle": 1, "from": 0, "port": 0, "to": 1, "words": 1, "startups": 1,
                                          "blocks": null, "phase": "round", "start": 11, "end": 22})"));
}

TEST(ProgramPage, HasALimitedNumberOfMessages) {
  const Page page = page_of(Manner::good, 4);
  EXPECT_EQ(page.run()["trace"]["transfers"].size(), 4U);
  EXPECT_EQ(page.run()["trace"]["left_out"]["past_max_events"], 2);
}

// No processor sends, so each waits for the previous one from the start.
TEST(ProgramPage, ShowsWhichProcessorsWaitForWhich) {
  const Page page = page_of(Manner::waits_first);
  const Json& report = page.run()["report"];
  EXPECT_EQ(report["status"], "failed");
  EXPECT_EQ(report["error"]["kind"], "deadlock");
  EXPECT_EQ(report["error"]["waits"], Json::parse(R"([
      {"rank": 0, "port": 1, "since": 0, "neighbour": 2, "neighbour_ended": false, "neighbour_failed": null},
      {"rank": 2, "port": 1, "since": 0, "neighbour": 1, "neighbour_ended": false, "neighbour_failed": null},
      {"rank": 1, "port": 1, "since": 0, "neighbour": 0, "neighbour_ended": false, "neighbour_failed": null}])"));
  EXPECT_EQ(page.run()["trace"]["transfers"].size(), 0U);
}

TEST(ProgramPage, ShowsWhichRuleIsBroken) {
  const Page page = page_of(Manner::sends_twice);
  const Json& error = page.run()["report"]["error"];
  EXPECT_EQ(error["kind"], "send-limit");
  EXPECT_EQ(error["cycle"], 1);
  EXPECT_EQ(error["rank"], 2);
  EXPECT_EQ(error["ports"], Json::parse("[0, 1]"));
  EXPECT_EQ(page.run()["trace"]["transfers"].size(), 3U) << "those of cycle 0";
}

}  // namespace
}  // namespace lockstep::test::program_page_test
