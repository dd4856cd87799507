#pragma once

#include <stdexcept>
#include <utility>

#include "lockstep/algorithms/block.hpp"

namespace lockstep::broadcast {

/// Of several copies of an item that come to a processor the first is the item. Throws std::runtime_error if another is
/// not the same, so that none that was corrupted passes unnoticed.
inline void take_copy(Block& item, Block&& copy) {
  if (item.size() == 0) {
    item = std::move(copy);
  } else if (!(copy == item)) {
    throw std::runtime_error("two copies of the item differ");
  }
}

}  // namespace lockstep::broadcast
