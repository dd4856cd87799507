#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep {

std::vector<Rank> all_but(Rank rank, Rank processors) {
  std::vector<Rank> others;
  others.reserve(processors - 1);
  for (Rank other = 0; other < processors; ++other) {
    if (other != rank) others.push_back(other);
  }
  return others;
}

}  // namespace lockstep
