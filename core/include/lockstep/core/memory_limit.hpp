#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace lockstep {

/// One of the limits on the memory that this process may still allocate.
struct MemoryLimit {
  std::uint64_t available = std::numeric_limits<std::uint64_t>::max();  ///< bytes that it leaves
  std::string name;                                                     ///< "ulimit -v of 300.0 MiB"
};

/// The limit that leaves the least: the host's free memory, `ulimit -v` and `ulimit -d`, and the limits of the control
/// group (versions 1 and 2) that the process was in at the first call, and of the groups that enclose it.
MemoryLimit memory_limit();

/// The limit that leaves less than `bytes`; none if they fit. Reads the limits only if `bytes` is a sizeable part of
/// the rest at a recent reading; less than that is assumed to fit.
std::optional<MemoryLimit> exceeded_limit(std::uint64_t bytes);

/// While one lives, no machine that its thread makes is refused for its memory: whoever made it knows better than
/// Machine::bytes() what the run takes, which touches few of a large machine's links.
class MemoryChecked {
 public:
  MemoryChecked() : before_(std::exchange(is_checked_, true)) {}
  MemoryChecked(const MemoryChecked&) = delete;
  MemoryChecked& operator=(const MemoryChecked&) = delete;
  ~MemoryChecked() { is_checked_ = before_; }

  /// Whether one lives on this thread.
  static bool is_checked() { return is_checked_; }

 private:
  static inline thread_local bool is_checked_ = false;
  bool before_;
};

namespace detail {

/// The limits of `ulimit -v` and `ulimit -d`.
using ProcessLimits = std::pair<std::uint64_t, std::uint64_t>;

/// The state behind exceeded_limit(). A reading of the limits is reused for a second, until the needs checked against
/// it add up to a sixteenth of the memory that it left, or ulimit changes.
class KnownLimit {
 public:
  /// Tells the time.
  using Clock = std::chrono::steady_clock;
  /// `read` reads the limits.
  explicit KnownLimit(std::function<MemoryLimit()> read) : read_(std::move(read)) {}

  /// See exceeded_limit(). Several threads may call it at once.
  std::optional<MemoryLimit> exceeded(std::uint64_t bytes, Clock::time_point now);

 private:
  std::function<MemoryLimit()> read_;
  std::mutex mutex_;
  std::uint64_t room_ = 0;  // left for needs that are assumed to fit
  Clock::time_point read_at_{};
  ProcessLimits read_under_{};
};

/// The limit of control groups that leaves the least, read from the files below `root`, which stands for "/".
MemoryLimit control_group_limit(const std::string& root);

}  // namespace detail
}  // namespace lockstep
