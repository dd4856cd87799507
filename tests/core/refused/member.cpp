#include "lockstep/core/machine.hpp"

// A program that is a member function.
struct Walk {
  lockstep::Process run(lockstep::Processor<lockstep::Word>& self) { co_await self.cycle(); }
};
