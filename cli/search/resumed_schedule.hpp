#pragma once

#include "command_search.hpp"

namespace lockstep::cli::search {

/// The schedule of --resume. Throws InputError if it cannot be read, or is none of the search's task and machine.
ChunkSchedule resumed_schedule(const CommandSearch& search);

}  // namespace lockstep::cli::search
