#pragma once

#include <stdexcept>
#include <string>

namespace lockstep::detail {

/// What another process tells is taken at its word only where that can do no harm: throws std::runtime_error, "process
/// 1 tells of a processor that is not its own", unless it holds.
inline void require_heard(bool holds, unsigned process, const char* what) {
  if (!holds) throw std::runtime_error("process " + std::to_string(process) + " tells of " + what);
}

}  // namespace lockstep::detail
