// Signals end a command with their exit codes, at once or soon, and leave only reports of it among its outputs.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <list>
#include <random>
#include <thread>

#include "../../core/runs.hpp"
#include "../../sanitized.hpp"
#include "outputs.hpp"

namespace lockstep::test::signal_test {
namespace {

using Names = std::vector<std::string>;

/// Takes hours, most of the time between cycles.
const std::string long_run = "run --machine ring:128 --algorithm broadcast/two-way --repeat 1000000";

class Signals : public Outputs, public testing::WithParamInterface<int> {
 protected:
  /// Waits for a file whose name has this ending; false if there is none within a minute.
  bool has_file(const std::string& end, std::chrono::seconds patience = std::chrono::minutes(1)) const {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < deadline) {
      for (const std::string& name : directory_.files()) {
        if (name.ends_with(end)) return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  /// Waits until the command has written that many files into a directory, so that it takes a while to remove them.
  bool has_written(std::size_t files) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (std::chrono::steady_clock::now() < deadline) {
      for (const std::string& name : directory_.files()) {
        if (!name.ends_with(".directory")) continue;
        std::error_code gone;
        std::filesystem::directory_iterator entry(file(name), gone);
        std::size_t found = 0;
        while (!gone && entry != end(entry) && found < files) {
          ++found;
          entry.increment(gone);
        }
        if (found >= files) return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  void expect_end_with_one_line(Running& run) const { expect_end_with_one_line(run.finish()); }
  void expect_end_with_one_line(const Finished& finished) const {
    // The system chooses which of two simultaneous signals is first.
    EXPECT_TRUE(finished.exit_code == 128 + GetParam() || finished.exit_code == 130) << finished.exit_code;
    EXPECT_EQ(lines(finished.err).size(), 1U) << finished.err;
    EXPECT_EQ(directory_.files(), Names{});
  }
};

/// Writes for seconds.
const std::string long_writing = "trace --machine ring:60000 --algorithm broadcast/two-way --ti ";

void with_default_hangup() { std::signal(SIGHUP, SIG_DFL); }

TEST_P(Signals, LeaveTheReports) {
  write_file(file("out"), "old");
  Running run(words_of(long_run + all_outputs()), Running::Outputs::pipes, with_default_hangup);
  ASSERT_TRUE(run.wait_for_signal_handler());
  run.send(GetParam());
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 128 + GetParam());
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(lines(finished.err).size(), 1U) << finished.err;
  EXPECT_EQ(read_file(file("out")), "old");
  EXPECT_EQ(directory_.files(), (Names{"csv", "json", "out"}));
  expect_json("interrupted", "interrupted");
  expect_row("interrupted", "interrupted");
}

// Moments at which the method prepares, runs, verifies, and begins again. LOCKSTEP_STRESS multiplies them: 6 is more
// than a thousand.
TEST_P(Signals, AtRandomMomentsLeaveOneLineAndNothingHalfWritten) {
  const std::uint64_t moments = runs::stressed(sanitized ? 10 : 60);
  constexpr std::int64_t longest_us = sanitized ? 500'000 : 60'000;
  const std::uint64_t seed = 100 + static_cast<std::uint64_t>(GetParam());
  std::cout << "seed " << seed << "\n";
  std::mt19937_64 random(seed);
  const std::vector<std::string> commands{
      "run --machine ring:128 --algorithm broadcast/two-way --repeat 1000000",
      "run --machine hypercube:14 --algorithm broadcast/sbt --words 20 --repeat 1000000 --threads 2",
      "run --machine hypercube:3 --algorithm broadcast/sbt --words 3000000 --repeat 1000000"};
  write_file(file("out"), "old");
  for (std::uint64_t moment = 0; moment < moments; ++moment) {
    SCOPED_TRACE("moment " + std::to_string(moment));
    std::filesystem::remove(file("json"));
    std::filesystem::remove(file("csv"));
    Running run(words_of(commands[moment % commands.size()] + all_outputs()), Running::Outputs::pipes,
                with_default_hangup);
    ASSERT_TRUE(run.wait_for_signal_handler());
    std::this_thread::sleep_for(std::chrono::microseconds(random() % longest_us));
    run.send(GetParam());
    const Finished finished = run.finish();
    ASSERT_EQ(finished.exit_code, 128 + GetParam());
    ASSERT_EQ(finished.out, "");
    ASSERT_EQ(lines(finished.err).size(), 1U) << finished.err;
    ASSERT_EQ(read_file(file("out")), "old");
    ASSERT_EQ(directory_.files(), (Names{"csv", "json", "out"}));
    expect_json("interrupted", "interrupted");
    expect_row("interrupted", "interrupted");
  }
}

// During set-up, where no code checks for signals.
TEST_P(Signals, LeaveTheReportsOfASetUpToo) {
  const std::string set_up = "run --machine complete:3000 --algorithm alltoall/factor --words 30 --json ";
  Running run(words_of(set_up + file("json") + " --csv " + file("csv")), Running::Outputs::pipes, with_default_hangup);
  ASSERT_TRUE(run.wait_for_signal_handler());
  run.send(GetParam());
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 128 + GetParam());
  EXPECT_EQ(lines(finished.err).size(), 1U) << finished.err;
  expect_json("interrupted", "interrupted");
  expect_row("interrupted", "interrupted");
}

TEST_P(Signals, GivenTwiceLeaveNothing) {
  Running run(words_of(long_run + all_outputs()), Running::Outputs::pipes, with_default_hangup);
  ASSERT_TRUE(run.wait_for_signal_handler());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (directory_.files().empty() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(directory_.files().empty()) << "no file beside the place of --output";
  run.send(GetParam());
  run.send(SIGINT);
  const Finished finished = run.finish();
  // The system chooses which of two simultaneous signals is first.
  EXPECT_TRUE(finished.exit_code == 128 + GetParam() || finished.exit_code == 130) << finished.exit_code;
  for (const std::string& name : directory_.files()) EXPECT_TRUE(name == "json" || name == "csv") << name;
}

// Such as `timeout` sends to a command and its group.
TEST_P(Signals, GivenTwiceInAMomentLeaveNoDirectoryAndOneLine) {
  for (int moment = 0; moment < 8; ++moment) {
    SCOPED_TRACE("moment " + std::to_string(moment));
    Running run(words_of(long_writing + file("ti")), Running::Outputs::pipes, with_default_hangup);
    ASSERT_TRUE(run.wait_for_signal_handler());
    ASSERT_TRUE(has_file(".directory"));
    run.send(GetParam());
    std::this_thread::sleep_for(std::chrono::milliseconds(moment));
    run.send(SIGINT);
    expect_end_with_one_line(run);
  }
}

// The first signal makes the command remove its files, which takes a while. On a busy host this test may look too late:
// after the end of the removal, or even of the run.
TEST_P(Signals, LeaveNoDirectoryThatIsBeingRemoved) {
  bool seen = false;
  for (int attempt = 0; !seen && attempt < 20; ++attempt) {
    Running run(words_of(long_writing + file("ti")), Running::Outputs::pipes, with_default_hangup);
    ASSERT_TRUE(run.wait_for_signal_handler());
    ASSERT_TRUE(has_written(2000));
    run.send(GetParam());
    seen = has_file("-directory", std::chrono::seconds(1));
    if (seen) run.send(SIGINT);
    const Finished finished = run.finish();
    if (finished.exit_code != 0 || seen) {
      expect_end_with_one_line(finished);
    } else {
      std::filesystem::remove_all(file("ti"));
    }
  }
  EXPECT_TRUE(seen);
}

INSTANTIATE_TEST_SUITE_P(All, Signals, testing::Values(SIGHUP, SIGINT, SIGTERM));

TEST_F(Outputs, OfAPlanThatIsInterruptedAreNone) {
  Running run(words_of("plan --machine torus:12x12x2 --algorithm alltoall/product --output " + file("plan")),
              Running::Outputs::pipes);
  ASSERT_TRUE(run.wait_for_signal_handler());
  run.send(SIGINT);
  EXPECT_EQ(run.finish().exit_code, 130);
  EXPECT_TRUE(directory_.files().empty());
}

TEST_F(Outputs, OfASearchThatIsInterruptedAreNone) {
  for (int moment = 0; moment < (sanitized ? 4 : 20); ++moment) {
    Running run(words_of("search --operation broadcast --machine torus:5x5 --tries 300 --output " + file("found")),
                Running::Outputs::pipes);
    ASSERT_TRUE(run.wait_for_signal_handler());
    std::this_thread::sleep_for(std::chrono::milliseconds(moment));
    run.send(SIGINT);
    const Finished finished = run.finish();
    EXPECT_TRUE(finished.exit_code == 130 || finished.exit_code == 0) << finished.exit_code << finished.err;
    EXPECT_EQ(directory_.files().size(), finished.exit_code == 0 ? 1U : 0U);
    std::filesystem::remove(file("found"));
  }
}

// METIS, which treats SIGTERM as its own error, runs at these moments.
TEST_F(Outputs, OfMetisThatIsInterruptedAreNone) {
  for (int moment = 100; moment <= 700; moment += 100) {
    Running run(words_of("info hypercube:20 --processes 4 --partition metis --json " + file("json")),
                Running::Outputs::pipes);
    ASSERT_TRUE(run.wait_for_signal_handler());
    std::this_thread::sleep_for(std::chrono::milliseconds(moment));
    run.send(SIGTERM);
    const Finished finished = run.finish();
    if (finished.err.find("which this program was built without") != std::string::npos) GTEST_SKIP() << "no METIS";
    EXPECT_TRUE(finished.exit_code == 143 || finished.exit_code == 0) << finished.exit_code;  // 0 if it ended in time
    EXPECT_EQ(lines(finished.err).size(), finished.exit_code == 0 ? 0U : 1U) << finished.err;
  }
}

TEST_F(Outputs, OutliveAHangUpThatIsIgnored) {
  const auto as_nohup_does = [] { std::signal(SIGHUP, SIG_IGN); };
  Running run(words_of(long_run + all_outputs()), Running::Outputs::pipes, as_nohup_does);
  ASSERT_TRUE(run.wait_for_signal_handler());
  run.send(SIGHUP);
  run.send(SIGTERM);
  EXPECT_EQ(run.finish().exit_code, 143);
}

class Pipes : public Outputs {
 protected:
  Pipes() { EXPECT_EQ(mkfifo(file("pipe").c_str(), 0600), 0); }
};

// All at once: each takes at least the second that a wait lasts.
TEST_F(Pipes, WithoutAReaderEndWithTheFirstSignal) {
  const std::vector<std::string> commands{
      sbt + " --json " + file("pipe") + " --csv " + file("csv") + " --output " + file("out"),
      sbt + " --csv " + file("pipe"),
      "info ring:3 --json " + file("pipe"),
      "list --json " + file("pipe"),
      "plan --machine path:3 --algorithm alltoall/factor --output " + file("pipe"),
      sbt + " --root 99 --json " + file("pipe")};
  std::list<Running> runs;
  for (const std::string& command : commands) runs.emplace_back(words_of(command), Running::Outputs::pipes);
  for (const Running& run : runs) {
    ASSERT_TRUE(run.wait_for_signal_handler());
    ASSERT_TRUE(run.wait_until_idle());
  }
  const auto start = std::chrono::steady_clock::now();
  for (const Running& run : runs) run.send(SIGINT);
  auto command = commands.begin();
  for (Running& run : runs) {
    const int code = run.finish().exit_code;
    EXPECT_TRUE(code == 130 || (code == 2 && command->find("99") != std::string::npos)) << code << " of " << *command;
    ++command;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  for (const std::string& name : directory_.files()) EXPECT_TRUE(name == "pipe" || name == "csv") << name;
  expect_row("interrupted", "interrupted");
}

TEST_F(Pipes, WaitForTheirReader) {
  Running run(words_of(sbt + " --cycles --json " + file("pipe") + " --output " + file("out")), Running::Outputs::pipes);
  ASSERT_TRUE(run.wait_until_idle());
  EXPECT_FALSE(std::filesystem::exists(file("out")));
  const auto json = nlohmann::json::parse(read_file(file("pipe")), nullptr, false);
  EXPECT_EQ(json["status"], "verified");
  EXPECT_EQ(run.finish().exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(file("out")));
}

// More than a pipe holds, without a reader.
TEST_F(Pipes, ThatAreFullEndWithTheFirstSignal) {
  const int reader = open(file("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  Running run(words_of("plan --machine torus:10x10 --algorithm alltoall/product --output " + file("pipe")),
              Running::Outputs::pipes);
  ASSERT_TRUE(run.wait_for_signal_handler());
  ASSERT_TRUE(run.wait_until_idle());
  run.send(SIGINT);
  EXPECT_EQ(run.finish().exit_code, 130);
  close(reader);
}

// Its results are kept: a comparison may have taken hours.
TEST_F(Pipes, ThatAreFullDoNotKeepFilesFromTheirPlaces) {
  const int reader = open(file("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const auto to_full_pipe = [path = file("pipe")] {
    const int pipe = open(path.c_str(), O_WRONLY | O_NONBLOCK);
    while (write(pipe, path.data(), 1) == 1) {
    }
    dup2(pipe, STDOUT_FILENO);
  };
  Running run(words_of("compare --machine ring:4 --operation broadcast --csv " + file("csv")), Running::Outputs::pipes,
              to_full_pipe);
  ASSERT_TRUE(run.wait_for_signal_handler());
  ASSERT_TRUE(run.wait_until_idle());
  EXPECT_FALSE(std::filesystem::exists(file("csv")));
  run.send(SIGINT);
  EXPECT_EQ(run.finish().exit_code, 130);
  EXPECT_EQ(directory_.files(), (Names{"csv", "pipe"}));
  close(reader);
}

}  // namespace
}  // namespace lockstep::test::signal_test
