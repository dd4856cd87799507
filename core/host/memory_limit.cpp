#include "lockstep/core/memory_limit.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/core/memory.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number after the key in a file of lines "key number ..".
std::optional<std::uint64_t> number_behind(const std::string& file, std::string_view key) {
  std::ifstream in(file);
  std::string first;
  for (std::string rest; in >> first; std::getline(in, rest)) {
    std::uint64_t number = 0;
    if (first == key && in >> number) return number;
  }
  return {};
}

/// The number at the beginning of a file; empty if there is none ("max" in a control group).
std::optional<std::uint64_t> number_in(const std::string& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  return in >> number ? std::optional(number) : std::nullopt;
}

std::uint64_t kibibytes_behind(const std::string& file, std::string_view key, std::uint64_t otherwise) {
  const auto kibibytes = number_behind(file, key);
  return kibibytes ? *kibibytes * 1024 : otherwise;
}

detail::ProcessLimits process_limits() {
  rlimit address_space{};
  rlimit data{};
  if (getrlimit(RLIMIT_AS, &address_space) != 0 || getrlimit(RLIMIT_DATA, &data) != 0) return {};
  return {address_space.rlim_cur, data.rlim_cur};
}

std::uint64_t left_of(std::uint64_t limit, std::uint64_t used) { return limit - std::min(limit, used); }

/// The bytes that a limit of the shell's `ulimit` leaves; `usage` is the key of its counter in /proc/self/status.
MemoryLimit process_limit(int resource, const char* flag, std::string_view usage) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  return {left_of(limit.rlim_cur, kibibytes_behind("/proc/self/status", usage, 0)),
          std::string("ulimit ") + flag + " of " + format_bytes(limit.rlim_cur)};
}

/// Where the groups of one hierarchy are, and the names of their files.
struct Hierarchy {
  std::string_view file_system;
  std::string_view limit;
  std::string_view usage;
  std::string_view reclaimable;  ///< in memory.stat: cached files, which can be reclaimed
};
constexpr Hierarchy version_1{"cgroup", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr Hierarchy version_2{"cgroup2", "memory.max", "memory.current", "inactive_file"};

/// Whether the name is one of those between commas.
bool lists(const std::string& names, std::string_view name) {
  std::istringstream in(names);
  for (std::string one; std::getline(in, one, ',');) {
    if (one == name) return true;
  }
  return false;
}

/// The process's group in the hierarchy, as a path within it; empty if it is in none. A line of the file reads
/// "4:cpu,memory:/path", for version 2 "0::/path".
std::string group_of(const std::string& root, const Hierarchy& hierarchy) {
  std::ifstream in(root + "/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_its = &hierarchy == &version_2 ? controllers.empty() : lists(controllers, "memory");
    if (is_its) return line.substr(second + 1);
  }
  return "";
}

/// A part of a hierarchy that is mounted in the file system.
struct Mount {
  std::string group;      ///< at its top
  std::string directory;  ///< of that group
};

/// A line of the file reads "31 23 0:28 GROUP DIRECTORY OPTIONS .. - TYPE SOURCE OPTIONS".
std::optional<Mount> mount_of(const std::string& root, const Hierarchy& hierarchy) {
  std::ifstream in(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::string ignored;
    Mount mount;
    std::istringstream(line) >> ignored >> ignored >> ignored >> mount.group >> mount.directory;
    std::string type;
    std::string options;
    std::istringstream(line.substr(dash + 3)) >> type >> ignored >> options;
    if (type != hierarchy.file_system) continue;
    if (&hierarchy == &version_1 && !lists(options, "memory")) continue;
    mount.directory.insert(0, root);
    return mount;
  }
  return {};
}

/// The group's path below the mount's top: "" for the top itself, also where the group lies outside.
std::string path_below(const Mount& mount, const std::string& group) {
  const std::string top = mount.group == "/" ? "" : mount.group;
  if (!group.starts_with(top + "/") || group.starts_with(top + "/..")) return "";
  const std::string path = group.substr(top.size());
  return path == "/" ? "" : path;
}

/// A control group that may have a limit.
struct ControlGroup {
  const Hierarchy* hierarchy;
  std::string directory;
  std::string name;  ///< "/user.slice/job"
};

/// The process's group and all that enclose it, as far as they are mounted.
void add_groups(std::vector<ControlGroup>& groups, const std::string& root, const Hierarchy& hierarchy) {
  const std::string group = group_of(root, hierarchy);
  const std::optional<Mount> mount = mount_of(root, hierarchy);
  if (group.empty() || !mount) return;
  for (std::string path = path_below(*mount, group);; path.erase(path.rfind('/'))) {
    groups.push_back({&hierarchy, mount->directory + path + "/", path.empty() ? "/" : path});
    if (path.empty()) return;
  }
}

std::vector<ControlGroup> groups_in(const std::string& root) {
  std::vector<ControlGroup> groups;
  for (const Hierarchy* hierarchy : {&version_1, &version_2}) add_groups(groups, root, *hierarchy);
  return groups;
}

MemoryLimit limit_of(const ControlGroup& group) {
  constexpr std::uint64_t least_of_none = std::uint64_t{1} << 62;  // version 1 has a number for "no limit"
  const Hierarchy& hierarchy = *group.hierarchy;
  const auto limit = number_in(group.directory + std::string(hierarchy.limit));
  if (!limit || *limit >= least_of_none) return {};
  const std::uint64_t usage = number_in(group.directory + std::string(hierarchy.usage)).value_or(0);
  const std::uint64_t cached = number_behind(group.directory + "memory.stat", hierarchy.reclaimable).value_or(0);
  return {left_of(*limit, left_of(usage, cached)), "control group " + group.name + " of " + format_bytes(*limit)};
}

MemoryLimit tightest_of(const std::vector<ControlGroup>& groups) {
  MemoryLimit tightest;
  for (const ControlGroup& group : groups) {
    MemoryLimit limit = limit_of(group);
    if (limit.available < tightest.available) tightest = std::move(limit);
  }
  return tightest;
}

MemoryLimit tightest_of(const std::vector<MemoryLimit>& limits) {
  return *std::min_element(limits.begin(), limits.end(), [](const MemoryLimit& one, const MemoryLimit& other) {
    return one.available < other.available;
  });
}

}  // namespace

MemoryLimit detail::control_group_limit(const std::string& root) { return tightest_of(groups_in(root)); }

std::optional<MemoryLimit> detail::KnownLimit::exceeded(std::uint64_t bytes, Clock::time_point now) {
  constexpr std::uint64_t share = 16;
  constexpr auto lifetime = std::chrono::seconds(1);
  const ProcessLimits limits = process_limits();
  const std::lock_guard lock(mutex_);
  if (bytes <= room_ && now - read_at_ < lifetime && limits == read_under_) {
    room_ -= bytes;
    return {};
  }
  MemoryLimit limit = read_();
  read_at_ = now;
  read_under_ = limits;
  room_ = left_of(limit.available / share, bytes);
  return bytes <= limit.available ? std::nullopt : std::optional(std::move(limit));
}

std::optional<MemoryLimit> exceeded_limit(std::uint64_t bytes) {
  static detail::KnownLimit known(memory_limit);
  return known.exceeded(bytes, detail::KnownLimit::Clock::now());
}

MemoryLimit memory_limit() {
  static const std::vector<ControlGroup> groups = groups_in("");  // finding them takes longer than everything else
  return tightest_of({{kibibytes_behind("/proc/meminfo", "MemAvailable:", unlimited), "free memory of the host"},
                      process_limit(RLIMIT_AS, "-v", "VmSize:"),
                      process_limit(RLIMIT_DATA, "-d", "VmData:"),
                      tightest_of(groups)});
}

}  // namespace lockstep
