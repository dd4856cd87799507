#include <algorithm>
#include <stdexcept>
#include <vector>

#include "lockstep/machines/hypercube.hpp"
#include "machine_run.hpp"

namespace lockstep::bench {
namespace {

Process broadcast(Processor<Word>& self, Word& item) {
  if (self.rank() != 0) item = co_await self.message(highest_bit(self.rank()));
  for (Port dimension = width(self.rank()); dimension < self.ports(); ++dimension) {
    self.send(dimension, item);
    co_await self.cycle();
  }
}

}  // namespace

Timing broadcast_sbt(unsigned n, unsigned threads) {
  constexpr Word item = 4711;
  std::vector<Word> items(std::size_t{1} << n);
  items[0] = item;
  const Timing timing = run_on_machine<Word>("hypercube:" + std::to_string(n), threads, [&](Processor<Word>& self) {
    return broadcast(self, items[self.rank()]);
  });
  if (!std::all_of(items.begin(), items.end(), [](Word held) { return held == item; })) {
    throw std::logic_error("a processor did not receive the item");
  }
  return timing;
}

}  // namespace lockstep::bench
