// Behaviour that depends on a terminal, and interrupts.
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include "../../sanitized.hpp"
#include "command_line.hpp"

namespace lockstep::test::terminal_test {
namespace {

using Arguments = std::vector<std::string>;

const Arguments short_run{"run", "--machine", "hypercube:3", "--algorithm", "broadcast/sbt"};
/// Spends its time between cycles and takes hours unless it is interrupted.
const Arguments long_run{"run", "--machine", "ring:1024", "--algorithm", "alltoall/factor", "--repeat", "1000000"};
/// Takes as long, with a short set-up: its behaviour when interrupted does not depend on the host's speed.
const Arguments many_runs{"run", "--machine", "ring:128", "--algorithm", "alltoall/factor", "--repeat", "1000000"};
/// Takes seconds to set up, where no code checks for interrupts.
const Arguments long_set_up{"run", "--machine", "complete:3000", "--algorithm", "alltoall/factor", "--words", "30"};

constexpr const char* green = "\033[32m";

Finished on_terminal(const Arguments& arguments, const std::function<void()>& before_start) {
  return Running(arguments, Running::Outputs::terminal, before_start).finish();
}

TEST(Terminal, ColoursTheReport) {
  const Finished run = on_terminal(short_run, [] { unsetenv("NO_COLOR"); });
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find(green), std::string::npos);
}

TEST(Terminal, NoColorMeansNone) {
  const Finished run = on_terminal(short_run, [] { setenv("NO_COLOR", "1", 1); });
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("verified"), std::string::npos);
  EXPECT_EQ(run.out.find('\033'), std::string::npos);
}

TEST(Terminal, PipesGetNoColourAndNoProgress) {
  const Finished run = lockstep(short_run, [] { unsetenv("NO_COLOR"); });
  EXPECT_EQ(run.out.find('\033'), std::string::npos);
  EXPECT_EQ(run.err, "");
}

Arguments planning(const std::string& machine) {
  return {"best", "--operation", "scatter", "--machine", machine, "--words", "1..1e9*10", "--beta", "1000", "--no-run"};
}

TEST(Terminal, PlanningShowsProgressAndEndsWhenInterrupted) {
  Running best(planning("hypercube:20"), Running::Outputs::terminal);
  ASSERT_TRUE(best.wait_for_text("%  predictions"));
  best.send(SIGINT);
  const Finished finished = best.finish();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_NE(finished.out.find("interrupted"), std::string::npos);
}

TEST(Terminal, PlanningClearsItsLineBeforeTheTable) {
  const Finished best = on_terminal(planning("hypercube:15"), [] { setenv("NO_COLOR", "1", 1); });
  EXPECT_EQ(best.exit_code, 0);
  const std::size_t table = best.out.find("scatter on hypercube:15, beta 1000");
  ASSERT_NE(table, std::string::npos);
  const std::size_t bar = best.out.rfind("%  ", table);
  if (bar == std::string::npos) return;  // the host took less than half a second
  EXPECT_EQ(best.out.substr(table - 4, 4), "\r\033[K") << best.out.substr(bar, table - bar);
}

TEST(Terminal, LongRunsSayBeforeTheyBeginHowLongTheyTake) {
  Running run(long_run, Running::Outputs::terminal);
  ASSERT_TRUE(run.wait_for_text("ring:1024 alltoall/factor run 1 of 1000000, about "));
  run.send(SIGINT);
  EXPECT_EQ(run.finish().exit_code, 130);
}

TEST(Terminal, LongRunsShowProgressAndClearIt) {
  Running run(long_run, Running::Outputs::terminal);
  ASSERT_TRUE(run.wait_for_text("%  cycle "));
  run.send(SIGINT);
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 130);
  const std::size_t message = finished.out.find("lockstep: ");
  ASSERT_NE(message, std::string::npos);
  EXPECT_EQ(finished.out.substr(message - 4, 4), "\r\033[K") << "the bar was not cleared";
}

TEST(Terminal, QuietRunsShowNoProgress) {
  Arguments quiet = long_run;
  // Longer than the delay before a progress bar is shown.
  quiet.insert(quiet.end(), {"--quiet", "--max-cycles", sanitized ? "500" : "8000"});
  const Finished run = on_terminal(quiet, {});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(run.out.starts_with("lockstep: ")) << run.out;
}

class Interrupts : public testing::TestWithParam<int> {};

TEST_P(Interrupts, EndTheRunWithOneLine) {
  const TemporaryDirectory directory;
  Arguments with_file = many_runs;
  with_file.insert(with_file.end(), {"--json", directory.file("report.json")});
  Running run(with_file, Running::Outputs::pipes);
  ASSERT_TRUE(run.wait_for_signal_handler());
  run.send(GetParam());
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 128 + GetParam());
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(lines(finished.err).size(), 1U) << finished.err;
  EXPECT_NE(finished.err.find("interrupted"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(read_file(directory.file("report.json")))["error"]["kind"], "interrupted");
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupts, testing::Values(SIGINT, SIGTERM));

TEST(Interrupts, TheSecondEndsAtOnce) {
  Running run(long_set_up, Running::Outputs::pipes);
  ASSERT_TRUE(run.wait_for_signal_handler());
  run.send(SIGINT);
  run.send(SIGTERM);
  const Finished finished = run.finish();
  // The system chooses which of two simultaneous signals is first.
  EXPECT_TRUE(finished.exit_code == 130 || finished.exit_code == 143) << finished.exit_code;
  EXPECT_EQ(finished.err, "lockstep: interrupted twice\n");
}

TEST(Interrupts, EndSetUpToo) {
  Running run(long_set_up, Running::Outputs::pipes);
  ASSERT_TRUE(run.wait_for_signal_handler());
  const auto start = std::chrono::steady_clock::now();
  run.send(SIGINT);
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_EQ(lines(finished.err).size(), 1U) << finished.err;
  EXPECT_NE(finished.err.find("interrupted"), std::string::npos) << finished.err;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

/// The longest line that a command writes to a terminal with `columns` columns.
std::size_t longest_line(const Arguments& arguments, unsigned columns, const char* variable = nullptr) {
  const auto before_start = [=] {
    const winsize size{.ws_row = 24, .ws_col = static_cast<unsigned short>(columns), .ws_xpixel = 0, .ws_ypixel = 0};
    ioctl(STDOUT_FILENO, TIOCSWINSZ, &size);
    setenv("NO_COLOR", "1", 1);
    unsetenv("COLUMNS");
    if (variable != nullptr) setenv("COLUMNS", variable, 1);
  };
  const Finished run = on_terminal(arguments, before_start);
  EXPECT_EQ(run.exit_code, 0) << run.out;
  std::size_t longest = 0;
  for (std::string line : lines(run.out)) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.find("are available (") != std::string::npos) continue;  // a control group may have any name
    longest = std::max(longest, line.size());
  }
  return longest;
}

TEST(Terminal, ListsInfoErrataAndExplanationsFitItsWidth) {
  for (const Arguments& arguments : {Arguments{"list"}, Arguments{"info", "hypercube:4"}, Arguments{"errata"},
                                     Arguments{"explain", "broadcast"}, Arguments{"explain"}}) {
    for (const unsigned columns : {72U, 100U, 160U}) {
      const std::size_t longest = longest_line(arguments, columns);
      EXPECT_LE(longest, columns) << arguments[0];
      EXPECT_GT(longest, columns - 20) << arguments[0] << " leaves room";
    }
  }
}

TEST(Terminal, ColumnsWinsAndNonsenseDoesNot) {
  const Arguments list{"list", "algorithms"};
  EXPECT_LE(longest_line(list, 120, "72"), 72U);
  for (const char* nonsense : {"0", "-5", "eighty", "80x"}) EXPECT_GT(longest_line(list, 120, nonsense), 100U);
}

TEST(Terminal, PipesGetAHundredColumns) {
  const auto narrow = [] { setenv("COLUMNS", "60", 1); };
  EXPECT_EQ(lockstep({"list"}, narrow).out, lockstep("list").out);
  for (const std::string& line : lines(lockstep("info hypercube:4").out)) EXPECT_LE(line.size(), 100U) << line;
}

TEST(Terminal, AReaderThatGoesAwayIsNoError) {
  const auto closed_pipe = [] {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
  };
  const Finished list = lockstep({"list"}, closed_pipe);
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_EQ(list.err, "");
}

}  // namespace
}  // namespace lockstep::test::terminal_test
