#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::packets {

/// The relay of one part of an item in packets by one processor (saad-schultz-1985.md, Pipelines): it has packet p in
/// cycle start + interval p, and sends it on at once. Along a path `start` is the processor's place, from 0; down a
/// tree its depth. Ports are ranks on a machine whose processors address each other by rank.
struct Relay {
  Cycle start = 0;
  Cycle interval = 1;
  std::size_t part = 0;
  std::optional<Port> from{};  ///< the port that packets arrive on; empty: they are cut from the processor's item
  std::vector<Port> to{};      ///< the ports that they are sent on, all at once; none at the end of the path
  bool keeps = true;           ///< whether the processor writes the packets to its item
};

/// A packet of a part, cut from the item.
Block cut(const Block& item, const Part& part, std::uint64_t packet);
/// Writes a packet of a part to the item. Throws std::logic_error if it does not have the expected length.
void put(Block& item, const Part& part, std::uint64_t packet, const Block& block);

/// Sub-program: executes all of these relays, cycles counted from `origin`, and ends in the cycle of the last. It
/// sleeps while it has nothing to do. The item is created when its first packet arrives; relays of one cycle are
/// executed in order. Throws std::logic_error if a packet to be kept does not have the expected length, and what
/// Processor::send and receive throw. All arguments must outlive the sub-program.
Process relay(Processor<Block>& self, std::span<const Relay> relays, std::span<const Part> parts, Block& item,
              Cycle origin = 0);

}  // namespace lockstep::packets
