#pragma once

#include <exception>

#include "lockstep/algorithms/method.hpp"
#include "run/failure.hpp"

namespace lockstep::cli::trace {

// What stands for a catalogue entry where a program of one's own is run.

/// A method of which nothing is known.
Method method_of_program(const Model& model);

/// Of a program's run that ended with the exception.
run::Failure failure_of_program(const std::exception_ptr& exception);

}  // namespace lockstep::cli::trace
