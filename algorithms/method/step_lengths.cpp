#include "step_lengths.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockstep::method {
namespace {

/// The sum over i = 0 .. count-1 of floor((factor i + offset) / divisor): the points of a grid below a line. Whole rows
/// are counted first, then rows and columns are swapped, as in Euclid's algorithm.
Wide sum_of_floors(Wide count, Wide factor, Wide offset, Wide divisor) {
  Wide sum = 0;
  while (count > 0) {
    sum += count * (count - 1) / 2 * (factor / divisor) + count * (offset / divisor);
    factor %= divisor;
    const Wide end = factor * count + offset % divisor;
    count = end / divisor;
    offset = end % divisor;
    std::swap(factor, divisor);
  }
  return sum;
}

}  // namespace

void StepLengths::add(Wide steps, Wide words) {
  steps_ += steps;
  sum_ += steps * words;
  startups_ += packet_ == 0 ? steps : steps * std::max<Wide>((words + packet_ - 1) / packet_, 1);
}

void StepLengths::add_multiples(Wide count, Wide words) {
  steps_ += count;
  sum_ += count * (count + 1) / 2 * words;
  // ceil(x/B) = floor((x + B-1)/B); for 0 words that is 0, and adds nothing.
  startups_ += packet_ == 0 ? count : sum_of_floors(count + 1, words, packet_ - 1, packet_);
}

std::optional<std::uint64_t> StepLengths::startups() const {
  if (startups_ > std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
  return static_cast<std::uint64_t>(startups_);
}

}  // namespace lockstep::method
