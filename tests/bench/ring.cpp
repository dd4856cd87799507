#include <stdexcept>
#include <vector>

#include "machine_run.hpp"

namespace lockstep::bench {
namespace {

constexpr Port next = 0;
constexpr Port previous = 1;

std::string ring_of(std::size_t processors) { return "ring:" + std::to_string(processors); }

Process shift(Processor<Word>& self, Word steps, Word& value) {
  value = self.rank();
  for (Word step = 0; step < steps; ++step) {
    self.send(next, value);
    value = co_await self.message(previous);
  }
}

/// Rank 0 starts and ends the token, which counts its hops.
Process pass_token(Processor<Word>& self, Word laps, Word& token) {
  if (self.rank() == 0) self.send(next, 1);
  for (Word lap = 1; lap <= laps; ++lap) {
    token = co_await self.message(previous);
    if (self.rank() != 0 || lap < laps) self.send(next, token + 1);
  }
}

}  // namespace

Timing shift_on_ring(unsigned n, unsigned threads) {
  constexpr Word steps = 64;
  std::vector<Word> values(std::size_t{1} << n);
  const Timing timing = run_on_machine<Word>(
      ring_of(values.size()), threads, [&](Processor<Word>& self) { return shift(self, steps, values[self.rank()]); });
  for (Word rank = 0; rank < values.size(); ++rank) {
    if (values[rank] != (rank - steps) % values.size()) throw std::logic_error("a word did not reach its processor");
  }
  return timing;
}

Timing token_on_ring(unsigned n, unsigned threads) {
  const Word laps = (Word{1} << 20) >> n;
  std::vector<Word> tokens(std::size_t{1} << n);
  const Timing timing = run_on_machine<Word>(ring_of(tokens.size()), threads, [&](Processor<Word>& self) {
    return pass_token(self, laps, tokens[self.rank()]);
  });
  for (Word rank = 0; rank < tokens.size(); ++rank) {
    const Word hops = rank == 0 ? laps * tokens.size() : (laps - 1) * tokens.size() + rank;
    if (tokens[rank] != hops) throw std::logic_error("the token did not return");
  }
  return timing;
}

}  // namespace lockstep::bench
