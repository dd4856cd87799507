#include "predicted_operations.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "lockstep/algorithms/operation/operands.hpp"

namespace lockstep::operands {

void MostOperations::charge(Cycle cycle, Wide operations) {
  if (cycle != cycle_) next_processor();
  cycle_ = cycle;
  charged_ += operations;
}

void MostOperations::next_processor() {
  const Wide charged = std::exchange(charged_, 0);
  if (charged == 0) return;
  if (cycle_ >= most_.size()) most_.resize(cycle_ + 1);
  most_[cycle_] = std::max(most_[cycle_], charged);
}

Wide MostOperations::sum() const {
  Wide sum = 0;
  for (const Wide most : most_) sum += most;
  return sum;
}

void predict_operations(const Settings& settings, Wide all, std::string formula, std::optional<Wide> most,
                        Prediction& prediction) {
  if (is_concat(settings)) {
    prediction.most_operations = 0;
    return;
  }
  prediction.operations = exact_count(all, std::move(formula));
  if (most && *most <= std::numeric_limits<std::uint64_t>::max()) {
    prediction.most_operations = static_cast<std::uint64_t>(*most);
  }
}

}  // namespace lockstep::operands
