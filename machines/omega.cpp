#include "lockstep/machines/omega.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

namespace lockstep {

namespace {

/// A message on its way through the stages.
struct Passenger {
  Rank line;
  std::size_t message;  ///< its number among the crossings

  friend auto operator<=>(const Passenger&, const Passenger&) = default;  // NOLINT: clang-tidy 14 wants its 0 a nullptr
};

}  // namespace

std::optional<Blocking> omega_blocking(Rank lines, std::span<const Crossing> crossings) {
  const auto stages = static_cast<unsigned>(std::countr_zero(lines));
  std::vector<Passenger> passengers;
  for (std::size_t message = 0; message < crossings.size(); ++message) {
    passengers.push_back({crossings[message].from, message});
  }
  for (unsigned stage = 0; stage < stages; ++stage) {
    for (Passenger& passenger : passengers) {
      // The shuffle brings the highest bit to the lowest place, where the element puts the destination's bit instead.
      const Rank wanted = crossings[passenger.message].to >> (stages - 1 - stage) & 1U;
      passenger.line = (passenger.line << 1U & (lines - 1)) | wanted;
    }
    std::sort(passengers.begin(), passengers.end());
    std::optional<std::pair<std::size_t, std::size_t>> first;
    for (std::size_t next = 1; next < passengers.size(); ++next) {
      if (passengers[next - 1].line != passengers[next].line) continue;
      const std::pair meeting(passengers[next - 1].message, passengers[next].message);
      if (!first || meeting < *first) first = meeting;
    }
    if (first) return Blocking{stage, crossings[first->first], crossings[first->second]};
  }
  return std::nullopt;
}

bool omega_passes(std::span<const Rank> permutation) {
  const std::size_t lines = permutation.size();
  if (!std::has_single_bit(lines)) {
    throw std::invalid_argument("an Omega network has 2^n lines, not " + std::to_string(lines));
  }
  std::vector<Crossing> crossings;
  std::vector<bool> reached(lines);
  for (std::size_t line = 0; line < lines; ++line) {
    const Rank to = permutation[line];
    if (to == no_rank) continue;
    if (to >= lines || reached[to]) {
      throw std::invalid_argument("line " + std::to_string(line) + " leads to " + std::to_string(to) +
                                  (to >= lines ? ", which does not exist" : ", to which another leads already"));
    }
    reached[to] = true;
    crossings.push_back({static_cast<Rank>(line), to});
  }
  return !omega_blocking(static_cast<Rank>(lines), crossings);
}

}  // namespace lockstep
