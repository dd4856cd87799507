#pragma once

#include <algorithm>
#include <vector>

#include "operands/partials.hpp"

namespace lockstep::scan {

/// Partial results that travel together, each of consecutive ranks.
template <class Value>
struct Runs {
  std::vector<operands::Partial<Value>> partials{};  ///< by ascending rank

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
}
/// Reads them back.
template <class Value>
Runs<Value> unpack(ByteReader& from, std::type_identity<Runs<Value>>) {
  return {unpack(from, std::type_identity<std::vector<operands::Partial<Value>>>{})};
}
/// Changes one of them; a fault that tests plant.
template <class Value>
void corrupt(Runs<Value>& runs) {
  corrupt(runs.partials[runs.partials.size() / 2]);
}

}  // namespace lockstep::scan
