// Broadcasts of files end to end: data from --input is written by --output, and all errors of either.
#include <gtest/gtest.h>

#include <filesystem>

#include "command_line.hpp"

namespace lockstep::test::broadcast_file_test {
namespace {

const std::string numbers = "7\n-3\n0\n9223372036854775807\n-9223372036854775808\n";

Finished broadcast(const std::string& further) {
  return lockstep("run --machine hypercube:4 --algorithm broadcast/sbt --json - " + further);
}

TEST(BroadcastFiles, WhatIsBroadcastComesOutAsItWentIn) {
  const TemporaryDirectory directory;
  write_file(directory.file("in.txt"), numbers);
  for (const std::string method : {"hypercube:0 --algorithm broadcast/sbt", "hypercube:4 --algorithm broadcast/sbt",
                                   "hypercube:5 --algorithm broadcast/drbt", "rh:2,1 --algorithm broadcast/drbt"}) {
    SCOPED_TRACE(method);
    const Finished run = lockstep("run --machine " + method + " --json - --input " + directory.file("in.txt") +
                                  " --output " + directory.file("out.txt"));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(read_file(directory.file("out.txt")), numbers);
    const nlohmann::json report = nlohmann::json::parse(run.out);
    EXPECT_EQ(report["verified"], true);
    EXPECT_EQ(report["algorithm"]["parameters"]["words"], 5);
    EXPECT_EQ(report["algorithm"]["parameters"]["input"], directory.file("in.txt"));
    EXPECT_EQ(report["counted"]["words"], 5 * report["counted"]["messages"].get<int>());
    std::filesystem::remove(directory.file("out.txt"));
  }
  EXPECT_EQ(directory.files(), std::vector<std::string>{"in.txt"});
}

TEST(BroadcastFiles, FractionsStayFractions) {
  const TemporaryDirectory directory;
  write_file(directory.file("in.txt"), "1 2.5\n\n  -1e300\t0.1");
  const Finished run =
      broadcast("--input " + directory.file("in.txt") + " --output " + directory.file("out.txt") + " --root 15");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(read_file(directory.file("out.txt")), "1.0\n2.5\n-1e+300\n0.1\n");
}

TEST(BroadcastFiles, AnotherInputGivesAnotherDigest) {
  const TemporaryDirectory directory;
  write_file(directory.file("a.txt"), "1 2 3");
  write_file(directory.file("b.txt"), "1 2 4");
  const auto digest = [&](const std::string& file) {
    return nlohmann::json::parse(broadcast("--input " + directory.file(file)).out)["digest"];
  };
  EXPECT_EQ(digest("a.txt"), digest("a.txt"));
  EXPECT_NE(digest("a.txt"), digest("b.txt"));
}

TEST(BroadcastFiles, GeneratedDataCanBeWrittenAndReadBack) {
  const TemporaryDirectory directory;
  const std::string first = directory.file("first.txt");
  const std::string second = directory.file("second.txt");
  EXPECT_EQ(broadcast("--words 100 --seed 5 --output " + first).exit_code, 0);
  EXPECT_EQ(lines(read_file(first)).size(), 100U);
  EXPECT_EQ(broadcast("--words 100 --input " + first + " --output " + second).exit_code, 0);
  EXPECT_EQ(read_file(second), read_file(first));
}

TEST(BroadcastFiles, AnInputMayBeItsOwnOutput) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("data.txt");
  write_file(file, "1    2");
  EXPECT_EQ(broadcast("--input " + file + " --output " + file).exit_code, 0);
  EXPECT_EQ(read_file(file), "1\n2\n");
}

TEST(BroadcastFiles, ACountThatDoesNotFitIsRefused) {
  const TemporaryDirectory directory;
  write_file(directory.file("in.txt"), numbers);
  expect_refused(broadcast("--words 4 --input " + directory.file("in.txt") + " --output " + directory.file("out.txt")),
                 {"--words 4 does not fit", "in.txt", "5 numbers"});
  EXPECT_EQ(directory.files(), std::vector<std::string>{"in.txt"});
}

TEST(BroadcastFiles, InputsThatCannotBeReadAreRefused) {
  const TemporaryDirectory directory;
  expect_refused(broadcast("--input " + directory.file("none.txt")), {"none.txt", "No such file"});
  expect_refused(broadcast("--input " + directory.file("")), {"directory"});
  expect_refused(broadcast("--input /dev/zero"), {"/dev/zero", "no regular file"});
  write_file(directory.file("empty.txt"), " \n");
  expect_refused(broadcast("--input " + directory.file("empty.txt")), {"empty.txt", "no numbers"});
  write_file(directory.file("words.txt"), "1\n2\nthree\n");
  expect_refused(broadcast("--input " + directory.file("words.txt")), {"words.txt", "line 3", "'three'"});
}

TEST(BroadcastFiles, OutputsThatCannotBeWrittenAreRefused) {
  const TemporaryDirectory directory;
  expect_refused(broadcast("--output " + directory.file("none/out.txt")), {"none/out.txt", "No such file"});
  expect_refused(broadcast("--output " + directory.file("")), {"directory"});
  expect_refused(broadcast("--output /dev/full"), {"/dev/full", "no regular file"});
  expect_refused(broadcast("--output -"), {"-", "file with a name"});
  EXPECT_TRUE(directory.files().empty());
}

}  // namespace
}  // namespace lockstep::test::broadcast_file_test
