#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace lockstep::method {

/// The places that wait for one another in a ring, found by following the waits from `place`: next(place) is the one
/// that it waits for.
template <class Place, class Next>
std::vector<Place> wait_ring(Place place, Next next) {
  std::vector<Place> ring;
  std::set<Place> seen;
  while (seen.insert(place).second) {
    ring.push_back(place);
    place = next(place);
  }
  ring.erase(ring.begin(), std::ranges::find(ring, place));
  return ring;
}

/// A ring in errors: text(place) of the first dozen, then end(number), where `number` are left out.
template <class Place, class Text, class End>
std::string ring_text(const std::vector<Place>& ring, Text text, End end) {
  constexpr std::size_t most = 12;
  std::string all;
  for (std::size_t index = 0; index < std::min(ring.size(), most); ++index) all += text(ring[index]);
  return all + end(ring.size() > most ? ring.size() - most : 0);
}

}  // namespace lockstep::method
