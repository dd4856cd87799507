#include "lockstep/algorithms/routing.hpp"

#include <algorithm>

#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"
#include "lockstep/machines/topologies.hpp"
#include "route_plan.hpp"

namespace lockstep {

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

RouteSchedule::RouteSchedule(const RoutedMachine& machine, std::span<const RouteRequest> requests, PortModel ports,
                             Switching switching)
    : RouteSchedule(
          machine, requests,
          [&](std::uint32_t packet) { return machine.path(requests[packet].from, requests[packet].to); }, ports,
          switching) {}

RouteSchedule::RouteSchedule(const RoutedMachine& machine, std::span<const RouteRequest> requests,
                             const PathOf& path_of, PortModel ports, Switching switching)
    : first_move_(std::size_t{machine.processors} + 1) {
  routes::PacketPaths paths(requests.size(), path_of);
  const routes::RoutePlan plan = switching == Switching::store_and_forward
                                     ? routes::plan_stored(machine, requests, paths, ports)
                                     : routes::plan_through(machine, requests, paths, ports, switching);
  steps_ = plan.steps;
  longest_path_ = paths.longest();
  longest_queue_ = plan.longest_queue;

  // The moves are in the order of their cycles already; dividing them by processor keeps that order.
  const auto for_each_turn = [&](const auto& use) {
    std::span<const routes::Grant> grants = plan.grants;
    while (!grants.empty()) {
      const auto end = std::find_if(grants.begin(), grants.end(),
                                    [&](const routes::Grant& grant) { return grant.cycle != grants.front().cycle; });
      for (auto grant = grants.begin(); grant != end; ++grant) {
        use(grant->from, RouteMove{.cycle = grant->cycle,
                                   .packet = grant->packet,
                                   .port = grant->port,
                                   .hops_left = grant->hops_left,
                                   .receives = false});
      }
      for (auto grant = grants.begin(); grant != end; ++grant) {
        const End to = machine.wiring(grant->from, grant->port);
        use(to.rank, RouteMove{.cycle = grant->cycle + 1,
                               .packet = grant->packet,
                               .port = to.port,
                               .hops_left = grant->hops_left,
                               .receives = true});
      }
      grants = {end, grants.end()};
    }
  };
  for_each_turn([&](Rank rank, const RouteMove&) { ++first_move_[rank + 1]; });
  for (Rank rank = 0; rank < machine.processors; ++rank) first_move_[rank + 1] += first_move_[rank];
  moves_.resize(2 * plan.grants.size());
  std::vector<std::uint64_t> next(first_move_.begin(), first_move_.end() - 1);
  for_each_turn([&](Rank rank, const RouteMove& move) { moves_[next[rank]++] = move; });
}

Wide RouteSchedule::bytes(const RoutedMachine& machine, Wide packets, Wide messages) {
  const Wide hop = 2 * sizeof(Port);  // a vector that grows
  const Wide of_message = hop + sizeof(routes::Grant) + 2 * sizeof(RouteMove);
  const Wide of_packet = 2 * sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t) + 2 * sizeof(std::size_t);
  const Wide of_processor = 2 * sizeof(std::uint64_t) + 3 * sizeof(std::uint32_t);
  const Wide of_link = sizeof(std::uint32_t);
  return messages * of_message + packets * of_packet + machine.processors * (of_processor + machine.ports * of_link);
}

}  // namespace lockstep
