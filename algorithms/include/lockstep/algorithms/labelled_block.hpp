#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

struct Move;
struct MoveLog;

/// Whether the words are the same; often there is one, which needs no call.
inline bool are_equal(std::span<const Word> a, std::span<const Word> b) {
  if (a.size() == 1 && b.size() == 1) return a.front() == b.front();
  return std::ranges::equal(a, b);
}

/// A block or a part of one in a bundle or a block, with its labels: the words from number `first` on of what `origin`
/// has for `destination` (for itself, where the block is for all). It refers to words that another object owns.
struct Piece {
  Rank origin = no_rank;        ///< the rank that it comes from
  Rank destination = no_rank;   ///< the rank that it is for
  std::uint64_t first = 0;      ///< the first word's place in the whole block
  std::span<const Word> block;  ///< the words

  /// The words from `from` on of the piece, as a piece of their own.
  Piece part(std::uint64_t from, std::uint64_t size) const {
    return {origin, destination, first + from, block.subspan(from, size)};
  }

  friend bool operator==(const Piece& a, const Piece& b) {
    return a.origin == b.origin && a.destination == b.destination && a.first == b.first && are_equal(a.block, b.block);
  }
};

/// A block or a part of one that is held or travels by itself, with the labels of a Piece and two more whose meaning
/// each schedule defines.
struct LabelledBlock {
  Rank origin = no_rank;        ///< the rank that it comes from
  Rank destination = no_rank;   ///< the rank that it is for
  std::uint64_t first = 0;      ///< the first word's place in the whole block
  Block block{};                ///< the words
  std::uint32_t number = 0;     ///< the schedule's own label
  std::uint32_t stream = 0;     ///< the schedule's other label
  std::uint32_t hops_made = 0;  ///< links crossed so far, where the schedule counts them
  std::uint32_t hops_left = 1;  ///< links still to cross, where the schedule counts them

  /// A view of it, as long as it lives.
  Piece piece() const { return {origin, destination, first, block.words()}; }

  friend bool operator==(const LabelledBlock&, const LabelledBlock&) = default;
};

/// Length as a payload: labels count 0.
inline std::uint64_t words(const LabelledBlock& labelled) { return labelled.block.size(); }
/// Its position on its path.
inline Journey journey(const LabelledBlock& labelled) { return {labelled.hops_made, labelled.hops_left}; }
/// The whole block, for another process.
inline void pack(const LabelledBlock& labelled, ByteWriter& to) {
  to.put(labelled.first);
  for (const std::uint32_t label : {labelled.origin, labelled.destination, labelled.number, labelled.stream,
                                    labelled.hops_made, labelled.hops_left}) {
    to.put(label);
  }
  pack(labelled.block, to);
}
/// The inverse of pack().
inline LabelledBlock unpack(ByteReader& from, std::type_identity<LabelledBlock>) {
  LabelledBlock labelled;
  labelled.first = from.get<std::uint64_t>();
  for (std::uint32_t* const label : {&labelled.origin, &labelled.destination, &labelled.number, &labelled.stream,
                                     &labelled.hops_made, &labelled.hops_left}) {
    *label = from.get<std::uint32_t>();
  }
  labelled.block = unpack(from, std::type_identity<Block>{});
  return labelled;
}

/// Inverts every bit of one word; a fault that tests plant.
inline void corrupt(LabelledBlock& labelled) { corrupt(labelled.block); }

/// Adds a move if the labels name origin and destination. One longer than a block of the log holds several, one after
/// the other: those of the ranks that differ from the origin only in the dimensions from `number` on.
void log_blocks(const LabelledBlock& labelled, const Move& link, MoveLog& log, std::vector<Move>& moves);

}  // namespace lockstep
