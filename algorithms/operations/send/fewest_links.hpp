#pragma once

#include "paths.hpp"

namespace lockstep::send {

/// The most processors among which fewest_links() looks for paths.
inline constexpr std::uint64_t most_planned = std::uint64_t{1} << 20;

/// The largest number of paths between two ranks without a common link, with the fewest links together: no other such
/// set has fewer. Where two of them meet they go on so that the longer is as short as can be. In the order of their
/// lengths; none if the ranks are the same. Throws InputError if the machine has more than `most_planned` processors.
std::vector<Path> fewest_links(const MachineSpec& machine, Rank from, Rank to);

}  // namespace lockstep::send
