#pragma once

#include <cstddef>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep {

/// Ranks as tuples of coordinates, the first coordinate most significant (dimakopoulos.md, Conventions).
///
///      sides 3 x 4:         second coordinate
///                            0   1   2   3
///      first coordinate  0   0   1   2   3
///                        1   4   5   6   7      rank 6 = (1,2) = 1 * 4 + 2 * 1
///                        2   8   9  10  11      strides 4, 1
class MixedRadix {
 public:
  /// Throws std::invalid_argument if a side is 0 or the product of the sides exceeds most_processors.
  explicit MixedRadix(std::vector<Rank> sides);

  /// How many coordinates there are.
  std::size_t dimensions() const { return sides_.size(); }
  /// Product of the sides; 1 if there are none.
  Rank size() const { return size_; }
  /// The values of that coordinate are 0 to side - 1.
  Rank side(std::size_t dimension) const { return sides_[dimension]; }
  /// The increase of the rank per step in the dimension.
  Rank stride(std::size_t dimension) const { return strides_[dimension]; }

  /// One coordinate of a rank.
  Rank digit(Rank rank, std::size_t dimension) const { return rank / strides_[dimension] % sides_[dimension]; }
  /// All coordinates of a rank below size().
  std::vector<Rank> digits(Rank rank) const;
  /// The rank of the coordinates: one per dimension, each below its side.
  Rank rank(const std::vector<Rank>& digits) const;
  /// The rank with one coordinate replaced.
  Rank with_digit(Rank rank, std::size_t dimension, Rank digit) const {
    return rank - this->digit(rank, dimension) * strides_[dimension] + digit * strides_[dimension];
  }

 private:
  std::vector<Rank> sides_;
  std::vector<Rank> strides_;
  Rank size_ = 1;
};

}  // namespace lockstep
