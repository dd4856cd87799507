#pragma once

#include <algorithm>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/packets.hpp"

// Blocks cut into parts that travel on ways of their own.
namespace lockstep {

/// The words from `first` on of the piece, as a piece of its own.
inline Piece part_of(const Piece& whole, std::uint64_t first, std::uint64_t size) {
  Block part(size);
  std::copy_n(whole.block.data() + first, size, part.data());
  return {whole.origin, whole.destination, whole.first + first, std::move(part)};
}

/// Index of the part in which that word lies. The words must be no fewer than the parts.
inline std::uint64_t part_with(const Split& split, std::uint64_t word) {
  const std::uint64_t in_longer = split.longer() * split.longest();
  return word < in_longer ? word / split.longest() : split.longer() + (word - in_longer) / split.shortest();
}

/// For every part of the split a list of that part of every block; the blocks are as long as the split says.
inline std::vector<std::vector<Piece>> cut(std::vector<Piece> blocks, const Split& split) {
  std::vector<std::vector<Piece>> parts(split.pieces());
  if (parts.size() == 1) {
    parts.front() = std::move(blocks);
    return parts;
  }
  for (std::vector<Piece>& list : parts) list.reserve(blocks.size());
  for (Piece& whole : blocks) {
    for (std::size_t part = 0; part < parts.size(); ++part) {
      parts[part].push_back(part_of(whole, split.first(part), split.size(part)));
    }
    whole.block = {};  // else all words would be there twice in the end
  }
  return parts;
}

/// Start-ups of one message for each part of the split, with that part of so many blocks.
inline Wide startups_of_parts(const Split& split, std::uint64_t blocks, const CostModel& cost) {
  return Wide{split.longer()} * cost.startups(blocks * split.longest()) +
         Wide{split.pieces() - split.longer()} * cost.startups(blocks * split.shortest());
}

}  // namespace lockstep
