// The signals, in separate processes. The end-to-end tests are in output_test.cpp and terminal_test.cpp.
#include "host/interrupt.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

namespace lockstep::cli::host::interrupt_test {
namespace {

using testing::ExitedWithCode;

/// The exit code of a process that no signal ended.
constexpr int survived = 7;

[[noreturn]] void survive() { _exit(survived); }

TEST(Interrupt, SetsTheFlagFirst) {
  EXPECT_EXIT(
      {
        const std::atomic<bool>& stop = catch_interrupts();
        const bool before = stop;
        raise(SIGTERM);
        if (!before && stop) survive();
        _exit(8);
      },
      ExitedWithCode(survived), "^$");
}

TEST(Interrupt, EndsWhatDoesNotLookAtTheFlag) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        raise(SIGINT);
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (std::chrono::steady_clock::now() < end) pause();
        survive();
      },
      ExitedWithCode(130), "^lockstep: interrupted\n$");
}

TEST(Interrupt, DoesNotStrikeWhileResultsAreWritten) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        on_interrupt([] { _exit(8); });
        raise(SIGINT);
        begin_outputs();
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // longer than the time given to a busy process
        begin_outputs();
        survive();
      },
      ExitedWithCode(survived), "^$");
}

TEST(Interrupt, IsNotReportedOfACommandThatHasReportedItsEnd) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        raise(SIGINT);
        say_last("why\n", host::bad_input);
        raise(SIGTERM);
        survive();
      },
      ExitedWithCode(host::bad_input), "^why\n$");
}

TEST(Interrupt, GivenTwiceIsSaidOnce) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        raise(SIGTERM);
        raise(SIGINT);
        survive();
      },
      ExitedWithCode(143), "^lockstep: interrupted twice\n$");
}

TEST(Interrupt, IsGivenItsLastWords) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        on_interrupt([] { std::fputs("last words\n", stderr); });
        raise(SIGTERM);
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (std::chrono::steady_clock::now() < end) pause();
        survive();
      },
      ExitedWithCode(143), "^last words\nlockstep: interrupted\n$");
}

TEST(Interrupt, EndsAWaitThatHasTakenLong) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        begin_outputs();
        const PatientWait wait;
        raise(SIGINT);
        wait.check();
        try {
          for (;;) wait.pause();
        } catch (const Interrupted&) {
          survive();
        }
      },
      ExitedWithCode(survived), "^$");
}

TEST(Interrupt, TheSecondEndsAtOnce) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        raise(SIGINT);
        raise(SIGTERM);
        survive();
      },
      ExitedWithCode(130), "^lockstep: interrupted twice\n$");
}

}  // namespace
}  // namespace lockstep::cli::host::interrupt_test
