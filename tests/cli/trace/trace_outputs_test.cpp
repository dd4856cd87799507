// lockstep trace: its files when one cannot be written, and traces refused because of their size.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <sstream>
#include <thread>

#include "../../sanitized.hpp"
#include "host/interrupt.hpp"
#include "host/output_directory.hpp"
#include "outputs.hpp"
#include "trace/trace_forms.hpp"

namespace lockstep::test::trace_outputs_test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const std::string small = "trace --machine hypercube:2 --algorithm broadcast/sbt ";

class TraceOutputs : public Outputs {};

TEST_F(TraceOutputs, AreNamedOnlyWhenTheyAreThere) {
  for (const std::string other : {" --goal /dev/full", " --json /dev/full"}) {
    SCOPED_TRACE(other);
    const Finished run =
        lockstep(small + "--dot " + file("dot") + " --ti " + file("ti") + " --csv " + file("csv") + other);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "lockstep: cannot write '/dev/full': No space left on device\n");
    EXPECT_EQ(directory_.files(), Names{"csv"});
    expect_row("failed", "output");
    fs::remove(file("csv"));
  }
  const Finished plan = lockstep("plan --machine path:3 --algorithm alltoall/factor --output /dev/full");
  EXPECT_EQ(plan.exit_code, 2);
  EXPECT_EQ(plan.out, "");
}

TEST_F(TraceOutputs, OfARunThatFailsMayFailToo) {
  const Finished run = lockstep(small + "--max-cycles 1 --goal /dev/full --json " + file("json"));
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
  const Names said = lines(run.err);
  ASSERT_EQ(said.size(), 2U) << run.err;
  EXPECT_EQ(said[0], "lockstep: cannot write '/dev/full': No space left on device");
  EXPECT_EQ(said[1].find("lockstep: broadcast/sbt: livelock:"), 0U) << said[1];
  expect_json("failed", "livelock");
}

TEST_F(TraceOutputs, WriteTextBesideFiles) {
  const Finished run = lockstep(small + "--text --cycles --goal " + file("goal"));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out.find("broadcast/sbt on hypercube:2\n"), 0U) << run.out;
  EXPECT_EQ(run.out.find(file("goal")), std::string::npos) << run.out;
  EXPECT_GT(run.out.find("longest"), run.out.find("verified: ")) << "the table of cycles comes after the trace";
  EXPECT_EQ(directory_.files(), Names{"goal"});
  expect_refused(lockstep(small + "--text --quiet"), {"--quiet shows no --text"});
}

TEST_F(TraceOutputs, HaveLimitsOfTheirOwn) {
  const std::string large = "trace --machine hypercube:17 --algorithm broadcast/sbt ";
  expect_refused(lockstep(large + "--dot -"), {"--dot draws at most 1048576 links; hypercube:17 has 1114112"});
  expect_refused(lockstep(large + "--ti " + file("ti")),
                 {"--ti writes one file per rank, at most 65536; hypercube:17 has 131072 ranks"});
  const Finished few = lockstep(small + "--dot - --max-events 1");
  EXPECT_EQ(few.exit_code, 0) << few.err;
  EXPECT_NE(few.out.find("2 -- 3"), std::string::npos) << "links do not count as events: " << few.out;
}

// Sanitizers reserve address space themselves.
#if !defined(LOCKSTEP_THREAD_SANITIZER) && !defined(LOCKSTEP_ADDRESS_SANITIZER)
/// A trace of a run with 1,047,552 messages, within the given address space.
Finished traced_within(std::uint64_t bytes, const std::string& flags) {
  const auto limit_memory = [bytes] {
    const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
    setrlimit(RLIMIT_AS, &limit);
  };
  return lockstep(
      words_of("trace --machine hypercube:10 --algorithm allgather/sequential --executor sequential " + flags),
      limit_memory);
}

TEST_F(TraceOutputs, AreRefusedBeforeTheRunIfTheTraceDoesNotFit) {
  constexpr std::uint64_t bytes = 150'000'000;
  expect_refused(traced_within(bytes, "--quiet"),
                 {"allgather/sequential on hypercube:10 with the trace of 1,000,000 messages (--max-events) needs",
                  "of memory, but only"});
  EXPECT_EQ(traced_within(bytes, "--quiet --max-events 1000").exit_code, 0);
  expect_refused(traced_within(bytes + 100'000'000, "--html " + file("html") + " --against allgather/sequential"),
                 {"with the trace of 1,000,000 messages (--max-events) beside another needs"});
}

// The text for Perfetto alone is a gigabyte.
TEST_F(TraceOutputs, AreNeverInMemoryAsAWhole) {
  constexpr std::uint64_t bytes = 300'000'000;
  const Finished run =
      traced_within(bytes, "--perfetto /dev/null --trace-json /dev/null --goal /dev/null --dot " + file("dot"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
}
#endif

/// The number of a process that has ended.
pid_t ended_process() {
  const pid_t process = fork();
  if (process == 0) _exit(0);
  waitpid(process, nullptr, 0);
  return process;
}

class LeftOver : public TraceOutputs {
 protected:
  /// The files of a process that is writing, or was killed while writing, in the directory.
  std::string left_by(pid_t process) const {
    std::string name = file("ti") + "/.lockstep." + std::to_string(process) + ".1.directory";
    fs::create_directories(name);
    write_file(name + "/rank-0.trace", "0 init\n");
    return name;
  }
  Finished traced() const { return lockstep(small + "--ti " + file("ti")); }
};

TEST_F(LeftOver, OfAKilledProcessGoesWithTheOldFiles) {
  const std::string name = left_by(ended_process());
  const Finished run = traced();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_FALSE(fs::exists(name));
  EXPECT_TRUE(fs::exists(file("ti/rank-3.trace")));
  EXPECT_EQ(directory_.files(), Names{"ti"});
}

TEST_F(LeftOver, OfALivingProcessStays) {
  const std::string name = left_by(getpid());
  expect_refused(traced(), {"holds other files, such as '.lockstep." + std::to_string(getpid())});
  EXPECT_TRUE(fs::exists(name + "/rank-0.trace"));
}

TEST_F(LeftOver, WithOtherFilesIsNone) {
  const std::string name = left_by(ended_process());
  write_file(name + "/notes", "mine");
  expect_refused(traced(), {"holds other files"});
  EXPECT_EQ(read_file(name + "/notes"), "mine");
  fs::remove_all(name);
  fs::create_directory(file("mine"));
  fs::create_directory_symlink(file("mine"), name);
  expect_refused(traced(), {"holds other files"});
  fs::remove(name);
  for (const std::string other : {".lockstep.x.1.directory", ".lockstep.0.1.directory", ".lockstep.7directory"}) {
    fs::create_directory(file("ti/" + other));
    expect_refused(traced(), {"holds other files", other});
    fs::remove(file("ti/" + other));
  }
}

// Once the wait has lasted a second, the first signal ends it.
TEST(OutputDirectory, IsGoneAfterAnInterrupt) {
  const TemporaryDirectory directory;
  constexpr int as_it_should = 7;
  const auto write_until_interrupted = [&directory] {
    cli::host::catch_interrupts();
    cli::host::begin_outputs();
    try {
      cli::host::OutputDirectory ti(directory.file("ti"), cli::trace::is_replay_file);
      ti.write("rank-0.trace", [](std::ostream& out) { out << "0 init\n"; });
      if (directory.files().size() != 1) _exit(8);
      raise(SIGINT);
      std::this_thread::sleep_for(std::chrono::milliseconds(1100));
      ti.write("rank-1.trace", [](std::ostream& out) { out << "1 init\n"; });
    } catch (const cli::host::Interrupted&) {
      _exit(directory.files().empty() ? as_it_should : 9);
    }
    _exit(10);
  };
  EXPECT_EXIT(write_until_interrupted(), testing::ExitedWithCode(as_it_should), "^$");
}

TEST(OutputFile, IsWrittenInPieces) {
  std::string text, taken;
  std::size_t longest = 0;
  const auto write = [&text](std::ostream& out) {
    for (int number = 0; number < 100'000; ++number) {
      text += std::to_string(number) + "\n";
      out << number << '\n';
    }
  };
  cli::host::write_in_pieces(write, {}, [&](std::string_view piece) {
    longest = std::max(longest, piece.size());
    taken += piece;
  });
  EXPECT_EQ(taken, text);
  EXPECT_EQ(longest, std::size_t{1} << 16);
  EXPECT_THROW(cli::host::write_in_pieces(write, {}, [](std::string_view) { throw OutputError("x", "why"); }),
               OutputError);
}

}  // namespace
}  // namespace lockstep::test::trace_outputs_test
