#pragma once

#include <span>
#include <string>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::cli::learn {

/// A message that moves now. One of its ends may be memory_rank.
struct PictureLink {
  Rank from;
  Rank to;
};

/// The machine as one would draw it on a board, in at most so many columns; empty if it does not fit, or nobody would
/// draw it. Processors are their labels, by rank; without labels their ranks. Links on which something moves are heavy
/// lines with arrows; a line that leaves the picture comes back on the other side. A cube of four dimensions is a grid
/// of four by four with the two halves of an address in the order of the Gray code, so that every link is a line
/// between neighbours or leaves the picture. Machines for which there is no drawing are places without lines.
///
///          6 ─────── 7
///         ╱│        ╱│
///        ╱ │       ╱ │        here 0 sends to 4, and 2 and 3 exchange
///       4 ─────── 5  │
///       ▲  │      │  │
///       ┃  2 ◀━━━━━▶ 3
///       ┃ ╱       │ ╱
///       ┃╱        │╱
///       0 ─────── 1
std::string machine_picture(const MachineSpec& spec, std::span<const PictureLink> active,
                            std::span<const std::string> labels, std::size_t width);

}  // namespace lockstep::cli::learn
