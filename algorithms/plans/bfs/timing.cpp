#include "timing.hpp"

#include <algorithm>

#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
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

std::uint64_t fewest_steps(const MachineSpec& machine, const Model& model, std::uint64_t distance) {
  const bool doubles = !sends_on_several_ports(model.ports) && !model.multicast;
  return doubles ? std::max(distance, doublings(machine.processors)) : distance;
}

std::uint64_t fewest_steps_for_all(const MachineSpec& machine, const Model& model) {
  return fewest_steps(machine, model,
                      std::max<std::uint64_t>(middle(machine).distance, facts(machine).diameter.value_or(0)));
}

}  // namespace lockstep::bfs
