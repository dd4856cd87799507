#include "lockstep/algorithms/routing.hpp"

#include <algorithm>

#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// A packet on its way over a link.
struct Grant {
  std::uint32_t cycle;
  std::uint32_t packet;
  Rank from;
  Port port;
};

/// Settles cycle by cycle which packet goes over which link.
///
/// The packets that wait for one link form a pairing heap: queues_ has the first to go, children_ and siblings_ the
/// others. A packet's place in the order does not change while it waits. Only the first of a link can be granted: where
/// it has to wait, so have those behind it, as their sender and receiver are the same.
class Planner {
 public:
  Planner(const RoutedMachine& machine, std::span<const RouteRequest> requests, PortModel ports)
      : machine_(machine),
        all_ports_(ports == PortModel::all),
        first_hop_(requests.size() + 1),
        next_hop_(requests.size()),
        children_(requests.size(), none),
        siblings_(requests.size(), none),
        queues_(std::size_t{machine.processors} * machine.ports, none),
        waiting_(machine.processors),
        has_sent_(machine.processors),
        has_received_(machine.processors) {
    for (std::uint32_t packet = 0; packet < requests.size(); ++packet) {
      next_hop_[packet] = first_hop_[packet] = hops_.size();
      const std::vector<Port> path = machine.path(requests[packet].from, requests[packet].to);
      hops_.insert(hops_.end(), path.begin(), path.end());
      longest_path_ = std::max<std::uint64_t>(longest_path_, path.size());
    }
    first_hop_.back() = hops_.size();
    for (std::uint32_t packet = 0; packet < requests.size(); ++packet) arrive(packet, requests[packet].from);
  }

  void schedule() {
    grants_.reserve(hops_.size());
    for (; !links_.empty(); ++cycle_) plan_cycle();
  }

  const std::vector<Grant>& grants() const { return grants_; }
  std::uint64_t steps() const { return cycle_; }
  std::uint64_t longest_path() const { return longest_path_; }
  std::uint64_t longest_queue() const { return longest_queue_; }

 private:
  std::uint64_t hops_left(std::uint32_t packet) const { return first_hop_[packet + 1] - next_hop_[packet]; }
  bool goes_before(std::uint32_t a, std::uint32_t b) const {
    return hops_left(a) != hops_left(b) ? hops_left(a) > hops_left(b) : a < b;
  }

  Rank sender(std::size_t link) const { return static_cast<Rank>(link % machine_.processors); }
  Port port(std::size_t link) const { return static_cast<Port>(link / machine_.processors); }
  Rank receiver(const Grant& grant) const { return machine_.wiring(grant.from, grant.port).rank; }

  void plan_cycle() {
    if (!all_ports_) {  // else no link is in another's way
      std::sort(links_.begin(), links_.end(),
                [this](std::size_t a, std::size_t b) { return goes_before(queues_[a], queues_[b]); });
    }
    const std::size_t before = grants_.size();
    std::vector<std::size_t> links;  // with packets that still wait
    for (const std::size_t link : links_) {
      const Grant grant{cycle_, queues_[link], sender(link), port(link)};
      if (is_granted(grant)) {
        grants_.push_back(grant);
        --waiting_[grant.from];
        pop(link);
      }
      if (queues_[link] != none) links.push_back(link);
    }
    links_.swap(links);
    for (std::size_t index = before; index < grants_.size(); ++index) {
      ++next_hop_[grants_[index].packet];
      arrive(grants_[index].packet, receiver(grants_[index]));
    }
  }

  bool is_granted(const Grant& grant) {
    if (all_ports_) return true;
    std::uint32_t& sent = has_sent_[grant.from];
    std::uint32_t& received = has_received_[receiver(grant)];
    if (sent > cycle_ || received > cycle_) return false;
    sent = received = cycle_ + 1;
    return true;
  }

  void arrive(std::uint32_t packet, Rank at) {
    if (hops_left(packet) == 0) return;
    const std::size_t link = std::size_t{hops_[next_hop_[packet]]} * machine_.processors + at;
    if (queues_[link] == none) links_.push_back(link);
    children_[packet] = none;
    queues_[link] = meld(queues_[link], packet);
    longest_queue_ = std::max<std::uint64_t>(longest_queue_, ++waiting_[at]);
  }

  /// Two heaps as one.
  std::uint32_t meld(std::uint32_t a, std::uint32_t b) {
    if (a == none) return b;
    if (b == none) return a;
    if (goes_before(b, a)) std::swap(a, b);
    siblings_[b] = children_[a];
    children_[a] = b;
    return a;
  }

  /// Takes the first packet of the link out: melds its children in pairs, and then the pairs.
  void pop(std::size_t link) {
    std::uint32_t pairs = none;
    for (std::uint32_t child = children_[queues_[link]]; child != none;) {
      const std::uint32_t second = siblings_[child];
      const std::uint32_t rest = second == none ? none : siblings_[second];
      const std::uint32_t pair = meld(child, second);
      siblings_[pair] = pairs;
      pairs = pair;
      child = rest;
    }
    std::uint32_t first = none;
    while (pairs != none) {
      const std::uint32_t rest = siblings_[pairs];
      first = meld(first, pairs);
      pairs = rest;
    }
    queues_[link] = first;
  }

  const RoutedMachine& machine_;
  bool all_ports_;
  std::vector<Port> hops_;                // of all packets, one after the other
  std::vector<std::uint64_t> first_hop_;  // by packet, with one entry more
  std::vector<std::uint64_t> next_hop_;
  std::vector<std::uint32_t> children_;
  std::vector<std::uint32_t> siblings_;
  std::vector<std::uint32_t> queues_;  // by directed link: port by port, as a topology has them
  std::vector<std::size_t> links_;     // those with packets
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> has_sent_;  // the cycle after the last in which it has
  std::vector<std::uint32_t> has_received_;
  std::vector<Grant> grants_;
  std::uint32_t cycle_ = 0;
  std::uint64_t longest_path_ = 0;
  std::uint64_t longest_queue_ = 0;
};

}  // namespace

RoutedMachine ecube_machine(const MachineSpec& machine) {
  RoutedMachine routed{.processors = static_cast<Rank>(machine.processors),
                       .ports = static_cast<Port>(machine.ports),
                       .wiring = wiring(machine),
                       .path = ecube_path,
                       .longest_path = machine.ports};
  if (is_hypercube(machine)) return routed;
  const ReducedHypercube rh(machine);
  routed.path = [rh](Rank from, Rank to) { return rh.ecube_path(from, to); };
  routed.longest_path = 3 * rh.block_dimensions() - 2 + rh.k();
  return routed;
}

std::uint64_t RouteLoad::least_steps(PortModel ports) const {
  const std::uint64_t of_links = std::max(longest_path, busiest_link);
  return ports == PortModel::all ? of_links : std::max({of_links, busiest_sender, busiest_receiver});
}

std::uint64_t RouteLoad::most_steps(PortModel ports) const {
  if (messages == 0) return 0;
  return longest_path * (ports == PortModel::all ? busiest_link : busiest_sender + busiest_receiver - 1);
}

RouteLoad route_load(const RoutedMachine& machine, std::span<const RouteRequest> requests) {
  RouteLoad load;
  std::vector<std::uint32_t> over_link(std::size_t{machine.processors} * machine.ports);
  std::vector<std::uint64_t> sent(machine.processors);
  std::vector<std::uint64_t> received(machine.processors);
  for (const RouteRequest& request : requests) {
    const std::vector<Port> path = machine.path(request.from, request.to);
    load.messages += path.size();
    load.longest_path = std::max<std::uint64_t>(load.longest_path, path.size());
    Rank at = request.from;
    for (const Port port : path) {
      load.busiest_link =
          std::max<std::uint64_t>(load.busiest_link, ++over_link[std::size_t{port} * machine.processors + at]);
      load.busiest_sender = std::max(load.busiest_sender, ++sent[at]);
      at = machine.wiring(at, port).rank;
      load.busiest_receiver = std::max(load.busiest_receiver, ++received[at]);
    }
  }
  return load;
}

RouteSchedule::RouteSchedule(const RoutedMachine& machine, std::span<const RouteRequest> requests, PortModel ports)
    : first_move_(std::size_t{machine.processors} + 1) {
  Planner planner(machine, requests, ports);
  planner.schedule();
  steps_ = planner.steps();
  longest_path_ = planner.longest_path();
  longest_queue_ = planner.longest_queue();

  // The moves come in the order of their cycles already; they are parted by processor, which keeps that order.
  const auto for_each_turn = [&](const auto& use) {
    std::span<const Grant> grants = planner.grants();
    while (!grants.empty()) {
      const auto end = std::find_if(grants.begin(), grants.end(),
                                    [&](const Grant& grant) { return grant.cycle != grants.front().cycle; });
      for (auto grant = grants.begin(); grant != end; ++grant) {
        use(grant->from, Move{.cycle = grant->cycle, .packet = grant->packet, .port = grant->port, .receives = false});
      }
      for (auto grant = grants.begin(); grant != end; ++grant) {
        const End to = machine.wiring(grant->from, grant->port);
        use(to.rank, Move{.cycle = grant->cycle + 1, .packet = grant->packet, .port = to.port, .receives = true});
      }
      grants = {end, grants.end()};
    }
  };
  for_each_turn([&](Rank rank, const Move&) { ++first_move_[rank + 1]; });
  for (Rank rank = 0; rank < machine.processors; ++rank) first_move_[rank + 1] += first_move_[rank];
  moves_.resize(2 * planner.grants().size());
  std::vector<std::uint64_t> next(first_move_.begin(), first_move_.end() - 1);
  for_each_turn([&](Rank rank, const Move& move) { moves_[next[rank]++] = move; });
}

Wide RouteSchedule::bytes(const RoutedMachine& machine, Wide packets, Wide messages) {
  const Wide hop = 2 * sizeof(Port);  // a vector that grows
  const Wide of_message = hop + sizeof(Grant) + 2 * sizeof(Move);
  const Wide of_packet = 2 * sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t) + 2 * sizeof(std::size_t);
  const Wide of_processor = 2 * sizeof(std::uint64_t) + 3 * sizeof(std::uint32_t);
  const Wide of_link = sizeof(std::uint32_t);
  return messages * of_message + packets * of_packet + machine.processors * (of_processor + machine.ports * of_link);
}

}  // namespace lockstep
