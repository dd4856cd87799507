#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/step_lengths.hpp"
#include "plans/turns/bank_rounds.hpp"

// Exchanges over a medium that takes blocks from every processor to all others without a processor between.
namespace lockstep {
namespace alltoall {
namespace {

// In cycle q processor q sends its blocks for the others, each of which keeps its own block. Saad & Schultz 1988,
// section 3.5(a) (saad-schultz-1988.md, Bus). k steps.
Process alltoall_on_bus(Processor<Bundle>& self, Bundle& held) {
  const Rank k = self.processors();
  std::uint64_t held_words = words(held);
  Bundle received;
  self.hold(held_words);
  for (Rank origin = 0; origin < k; ++origin) {
    if (origin == self.rank()) {
      co_await self.until(origin);
      held_words -= words(held);
      const Bundle own = std::exchange(held, {});
      const std::vector<Rank> others = all_but(origin, k);
      self.send(others, own);
    } else {
      const Bundle heard = co_await self.message(origin);
      const std::uint64_t before = words(received);
      received.add_piece(heard, place_without(origin, self.rank()));
      held_words += words(received) - before;
      self.hold(held_words);
    }
  }
  held = std::move(received);
}

/// The slot of a memory for a block.
Slot slot_of(Rank origin, Rank destination, Rank processors) { return origin * processors + destination; }

// Every processor writes its blocks for the others in one access, then reads all blocks for itself, kstar processors a
// cycle. Saad & Schultz 1988, (3.42) (saad-schultz-1988.md, Shared memory). 2 ceil(k/kstar) steps.
Process alltoall_through_memory(Processor<Bundle>& self, Bundle& held) {
  const Rank k = self.processors();
  const Rank rank = self.rank();
  const Medium& memory = *self.topology().medium();
  if (k == 1) co_return;
  self.hold(words(held));
  co_await self.until(round_of(memory, rank));
  std::vector<std::pair<Slot, Bundle>> written;
  for (std::uint64_t index = 0; index < held.size(); ++index) {
    Bundle block;
    block.add_piece(held, index);
    const Slot slot = slot_of(rank, block[0].destination, k);
    written.emplace_back(slot, std::move(block));
  }
  held.clear();
  self.write(std::move(written));
  co_await self.until(rounds(memory, k) + round_of(memory, rank));
  std::vector<Slot> slots;
  for (const Rank origin : all_but(rank, k)) slots.push_back(slot_of(origin, rank, k));
  std::vector<Message<Bundle>> values = co_await self.read(slots);
  for (Message<Bundle>& value : values) {
    check_only_piece(value.payload, value.port / k, rank);
    held.add(std::move(value.payload));
  }
  self.hold(words(held));
}

// As above where a bank serves one processor a cycle: a processor writes all its blocks to one group of banks, and
// every processor reads its blocks group after group, always another one than the others read. (saad-schultz-1988.md,
// Shared memory.)
Process alltoall_through_banks(Processor<Bundle>& self, Bundle& held, const turns::BankRounds& rounds) {
  const Rank rank = self.rank();
  self.hold(words(held));
  co_await self.until(rounds.writing(rank));
  std::vector<std::pair<Slot, Bundle>> written;
  for (std::uint64_t index = 0; index < held.size(); ++index) {
    Bundle block;
    block.add_piece(held, index);
    const Slot slot = rounds.slot(rank, block[0].destination);
    written.emplace_back(slot, std::move(block));
  }
  held.clear();
  self.write(std::move(written));
  for (std::uint64_t turn = 0; turn < rounds.turns(); ++turn) {
    const std::vector<Rank> others = rounds.others(rank, turn);
    if (others.empty()) continue;
    std::vector<Slot> slots;
    for (const Rank origin : others) slots.push_back(rounds.slot(origin, rank));
    co_await self.until(rounds.reading(rank, turn));
    std::vector<Message<Bundle>> values = co_await self.read(slots);
    for (std::size_t index = 0; index < others.size(); ++index) {
      check_only_piece(values[index].payload, others[index], rank);
      held.add(std::move(values[index].payload));
    }
  }
  self.hold(words(held));
}

/// A slot for each origin and destination, or more where they are to be in different banks.
std::uint64_t slots_of(const MachineSpec& machine) {
  const std::uint64_t k = machine.processors;
  return machine.medium->banks == 0 || k == 1 ? k * k : turns::BankRounds(machine, k).slots();
}

void resolve_for_memory(const MachineSpec& machine, const Model& model, Settings& settings) {
  constexpr std::uint64_t most = std::uint64_t{1} << 16;  // so that k^2 slots have numbers
  if (machine.processors > most) {
    throw InputError(printable(machine.text) + " has too many processors for a slot a pair: at most " +
                     std::to_string(most));
  }
  if (slots_of(machine) > most * most) {
    throw InputError(printable(machine.text) + " has too many processors for a slot a pair in these banks: " +
                     std::to_string(slots_of(machine)) + " slots, and at most " + std::to_string(most * most));
  }
  resolve(machine, model, settings);
}

Prediction predict_on_bus(const MachineSpec& machine, const Model&, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  return {.steps = exact_count(k, "k"),
          .messages = exact_count(k, "k"),
          .words = exact_count(k * (k - 1) * b, "k (k - 1) b"),
          .longest_sum = exact_count(k * (k - 1) * b, "k (k - 1) b"),
          .message_words = (machine.processors - 1) * *settings.words};
}

Prediction predict_through_banks(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const turns::BankRounds rounds(machine, machine.processors);
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  method::StepLengths lengths(model.cost);
  lengths.add(rounds.writing_cycles(), (k - 1) * b);
  rounds.add_reading(lengths, b);
  return {.steps = exact_count(lengths.steps(), "ceil(k/P) (P + 1) - [k = P], P = min(kstar, banks, k)"),
          .messages = exact_count(k + rounds.reads(), "k (P + 1), but for groups of one writer"),
          .words = exact_count(2 * k * (k - 1) * b, "2 k (k - 1) b"),
          .longest_sum = exact_count(lengths.sum(), "ceil(k/P) (k - 1) b, and the largest group a step"),
          .longest_startups = lengths.startups()};
}

Prediction predict_through_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  if (machine.medium->banks != 0) return predict_through_banks(machine, model, settings);
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  const Wide R = rounds(*machine.medium, machine.processors);
  return {.steps = exact_count(2 * R, "2 ceil(k/kstar)"),
          .messages = exact_count(2 * k, "2 k"),
          .words = exact_count(2 * k * (k - 1) * b, "2 k (k - 1) b"),
          .longest_sum = exact_count(2 * R * (k - 1) * b, "2 ceil(k/kstar) (k - 1) b"),
          .message_words = (machine.processors - 1) * *settings.words};
}

std::uint64_t bytes_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{2} * machine.processors * machine.processors);
}

// The blocks that kstar processors read are on their way from the slots to the processors' memory.
std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide values = k * machine.medium->users * sizeof(Message<Bundle>);
  return saturated(values + bytes_for(machine, model, settings, 2 * k * k, slots_of(machine)));
}

Outcome run_on_bus(const RunRequest& request) { return run(request, alltoall_on_bus); }

Outcome run_through_memory(const RunRequest& request) {
  const MachineSpec& machine = request.machine;
  const std::uint64_t slots = slots_of(machine);
  if (machine.medium->banks == 0 || machine.processors == 1) return run(request, alltoall_through_memory, slots);
  const turns::BankRounds rounds(machine, machine.processors);
  return run(
      request, [&](Processor<Bundle>& self, Bundle& held) { return alltoall_through_banks(self, held, rounds); },
      slots);
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_direct_bus_method = alltoall::with_defaults({
    .name = "alltoall/direct",
    .families = {"bus"},
    .source = "Saad & Schultz 1988, section 3.5(a) (saad-schultz-1988.md, Bus)",
    .summary = "one after the other says all its blocks, of which each of the others keeps its own",
    .defaults = {.multicast = true},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = alltoall::predict_on_bus,
    .bytes = alltoall::bytes_on_bus,
    .run = alltoall::run_on_bus,
});

extern const Method alltoall_direct_shared_method = alltoall::with_defaults({
    .name = "alltoall/direct",
    .families = {"shared"},
    .source = "Saad & Schultz 1988, (3.42) (saad-schultz-1988.md, Shared memory)",
    .summary = "everybody writes its blocks, then everybody reads those for it, kstar processors a cycle",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = alltoall::resolve_for_memory,
    .predict = alltoall::predict_through_memory,
    .bytes = alltoall::bytes_of_memory,
    .run = alltoall::run_through_memory,
});

}  // namespace lockstep
