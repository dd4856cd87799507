#include "lockstep/core/processes.hpp"

#include <algorithm>
#include <stdexcept>

namespace lockstep {

Placement::Placement(std::vector<std::uint32_t> owners, unsigned processes)
    : owners_(std::move(owners)), processors_(static_cast<Rank>(owners_.size())), processes_(processes) {
  const auto none = std::ranges::find_if(owners_, [&](std::uint32_t owner) { return owner >= processes; });
  if (none != owners_.end()) {
    throw std::invalid_argument("rank " + std::to_string(none - owners_.begin()) + " belongs to process " +
                                std::to_string(*none) + " of " + std::to_string(processes));
  }
  counts_.resize(processes);
  places_.reserve(owners_.size());
  for (const std::uint32_t owner : owners_) places_.push_back(counts_[owner]++);
}

}  // namespace lockstep
