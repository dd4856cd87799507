#include <map>
#include <set>
#include <utility>

#include "route_plan.hpp"

namespace lockstep::routes {
namespace {

/// Decides cycle by cycle which headers cross which links, where packets keep links behind them.
class RouteThroughPlanner {
 public:
  RouteThroughPlanner(const RoutedMachine& machine, std::span<const RouteRequest> requests, PacketPaths& paths,
                      PortModel ports, Switching switching)
      : machine_(machine),
        paths_(paths),
        is_one_port_(ports != PortModel::all),
        is_circuit_(switching == Switching::circuit),
        at_(requests.size()),
        kept_(requests.size()),
        link_is_kept_(std::size_t{machine.processors} * machine.ports),
        sender_is_kept_(machine.processors),
        receiver_is_kept_(machine.processors),
        queues_(machine.processors) {
    for (std::uint32_t packet = 0; packet < requests.size(); ++packet) {
      at_[packet] = requests[packet].from;
      if (paths_.hops_left(packet) > 0) wait(packet);
    }
  }

  RoutePlan plan() {
    for (; !waiting_.empty() || !open_.empty(); ++cycle_) plan_cycle();
    std::ranges::stable_sort(plan_.grants, {}, &Grant::cycle);
    std::uint32_t after_last = 0;
    for (const Grant& grant : plan_.grants) {
      if (grant.cycle >= after_last) ++plan_.steps;
      after_last = grant.cycle + 1;
    }
    return std::move(plan_);
  }

 private:
  /// A link that a packet keeps, and the grant of it.
  struct Kept {
    std::size_t link;
    Rank from;
    Rank to;
    std::size_t grant;
  };

  /// The order of waiting packets: the most hops left first, then the lowest number.
  std::pair<std::int64_t, std::uint32_t> place(std::uint32_t packet) const {
    return {-static_cast<std::int64_t>(paths_.hops_left(packet)), packet};
  }

  void wait(std::uint32_t packet) {
    waiting_.insert(place(packet));
    plan_.longest_queue = std::max<std::uint64_t>(plan_.longest_queue, ++queues_[at_[packet]]);
  }

  void plan_cycle() {
    std::vector<std::uint32_t> granted;
    for (const auto& [hops, packet] : waiting_) {
      if (!is_free(packet)) continue;
      keep(packet);
      granted.push_back(packet);
    }
    for (const std::uint32_t packet : granted) {
      waiting_.erase(place(packet));
      --queues_[at_[packet]];
    }
    // The words catch up with a header that moved in the cycle before and does not now, or has arrived.
    const auto [first, last] = open_.equal_range(cycle_);
    for (auto packet = first; packet != last; ++packet) {
      if (!has_moved(packet->second)) release(packet->second);
    }
    open_.erase(first, last);
    for (const std::uint32_t packet : granted) go_on(packet);
  }

  bool has_moved(std::uint32_t packet) const {
    return !is_circuit_ && plan_.grants[kept_[packet].back().grant].cycle == cycle_;
  }

  /// The ports that the packet needs at once.
  std::span<const Port> wanted(std::uint32_t packet) const {
    return is_circuit_ ? paths_.ports_left(packet) : paths_.ports_left(packet).first(1);
  }

  bool is_free(std::uint32_t packet) const {
    Rank from = at_[packet];
    for (const Port port : wanted(packet)) {
      const Rank to = machine_.wiring(from, port).rank;
      if (link_is_kept_[link(from, port)]) return false;
      if (is_one_port_ && (sender_is_kept_[from] || receiver_is_kept_[to])) return false;
      from = to;
    }
    return true;
  }

  void keep(std::uint32_t packet) {
    Rank from = at_[packet];
    std::uint32_t cycle = cycle_;
    for (const Port port : wanted(packet)) {
      const Rank to = machine_.wiring(from, port).rank;
      kept_[packet].push_back({link(from, port), from, to, plan_.grants.size()});
      plan_.grants.push_back({cycle++, packet, from, port});
      mark(kept_[packet].back(), true);
      from = to;
    }
  }

  /// Records how far the packet has been granted to move.
  void go_on(std::uint32_t packet) {
    const auto hops = static_cast<std::uint32_t>(wanted(packet).size());
    for (std::uint32_t hop = 0; hop < hops; ++hop) paths_.advance(packet);
    at_[packet] = kept_[packet].back().to;
    const bool has_arrived = paths_.hops_left(packet) == 0;
    if (has_arrived && hops == 1) return release(packet);
    open_.emplace(cycle_ + (is_circuit_ ? hops - 1 : 1), packet);
    if (!has_arrived) wait(packet);
  }

  /// Releases the links that the packet keeps; its words have reached its header.
  void release(std::uint32_t packet) {
    auto hops_left = static_cast<std::uint32_t>(kept_[packet].size());
    for (const Kept& kept : kept_[packet]) {
      mark(kept, false);
      plan_.grants[kept.grant].hops_left = hops_left--;
    }
    kept_[packet].clear();
  }

  void mark(const Kept& kept, bool is_kept) {
    link_is_kept_[kept.link] = is_kept;
    sender_is_kept_[kept.from] = is_kept;
    receiver_is_kept_[kept.to] = is_kept;
  }

  std::size_t link(Rank from, Port port) const { return std::size_t{port} * machine_.processors + from; }

  const RoutedMachine& machine_;
  PacketPaths& paths_;
  const bool is_one_port_;
  const bool is_circuit_;
  std::vector<Rank> at_;                 // where the header of each packet is
  std::vector<std::vector<Kept>> kept_;  // by each packet, in the order of its path
  std::vector<bool> link_is_kept_;
  std::vector<bool> sender_is_kept_;  // with one port: the use of processors by kept links
  std::vector<bool> receiver_is_kept_;
  std::vector<std::uint32_t> queues_;  // packets that wait at each processor
  std::set<std::pair<std::int64_t, std::uint32_t>> waiting_;
  std::multimap<std::uint32_t, std::uint32_t> open_;  // packets that keep links, by the cycle of their next check
  RoutePlan plan_;
  std::uint32_t cycle_ = 0;
};

}  // namespace

RoutePlan plan_through(const RoutedMachine& machine, std::span<const RouteRequest> requests, PacketPaths& paths,
                       PortModel ports, Switching switching) {
  return RouteThroughPlanner(machine, requests, paths, ports, switching).plan();
}

}  // namespace lockstep::routes
