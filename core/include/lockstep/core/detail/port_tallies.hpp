#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lockstep/core/detail/atomics.hpp"
#include "lockstep/core/detail/control.hpp"
#include "lockstep/core/detail/large_array.hpp"
#include "lockstep/core/model.hpp"

namespace lockstep::detail {

/// What the processors send and receive in a cycle under k_ports(), and their clocks: the transfers of one cycle start
/// together, once those of earlier cycles have ended. Empty under other port models.
///
/// Thread-safety: within a cycle a processor's worker counts its sends, and any number of senders book transfers to
/// it. The clocks from which transfers start change between cycles only, so no result depends on the senders' order.
class PortTallies {
 public:
  PortTallies(std::size_t processors, PortModel ports)
      : limit_(port_limit(ports)), tallies_(is_k_ports(ports) ? processors : 0) {}

  static std::uint64_t bytes(std::uint64_t processors, PortModel ports) {
    return is_k_ports(ports) ? processors * sizeof(Tally) : 0;
  }

  bool empty() const { return tallies_.size() == 0; }

  /// Counts sends of a processor, the first of the cycle if `first`; false if they are beyond its limit.
  bool count_sends(Control& control, bool first, std::size_t sends = 1) {
    if (first) {
      control.sends = 0;
      control.send_clock = tallies_[control.rank].sends_end;
    }
    if (sends > limit_ - control.sends) return false;
    control.sends = static_cast<std::uint16_t>(control.sends + sends);
    return true;
  }

  /// The earliest start of a transfer of data that is ready at that time.
  double start(const Control& control, Rank to, double data_time) const {
    return std::max({data_time, control.send_clock, tallies_[to].receive_clock});
  }
  /// Books the end of a transfer with its sender.
  void book_send(Rank from, double end) {
    double& latest = tallies_[from].sends_end;
    latest = std::max(latest, end);
  }
  /// Books it with its receiver; returns whether the receiver may have it.
  bool book_receipt(Rank to, double end) {
    Tally& tally = tallies_[to];
    AtomicRef<double> clock(tally.receives_end);
    double latest = clock.load(std::memory_order_relaxed);
    while (latest < end && !clock.compare_exchange_weak(latest, end, std::memory_order_relaxed)) {
    }
    return AtomicRef<std::uint32_t>(tally.received).fetch_add(1, std::memory_order_relaxed) < limit_;
  }

  // At the barrier.

  /// The time at which everything sent to the processor in earlier cycles has been received.
  double receive_clock(Rank rank) const { return tallies_[rank].receive_clock; }
  /// Ends the processor's cycle; returns whether it was sent more messages than it may receive.
  bool end_cycle(Rank rank) {
    Tally& tally = tallies_[rank];
    tally.receive_clock = tally.receives_end;
    return take_alone(tally.received) > limit_;
  }
  /// When the last of all transfers has ended.
  double latest_end() const {
    double latest = 0;
    for (std::size_t rank = 0; rank < tallies_.size(); ++rank) latest = std::max(latest, tallies_[rank].receives_end);
    return latest;
  }
  void clear(std::size_t first, std::size_t last) {
    std::fill(tallies_.data() + first, tallies_.data() + last, Tally{});
  }

 private:
  struct Tally {
    double sends_end = 0;
    double receive_clock = 0;
    double receives_end = 0;
    std::uint32_t received = 0;  ///< messages of the cycle
  };

  std::size_t limit_;
  LargeArray<Tally> tallies_;  // by rank
};

}  // namespace lockstep::detail
