// The page of a sum on a ring, and of one in which every processor waits before it sends.
#include <exception>
#include <iostream>

#include "lockstep/command/program_page.hpp"
#include "lockstep/core/machine.hpp"
#include "lockstep/machines/topologies.hpp"

using lockstep::Word;

constexpr lockstep::Port next = 0, previous = 1;

lockstep::Process ring_sum(lockstep::Processor<Word>& self, bool waits_first) {
  Word sum = self.rank(), number = sum;
  for (lockstep::Rank seen = 1; seen < self.processors(); ++seen) {
    if (!waits_first) self.send(next, number);
    number = co_await self.message(previous);
    if (waits_first) self.send(next, number);
    sum += number;
  }
}

void write_page(bool waits_first, const char* file) {
  const lockstep::MachineSpec ring = lockstep::parse_machine("ring:8");
  const lockstep::Topology topology = lockstep::build(ring);
  lockstep::Machine<Word> machine(topology);
  lockstep::ProgramPage page("ring-sum", ring);
  lockstep::PayloadObserver<Word> observer(page.observer());
  machine.observe(&observer);
  try {
    page.write(file, machine.run([=](lockstep::Processor<Word>& self) { return ring_sum(self, waits_first); }));
  } catch (const lockstep::RunError& error) {
    std::cout << error.what() << '\n';
    page.write(file, std::current_exception());
  }
}

int main() {
  write_page(false, "ring-sum.html");
  write_page(true, "deadlock.html");
}
