#include "replay_run.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "lockstep/algorithms/run_program_definition.hpp"
#include "lockstep/algorithms/verification.hpp"

namespace lockstep::replay {
namespace {

/// Stands for a message's data: identifies its send.
struct ReplayMessage {
  Rank from = no_rank;
  std::uint32_t operation = 0;
  std::uint64_t length = 0;  // in words

  friend bool operator==(const ReplayMessage&, const ReplayMessage&) = default;
};

std::uint64_t words(const ReplayMessage& message) { return message.length; }

void pack(const ReplayMessage& message, ByteWriter& to) { to.put(message); }
ReplayMessage unpack(ByteReader& from, std::type_identity<ReplayMessage>) { return from.get<ReplayMessage>(); }

/// Changes it into another message, for tests that this is detected.
[[maybe_unused]] void corrupt(ReplayMessage& message) { message.operation = ~message.operation; }

/// The state of one operation in its processor.
struct OperationState {
  double begin = 0;  // modelled
  double end = 0;    // modelled; of a receive that has not begun, the arrival of its message
  bool has_begun = false;
  bool has_message = false;
  Rank over = no_rank;  // of a receive: the other end of the link of its message
  ReplayMessage message{};
};

struct ReplayMemory {
  std::vector<OperationState> known;                    // by operation
  std::deque<std::pair<ReplayMessage, double>> to_own;  // messages to itself, and when they were sent
  double ready = 0;                                     // modelled: when it can compute
  std::uint64_t held = 0;                               // words that came before their receives began
};

void come(const ReplayMessage& message, Rank over, double arrival, std::uint32_t receive, ReplayMemory& memory) {
  OperationState& known = memory.known[receive];
  known.message = message;
  known.over = over;
  known.has_message = true;
  known.end = std::max(known.begin, arrival);
  if (!known.has_begun) memory.held += message.length;
}

void begin(Processor<ReplayMessage>& self, const ReplayOperation& operation, const ReplayAction& action,
           ReplayMemory& memory) {
  OperationState& known = memory.known[action.operation];
  for (const std::uint32_t before : operation.after_end) known.begin = std::max(known.begin, memory.known[before].end);
  for (const std::uint32_t before : operation.after_begin) {
    known.begin = std::max(known.begin, memory.known[before].begin);
  }
  known.has_begun = true;
  known.end = std::max(known.begin, known.end);
  switch (operation.verb) {
    case ReplayVerb::send: {
      const ReplayMessage message{self.rank(), action.operation, operation.amount};
      if (operation.peer == self.rank()) {
        memory.to_own.emplace_back(message, known.begin);
      } else {
        self.forward(action.port, {message, 0, known.begin});
      }
      break;
    }
    case ReplayVerb::receive:
      if (known.has_message) memory.held -= known.message.length;
      break;
    case ReplayVerb::compute:
      // As compute() charges it: after all received messages have arrived.
      self.compute(operation.amount);
      memory.ready = std::max(memory.ready, known.begin);
      memory.ready += static_cast<double>(operation.amount) * self.model().cost.flop;
      known.end = memory.ready;
      break;
    case ReplayVerb::wait:
      break;
  }
}

// Each processor carries out its part of the plan, and sleeps in between.
Process follow_replay(Processor<ReplayMessage>& self, const std::vector<ReplayOperation>& operations,
                      const std::vector<ReplayAction>& actions, ReplayMemory& memory) {
  for (const ReplayAction& action : actions) {
    if (action.cycle > self.now()) co_await self.until(action.cycle);
    if (action.kind == ReplayAction::Kind::take) {
      const Message<ReplayMessage> taken = self.receive(action.port);
      const Rank over = self.topology().medium() ? action.port : self.neighbour(action.port);
      memory.ready = std::max(memory.ready, taken.arrival);
      come(taken.payload, over, taken.arrival, action.operation, memory);
    } else if (action.kind == ReplayAction::Kind::take_own) {
      const auto [message, sent] = memory.to_own.front();
      memory.to_own.pop_front();
      come(message, self.rank(), sent, action.operation, memory);
    } else {
      begin(self, operations[action.operation], action, memory);
    }
    self.hold(memory.held);
  }
}

/// "rank 2, line 8 (receive 3 words from 1, tag 0) has received rank 4, line 1 (send ..)", or empty.
std::string wrong_at(const ReplayProgram& program, Rank rank, std::uint32_t number, const OperationState& known,
                     std::set<std::pair<Rank, std::uint32_t>>& seen) {
  const ReplayOperation& receive = program.ranks[rank][number];
  const std::string own = program.place(rank, number);
  if (!known.has_message) return own + " has received nothing";
  const auto& [from, operation, length] = known.message;
  const bool is_sent = from == known.over && operation < program.ranks[from].size();
  if (!is_sent) return own + " has received no message of the file";
  const ReplayOperation& send = program.ranks[from][operation];
  // Spelled out, as an oracle independent of replay::takes(), by which the plan matches.
  const bool is_for_it = send.verb == ReplayVerb::send && send.peer == rank && send.amount == length &&
                         (receive.peer == no_rank || receive.peer == from) &&
                         (receive.tag == send.tag || (receive.tag == any_tag && send.tag < first_collective_tag)) &&
                         receive.amount >= length;
  if (!is_for_it) return own + " has received " + program.place(from, operation);
  return seen.emplace(from, operation).second ? "" : program.place(from, operation) + " was received twice";
}

// Uses the file's sends and receives, but not the plan's matching of messages and receives.
Verdict judge(const ReplayProgram& program, Rank rank, const ReplayMemory& memory) {
  WordDigest digest;
  Verdict verdict;
  std::set<std::pair<Rank, std::uint32_t>> seen;
  for (std::uint32_t number = 0; number < program.ranks[rank].size(); ++number) {
    if (program.ranks[rank][number].verb != ReplayVerb::receive) continue;
    const OperationState& known = memory.known[number];
    digest.add(std::uint64_t{known.message.from} << 32 | known.message.operation);
    digest.add(known.message.length);
    if (verdict.wrong.empty()) verdict.wrong = wrong_at(program, rank, number, known, seen);
  }
  verdict.digest = digest.value();
  return verdict;
}

}  // namespace

Outcome run_replay(const RunRequest& request, const ReplayProgram& program, const ReplayPlan& plan) {
  std::vector<ReplayMemory> memories(program.ranks.size());
  for (Rank rank = 0; rank < memories.size(); ++rank) memories[rank].known.resize(program.ranks[rank].size());
  Outcome outcome;
  outcome.report = run_program<ReplayMessage>(request, [&](Processor<ReplayMessage>& self) {
    return follow_replay(self, program.ranks[self.rank()], plan.actions[self.rank()], memories[self.rank()]);
  });
  const auto start = std::chrono::steady_clock::now();
  verify_ranks(
      request, start, [&](Rank rank) { return judge(program, rank, memories[rank]); }, outcome);
  return outcome;
}

Wide bytes_of_replay(const MachineSpec& machine, const Model& model, const ReplayProgram& program) {
  constexpr std::uint64_t of_planning = 160;  // lists of waiting operations, and of those that can begin
  constexpr std::uint64_t of_program = 400;   // as it was read, with its dependences
  constexpr std::uint64_t of_operation = sizeof(OperationState) + 2 * sizeof(ReplayAction) + of_planning + of_program;
  return machine_bytes<ReplayMessage>(machine, model) + Wide{program.all_operations()} * of_operation;
}

}  // namespace lockstep::replay
