#include "lockstep/machines/incomplete_hypercube.hpp"

#include <utility>

#include "lockstep/machines/hypercube.hpp"

namespace lockstep {

bool IncompleteHypercube::has_link(Rank rank, Port port) const {
  if (port < m_) return true;
  if (port < n_) return !is_in_smaller(rank);
  return is_in_smaller(rank) || rank >> m_ == 0;
}

Port IncompleteHypercube::degree(Rank rank) const {
  return (is_in_smaller(rank) ? m_ : n_) + (has_link(rank, n_) ? 1 : 0);
}

std::vector<Port> IncompleteHypercube::shortest_path(Rank from, Rank to) const {
  std::vector<Port> ports;
  const bool leaves_smaller = is_in_smaller(from) && !is_in_smaller(to);
  if (leaves_smaller) ports.push_back(n_);
  for (const Port port : ecube_path(from, to)) {
    if (port < n_ || !leaves_smaller) ports.push_back(port);
  }
  return ports;
}

Rank IncompleteHypercube::farthest(Rank from) const {
  const auto flipped = [](Rank rank, Port bits) { return rank ^ ((Rank{1} << bits) - 1); };
  if (is_in_smaller(from)) return flipped(from ^ Rank{1} << n_, n_);
  const Rank across = flipped(from, n_);
  const Rank beyond = flipped(from & ((Rank{1} << m_) - 1), m_) | Rank{1} << n_;
  return one_bits(from ^ beyond) > one_bits(from ^ across) ? beyond : across;
}

}  // namespace lockstep
