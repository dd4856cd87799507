#include "relay.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lockstep/core/processor.hpp"

namespace lockstep::packets {
namespace {

/// The first packet that the processor has in the cycle `from` or later.
std::uint64_t first_packet(const Relay& one, Cycle from) {
  return from <= one.start ? 0 : (from - one.start + one.interval - 1) / one.interval;
}

Cycle cycle_of(const Relay& one, std::uint64_t packet) { return one.start + packet * one.interval; }

/// The first cycle from `from` on with a relay to execute, counted from the origin; empty if there is none.
std::optional<Cycle> next_cycle(std::span<const Relay> relays, std::span<const Part> parts, Cycle from) {
  std::optional<Cycle> next;
  for (const Relay& one : relays) {
    const std::uint64_t packet = first_packet(one, from);
    if (packet >= parts[one.part].packets.pieces()) continue;
    next = std::min(next.value_or(last_cycle), cycle_of(one, packet));
  }
  return next;
}

void pass_on(Processor<Block>& self, const Relay& one, std::span<const Part> parts, std::uint64_t packet, Block& item) {
  const Part& part = parts[one.part];
  if (!one.from) return self.send(one.to, cut(item, part, packet));
  Message<Block> message = self.receive(*one.from);
  if (one.keeps) {
    if (item.size() == 0) item = Block(parts.back().first + parts.back().packets.words());
    put(item, part, packet, message.payload);
  }
  if (one.to.size() == 1) {
    self.forward(one.to.front(), std::move(message));
  } else {
    self.send(one.to, message.payload);
  }
}

}  // namespace

Block cut(const Block& item, const Part& part, std::uint64_t packet) {
  return item.part(part.first + part.packets.first(packet), part.packets.size(packet));
}

void put(Block& item, const Part& part, std::uint64_t packet, const Block& block) {
  const std::uint64_t due = part.packets.size(packet);
  if (block.size() != due) {
    throw std::logic_error("received a packet of " + std::to_string(block.size()) + " words instead of one of " +
                           std::to_string(due));
  }
  std::copy_n(block.data(), due, item.data() + part.first + part.packets.first(packet));
}

Process relay(Processor<Block>& self, std::span<const Relay> relays, std::span<const Part> parts, Block& item,
              Cycle origin) {
  for (std::optional<Cycle> next = next_cycle(relays, parts, 0); next; next = next_cycle(relays, parts, *next + 1)) {
    co_await self.until(origin + *next);
    for (const Relay& one : relays) {
      const std::uint64_t packet = first_packet(one, *next);
      if (cycle_of(one, packet) != *next || packet >= parts[one.part].packets.pieces()) continue;
      pass_on(self, one, parts, packet, item);
    }
  }
}

}  // namespace lockstep::packets
