#include "lockstep/core/machine.hpp"

// A program that takes something else before its processor.
lockstep::Process wait(lockstep::Cycle cycle, lockstep::Processor<lockstep::Word>& self) { co_await self.until(cycle); }
