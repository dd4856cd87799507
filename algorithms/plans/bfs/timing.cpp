#include "timing.hpp"

#include <algorithm>

#include "method/predicted.hpp"

namespace lockstep::bfs {

void Traffic::add(Cycle cycle, Wide words) {
  if (words == 0) return;
  if (cycle >= longest_.size()) longest_.resize(cycle + 1);
  longest_[cycle] = std::max(longest_[cycle], words);
  shortest_ = messages_ == 0 ? words : std::min(shortest_, words);
  ++messages_;
  words_ += words;
}

Prediction Traffic::prediction(const Model& model, const std::string& steps, const std::string& messages,
                               const std::string& words) const {
  method::StepLengths lengths(model.cost);
  for (const Wide longest : longest_) {
    if (longest > 0) lengths.add(1, longest);
  }
  const bool are_alike = messages_ > 0 && shortest_ * messages_ == words_;
  Prediction prediction =
      method::predicted(lengths, messages_, words_,
                        {steps, messages, words, are_alike ? "steps times the words of a message" : "by the tree"});
  if (are_alike) prediction.message_words = saturated(shortest_);
  return prediction;
}

std::string steps_formula(bool at_once) { return at_once ? "h, the tree's height" : "n(root), what the tree needs"; }

}  // namespace lockstep::bfs
