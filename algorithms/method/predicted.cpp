#include "predicted.hpp"

#include <optional>
#include <utility>

namespace lockstep::method {

Prediction predicted(const StepLengths& lengths, Wide messages, Wide words, Formulas formulas, bool is_exact) {
  if (lengths.steps() == 0) formulas = {"0", "0", "0", "0"};
  std::optional<Count> longest_sum = exact_count(lengths.sum(), std::move(formulas.longest_sum));
  if (longest_sum) longest_sum->exact = is_exact;
  return {.steps = exact_count(lengths.steps(), std::move(formulas.steps)),
          .messages = exact_count(messages, std::move(formulas.messages)),
          .words = exact_count(words, std::move(formulas.words)),
          .longest_sum = std::move(longest_sum),
          .longest_startups = is_exact ? lengths.startups() : std::nullopt};
}

}  // namespace lockstep::method
