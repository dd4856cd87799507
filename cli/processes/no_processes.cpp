#include "host/started_processes.hpp"

namespace lockstep {

std::unique_ptr<StartedProcesses> started_processes() { return nullptr; }

}  // namespace lockstep
