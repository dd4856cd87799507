#pragma once

#include <stdexcept>
#include <utility>

#include "lockstep/algorithms/block.hpp"

namespace lockstep::broadcast {

/// Takes the first of several copies of an item that come to a processor. Throws std::runtime_error if another differs,
/// so that no corrupted copy passes unnoticed.
inline void take_copy(Block& item, Block&& copy) {
  if (item.size() == 0) {
    item = std::move(copy);
  } else if (!(copy == item)) {
    throw std::runtime_error("two copies of the item differ");
  }
}

}  // namespace lockstep::broadcast
