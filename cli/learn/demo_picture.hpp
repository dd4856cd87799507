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

/// The machine as drawn on a board, in at most that many columns; empty if it does not fit or cannot be drawn well.
/// Processors are shown by their labels, by rank; without labels by their ranks. Links that carry messages are heavy
/// lines with arrows; a line that leaves the picture continues on the other side. A cube of four dimensions is a grid
/// of four by four with the two halves of an address in Gray code order, so that every link joins neighbours or leaves
/// the picture. Machines without a drawing are shown as places without lines.
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
