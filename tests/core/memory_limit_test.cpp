// Limits of memory: control groups, read from trees of files made for these tests, and ulimit.
#include "lockstep/core/memory_limit.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

#include "../reads_so_far.hpp"
#include "../sanitized.hpp"
#include "../temporary_directory.hpp"
#include "lockstep/core/machine.hpp"
#include "lockstep/core/memory.hpp"
#include "wirings.hpp"

namespace lockstep::memory_limit_test {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// A directory that stands for "/".
class ControlGroups : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(directory_.file(file)).parent_path());
    std::ofstream(directory_.file(file)) << text;
  }

  /// The files of one group: its limit, the memory it uses and the part that it could give back, in MiB.
  void write_version_1(const std::string& group, std::uint64_t limit, std::uint64_t used, std::uint64_t cached) const {
    const std::string place = "sys/fs/cgroup/memory" + group + "/";
    write(place + "memory.limit_in_bytes", std::to_string(limit * mebibyte) + "\n");
    write(place + "memory.usage_in_bytes", std::to_string(used * mebibyte) + "\n");
    write(place + "memory.stat", "cache 1\ninactive_file 7\ntotal_inactive_file " + std::to_string(cached * mebibyte));
  }
  void write_version_2(const std::string& group, const std::string& limit, std::uint64_t used,
                       std::uint64_t cached) const {
    const std::string place = "sys/fs/cgroup" + group + "/";
    write(place + "memory.max", limit + "\n");
    write(place + "memory.current", std::to_string(used * mebibyte) + "\n");
    write(place + "memory.stat", "anon 1\ninactive_file " + std::to_string(cached * mebibyte) + "\nactive_file 5\n");
  }

  void in_group(const std::string& lines) const { write("proc/self/cgroup", lines); }
  void mounted(const std::string& lines) const { write("proc/self/mountinfo", lines); }

  MemoryLimit limit() const { return detail::control_group_limit(directory_.path()); }

 private:
  const test::TemporaryDirectory directory_;
};

constexpr const char* mounted_1 =
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:3 - cgroup cgroup rw,memory\n";
constexpr const char* mounted_2 = "31 23 0:28 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

TEST_F(ControlGroups, WithoutAnyThereIsNoLimit) {
  EXPECT_EQ(limit().available, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(limit().name, "");
}

TEST_F(ControlGroups, OfVersion2LeaveTheirLimitLessWhatIsUsedForGood) {
  in_group("0::/user.slice/job\n");
  mounted(mounted_2);
  write_version_2("/user.slice/job", std::to_string(512 * mebibyte), 200, 50);
  EXPECT_EQ(limit().available, (512 - (200 - 50)) * mebibyte);
  EXPECT_EQ(limit().name, "control group /user.slice/job of 512.0 MiB");
  write_version_2("/user.slice/job", "max", 200, 50);
  EXPECT_EQ(limit().available, std::numeric_limits<std::uint64_t>::max());
}

TEST_F(ControlGroups, AroundTheProcesssOwnCountToo) {
  in_group("0::/user.slice/job\n");
  mounted(mounted_2);
  write_version_2("/user.slice/job", "max", 10, 0);
  write_version_2("/user.slice", std::to_string(300 * mebibyte), 100, 0);
  EXPECT_EQ(limit().available, 200 * mebibyte);
  EXPECT_EQ(limit().name, "control group /user.slice of 300.0 MiB");
  write_version_2("/user.slice/job", std::to_string(150 * mebibyte), 10, 0);
  EXPECT_EQ(limit().available, 140 * mebibyte);
  EXPECT_EQ(limit().name, "control group /user.slice/job of 150.0 MiB");
}

TEST_F(ControlGroups, ThatAreFullLeaveNothing) {
  in_group("0::/job\n");
  mounted(mounted_2);
  write_version_2("/job", std::to_string(100 * mebibyte), 101, 0);
  EXPECT_EQ(limit().available, 0U);
}

TEST_F(ControlGroups, OfVersion1AreThoseOfMemory) {
  in_group("9:name=systemd:/elsewhere\n4:blkio,memory:/job/part\n1:cpu:/elsewhere\n0::/\n");
  mounted(mounted_1);
  write_version_1("", 9'223'372'036'854'771'712 / mebibyte, 900, 0);
  write_version_1("/job", 400, 100, 20);
  write_version_1("/job/part", 500, 60, 0);
  EXPECT_EQ(limit().available, 320 * mebibyte);
  EXPECT_EQ(limit().name, "control group /job of 400.0 MiB");
}

TEST_F(ControlGroups, OfBothVersionsAreLookedAt) {
  in_group("4:memory:/one\n0::/two\n");
  std::string mounted_both(mounted_1);
  mounted_both += "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
  mounted(mounted_both);
  write_version_1("/one", 400, 0, 0);
  write_version_2("/unified/two", std::to_string(350 * mebibyte), 0, 0);
  EXPECT_EQ(limit().available, 350 * mebibyte);
}

// A container sees its own group in place of the root group, with or without its own namespace.
TEST_F(ControlGroups, OfAContainerBeginAtItsTop) {
  in_group("0::/docker/abc/inner\n");
  mounted("31 23 0:28 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write_version_2("/inner", "max", 0, 0);
  write_version_2("", std::to_string(64 * mebibyte), 4, 0);
  EXPECT_EQ(limit().available, 60 * mebibyte);
  EXPECT_EQ(limit().name, "control group / of 64.0 MiB");
  in_group("0::/docker/abc\n");
  EXPECT_EQ(limit().available, 60 * mebibyte);
  in_group("0::/../outside\n");
  EXPECT_EQ(limit().available, 60 * mebibyte);
}

TEST_F(ControlGroups, OfLinesThatAreNoneAreNotThere) {
  in_group("no colon\n1:one colon only\n0::/job\n");
  mounted(std::string("31 23 0:28 / /elsewhere rw without a dash\n") + mounted_2);
  write_version_2("/job", std::to_string(100 * mebibyte), 30, 10);
  EXPECT_EQ(limit().available, 80 * mebibyte);
}

TEST_F(ControlGroups, ThatDoNotSayWhatIsCachedCouldGiveNothingBack) {
  in_group("0::/job\n");
  mounted(mounted_2);
  write_version_2("/job", std::to_string(100 * mebibyte), 30, 10);
  for (const std::string statistics : {"", "anon 1\nactive_file 5\n", "inactive_file unknown\n"}) {
    write("sys/fs/cgroup/job/memory.stat", statistics);
    EXPECT_EQ(limit().available, 70 * mebibyte) << statistics;
  }
}

// The group of the process is not among those that its mount shows.
TEST_F(ControlGroups, ElsewhereThanTheirMountAreThatOfItsTop) {
  in_group("0::/docker/another\n");
  mounted("31 23 0:28 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write_version_2("", std::to_string(64 * mebibyte), 4, 0);
  EXPECT_EQ(limit().available, 60 * mebibyte);
}

TEST(MemoryLimit, SaysWhatLimits) {
  const MemoryLimit limit = memory_limit();
  EXPECT_GT(limit.available, mebibyte);
  EXPECT_FALSE(limit.name.empty());
}

Process message_to_the_next(Processor<std::uint64_t>& self) {
  self.send(0, self.rank());
  co_await self.cycle();
  self.receive(1);
}

// Each file with a memory limit takes at least one read.
TEST(MemoryLimit, IsNotReadForEveryRun) {
  const Topology ring = wirings::ring(4);
  const auto executor = make_executor(ExecutorKind::sequential);
  const std::uint64_t before = test::reads_so_far();
  if (before == 0) GTEST_SKIP() << "the system does not count reads";
  for (int run = 0; run < 2000; ++run) Machine<std::uint64_t>(ring, {}, *executor).run(message_to_the_next);
  EXPECT_LT(test::reads_so_far() - before, 100U);
}

/// A limit that the test sets; counts how often it is read.
struct SetLimit {
  std::uint64_t available = 0;
  int readings = 0;
  detail::KnownLimit known{[this] {
    ++readings;
    return MemoryLimit{available, "a limit of " + std::to_string(available)};
  }};
  detail::KnownLimit::Clock::time_point now = detail::KnownLimit::Clock::now();

  std::optional<std::uint64_t> exceeded(std::uint64_t bytes) {
    const auto limit = known.exceeded(bytes, now);
    if (!limit) return {};
    EXPECT_EQ(limit->name, "a limit of " + std::to_string(available));
    return limit->available;
  }
};

TEST(KnownLimit, IsReadAgainForWhatIsNotLittle) {
  SetLimit limit{.available = 1600};
  EXPECT_EQ(limit.exceeded(1), std::nullopt);
  limit.available = 100;
  EXPECT_EQ(limit.exceeded(99), std::nullopt) << "1600 / 16 - 1 were left of the first reading";
  EXPECT_EQ(limit.readings, 1);
  EXPECT_EQ(limit.exceeded(101), 100U);
  EXPECT_EQ(limit.exceeded(100), std::nullopt);
  EXPECT_EQ(limit.readings, 3);
}

// Granted memory counts as used.
TEST(KnownLimit, IsReadAgainWhenManySmallNeedsAddUp) {
  SetLimit limit{.available = 1600};
  for (int need = 0; need < 10; ++need) EXPECT_EQ(limit.exceeded(10), std::nullopt);
  EXPECT_EQ(limit.readings, 1);
  limit.available = 9;
  EXPECT_EQ(limit.exceeded(10), 9U);
  EXPECT_EQ(limit.readings, 2);
}

TEST(KnownLimit, IsReadAgainAfterASecond) {
  SetLimit limit{.available = 1600};
  EXPECT_EQ(limit.exceeded(1), std::nullopt);
  limit.available = 0;
  limit.now += std::chrono::milliseconds(999);
  EXPECT_EQ(limit.exceeded(1), std::nullopt);
  limit.now += std::chrono::milliseconds(1);
  EXPECT_EQ(limit.exceeded(1), 0U);
}

// Sanitizers need the whole address space.
#if !defined(LOCKSTEP_THREAD_SANITIZER) && !defined(LOCKSTEP_ADDRESS_SANITIZER)
TEST(MemoryLimit, HonoursUlimit) {
  for (const auto& [resource, name] :
       {std::pair{RLIMIT_AS, "ulimit -v of 1.0 GiB"}, std::pair{RLIMIT_DATA, "ulimit -d of 1.0 GiB"}}) {
    rlimit before{};
    ASSERT_EQ(getrlimit(resource, &before), 0);
    const rlimit low{.rlim_cur = 1024 * mebibyte, .rlim_max = before.rlim_max};
    ASSERT_EQ(setrlimit(resource, &low), 0);
    const MemoryLimit limit = memory_limit();
    ASSERT_EQ(setrlimit(resource, &before), 0);
    EXPECT_EQ(limit.name, name);
    EXPECT_LT(limit.available, 1024 * mebibyte);
    EXPECT_GT(limit.available, 256 * mebibyte);
  }
}

TEST(KnownLimit, IsReadAgainUnderAnotherUlimit) {
  SetLimit limit{.available = 1600};
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(limit.exceeded(1), std::nullopt);
  const rlimit low{.rlim_cur = 4096 * mebibyte, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &low), 0);
  EXPECT_EQ(limit.exceeded(1), std::nullopt);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(limit.readings, 2);
}

TEST(MemoryLimit, FaultsThatDoNotFitAreRefused) {
  const Topology everybody = wirings::complete(2000);  // 4 million ends of links, of 8 bytes each where one fails
  Machine<std::uint64_t> machine(everybody);
  const Faults faults{.links = {{0, 1, 0}}};
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit low{.rlim_cur = 4096 * mebibyte, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &low), 0);
  low.rlim_cur -= memory_limit().available - 16 * mebibyte;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &low), 0);
  std::uint64_t needed = 0;
  try {
    machine.apply(faults);
  } catch (const MemoryError& error) {
    needed = error.needed();
  }
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(needed, 2000U * 1999 * 8);
  EXPECT_NO_THROW(machine.apply(faults));
}
#endif

}  // namespace
}  // namespace lockstep::memory_limit_test
