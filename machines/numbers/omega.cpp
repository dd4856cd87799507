#include "lockstep/machines/omega.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

namespace lockstep {

namespace {

/// A message passing through the stages.
struct Passenger {
  Rank line;
  std::size_t message;  ///< its number among the crossings

  friend auto operator<=>(const Passenger&, const Passenger&) = default;
};

/// The first two messages of different senders that are on one line, by their numbers. The passengers are ordered.
std::optional<std::pair<std::size_t, std::size_t>> first_meeting(std::span<const Passenger> passengers,
                                                                 std::span<const Crossing> crossings) {
  std::optional<std::pair<std::size_t, std::size_t>> first;
  for (std::size_t leader = 0, next = 1; next < passengers.size(); ++next) {
    if (passengers[leader].line != passengers[next].line) {
      leader = next;
    } else if (crossings[passengers[leader].message].from != crossings[passengers[next].message].from) {
      const std::pair meeting(passengers[leader].message, passengers[next].message);
      if (!first || meeting < *first) first = meeting;
    }
  }
  return first;
}

/// After every stage some bits of a line's number are those of the destination, the others still those of the source:
/// `replaced` gives them, by stage. The numbering of lines between the stages does not matter.
template <class Replaced>
std::optional<Blocking> first_blocking(Rank lines, std::span<const Crossing> crossings, const Replaced& replaced) {
  const auto stages = static_cast<unsigned>(std::countr_zero(lines));
  std::vector<Passenger> passengers(crossings.size());
  for (unsigned stage = 0; stage < stages; ++stage) {
    const Rank mask = replaced(stage, stages);
    for (std::size_t message = 0; message < crossings.size(); ++message) {
      passengers[message] = {(crossings[message].from & ~mask) | (crossings[message].to & mask), message};
    }
    std::sort(passengers.begin(), passengers.end());
    if (const auto first = first_meeting(passengers, crossings)) {
      return Blocking{stage, crossings[first->first], crossings[first->second]};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Blocking> omega_blocking(Rank lines, std::span<const Crossing> crossings) {
  return first_blocking(lines, crossings,
                        [](unsigned stage, unsigned stages) { return ~Rank{0} << (stages - 1 - stage); });
}

std::optional<Blocking> inverse_omega_blocking(Rank lines, std::span<const Crossing> crossings) {
  return first_blocking(lines, crossings, [](unsigned stage, unsigned) { return (Rank{2} << stage) - 1; });
}

bool omega_passes(std::span<const Rank> permutation) { return passes(omega_blocking, permutation); }

bool passes(Medium::Network network, std::span<const Rank> permutation) {
  const std::size_t lines = permutation.size();
  if (!std::has_single_bit(lines)) {
    throw std::invalid_argument("a network has 2^n lines, not " + std::to_string(lines));
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
  return !network(static_cast<Rank>(lines), crossings);
}

unsigned stages_of(const Medium& medium, Rank lines) {
  return medium.network == nullptr ? 0 : static_cast<unsigned>(std::countr_zero(lines));
}

}  // namespace lockstep
