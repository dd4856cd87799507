// Written schedules of chunks: they accept faults, are verified and have digests like schedules of blocks.
#include <gtest/gtest.h>

#include <utility>

#include "command_line.hpp"

namespace lockstep::test {
namespace {

using Json = nlohmann::json;

/// A broadcast down path:3, of a block and of two chunks.
constexpr const char* of_a_block =
    R"({"operation": "broadcast", "root": 0, "processors": 3, "steps":
        [[{"from": 0, "to": 1, "blocks": [0]}], [{"from": 1, "to": 2, "blocks": [0]}]]})";
constexpr const char* of_chunks =
    R"({"operation": "broadcast", "root": 0, "processors": 3, "chunks": 2, "steps":
        [[{"from": 0, "to": 1, "blocks": [[0, 0], [0, 1]]}], [{"from": 1, "to": 2, "blocks": [[0, 0], [0, 1]]}]]})";
/// A reduce-scatter on path:2, in which both processors add.
constexpr const char* of_sums =
    R"({"operation": "reduce-scatter", "processors": 2, "chunks": 2, "steps":
        [[{"from": 0, "to": 1, "adds": true, "blocks": [[1, 0], [1, 1]]},
          {"from": 1, "to": 0, "adds": true, "blocks": [[0, 0], [0, 1]]}]]})";

class WrittenChunks : public testing::Test {
 protected:
  Finished run(const std::string& schedule, const std::string& flags) const {
    write_file(file_, schedule);
    return lockstep("run --algorithm file:" + file_ + " " + flags);
  }
  Json report(const std::string& schedule, const std::string& flags) const {
    const Finished finished = run(schedule, flags + " --json -");
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return Json::parse(finished.out, nullptr, false);
  }

  const TemporaryDirectory directory_;
  const std::string file_ = directory_.file("schedule.json");
};

TEST_F(WrittenChunks, FailWhereALinkOrAProcessorHasFailed) {
  for (const auto& [fault, said] : std::vector<std::pair<std::string, std::string>>{
           {"--fail-link 0-1", "cycle 0, rank 0, port 0: the link to rank 1 failed in cycle 0"},
           {"--fail-link 1-2@1", "cycle 1, rank 1, port 0: the link to rank 2 failed in cycle 1"},
           {"--fail-processor 1", "cycle 0, rank 0, port 0: rank 1 failed in cycle 0"}}) {
    for (const char* const schedule : {of_a_block, of_chunks}) {
      const Finished failed = run(schedule, "--machine path:3 " + fault);
      EXPECT_EQ(failed.exit_code, 1) << schedule << failed.out;
      EXPECT_EQ(failed.err, "lockstep: " + file_ + ": " + said + "\n") << schedule;
    }
  }
  const Finished no_link = run(of_chunks, "--machine path:3 --fail-link 0-2");
  EXPECT_EQ(no_link.exit_code, 2) << no_link.err;
}

// A fault after the last message changes nothing, and the data of a failed processor is not checked.
TEST_F(WrittenChunks, AreRightWhereNothingIsSentThatFails) {
  for (const char* const schedule : {of_a_block, of_chunks}) {
    const Json late = report(schedule, "--machine path:3 --words 4 --fail-link 0-1@1");
    EXPECT_EQ(late["digest"], report(schedule, "--machine path:3 --words 4")["digest"]) << schedule;
    const Json lost = report(schedule, "--machine path:3 --words 4 --fail-processor 0@1");
    EXPECT_EQ(lost["verified"], true) << schedule;
    EXPECT_NE(lost["digest"], late["digest"]) << schedule;
  }
}

// Two messages of 4 words, one after the other; the straggler's takes three times as long.
TEST_F(WrittenChunks, WaitForStragglers) {
  for (const char* const schedule : {of_a_block, of_chunks}) {
    const std::string flags = "--machine path:3 --words 4 --beta 0 --tau 1";
    EXPECT_EQ(report(schedule, flags)["modelled_time"]["asynchronous"], 8) << schedule;
    EXPECT_EQ(report(schedule, flags + " --straggler 0:3")["modelled_time"]["asynchronous"], 16) << schedule;
  }
}

TEST_F(WrittenChunks, HaveADigestOfTheirData) {
  for (const auto& [schedule, machine] :
       {std::pair{of_a_block, "path:3"}, {of_chunks, "path:3"}, {of_sums, "path:2"}}) {
    const std::string flags = std::string("--words 4 --machine ") + machine;
    const Json one = report(schedule, flags + " --seed 1");
    EXPECT_EQ(report(schedule, flags + " --seed 1 --executor sequential")["digest"], one["digest"]) << schedule;
    const Json other = report(schedule, flags + " --seed 2");
    EXPECT_NE(other["digest"], one["digest"]) << schedule;
    EXPECT_EQ(other["counted"], one["counted"]) << schedule;
  }
}

TEST_F(WrittenChunks, SayHowLongTheyWereVerified) {
  for (const auto& [schedule, machine] :
       {std::pair{of_a_block, "path:3"}, {of_chunks, "path:3"}, {of_sums, "path:2"}}) {
    const Json plain = report(schedule, std::string("--words 4000 --machine ") + machine);
    EXPECT_GT(plain["wall"]["verify_s"], 0.0) << schedule;
  }
}

}  // namespace
}  // namespace lockstep::test
