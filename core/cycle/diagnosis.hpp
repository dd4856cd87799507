#pragma once

#include <optional>

#include "cycle/moves.hpp"

// Runs that cannot or may not continue: each function throws the error that ends the run.
namespace lockstep::detail {

/// The failure of the lowest (rank, kind) of the cycle, if any worker has recorded one.
void throw_failure(const Moves& moves);
bool has_failed(const Moves& moves);

[[noreturn]] void throw_deadlock(const Moves& moves);
[[noreturn]] void throw_livelock(const Moves& moves, Cycle limit);
[[noreturn]] void throw_interrupted(const Moves& moves);
[[noreturn]] void throw_too_many_phases(const Moves& moves);
[[noreturn]] void throw_count_overflow(const Moves& moves);
/// Messages that were never received; `left` has the first of them.
[[noreturn]] void throw_undelivered(const Moves& moves, const LinkNetwork::Undelivered& left);
[[noreturn]] void throw_undelivered_on_medium(const Moves& moves, const MediumNetwork::Undelivered& left);

}  // namespace lockstep::detail
