#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/settings.hpp"
#include "lockstep/core/model.hpp"

// The arithmetic that reductions and scans are charged: an operation for every word that is combined.
namespace lockstep::operands {

/// The most operations of a processor in every cycle, for schedules whose processors are counted one after the other.
class MostOperations {
 public:
  /// Charges the processor in that cycle. The cycles of one processor do not descend.
  void charge(Cycle cycle, Wide operations);
  /// The next charge is that of another processor.
  void next_processor();
  /// Over all cycles; the last processor has been ended by next_processor().
  Wide sum() const;

 private:
  std::vector<Wide> most_;  // by cycle
  Cycle cycle_ = 0;         // of the processor's last charge
  Wide charged_ = 0;        // to the processor in that cycle
};

/// The most steps that a prediction looks at one by one.
inline constexpr Wide most_counted = Wide{1} << 22;

/// Fills in the operations of all processors and, where they are known, the most of one in every cycle, summed. The
/// strings of concat are appended without arithmetic.
void predict_operations(const Settings& settings, Wide all, std::string formula, std::optional<Wide> most,
                        Prediction& prediction);

}  // namespace lockstep::operands
