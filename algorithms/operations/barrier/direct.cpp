#include <algorithm>
#include <stdexcept>
#include <vector>

#include "lockstep/algorithms/operation/barrier.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/step_lengths.hpp"
#include "plans/turns/bank_rounds.hpp"

// Barriers over a medium on which all hear, or can read, what one says (collectives.md, Through a bus or a memory).
namespace lockstep {
namespace barrier {
namespace {

/// The cycles in which groups of `at_once` consecutive ranks report their arrival: one group a cycle, in the order of
/// the ranks, each when all its ranks have arrived.
class AnnouncedArrivals {
 public:
  AnnouncedArrivals(const std::vector<Cycle>& arrived, Rank first, std::uint64_t at_once)
      : first_(first), at_once_(at_once) {
    for (std::size_t rank = first; rank < arrived.size(); rank += at_once) {
      const std::size_t end = std::min<std::size_t>(arrived.size(), rank + at_once);
      Cycle cycle = cycles_.empty() ? 0 : cycles_.back() + 1;
      for (std::size_t member = rank; member < end; ++member) cycle = std::max(cycle, arrived[member]);
      cycles_.push_back(cycle);
    }
  }

  Cycle cycle(Rank rank) const { return cycles_[(rank - first_) / at_once_]; }
  /// The first cycle after all of these.
  Cycle end() const { return cycles_.empty() ? 0 : cycles_.back() + 1; }

 private:
  Rank first_;
  std::uint64_t at_once_;
  std::vector<Cycle> cycles_;
};

void take_in_that_of(Rank origin, const LabelledBlock& other, LabelledBlock& token) {
  if (other.origin != origin) {
    throw std::logic_error("the token of rank " + std::to_string(other.origin) + " came where that of rank " +
                           std::to_string(origin) + " is due");
  }
  take_in(token, other);
}

// The others send rank 0 their tokens, in the order of the ranks; then it tells all that all have arrived. k steps.
Process barrier_on_bus(Processor<LabelledBlock>& self, const AnnouncedArrivals& announced, Cycle arrival,
                       Attendance& attendance) {
  LabelledBlock& token = attendance.token;
  self.hold(words(token));
  if (self.rank() != 0) {
    co_await self.until(announced.cycle(self.rank()));
    self.send(0, std::move(token));
    token = co_await self.message(0);
    attendance.left = self.now();
    co_return;
  }
  for (Rank origin = 1; origin < self.processors(); ++origin) {
    const LabelledBlock other = co_await self.message(origin);
    take_in_that_of(origin, other, token);
  }
  co_await self.until(arrival);
  attendance.left = self.now();
  if (self.processors() == 1) co_return;
  const std::vector<Rank> others = all_but(0, self.processors());
  self.send(others, token);
}

/// The slots of tokens, and when they are read: all in one access or, with banks, group after group.
class TokenReading {
 public:
  TokenReading(const MachineSpec& machine, Cycle begin) : users_(users_at_once(*machine.medium)), begin_(begin) {
    if (machine.medium->banks != 0) rounds_.emplace(machine, 1);
  }

  Slot slot(Rank rank) const { return rounds_ ? rounds_->slot(rank, 0) : rank; }
  std::uint64_t turns() const { return rounds_ ? rounds_->turns() : 1; }
  Cycle cycle(Rank rank, std::uint64_t turn) const {
    if (!rounds_) return begin_ + rank / users_;
    return begin_ + rounds_->reading(rank, turn) - static_cast<Cycle>(rounds_->writing_cycles());
  }
  std::vector<Rank> others(Rank rank, Rank processors, std::uint64_t turn) const {
    return rounds_ ? rounds_->others(rank, turn) : all_but(rank, processors);
  }
  std::uint64_t slots(std::uint64_t processors) const { return rounds_ ? rounds_->slots() : processors; }

 private:
  std::optional<turns::BankRounds> rounds_;
  std::uint64_t users_;
  Cycle begin_;
};

// Every processor writes its token, and when all are written it reads those of all others.
Process barrier_at_memory(Processor<LabelledBlock>& self, const AnnouncedArrivals& announced,
                          const TokenReading& reading, Attendance& attendance) {
  const Rank rank = self.rank();
  LabelledBlock& token = attendance.token;
  self.hold(words(token));
  co_await self.until(announced.cycle(rank));
  self.write(reading.slot(rank), token);
  for (std::uint64_t turn = 0; turn < reading.turns(); ++turn) {
    const std::vector<Rank> others = reading.others(rank, self.processors(), turn);
    if (others.empty()) continue;
    std::vector<Slot> slots;
    for (const Rank other : others) slots.push_back(reading.slot(other));
    co_await self.until(reading.cycle(rank, turn));
    const std::vector<Message<LabelledBlock>> found = co_await self.read(slots);
    for (std::size_t index = 0; index < others.size(); ++index) {
      take_in_that_of(others[index], found[index].payload, token);
    }
  }
  attendance.left = self.now();
}

Prediction predict_on_bus(const MachineSpec& machine, const Model&, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const Wide k = machine.processors;
  const Wide w = *settings.words;
  return {.steps = exact_count(k, "k"),
          .messages = exact_count(k, "k"),
          .words = exact_count(k * w, "k w"),
          .longest_sum = exact_count(k * w, "k w"),
          .message_words = *settings.words};
}

Prediction predict_at_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const Wide k = machine.processors;
  const Wide w = *settings.words;
  const bool has_banks = machine.medium->banks != 0;
  method::StepLengths lengths(model.cost);
  Wide reads = k;
  if (has_banks) {
    const turns::BankRounds rounds(machine, 1);
    lengths.add(rounds.writing_cycles(), w);
    rounds.add_reading(lengths, w);
    reads = rounds.reads();
  } else {
    const Wide R = rounds(*machine.medium, machine.processors);
    lengths.add(R, w);
    lengths.add(R, (k - 1) * w);
  }
  return {.steps = exact_count(lengths.steps(),
                               has_banks ? "ceil(k/P) (P + 1) - [k = P], P = min(kstar, banks, k)" : "2 ceil(k/kstar)"),
          .messages = exact_count(k + reads, has_banks ? "k (P + 1), but for groups of one writer" : "2 k"),
          .words = exact_count(k * k * w, "k^2 w"),
          .longest_sum = exact_count(lengths.sum(), has_banks ? "the largest group a step" : "ceil(k/kstar) k w"),
          .longest_startups = lengths.startups()};
}

Wide bytes_of_tokens(const MachineSpec& machine, const Settings& settings) {
  constexpr std::uint64_t frame = 450;  // of the program, beyond that of a small one
  return machine.processors * (sizeof(Attendance) + 2 * sizeof(Cycle) + frame + allocated_bytes(*settings.words));
}

std::uint64_t bytes_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(machine_bytes<LabelledBlock>(machine, model) + bytes_of_tokens(machine, settings));
}

std::uint64_t bytes_at_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t slots = machine.processors == 1 ? 1 : TokenReading(machine, 0).slots(machine.processors);
  const Wide read = Wide{machine.medium->users} * machine.processors * sizeof(Message<LabelledBlock>);
  // All processors list the others and their slots before the first of them reads.
  const Wide lists = Wide{machine.processors} * machine.processors * (sizeof(Rank) + 3 * sizeof(Slot) / 2);
  return saturated(machine_bytes<LabelledBlock>(machine, model, slots) + bytes_of_tokens(machine, settings) + lists +
                   2 * read);
}

Outcome run_on_bus(const RunRequest& request) {
  const std::vector<Cycle> arrived = arrivals(request);
  const AnnouncedArrivals announced(arrived, 1, 1);
  PerRank<Attendance> attendances = initial_attendances(request, arrived);
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(request, [&](Processor<LabelledBlock>& self) {
    return barrier_on_bus(self, announced, arrived[self.rank()], attendances[self.rank()]);
  });
  finish(request, attendances, arrived, outcome);
  return outcome;
}

Outcome run_at_memory(const RunRequest& request) {
  const Rank k = request.topology.processors();
  if (k == 1) return run_on_bus(request);
  const std::vector<Cycle> arrived = arrivals(request);
  const Medium& memory = *request.machine.medium;
  const AnnouncedArrivals announced(arrived, 0, std::min<std::uint64_t>(users_at_once(memory), k));
  const TokenReading reading(request.machine, announced.end());
  PerRank<Attendance> attendances = initial_attendances(request, arrived);
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(
      request,
      [&](Processor<LabelledBlock>& self) {
        return barrier_at_memory(self, announced, reading, attendances[self.rank()]);
      },
      reading.slots(k));
  finish(request, attendances, arrived, outcome);
  return outcome;
}

}  // namespace
}  // namespace barrier

extern const Method barrier_direct_bus_method = barrier::with_defaults({
    .name = "barrier/direct",
    .families = {"bus"},
    .source = "Lockstep's own (collectives.md, Through a bus or a memory)",
    .summary = "one after the other tells rank 0 that it has arrived, and then rank 0 tells all",
    .defaults = {.multicast = true},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = barrier::predict_on_bus,
    .bytes = barrier::bytes_on_bus,
    .run = barrier::run_on_bus,
});

extern const Method barrier_direct_shared_method = barrier::with_defaults({
    .name = "barrier/direct",
    .families = {"shared"},
    .source = "Lockstep's own (collectives.md, Through a bus or a memory)",
    .summary = "everybody writes that it has arrived, then everybody reads that of the others, kstar a cycle",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = barrier::predict_at_memory,
    .bytes = barrier::bytes_at_memory,
    .run = barrier::run_at_memory,
});

}  // namespace lockstep
