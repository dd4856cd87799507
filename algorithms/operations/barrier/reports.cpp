#include "reports.hpp"

#include <utility>

namespace lockstep::barrier {
namespace {

void resolve_arrivals(const MachineSpec&, const Model&, Settings& settings) { arrivals_parameter.resolve(settings); }

}  // namespace

std::string what_is_wrong(Rank rank, const KnownRanks& known, Rank ranks, Cycle last_arrival) {
  const std::string text = "rank " + std::to_string(rank) + " left ";
  if (known.ranks < ranks) return text + "knowing of " + std::to_string(known.ranks) + " arrivals";
  if (known.latest != last_arrival) {
    return text + "knowing of arrivals up to cycle " + std::to_string(known.latest) + ", where the last was in cycle " +
           std::to_string(last_arrival);
  }
  if (known.left >= last_arrival) return {};
  return text + "in cycle " + std::to_string(known.left) + ", before the last arrival in cycle " +
         std::to_string(last_arrival);
}

Method with_reports(Method own) {
  return with_defaults(filled_in(std::move(own), {.parameters = {arrivals_parameter}, .resolve = resolve_arrivals}));
}

Prediction without_words(std::optional<Count> steps, std::optional<Count> messages, const Settings& settings) {
  Prediction prediction{.messages = std::move(messages),
                        .words = Count{0, true, "0"},
                        .longest_sum = Count{0, true, "0"},
                        .message_words = 0};
  if (*settings.arrivals == 0) prediction.steps = std::move(steps);
  return prediction;
}

}  // namespace lockstep::barrier
