// Places in and of tori, meshes, rings and paths: side by side, along a path through all processors, or in an order of
// address bits.
#include <array>
#include <bit>

#include "embeddings/embeddings.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/gray_code.hpp"
#include "lockstep/machines/grid.hpp"
#include "lockstep/machines/grid_tours.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep {
namespace {

using RankMap = std::function<Rank(Rank)>;

/// An order of a machine's processors: a number for every rank, and back.
struct ProcessorOrder {
  RankMap number;
  RankMap rank;
};

RankMap same() {
  return [](Rank rank) { return rank; };
}

/// Along a path through all processors: none if none is known here.
std::optional<ProcessorOrder> path_order(const MachineSpec& machine) {
  if (is_hypercube(machine)) return ProcessorOrder{inverse_gray, gray};
  if (!is_grid(machine)) return {};
  const SnakePath path{Grid(machine)};
  return ProcessorOrder{[path](Rank rank) { return path.place(rank); }, [path](Rank place) { return path.at(place); }};
}

/// A coordinate's bits in an address: bit i is bit places[i] of the address.
struct CoordinateBits {
  GridAxis axis;
  std::vector<Port> places;
};

/// The address bits of each coordinate; none if a side is no power of two. In rows, the last coordinate has the lowest;
/// shuffled, the coordinates take turns from the lowest bit on, the last coordinate first.
std::optional<std::vector<CoordinateBits>> address_bits(const Grid& grid, bool is_shuffled) {
  std::vector<CoordinateBits> all;
  Port bits = 0;
  for (const GridAxis& axis : grid.axes()) {
    if (!std::has_single_bit(axis.side())) return {};
    all.push_back({axis, std::vector<Port>(highest_bit(axis.side()))});
    bits += highest_bit(axis.side());
  }
  Port next = 0;
  for (Port round = 0; next < bits; ++round) {
    for (auto one = all.rbegin(); one != all.rend(); ++one) {
      if (!is_shuffled) {
        for (Port& place : one->places) place = next++;
      } else if (round < one->places.size()) {
        one->places[round] = next++;
      }
    }
  }
  return all;
}

Rank address(const std::vector<CoordinateBits>& coordinates, bool is_gray, Rank rank) {
  Rank address = 0;
  for (const CoordinateBits& one : coordinates) {
    const Rank position = one.axis.position(rank);
    const Rank code = is_gray ? gray(position) : position;
    for (Port bit = 0; bit < one.places.size(); ++bit) address |= (code >> bit & 1U) << one.places[bit];
  }
  return address;
}

Rank rank_at(const std::vector<CoordinateBits>& coordinates, bool is_gray, Rank address) {
  Rank rank = 0;
  for (const CoordinateBits& one : coordinates) {
    Rank code = 0;
    for (Port bit = 0; bit < one.places.size(); ++bit) code |= (address >> one.places[bit] & 1U) << bit;
    rank += (is_gray ? inverse_gray(code) : code) * one.axis.stride();
  }
  return rank;
}

/// The order of the addresses that the hypercube of as many processors would have at these places.
std::optional<ProcessorOrder> address_order(const MachineSpec& machine, bool is_gray, bool is_shuffled) {
  if (is_hypercube(machine)) return ProcessorOrder{same(), same()};
  if (!is_grid(machine)) return {};
  const auto bits = address_bits(Grid(machine), is_shuffled);
  if (!bits) return {};
  return ProcessorOrder{[=](Rank rank) { return address(*bits, is_gray, rank); },
                        [=](Rank address) { return rank_at(*bits, is_gray, address); }};
}

/// Gives the guest's processors the host's of the same number, if both have that order.
bool place_in_order(Embedding& made, const std::optional<ProcessorOrder>& guest,
                    const std::optional<ProcessorOrder>& host) {
  if (!guest || !host) return false;
  made.place = [number = guest->number, rank = host->rank](Rank place) { return rank(number(place)); };
  return true;
}

bool place_ring(Embedding& made, const Grid& host) {
  if (made.processors != made.host.processors || !SnakeRing::exists(host)) return false;
  made.place = [ring = SnakeRing(host)](Rank rank) { return ring.at(rank); };
  made.map = "along a ring of all processors, back and forth through all lines and back over their first places";
  made.source = "a Hamiltonian cycle, which a torus has, and a mesh with a side of even length";
  made.is_subgraph = true;
  return true;
}

bool place_side_by_side(Embedding& made, const Grid& guest, const Grid& host) {
  if (guest.dimensions() != host.dimensions()) return false;
  bool is_folded = false;
  std::vector<bool> folds;
  for (std::size_t i = 0; i < guest.dimensions(); ++i) {
    const GridAxis& side = guest.axis(i);
    const GridAxis& of_host = host.axis(i);
    if (side.side() > of_host.side()) return false;
    const bool is_closed = of_host.is_ring() && of_host.side() == side.side();
    folds.push_back(side.is_ring() && side.side() > 2 && !is_closed);
    is_folded = is_folded || folds.back();
  }
  made.place = [guest, host, folds](Rank rank) {
    Rank place = 0;
    for (std::size_t i = 0; i < folds.size(); ++i) {
      const GridAxis& side = guest.axis(i);
      const Rank position = side.position(rank);
      place += (folds[i] ? folded(position, side.side()) : position) * host.axis(i).stride();
    }
    return place;
  };
  made.map = is_folded ? "equal coordinates, those of a ring folded: 0 2 4 .. 5 3 1" : "equal coordinates";
  made.source = is_folded ? "folding a ring, which keeps neighbours within two links" : "the host has these links";
  return true;
}

bool place_hypercube_in_grid(Embedding& made) {
  if (made.processors != made.host.processors) return false;
  if (!place_in_order(made, address_order(*made.machine, true, false), address_order(made.host, true, false))) {
    return false;
  }
  made.map = made.host.parameters.size() == 1 ? "in the order of the Gray code"
                                              : "each coordinate in Gray code, the first from the highest address bits";
  made.source = "the inverse of the grid's embedding in the hypercube (Grama et al. 2003, 2.7.1)";
  return true;
}

/// A torus or mesh where the hypercube's place is known to be that of its links too: through the hypercube.
bool place_through_hypercube(Embedding& made) {
  const MachineSpec& guest = *made.machine;
  if (made.processors != made.host.processors || guest.parameters.size() < 2) return false;
  if (!std::has_single_bit(made.processors)) return false;
  const std::string cube = "hypercube:" + std::to_string(std::bit_width(made.processors) - 1);
  const Embedding outer = placed(cube, made.host, {});
  if (!outer.is_subgraph) return false;
  const Embedding inner = placed(guest.text, *outer.machine, {});
  if (!inner.is_subgraph) return false;
  made.place = [inner = inner.place, outer = outer.place](Rank rank) { return outer(inner(rank)); };
  made.map = "as in " + cube + ", " + inner.map + "; that in the host with " + outer.map;
  made.source = "a ring of 4 is a square: the host holds " + cube;
  made.is_subgraph = true;
  return true;
}

std::string path_name(const MachineSpec& machine) {
  if (is_hypercube(machine)) return "in the order of the Gray code";
  return Grid(machine).dimensions() == 1 ? "along its processors" : "back and forth, line by line";
}

bool place_along(Embedding& made, bool folds_ring) {
  std::optional<ProcessorOrder> guest = path_order(*made.machine);
  if (!place_in_order(made, guest, path_order(made.host))) return false;
  const bool is_ring = made.machine->family == "ring" && made.processors > 2 && folds_ring;
  if (is_ring) {
    guest->number = [length = static_cast<Rank>(made.processors)](Rank rank) { return folded(rank, length); };
    place_in_order(made, guest, path_order(made.host));
  }
  made.map = "the guest " + (is_ring ? "folded: 0 2 4 .. 5 3 1" : path_name(*made.machine)) + "; the host " +
             path_name(made.host);
  made.source = "both along a path of all processors";
  return true;
}

struct MappingOrder {
  const char* name;
  bool (*place)(Embedding& made);
  const char* map;
  const char* needs;  ///< of both machines
};

constexpr const char* power_of_two_sides =
    "a hypercube, or a torus, mesh, ring or path with sides that are powers of 2";

constexpr std::array<MappingOrder, 4> orders{
    {{"row-major",
      [](Embedding& made) {
        made.place = same();
        return true;
      },
      "row-major: equal ranks", ""},
     {"snake", [](Embedding& made) { return place_along(made, false); },
      "snake: both back and forth, line by line (a hypercube in the order of the Gray code)",
      "a torus, mesh, ring, path or hypercube"},
     {"gray",
      [](Embedding& made) {
        return place_in_order(made, address_order(*made.machine, true, false), address_order(made.host, true, false));
      },
      "gray: equal addresses, made of the coordinates in Gray code", power_of_two_sides},
     {"shuffled",
      [](Embedding& made) {
        return place_in_order(made, address_order(*made.machine, false, true), address_order(made.host, false, true));
      },
      "shuffled row-major: equal addresses, in which the coordinates' bits take turns", power_of_two_sides}}};

}  // namespace

bool is_grid(const MachineSpec& machine) {
  return machine.family == "torus" || machine.family == "mesh" || machine.family == "ring" || machine.family == "path";
}

bool place_in_grid(Embedding& made) {
  const Grid host(made.host);
  if (is_hypercube(*made.machine)) return place_hypercube_in_grid(made);
  if (!is_grid(*made.machine)) return false;
  if (made.machine->family == "ring" && place_ring(made, host)) return true;
  return place_side_by_side(made, Grid(*made.machine), host) || place_through_hypercube(made);
}

bool place_along_path(Embedding& made) { return place_along(made, true); }

void place_at_equal_ranks(Embedding& made) {
  made.place = same();
  made.map = "equal ranks";
  made.source = made.machine->family == "complete" ? "any two processors have a shortest way between them"
                                                   : "ranks as they are; no better order is known here";
}

std::vector<std::string> mapping_orders() {
  std::vector<std::string> names;
  for (const MappingOrder& order : orders) names.emplace_back(order.name);
  return names;
}

void place_by_map(Embedding& made, const std::string& map) {
  made.source = "--map";
  for (const MappingOrder& order : orders) {
    if (map != order.name) continue;
    made.map = order.map;
    if (order.place(made)) break;
    throw InputError("--map " + map + " needs two machines of which each is " + order.needs + ", not " +
                     printable(made.machine->text) + " and " + printable(made.host.text));
  }
  if (!made.place) place_from_file(made, map);
}

}  // namespace lockstep
