#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "operands/partials.hpp"
#include "parts/element_parts.hpp"

// Reductions and scans through a shared memory: every processor writes its value, some processors each read a part of
// all values, combine them in the order of the ranks and write the results, which are then read (collectives.md,
// Through a bus or a memory).
namespace lockstep::parts {

inline constexpr Parameter combiners_parameter{
    "packets", "parts of every value, each combined by a processor of its own: at most kstar, and 1 with banks",
    fallback_packets};

/// The results, and the ranks that get them.
enum class Combined {
  at_root,     ///< the values of all ranks, at the root
  everywhere,  ///< the same at all ranks
  before_each  ///< at every rank the values of those before it; rank 0 has none
};

/// The slots, and the cycles in which they are written and read. Immutable.
class MemoryCombining {
 public:
  /// The settings are resolved. There are two processors or more.
  MemoryCombining(const MachineSpec& machine, const Settings& settings, Combined combined);

  /// The most parts, each combined by a processor of its own.
  static std::uint64_t most_parts(const MachineSpec& machine, const Settings& settings, Combined combined);

  const ElementParts& parts() const { return parts_; }
  Combined combined() const { return combined_; }
  Rank ranks() const { return ranks_; }
  /// The ranks from 0 on whose values are combined.
  Rank operands() const { return combined_ == Combined::before_each ? ranks_ - 1 : ranks_; }
  /// The ranks from 0 on of whose values the rank is to have the result; 0 if it is to have none.
  Rank operands_at(Rank rank) const;
  /// The part that the rank combines; no_rank if it combines none.
  Rank part_of(Rank rank) const { return place(rank) < parts_.count() ? place(rank) : no_rank; }

  bool writes(Rank rank) const { return rank < operands() && place(rank) >= first_place_; }
  Cycle writing(Rank rank) const { return (place(rank) - first_place_) / at_once_; }
  Rank writers() const { return operands() - first_place_; }
  /// The cycle in which the parts are read; if no part has to be, in which results are written.
  Cycle combining() const { return cycles(writers()); }
  /// Whether a processor that combines reads the values of others.
  bool reads_operands() const { return operands() > 1; }
  /// Whether results are written, and read afterwards.
  bool hands_out() const { return combined_ != Combined::at_root || parts_.count() > 1; }
  /// Whether the rank reads parts of its result.
  bool reads(Rank rank) const;
  Cycle reading(Rank rank) const;
  Rank readers() const;

  /// Of a part of the rank's value.
  Slot operand_slot(Rank rank, Rank part) const;
  /// Of the part of the rank's result; several ranks may read one.
  Slot result_slot(Rank rank, Rank part) const;
  /// The slots into which a rank that combines a part writes it when it has combined the values up to that of `last`.
  std::vector<Slot> results_of(Rank last, Rank rank) const;
  /// Slots with the same result: one, but with banks as many as can be read at once.
  Rank copies() const { return copies_; }
  std::uint64_t slots() const;

  /// Cycles for that many accesses, each of another processor.
  Cycle cycles(Rank accesses) const { return accesses / at_once_ + (accesses % at_once_ != 0 ? 1 : 0); }
  std::uint64_t at_once() const { return at_once_; }

 private:
  /// The place of the rank among the processors that write and read, from 0.
  Rank place(Rank rank) const { return rank >= root_ ? rank - root_ : ranks_ - (root_ - rank); }
  Rank reader(Rank rank) const;

  Combined combined_;
  Rank ranks_;
  Rank root_;
  ElementParts parts_;
  std::uint64_t at_once_;
  Rank first_place_;  // 1 where one processor combines all, and has no need to write
  Rank copies_;
};

/// Fills in the number of parts with the least time, or checks it; all else is resolved. Throws InputError.
void resolve_combiners(const MachineSpec& machine, const Model& model, Settings& settings, Combined combined);

/// The counts. With `adds_own` every rank adds its own value to what it gets, as an inclusive scan does.
Prediction predict_through_memory(const MachineSpec& machine, const Model& model, const Settings& settings,
                                  Combined combined, bool adds_own = false);

/// Bytes of a run.
std::uint64_t bytes_through_memory(const MachineSpec& machine, const Model& model, const Settings& settings,
                                   Combined combined);

/// What a processor has.
template <class Value>
struct HeldThroughMemory {
  operands::Partial<Value> own;                      ///< its value
  operands::Partial<Value> result{.count = 0};       ///< in the end
  std::vector<operands::Partial<Value>> received{};  ///< parts of others' values, where they are judged
};

/// What goes into one access, slot by slot.
template <class Value>
using WrittenSlots = std::vector<std::pair<Slot, operands::Partial<Value>>>;

/// Adds the combined values of `count` ranks. What is in a slot is labelled with it instead of with the first rank.
template <class Value>
void add_written(Slot slot, Rank count, Value value, WrittenSlots<Value>& written) {
  written.emplace_back(slot, operands::Partial<Value>{slot, count, std::move(value)});
}

/// The value found in a slot. Throws std::logic_error unless it belongs there, and is of `count` ranks and `size`
/// words.
template <class Value>
Value take_found(Message<operands::Partial<Value>>& found, Rank count, std::uint64_t size) {
  operands::Partial<Value>& payload = found.payload;
  if (payload.first != found.port || payload.count != count || words(payload) != size) {
    throw std::logic_error("slot " + std::to_string(found.port) + " has " + std::to_string(words(payload)) +
                           " words of " + std::to_string(payload.count) + " values for slot " +
                           std::to_string(payload.first) + " instead of " + std::to_string(size) + " words of " +
                           std::to_string(count));
  }
  return std::move(payload.value);
}

/// Sub-program of a processor that combines a part.
template <class Values>
Process combine_part(Processor<operands::Partial<typename Values::Value>>& self, const Values& values,
                     const MemoryCombining& plan, Rank part, HeldThroughMemory<typename Values::Value>& held) {
  using Payload = operands::Partial<typename Values::Value>;
  const Rank rank = self.rank();
  std::vector<Slot> slots;
  for (Rank origin = 0; origin < plan.operands(); ++origin) {
    if (origin != rank) slots.push_back(plan.operand_slot(origin, part));
  }
  co_await self.until(plan.combining());
  std::vector<Message<Payload>> found;
  if (!slots.empty()) found = co_await self.read(slots);
  self.hold(words(held.own) + slots.size() * plan.parts().size(part));
  WrittenSlots<typename Values::Value> written;
  Payload total{.count = 0};
  std::size_t next = 0;
  for (Rank origin = 0; origin < plan.operands(); ++origin) {
    Payload operand{.first = origin};
    if (origin == rank) {
      operand.value = plan.parts().cut(held.own.value, part);
    } else {
      operand.value = take_found(found[next++], 1, plan.parts().size(part));
      if (values.may_absorb()) held.received.push_back(operand);
    }
    if (origin == 0) {
      total = std::move(operand);
    } else {
      append(self, values, total, operand);
    }
    for (const Slot slot : plan.results_of(origin, rank)) add_written(slot, total.count, total.value, written);
    if (plan.operands_at(rank) == origin + 1) plan.parts().put(total.value, part, held.result.value);
  }
  if (!written.empty()) self.write(std::move(written));
}

/// Program of every processor. Where a rank gets no result, that of `held` stays of no ranks.
template <class Values>
Process combine_through_memory(Processor<operands::Partial<typename Values::Value>>& self, const Values& values,
                               const MemoryCombining& plan, HeldThroughMemory<typename Values::Value>& held) {
  using Payload = operands::Partial<typename Values::Value>;
  const Rank rank = self.rank();
  const Rank own_part = plan.part_of(rank);
  self.hold(words(held.own));
  if (plan.writes(rank)) {
    co_await self.until(plan.writing(rank));
    WrittenSlots<typename Values::Value> written;
    for (Rank part = 0; part < plan.parts().count(); ++part) {
      if (part == own_part) continue;
      add_written(plan.operand_slot(rank, part), 1, plan.parts().cut(held.own.value, part), written);
    }
    self.write(std::move(written));
  }
  const Rank covered = plan.operands_at(rank);
  if (covered > 0) {
    held.result.count = covered;
    make_room(words(held.own), held.result.value);
  }
  if (own_part != no_rank) co_await combine_part(self, values, plan, own_part, held);
  if (!plan.reads(rank)) co_return;
  std::vector<Slot> slots;
  for (Rank part = 0; part < plan.parts().count(); ++part) {
    if (part != own_part) slots.push_back(plan.result_slot(rank, part));
  }
  co_await self.until(plan.reading(rank));
  std::vector<Message<Payload>> found = co_await self.read(slots);
  self.hold(words(held.own) + words(held.result));
  std::size_t next = 0;
  for (Rank part = 0; part < plan.parts().count(); ++part) {
    if (part == own_part) continue;
    plan.parts().put(take_found(found[next++], covered, plan.parts().size(part)), part, held.result.value);
  }
}

/// Runs it on every processor; `held` has the value of each.
template <class Values, class Held>
Report run_through_memory(const RunRequest& request, const Values& values, const MemoryCombining& plan, Held& held) {
  using Payload = operands::Partial<typename Values::Value>;
  return run_program<Payload>(
      request, [&](Processor<Payload>& self) { return combine_through_memory(self, values, plan, held[self.rank()]); },
      plan.slots());
}

/// The value of every rank, as what it has before a run.
template <class Held, class Values>
PerRank<Held> held_before(const RunRequest& request, const Values& values) {
  PerRank<Held> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = {rank, 1, values.value(rank)}; });
  return held;
}

/// Judges what processors have read of the values of others.
template <class Values, class Held>
void judge_operands(const RunRequest& request, const Values& values, const MemoryCombining& plan,
                    const PerRank<Held>& held, Outcome& outcome) {
  judge_operands(
      request, values, plan.parts(), held, [&](Rank rank) { return plan.part_of(rank); }, outcome);
}

}  // namespace lockstep::parts
