#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "lockstep/core/processes.hpp"

namespace lockstep {

/// The environment variables that show that mpirun (Open MPI), mpiexec (MPICH, Intel MPI) or srun started the program.
inline constexpr std::array<std::string_view, 4> variables_of_mpirun{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK",
                                                                     "MPI_LOCALNRANKS"};

/// The processes that mpirun started together with this one; null if this one was started otherwise or built without
/// MPI. They end together: see end_all().
class StartedProcesses : public Processes {
 public:
  /// The number of them on this host, including this one.
  virtual unsigned on_this_host() const = 0;
  /// Ends all of them, this one with the exit code, because it cannot continue as they do.
  [[noreturn]] virtual void end_all(int code) = 0;
};

/// Called once, before the program does anything else.
std::unique_ptr<StartedProcesses> started_processes();

struct Additions;

/// command() in all of these processes together, or alone if there are none.
int command(int argc, const char* const* argv, const Additions& additions, StartedProcesses* processes);

}  // namespace lockstep
