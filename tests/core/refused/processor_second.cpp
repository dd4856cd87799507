#include "lockstep/core/machine.hpp"

// A program whose first parameter is not its processor.
lockstep::Process wait(lockstep::Cycle cycle, lockstep::Processor<lockstep::Word>& self) { co_await self.until(cycle); }
