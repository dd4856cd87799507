#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::method {

/// What was derived from a machine last, so that predictions for many sizes derive it once. For any number of threads.
template <class Derived>
class KeptByMachine {
 public:
  /// What make() derives from that machine and a number, such as a root.
  template <class Make>
  std::shared_ptr<const Derived> find(const MachineSpec& machine, std::uint64_t number, const Make& make) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(kept_, [&](const Kept& one) {
      return one.machine == machine && one.machine.graph == machine.graph && one.number == number;
    });
    if (found != kept_.end()) return found->derived;
    auto derived = std::make_shared<const Derived>(make());
    if (kept_.size() == most) kept_.erase(kept_.begin());
    kept_.push_back({machine, number, derived});
    return derived;
  }

 private:
  static constexpr std::size_t most = 4;
  struct Kept {
    MachineSpec machine;
    std::uint64_t number;
    std::shared_ptr<const Derived> derived;
  };
  std::mutex mutex_;
  std::vector<Kept> kept_;
};

}  // namespace lockstep::method
