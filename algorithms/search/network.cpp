#include <algorithm>

#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep {

SearchNetwork::SearchNetwork(const MachineSpec& machine, const Topology& topology)
    : nodes(topology.processors()), out(nodes), distances(std::size_t{nodes} * nodes, no_rank) {
  for (Rank rank = 0; rank < nodes; ++rank) {
    for (Rank other = 0; other < nodes && topology.medium(); ++other) {
      if (other == rank) continue;
      out[rank].push_back(static_cast<std::uint32_t>(arcs.size()));
      arcs.push_back({rank, other, 1});
    }
    for (Port port = 0; port < topology.ports(); ++port) {
      const End peer = topology.peer(rank, port);
      if (!peer || peer.rank == rank) continue;
      // The two links of a ring of two count as one here.
      const bool is_new =
          std::ranges::none_of(out[rank], [&](std::uint32_t other) { return arcs[other].to == peer.rank; });
      if (!is_new) continue;
      const std::uint32_t multiplicity = machine.graph ? machine.graph->multiplicity(rank, port) : 1;
      has_multiplicities = has_multiplicities || multiplicity > 1;
      out[rank].push_back(static_cast<std::uint32_t>(arcs.size()));
      arcs.push_back({rank, peer.rank, multiplicity});
    }
  }
  std::vector<Rank> queue;
  for (Rank from = 0; from < nodes; ++from) {
    Rank* const row = distances.data() + std::size_t{from} * nodes;
    row[from] = 0;
    queue.assign(1, from);
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const std::uint32_t arc : out[queue[next]]) {
        const Rank to = arcs[arc].to;
        if (row[to] != no_rank) continue;
        row[to] = row[queue[next]] + 1;
        queue.push_back(to);
      }
    }
  }
}

std::uint32_t SearchNetwork::arc(Rank from, Rank to) const {
  for (const std::uint32_t arc : out[from]) {
    if (arcs[arc].to == to) return arc;
  }
  return static_cast<std::uint32_t>(arcs.size());
}

namespace {

std::uint64_t rounded_up(std::uint64_t number, std::uint64_t divisor) { return (number + divisor - 1) / divisor; }

/// Chunks that the node can receive in a round.
std::uint64_t intake(const SearchNetwork& network, Rank node, PortModel ports) {
  std::uint64_t sum = 0;
  for (const std::uint32_t arc : network.out[node]) {  // links are the same both ways
    const std::uint64_t multiplicity = network.arcs[arc].multiplicity;
    sum = ports == PortModel::all ? sum + multiplicity : std::max(sum, multiplicity);
  }
  return sum;
}

ChunkBound bound_of_broadcast(const ChunkTask& task, const SearchNetwork& network, PortModel ports) {
  std::uint64_t farthest = 0;
  std::uint64_t narrowest = intake(network, task.root, ports);
  for (Rank node = 0; node < network.nodes; ++node) {
    farthest = std::max<std::uint64_t>(farthest, network.distance(task.root, node));
    narrowest = std::min(narrowest, intake(network, node, ports));
  }
  const std::uint64_t steps = ports == PortModel::all ? farthest : std::max(farthest, doublings(network.nodes));
  // When the last chunk leaves the root, all its steps but one are still to come, each of a round or more.
  const std::uint64_t leaving = rounded_up(task.chunks, intake(network, task.root, ports));
  return {steps, std::max({steps, leaving + steps - 1, rounded_up(task.chunks, narrowest)})};
}

/// Rounds that it takes to bring the chunks needed in a part of the machine into it.
class Cuts {
 public:
  Cuts(const ChunkTask& task, const SearchNetwork& network, PortModel ports)
      : task_(task), network_(network), ports_(ports) {}

  /// Over all parts where the machine is small; else over those within some distance of a processor, those of the first
  /// ranks, and their complements.
  std::uint64_t bound() {
    constexpr Rank most_for_all = 12;
    const Rank nodes = network_.nodes;
    std::vector<bool> inside(nodes);
    if (nodes <= most_for_all) {
      for (std::uint32_t part = 1; part + 1 < std::uint32_t{1} << nodes; ++part) {
        for (Rank node = 0; node < nodes; ++node) inside[node] = (part >> node & 1) != 0;
        look_at(inside);
      }
      return rounds_;
    }
    for (Rank first = 1; first < nodes; ++first) {
      for (Rank node = 0; node < nodes; ++node) inside[node] = node < first;
      look_at_both(inside);
    }
    for (Rank centre = 0; centre < nodes; ++centre) {
      for (Rank radius = 0;; ++radius) {
        for (Rank node = 0; node < nodes; ++node) inside[node] = network_.distance(centre, node) <= radius;
        if (std::ranges::find(inside, false) == inside.end()) break;
        look_at_both(inside);
      }
    }
    return rounds_;
  }

 private:
  void look_at_both(std::vector<bool> inside) {
    look_at(inside);
    inside.flip();
    look_at(inside);
  }

  void look_at(const std::vector<bool>& inside) {
    const auto in = static_cast<std::uint64_t>(std::ranges::count(inside, true));
    const std::uint64_t outside = network_.nodes - in;
    std::uint64_t chunks = task_.chunks;
    if (task_.operation == "broadcast" && inside[task_.root]) return;
    if (task_.operation == "allgather") chunks *= outside;
    if (task_.operation == "alltoall") chunks *= outside * in;
    if (task_.operation == "allreduce") chunks *= network_.nodes;  // for every part a sum, or a summand
    std::uint64_t capacity = 0;
    std::vector<std::uint64_t> sent(network_.nodes);
    std::vector<std::uint64_t> received(network_.nodes);
    for (const auto& [from, to, multiplicity] : network_.arcs) {
      if (inside[from] || !inside[to]) continue;
      capacity += multiplicity;
      sent[from] = std::max<std::uint64_t>(sent[from], multiplicity);
      received[to] = std::max<std::uint64_t>(received[to], multiplicity);
    }
    if (ports_ != PortModel::all) capacity = std::min(sum(sent), sum(received));
    rounds_ = std::max(rounds_, rounded_up(chunks, capacity));
  }

  static std::uint64_t sum(const std::vector<std::uint64_t>& numbers) {
    std::uint64_t sum = 0;
    for (const std::uint64_t number : numbers) sum += number;
    return sum;
  }

  const ChunkTask& task_;
  const SearchNetwork& network_;
  PortModel ports_;
  std::uint64_t rounds_ = 0;
};

}  // namespace

ChunkBound chunk_bound(const ChunkTask& task, const SearchNetwork& network, PortModel ports) {
  if (network.nodes <= 1) return {};
  const std::uint64_t of_cuts = Cuts(task, network, ports).bound();
  if (task.operation == "broadcast") {
    const ChunkBound bound = bound_of_broadcast(task, network, ports);
    return {bound.steps, std::max(bound.rounds, of_cuts)};
  }
  std::uint64_t diameter = 0;
  std::uint64_t rounds = 0;
  std::uint64_t all_distances = 0;
  std::uint64_t capacity = 0;  // over all nodes
  for (Rank node = 0; node < network.nodes; ++node) {
    std::vector<std::uint64_t> at(network.nodes);  // nodes at a distance, then at that or more
    for (Rank other = 0; other < network.nodes; ++other) {
      ++at[network.distance(other, node)];
      all_distances += network.distance(other, node);
    }
    const std::uint64_t in = intake(network, node, ports);
    capacity += in;
    for (Rank distance = network.nodes - 1; distance > 0; --distance) {
      if (distance + 1 < network.nodes) at[distance] += at[distance + 1];
      if (at[distance] == 0) continue;
      diameter = std::max<std::uint64_t>(diameter, distance);
      rounds = std::max(rounds, distance - 1 + rounded_up(at[distance] * task.chunks, in));
    }
  }
  const std::uint64_t steps = ports == PortModel::all ? diameter : std::max(diameter, doublings(network.nodes));
  if (task.operation == "alltoall") rounds = std::max(rounds, rounded_up(all_distances * task.chunks, capacity));
  if (task.operation == "allreduce") {
    // All but one of the P summands of every part have to be sent before the sum is known, and the sum to all but one.
    const std::uint64_t parts = std::uint64_t{network.nodes} * task.chunks;
    rounds = std::max(steps, rounded_up(2 * (std::uint64_t{network.nodes} - 1) * parts, capacity));
  }
  return {steps, std::max({steps, rounds, of_cuts})};
}

ChunkCounts counts(const ChunkSchedule& schedule, const SearchNetwork& network) {
  ChunkCounts counts{.steps = schedule.steps.size()};
  std::vector<std::uint64_t> carried(network.arcs.size());
  for (const auto& moves : schedule.steps) {
    std::ranges::fill(carried, 0);
    for (const ChunkMove& move : moves) ++carried[network.arc(move.from, move.to)];
    std::uint64_t longest = 0;
    std::uint64_t rounds = 0;
    for (std::size_t arc = 0; arc < carried.size(); ++arc) {
      counts.messages += carried[arc] > 0 ? 1 : 0;
      longest = std::max(longest, carried[arc]);
      rounds = std::max(rounds, rounded_up(carried[arc], network.arcs[arc].multiplicity));
    }
    counts.moves += moves.size();
    counts.longest_sum += longest;
    counts.rounds += rounds;
  }
  return counts;
}

}  // namespace lockstep
