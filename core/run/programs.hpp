#pragma once

#include <exception>

#include "lockstep/core/detail/control.hpp"

namespace lockstep::detail {

/// The exception with which the program of a processor ended; null if it did not throw.
const std::exception_ptr& exception_of(const Control& control);
/// Destroys the program of a processor with all its sub-programs, if it has one.
void destroy_program(Control& control);

}  // namespace lockstep::detail
