// The program of docs/tutorial.md: a topology, a broadcast and an operation, added to all that Lockstep has.
#include <chrono>
#include <utility>
#include <vector>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/command/command.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/spec_reader.hpp"

using namespace lockstep;

namespace {

// wheel:N has a hub, rank 0, and N processors around it, the ranks 1 to N.
constexpr Rank hub = 0;
constexpr Port inward = 0, next = 1, previous = 2;  // of the rim; port p of the hub leads to rank p + 1

void read_wheel(const SpecReader& reader, MachineSpec& spec) {
  const std::uint64_t rim = reader.count(reader.parameters(), "N");
  if (rim < 3) reader.refuse("a rim has at least 3 processors");
  spec.parameters = {rim};
  spec.processors = rim + 1;
  spec.ports = rim;
}

Wiring wheel_wiring(const MachineSpec& spec) {
  return [rim = static_cast<Rank>(spec.parameters[0])](Rank rank, Port port) {
    if (rank == hub) return End{port + 1, inward};
    if (port == inward) return End{hub, rank - 1};
    if (port == next) return End{rank % rim + 1, previous};
    if (port == previous) return End{(rank + rim - 2) % rim + 1, next};
    return End{};  // only the hub has more ports
  };
}

MachineFamily wheel_family() {
  return {.name = "wheel",
          .form = "wheel:N",
          .limits = "N from 3 up",
          .example = "wheel:6",
          .summary = "ring of N processors round a hub",
          .ports = "of the hub, rank 0: p leads to rank p + 1; of the others: 0 = hub, 1 = next, 2 = previous",
          .read = read_wheel,
          .wiring = wheel_wiring};
}

std::vector<Port> linked_ports(const Processor<Block>& self) {
  std::vector<Port> ports;
  for (Port port = 0; port < self.ports(); ++port) {
    if (self.has_link(port)) ports.push_back(port);
  }
  return ports;
}

// The root sends to all its neighbours; the hub, one of them, sends to the others.
Process over_the_hub(Processor<Block>& self, Rank root, Block& item) {
  const Rank rank = self.rank();
  if (rank != root) item = co_await self.message();
  if (rank != root && rank != hub) co_return;
  std::vector<Port> onward;
  const Rank rim = self.processors() - 1;
  for (const Port port : linked_ports(self)) {
    const Rank distance = rank == root ? 0 : (self.neighbour(port) + rim - root) % rim;
    if (rank == root || (distance > 1 && distance < rim - 1)) onward.push_back(port);
  }
  co_await spread(self, onward, item);
}

std::uint64_t steps_over_the_hub(const MachineSpec& machine, const Settings& settings) {
  const bool are_all_neighbours = *settings.root == hub || machine.parameters[0] == 3;
  return are_all_neighbours ? 1 : 2;
}

Prediction predict_over_the_hub(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide steps = steps_over_the_hub(machine, settings);
  const Wide others = machine.processors - 1;
  const Wide w = *settings.words;
  return {.steps = exact_count(steps, "1 from the hub or where N = 3, else 2"),
          .messages = exact_count(others, "N"),
          .words = exact_count(others * w, "N w"),
          .longest_sum = exact_count(steps * w, "steps w"),
          .message_words = *settings.words};
}

Method broadcast_over_the_hub() {
  Method method = broadcast::own_method<over_the_hub>("broadcast/over-the-hub", {"wheel"});
  method.source = "the tutorial";
  method.summary = "the root sends to its neighbours, and the hub to the others";
  method.defaults = {.ports = PortModel::all};
  method.port_models = {PortModel::all};
  method.strictest_duplex = Duplex::half_node;
  method.predict = predict_over_the_hub;
  return method;
}

// An operation that Lockstep does not have: every processor adds its neighbours' numbers to its own.
Process add_neighbours(Processor<Block>& self, Block& number) {
  const std::vector<Port> ports = linked_ports(self);
  co_await spread(self, ports, number);
  for (const Port port : ports) {
    const Block other = co_await self.message(port);
    number[0] += other[0];
  }
}

Block number_of(const RunRequest& request, Rank rank) { return generated_block(request.settings.seed, rank, rank, 1); }

// The oracle knows only the wiring, no messages.
Verdict judge_sum(const RunRequest& request, Rank rank, const Block& held) {
  Word expected = number_of(request, rank)[0];
  for (Port port = 0; port < request.topology.ports(); ++port) {
    const Rank neighbour = request.topology.peer(rank, port).rank;
    if (neighbour != no_rank) expected += number_of(request, neighbour)[0];
  }
  Verdict verdict{.digest = digest_of(held.words()), .wrong = {}};
  if (held[0] != expected) verdict.wrong = "rank " + std::to_string(rank) + " holds a wrong sum";
  return verdict;
}

Outcome run_add_neighbours(const RunRequest& request) {
  std::vector<Block> numbers;
  for (Rank rank = 0; rank < request.topology.processors(); ++rank) numbers.push_back(number_of(request, rank));
  Outcome outcome;
  outcome.report =
      run_program<Block>(request, [&](Processor<Block>& self) { return add_neighbours(self, numbers[self.rank()]); });
  verify_ranks(
      request, std::chrono::steady_clock::now(), [&](Rank rank) { return judge_sum(request, rank, numbers[rank]); },
      outcome);
  return outcome;
}

Prediction predict_add_neighbours(const MachineSpec& machine, const Model&, const Settings&) {
  const std::uint64_t links = facts(machine).links;
  const std::uint64_t steps = links > 0 ? 1 : 0;
  return {.steps = exact_count(steps, "1"),
          .messages = exact_count(Wide{2} * links, "2 links"),
          .words = exact_count(Wide{2} * links, "2 links"),
          .longest_sum = exact_count(steps, "1"),
          .message_words = 1};
}

Method neighbour_sum() {
  return {.name = "neighbour-sum/at-once",
          .families = {"wheel", "ring", "torus", "hypercube"},
          .source = "the tutorial",
          .summary = "every processor sends its number over all its links at once",
          .defaults = {.ports = PortModel::all},
          .port_models = {PortModel::all},
          .predict = predict_add_neighbours,
          .run = run_add_neighbours};
}

}  // namespace

int main(int argc, char** argv) {
  return command(argc, argv, {.methods = {broadcast_over_the_hub(), neighbour_sum()}, .families = {wheel_family()}});
}
