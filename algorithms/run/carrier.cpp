#include "lockstep/algorithms/carrier.hpp"

#include <algorithm>
#include <stdexcept>

#include "lockstep/algorithms/routing.hpp"
#include "lockstep/algorithms/run_program_definition.hpp"
#include "lockstep/core/machine.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/reduced_hypercube_embeddings.hpp"
#include "lockstep/machines/topologies.hpp"
#include "plans/routes/follow_routes.hpp"

namespace lockstep {
namespace {

/// A message that the host's processors forward.
struct CarriedPacket {
  std::uint32_t number;  // among those of a guest's cycle
  std::unique_ptr<Cargo> cargo;
  std::uint32_t hops_made = 0;
  std::uint32_t hops_left = 1;
};

std::uint64_t words(const CarriedPacket& packet) { return packet.cargo->words; }
const std::vector<std::uint64_t>& blocks(const CarriedPacket& packet) { return packet.cargo->blocks; }
Journey journey(const CarriedPacket& packet) { return {packet.hops_made, packet.hops_left}; }
std::string_view phase_of(const CarriedPacket& packet) { return packet.cargo->phase; }

bool has_number(std::uint32_t number, const CarriedPacket& packet) { return packet.number == number; }

/// The messages of one of the host's cycles, with the cycles and the time before the guest's cycle added.
class HopMessages final : public MovingMessages, public WordMessages {
 public:
  HopMessages(const Embedding& embedding, Cycle cycle, double time, const std::vector<Transfer<CarriedPacket>>& hops)
      : embedding_(embedding), cycle_(cycle), time_(time), hops_(hops) {}

  Cycle cycle() const override { return cycle_; }
  std::size_t size() const override { return hops_.size(); }
  MovingMessage message(std::size_t index) const override {
    const Transfer<CarriedPacket>& hop = hops_[index];
    return {hop.from, hop.port, hop.to, hop.words, hop.startups, time_ + hop.arrival, hop.phase};
  }
  bool list_blocks(std::size_t index, MoveLog& log, std::vector<Move>& moves) const override {
    const std::size_t first = moves.size();
    const Transfer<CarriedPacket>& hop = hops_[index];
    if (!hop.payload.cargo->list_blocks({.from = hop.from, .to = hop.to.rank}, log, moves)) return false;
    for (Move& move : std::span(moves).subspan(first)) {
      move.origin = embedding_.place(move.origin);
      move.destination = embedding_.place(move.destination);
    }
    return true;
  }
  bool list_words(std::size_t index, std::vector<Word>& words) const override {
    return hops_[index].payload.cargo->list_words(words);
  }

  void drop(std::size_t) override { refuse_change(); }
  void delay(std::size_t, Cycle) override { refuse_change(); }
  void repeat(std::size_t) override { refuse_change(); }
  bool swap(std::size_t, std::size_t) override { refuse_change(); }
  bool invert_word(std::size_t) override { refuse_change(); }

 private:
  [[noreturn]] static void refuse_change() { throw std::logic_error("messages that a host carries stay as they are"); }

  const Embedding& embedding_;
  Cycle cycle_;
  double time_;
  const std::vector<Transfer<CarriedPacket>>& hops_;
};

/// Shows the hops of all of the guest's cycles to a run's observer.
class HopObserver final : public Observer<CarriedPacket> {
 public:
  HopObserver(const Embedding& embedding, RunObserver& observer) : embedding_(embedding), observer_(observer) {}

  /// Begins a cycle of the guest, at these cycles and this time of the host.
  void begin(Cycle cycles, double time) {
    cycles_before_ = cycles;
    time_before_ = time;
  }
  void barrier(Cycle cycle, std::vector<Transfer<CarriedPacket>>& hops) override {
    HopMessages messages(embedding_, cycles_before_ + cycle, time_before_, hops);
    if (!hops.empty()) observer_.barrier(messages);
  }

 private:
  const Embedding& embedding_;
  RunObserver& observer_;
  Cycle cycles_before_ = 0;
  double time_before_ = 0;
};

using HeldPacketsOfHost = routes::HeldPackets<CarriedPacket>;

/// The host with the paths of the embedding.
RoutedMachine host_of(const Embedding& embedding) {
  const MachineSpec& host = embedding.host;
  if (host.family == "rh" || is_hypercube(host)) return ecube_machine(host);
  return {.processors = static_cast<Rank>(host.processors),
          .ports = static_cast<Port>(host.ports),
          .wiring = wiring(host),
          .path = embedding.host_path,
          .longest_path = host.processors - 1};
}

/// A guest's step crosses each of its links at most once; a subgraph's messages in a cycle are legal on the host.
PortModel planned_ports(const Embedding& embedding, const Model& model) {
  return (embedding.is_subgraph && !model.multicast) || model.ports == PortModel::all ? PortModel::all : PortModel::one;
}

Model host_model(Model model) {
  model.multicast = false;
  return model;
}

void add(PhaseCounts& sum, const PhaseCounts& more) {
  sum.steps += more.steps;
  sum.messages += more.messages;
  sum.words += more.words;
  sum.longest_sum += more.longest_sum;
}

}  // namespace

struct Carrier::Host {
  const Embedding& embedding;
  const Model model;
  Executor& executor;
  const RunOptions options;
  const Topology topology;
  const RoutedMachine routed;
  const PortModel ports;
  Machine<CarriedPacket> machine;
  std::vector<HeldPacketsOfHost> held;
  CarriedCounts counts{};
  std::optional<HopObserver> observer{};

  // For one run of the guest.
  Report sum{};
  double local_work = 0;  ///< time of the guest's cycles so far
  std::uint64_t guest_steps = 0;
  std::vector<std::uint64_t> words_over_link{};
  std::vector<std::uint64_t> messages_over_link{};

  Host(const Embedding& of, const Model& rules, Executor& on, const RunOptions& asked,
       std::optional<ChannelKind> channels, RunObserver* shown)
      : embedding(of),
        model(rules),
        executor(on),
        options(asked),
        topology(build(of.host)),
        routed(host_of(of)),
        ports(planned_ports(of, rules)),
        machine(topology, host_model(rules), on,
                channels.value_or(Machine<CarriedPacket>::default_channels(topology.slots()))),
        held(of.host.processors) {
    if (shown != nullptr) machine.observe(&observer.emplace(of, *shown));
  }

  Rank place(Rank guest) const { return embedding.place(guest); }

  std::vector<RouteRequest> requests(const std::vector<Consignment>& consignments) const {
    std::vector<RouteRequest> all;
    all.reserve(consignments.size());
    for (const Consignment& one : consignments) all.push_back({place(one.from), place(one.to)});
    return all;
  }

  void load(std::vector<Consignment>& consignments, std::span<const RouteRequest> requests) {
    for (std::uint32_t number = 0; number < consignments.size(); ++number) {
      held[requests[number].from].put(number, {CarriedPacket{number, std::move(consignments[number].cargo)}, 0, 0});
    }
  }

  void unload(std::vector<Consignment>& consignments, std::span<const RouteRequest> requests) {
    for (std::uint32_t number = 0; number < consignments.size(); ++number) {
      consignments[number].cargo = std::move(held[requests[number].to].take(number).payload.cargo);
    }
  }

  /// Cycles of the host before the guest's cycle; those in which the guest waits are cycles of the host too.
  Cycle cycles_before(Cycle guest_cycle) const { return sum.steps + guest_cycle - guest_steps; }

  Report run(const RouteSchedule& schedule, Cycle guest_cycle) {
    RunOptions asked = options;
    if (observer) observer->begin(cycles_before(guest_cycle), sum.time_asynchronous + local_work);
    if (options.on_barrier) {
      const Cycle before = cycles_before(guest_cycle);
      asked.on_barrier = [this, before](const Progress& now) {
        options.on_barrier({before + now.cycle, sum.steps + now.steps, sum.messages + now.messages});
      };
    }
    return machine.run(
        [&](Processor<CarriedPacket>& self) {
          return routes::follow_routes(self, schedule, self.rank(), 0, 0, has_number, held[self.rank()]);
        },
        asked);
  }

  void add_to_links(const std::vector<Consignment>& consignments, std::span<const RouteRequest> requests) {
    for (std::size_t number = 0; number < requests.size(); ++number) {
      Rank at = requests[number].from;
      for (const Port port : routed.path(at, requests[number].to)) {
        const std::size_t link = std::size_t{at} * routed.ports + port;
        words_over_link[link] += consignments[number].cargo->words;
        sum.busiest_link_words = std::max(sum.busiest_link_words, words_over_link[link]);
        sum.busiest_link_messages = std::max(sum.busiest_link_messages, ++messages_over_link[link]);
        at = routed.wiring(at, port).rank;
      }
    }
  }

  void add_phases(const Report& report) {
    if (report.phases.empty()) {  // no program has named one
      add(phase({}), {{}, report.steps, report.messages, report.words, report.longest_sum});
    }
    for (const PhaseCounts& more : report.phases) add(phase(more.name), more);
  }
  PhaseCounts& phase(std::string_view name) {
    const auto found = std::ranges::find(sum.phases, name, &PhaseCounts::name);
    if (found != sum.phases.end()) return *found;
    sum.phases.push_back({.name = std::string(name)});
    return sum.phases.back();
  }

  void add_report(const Report& report, Cycle guest_cycle) {
    const Cycle before = cycles_before(guest_cycle);
    for (CycleCounts counted : report.per_cycle) {
      if (counted.messages == 0) continue;
      counted.cycle += before;
      sum.per_cycle.push_back(counted);
    }
    add_phases(report);
    sum.steps += report.steps;
    sum.messages += report.messages;
    sum.sends += report.sends;
    sum.words += report.words;
    sum.longest_sum += report.longest_sum;
    sum.startups += report.startups;
    sum.visits += report.visits;
    sum.time_synchronous += report.time_synchronous;
    sum.time_asynchronous += report.time_asynchronous;
    sum.channels = report.channels;
  }

  /// The exact number of steps of the guest's step, where whole building blocks use one dimension.
  std::optional<std::uint64_t> exact_steps(const std::vector<Consignment>& consignments) const {
    if (!embedding.is_emulation) return {};
    const ReducedHypercube rh(embedding.host);
    const Port dimension = consignments.front().port;
    std::vector<Rank> blocks;
    std::vector<std::uint64_t> senders;  // per block
    for (std::size_t i = 0; i < consignments.size(); ++i) {
      if (consignments[i].port != dimension) return {};
      if (i > 0 && consignments[i].from <= consignments[i - 1].from) return {};
      const Rank block = rh.bb(consignments[i].from);
      if (blocks.empty() || blocks.back() != block) {
        blocks.push_back(block);
        senders.push_back(0);
      }
      ++senders.back();
    }
    if (dimension < rh.k()) return 1;
    const auto is_whole = [&](std::uint64_t count) { return count == std::uint64_t{1} << rh.k(); };
    if (!std::ranges::all_of(senders, is_whole)) return {};
    const Rank bit = Rank{1} << (dimension - rh.k());
    const bool is_both_ways =
        std::ranges::any_of(blocks, [&](Rank block) { return std::ranges::binary_search(blocks, block ^ bit); });
    return exchange_steps(rh, dimension, ports, is_both_ways);
  }

  /// The steps are between the bounds of any routing on these paths and of the arbiter, and exact where they are known;
  /// the paths of an emulated hypercube are as long as the dilation theorem states.
  void check(const std::vector<Consignment>& consignments, const RouteLoad& load, Cycle guest_cycle,
             std::uint64_t steps) {
    if (!counts.problem.empty()) return;
    const std::string where = "cycle " + std::to_string(guest_cycle) + " of " + printable(embedding.guest) + ": ";
    const std::uint64_t least = load.least_steps(ports);
    const bool is_stored = model.cost.switching == Switching::store_and_forward;
    const std::uint64_t most = is_stored ? load.most_steps(ports) : load.messages;
    if (steps < least || steps > most) {
      counts.problem = where + std::to_string(steps) + " steps on " + printable(embedding.host.text) + ", by theory " +
                       std::to_string(least) + " to " + std::to_string(most);
      return;
    }
    if (const auto exact = exact_steps(consignments); is_stored && exact && steps != *exact) {
      counts.problem = where + std::to_string(steps) + " steps on " + printable(embedding.host.text) +
                       ", by theory exactly " + std::to_string(*exact);
      return;
    }
    if (!embedding.is_emulation) return;
    const ReducedHypercube rh(embedding.host);
    for (const Consignment& one : consignments) {
      const std::uint64_t links = embedding.path(one.from, one.to).size();
      if (links == dilation(rh, one.from, one.port)) continue;
      counts.problem = where + "a path of " + counted(links, "link") + " for port " + std::to_string(one.port) +
                       " of rank " + std::to_string(one.from) + ", by the dilation theorem " +
                       std::to_string(dilation(rh, one.from, one.port));
      return;
    }
  }
};

Model known_to_guest(Model model) {
  model.cost.switching = Switching::store_and_forward;
  model.cost.startup = StartupPer::hop;
  model.cost.hop_cost = 0;
  return model;
}

Carrier::Carrier(const Embedding& embedding, const Model& model, Executor& executor, const RunOptions& options,
                 std::optional<ChannelKind> channels, RunObserver* observer)
    : host_(std::make_unique<Host>(embedding, model, executor, options, channels, observer)) {}

Carrier::~Carrier() = default;

Model Carrier::guest_model() const {
  Model model = known_to_guest(host_->model);
  model.cost.beta = model.cost.tau = 0;
  return model;
}

RunOptions Carrier::guest_options() const {
  RunOptions options = host_->options;
  options.record_cycles = false;
  options.on_barrier = {};
  return options;
}

void Carrier::begin_run() {
  host_->sum = {};
  host_->local_work = 0;
  host_->guest_steps = 0;
  const std::size_t links = std::size_t{host_->routed.processors} * host_->routed.ports;
  host_->words_over_link.assign(links, 0);
  host_->messages_over_link.assign(links, 0);
}

// Charges are ordered by rank; a barrier follows the work of all.
void Carrier::work(std::span<const Charge> charges) {
  double longest = 0;
  double of_rank = 0;
  for (std::size_t i = 0; i < charges.size(); ++i) {
    const bool is_next_rank = i > 0 && charges[i].rank != charges[i - 1].rank;
    of_rank = (is_next_rank ? 0 : of_rank) + charges[i].end - charges[i].start;
    longest = std::max(longest, of_rank);
  }
  host_->local_work += longest;
}

void Carrier::carry(Cycle cycle, std::vector<Consignment>& consignments) {
  Host& host = *host_;
  if (consignments.empty()) return;
  const std::vector<RouteRequest> requests = host.requests(consignments);
  const RouteLoad load = route_load(host.routed, requests);
  const RouteSchedule schedule(host.routed, requests, host.ports, host.model.cost.switching);
  host.add_to_links(consignments, requests);
  host.load(consignments, requests);
  const Report report = host.run(schedule, cycle);
  host.unload(consignments, requests);
  host.add_report(report, cycle);
  ++host.guest_steps;
  ++host.counts.guest_steps;
  host.counts.guest_messages += consignments.size();
  for (const Consignment& one : consignments) host.counts.guest_words += one.cargo->words;
  host.counts.congestion = std::max(host.counts.congestion, load.busiest_link);
  host.counts.dilation = std::max(host.counts.dilation, load.longest_path);
  host.check(consignments, load, cycle, report.steps);
}

Report Carrier::end_run(Report guest) const {
  const Report& host = host_->sum;
  guest.cycles = host.steps + guest.cycles - guest.steps;
  guest.steps = host.steps;
  guest.messages = host.messages;
  guest.sends = host.sends;
  guest.words = host.words;
  guest.longest_sum = host.longest_sum;
  guest.startups = host.startups;
  guest.busiest_link_words = host.busiest_link_words;
  guest.busiest_link_messages = host.busiest_link_messages;
  guest.visits += host.visits;
  for (PhaseCounts& phase : guest.phases) {
    const auto carried = std::ranges::find(host.phases, phase.name, &PhaseCounts::name);
    if (carried != host.phases.end()) phase = *carried;
  }
  guest.per_cycle = host.per_cycle;
  // The guest's clock has counted only the local work of its processors; a barrier follows it.
  guest.time_asynchronous = guest.time_synchronous + host.time_asynchronous;
  guest.time_synchronous += host.time_synchronous;
  guest.channels = host.channels;
  return guest;
}

const CarriedCounts& Carrier::counts() const { return host_->counts; }

void Carrier::refuse_rules(const Embedding& embedding, const Model& model) {
  const std::string what = printable(embedding.guest) + " on " + printable(embedding.host.text);
  const bool is_planned = !embedding.is_subgraph || (model.multicast && model.ports != PortModel::all);
  if (is_planned && model.ports != PortModel::one && model.ports != PortModel::all) {
    throw InputError(what + " is for --ports one and all" + (embedding.is_subgraph ? ", or --multicast off" : ""));
  }
  if (model.ports == PortModel::ring) {
    throw InputError(what + " is not for --ports ring, which is a rule for the two links of a ring");
  }
  if (!embedding.is_subgraph && model.duplex != Duplex::full) {
    throw InputError(what + " is for --duplex full: its messages are routed over links both ways");
  }
}

std::uint64_t Carrier::bytes(const Embedding& embedding, const Model& model) {
  const RoutedMachine routed = host_of(embedding);
  const Wide sends = model.multicast ? embedding.ports : std::min<Wide>(port_limit(model.ports), embedding.ports);
  const Wide messages = embedding.processors * std::max<Wide>(sends, 1);
  const Wide of_message = sizeof(CargoOf<std::vector<Word>>) + sizeof(Consignment) + sizeof(RouteRequest) +
                          HeldPacketsOfHost::bytes_of_packet() + sizeof(std::uint64_t);
  const Wide links = embedding.is_subgraph ? 1 : routed.longest_path;
  return saturated(machine_bytes<CarriedPacket>(embedding.host, model) + messages * of_message +
                   embedding.host.processors *
                       (HeldPacketsOfHost::bytes_of_processor() + routed.ports * 2 * sizeof(std::uint64_t)) +
                   RouteSchedule::bytes(routed, messages, messages * links));
}

}  // namespace lockstep
