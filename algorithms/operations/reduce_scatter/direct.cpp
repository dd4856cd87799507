#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/predicted.hpp"
#include "operands/partials.hpp"
#include "operands/predicted_operations.hpp"
#include "parts/through_memory.hpp"
#include "parts/vectors.hpp"
#include "plans/turns/bank_rounds.hpp"

// Reduce-scatters over a medium that takes parts to all others without a processor between (collectives.md, Through a
// bus or a memory). The operands stay in the order of the ranks.
namespace lockstep {
namespace reduce_scatter {
namespace {

using operands::Partial;
using parts::ElementParts;

/// What a rank has.
template <class Value>
struct HeldSums {
  Value own;                               ///< its value
  Partial<Value> sum{.count = 0};          ///< of its own part, in the end of all ranks
  std::vector<Partial<Value>> received{};  ///< others' operands of its part read in a memory, where they are judged
  Value said{};                            ///< on a bus, its message
  std::uint64_t digest = 0;                ///< of that
  std::uint64_t heard = 0;                 ///< of those of all others, summed
};

/// Adds the operand of the next rank to those of the ranks before it.
template <class Values>
void add_next(Processor<Partial<typename Values::Value>>& self, const Values& values,
              Partial<typename Values::Value> next, HeldSums<typename Values::Value>& held) {
  if (next.first == 0) {
    held.sum = std::move(next);
  } else {
    append(self, values, held.sum, next);
  }
}

/// All parts but one, one after the other.
Block without_part(const Block& value, const ElementParts& parts, Rank part) {
  Block rest(value.size() - parts.size(part));
  Word* const to = std::copy_n(value.data(), parts.first(part), rest.data());
  std::copy(value.data() + parts.first(part) + parts.size(part), value.data() + value.size(), to);
  return rest;
}
Strings without_part(Strings value, const ElementParts& parts, Rank part) {
  const auto begin = value.elements.begin() + static_cast<std::ptrdiff_t>(parts.first(part));
  value.elements.erase(begin, begin + static_cast<std::ptrdiff_t>(parts.size(part)));
  return value;
}
/// Whether a message is the very one that was sent: copies share their memory until one changes.
bool is_as_said(const Block& heard, const Block& said) {
  return heard.size() > 1 && heard.size() == said.size() && heard.data() == said.data();
}
bool is_as_said(const Strings& /*heard*/, const Strings& /*said*/) { return false; }

/// The digest of a message, all of it, as a rank ignores most of what it hears: that of the sender if it is here and
/// nothing has changed, which takes no time.
template <class Values>
std::uint64_t digest_heard(const Values& values, const PerRank<HeldSums<typename Values::Value>>& all, Rank origin,
                           const typename Values::Value& heard) {
  if (values.is_here(origin) && is_as_said(heard, all[origin].said)) return all[origin].digest;
  return values.digest(heard);
}

// In cycle q rank q sends all parts but its own, and each of the others combines its own part of these. A rank adds its
// own operand in the cycle in which it hears nothing. k steps.
template <class Values>
Process reduce_scatter_on_bus(Processor<Partial<typename Values::Value>>& self, const Values& values,
                              const ElementParts& parts, PerRank<HeldSums<typename Values::Value>>& all) {
  using Payload = Partial<typename Values::Value>;
  const Rank k = self.processors();
  const Rank rank = self.rank();
  HeldSums<typename Values::Value>& held = all[rank];
  self.hold(2 * words(held.own));
  for (Rank origin = 0; origin < k; ++origin) {
    if (origin == rank) {
      co_await self.until(rank);
      const std::vector<Rank> others = all_but(rank, k);
      held.said = without_part(held.own, parts, rank);
      held.digest = values.digest(held.said);
      const Payload rest{.first = rank, .value = held.said};
      if (k > 1) self.send(others, rest);
      co_await self.until(rank + 1);
      add_next(self, values, Payload{.first = rank, .value = parts.cut(held.own, rank)}, held);
      continue;
    }
    const Payload heard = co_await self.message(origin);
    if (heard.first != origin || words(heard) != words(held.own) - parts.size(origin)) {
      throw std::logic_error("rank " + std::to_string(heard.first) + " spoke where rank " + std::to_string(origin) +
                             " is due");
    }
    const std::uint64_t first = parts.first(rank) - (origin < rank ? parts.size(origin) : 0);
    held.heard += digest_heard(values, all, origin, heard.value);
    add_next(self, values, Payload{.first = origin, .value = parts::words_from(heard.value, first, parts.size(rank))},
             held);
  }
}

/// The slots and cycles of a memory, with banks or without. There are two processors or more.
class PartSlots {
 public:
  explicit PartSlots(const MachineSpec& machine)
      : processors_(static_cast<Rank>(machine.processors)), memory_(*machine.medium) {
    if (memory_.banks != 0) rounds_.emplace(machine, machine.processors);
  }

  std::uint64_t slots() const { return rounds_ ? rounds_->slots() : std::uint64_t{processors_} * processors_; }
  Slot slot(Rank writer, Rank part) const {
    return rounds_ ? rounds_->slot(writer, part) : writer * processors_ + part;
  }
  Cycle writing(Rank rank) const { return rounds_ ? rounds_->writing(rank) : round_of(memory_, rank); }
  /// Reads of a rank, one after the other.
  std::uint64_t turns() const { return rounds_ ? rounds_->turns() : 1; }
  Cycle reading(Rank rank, std::uint64_t turn) const {
    return rounds_ ? rounds_->reading(rank, turn) : rounds(memory_, processors_) + round_of(memory_, rank);
  }
  std::vector<Rank> others(Rank rank, std::uint64_t turn) const {
    return rounds_ ? rounds_->others(rank, turn) : all_but(rank, processors_);
  }
  /// The number of these.
  std::uint64_t count_others(Rank rank, std::uint64_t turn) const {
    if (!rounds_) return processors_ - 1;
    const std::uint64_t groups = rounds_->turns();
    const std::uint64_t all = processors_ / groups + ((rank + turn) % groups < processors_ % groups ? 1 : 0);
    return all - (turn == 0 ? 1 : 0);
  }
  Wide reads() const { return rounds_ ? rounds_->reads() : Wide{processors_}; }

 private:
  Rank processors_;
  const Medium& memory_;
  std::optional<turns::BankRounds> rounds_;
};

// Every processor writes all parts but its own in one access, then reads its own part of all others and combines them
// when it has all. 2 ceil(k/kstar) steps without banks.
template <class Values>
Process reduce_scatter_at_memory(Processor<Partial<typename Values::Value>>& self, const Values& values,
                                 const ElementParts& parts, const PartSlots& memory,
                                 HeldSums<typename Values::Value>& held) {
  using Payload = Partial<typename Values::Value>;
  const Rank k = self.processors();
  const Rank rank = self.rank();
  self.hold(2 * words(held.own));
  co_await self.until(memory.writing(rank));
  parts::WrittenSlots<typename Values::Value> written;
  for (const Rank part : all_but(rank, k)) {
    parts::add_written(memory.slot(rank, part), 1, parts.cut(held.own, part), written);
  }
  self.write(std::move(written));
  std::vector<Payload> operands(k);
  operands[rank] = {.first = rank, .value = parts.cut(held.own, rank)};
  for (std::uint64_t turn = 0; turn < memory.turns(); ++turn) {
    const std::vector<Rank> others = memory.others(rank, turn);
    if (others.empty()) continue;
    std::vector<Slot> slots;
    for (const Rank origin : others) slots.push_back(memory.slot(origin, rank));
    co_await self.until(memory.reading(rank, turn));
    std::vector<Message<Payload>> found = co_await self.read(slots);
    for (std::size_t index = 0; index < others.size(); ++index) {
      operands[others[index]] = {.first = others[index], .value = parts::take_found(found[index], 1, parts.size(rank))};
    }
  }
  for (Rank origin = 0; origin < k; ++origin) {
    if (origin != rank && values.may_absorb()) held.received.push_back(operands[origin]);
    add_next(self, values, std::move(operands[origin]), held);
  }
}

void resolve_for_memory(const MachineSpec& machine, const Model& model, Settings& settings) {
  constexpr std::uint64_t most = std::uint64_t{1} << 16;  // so that k^2 slots have numbers
  if (machine.processors > most || (machine.processors > 1 && PartSlots(machine).slots() > most * most)) {
    throw InputError(printable(machine.text) + " has too many processors for a slot a pair: at most " +
                     std::to_string(most) + ", or fewer with banks");
  }
  parts::resolve_in_order(machine, model, settings);
}

ElementParts parts_of(const MachineSpec& machine, const Settings& settings) {
  return {settings, static_cast<Rank>(machine.processors)};
}

// A rank combines an operand in every cycle but the first after its own message; in each of them there is one with a
// longest part, if there are two.
Prediction predict_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  const ElementParts parts = parts_of(machine, settings);
  const Wide longer = m - k * parts.shortest();
  method::StepLengths lengths(model.cost);
  const Wide each = parts.longest() - parts.shortest();  // an element, if not 0
  const Wide with_longest = each == 0 ? 0 : longer / each;
  lengths.add(with_longest, m - parts.longest());
  lengths.add(k - with_longest, m - parts.shortest());
  Prediction prediction = method::predicted(lengths, k, (k - 1) * m, {"k", "k", "(k - 1) m", "(k - 1) m"});
  operands::predict_operations(settings, (k - 1) * m, "(k - 1) m", (k - 1) * parts.longest(), prediction);
  return prediction;
}

// Part by part and group by group, as long as these are few.
Prediction predict_at_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (machine.processors == 1) return method::nothing_moves();
  const auto k = static_cast<Rank>(machine.processors);
  const Wide m = *settings.words;
  const PartSlots memory(machine);
  const ElementParts parts = parts_of(machine, settings);
  const Cycle writing = memory.writing(k - 1) + 1;
  std::vector<Wide> longest(writing);
  std::vector<Wide> combined;
  if (Wide{k} * memory.turns() > operands::most_counted) return {};
  for (Rank rank = 0; rank < k; ++rank) {
    Wide& of_cycle = longest[memory.writing(rank)];
    of_cycle = std::max(of_cycle, m - parts.size(rank));
  }
  const auto raise = [](std::vector<Wide>& most, Cycle cycle, Wide to) {
    if (most.size() <= cycle) most.resize(cycle + 1);
    most[cycle] = std::max(most[cycle], to);
  };
  for (Rank rank = 0; rank < k; ++rank) {
    Cycle last = 0;
    for (std::uint64_t turn = 0; turn < memory.turns(); ++turn) {
      const std::uint64_t others = memory.count_others(rank, turn);
      if (others == 0) continue;
      last = memory.reading(rank, turn);
      raise(longest, last, others * parts.size(rank));
    }
    raise(combined, last, Wide{k - 1} * parts.size(rank));
  }
  method::StepLengths lengths(model.cost);
  for (const Wide words : longest) lengths.add(1, words);
  Wide most = 0;
  for (const Wide words : combined) most += words;
  const bool has_banks = machine.medium->banks != 0;
  Prediction prediction =
      method::predicted(lengths, k + memory.reads(), 2 * Wide{k - 1} * m,
                        {has_banks ? "ceil(k/P) (P + 1) - [k = P], P = min(kstar, banks, k)" : "2 ceil(k/kstar)",
                         has_banks ? "k (P + 1), but for groups of one writer" : "2 k", "2 (k - 1) m",
                         has_banks ? "the longest of each step" : "2 ceil(k/kstar) m (1 - 1/k) if k divides m"});
  operands::predict_operations(settings, Wide{k - 1} * m, "(k - 1) m", most, prediction);
  return prediction;
}

/// Beside its value a processor has `copies` of it in messages; what is judged is kept.
Wide bytes_of_values(const MachineSpec& machine, const Settings& settings, Wide payloads, std::uint64_t copies) {
  const Wide k = machine.processors;
  const Wide all = operands::value_bytes(machine, settings) + k * sizeof(HeldSums<Strings>);
  if (operands::is_concat(settings)) {
    const Wide text = operands::text_bytes(machine, settings) + k * *settings.words * sizeof(std::string);
    return all + payloads * sizeof(Partial<Strings>) + 8 * text;
  }
  const std::uint64_t all_copies = operands::may_absorb(settings) ? 8 : copies;
  return all + payloads * sizeof(Partial<Block>) + all_copies * k * allocated_bytes(*settings.words);
}

std::uint64_t bytes_of_run(const MachineSpec& machine, const Model& model, const Settings& settings, Wide payloads,
                           std::uint64_t copies, std::uint64_t slots) {
  return saturated((operands::is_concat(settings) ? machine_bytes<Partial<Strings>>(machine, model, slots)
                                                  : machine_bytes<Partial<Block>>(machine, model, slots)) +
                   bytes_of_values(machine, settings, payloads, copies));
}

std::uint64_t bytes_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_of_run(machine, model, settings, 4 * Wide{machine.processors}, 1, 0);
}

std::uint64_t bytes_at_memory(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t slots = machine.processors == 1 ? 1 : PartSlots(machine).slots();
  return bytes_of_run(machine, model, settings, Wide{machine.processors} * machine.processors, 0, slots);
}

/// The digests of the messages on a bus of all ranks, summed.
template <class Values>
std::uint64_t digests_of_messages(const Values& values, const ElementParts& parts) {
  std::uint64_t sum = 0;
  for (Rank rank = 0; rank < values.ranks(); ++rank) {
    sum += values.digest(without_part(values.value(rank), parts, rank));
  }
  return sum;
}

/// Compares the part of every rank, judges what it has received of others and, if all is right, writes the parts.
template <class Values>
void finish(const RunRequest& request, const Values& values, const ElementParts& parts,
            const PerRank<HeldSums<typename Values::Value>>& held, Outcome& outcome) {
  using Value = typename Values::Value;
  const auto start = std::chrono::steady_clock::now();
  typename Values::Oracle oracle(values, values.value(0));
  for (Rank rank = 1; rank < values.ranks(); ++rank) oracle.extend(values.value(rank));
  const bool on_bus = request.machine.medium->kind == MediumKind::bus;
  const std::uint64_t digests = on_bus ? digests_of_messages(values, parts) : 0;
  const auto judge = [&](Rank rank) -> Verdict {
    const Partial<Value>& sum = held[rank].sum;
    const std::string text = "rank " + std::to_string(rank) + " holds ";
    if (sum.count != values.ranks() || words(sum) != parts.size(rank)) {
      return {0, text + "a combination of " + std::to_string(sum.count) + " values"};
    }
    Value whole = oracle.expected();  // but for the rank's part
    parts.put(sum.value, rank, whole);
    const std::string wrong = operands::what_is_wrong(oracle, whole, Values::noun);
    if (!wrong.empty()) return {values.digest(sum.value), text + wrong};
    const bool is_heard =
        !on_bus || held[rank].heard == digests - values.digest(without_part(values.value(rank), parts, rank));
    return {values.digest(sum.value),
            is_heard ? "" : "rank " + std::to_string(rank) + " heard something else than the others had to say"};
  };
  verify_ranks(request, start, judge, outcome);
  parts::judge_operands(
      request, values, parts, held, [](Rank rank) { return rank; }, outcome);
  if (!request.settings.output || !outcome.wrong.empty()) return;
  const std::vector<Value> all = shared(request, [&](Rank rank) { return held[rank].sum.value; });
  values.write(*request.settings.output, all);
}

template <class Values>
PerRank<HeldSums<typename Values::Value>> held_before(const RunRequest& request, const Values& values) {
  PerRank<HeldSums<typename Values::Value>> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = values.value(rank); });
  return held;
}

template <class Values>
Outcome run_on_bus(const RunRequest& request, const Values& values) {
  using Payload = Partial<typename Values::Value>;
  const ElementParts parts = parts_of(request.machine, request.settings);
  auto held = held_before(request, values);
  Outcome outcome;
  outcome.report = run_program<Payload>(
      request, [&](Processor<Payload>& self) { return reduce_scatter_on_bus(self, values, parts, held); });
  finish(request, values, parts, held, outcome);
  return outcome;
}

template <class Values>
Outcome run_at_memory(const RunRequest& request, const Values& values) {
  using Payload = Partial<typename Values::Value>;
  if (request.machine.processors == 1) return run_on_bus(request, values);
  const ElementParts parts = parts_of(request.machine, request.settings);
  const PartSlots memory(request.machine);
  auto held = held_before(request, values);
  Outcome outcome;
  outcome.report = run_program<Payload>(
      request,
      [&](Processor<Payload>& self) {
        return reduce_scatter_at_memory(self, values, parts, memory, held[self.rank()]);
      },
      memory.slots());
  finish(request, values, parts, held, outcome);
  return outcome;
}

Outcome run_direct_on_bus(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_on_bus(request, operands::StringValues(request));
  return run_on_bus(request, operands::NumberValues(request));
}

Outcome run_direct_at_memory(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_at_memory(request, operands::StringValues(request));
  return run_at_memory(request, operands::NumberValues(request));
}

Method direct(Method own) {
  return parts::with_defaults(
      filled_in(std::move(own), {.operation = "reduce-scatter",
                                 .known_as = "reduce-scatter",
                                 .source = "Lockstep's own (collectives.md, Through a bus or a memory)",
                                 .port_models = {PortModel::one},
                                 .resolve = parts::resolve_in_order}));
}

}  // namespace
}  // namespace reduce_scatter

extern const Method reduce_scatter_direct_bus_method = reduce_scatter::direct({
    .name = "reduce-scatter/direct",
    .families = {"bus"},
    .summary = "one after the other says all parts but its own, of which each of the others combines its own",
    .defaults = {.multicast = true},
    .strictest_duplex = Duplex::half_node,
    .predict = reduce_scatter::predict_on_bus,
    .bytes = reduce_scatter::bytes_on_bus,
    .run = reduce_scatter::run_direct_on_bus,
});

extern const Method reduce_scatter_direct_shared_method = reduce_scatter::direct({
    .name = "reduce-scatter/direct",
    .families = {"shared"},
    .summary = "everybody writes all parts but its own, then everybody reads and combines its own, kstar a cycle",
    .strictest_duplex = Duplex::half_node,
    .resolve = reduce_scatter::resolve_for_memory,
    .predict = reduce_scatter::predict_at_memory,
    .bytes = reduce_scatter::bytes_at_memory,
    .run = reduce_scatter::run_direct_at_memory,
});

}  // namespace lockstep
