// Random programs, legal and illegal, on a machine and in the reference model, which must agree: the bytes are the
// decisions by which machine, rules and programs are drawn.
#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <span>

#include "draw.hpp"
#include "machine_run.hpp"
#include "simulation.hpp"
#include "target.hpp"

namespace lockstep::reference {
namespace {

/// Prints how much has been compared: during the run, since libFuzzer may be interrupted, and at the end.
class Tally {
 public:
  Tally() = default;
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  ~Tally() { tell(); }

  void add(const Outcome& outcome) {
    constexpr std::uint64_t often = 1'000'000;
    const std::uint64_t before = operations_ / often;
    for (const auto& notes : outcome.notes) operations_ += notes.size();
    ++scenarios_;
    if (operations_ / often != before) tell();
  }

 private:
  void tell() const { std::clog << operations_ << " operations in " << scenarios_ << " scenarios agree\n"; }

  std::uint64_t scenarios_ = 0;
  std::uint64_t operations_ = 0;
};

Executor& executor_of(std::uint64_t number) {
  static const std::array executors{
      make_executor(ExecutorKind::sequential),   make_executor(ExecutorKind::seeded, 1, 1),
      make_executor(ExecutorKind::seeded, 1, 2), make_executor(ExecutorKind::threads, 2),
      make_executor(ExecutorKind::threads, 3),   make_executor(ExecutorKind::tbb, 2)};
  return *executors[number % executors.size()];
}

void compare(std::span<const std::uint8_t> bytes) {
  static Tally tally;
  Dice dice(bytes);
  const std::uint64_t way = dice.below(256);
  const auto size = static_cast<int>(dice.below(101));
  const Scenario scenario = way % 2 == 0 ? draw_scenario(dice, size) : draw_medium_scenario(dice, size);
  // Threads cost more than the programs that they run.
  Executor& executor = executor_of(way < 240 ? way / 2 % 3 : way);
  const std::vector<ChannelKind> channels = channel_kinds(scenario);
  const Outcome expected = simulate(scenario);
  const MachineOutcome came =
      run_on_machine(scenario, executor, {.observed = way % 5 == 0, .channels = channels[way / 7 % channels.size()]});
  if (const std::string wrong = difference(came.outcome, expected); !wrong.empty()) {
    std::cerr << executor.name() << ": " << wrong << "\n" << scenario << "\n";
    std::abort();
  }
  tally.add(expected);
}

}  // namespace
}  // namespace lockstep::reference

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  lockstep::reference::compare({bytes, count});
  return 0;
}
