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
/// (versions 1 and 2) in which the process was when it first asked, and of the groups around that.
MemoryLimit memory_limit();

namespace detail {

/// The limit of control groups that leaves the least, as the files below `root`, which stands for "/", tell.
MemoryLimit control_group_limit(const std::string& root);

}  // namespace detail
}  // namespace lockstep
