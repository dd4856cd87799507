#pragma once

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/algorithms/fault.hpp"
#include "lockstep/core/observer.hpp"

namespace lockstep {

/// Does a fault to a run through the observer seam. A payload type has a free function `corrupt(T&)` that inverts every
/// bit of one word of its data, if it has any: then whatever a word stands for, it stands for something far off, even
/// where small differences are tolerated.
template <Payload T>
class FaultPlanter : public Observer<T> {
 public:
  explicit FaultPlanter(Fault fault) : fault_(fault) {}

  void barrier(Cycle, std::vector<Transfer<T>>& transfers) override {
    const std::uint64_t index = fault_.transfer - seen_;
    const bool here = fault_.transfer >= seen_ && index < transfers.size();
    seen_ += transfers.size();
    if (fault_.seen != nullptr) *fault_.seen = seen_;
    if (!here) return;
    const auto chosen = transfers.begin() + static_cast<std::ptrdiff_t>(index);
    bool done = true;
    switch (fault_.kind) {
      case FaultKind::drop:
        transfers.erase(chosen);
        break;
      case FaultKind::repeat: {
        Transfer<T> copy = *chosen;
        transfers.insert(chosen, std::move(copy));
        break;
      }
      case FaultKind::swap:
        done = swap_with_another(transfers, index);
        break;
      case FaultKind::corrupt:
        corrupt(chosen->payload);
        break;
    }
    if (done && fault_.done != nullptr) *fault_.done = true;
  }

 private:
  static bool swap_with_another(std::vector<Transfer<T>>& transfers, std::uint64_t index) {
    for (std::uint64_t further = 1; further < transfers.size(); ++further) {
      Transfer<T>& other = transfers[(index + further) % transfers.size()];
      if (are_equal(transfers[index].payload, other.payload)) continue;
      std::swap(transfers[index].payload, other.payload);
      return true;
    }
    return false;
  }

  static bool are_equal(const T& a, const T& b) {
    if constexpr (std::equality_comparable<T>) {
      return a == b;
    } else {
      return false;
    }
  }

  Fault fault_;
  std::uint64_t seen_ = 0;
};

}  // namespace lockstep
