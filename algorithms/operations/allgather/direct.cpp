#include <algorithm>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/step_lengths.hpp"
#include "plans/turns/bank_rounds.hpp"

// Allgathers over a medium that takes a block to all others without a processor between.
namespace lockstep {
namespace allgather {
namespace {

// In cycle q processor q sends its block, which all others receive. Saad & Schultz 1988, (3.26) (saad-schultz-1988.md,
// Bus). k steps.
Process allgather_on_bus(Processor<Bundle>& self, Collection& collection) {
  const Rank k = self.processors();
  self.hold(collection.words());
  for (Rank source = 0; source < k; ++source) {
    if (source == self.rank()) {
      co_await self.until(source);
      const std::vector<Rank> others = all_but(source, k);
      const Bundle own(collection.piece(source));
      self.send(others, own);
    } else {
      Bundle heard = co_await self.message(source);
      collection.add(std::move(heard));
      self.hold(collection.words());
    }
  }
}

// Every processor writes its block, then reads those of the others, kstar processors a cycle. Saad & Schultz 1988,
// (3.27) (saad-schultz-1988.md, Shared memory). 2 ceil(k/kstar) steps.
Process allgather_through_memory(Processor<Bundle>& self, Collection& collection) {
  const Rank k = self.processors();
  const Rank rank = self.rank();
  const Medium& memory = *self.topology().medium();
  self.hold(collection.words());
  if (k == 1) co_return;
  co_await self.until(round_of(memory, rank));
  self.write(rank, Bundle(collection.piece(rank)));
  co_await self.until(rounds(memory, k) + round_of(memory, rank));
  const std::vector<Slot> others = all_but(rank, k);
  std::vector<Message<Bundle>> values = co_await self.read(others);
  for (Message<Bundle>& value : values) {
    check_only_piece(value.payload, value.port, value.port);
    collection.add(std::move(value.payload));
  }
  self.hold(collection.words());
}

// As above where a bank serves one processor a cycle: blocks are spread over groups of banks, and every processor reads
// group after group, always another one than the others read. (saad-schultz-1988.md, Shared memory.)
Process allgather_through_banks(Processor<Bundle>& self, Collection& collection, const turns::BankRounds& rounds) {
  const Rank rank = self.rank();
  self.hold(collection.words());
  co_await self.until(rounds.writing(rank));
  self.write(rounds.slot(rank, 0), Bundle(collection.piece(rank)));
  for (std::uint64_t turn = 0; turn < rounds.turns(); ++turn) {
    const std::vector<Rank> others = rounds.others(rank, turn);
    if (others.empty()) continue;
    std::vector<Slot> slots;
    for (const Rank other : others) slots.push_back(rounds.slot(other, 0));
    co_await self.until(rounds.reading(rank, turn));
    std::vector<Message<Bundle>> values = co_await self.read(slots);
    for (std::size_t index = 0; index < others.size(); ++index) {
      check_only_piece(values[index].payload, others[index], others[index]);
      collection.add(std::move(values[index].payload));
    }
    self.hold(collection.words());
  }
}

Prediction predict_through_banks(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const turns::BankRounds rounds(machine, 1);
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  lengths.add(rounds.writing_cycles(), m);
  rounds.add_reading(lengths, m);
  return {.steps = exact_count(lengths.steps(), "ceil(k/P) (P + 1) - [k = P], P = min(kstar, banks, k)"),
          .messages = exact_count(k + rounds.reads(), "k (P + 1), but for groups of one writer"),
          .words = exact_count(k * k * m, "k^2 m"),
          .longest_sum = exact_count(lengths.sum(), "the largest group a step"),
          .longest_startups = lengths.startups()};
}

Prediction predict_on_bus(const MachineSpec& machine, const Model&, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  return {.steps = exact_count(k, "k"),
          .messages = exact_count(k, "k"),
          .words = exact_count(k * m, "k m"),
          .longest_sum = exact_count(k * m, "k m"),
          .message_words = *settings.words};
}

Prediction predict_through_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  if (machine.medium->banks != 0) return predict_through_banks(machine, model, settings);
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  const Wide R = rounds(*machine.medium, machine.processors);
  method::StepLengths lengths(model.cost);
  lengths.add(R, m);            // writing
  lengths.add(R, (k - 1) * m);  // reading
  return {.steps = exact_count(lengths.steps(), "2 ceil(k/kstar)"),
          .messages = exact_count(2 * k, "2 k"),
          .words = exact_count(k * k * m, "k^2 m"),
          .longest_sum = exact_count(lengths.sum(), "ceil(k/kstar) k m"),
          .longest_startups = lengths.startups()};
}

std::uint64_t bytes_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_where_shared(machine, model, settings, machine.processors, 0);
}

/// A slot per block, or more where blocks are to be in different banks.
std::uint64_t slots_of(const MachineSpec& machine) {
  return machine.medium->banks == 0 || machine.processors == 1 ? machine.processors
                                                               : turns::BankRounds(machine, 1).slots();
}

// A piece in every slot, and those that kstar processors are reading on their way into the collections.
std::uint64_t bytes_of_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide values = Wide{machine.medium->users} * machine.processors;
  return saturated(Wide{bytes_where_shared(machine, model, settings, machine.processors, 0, slots_of(machine))} +
                   values * sizeof(Message<Bundle>));
}

Outcome run_on_bus(const RunRequest& request) { return run(request, allgather_on_bus); }

Outcome run_through_memory(const RunRequest& request) {
  const MachineSpec& machine = request.machine;
  if (machine.medium->banks == 0 || machine.processors == 1) {
    return run(request, allgather_through_memory, slots_of(machine));
  }
  const turns::BankRounds rounds(machine, 1);
  return run(
      request,
      [&](Processor<Bundle>& self, Collection& collection) {
        return allgather_through_banks(self, collection, rounds);
      },
      rounds.slots());
}

}  // namespace
}  // namespace allgather

extern const Method allgather_direct_bus_method = allgather::with_defaults({
    .name = "allgather/direct",
    .families = {"bus"},
    .source = "Saad & Schultz 1988, (3.26) (saad-schultz-1988.md, Bus)",
    .summary = "one after the other says its block, which all others hear",
    .defaults = {.multicast = true},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = allgather::predict_on_bus,
    .bytes = allgather::bytes_on_bus,
    .run = allgather::run_on_bus,
});

extern const Method allgather_direct_shared_method = allgather::with_defaults({
    .name = "allgather/direct",
    .families = {"shared"},
    .source = "Saad & Schultz 1988, (3.27) (saad-schultz-1988.md, Shared memory)",
    .summary = "everybody writes its block, then everybody reads those of the others, kstar processors a cycle",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .predict = allgather::predict_through_memory,
    .bytes = allgather::bytes_of_memory,
    .run = allgather::run_through_memory,
});

}  // namespace lockstep
