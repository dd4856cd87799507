#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::method {

/// What was derived from some machines last, so that predictions for many sizes, or for machines in turn, derive it
/// once. May be used by several threads.
template <class Derived>
class KeptByMachine {
 public:
  /// What make() derives from that machine and a number, such as a root.
  template <class Make>
  std::shared_ptr<const Derived> find(const MachineSpec& machine, std::uint64_t number, const Make& make) {
    if (machine.processors > most_processors_kept) return std::make_shared<const Derived>(make());
    const std::lock_guard lock(mutex_);
    const auto found =
        std::ranges::find_if(kept_, [&](const Kept& one) { return one.number == number && one.machine == machine; });
    if (found != kept_.end()) return found->derived;
    auto derived = std::make_shared<const Derived>(make());
    kept_.push_back({machine, number, derived});
    processors_ += machine.processors;
    for (; processors_ > most_processors_together || kept_.size() > most; kept_.erase(kept_.begin())) {
      processors_ -= kept_.front().machine.processors;
    }
    return derived;
  }

 private:
  static constexpr std::size_t most = 16;
  /// What is derived from larger machines takes memory that a run needs.
  static constexpr std::uint64_t most_processors_kept = std::uint64_t{1} << 21;
  static constexpr std::uint64_t most_processors_together = 2 * most_processors_kept;

  struct Kept {
    MachineSpec machine;
    std::uint64_t number;
    std::shared_ptr<const Derived> derived;
  };
  std::mutex mutex_;
  std::vector<Kept> kept_;
  std::uint64_t processors_ = 0;  // of all that are kept
};

}  // namespace lockstep::method
