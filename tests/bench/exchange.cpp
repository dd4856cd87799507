#include "exchange.hpp"

#include "machine_run.hpp"
#include "peak_memory.hpp"

namespace lockstep {
namespace bench {
namespace {

/// A word in a message that no observer can see.
struct UnseenWord {
  Word value;
};
constexpr std::uint64_t words(const UnseenWord&) { return 1; }

}  // namespace
}  // namespace bench

/// The machine's own function without its question for an observer: what that costs where there is none is the
/// difference between the two.
template <>
inline void Machine<bench::UnseenWord>::dispatch(const detail::Control&, Port, const Passage& passage, std::uint64_t,
                                                 bench::UnseenWord&& payload) {
  channels_[passage.inbound].push(bench::UnseenWord(payload), passage.arrival);
}

namespace bench {
namespace {

Process exchange(Processor<Word>& self, Word& value) {
  value = self.rank();
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    value += co_await self.exchange(dimension, value);
  }
}

Process exchange_unseen(Processor<UnseenWord>& self, Word& value) {
  value = self.rank();
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    const UnseenWord sent{value};
    const Message<UnseenWord> message = co_await self.exchange(dimension, sent);
    value += message.payload.value;
  }
}

template <Payload T>
Timing measure(unsigned n, unsigned threads, Process (*program)(Processor<T>&, Word&), Observer<T>* observer) {
  const PeakMemory memory;
  std::vector<Word> values(std::size_t{1} << n);
  Timing timing = run_on_machine<T>(
      "hypercube:" + std::to_string(n), threads, [&](Processor<T>& self) { return program(self, values[self.rank()]); },
      observer);
  timing.peak_bytes = memory.growth();
  check_sums(values);
  if (timing.messages != n * values.size()) throw std::logic_error("a message was not counted");
  return timing;
}

class IdleObserver : public Observer<Word> {
 public:
  void barrier(Cycle, std::vector<Transfer<Word>>&) override {}
};

}  // namespace

Timing exchange_lockstep(unsigned n, unsigned threads) { return measure<Word>(n, threads, exchange, nullptr); }

Timing exchange_observed(unsigned n, unsigned threads) {
  IdleObserver observer;
  return measure<Word>(n, threads, exchange, &observer);
}

Timing exchange_without_seam(unsigned n, unsigned threads) {
  return measure<UnseenWord>(n, threads, exchange_unseen, nullptr);
}

}  // namespace bench
}  // namespace lockstep
