#pragma once

#include <memory>

#include "lockstep/core/processes.hpp"

namespace lockstep {

/// The processes of which mpirun has started this one; null if nobody has, or this program was built without MPI. They
/// end together: see end_all().
class StartedProcesses : public Processes {
 public:
  /// How many of them run on this host, this one included.
  virtual unsigned on_this_host() const = 0;
  /// Ends all of them, this one with the exit code, because it cannot go on as they do.
  [[noreturn]] virtual void end_all(int code) = 0;
};

/// Called once, before the program does anything else.
std::unique_ptr<StartedProcesses> started_processes();

struct Additions;

/// command() in all of these processes together, or alone if there are none.
int command(int argc, const char* const* argv, const Additions& additions, StartedProcesses* processes);

}  // namespace lockstep
