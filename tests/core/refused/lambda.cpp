#include "lockstep/core/machine.hpp"

// A program that is a lambda.
lockstep::Report run(lockstep::Machine<lockstep::Word>& machine) {
  return machine.run([](lockstep::Processor<lockstep::Word>& self) -> lockstep::Process { co_await self.cycle(); });
}
