#pragma once

#include <string>

#include "lockstep/algorithms/method.hpp"
#include "step_lengths.hpp"

namespace lockstep::method {

/// The formulas shown beside the counts.
struct Formulas {
  std::string steps;
  std::string messages;
  std::string words;
  std::string longest_sum;
};
/// The counts of a schedule with the longest messages of all its steps.
Prediction predicted(const StepLengths& lengths, Wide messages, Wide words, Formulas formulas, bool is_exact = true);

}  // namespace lockstep::method
