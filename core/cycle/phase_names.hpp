#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "lockstep/core/detail/atomics.hpp"
#include "lockstep/core/detail/worker.hpp"

namespace lockstep::detail {

/// The names of the phases of a run; number 0 is the phase without one.
///
/// Thread-safety: any worker may ask for a number at any time. A known name is found without a lock: a pointer to it
/// goes from null to its value once.
class PhaseNames {
 public:
  PhaseNames() { add({}); }

  /// The number of the name, which is added if it is new; 0 if there are too many.
  std::uint8_t number(std::string_view name);
  /// Whether programs have asked for more names than a run may have. Which name was too many depends on the schedule,
  /// so the run ends at the barrier.
  bool too_many() const { return too_many_.load(std::memory_order_relaxed); }

  // At the barrier.
  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t number) const { return names_[number]; }

 private:
  void add(std::string_view name);
  /// The number of a known name; else the first free number, and false.
  bool find(std::string_view name, std::size_t& number) const;

  Mutex mutex_;
  std::deque<Owned<std::string>> names_;
  std::array<Atomic<const Owned<std::string>*>, Worker::most_phases> known_{};
  Atomic<bool> too_many_{false};
};

}  // namespace lockstep::detail
