#include "lockstep/core/machine.hpp"

// A program without any co_ keyword.
lockstep::Process greet(lockstep::Processor<lockstep::Word>& self) { self.send(0, 1); }
