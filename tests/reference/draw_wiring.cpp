#include <algorithm>
#include <numeric>

#include "draw.hpp"
#include "shapes.hpp"

namespace lockstep::reference {

namespace {

struct Edge {
  Rank a;
  Rank b;
};

void shuffle(Dice& dice, std::vector<Port>& ports) {
  for (std::size_t left = ports.size(); left > 1; --left) std::swap(ports[left - 1], ports[dice.below(left)]);
}

/// Gives each end of every edge a port: any that is free, so that the numbers have gaps and follow no pattern.
Wiring wire_at_random(Dice& dice, Rank processors, const std::vector<Edge>& edges) {
  std::vector<Port> degrees(processors, 0);
  for (const Edge& edge : edges) {
    ++degrees[edge.a];
    ++degrees[edge.b];
  }
  const Port ports = *std::max_element(degrees.begin(), degrees.end()) + static_cast<Port>(dice.below(3));
  std::vector<Port> all(ports);
  std::iota(all.begin(), all.end(), Port{0});
  std::vector<std::vector<Port>> left(processors, all);
  for (auto& free : left) shuffle(dice, free);
  Wiring wiring(processors, std::vector<End>(ports));
  for (const Edge& edge : edges) {
    const Port port_a = left[edge.a].back();
    const Port port_b = left[edge.b].back();
    left[edge.a].pop_back();
    left[edge.b].pop_back();
    wiring[edge.a][port_a] = {edge.b, port_b};
    wiring[edge.b][port_b] = {edge.a, port_a};
  }
  return wiring;
}

std::vector<Edge> random_graph(Dice& dice, Rank processors) {
  std::vector<Edge> edges;
  const bool connected = dice.chance(85);
  for (Rank rank = 1; rank < processors; ++rank) {
    if (connected || dice.chance(70)) edges.push_back({static_cast<Rank>(dice.below(rank)), rank});
  }
  for (auto more = dice.below(processors + 1); more > 0 && processors > 1; --more) {
    const auto a = static_cast<Rank>(dice.below(processors));
    const auto b = static_cast<Rank>((a + dice.between(1, processors - 1)) % processors);
    edges.push_back({a, b});
  }
  return edges;
}

std::vector<Edge> star_of(Rank processors) {
  std::vector<Edge> edges;
  for (Rank leaf = 1; leaf < processors; ++leaf) edges.push_back({0, leaf});
  return edges;
}

std::vector<Edge> all_to_all(Rank processors) {
  std::vector<Edge> edges;
  for (Rank a = 0; a < processors; ++a) {
    for (Rank b = a + 1; b < processors; ++b) edges.push_back({a, b});
  }
  return edges;
}

/// The largest hypercube within the given number of processors.
Wiring cube_of(Rank processors) {
  Port dimensions = 0;
  while (Rank{2} << dimensions <= processors) ++dimensions;
  return cube(dimensions);
}

}  // namespace

Wiring draw_wiring(Dice& dice, Rank processors) {
  switch (dice.below(8)) {
    case 0:
    case 1:
      return ring(processors);
    case 2:
      return cube_of(processors);
    case 3:
      return wire_at_random(dice, processors, star_of(processors));
    case 4:
      if (processors <= 10) return wire_at_random(dice, processors, all_to_all(processors));
      break;
    default:
      break;
  }
  return wire_at_random(dice, processors, random_graph(dice, processors));
}

}  // namespace lockstep::reference
