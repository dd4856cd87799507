// The commands that the tests start: none may do harm if it cannot be started or has ended.
#include "command_line.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace lockstep::test::command_line_test {
namespace {

bool is_open(int file) { return fcntl(file, F_GETFD) != -1; }

/// The limit on open files that leaves room for the given number more.
rlim_t limit_with_room_for(int files) {
  int limit = 0;
  for (int room = 0; room < files; ++limit) room += is_open(limit) ? 0 : 1;
  return static_cast<rlim_t>(limit);
}

TEST(CommandLine, NoSignalIsSentWithoutACommand) {
  constexpr int no_signal = 0;  // kill() only checks whether it could send it
  Running command({"--version"}, Running::Outputs::pipes);
  EXPECT_TRUE(command.send(no_signal));
  EXPECT_EQ(command.finish().exit_code, 0);
  EXPECT_FALSE(command.send(no_signal));
  EXPECT_EQ(command.finish().exit_code, 0) << "a second call gives the same";
}

TEST(CommandLine, ACommandThatCannotBeStartedLeavesNothingBehind) {
  const rlim_t one_pipe_and_a_half = limit_with_room_for(3);
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit low{.rlim_cur = one_pipe_and_a_half, .rlim_max = limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  {
    Running command({"--version"}, Running::Outputs::pipes);
    EXPECT_EQ(command.finish().exit_code, -1);
    EXPECT_FALSE(command.send(0));
  }
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(limit_with_room_for(3), one_pipe_and_a_half);
}

}  // namespace
}  // namespace lockstep::test::command_line_test
