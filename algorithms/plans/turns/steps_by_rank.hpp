#pragma once

#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep::turns {

/// The messages that a rank sends and receives in a step.
template <class Message>
struct StepOfRank {
  Cycle step;
  std::vector<const Message*> sent{};
  std::vector<const Message*> received{};
};

/// For every rank its steps with messages, of those planned by step, which have `from` and `to` and must outlive this.
template <class Message>
std::vector<std::vector<StepOfRank<Message>>> steps_by_rank(const std::vector<std::vector<Message>>& planned,
                                                            Rank ranks) {
  std::vector<std::vector<StepOfRank<Message>>> steps(ranks);
  const auto of = [&](Rank rank, Cycle step) -> StepOfRank<Message>& {
    if (steps[rank].empty() || steps[rank].back().step != step) steps[rank].push_back({step});
    return steps[rank].back();
  };
  for (Cycle step = 0; step < planned.size(); ++step) {
    for (const Message& message : planned[step]) {
      of(message.from, step).sent.push_back(&message);
      of(message.to, step).received.push_back(&message);
    }
  }
  return steps;
}

}  // namespace lockstep::turns
