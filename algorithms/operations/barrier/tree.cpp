#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lockstep/algorithms/operation/barrier.hpp"
#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/spread.hpp"
#include "operations/broadcast/sbt.hpp"
#include "plans/tree/drbt_schedule.hpp"
#include "plans/tree/reduction_tree.hpp"
#include "token_schedule.hpp"

namespace lockstep {
namespace {

using barrier::Attendance;
using barrier::TokenMove;
using barrier::TokenSchedule;

/// Removes and returns the token of that node, which is there, from those that the processor has to forward.
Message<LabelledBlock> take_out(std::vector<Message<LabelledBlock>>& kept, Rank node) {
  const auto found =
      std::find_if(kept.begin(), kept.end(), [node](const auto& message) { return message.payload.origin == node; });
  Message<LabelledBlock> message = std::move(*found);
  kept.erase(found);
  return message;
}

/// The first half: follows the schedule, so that in the end the token of node 0 stands for all processors.
Process gather(Processor<LabelledBlock>& self, const TokenSchedule& schedule, LabelledBlock& own) {
  const std::uint64_t w = words(own);
  std::vector<Message<LabelledBlock>> kept;
  for (const TokenMove& move : schedule.moves(self.rank())) {
    co_await self.until(move.cycle);
    if (move.action == TokenMove::Action::send) {
      if (move.token == self.rank()) {
        self.send(move.port, std::exchange(own, {}));
      } else {
        self.forward(move.port, take_out(kept, move.token));
      }
      continue;
    }
    Message<LabelledBlock> message = self.receive(move.port);
    if (message.payload.origin != move.token) {
      throw std::logic_error("the token of node " + std::to_string(message.payload.origin) +
                             " came where that of node " + std::to_string(move.token) + " is due");
    }
    if (move.action == TokenMove::Action::keep) {
      kept.push_back(std::move(message));
    } else {
      barrier::take_in(own, message.payload);
    }
    self.hold(words(own) + kept.size() * w);
  }
}

// Barrier after Mukherjee, chapter 3, worked out in mukherjee.md, Barrier: tokens go up the tree of the reduction as
// processors arrive, and when node 0 has all, it starts the broadcast that releases them. Any port model and duplex
// mode.
Process barrier_tree(Processor<LabelledBlock>& self, const TokenSchedule& gathering, const TreeSchedule& release,
                     Attendance& attendance) {
  LabelledBlock& token = attendance.token;
  self.hold(words(token));
  self.phase("arrival");
  co_await gather(self, gathering, token);

  const Port parent = release.parent(self.rank());
  if (parent == TreeSchedule::no_port) {
    co_await self.until(gathering.complete());
  } else {
    token = co_await self.message(parent);
  }
  attendance.left = self.now();
  self.hold(words(token));
  self.phase("release");
  co_await spread(self, release.children(self.rank()), token);
}

/// Steps of the release. On a cube the binomial tree takes as many in every port model.
Count release_steps(const MachineSpec& machine, const Model& model) {
  if (is_hypercube(machine)) return {machine.ports, true, "v"};
  return tree::drbt_steps(ReducedHypercube(machine), spreads_at_once(model), tree::ChildOrder::longest_first);
}

/// Steps of both halves; where arrivals decide them, a bound on the cube, and none on other machines. On the cube only
/// tokens for the same processor ever meet. The lower sender, which goes first, is also the one that goes first where
/// all arrive together, so no token is later than if all had arrived with the last.
std::optional<Count> predicted_steps(const MachineSpec& machine, const Model& model, std::uint64_t arrivals) {
  const tree::ReductionTree tree(machine);
  const Count release = release_steps(machine, model);
  const std::uint64_t steps = tree.steps() + release.value;
  const std::string formula = tree.steps_formula() + " + " + release.formula;
  if (arrivals == 0) return Count{steps, true, formula};
  if (!is_hypercube(machine)) return {};
  return Count{steps + arrivals, false, formula + " + arrivals"};
}

Prediction predict_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const tree::ReductionTree tree(machine);
  const std::uint64_t messages = tree.messages() + machine.processors - 1;
  const std::uint64_t w = *settings.words;
  Prediction prediction;
  prediction.steps = predicted_steps(machine, model, *settings.arrivals);
  prediction.messages = Count{messages, true, tree.messages_formula() + " + N - 1"};
  prediction.words = exact_count(Wide{messages} * w, "messages w");
  if (prediction.steps) {
    prediction.longest_sum = Count{prediction.steps->value * w, prediction.steps->exact, "steps w"};
  }
  prediction.message_words = w;
  return prediction;
}

std::uint64_t bytes_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide value = *settings.words > 1 ? *settings.words * sizeof(Word) : 0;
  constexpr std::uint64_t frames = 256;  // of the sub-programs of a processor
  // A token, whose memory messages share.
  const Wide attendances = Wide{machine.processors} * (sizeof(Attendance) + sizeof(Cycle) + value + frames);
  return saturated(attendances + machine_bytes<LabelledBlock>(machine, model) + TokenSchedule::bytes(machine) +
                   tree::drbt_schedule_bytes(machine.processors));
}

TreeSchedule release_tree(const RunRequest& request) {
  if (is_hypercube(request.machine)) return broadcast::sbt_schedule(request.topology.ports());
  return tree::drbt_schedule(ReducedHypercube(request.machine), request.topology, tree::ChildOrder::longest_first);
}

Outcome run(const RunRequest& request) {
  const std::vector<Cycle> arrived = barrier::arrivals(request);
  const TokenSchedule gathering(request.machine, request.topology, request.model, arrived);
  const TreeSchedule release = release_tree(request);
  PerRank<Attendance> attendances = barrier::initial_attendances(request, arrived);
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(request, [&](Processor<LabelledBlock>& self) {
    return barrier_tree(self, gathering, release, attendances[self.rank()]);
  });
  barrier::finish(request, attendances, arrived, outcome);
  return outcome;
}

}  // namespace

extern const Method barrier_tree_method = barrier::with_defaults({
    .name = "barrier/tree",
    .families = {"rh", "hypercube"},
    .source = "after Mukherjee, chapter 3 (mukherjee.md, Barrier)",
    .summary = "tokens go up the tree of a reduction as processors arrive, and a broadcast releases all",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = predict_tree,
    .bytes = bytes_tree,
    .run = run,
});

}  // namespace lockstep
