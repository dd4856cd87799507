#include "machine_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "lockstep/machines/gray_code.hpp"
#include "lockstep/machines/layout.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::cli::machine {
namespace {

void join(MachineDrawing& drawing, Rank a, Rank b) {
  drawing.strands.push_back({a, b, {drawing.places[a], drawing.places[b]}});
}

/// A line from a processor out of the picture: the link to the processor at the opposite end.
void leave(MachineDrawing& drawing, Rank near, Rank far, int right, int down) {
  const host::Spot from = drawing.places[near];
  drawing.strands.push_back({near, far, {from, {from.x + right, from.y + down}}, true});
}

void join_around(MachineDrawing& drawing, Rank right, Rank left, const Room& room, int letters) {
  leave(drawing, right, left, room.behind() + 1 + letters, 0);
  leave(drawing, left, right, -room.before() - 1 - letters, 0);
}

void join_around(MachineDrawing& drawing, Rank lower, Rank upper) {
  leave(drawing, lower, upper, 0, 1);
  leave(drawing, upper, lower, 0, -1);
}

/// One direction of a grid: its coordinates in drawing order.
struct DrawnSide {
  std::vector<Rank> order;
  bool is_closed = false;  ///< a link joins the last to the first
};

DrawnSide side_of(const MachineSpec& factor) {
  DrawnSide side;
  for (Rank place = 0; place < factor.processors; ++place) side.order.push_back(place);
  side.is_closed = factor.family == "ring" && factor.processors > 2;
  return side;
}

/// The coordinates of two dimensions of a cube.
DrawnSide gray_side(unsigned dimensions) {
  DrawnSide side;
  for (Rank place = 0; place < Rank{1} << dimensions; ++place) side.order.push_back(gray(place));
  side.is_closed = dimensions > 1;
  return side;
}

/// Rank = row * columns + column.
MachineDrawing grid(const DrawnSide& rows, const DrawnSide& columns, const Room& room) {
  const std::size_t height = rows.order.size();
  const std::size_t breadth = columns.order.size();
  const auto rank = [&](std::size_t row, std::size_t column) {
    return static_cast<Rank>(rows.order[row] * breadth + columns.order[column]);
  };
  MachineDrawing drawing;
  drawing.places.resize(height * breadth);
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < breadth; ++column) {
      drawing.places[rank(row, column)] = {static_cast<int>(column) * room.pitch(), 2 * static_cast<int>(row)};
    }
  }
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column + 1 < breadth; ++column) {
      join(drawing, rank(row, column), rank(row, column + 1));
    }
    if (columns.is_closed) join_around(drawing, rank(row, breadth - 1), rank(row, 0), room, room.gap / 2);
  }
  for (std::size_t column = 0; column < breadth; ++column) {
    for (std::size_t row = 0; row + 1 < height; ++row) join(drawing, rank(row, column), rank(row + 1, column));
    if (rows.is_closed) join_around(drawing, rank(height - 1, column), rank(0, column));
  }
  return drawing;
}

/// Processors in the order of a tour, to the right and back again, line after line; or in one line if it fits.
MachineDrawing folded_path(const MachineSpec& spec, const Room& room) {
  const auto processors = static_cast<int>(spec.processors);
  const int breadth = std::clamp((room.width + room.gap) / room.pitch(), 1, processors);
  MachineDrawing drawing;
  for (int rank = 0; rank < processors; ++rank) {
    const int row = rank / breadth;
    const int place = rank % breadth;
    drawing.places.push_back({(row % 2 == 0 ? place : breadth - 1 - place) * room.pitch(), 2 * row});
  }
  for (Rank rank = 0; rank + 1 < spec.processors; ++rank) join(drawing, rank, rank + 1);
  return drawing;
}

/// A tour around a machine whose processors all have two links, in order; empty if it is not one ring.
std::vector<Rank> loop_of(const MachineSpec& spec) {
  const Wiring wiring = lockstep::wiring(spec);
  std::vector<Rank> tour{0};
  Rank before = 0;
  while (tour.size() <= spec.processors) {
    std::vector<Rank> next;
    for (Port port = 0; port < spec.ports; ++port) {
      if (const End there = wiring(tour.back(), port)) next.push_back(there.rank);
    }
    if (next.size() != 2) return {};
    const Rank on = tour.size() == 1 || next[0] != before ? next[0] : next[1];
    if (on == 0) break;
    before = tour.back();
    tour.push_back(on);
  }
  return tour.size() == spec.processors ? tour : std::vector<Rank>{};
}

/// Half of the tour to the right, the other half back below.
MachineDrawing loop(const std::vector<Rank>& tour, const Room& room) {
  const std::size_t breadth = (tour.size() + 1) / 2;
  MachineDrawing drawing;
  drawing.places.resize(tour.size());
  for (std::size_t place = 0; place < tour.size(); ++place) {
    const std::size_t column = place < breadth ? place : tour.size() - 1 - place;
    drawing.places[tour[place]] = {static_cast<int>(column) * room.pitch(), place < breadth ? 0 : 2};
  }
  for (std::size_t place = 0; place + 1 < tour.size(); ++place) {
    const host::Spot from = drawing.places[tour[place]];
    const host::Spot to = drawing.places[tour[place + 1]];
    const bool is_slanted = from.x != to.x && from.y != to.y;  // at the right end of a loop of odd length
    if (is_slanted) {
      drawing.strands.push_back({tour[place], tour[place + 1], {from, {from.x, to.y}, to}});
    } else {
      join(drawing, tour[place], tour[place + 1]);
    }
  }
  join(drawing, tour.back(), tour.front());
  return drawing;
}

/// Bit 0 goes right, bit 1 into the page, bit 2 up.
MachineDrawing skewed_cube(const Room& room) {
  const int depth = 3 + room.before();  // keeps arrows beside a label clear of the vertical line before it
  const int across = std::max(room.label + 8, 10);
  const int up = depth + 2;
  MachineDrawing drawing;
  for (int rank = 0; rank < 8; ++rank) {
    const int right = rank & 1;
    const int inwards = rank >> 1 & 1;
    const int high = rank >> 2;
    drawing.places.push_back({right * across + inwards * depth, -high * up - inwards * depth});
  }
  for (const auto& [a, b] : {std::pair<Rank, Rank>{2, 6},
                             {2, 3},
                             {3, 7},
                             {6, 7},
                             {0, 2},
                             {1, 3},
                             {4, 6},
                             {5, 7},
                             {0, 4},
                             {4, 5},
                             {0, 1},
                             {1, 5}}) {
    join(drawing, a, b);
  }
  return drawing;
}

/// A square with both diagonals.
MachineDrawing crossed_square(const Room& room) {
  const int side = std::max(6, room.label + 4);
  MachineDrawing drawing{.places = {{0, 0}, {side, 0}, {0, side}, {side, side}}, .strands = {}};
  for (Rank a = 0; a < 4; ++a) {
    for (Rank b = a + 1; b < 4; ++b) join(drawing, a, b);
  }
  return drawing;
}

/// RH(2,1) and RH(2,2): square building blocks, placed as a square or as a grid of four by four. A block of RH(2,2) has
/// one link to each side. Nodes 0 and 1 are on the sides of their links, right and left; so is one of 2 and 3, and the
/// link of the other passes its neighbour, as in RH(2,1), whose left half is:
///
///     ┌─ 2 ── 0 ────
///     │  │    │
///     │  3 ── 1 ────
///     │  │
///     │  11 ─ 9 ────
///     │  │    │
///     └─ 10 ─ 8 ────
class DrawnBlocks {
 public:
  DrawnBlocks(unsigned dimensions, const Room& room)
      : bits_(dimensions / 2), room_(room), blocks_(Rank{1} << dimensions) {
    inner_ = room.label + 3;
    outer_ = room.label + (bits_ == 1 ? room.gap : 8);
    place_nodes();
    for (Rank block = 0; block < blocks_; ++block) {
      for (const auto& [a, b] : {std::pair<Rank, Rank>{0, 1}, {0, 2}, {1, 3}, {2, 3}}) {
        join(drawing_, 4 * block + a, 4 * block + b);
      }
    }
    for (Rank block = 0; block < blocks_; ++block) join_blocks(block);
  }

  MachineDrawing drawing() && { return std::move(drawing_); }

 private:
  Rank row(Rank block) const { return inverse_gray(block >> bits_); }
  Rank column(Rank block) const { return inverse_gray(block & ((Rank{1} << bits_) - 1)); }

  /// The node whose link leaves the block to the right is at the right; the one whose link goes down is below.
  void place_nodes() {
    for (Rank block = 0; block < blocks_; ++block) {
      const int x = static_cast<int>(column(block)) * (inner_ + outer_);
      const int y = static_cast<int>(row(block)) * 4;
      for (Rank node = 0; node < 4; ++node) {
        const bool is_first = bits_ == 1 ? (node & 2U) == 0 : (node & 1U) == 0;
        const bool is_second = bits_ == 1 ? (node & 1U) == 1 : (node & 2U) != 0;
        const bool at_right = is_first == (column(block) % 2 == 0);
        const bool is_low = is_second == (row(block) % 2 == 0);
        drawing_.places.push_back({x + (at_right ? inner_ : 0), y + (is_low ? 2 : 0)});
      }
    }
  }

  void join_blocks(Rank block) {
    for (Rank node = 0; node < 4; ++node) {
      const unsigned dimension = bits_ == 1 ? node >> 1U : node;
      const Rank other = block ^ (Rank{1} << dimension);
      const Rank a = 4 * block + node;
      const Rank b = 4 * other + node;
      const bool is_level = dimension < bits_;
      const Rank from = is_level ? column(block) : row(block);
      const Rank to = is_level ? column(other) : row(other);
      if (from > to) continue;
      const bool goes_round = to - from > 1;
      if (is_level && !goes_round) join(drawing_, a, b);
      if (is_level && goes_round) join_around(drawing_, b, a, room_, 4);
      if (!is_level) join_upright(a, b, goes_round);
    }
  }

  /// Links of nodes on the far side of their block pass the node in their way.
  void join_upright(Rank upper, Rank lower, bool goes_round) {
    const host::Spot from = drawing_.places[upper];
    const host::Spot to = drawing_.places[lower];
    const bool is_free = (from.y % 4 != 0) != goes_round;
    if (is_free && !goes_round) return join(drawing_, upper, lower);
    if (is_free) return join_around(drawing_, lower, upper);
    const bool at_right = from.x % (inner_ + outer_) != 0;
    const int aside = from.x + (at_right ? room_.behind() + 3 : -room_.before() - 3);
    if (!goes_round) {
      drawing_.strands.push_back({upper, lower, {from, {aside, from.y}, {aside, to.y}, to}});
      return;
    }
    drawing_.strands.push_back({upper, lower, {from, {aside, from.y}, {aside, -1}}, true});
    drawing_.strands.push_back(
        {lower, upper, {to, {aside, to.y}, {aside, static_cast<int>(blocks_ >> bits_) * 4 - 1}}, true});
  }

  unsigned bits_;  // dimensions that lead to the right or left, and as many up or down
  Room room_;
  Rank blocks_;
  int inner_ = 0;  // columns from node to node within a block
  int outer_ = 0;  // and between blocks
  MachineDrawing drawing_;
};

/// The family's usual places of processors, without lines; empty if two labels would touch.
std::optional<MachineDrawing> places_alone(const MachineSpec& spec, const Room& room) {
  MachineDrawing drawing;
  std::set<std::pair<int, int>> taken;
  for (const Position& at : layout(spec)) {
    const host::Spot place{static_cast<int>(std::lround(at.x * room.pitch())),
                           static_cast<int>(std::lround(-at.y * 2))};
    for (int x = place.x - room.label; x <= place.x + room.label; ++x) {
      if (taken.contains({x, place.y})) return std::nullopt;
    }
    taken.insert({place.x, place.y});
    drawing.places.push_back(place);
  }
  return drawing;
}

bool is_line(const MachineSpec& factor) { return factor.family == "path" || factor.family == "ring"; }

}  // namespace

std::optional<MachineDrawing> drawing_of(const MachineSpec& spec, const Room& room) {
  const std::string& family = spec.family;
  if (spec.processors == 1) return MachineDrawing{.places = {{0, 0}}, .strands = {}};
  if (family == "path") return folded_path(spec, room);
  if (spec.factors.size() == 2 && std::ranges::all_of(spec.factors, is_line)) {
    return grid(side_of(spec.factors[0]), side_of(spec.factors[1]), room);
  }
  const bool is_reduced = family == "rh";
  const bool is_cube = family == "hypercube" || (is_reduced && spec.parameters[1] == 0);
  if (is_cube && spec.processors == 8) return skewed_cube(room);
  if (is_cube && spec.processors == 16) return grid(gray_side(2), gray_side(2), room);
  if (is_cube && spec.processors == 4) return grid(gray_side(1), gray_side(1), room);
  if (is_reduced && spec.parameters[0] == 2) return DrawnBlocks(1U << spec.parameters[1], room).drawing();
  if (family == "complete" && spec.processors == 4) return crossed_square(room);
  if (spec.processors == 2) {
    return MachineDrawing{.places = {{0, 0}, {room.pitch(), 0}}, .strands = {{0, 1, {{0, 0}, {room.pitch(), 0}}}}};
  }
  if (const std::vector<Rank> tour = loop_of(spec); !tour.empty()) return loop(tour, room);
  return places_alone(spec, room);
}

}  // namespace lockstep::cli::machine
