// The two signals and the alarm, in processes of their own. The end-to-end tests are in terminal_test.cpp.
#include "interrupt.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace lockstep::cli {
namespace {

using testing::ExitedWithCode;

/// Of a process that nothing ended.
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
        raise(SIGINT);
        begin_outputs();
        raise(SIGALRM);
        begin_outputs();
        survive();
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
}  // namespace lockstep::cli
