#pragma once

#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/core/machine.hpp"

// Random communication programs that keep all rules: who sends and takes what and when is drawn first, then executed
// by processors on a machine, or by a plain loop over arrays that knows nothing of machines.
namespace lockstep::traffic {

using List = std::vector<Word>;
using Self = Processor<List>;

/// What a processor does wrong on purpose at the end of a step.
enum class Fault { none, exception, second_send, no_link };

/// What one processor does in one cycle: takes messages, then sends.
struct Step {
  Cycle cycle = 0;
  std::vector<Port> takes;  ///< ascending; a port may occur twice
  std::vector<Port> sends;
  bool same_to_all = false;  ///< one payload on all ports, else one made for each
  bool forwards = false;     ///< sends on the message that it took last
  enum class Waiting { until, message, any_message } waiting = Waiting::until;
  unsigned depth = 0;  ///< sub-programs around the step
  unsigned phase = 0;
  Fault fault = Fault::none;
};

struct Traffic {
  std::vector<std::vector<Step>> steps;  ///< of every rank, by ascending cycle
  std::uint64_t seed = 0;
};

inline Word mix(Word a, Word b) {
  Word value = (a ^ (b * 0x9e3779b97f4a7c15U)) * 0xbf58476d1ce4e5b9U;
  return value ^ (value >> 29);
}

/// What a processor in this state sends on the port: 0 to 5 words.
inline List item_for(Word state, Port port) {
  List item(mix(state, port) % 6);
  for (std::size_t index = 0; index < item.size(); ++index) item[index] = mix(state + index, port);
  return item;
}

/// What a taken message adds to the state; the order of the messages of one step makes no difference.
inline Word contribution(const List& item, Port port) {
  Word sum = port + 1;
  for (const Word word : item) sum = mix(sum, word);
  return sum;
}

inline Word first_state(std::uint64_t seed, Rank rank) { return mix(seed, rank); }

/// Draws `cycles` cycles of traffic for the model; `late` lets messages lie in the channel for a cycle more.
inline Traffic draw(const Topology& topology, const Model& model, Cycle cycles, bool late, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto chance = [&random](unsigned percent) { return random() % 100 < percent; };
  std::vector<std::map<Cycle, Step>> steps(topology.processors());
  std::vector<std::vector<Cycle>> takes_of_link(topology.slots());  // by the slot of the receiving end

  const unsigned density = 5 + static_cast<unsigned>(random() % 60);
  for (Cycle cycle = 0; cycle < cycles; ++cycle) {
    std::vector<bool> receives(topology.processors(), false);
    for (Rank rank = 0; rank < topology.processors(); ++rank) {
      std::vector<Port> ports;
      for (Port port = 0; port < topology.ports(); ++port) ports.push_back(port);
      const bool several = model.ports == PortModel::all || model.multicast;
      if (!several) ports = {static_cast<Port>(random() % topology.ports())};
      for (const Port port : ports) {
        const End to = topology.peer(rank, port);
        if (!to || !chance(density)) continue;
        if (model.ports == PortModel::one && receives[to.rank]) continue;
        auto& takes = takes_of_link[topology.slot(to.rank, to.port)];
        const auto waiting = std::count_if(takes.begin(), takes.end(), [&](Cycle take) { return take >= cycle; });
        if (waiting >= 2) continue;  // the channel would overflow
        receives[to.rank] = true;
        const Cycle soonest = cycle + 1 + (late && chance(30) ? 1 : 0);
        takes.push_back(takes.empty() ? soonest : std::max(soonest, takes.back()));
        steps[rank][cycle].sends.push_back(port);
        steps[to.rank][takes.back()].takes.push_back(to.port);
      }
    }
  }

  Traffic traffic{std::vector<std::vector<Step>>(topology.processors()), seed};
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    for (auto& [cycle, step] : steps[rank]) {
      step.cycle = cycle;
      std::sort(step.takes.begin(), step.takes.end());
      step.same_to_all = model.ports != PortModel::all || model.multicast || chance(30);
      step.forwards = !step.takes.empty() && step.sends.size() == 1 && chance(40);
      if (!step.takes.empty() && chance(60)) {
        step.waiting = !late && chance(50) ? Step::Waiting::any_message : Step::Waiting::message;
      }
      step.depth = static_cast<unsigned>(random() % 4);
      step.phase = static_cast<unsigned>(random() % 6);
      traffic.steps[rank].push_back(std::move(step));
    }
  }
  return traffic;
}

struct PlannedFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void commit(Self& self, const Step& step) {
  switch (step.fault) {
    case Fault::none:
      return;
    case Fault::exception:
      throw PlannedFault("planned by rank " + std::to_string(self.rank()));
    case Fault::second_send:
      while (true) self.send(step.sends.front(), {});
    case Fault::no_link:
      self.receive(self.ports() + 3);
  }
}

inline Process perform(Self& self, const Step& step, Word& state) {
  Message<List> last;
  Word sum = 0;
  std::size_t taken = 0;
  if (step.waiting == Step::Waiting::any_message) {
    for (; taken < step.takes.size(); ++taken) {
      last = co_await self.message();
      sum += contribution(last.payload, last.port);
    }
  } else if (step.waiting == Step::Waiting::message) {
    last = co_await self.message(step.takes.front());
    sum += contribution(last.payload, last.port);
    ++taken;
  }
  co_await self.until(step.cycle);
  for (; taken < step.takes.size(); ++taken) {
    last = self.receive(step.takes[taken]);
    sum += contribution(last.payload, last.port);
  }
  state += sum;

  if (step.phase > 0) self.phase(std::string("phase ") + std::to_string(step.phase));
  self.hold(state % 1000);
  self.charge(state % 7);
  if (step.forwards) {
    self.forward(step.sends.front(), std::move(last));
  } else if (step.same_to_all) {
    const List item = item_for(state, 0);
    self.send(step.sends, item);
  } else {
    for (const Port port : step.sends) self.send(port, item_for(state, port));
  }
  commit(self, step);
}

inline Process nest(Self& self, const Step& step, unsigned depth, Word& state) {
  if (depth > 0) {
    co_await nest(self, step, depth - 1, state);
  } else {
    co_await perform(self, step, state);
  }
}

/// The program of one processor; leaves the state in which it ends in `state`.
inline Process take_part(Self& self, const Traffic& traffic, Word& state) {
  state = first_state(traffic.seed, self.rank());
  for (const Step& step : traffic.steps[self.rank()]) co_await nest(self, step, step.depth, state);
}

/// What a run of the traffic must come to.
struct Outcome {
  std::vector<Word> states;
  std::uint64_t messages = 0;
  std::uint64_t words = 0;
  std::uint64_t steps = 0;
  std::uint64_t cycles = 0;
  std::uint64_t longest_sum = 0;
  std::uint64_t busiest_link_words = 0;
};

/// Executes the traffic by a plain loop, cycle by cycle and rank by rank.
inline Outcome simulate(const Topology& topology, const Traffic& traffic) {
  Outcome outcome;
  std::map<Cycle, std::vector<std::pair<Rank, const Step*>>> by_cycle;
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    outcome.states.push_back(first_state(traffic.seed, rank));
    for (const Step& step : traffic.steps[rank]) by_cycle[step.cycle].emplace_back(rank, &step);
  }
  std::map<std::pair<Rank, Port>, std::vector<List>> lying;  // messages by receiver and port, oldest first
  std::map<std::pair<Rank, Port>, std::uint64_t> link_words;
  for (const auto& [cycle, steps] : by_cycle) {
    std::uint64_t longest = 0;
    std::uint64_t moved = 0;
    for (const auto& [rank, step] : steps) {
      // By message(port) the message of the lowest port is taken first.
      List last;
      Word sum = 0;
      for (const Port port : step->takes) {
        auto& queue = lying[{rank, port}];
        last = queue.front();
        queue.erase(queue.begin());
        sum += contribution(last, port);
      }
      outcome.states[rank] += sum;
      for (const Port port : step->sends) {
        const End to = topology.peer(rank, port);
        const List item = step->forwards ? last : item_for(outcome.states[rank], step->same_to_all ? 0 : port);
        outcome.words += item.size();
        longest = std::max<std::uint64_t>(longest, item.size());
        link_words[{rank, port}] += item.size();
        outcome.busiest_link_words = std::max(outcome.busiest_link_words, link_words[{rank, port}]);
        lying[{to.rank, to.port}].push_back(item);
        ++moved;
      }
    }
    if (moved == 0) continue;
    outcome.messages += moved;
    outcome.longest_sum += longest;
    ++outcome.steps;
    outcome.cycles = cycle + 1;
  }
  return outcome;
}

}  // namespace lockstep::traffic
