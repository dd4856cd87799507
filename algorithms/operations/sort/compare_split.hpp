#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>
#include <stdexcept>

#include "lockstep/algorithms/operation/elements.hpp"
#include "lockstep/algorithms/operation/sort.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "network.hpp"

namespace lockstep::sort {

// Half of what a processor compares with is dropped, so that no check at the end can tell whether a dropped record came
// whole and to the right place: labels of records can.

inline Word checksum(NumberKey key) { return key; }
inline Word checksum(const TextKey& key) { return std::hash<std::string>()(key.text) + (key.padding ? 1 : 0); }
template <class Key>
Word checksum(const std::vector<Key>& keys) {
  return std::accumulate(keys.begin(), keys.end(), Word{0},
                         [](Word sum, const Key& key) { return sum + checksum(key); });
}

/// The records, labelled with their sender; those of a packet with the node that its block belongs to.
template <class Key>
Records<Key> sealed(std::vector<Key> keys, Rank label) {
  const Word sum = checksum(keys);
  return {.first = label, .value = std::move(keys), .checksum = sum};
}
/// Whether these are `size` records with that label, unchanged since they were sealed.
template <class Key>
bool is_sealed(const Records<Key>& records, Rank label, std::size_t size) {
  return records.first == label && records.value.size() == size && records.checksum == checksum(records.value);
}

/// The first half of `low` and `high` merged, which are both ascending and equally long; of equal records those of
/// `low` come first.
template <class Key>
void keep_low(std::span<Key> low, std::span<Key> high, std::span<Key> kept) {
  auto from_low = low.begin();
  auto from_high = high.begin();
  for (Key& key : kept) key = std::move(*from_high < *from_low ? *from_high++ : *from_low++);
}

/// The second half. Two processors that keep a half each, with the same `low`, keep every record once.
template <class Key>
void keep_high(std::span<Key> low, std::span<Key> high, std::span<Key> kept) {
  auto from_low = low.rbegin();
  auto from_high = high.rbegin();
  for (auto key = kept.rbegin(); key != kept.rend(); ++key) {
    *key = std::move(*from_high < *from_low ? *from_low++ : *from_high++);
  }
}

/// What a processor holds: the blocks of one or several virtual processors, with the memory that its compare-splits
/// take turns to use.
template <class Key>
struct HeldRecords {
  std::vector<Key>& own;     ///< the blocks, one after the other
  std::size_t block_size;    ///< records of one block
  Rank first;                ///< address of the virtual processor whose block comes first
  Rank stride = 1;           ///< from one block's address to the next
  double ready_time = 0;     ///< modelled, the latest arrival of what the blocks are made of
  std::vector<Key> other{};  ///< what came from the neighbour
  std::vector<Key> kept{};

  Rank blocks() const { return static_cast<Rank>(own.size() / block_size); }
  Rank address(Rank block) const { return first + block * stride; }
  std::span<Key> block_of(std::vector<Key>& blocks, Rank block) const {
    return std::span(blocks).subspan(block * block_size, block_size);
  }
  /// Removes and returns the blocks from number `from_block` on, and frees memory: a processor that holds less must not
  /// keep memory for more.
  std::vector<Key> take(Rank from_block) {
    const auto begin = own.begin() + static_cast<std::ptrdiff_t>(from_block * block_size);
    std::vector<Key> taken(std::make_move_iterator(begin), std::make_move_iterator(own.end()));
    own.erase(begin, own.end());
    own.shrink_to_fit();
    other = std::vector<Key>();  // = {} would keep the memory
    kept = std::vector<Key>();
    return taken;
  }
};

/// Takes the records out of a message that came from the neighbour. Throws std::logic_error if they are not what it
/// sent, or not that many blocks.
template <class Key>
std::vector<Key> open(Processor<Records<Key>>& self, Message<Records<Key>> message, Rank blocks,
                      HeldRecords<Key>& held) {
  if (!is_sealed(message.payload, self.neighbour(message.port), blocks * held.block_size)) {
    throw std::logic_error("the records that came on port " + std::to_string(message.port) + " are not what rank " +
                           std::to_string(self.neighbour(message.port)) + " sent");
  }
  held.ready_time = self.later(held.ready_time, message.arrival);
  return std::move(message.payload.value);
}

/// Exchanges all blocks with the neighbour behind the port, in one step, and keeps the low or the high half of every
/// two (mukherjee.md, Sorting). Both ends merge in the same order, the block of the lower rank first, so that no equal
/// record is lost or doubled. Throws std::logic_error if what comes is not what the neighbour sent.
template <class Key>
Process compare_split(Processor<Records<Key>>& self, Port port, CompareSplit split, HeldRecords<Key>& held) {
  std::vector<Key> own = std::move(held.other);  // for its memory
  own = held.own;
  Records<Key> sent = sealed(std::move(own), self.rank());
  Message<Records<Key>> message = co_await self.exchange(port, std::move(sent));
  held.other = open(self, std::move(message), held.blocks(), held);
  self.hold(2 * held.own.size());
  held.kept.resize(held.own.size());
  const bool lower = self.rank() < self.neighbour(port);
  std::vector<Key>& low = lower ? held.own : held.other;
  std::vector<Key>& high = lower ? held.other : held.own;
  for (Rank block = 0; block < held.blocks(); ++block) {
    const auto keep = split.keeps_low(held.address(block)) ? keep_low<Key> : keep_high<Key>;
    keep(held.block_of(low, block), held.block_of(high, block), held.block_of(held.kept, block));
  }
  std::swap(held.own, held.kept);
}

/// Exchanges halves among the blocks that the processor holds itself, two of which are neighbours if their numbers
/// differ in bit `place`. Takes no step.
template <class Key>
void compare_split_inside(Port place, CompareSplit split, HeldRecords<Key>& held) {
  held.kept.resize(held.own.size());
  const std::span<Key> merged = std::span(held.kept).first(2 * held.block_size);
  for (Rank block = 0; block < held.blocks(); ++block) {
    if (has_bit(block, place)) continue;
    const std::span<Key> lower = held.block_of(held.own, block);
    const std::span<Key> upper = held.block_of(held.own, block | Rank{1} << place);
    std::merge(std::move_iterator(lower.begin()), std::move_iterator(lower.end()), std::move_iterator(upper.begin()),
               std::move_iterator(upper.end()), merged.begin());
    const bool ascending = split.keeps_low(held.address(block));
    std::ranges::move(merged.first(held.block_size), (ascending ? lower : upper).begin());
    std::ranges::move(merged.last(held.block_size), (ascending ? upper : lower).begin());
  }
}

}  // namespace lockstep::sort
