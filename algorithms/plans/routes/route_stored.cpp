#include <utility>

#include "route_plan.hpp"

namespace lockstep::routes {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// Decides cycle by cycle which packet crosses which link.
///
/// The packets that wait for one link form a pairing heap: queues_ has the first to go, children_ and siblings_ the
/// others. A packet's place in the order does not change while it waits. Only the first of a link can be granted: where
/// it has to wait, so do those behind it, as their sender and receiver are the same.
class RouteStoredPlanner {
 public:
  RouteStoredPlanner(const RoutedMachine& machine, std::span<const RouteRequest> requests, PacketPaths& paths,
                     PortModel ports)
      : machine_(machine),
        all_ports_(ports == PortModel::all),
        paths_(paths),
        children_(requests.size(), none),
        siblings_(requests.size(), none),
        queues_(std::size_t{machine.processors} * machine.ports, none),
        waiting_(machine.processors),
        has_sent_(machine.processors),
        has_received_(machine.processors) {
    for (std::uint32_t packet = 0; packet < requests.size(); ++packet) arrive(packet, requests[packet].from);
  }

  RoutePlan plan() {
    grants_.reserve(paths_.hops());
    for (; !links_.empty(); ++cycle_) plan_cycle();
    return {std::move(grants_), cycle_, longest_queue_};
  }

 private:
  Rank sender(std::size_t link) const { return static_cast<Rank>(link % machine_.processors); }
  Port port(std::size_t link) const { return static_cast<Port>(link / machine_.processors); }
  Rank receiver(const Grant& grant) const { return machine_.wiring(grant.from, grant.port).rank; }

  void plan_cycle() {
    if (!all_ports_) {  // with all ports no link blocks another
      std::sort(links_.begin(), links_.end(),
                [this](std::size_t a, std::size_t b) { return paths_.goes_before(queues_[a], queues_[b]); });
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
      paths_.advance(grants_[index].packet);
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
    if (paths_.hops_left(packet) == 0) return;
    const std::size_t link = std::size_t{paths_.ports_left(packet).front()} * machine_.processors + at;
    if (queues_[link] == none) links_.push_back(link);
    children_[packet] = none;
    queues_[link] = meld(queues_[link], packet);
    longest_queue_ = std::max<std::uint64_t>(longest_queue_, ++waiting_[at]);
  }

  /// Two heaps as one.
  std::uint32_t meld(std::uint32_t a, std::uint32_t b) {
    if (a == none) return b;
    if (b == none) return a;
    if (paths_.goes_before(b, a)) std::swap(a, b);
    siblings_[b] = children_[a];
    children_[a] = b;
    return a;
  }

  /// Removes the first packet of the link: melds its children in pairs, and then the pairs.
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
  PacketPaths& paths_;
  std::vector<std::uint32_t> children_;
  std::vector<std::uint32_t> siblings_;
  std::vector<std::uint32_t> queues_;  // by directed link: port by port, as in a topology
  std::vector<std::size_t> links_;     // links with packets
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> has_sent_;  // the cycle after its last send
  std::vector<std::uint32_t> has_received_;
  std::vector<Grant> grants_;
  std::uint32_t cycle_ = 0;
  std::uint64_t longest_queue_ = 0;
};

}  // namespace

RoutePlan plan_stored(const RoutedMachine& machine, std::span<const RouteRequest> requests, PacketPaths& paths,
                      PortModel ports) {
  return RouteStoredPlanner(machine, requests, paths, ports).plan();
}

}  // namespace lockstep::routes
