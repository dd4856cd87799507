#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/core/model.hpp"

// Kernel E: recursive-doubling exchange on the n-cube. In step d = 0 .. n-1 every processor exchanges one word with its
// neighbour across dimension d and adds what it gets, so that all end with the sum of the ranks. n 2^n messages.
namespace lockstep::bench {

/// What one run of the kernel took, set-up (allocation, creation of processors and channels) apart from the run.
struct Timing {
  double setup_seconds = 0;
  double run_seconds = 0;
  std::uint64_t resident_bytes = 0;  ///< growth of the resident set
};

// The same data movement four ways. Each throws std::logic_error if a processor ends with a wrong sum.
Timing exchange_lockstep(unsigned dimensions, unsigned threads);
Timing exchange_bare_coroutines(unsigned dimensions, unsigned threads);
Timing exchange_boost_fiber(unsigned dimensions, unsigned threads);
Timing exchange_plain_loop(unsigned dimensions, unsigned threads);

/// Throws std::logic_error unless every value is the sum of all ranks.
void check_sums(const std::vector<Word>& values);

/// Bytes of this process that are resident now.
std::uint64_t resident_bytes();

}  // namespace lockstep::bench
