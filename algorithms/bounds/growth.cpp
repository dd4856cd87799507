#include "growth.hpp"

#include <algorithm>
#include <vector>

namespace lockstep::bounds {
namespace {

/// The most processors of any machine that can have the item, cycle by cycle, if its links are limited by number only:
/// then every holder serves `reached` neighbours in every cycle until it has served all but that from which it has the
/// item.
class Growth {
 public:
  Growth(Wide degree_of_origin, Wide most_degree, Wide reached, Wide at_once)
      : left_of_origin_(degree_of_origin),
        reached_(reached),
        full_cycles_((most_degree - 1) / reached),
        reached_last_((most_degree - 1) % reached),
        at_once_(at_once) {}

  Wide next() {
    const Wide by_origin = std::min(left_of_origin_, reached_);
    left_of_origin_ -= by_origin;
    const Wide serving = std::min(by_origin + by_others_, at_once_);
    found_.push_back(serving);
    by_others_ += reached_ * serving - (reached_ - reached_last_) * found_before(full_cycles_) -
                  reached_last_ * found_before(full_cycles_ + 1);
    return holders_ += serving;
  }

 private:
  /// The holders found that number of cycles before the last one; without the origin.
  Wide found_before(Wide cycles) const {
    return cycles < found_.size() - 1 ? found_[found_.size() - 1 - static_cast<std::size_t>(cycles)] : 0;
  }

  Wide left_of_origin_;  // neighbours
  Wide reached_;
  Wide full_cycles_;   // in which a holder serves `reached_` neighbours
  Wide reached_last_;  // those that it serves in the cycle after these
  Wide at_once_;
  Wide holders_ = 1;
  Wide by_others_ = 0;          // those that holders found after the origin serve in the next cycle
  std::vector<Wide> found_{1};  // by cycle
};

}  // namespace

Spreading spread_to(Wide count, const Around& seen, Wide most_degree, Wide reached, Wide at_once) {
  const bool reaches_all = reached >= most_degree;
  Growth growth(seen.degree(), most_degree, reached, at_once);
  Wide within = 1;
  Wide holders = 1;
  Spreading spreading;
  std::uint64_t& cycles = spreading.cycles;
  while (true) {
    const Wide reached_now = std::min(within, reaches_all ? within : holders);
    if (reached_now >= count) break;
    if (cycles > 0) spreading.lacking += count - reached_now;
    ++cycles;
    if (cycles < seen.processors.size()) within += seen.processors[cycles];
    // A line of holders grows for ever; the distances have decided long before.
    if (!reaches_all && holders < count) holders = growth.next();
    if (cycles > seen.eccentricity() && within < count) break;
  }
  return spreading;
}

}  // namespace lockstep::bounds
