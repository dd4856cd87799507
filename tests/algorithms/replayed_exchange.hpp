#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "distances.hpp"
#include "recorded_run.hpp"

namespace lockstep {

/// The moves of a run of a total exchange, step by step.
inline MoveSteps moves_of(std::string_view method, const BuiltMachine& machine, const Model& model) {
  const Method& entry = machine.method(method);
  Settings settings;
  entry.resolve(machine.spec, model, settings);
  const RecordedRun recorded(machine, model, settings, {}, log_for(entry, settings));
  EXPECT_EQ(entry.run(recorded.request()).wrong, "");
  return recorded.log().schedule.steps;
}

/// Simulates the moves: every message is at its sender, crosses a link towards its destination and is there at the end;
/// in a step each direction of a link carries one message, and with one port a processor sends one and receives one.
/// Uses no schedules or addresses.
inline void expect_total_exchange_on_paper(const MoveSteps& steps, const Topology& topology, PortModel ports) {
  const Rank n = topology.processors();
  std::vector<std::vector<Rank>> distance;
  for (Rank node = 0; node < n; ++node) distance.push_back(distances_from(topology, node));
  std::map<std::pair<Rank, Rank>, Rank> at;  // by origin and destination
  for (Rank origin = 0; origin < n; ++origin) {
    for (Rank destination = 0; destination < n; ++destination) at[{origin, destination}] = origin;
  }
  for (std::size_t step = 0; step < steps.size(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    ASSERT_FALSE(steps[step].empty());
    std::set<std::pair<Rank, Rank>> links;
    std::set<Rank> senders;
    std::set<Rank> receivers;
    std::set<std::pair<Rank, Rank>> moved;
    for (const Move& move : steps[step]) {
      Rank& place = at.at({move.origin, move.destination});
      ASSERT_TRUE(moved.insert({move.origin, move.destination}).second);
      ASSERT_EQ(place, move.from);
      ASSERT_EQ(distance[move.from][move.to], 1U);
      ASSERT_LT(distance[move.to][move.destination], distance[move.from][move.destination]);
      ASSERT_TRUE(links.insert({move.from, move.to}).second);
      const bool first_send = senders.insert(move.from).second;
      const bool first_receipt = receivers.insert(move.to).second;
      ASSERT_TRUE(ports == PortModel::all || (first_send && first_receipt));
      place = move.to;
    }
  }
  for (const auto& [message, place] : at) ASSERT_EQ(place, message.second);
}

}  // namespace lockstep
