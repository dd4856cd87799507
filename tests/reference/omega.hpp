#pragma once

#include <optional>
#include <vector>

#include "scenario.hpp"

// An Omega network as in the papers: n stages of a perfect shuffle and 2^(n-1) elements each.
namespace lockstep::reference {

/// A message that crosses a switch.
struct Crossing {
  Rank from;
  Rank to;
};

/// Among the messages of one cycle, ordered by sender and receiver, the first of the first two that need the same
/// output of a stage, stage by stage; none if all pass. The network has as many lines as processors, rounded up to a
/// power of two.
std::optional<Crossing> first_blocked(Rank processors, const std::vector<Crossing>& crossings);

}  // namespace lockstep::reference
