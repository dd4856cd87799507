#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "host/canvas.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::cli::machine {

/// A line that stands for a link, or for the part of one on this side of the picture's edge.
struct Strand {
  Rank near = 0;                    ///< where it starts
  Rank far = 0;                     ///< the other end of the link
  std::vector<host::Spot> corners;  ///< from the place of `near` on; lines between them are upright, level or diagonal
  bool leaves = false;              ///< it ends at the edge of the picture instead of at the place of `far`
};

/// Where the processors and links of a machine are drawn.
struct Drawing {
  std::vector<host::Spot> places;  ///< the middle of each label, by rank
  std::vector<Strand> strands;     ///< what is farther from the beholder first
};

/// How much room there is: labels of `label` columns, and `gap` columns between neighbours in a row, two of which stay
/// free. Lines are folded, where they can be, so that they have no more than `width` columns.
struct Room {
  int label = 1;
  int gap = 5;
  int width = 80;

  int before() const { return (label - 1) / 2; }  ///< columns of a label that are left of its middle
  int behind() const { return label / 2; }
  int pitch() const { return label + gap; }
};

/// A drawing of a machine with links; none if nobody would draw it with a few letters.
std::optional<Drawing> drawing_of(const MachineSpec& spec, const Room& room);

}  // namespace lockstep::cli::machine
