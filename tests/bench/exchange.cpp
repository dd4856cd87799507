#include "exchange.hpp"

#include "machine_run.hpp"
#include "peak_memory.hpp"

namespace lockstep::bench {
namespace {

/// A word in a message with a words() function for its length.
struct Item {
  Word value;
};
constexpr std::uint64_t words(const Item&) { return 1; }

Process exchange_items(Processor<Item>& self, Word& value) {
  value = self.rank();
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    const Item item{value};
    const Message<Item> message = co_await self.exchange(dimension, item);
    value += message.payload.value;
  }
}

Topology tabled(const MachineSpec& spec) {
  return Topology(spec.text, static_cast<Rank>(spec.processors), static_cast<Port>(spec.ports), wiring(spec));
}

template <Payload T>
Timing measure(unsigned n, unsigned threads, Process (*program)(Processor<T>&, Word&), Observer<T>* observer = nullptr,
               std::optional<ChannelKind> channels = {}, Topology (*make)(const MachineSpec&) = build) {
  const PeakMemory memory;
  std::vector<Word> values(std::size_t{1} << n);
  Timing timing = run_on_machine<T>(
      "hypercube:" + std::to_string(n), threads, [&](Processor<T>& self) { return program(self, values[self.rank()]); },
      observer, channels, make);
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

Timing exchange_tabled(unsigned n, unsigned threads) {
  return measure<Word>(n, threads, exchange, nullptr, ChannelKind::compact, tabled);
}

Timing exchange_observed(unsigned n, unsigned threads) {
  IdleObserver observer;
  return measure<Word>(n, threads, exchange, &observer);
}

Timing exchange_items(unsigned n, unsigned threads) { return measure<Item>(n, threads, exchange_items); }

}  // namespace lockstep::bench
