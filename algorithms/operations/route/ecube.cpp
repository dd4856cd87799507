#include <chrono>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "pattern.hpp"
#include "plans/routes/detour.hpp"
#include "plans/routes/follow_routes.hpp"

namespace lockstep {
namespace route {
namespace {

// A packet is a block that only its number identifies: there may be several between the same two processors, so that
// their ranks do not identify it.
bool has_number(std::uint32_t number, const LabelledBlock& packet) { return packet.number == number; }

/// The words of a packet, which differ from those of other packets between the same two processors.
Block packet_block(const Settings& settings, const RouteRequest& ends, std::uint32_t number) {
  Block block(*settings.words);
  for (std::uint64_t index = 0; index < block.size(); ++index) {
    block[index] = generated_word(settings.seed, ends.from, ends.to, number * block.size() + index);
  }
  return block;
}

/// The numbers of the packets for each processor, ascending.
class NumbersByDestination {
 public:
  NumbersByDestination(std::span<const RouteRequest> requests, Rank processors)
      : first_(std::size_t{processors} + 1), numbers_(requests.size()) {
    for (const RouteRequest& request : requests) ++first_[request.to + 1];
    for (Rank rank = 0; rank < processors; ++rank) first_[rank + 1] += first_[rank];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t number = 0; number < requests.size(); ++number) numbers_[next[requests[number].to]++] = number;
  }

  std::span<const std::uint32_t> operator[](Rank rank) const {
    return std::span(numbers_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> numbers_;
};

constexpr NumberParameter words_parameter{{"words", "words of one packet, at least 1", "1"}, &Settings::words};

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  words_parameter.resolve(settings);
  pattern_parameter.resolve(machine, settings);
}

// mukherjee.md, Routing, gives the steps where all paths meet in one node of a cube, and where none meet.
std::optional<Count> predicted_steps(const MachineSpec& machine, const Model& model, const std::string& pattern) {
  if (!is_hypercube(machine)) return {};
  const std::uint64_t d = machine.ports;
  const bool waits = model.cost.switching == Switching::circuit && model.ports != PortModel::all && d > 1;
  if (pattern == complement && !waits) return Count{d, true, "d"};
  if (model.cost.switching != Switching::store_and_forward) return {};
  if (pattern != gather && pattern != scatter) return {};
  if (model.ports != PortModel::all) return Count{machine.processors - 1, true, "2^d - 1"};
  return Count{machine.processors / 2, true, "2^(d-1)"};  // none for d = 0
}

// All packets cross the same dimension at a time. A processor that can use only one port keeps it for the packet that
// it sent first, so that on every link the words catch up with their header (mukherjee.md, Switching).
std::optional<ModelledTime> time_of_complement(const Model& model, std::uint64_t hops, std::uint64_t words) {
  if (hops == 0) return ModelledTime{0, "0"};
  const CostModel& cost = model.cost;
  const double startups = cost.time(cost.startups(words), 0);
  const double moving = cost.time(0, words);
  const auto d = static_cast<double>(hops);
  if (cost.switching == Switching::store_and_forward) {
    return ModelledTime{startups + d * moving, "start-ups + d w tau"};
  }
  if (model.ports == PortModel::all || hops == 1) {
    return ModelledTime{startups + d * cost.hop_cost + moving, "start-ups + d hop + w tau"};
  }
  if (cost.switching == Switching::circuit) return {};
  return ModelledTime{startups + d * (cost.hop_cost + moving), "start-ups + d (hop + w tau)"};
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const RoutedMachine routed = ecube_machine(machine);
  std::uint64_t messages = 0;
  for (const RouteRequest& request : make_requests(*settings.pattern, routed.processors)) {
    messages += routed.path(request.from, request.to).size();
  }
  const std::uint64_t w = *settings.words;
  Prediction prediction;
  prediction.messages = Count{messages, true, "sum of the paths' lengths"};
  prediction.words = exact_count(Wide{messages} * w, "messages w");
  prediction.steps = predicted_steps(machine, model, *settings.pattern);
  if (prediction.steps) prediction.longest_sum = exact_count(Wide{prediction.steps->value} * w, "steps w");
  if (model.cost.switching == Switching::store_and_forward && model.cost.startup == StartupPer::hop) {
    prediction.message_words = w;
  } else if (*settings.pattern == complement && prediction.steps) {
    prediction.synchronous = prediction.asynchronous = time_of_complement(model, machine.ports, w);
  }
  return prediction;
}

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const RoutedMachine routed = ecube_machine(machine);
  const auto requests = make_requests(*settings.pattern, routed.processors);
  const std::uint64_t steps = route_load(routed, requests).least_steps(model.ports);
  return {.steps = steps, .longest_sum = steps * *settings.words};
}

// No planned path is longer than the longest. A packet is in one place at a time, and a thread judges one at a time.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const RoutedMachine routed = ecube_machine(machine);
  const Wide packets = count_requests(*settings.pattern, routed.processors);
  const Wide of_packet = routes::HeldPackets<LabelledBlock>::bytes_of_packet() + sizeof(RouteRequest) +
                         2 * sizeof(std::uint32_t) + (*settings.words > 1 ? *settings.words * sizeof(Word) + 16 : 0);
  const Wide of_processor = routes::HeldPackets<LabelledBlock>::bytes_of_processor() + 4 * sizeof(std::uint32_t);
  return saturated(machine_bytes<LabelledBlock>(machine, model) + packets * of_packet +
                   machine.processors * of_processor +
                   RouteSchedule::bytes(routed, packets, packets * routed.longest_path));
}

PerRank<routes::HeldPackets<LabelledBlock>> initial_packets(const RunRequest& request,
                                                            std::span<const RouteRequest> requests) {
  PerRank<routes::HeldPackets<LabelledBlock>> held(request);
  for (std::uint32_t number = 0; number < requests.size(); ++number) {
    const RouteRequest& ends = requests[number];
    if (!is_here(request.division, ends.from)) continue;
    LabelledBlock packet{.block = packet_block(request.settings, ends, number), .number = number};
    held[ends.from].put(number, {.payload = std::move(packet), .port = 0, .arrival = 0});
  }
  return held;
}

Process route_ecube(Processor<LabelledBlock>& self, const RouteSchedule& schedule,
                    routes::HeldPackets<LabelledBlock>& held) {
  self.hold(held.words_held());
  co_await routes::follow_routes(self, schedule, self.rank(), 0, 0, has_number, held);
}

/// Judges the packets that the rank holds; `numbers` are all that it should hold.
Verdict judge(const Settings& settings, std::span<const RouteRequest> requests, std::span<const std::uint32_t> numbers,
              Rank rank, const routes::HeldPackets<LabelledBlock>& held) {
  const std::string holds = "rank " + std::to_string(rank) + " holds ";
  if (held.size() != numbers.size()) {
    return {0, holds + std::to_string(held.size()) + " packets of " + std::to_string(numbers.size())};
  }
  WordDigest digest;
  for (const std::uint32_t number : numbers) {
    const LabelledBlock* packet = held.find(number);
    const RouteRequest& ends = requests[number];
    const Block expected = packet_block(settings, ends, number);
    if (packet == nullptr || packet->number != number || packet->block != expected) {
      return {0, holds + "no packet " + std::to_string(number) + " as rank " + std::to_string(ends.from) + " sent it"};
    }
    digest.add(expected.words());
  }
  return {digest.value(), {}};
}

// The requests alone determine which rank must hold which packet.
void finish(const RunRequest& request, const PerRank<routes::HeldPackets<LabelledBlock>>& held, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const Rank processors = request.topology.processors();
  const auto requests = make_requests(*request.settings.pattern, processors);
  const NumbersByDestination numbers(requests, processors);
  const auto judge_rank = [&](Rank rank) { return judge(request.settings, requests, numbers[rank], rank, held[rank]); };
  verify_ranks(request, start, judge_rank, outcome);
}

/// The E-cube path of each packet or, where something on it fails, a shortest path on which nothing does. Counts the
/// packets that take such paths. Throws RunError where there is none.
RouteSchedule schedule_around(const RunRequest& request, const RoutedMachine& machine,
                              std::span<const RouteRequest> requests, std::uint64_t& detours) {
  const auto path_of = [&](std::uint32_t number) {
    const auto [from, to] = requests[number];
    std::vector<Port> path = machine.path(from, to);
    if (routes::is_clear(request.topology, *request.faults, from, path)) return path;
    std::optional<std::vector<Port>> other = routes::detour(request.topology, *request.faults, from, to);
    if (!other) {
      throw RunError(ErrorKind::link_down, 0, from, {},
                     request.options.name + ": no way from rank " + std::to_string(from) + " to rank " +
                         std::to_string(to) + " is left");
    }
    ++detours;
    return std::move(*other);
  };
  return {machine, requests, path_of, request.model.ports, request.model.cost.switching};
}

Outcome run(const RunRequest& request) {
  const RoutedMachine machine = ecube_machine(request.machine);
  const auto requests = make_requests(*request.settings.pattern, machine.processors);
  std::uint64_t detours = 0;
  const RouteSchedule schedule =
      request.faults == nullptr ? RouteSchedule(machine, requests, request.model.ports, request.model.cost.switching)
                                : schedule_around(request, machine, requests, detours);
  PerRank<routes::HeldPackets<LabelledBlock>> held = initial_packets(request, requests);
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(
      request, [&](Processor<LabelledBlock>& self) { return route_ecube(self, schedule, held[self.rank()]); });
  outcome.measures = {{"longest_queue", schedule.longest_queue()}, {"longest_path", schedule.longest_path()}};
  if (request.faults != nullptr) outcome.measures.push_back({"detours", detours});
  finish(request, held, outcome);
  return outcome;
}

}  // namespace
}  // namespace route

extern const Method route_ecube_method{
    .name = "route/ecube",
    .operation = "route",
    .known_as = "point-to-point routing",
    .families = {"hypercube", "rh"},
    .source = "Mukherjee, chapter 5; after it on reduced hypercubes (mukherjee.md, Routing)",
    .summary = "packets on their E-cube paths; in a conflict the one with most hops left goes first",
    .parameters = {route::words_parameter, route::pattern_parameter},
    .port_models = {PortModel::one, PortModel::all},
    .knows_paths = true,
    .resolve = route::resolve,
    .predict = route::predict,
    .proven = route::lower_bound,
    .bytes = route::bytes,
    .run = route::run,
};

}  // namespace lockstep
