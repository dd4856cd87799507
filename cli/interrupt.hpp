#pragma once

#include <atomic>

namespace lockstep::cli {

/// From now on the first SIGINT or SIGTERM sets the flag that comes back. A run looks at it between cycles; one that is
/// busy elsewhere (building, checking) and has not ended a second later is ended then. A second signal ends the program
/// at once. Both end it with one line on standard error and exit code 130.
const std::atomic<bool>& catch_interrupts();

/// From now on only a second signal ends the program, so that the results that are now written come out whole.
void begin_outputs();

}  // namespace lockstep::cli
