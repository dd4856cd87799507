#include "growth.hpp"

#include <algorithm>
#include <vector>

namespace lockstep::bounds {
namespace {

/// The most processors of any machine that can have the item, cycle by cycle, if its links are limited by number only:
/// then every holder serves a neighbour in every cycle until it has served all but that from which it has the item.
class Growth {
 public:
  Growth(Wide degree_of_origin, Wide most_degree, Wide at_once)
      : degree_of_origin_(degree_of_origin), most_degree_(most_degree), at_once_(at_once) {}

  Wide next() {
    const std::size_t cycle = found_.size();
    const Wide serving = std::min((cycle <= degree_of_origin_ ? 1U : 0U) + still_serving_, at_once_);
    found_.push_back(serving);
    still_serving_ += serving;
    const Wide neighbours = most_degree_ - 1;
    if (cycle > neighbours) still_serving_ -= found_[cycle - static_cast<std::size_t>(neighbours)];
    return holders_ += serving;
  }

 private:
  Wide degree_of_origin_;
  Wide most_degree_;
  Wide at_once_;
  Wide holders_ = 1;
  Wide still_serving_ = 0;      // those found after the origin that have a neighbour to serve
  std::vector<Wide> found_{1};  // by cycle
};

}  // namespace

std::uint64_t cycles_to_reach(Wide count, const Around& seen, Wide most_degree, bool one_at_a_time, Wide at_once) {
  Growth growth(seen.degree(), most_degree, at_once);
  Wide within = 1;
  Wide holders = 1;
  std::uint64_t cycles = 0;
  while (std::min(within, one_at_a_time ? holders : within) < count) {
    ++cycles;
    if (cycles < seen.processors.size()) within += seen.processors[cycles];
    // A line of holders grows for ever; the distances have decided long before.
    if (one_at_a_time && holders < count) holders = growth.next();
    if (cycles > seen.eccentricity() && within < count) break;
  }
  return cycles;
}

}  // namespace lockstep::bounds
