#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "host/canvas.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::cli::machine {

/// The line of a link, or of its part inside the picture.
struct Strand {
  Rank near = 0;                    ///< where it starts
  Rank far = 0;                     ///< the other end of the link
  std::vector<host::Spot> corners;  ///< from the place of `near` on, joined by vertical, level or diagonal lines
  bool leaves = false;              ///< it ends at the edge of the picture, not at the place of `far`
};

/// The places of a machine's processors and links.
struct MachineDrawing {
  std::vector<host::Spot> places;  ///< the middle of each label, by rank
  std::vector<Strand> strands;     ///< the farthest from the viewer first
};

/// The available room: labels of `label` columns, and `gap` columns between neighbours in a row, two of which stay
/// free. Rows are folded to at most `width` columns where possible.
struct Room {
  int label = 1;
  int gap = 5;
  int width = 80;

  int before() const { return (label - 1) / 2; }  ///< columns of a label to the left of its middle
  int behind() const { return label / 2; }
  int pitch() const { return label + gap; }
};

/// A drawing of a machine with links; empty if characters cannot show it.
std::optional<MachineDrawing> drawing_of(const MachineSpec& spec, const Room& room);

}  // namespace lockstep::cli::machine
