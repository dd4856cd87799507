#include "lockstep/machines/mixed_radix.hpp"

#include <cassert>
#include <cstdint>
#include <stdexcept>

#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

MixedRadix::MixedRadix(std::vector<Rank> sides) : sides_(std::move(sides)), strides_(sides_.size()) {
  std::uint64_t size = 1;
  for (std::size_t dimension = sides_.size(); dimension-- > 0;) {
    strides_[dimension] = static_cast<Rank>(size);
    size *= sides_[dimension];
    if (size == 0 || size > most_processors) {
      throw std::invalid_argument("sides of mixed radix: each at least 1, their product at most " +
                                  std::to_string(most_processors));
    }
  }
  size_ = static_cast<Rank>(size);
}

std::vector<Rank> MixedRadix::digits(Rank rank) const {
  assert(rank < size_);
  std::vector<Rank> result(sides_.size());
  for (std::size_t dimension = 0; dimension < sides_.size(); ++dimension) result[dimension] = digit(rank, dimension);
  return result;
}

Rank MixedRadix::rank(const std::vector<Rank>& digits) const {
  assert(digits.size() == sides_.size());
  Rank result = 0;
  for (std::size_t dimension = 0; dimension < sides_.size(); ++dimension) {
    assert(digits[dimension] < sides_[dimension]);
    result += digits[dimension] * strides_[dimension];
  }
  return result;
}

}  // namespace lockstep
