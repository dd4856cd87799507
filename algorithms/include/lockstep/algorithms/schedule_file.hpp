#pragma once

#include <string>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/schedule.hpp"

namespace lockstep {

// Schedules of a total exchange as files, and what carries them out.

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
/// A step is the list of what moves in it, each as [from, to, origin, destination].
std::string schedule_text(const WrittenSchedule& schedule, const std::string& machine, const std::string& algorithm);

/// Reads such a file for a machine of so many processors. Only "steps" must be there; other members than those above
/// are ignored. Throws InputError, one line that names the file and the place: what is not JSON or of another form, and
/// numbers that are no processors of the machine. Whether it is a total exchange is for validate() to say.
WrittenSchedule read_schedule(const std::string& path, Rank processors);

/// Carries out Settings::written_schedule on any machine with links; like an entry of the catalogue, but in no list. A
/// schedule that validate() refuses ends the run with RunError (invalid_schedule).
const Method& written_schedule_method();

}  // namespace lockstep
