#include "lockstep/core/machine.hpp"

// A program that takes no processor.
lockstep::Process nothing() { co_return; }
