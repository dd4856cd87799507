#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep {

// Routing of point-to-point packets with unlimited buffers, stored and forwarded, cut through or over circuits
// (mukherjee.md, Routing, Switching). The conflicts of packets depend on the whole machine, so a sequential planner
// settles them beforehand, and the processors execute its schedule.

/// A packet from one processor to another. Its number is its place, from 0, in the list of requests. With equal ends it
/// stays where it is.
struct RouteRequest {
  Rank from = no_rank;  ///< where it starts
  Rank to = no_rank;    ///< where it ends

  friend bool operator==(const RouteRequest&, const RouteRequest&) = default;
};

/// The properties of a machine that routing needs, computed by formula.
struct RoutedMachine {
  Rank processors = 0;                                        ///< number of processors
  Port ports = 0;                                             ///< of every processor
  Wiring wiring;                                              ///< the end that each port leads to
  std::function<std::vector<Port>(Rank from, Rank to)> path;  ///< the ports of a packet's path
  std::uint64_t longest_path = 0;                             ///< of all pairs of processors
};

/// The machine with its E-cube paths (mukherjee.md, Routing): over the differing address bits, lowest first; on a
/// reduced hypercube those of the building block before those inside it. The family must be hypercube or rh.
RoutedMachine ecube_machine(const MachineSpec& machine);

/// The load of paths regardless of waiting: crossed links, in messages.
struct RouteLoad {
  std::uint64_t messages = 0;          ///< the sum of all paths' lengths
  std::uint64_t longest_path = 0;      ///< in links
  std::uint64_t busiest_link = 0;      ///< over one directed link
  std::uint64_t busiest_sender = 0;    ///< messages that one processor sends or forwards
  std::uint64_t busiest_receiver = 0;  ///< messages that one processor receives

  /// Steps that no routing over these paths can beat (mukherjee.md, Routing): the longest path and the busiest link,
  /// and unless a processor can use all its ports in a step also the busiest sender and receiver.
  std::uint64_t least_steps(PortModel ports) const;
  /// Steps that RouteSchedule never exceeds over these paths (mukherjee.md, Emulation): on each link of its path a
  /// packet waits for others, once each, that cross the link or, with one port, leave its sender or come to its
  /// receiver.
  std::uint64_t most_steps(PortModel ports) const;
};

/// Takes time in proportion to the messages, and memory to the links.
RouteLoad route_load(const RoutedMachine& machine, std::span<const RouteRequest> requests);

/// The link that every packet crosses in every cycle, as each processor sees it. Immutable, so that every thread may
/// read it.
class RouteSchedule {
 public:
  /// One action of a processor: it receives a packet that was sent in the cycle before, or sends one that it holds.
  struct RouteMove {
    std::uint32_t cycle = 0;      ///< in which it is done
    std::uint32_t packet = 0;     ///< its number among the requests
    Port port = 0;                ///< on which
    std::uint32_t hops_left = 1;  ///< links still to cross, this one included
    bool receives = false;        ///< if false, it sends
  };
  /// The former name of RouteMove.
  using Move [[deprecated("use RouteMove")]] = RouteMove;

  /// Plans the routing with the arbitration of mukherjee.md, Routing. In a cycle links are granted in the order of
  /// (most hops left, then lowest packet number); a packet waits when its link is taken or, unless a processor can use
  /// all its ports, when its sender has already sent or its receiver has already received in this cycle. One-strict,
  /// which RH does not know, is planned as one. Costs time in proportion to the messages, times the ports of a
  /// processor where one can use only one, and the logarithm of the packets that wait.
  ///
  /// Cut through, a packet keeps the links that its header has crossed, and the ports that the model grants it at their
  /// processors, through the cycle in which the header arrives or is blocked; there the packet is gathered, and goes on
  /// from there. A circuit takes all links of its path at once, when they are free, and keeps them until the header has
  /// crossed the last. Both cost time in proportion to the cycles times the packets that wait.
  RouteSchedule(const RoutedMachine& machine, std::span<const RouteRequest> requests, PortModel ports,
                Switching switching = Switching::store_and_forward);

  /// The ports of the path of a packet.
  using PathOf = std::function<std::vector<Port>(std::uint32_t packet)>;
  /// The same where the packets take other paths than the machine's.
  RouteSchedule(const RoutedMachine& machine, std::span<const RouteRequest> requests, const PathOf& path_of,
                PortModel ports, Switching switching);

  /// The processor's moves by cycle, receives first.
  std::span<const RouteMove> moves(Rank rank) const {
    return std::span(moves_).subspan(first_move_[rank], first_move_[rank + 1] - first_move_[rank]);
  }
  /// Cycles in which some packet moves; all until the last has moved, if packets are stored and forwarded.
  std::uint64_t steps() const { return steps_; }
  /// Links of the longest path of a packet.
  std::uint64_t longest_path() const { return longest_path_; }
  /// The most packets that one processor held at the start of a cycle and had still to forward, those forwarded in that
  /// cycle included.
  std::uint64_t longest_queue() const { return longest_queue_; }

  /// Bytes that planning takes, the schedule included, for that many packets and crossed links.
  static Wide bytes(const RoutedMachine& machine, Wide packets, Wide messages);

 private:
  std::vector<RouteMove> moves_;
  std::vector<std::uint64_t> first_move_;  ///< one entry more than there are processors
  std::uint64_t steps_ = 0;
  std::uint64_t longest_path_ = 0;
  std::uint64_t longest_queue_ = 0;
};

}  // namespace lockstep
