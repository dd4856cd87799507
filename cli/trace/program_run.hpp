#pragma once

#include <exception>

#include "lockstep/algorithms/method.hpp"
#include "run/failure.hpp"

namespace lockstep::cli::trace {

// Stands in for a catalogue entry when a user's own program runs.

/// A method without predictions or parameters.
Method method_of_program(const Model& model);

/// The failure of a program's run that ended with the exception.
run::CommandFailure failure_of_program(const std::exception_ptr& exception);

}  // namespace lockstep::cli::trace
