#include "process_costs.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/executor.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::cli::machine {
namespace {

// The bytes of a message on the wire beside its words: its link, arrival time, length, and its receiver's clock.
constexpr double bytes_beside_words = 28;

/// Seconds of the action, repeated; the least of several measurements, as others may have been disturbed.
template <class Action>
double seconds_of(const Action& action) {
  constexpr unsigned repetitions = 20;
  double least = std::numeric_limits<double>::max();
  for (unsigned time = 0; time < 5; ++time) {
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned repetition = 0; repetition < repetitions; ++repetition) action();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    least = std::min(least, took.count() / repetitions);
  }
  return least;
}

/// Exchanges a word with every neighbour, one after the other.
Process exchange_with_all(Processor<Block>& self) {
  Block block(1);
  for (Port port = 0; port < self.ports(); ++port) {
    Message<Block> message = co_await self.exchange(port, std::move(block));
    block = std::move(message.payload);
  }
}

/// Seconds of a run on a cube of 2^bits processors with fresh memory, as in a user's run; the least of several, as
/// others may have been disturbed.
double seconds_of_exchanges(Port bits, const Division* division) {
  const MachineSpec machine = parse_machine("hypercube:" + std::to_string(bits));
  const Topology topology = build(machine);
  const Model model;
  const Settings settings;
  const auto executor = make_executor(ExecutorKind::sequential);
  const RunRequest request{.machine = machine,
                           .topology = topology,
                           .model = model,
                           .settings = settings,
                           .executor = *executor,
                           .options = {.name = "measuring"},
                           .division = division};
  double least = std::numeric_limits<double>::max();
  for (unsigned time = 0; time < 3; ++time) {
    const Report report = run_program<Block>(request, [](Processor<Block>& self) { return exchange_with_all(self); });
    least = std::min(least, report.run_seconds);
  }
  return least;
}

double agreements(unsigned processes) { return std::bit_width(processes - 1); }

/// Exchanges with one partner process, if each process has one.
double seconds_of_exchange(Processes& processes, std::size_t bytes) {
  const unsigned other = processes.own() ^ 1;
  if (other >= processes.count()) return 0;
  return seconds_of([&] {
    std::vector<Bytes> outgoing(1);
    outgoing.front().resize(bytes);
    processes.exchange({&other, 1}, std::move(outgoing));
  });
}

}  // namespace

ProcessCosts process_costs(std::uint64_t processors, StartedProcesses* processes) {
  // Enough processors for a fraction of a second: data that does not fit the caches is slower.
  const Port bits = std::clamp(static_cast<Port>(std::bit_width(processors)), Port{4}, Port{17}) - 1;
  const Rank size = Rank{1} << bits;
  ProcessCosts costs;
  costs.message = seconds_of_exchanges(bits, nullptr) / (size * static_cast<double>(bits));
  if (processes == nullptr) {
    costs.crossing = 2 * costs.message;
    costs.exchange = costs.agreement = 2e-6;
    costs.byte = 1e-10;
    return costs;
  }
  const unsigned count = processes->count();
  costs.measured_between = count;
  constexpr std::size_t large = std::size_t{1} << 20;
  costs.exchange = seconds_of_exchange(*processes, 64);
  costs.byte = std::max(0.0, seconds_of_exchange(*processes, large) - costs.exchange) / large;
  std::vector<std::uint64_t> numbers(8);
  costs.agreement = seconds_of([&] { processes->reduce(numbers, {}); }) / agreements(count);
  const Placement placement(size, count);
  const Division division{*processes, placement};
  double crossings = 0;  // of this process, out and in
  for (Rank rank = 0; rank < size; ++rank) {
    if (!division.is_here(rank)) continue;
    for (Port port = 0; port < bits; ++port) crossings += division.is_here(rank ^ Rank{1} << port) ? 0 : 2;
  }
  const double others = bits * (costs.exchange + costs.agreement * agreements(count)) +
                        costs.message * bits * placement.count(processes->own());
  const double seconds = seconds_of_exchanges(bits, &division);
  if (crossings > 0) costs.crossing = std::max(0.0, seconds - others) / crossings;
  return costs;
}

double predicted_seconds(const ProcessCosts& costs, const RunLoad& load, std::uint64_t processors, std::uint64_t links,
                         const Cut& cut, unsigned processes) {
  const double share = static_cast<double>(cut.processors_most) / static_cast<double>(processors);
  const double inside = share * load.messages * costs.message;
  if (processes == 1 || links == 0) return inside;
  // One direction of a cut link leaves a process, and the other enters it.
  const double crossing = load.messages * static_cast<double>(cut.links_of_one) / static_cast<double>(links);
  const double words = load.messages > 0 ? load.words / load.messages : 0;
  const double bytes = crossing / 2 * (bytes_beside_words + words * sizeof(Word));
  return inside + crossing * costs.crossing + bytes * costs.byte +
         load.cycles * (static_cast<double>(cut.neighbours) * costs.exchange + agreements(processes) * costs.agreement);
}

}  // namespace lockstep::cli::machine
