#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::tree {

/// Holders that each find a new one in every step, where only `limit` transfers fit into one: they double as long as
/// they are fewer than that. Holder x, counted from the first, 0, is found in step step_of(x) by holder source_of(x).
/// (saad-schultz-1988.md, Bus, Shared memory.)
///
///     limit 3:   step 0   0 finds 1
///                step 1   0 finds 2, 1 finds 3
///                step 2   0 finds 4, 1 finds 5, 2 finds 6
///                step 3   0 finds 7, ..
class LimitedDoubling {
 public:
  /// The limit is at least 1.
  explicit LimitedDoubling(std::uint64_t limit)
      : limit_(limit), doublings_(static_cast<std::uint64_t>(std::bit_width(limit - 1))) {}

  /// q = ceil(log2 limit): steps in which the holders double.
  std::uint64_t doublings() const { return doublings_; }

  std::uint64_t step_of(std::uint64_t holder) const {
    return holder < doubled() ? log2(holder) : doublings_ + (holder - doubled()) / limit_;
  }
  std::uint64_t source_of(std::uint64_t holder) const {
    return holder < doubled() ? holder - std::bit_floor(holder) : (holder - doubled()) % limit_;
  }

  /// The holders that `holder` finds, step by step, until there are `holders`.
  std::vector<std::uint64_t> found_by(std::uint64_t holder, std::uint64_t holders) const {
    std::vector<std::uint64_t> found;
    for (std::uint64_t c = std::bit_ceil(holder + 1); c < doubled() && holder + c < holders; c *= 2) {
      found.push_back(holder + c);
    }
    if (holder >= limit_) return found;
    for (std::uint64_t next = doubled() + holder; next < holders; next += limit_) found.push_back(next);
    return found;
  }
  /// Whether a holder is the other one, or has been found through it.
  bool is_below(std::uint64_t holder, std::uint64_t other) const {
    while (holder > other) holder = source_of(holder);
    return holder == other;
  }

  /// Steps until there are `holders` holders, at least 1: ceil(log2 k) for k <= 2^q, q + ceil((k - 2^q) / limit) for
  /// more.
  std::uint64_t steps(std::uint64_t holders) const { return holders == 1 ? 0 : step_of(holders - 1) + 1; }

  /// The formula for the user.
  std::string steps_text(std::uint64_t holders) const {
    return holders <= doubled() ? "ceil(log2 k)" : "q + ceil((k - 2^q)/kstar), q = ceil(log2 kstar)";
  }

  /// How many of `holders` holders find another: the first ones.
  std::uint64_t sources(std::uint64_t holders) const {
    if (holders == 1) return 0;
    const std::uint64_t last_step = step_of(holders - 1);
    const std::uint64_t before =
        last_step == 0 ? 0 : std::min(limit_, std::uint64_t{1} << std::min(last_step - 1, doublings_));
    return std::max(before, source_of(holders - 1) + 1);
  }

 private:
  /// 2^q, the number of holders after the steps in which they double.
  std::uint64_t doubled() const { return std::uint64_t{1} << doublings_; }
  static std::uint64_t log2(std::uint64_t number) { return static_cast<std::uint64_t>(std::bit_width(number)) - 1; }

  std::uint64_t limit_;
  std::uint64_t doublings_;
};

}  // namespace lockstep::tree
