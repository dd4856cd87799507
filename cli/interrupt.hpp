#pragma once

#include <atomic>

namespace lockstep::cli {

/// From now on the first SIGINT or SIGTERM sets the flag that comes back and the second ends the program at once,
/// with exit code 130.
const std::atomic<bool>& catch_interrupts();

}  // namespace lockstep::cli
