// trace --ti: SimGrid's time-independent traces. tests/cross/simgrid_test.cpp has SimGrid replay them.
#include <gtest/gtest.h>

#include <filesystem>

#include "command_line.hpp"

namespace lockstep::test::trace_replay_test {
namespace {

// In cycle 0 of the exchange on two processors both send and receive; of a broadcast only one sends.
TEST(TraceReplay, HasAFileForEveryRankAndAListOfThem) {
  const TemporaryDirectory directory;
  const std::string exchange = directory.file("exchange"), broadcast = directory.file("broadcast");
  const Finished run = lockstep("trace --machine hypercube:1 --algorithm allgather/adea --words 2 --ti " + exchange);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, exchange + ": 2 messages of allgather/adea on hypercube:1\n");
  EXPECT_EQ(read_file(exchange + "/traces.txt"), "rank-0.trace\nrank-1.trace\n");
  EXPECT_EQ(read_file(exchange + "/rank-0.trace"),
            "0 init\n0 irecv 1 0 2000000\n0 send 1 0 2000000\n0 wait 1 0 0\n0 finalize\n");
  EXPECT_EQ(read_file(exchange + "/rank-1.trace"),
            "1 init\n1 irecv 0 0 2000000\n1 send 0 0 2000000\n1 wait 0 1 0\n1 finalize\n");
  lockstep("trace --machine hypercube:1 --algorithm broadcast/sbt --words 2 --word-bytes 8 --ti " + broadcast);
  EXPECT_EQ(read_file(broadcast + "/rank-0.trace"), "0 init\n0 send 1 0 16\n0 finalize\n");
  EXPECT_EQ(read_file(broadcast + "/rank-1.trace"), "1 init\n1 recv 0 0 16\n1 finalize\n");
}

// All ports at once: rank 0 of four on a complete graph sends to the three others in one cycle.
TEST(TraceReplay, WaitsForAllPortsAtOnce) {
  const TemporaryDirectory directory;
  const std::string ti = directory.file("ti");
  const Finished run = lockstep("trace --machine ring:4 --algorithm broadcast/two-way --ports all --ti " + ti);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string root = read_file(ti + "/rank-0.trace");
  EXPECT_EQ(root, "0 init\n0 isend 1 0 1000000\n0 isend 3 0 1000000\n0 waitall\n0 finalize\n");
}

TEST(TraceReplay, TakesADirectoryOfItsOwn) {
  const TemporaryDirectory directory;
  const std::string ti = directory.file("ti");
  const std::string trace = "trace --algorithm broadcast/sbt --ti " + ti + " --machine hypercube:";
  EXPECT_EQ(lockstep(trace + "4").exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(ti + "/rank-15.trace"));
  EXPECT_EQ(lockstep(trace + "1").exit_code, 0);  // replaces all files of the first one
  EXPECT_FALSE(std::filesystem::exists(ti + "/rank-15.trace"));
  EXPECT_EQ(read_file(ti + "/traces.txt"), "rank-0.trace\nrank-1.trace\n");
  EXPECT_EQ(directory.files(), std::vector<std::string>{"ti"});
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(ti)) ++files;
  EXPECT_EQ(files, 3U);
  write_file(ti + "/notes", "mine");
  expect_refused(lockstep(trace + "2"), {"ti", "holds other files, such as 'notes'"});
  EXPECT_EQ(read_file(ti + "/traces.txt"), "rank-0.trace\nrank-1.trace\n");
  expect_refused(lockstep("trace --algorithm broadcast/sbt --machine hypercube:1 --ti " + ti + "/notes"),
                 {"it is not a directory"});
}

// Only files with the names that it writes itself are replaced.
TEST(TraceReplay, KeepsTheFilesOfOthers) {
  const TemporaryDirectory directory;
  const std::string place = directory.file("ti");
  std::filesystem::create_directory(place);
  write_file(place + "/rank-notes.trace", "mine");
  const std::string flags = "trace --machine hypercube:2 --algorithm broadcast/sbt --ti " + place;
  expect_refused(lockstep(flags), {"ti", "rank-notes.trace"});
  EXPECT_EQ(read_file(place + "/rank-notes.trace"), "mine");
  std::filesystem::remove(place + "/rank-notes.trace");
  expect_refused(lockstep(flags + " --dot " + place + "/rank-9.trace"),
                 {"rank-9.trace' cannot be in the directory of --ti, which is written as a whole"});
}

}  // namespace
}  // namespace lockstep::test::trace_replay_test
