#pragma once

#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/schedule.hpp"
#include "lockstep/machines/fraction.hpp"

// Total exchanges with all ports, as lists of moves, and their products (dimakopoulos.md, All ports). Nodes of products
// are tuples, the first coordinate most significant; a message takes a shortest path, and a link carries one message in
// either direction a step.
namespace lockstep::alltoall {

/// A total exchange among nodes 0 .. nodes-1.
struct TotalExchange {
  Rank nodes = 1;
  MoveSteps steps{};
};

/// A factor whose neighbours depend on differences alone: a ring, neighbours i and i +- 1, or a complete graph.
struct CyclicSide {
  Rank nodes;
  bool is_ring;
};

/// A product of rings and complete graphs: optimal. Sides of two are complete.
TotalExchange cyclic_exchange(const std::vector<CyclicSide>& sides);
/// Steps of cyclic_exchange(): the most that a dimension's links have to carry, or the diameter if it is more.
Wide steps_of_cyclic(const std::vector<CyclicSide>& sides);

/// Any Cayley graph, of one of cayley_families(), by a planner that keeps all generators at work in every step as far
/// as it can. Takes time in proportion to the steps, the diameter and the sets of generators that lead nearer.
TotalExchange cayley_exchange(const MachineSpec& machine);
/// Steps of cayley_exchange().
Wide steps_of_cayley(const MachineSpec& machine);
/// The most nodes of a Cayley graph for which these functions are quick.
inline constexpr std::uint64_t most_planned_elements = 8192;

/// A path: floor(m^2/4) steps, which is optimal.
TotalExchange path_exchange(Rank m);

/// The product of that many equal factors, at least one, of m nodes and T steps: m^(factors-1) T steps.
TotalExchange power_exchange(const TotalExchange& factor, unsigned factors);

/// The two phases in which the product of A (n_A nodes, T_A steps) and B is exchanged: A has `first_of_a` rounds in
/// phase 1, B `first_of_b`.
struct PhaseSplit {
  Wide first_of_a = 0;
  Wide first_of_b = 0;
  Wide first_steps = 0;  ///< of phase 1
  Wide steps = 0;        ///< of both
};

/// The split with the fewest steps; both factors have two nodes or more.
PhaseSplit phase_split(Wide nodes_of_a, Wide steps_of_a, Wide nodes_of_b, Wide steps_of_b);

/// The product of A and B by phase_split().
TotalExchange two_phase_exchange(const TotalExchange& a, const TotalExchange& b);

}  // namespace lockstep::alltoall
