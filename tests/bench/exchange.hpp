#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/process.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::bench {

/// Kernel E: a recursive-doubling exchange on a hypercube, after which every value is the sum of all ranks.
inline Process exchange(Processor<Word>& self, Word& value) {
  value = self.rank();
  for (Port dimension = 0; dimension < self.ports(); ++dimension) {
    value += co_await self.exchange(dimension, value);
  }
}

/// Throws std::logic_error unless every value is the sum of all ranks, the result of kernel E.
inline void check_sums(const std::vector<Word>& values) {
  const Word size = values.size();
  const Word sum = size * (size - 1) / 2;
  if (!std::all_of(values.begin(), values.end(), [sum](Word value) { return value == sum; })) {
    throw std::logic_error("a processor ended with a wrong sum");
  }
}

}  // namespace lockstep::bench
