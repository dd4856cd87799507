#include "omega.hpp"

namespace lockstep::reference {

std::optional<Crossing> first_blocked(Rank processors, const std::vector<Crossing>& crossings) {
  unsigned bits = 0;
  while (Rank{1} << bits < processors) ++bits;
  const std::uint64_t lines = std::uint64_t{1} << bits;
  // Write the destination's bits after those of the source. Each shuffle moves a window as wide as a line's number by
  // one place: after each stage it shows the line of the message.
  const auto line = [&](const Crossing& crossing, unsigned stages) {
    const std::uint64_t both = std::uint64_t{crossing.from} << bits | crossing.to;
    return both >> (bits - stages) & (lines - 1);
  };
  for (unsigned stages = 1; stages <= bits; ++stages) {
    for (std::size_t one = 0; one < crossings.size(); ++one) {
      for (std::size_t other = one + 1; other < crossings.size(); ++other) {
        // Copies of one message take the same path as long as they can.
        if (crossings[one].from == crossings[other].from) continue;
        if (line(crossings[one], stages) == line(crossings[other], stages)) return crossings[one];
      }
    }
  }
  return std::nullopt;
}

}  // namespace lockstep::reference
