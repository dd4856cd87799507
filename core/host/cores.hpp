#pragma once

#include <algorithm>
#include <thread>

namespace lockstep {

/// The host's cores, at least 1. Counting them reads a file, so they are counted once.
inline unsigned host_cores() {
  static const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return cores;
}

}  // namespace lockstep
