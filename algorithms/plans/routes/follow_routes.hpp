#pragma once

#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "lockstep/algorithms/routing.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::routes {

/// The packets that one processor holds, by number.
template <Payload T>
class HeldPackets {
 public:
  void put(std::uint32_t number, Message<T> message) {
    words_ += words(message.payload);
    packets_.emplace(number, std::move(message));
  }
  /// Throws std::logic_error if the packet is not here.
  Message<T> take(std::uint32_t number) {
    auto found = packets_.extract(number);
    if (found.empty()) throw std::logic_error("packet " + std::to_string(number) + " should be sent, but is not here");
    words_ -= words(found.mapped().payload);
    return std::move(found.mapped());
  }

  /// The packet; null if it is not here.
  const T* find(std::uint32_t number) const {
    const auto found = packets_.find(number);
    return found == packets_.end() ? nullptr : &found->second.payload;
  }

  std::size_t size() const { return packets_.size(); }
  /// The words of all packets.
  std::uint64_t words_held() const { return words_; }

  /// Bytes that each packet and each processor take besides the words of packets.
  static constexpr std::uint64_t bytes_of_packet() { return sizeof(std::pair<std::uint32_t, Message<T>>) + 40; }
  static constexpr std::uint64_t bytes_of_processor() { return sizeof(HeldPackets); }

 private:
  std::unordered_map<std::uint32_t, Message<T>> packets_;
  std::uint64_t words_ = 0;
};

/// Sub-program: carries out the schedule for its node `node`, cycles counted from `origin`, and sleeps in between. It
/// takes the packets that it sends from `held` and puts there those that it receives, so that in the end `held` has
/// those that have reached their destination. Packets that know their paths have their position updated; one with a
/// free function phase_of(const T&) is sent in that phase. `is_packet(number, payload)` checks a received payload. Port
/// p of the schedule is the processor's port first_port + p. Throws std::logic_error if another packet than the
/// expected one arrives, and what Processor::send and receive throw. All arguments must outlive the sub-program.
template <Payload T, class IsPacket>
Process follow_routes(Processor<T>& self, const RouteSchedule& schedule, Rank node, Port first_port, Cycle origin,
                      const IsPacket& is_packet, HeldPackets<T>& held) {
  for (const RouteSchedule::RouteMove& move : schedule.moves(node)) {
    co_await self.until(origin + move.cycle);
    if (move.receives) {
      Message<T> message = self.receive(first_port + move.port);
      if (!is_packet(move.packet, message.payload)) {
        throw std::logic_error("received something other than packet " + std::to_string(move.packet) + " on port " +
                               std::to_string(message.port));
      }
      if constexpr (HasJourney<T>) ++message.payload.hops_made;
      held.put(move.packet, std::move(message));
      self.hold(held.words_held());
    } else {
      Message<T> message = held.take(move.packet);
      if constexpr (HasJourney<T>) message.payload.hops_left = move.hops_left;
      if constexpr (requires { phase_of(message.payload); }) self.phase(phase_of(message.payload));
      self.forward(first_port + move.port, std::move(message));
    }
  }
}

}  // namespace lockstep::routes
