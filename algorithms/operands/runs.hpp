#pragma once

#include <algorithm>
#include <vector>

#include "partials.hpp"

namespace lockstep::operands {

/// Partial results that travel together.
template <class Value>
struct Runs {
  std::vector<Partial<Value>> partials{};  ///< by ascending rank
  std::vector<Rank> labels{};              ///< the parts of vectors that they are of, in order, or their sender

  friend bool operator==(const Runs&, const Runs&) = default;
};

/// Length as a payload: the sum of all.
template <class Value>
std::uint64_t words(const Runs<Value>& runs) {
  std::uint64_t sum = 0;
  for (const auto& partial : runs.partials) sum += words(partial);
  return sum;
}
/// Packs all of them, for another process.
template <class Value>
void pack(const Runs<Value>& runs, ByteWriter& to) {
  pack(runs.partials, to);
  pack(runs.labels, to);
}
/// Reads them back.
template <class Value>
Runs<Value> unpack(ByteReader& from, std::type_identity<Runs<Value>>) {
  Runs<Value> runs{unpack(from, std::type_identity<std::vector<Partial<Value>>>{})};
  runs.labels = unpack(from, std::type_identity<std::vector<Rank>>{});
  return runs;
}
/// Changes one of them; a fault that tests plant.
template <class Value>
void corrupt(Runs<Value>& runs) {
  corrupt(runs.partials[runs.partials.size() / 2]);
}

}  // namespace lockstep::operands
