// One machine divided over processes, with words damaged on the way between them: the run ends, by an exception where
// the damage is noticed, and no foreign memory is touched.
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "../threaded_processes.hpp"
#include "draw.hpp"
#include "machine_run.hpp"
#include "target.hpp"

namespace lockstep::reference {
namespace {

using test::ThreadedProcesses;

/// Damage to one word of the wire, which is identified by its sender, its receiver and its number.
struct Damage {
  enum class How { set_byte, set_number, shorten, lengthen, replace };

  unsigned from = 0;
  unsigned to = 0;
  std::uint64_t number = 0;
  How how = How::set_byte;
  std::uint64_t place = 0;
  std::uint64_t value = 0;

  static Damage draw(Dice& dice, unsigned processes) {
    Damage damage;
    damage.from = static_cast<unsigned>(dice.below(processes));
    damage.to = static_cast<unsigned>(dice.below(processes));
    damage.number = dice.below(32);
    damage.how = static_cast<How>(dice.below(5));
    damage.place = dice.below(256);
    // Most numbers of the wire are small, and so are near misses.
    damage.value = dice.chance(70) ? dice.below(256) : dice.below(~std::uint64_t{0});
    return damage;
  }

  void apply(Bytes& bytes) const {
    const std::size_t at = bytes.empty() ? 0 : place % bytes.size();
    switch (how) {
      case How::set_byte:
        if (!bytes.empty()) bytes[at] = static_cast<std::byte>(value);
        break;
      case How::set_number:
        if (at + sizeof(std::uint32_t) <= bytes.size()) std::memcpy(&bytes[at], &value, sizeof(std::uint32_t));
        break;
      case How::shorten:
        bytes.resize(at);
        break;
      case How::lengthen:
        bytes.resize(bytes.size() + value % 64, static_cast<std::byte>(place));
        break;
      case How::replace:
        bytes.assign(value % 64, static_cast<std::byte>(place));
        break;
    }
  }
};

/// The damage to words, which come from several threads.
class Wire {
 public:
  explicit Wire(std::vector<Damage> damages) : damages_(std::move(damages)) {}

  std::vector<Bytes> pass(unsigned from, unsigned to, Bytes bytes) {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t number = said_[{from, to}]++;
    for (const Damage& damage : damages_) {
      if (damage.from == from && damage.to == to && damage.number == number) damage.apply(bytes);
    }
    return {std::move(bytes)};
  }

 private:
  const std::vector<Damage> damages_;
  std::mutex mutex_;
  std::map<std::pair<unsigned, unsigned>, std::uint64_t> said_;
};

void run(std::span<const std::uint8_t> bytes) {
  Dice dice(bytes);
  const auto processes = static_cast<unsigned>(dice.between(2, 3));
  std::vector<Damage> damages(dice.between(1, 4));
  for (Damage& damage : damages) damage = Damage::draw(dice, processes);
  const bool has_medium = dice.chance(50);
  const ChannelKind channels = dice.chance(50) ? ChannelKind::lockfree : ChannelKind::compact;
  const auto size = static_cast<int>(dice.below(40));
  const Scenario scenario = has_medium ? draw_medium_scenario(dice, size) : draw_scenario(dice, size);
  const Placement placement(scenario.processors(), processes);
  Wire wire(std::move(damages));
  ThreadedProcesses threads(
      processes, [&wire](unsigned from, unsigned to, Bytes word) { return wire.pass(from, to, std::move(word)); },
      true);
  const auto thrown = threads.run([&](Processes& own) {
    const Division division{own, placement};
    const auto executor = make_executor(ExecutorKind::sequential);
    run_on_machine(scenario, *executor, {.channels = channels, .division = &division});
  });
  for (const std::exception_ptr& one : thrown) {
    try {
      if (one) std::rethrow_exception(one);
    } catch (const std::exception&) {  // nothing else may be thrown
    }
  }
}

}  // namespace
}  // namespace lockstep::reference

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  lockstep::reference::run({bytes, count});
  return 0;
}
