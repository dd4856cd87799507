#include "bounds/small_cuts.hpp"

#include <bit>
#include <vector>

#include "lockstep/machines/topologies.hpp"

namespace lockstep::bounds {
namespace {

/// Some of the processors, a bit for each.
using Side = std::uint32_t;
constexpr Wide most_processors_cut = 12;

Rank lowest(Side side) { return static_cast<Rank>(std::countr_zero(side)); }
Rank highest(Side side) { return static_cast<Rank>(std::bit_width(side)) - 1; }
Wide size(Side side) { return static_cast<unsigned>(std::popcount(side)); }
bool has(Side side, Rank rank) { return (side >> rank & 1) != 0; }

/// Words that must go from one side to the other.
Wide words_across(const Problem& problem, Side from, Side to) {
  const Wide m = problem.words;
  switch (problem.collective) {
    case Collective::broadcast:
      return has(from, problem.root) ? m : 0;
    case Collective::reduce:
      return has(to, problem.root) ? m : 0;
    case Collective::scatter:
      return has(from, problem.root) ? size(to) * m : 0;
    case Collective::gather:
      return has(to, problem.root) ? size(from) * m : 0;
    case Collective::allgather:
      return size(from) * m;
    case Collective::alltoall:
      return size(from) * size(to) * m;
    case Collective::allreduce:
      return m;
    case Collective::reduce_scatter:
      return size(to) * (m / problem.machine.processors);
    case Collective::scan:
    case Collective::exscan:
      return lowest(from) < highest(to) ? m : 0;
    default:
      return 0;
  }
}

/// The neighbours of every processor; once for each of parallel links.
std::vector<std::vector<Rank>> neighbours_in(const MachineSpec& machine) {
  const Topology topology = build(machine);
  std::vector<std::vector<Rank>> neighbours(topology.processors());
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    for (Port port = 0; port < topology.ports(); ++port) {
      const End peer = topology.peer(rank, port);
      if (peer && peer.rank != rank) neighbours[rank].push_back(peer.rank);
    }
  }
  return neighbours;
}

MachineCut cut_between(const std::vector<std::vector<Rank>>& neighbours, Side near) {
  MachineCut cut{0, 0, 0};
  Side far_border = 0;
  for (Rank rank = 0; rank < neighbours.size(); ++rank) {
    if (!has(near, rank)) continue;
    const Wide before = cut.links;
    for (const Rank neighbour : neighbours[rank]) {
      if (has(near, neighbour)) continue;
      ++cut.links;
      far_border |= Side{1} << neighbour;
    }
    cut.near_border += cut.links > before ? 1 : 0;
  }
  cut.far_border = size(far_border);
  return cut;
}

}  // namespace

void add_small_cuts(const Problem& problem, const Rules& rules, BestKnown& best) {
  if (problem.machine.processors > most_processors_cut || problem.words == 0) return;
  const std::vector<std::vector<Rank>> neighbours = neighbours_in(problem.machine);
  const Side all = (Side{1} << neighbours.size()) - 1;
  for (Side near = 1; near < all; ++near) {
    const MachineCut cut = cut_between(neighbours, near);
    const auto add = [&](Wide words, Wide at_once) {
      best.longest_sum(divided_up(words, at_once), [&] {
        return words_that(words, "cross") + " " + counted(cut.links, "link") + ", " + to_string(at_once) + " a step";
      });
    };
    const Wide there = words_across(problem, near, all & ~near);
    const Wide back = words_across(problem, all & ~near, near);
    add(there, rules.across(cut));
    add(there + back, rules.both_ways(cut));
  }
}

}  // namespace lockstep::bounds
