// Every processor of a ring holds a number; at the end every processor has the sum of all of them.
#include <iostream>
#include <vector>

#include "lockstep/core/machine.hpp"
#include "lockstep/machines/topologies.hpp"

using lockstep::Word;

// The program of each processor: it adds the number received last and forwards it, until it has seen all numbers.
lockstep::Process ring_sum(lockstep::Processor<Word>& self, Word number, Word& sum) {
  constexpr lockstep::Port next = 0, previous = 1;
  sum = number;
  for (lockstep::Rank seen = 1; seen < self.processors(); ++seen) {
    self.send(next, number);
    number = co_await self.message(previous);  // sleeps until the message arrives: one cycle
    sum += number;
  }
}

int main() {
  const lockstep::Topology ring = lockstep::ring(8);
  lockstep::Machine<Word> machine(ring);
  std::vector<Word> sums(ring.processors());
  const lockstep::Report report =
      machine.run([&](lockstep::Processor<Word>& self) { return ring_sum(self, self.rank() + 1, sums[self.rank()]); });
  for (const Word sum : sums) std::cout << sum << ' ';
  std::cout << "in " << report.steps << " steps and " << report.messages << " messages\n";
}
