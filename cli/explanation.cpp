#include "explanation.hpp"

#include <algorithm>

#include "explanations/lists.hpp"
#include "host/joined.hpp"

namespace lockstep::cli {

const std::vector<Explanation>& explanations() {
  static const std::vector<Explanation> all = [] {
    std::vector<Explanation> joined;
    for (const std::vector<Explanation>* list : explanation_lists()) {
      joined.insert(joined.end(), list->begin(), list->end());
    }
    return joined;
  }();
  return all;
}

const Explanation* explanation_of(const Method& method) {
  const std::string families = joined(method.families);
  const auto& all = explanations();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Explanation& one) {
    return one.method == method.name && (one.families.empty() || one.families == families);
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace lockstep::cli
