#pragma once

#include <stdexcept>
#include <string>

namespace lockstep::detail {

/// Validates another process's data before it is used: throws std::runtime_error, "process 1 reports a processor that
/// is not its own", unless `holds`.
inline void check_from_process(bool holds, unsigned process, const char* what) {
  if (!holds) throw std::runtime_error("process " + std::to_string(process) + " reports " + what);
}

}  // namespace lockstep::detail
