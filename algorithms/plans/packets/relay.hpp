#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::packets {

/// What one processor does for one part of an item that comes along in packets (saad-schultz-1985.md, Pipelines): it
/// has packet p in hand in cycle start + interval p, and sends it on at once. Along a path `start` is the processor's
/// place, from 0; down a tree its depth. Ports are ranks on a machine whose processors name each other by rank.
struct Relay {
  Cycle start = 0;
  Cycle interval = 1;
  std::size_t part = 0;
  std::optional<Port> from{};  ///< where packets come in; without it they are cut off the item that the processor holds
  std::vector<Port> to{};      ///< where they go on, all at once; none at the end of the path
  bool keeps = true;           ///< whether the processor writes what comes in into its item
};

/// A packet of a part, cut off the item.
Block cut(const Block& item, const Part& part, std::uint64_t packet);
/// Writes a packet of a part into the item. Throws std::logic_error if it has not the length that is due.
void put(Block& item, const Part& part, std::uint64_t packet, const Block& block);

/// Sub-program: does all of these relays, cycles counted from `origin`, and ends in the cycle of the last. It sleeps
/// while it has nothing to do. The item is made when the first packet for it arrives; relays that fall into one cycle
/// are done in their order. Throws std::logic_error if a packet to be kept has not the length that is due, and what
/// Processor::send and receive throw. All arguments must outlive the sub-program.
Process relay(Processor<Block>& self, std::span<const Relay> relays, std::span<const Part> parts, Block& item,
              Cycle origin = 0);

}  // namespace lockstep::packets
