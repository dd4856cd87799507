#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/schedule.hpp"

namespace lockstep {

// Schedules as files, and what carries them out.

/// The version of what a schedule's document holds.
inline constexpr std::uint64_t schedule_schema = 1;

/// The JSON text of a schedule; machine and algorithm say where it is from.
///
///      {
///        "machine": "path:3",
///        "algorithm": "alltoall/factor",
///        "processors": 3,
///        "combined": false,
///        "steps": [
///          [[0,1,0,2],[1,2,1,2]],
///          [[0,1,0,1],[1,2,0,2]],
///          [[1,0,1,0],[2,1,2,0]],
///          [[1,0,2,0],[2,1,2,1]]
///        ]
///      }
///
/// A step is the list of what moves in it: of a total exchange each block as [from, to, origin, destination], of other
/// tasks each message with its blocks, as pairs of an origin and a destination or, where they are for all, as origins.
///
///      {
///        "machine": "hypercube:2",
///        "algorithm": "scatter/sbt",
///        "operation": "scatter",
///        "root": 0,
///        "processors": 4,
///        "steps": [
///          [{"from":0,"to":1,"blocks":[[0,1],[0,3]]}],
///          [{"from":0,"to":2,"blocks":[[0,2]]},{"from":1,"to":3,"blocks":[[0,3]]}]
///        ]
///      }
std::string schedule_text(const Schedule& schedule, const std::string& machine, const std::string& algorithm);

/// Reads such a file for a machine of so many processors. Both forms may be used for every task; without an operation
/// it is a total exchange. Only "steps" must be there, and "root" or "sources" (L: the few are the ranks below 2^L) of
/// operations that have them; other members than those above are ignored. Throws InputError, one line that names the
/// file and the place: what is not JSON or of another form, and numbers that are no processors of the machine. Whether
/// it does what it should is for validate() to say.
Schedule read_schedule(const std::string& path, Rank processors);

/// Carries out Settings::written_schedule on any machine with links; like an entry of the catalogue, but in no list. A
/// schedule that validate() refuses ends the run with RunError (invalid_schedule), after its steps before the fault if
/// there is an observer. The operation is that of the schedule's task.
const Method& written_schedule_method(std::string_view operation);

}  // namespace lockstep
