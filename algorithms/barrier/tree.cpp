#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>
#include <vector>

#include "broadcast/broadcast.hpp"
#include "broadcast/sbt.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/core/spread.hpp"
#include "schedule/drbt_schedule.hpp"
#include "schedule/reduction_tree.hpp"
#include "schedule/token_schedule.hpp"

namespace lockstep {
namespace {

using barrier::TokenMove;
using barrier::TokenSchedule;

// A token is evidence of arrivals. Every processor has a word of its own for each word of the value, and sums stand for
// those that a token speaks for; only the value has a length. Its origin is the node that sent it, its number the
// latest arrival.

void add(Block& sum, const Block& value) {
  Word* const to = sum.data();
  for (std::uint64_t index = 0; index < sum.size(); ++index) to[index] += value[index];
}

/// What a processor brings to the barrier and takes from it.
struct Attendance {
  LabelledBlock token;  ///< its own; in the end the one that releases it
  Cycle left = 0;       ///< the cycle from which on it is released
};

/// Takes the token of that node, which is there, from those that the processor has to pass on.
Message<LabelledBlock> take_out(std::vector<Message<LabelledBlock>>& kept, Rank node) {
  const auto found =
      std::find_if(kept.begin(), kept.end(), [node](const auto& message) { return message.payload.origin == node; });
  Message<LabelledBlock> message = std::move(*found);
  kept.erase(found);
  return message;
}

/// The first half: does what is planned, so that in the end the token of node 0 speaks for all.
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
      add(own.block, message.payload.block);
      own.number = std::max(own.number, message.payload.number);
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

constexpr NumberParameter words_parameter{{"words", "words of one token, at least 1", "1"}, &Settings::words};
constexpr NumberParameter arrivals_parameter{
    {"arrivals", "last cycle in which a processor may arrive: each draws one from 0 on, by --seed", "0"},
    &Settings::arrivals,
    {.least = 0, .most = 1'000'000'000, .otherwise = 0}};

void resolve(const MachineSpec&, const Model&, Settings& settings) {
  words_parameter.resolve(settings);
  arrivals_parameter.resolve(settings);
}

/// Steps of the release. On a cube the binomial tree takes as many in every port model.
Count release_steps(const MachineSpec& machine, const Model& model) {
  if (is_hypercube(machine)) return {machine.ports, true, "v"};
  return drbt_steps(ReducedHypercube(machine), spreads_at_once(model), ChildOrder::longest_first);
}

/// Steps of both halves; where arrivals decide them, a bound on the cube, and nothing on others. There only tokens for
/// the same processor ever meet. The lower sender, which goes first, is also the one that goes first where all arrive
/// together, so nobody is later than if all had arrived with the last.
std::optional<Count> predicted_steps(const MachineSpec& machine, const Model& model, std::uint64_t arrivals) {
  const ReductionTree tree(machine);
  const Count release = release_steps(machine, model);
  const std::uint64_t steps = tree.steps() + release.value;
  const std::string formula = tree.steps_formula() + " + " + release.formula;
  if (arrivals == 0) return Count{steps, true, formula};
  if (!is_hypercube(machine)) return {};
  return Count{steps + arrivals, false, formula + " + arrivals"};
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const ReductionTree tree(machine);
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

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide value = *settings.words > 1 ? *settings.words * sizeof(Word) : 0;
  constexpr std::uint64_t frames = 256;  // of the sub-programs of a processor
  // A token and a release on its way.
  const Wide attendances = Wide{machine.processors} * (sizeof(Attendance) + sizeof(Cycle) + 2 * value + frames);
  return saturated(attendances + machine_bytes<LabelledBlock>(machine, model) + TokenSchedule::bytes(machine) +
                   drbt_schedule_bytes(machine.processors));
}

/// When everybody arrives: in cycle 0, or in any up to --arrivals alike.
std::vector<Cycle> arrivals(const RunRequest& request) {
  std::vector<Cycle> cycles(request.topology.processors());
  for (Rank rank = 0; rank < cycles.size(); ++rank) {
    // A word that no generated value has.
    cycles[rank] = generated_word(request.settings.seed, rank, no_rank, 0) % (*request.settings.arrivals + 1);
  }
  return cycles;
}

Block evidence(const RunRequest& request, Rank rank) {
  return generated_block(request.settings.seed, rank, rank, *request.settings.words);
}

/// What is wrong with how a processor left; empty if nothing is.
std::string what_is_wrong(Rank rank, const Attendance& attendance, const Block& all, Cycle last_arrival) {
  const std::string text = "rank " + std::to_string(rank) + " left ";
  if (attendance.token.block != all) return text + "with a token that does not stand for every processor once";
  if (attendance.token.number != last_arrival) {
    return text + "with a token that knows of arrivals up to cycle " + std::to_string(attendance.token.number) +
           ", where the last was in cycle " + std::to_string(last_arrival);
  }
  if (attendance.left >= last_arrival) return {};
  return text + "in cycle " + std::to_string(attendance.left) + ", before the last arrival in cycle " +
         std::to_string(last_arrival);
}

/// Judges with what every processor left, and when; fills in wrong, data_digest, verify_seconds and measures.
void finish(const RunRequest& request, const std::vector<Attendance>& attendances, const std::vector<Cycle>& arrived,
            Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const Cycle last_arrival = *std::ranges::max_element(arrived);
  Block all = evidence(request, 0);
  for (Rank rank = 1; rank < attendances.size(); ++rank) add(all, evidence(request, rank));
  const auto [first, last] = std::ranges::minmax_element(attendances, {}, &Attendance::left);
  outcome.measures = {{"last_arrival", last_arrival}, {"first_release", first->left}, {"last_release", last->left}};
  const auto judge = [&](Rank rank) -> Verdict {
    const Attendance& one = attendances[rank];
    WordDigest digest;
    digest.add(one.token.block.words());
    digest.add(one.left);
    return {digest.value(), what_is_wrong(rank, one, all, last_arrival)};
  };
  verify_ranks(request, start, judge, outcome);
}

TreeSchedule release_tree(const RunRequest& request) {
  if (is_hypercube(request.machine)) return broadcast::sbt_schedule(request.topology.ports());
  return drbt_schedule(ReducedHypercube(request.machine), request.topology, ChildOrder::longest_first);
}

Outcome run(const RunRequest& request) {
  const std::vector<Cycle> arrived = arrivals(request);
  const TokenSchedule gathering(request.machine, request.topology, request.model, arrived);
  const TreeSchedule release = release_tree(request);
  std::vector<Attendance> attendances(arrived.size());
  for (Rank rank = 0; rank < attendances.size(); ++rank) {
    attendances[rank].token = {
        .origin = rank, .block = evidence(request, rank), .number = static_cast<std::uint32_t>(arrived[rank])};
  }
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(request, [&](Processor<LabelledBlock>& self) {
    return barrier_tree(self, gathering, release, attendances[self.rank()]);
  });
  finish(request, attendances, arrived, outcome);
  return outcome;
}

}  // namespace

extern const Method barrier_tree_method{
    .name = "barrier/tree",
    .operation = "barrier",
    .known_as = "barrier synchronisation",
    .families = {"rh", "hypercube"},
    .source = "after Mukherjee, chapter 3 (mukherjee.md, Barrier)",
    .summary = "tokens go up the tree of a reduction as processors arrive, and a broadcast releases all",
    .parameters = {words_parameter, arrivals_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = resolve,
    .predict = predict,
    .lower_bound = broadcast::lower_bound,  // whoever arrives last has to reach the farthest processor
    .bytes = bytes,
    .run = run,
};

}  // namespace lockstep
