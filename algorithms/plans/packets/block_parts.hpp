#pragma once

#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/packets.hpp"

// Blocks cut into parts that travel on paths of their own.
namespace lockstep::packets {

/// Index of the part that has that word. The words must be no fewer than the parts.
inline std::uint64_t part_with(const Split& split, std::uint64_t word) {
  const std::uint64_t in_longer = split.longer() * split.longest();
  return word < in_longer ? word / split.longest() : split.longer() + (word - in_longer) / split.shortest();
}

/// For every part of the split a bundle of that part of every block; the blocks have the length of the split.
inline std::vector<Bundle> cut(Bundle blocks, const Split& split) {
  std::vector<Bundle> parts(split.pieces());
  if (parts.size() == 1) {
    parts.front() = std::move(blocks);
    return parts;
  }
  for (std::size_t part = 0; part < parts.size(); ++part) {
    parts[part].reserve(blocks.size(), blocks.size() * split.size(part));
    for (std::uint64_t index = 0; index < blocks.size(); ++index) {
      parts[part].add_part(blocks, index, split.first(part), split.size(part));
    }
  }
  return parts;
}

/// Start-ups of one message for each part of the split, with that part of `blocks` blocks.
inline Wide startups_of_parts(const Split& split, std::uint64_t blocks, const CostModel& cost) {
  return Wide{split.longer()} * cost.startups(blocks * split.longest()) +
         Wide{split.pieces() - split.longer()} * cost.startups(blocks * split.shortest());
}

}  // namespace lockstep::packets
