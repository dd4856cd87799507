#pragma once

#include <cstdint>

namespace lockstep::bench {

/// Watches how much memory this process holds from now on. What earlier runs have freed is given back to the system
/// first, so that everything starts as in a process of its own.
class PeakMemory {
 public:
  PeakMemory();

  /// By how many bytes the resident memory has grown at its highest. Where the system does not forget earlier peaks on
  /// request, by how many it has grown now.
  std::uint64_t growth() const;

 private:
  bool peak_known_;
  std::uint64_t before_;
};

}  // namespace lockstep::bench
