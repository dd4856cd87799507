#pragma once

#include <exception>
#include <string>

#include "exit_code.hpp"
#include "lockstep/core/error.hpp"
#include "run_plan.hpp"

namespace lockstep::cli {

/// How the command ends when something went wrong: its exit code, and the line that says why.
struct Failure {
  ExitCode code;
  std::string text;  ///< without the program's name
};

/// Of a run that ended with an error: a violation is the user's who changed the method's rules, and so is a run that
/// outgrew the memory; otherwise it failed, or was interrupted.
Failure failure_of(const RunPlan& plan, const RunError& error);

/// Of any other exception: bad input, or an internal error.
Failure failure_of(const std::exception_ptr& exception);

}  // namespace lockstep::cli
