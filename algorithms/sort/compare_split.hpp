#pragma once

#include <functional>
#include <numeric>
#include <stdexcept>

#include "lockstep/machines/hypercube.hpp"
#include "sort.hpp"

namespace lockstep::sort {

/// Records that one processor gives another to compare with, ascending. Half of what either gets is dropped, so that no
/// look at the end can tell whether a dropped record came whole and to the right place: the labels can.
template <class Key>
struct Records {
  std::vector<Key> keys;
  Rank from = no_rank;
  Word checksum = 0;
};
template <class Key>
std::uint64_t words(const Records<Key>& records) {
  return records.keys.size();
}

inline void corrupt(NumberKey& key) { key ^= 1; }
inline void corrupt(TextKey& key) { key.text.push_back('?'); }
template <class Key>
void corrupt(Records<Key>& records) {
  corrupt(records.keys[records.keys.size() / 2]);
}

inline Word checksum(NumberKey key) { return key; }
inline Word checksum(const TextKey& key) { return std::hash<std::string>()(key.text) + (key.padding ? 1 : 0); }
template <class Key>
Word checksum(const std::vector<Key>& keys) {
  return std::accumulate(keys.begin(), keys.end(), Word{0},
                         [](Word sum, const Key& key) { return sum + checksum(key); });
}

/// The first half of low and high merged, which are both ascending and equally long; of equal records those of `low`
/// come first.
template <class Key>
void keep_low(std::vector<Key>& low, std::vector<Key>& high, std::vector<Key>& kept) {
  auto from_low = low.begin();
  auto from_high = high.begin();
  for (Key& key : kept) key = std::move(*from_high < *from_low ? *from_high++ : *from_low++);
}

/// The second half. Two processors that keep a half each, with the same `low`, keep every record once.
template <class Key>
void keep_high(std::vector<Key>& low, std::vector<Key>& high, std::vector<Key>& kept) {
  auto from_low = low.rbegin();
  auto from_high = high.rbegin();
  for (auto key = kept.rbegin(); key != kept.rend(); ++key) {
    *key = std::move(*from_high < *from_low ? *from_low++ : *from_high++);
  }
}

/// What a processor of a blocked bitonic sort holds, with the memory that its compare-splits take turns to use.
template <class Key>
struct Held {
  std::vector<Key>& own;
  Records<Key> other{};
  std::vector<Key> kept{};
};

/// Exchanges whole blocks with the neighbour behind the port, in one step, and keeps the low or the high half (RH 10).
/// Both ends merge in the same order, the block of the lower rank first, so that no equal record is lost or doubled.
/// Throws std::logic_error if what comes is not what the neighbour sent.
template <class Key>
Process compare_split(Processor<Records<Key>>& self, Port port, bool keeps_low, Held<Key>& held) {
  Records<Key> message = std::move(held.other);
  message.keys = held.own;
  message.from = self.rank();
  message.checksum = checksum(held.own);
  held.other = co_await self.exchange(port, std::move(message));
  if (held.other.from != self.neighbour(port) || held.other.checksum != checksum(held.other.keys)) {
    throw std::logic_error("the records that came on port " + std::to_string(port) + " are not what rank " +
                           std::to_string(self.neighbour(port)) + " sent");
  }
  self.hold(2 * held.own.size());
  held.kept.resize(held.own.size());
  const bool lower = self.rank() < self.neighbour(port);
  std::vector<Key>& low = lower ? held.own : held.other.keys;
  std::vector<Key>& high = lower ? held.other.keys : held.own;
  if (keeps_low) {
    keep_low(low, high, held.kept);
  } else {
    keep_high(low, high, held.kept);
  }
  std::swap(held.own, held.kept);
}

}  // namespace lockstep::sort
