#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/algorithms/routing.hpp"

namespace lockstep::routes {

/// A packet that crosses a link.
struct Grant {
  std::uint32_t cycle = 0;
  std::uint32_t packet = 0;
  Rank from = no_rank;
  Port port = 0;
  std::uint32_t hops_left = 1;  ///< links still to cross, this one included
};

/// The link that each packet crosses in each cycle.
struct RoutePlan {
  std::vector<Grant> grants;        ///< by cycle
  std::uint64_t steps = 0;          ///< cycles in which a packet moves
  std::uint64_t longest_queue = 0;  ///< see RouteSchedule
};

/// The paths of all packets, and how far each packet has come on its own.
class PacketPaths {
 public:
  PacketPaths(std::size_t packets, const RouteSchedule::PathOf& path_of) : first_(packets + 1), next_(packets) {
    for (std::uint32_t packet = 0; packet < packets; ++packet) {
      next_[packet] = first_[packet] = ports_.size();
      const std::vector<Port> path = path_of(packet);
      ports_.insert(ports_.end(), path.begin(), path.end());
      longest_ = std::max<std::uint64_t>(longest_, path.size());
    }
    first_.back() = ports_.size();
  }

  std::uint64_t hops() const { return ports_.size(); }  ///< of all packets
  std::uint64_t longest() const { return longest_; }    ///< hops of the longest path

  std::uint64_t hops_left(std::uint32_t packet) const { return first_[packet + 1] - next_[packet]; }
  /// Whether `a` is granted a link before `b`.
  bool goes_before(std::uint32_t a, std::uint32_t b) const {
    return hops_left(a) != hops_left(b) ? hops_left(a) > hops_left(b) : a < b;
  }
  /// The ports that are still to be crossed.
  std::span<const Port> ports_left(std::uint32_t packet) const {
    return std::span(ports_).subspan(next_[packet], hops_left(packet));
  }
  void advance(std::uint32_t packet) { ++next_[packet]; }

 private:
  std::vector<Port> ports_;           // of all packets, one after the other
  std::vector<std::uint64_t> first_;  // by packet, with one entry more
  std::vector<std::uint64_t> next_;
  std::uint64_t longest_ = 0;
};

/// Packets that are stored and forwarded.
RoutePlan plan_stored(const RoutedMachine& machine, std::span<const RouteRequest> requests, PacketPaths& paths,
                      PortModel ports);
/// Packets that keep links behind their headers, cut through or over circuits.
RoutePlan plan_through(const RoutedMachine& machine, std::span<const RouteRequest> requests, PacketPaths& paths,
                       PortModel ports, Switching switching);

}  // namespace lockstep::routes
