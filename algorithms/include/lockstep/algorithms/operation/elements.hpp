#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// Elements of one type that travel together, with labels: the words of a Block, Strings, or records in a vector. Only
/// the elements have a length.
template <class List>
struct Elements {
  Rank first = 0;              ///< the first of the `count` nodes that they belong to
  Rank count = 1;              ///< how many nodes they belong to
  List value{};                ///< the elements
  Word checksum = 0;           ///< of records that are dropped, unless they win, before the end
  std::uint64_t startups = 1;  ///< equal parts that are sent without gathering

  friend bool operator==(const Elements&, const Elements&) = default;
};

/// Length as a payload: one word per element, as the list counts them.
template <class List>
std::uint64_t words(const Elements<List>& elements) {
  return words(elements.value);
}
/// Length as a payload: one word per record.
template <class Element>
std::uint64_t words(const Elements<std::vector<Element>>& elements) {
  return elements.value.size();
}

/// Lengths of the parts that are sent without gathering.
template <class List>
auto blocks(const Elements<List>& elements) {
  return std::vector<std::uint64_t>(elements.startups, words(elements) / elements.startups);
}

/// All elements and labels, for another process.
template <Packable List>
void pack(const Elements<List>& elements, ByteWriter& to) {
  to.put(elements.first);
  to.put(elements.count);
  to.put(elements.checksum);
  to.put(elements.startups);
  pack(elements.value, to);
}
/// The inverse of pack().
template <Packable List>
Elements<List> unpack(ByteReader& from, std::type_identity<Elements<List>>) {
  Elements<List> elements;
  elements.first = from.get<Rank>();
  elements.count = from.get<Rank>();
  elements.checksum = from.get<Word>();
  elements.startups = from.get<std::uint64_t>();
  elements.value = unpack(from, std::type_identity<List>{});
  return elements;
}

/// Faults that tests plant: change one element.
inline void corrupt(Word& word) { word = ~word; }
/// Changes one element; a fault that tests plant.
template <class List>
void corrupt(Elements<List>& elements) {
  corrupt(elements.value);
}
/// Changes one record; a fault that tests plant.
template <class Element>
void corrupt(Elements<std::vector<Element>>& elements) {
  corrupt(elements.value[elements.value.size() / 2]);
}

}  // namespace lockstep
