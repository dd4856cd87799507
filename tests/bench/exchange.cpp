#include "exchange.hpp"

#include "machine_run.hpp"
#include "peak_memory.hpp"

namespace lockstep {
namespace bench {
namespace {

/// A word in a message that can be shown to an observer, or that cannot.
template <bool can_be_shown>
struct Item {
  Word value;
};
template <bool can_be_shown>
constexpr std::uint64_t words(const Item<can_be_shown>&) {
  return 1;
}

}  // namespace
}  // namespace bench

/// The machine's own function without its question for an observer, the only one that a message costs if its length is
/// not known beforehand (as that of a plain word is): what the seam costs where there is no observer is the difference
/// between the two.
template <>
inline void Machine<bench::Item<false>>::dispatch(const detail::Worker&, Rank, Port, End, const Passage& passage,
                                                  std::uint64_t, bench::Item<false>&& payload) {
  channels_.put(passage.inbound, passage.sent, bench::Item<false>(payload), passage.arrival);
}

namespace bench {
namespace {

Process exchange(Processor<Word>& self, Word& value) {
  value = self.rank();
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    value += co_await self.exchange(dimension, value);
  }
}

template <bool can_be_shown>
Process exchange_items(Processor<Item<can_be_shown>>& self, Word& value) {
  value = self.rank();
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    const Item<can_be_shown> item{value};
    const Message<Item<can_be_shown>> message = co_await self.exchange(dimension, item);
    value += message.payload.value;
  }
}

template <Payload T>
Timing measure(unsigned n, unsigned threads, Process (*program)(Processor<T>&, Word&), Observer<T>* observer = nullptr,
               std::optional<ChannelKind> channels = {}) {
  const PeakMemory memory;
  std::vector<Word> values(std::size_t{1} << n);
  Timing timing = run_on_machine<T>(
      "hypercube:" + std::to_string(n), threads, [&](Processor<T>& self) { return program(self, values[self.rank()]); },
      observer, channels);
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

Timing exchange_lockstep(unsigned n, unsigned threads) { return measure<Word>(n, threads, exchange); }

Timing exchange_lockfree(unsigned n, unsigned threads) {
  return measure<Word>(n, threads, exchange, nullptr, ChannelKind::lockfree);
}

Timing exchange_observed(unsigned n, unsigned threads) {
  IdleObserver observer;
  return measure<Word>(n, threads, exchange, &observer);
}

Timing exchange_items(unsigned n, unsigned threads) { return measure<Item<true>>(n, threads, exchange_items); }

Timing exchange_items_without_seam(unsigned n, unsigned threads) {
  return measure<Item<false>>(n, threads, exchange_items);
}

}  // namespace bench
}  // namespace lockstep
