#pragma once

#include "paths.hpp"

namespace lockstep::send {

/// The most processors among which fewest_links() looks for paths.
inline constexpr std::uint64_t most_planned = std::uint64_t{1} << 20;

/// As many paths between two ranks as there are without a common link, with the fewest links together: no such set has
/// fewer. Where two of them meet they go on so that the longer is as short as can be. In the order of their lengths;
/// none if the ranks are the same. Throws InputError if the machine has more processors than that.
std::vector<Path> fewest_links(const MachineSpec& machine, Rank from, Rank to);

}  // namespace lockstep::send
