#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace lockstep {

/// One of the limits on what this process may still allocate.
struct MemoryLimit {
  std::uint64_t available = std::numeric_limits<std::uint64_t>::max();  ///< bytes that it leaves
  std::string name;                                                     ///< "ulimit -v of 300.0 MiB"
};

/// The limit that leaves the least: what the host has free, `ulimit -v` and `ulimit -d`, and those of the control group
/// (versions 1 and 2) that the process was in at the first call, and of the groups that enclose it.
MemoryLimit memory_limit();

namespace detail {

/// The limit of control groups that leaves the least, read from the files below `root`, which stands for "/".
MemoryLimit control_group_limit(const std::string& root);

}  // namespace detail
}  // namespace lockstep
