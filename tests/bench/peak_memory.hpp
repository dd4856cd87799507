#pragma once

#include <cstdint>

namespace lockstep::bench {

/// Watches the memory that this process holds from now on. Memory freed by earlier runs is returned to the system
/// first, so that each run starts as in a new process.
class PeakMemory {
 public:
  PeakMemory();

  /// The growth of the resident memory at its peak, in bytes. Where the system cannot reset earlier peaks, the present
  /// growth.
  std::uint64_t growth() const;

 private:
  bool peak_known_;
  std::uint64_t before_;
};

}  // namespace lockstep::bench
