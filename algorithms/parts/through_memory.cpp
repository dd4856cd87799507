#include "parts/through_memory.hpp"

#include <algorithm>
#include <limits>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/predicted.hpp"
#include "operands/predicted_operations.hpp"

namespace lockstep::parts {

MemoryCombining::MemoryCombining(const MachineSpec& machine, const Settings& settings, Combined combined)
    : combined_(combined),
      ranks_(static_cast<Rank>(machine.processors)),
      root_(combined == Combined::at_root ? root_of(settings) : 0),
      parts_(settings, static_cast<Rank>(*settings.packets)),
      at_once_(users_at_once(*machine.medium)),
      first_place_(*settings.packets == 1 ? 1 : 0),
      copies_(combined == Combined::everywhere && machine.medium->banks != 0
                  ? static_cast<Rank>(std::min<std::uint64_t>(at_once_, machine.processors - 1))
                  : 1) {}

// One processor at least only reads the results of a scan.
std::uint64_t MemoryCombining::most_parts(const MachineSpec& machine, const Settings& settings, Combined combined) {
  constexpr std::uint64_t most_slots = std::uint64_t{1} << 31;  // for values, and as many for results
  const std::uint64_t elements = *settings.words / find_operator(*settings.operator_name).element_words;
  if (machine.medium->banks != 0) return 1;
  const std::uint64_t combining = machine.processors - (combined == Combined::before_each ? 1 : 0);
  return std::max<std::uint64_t>(
      1, std::min({machine.medium->users, combining, elements, most_slots / machine.processors}));
}

Rank MemoryCombining::operands_at(Rank rank) const {
  if (combined_ == Combined::before_each) return rank;
  return combined_ == Combined::everywhere || rank == root_ ? ranks_ : 0;
}

Rank MemoryCombining::reader(Rank rank) const {
  switch (combined_) {
    case Combined::at_root:
      return 0;
    case Combined::before_each:
      return rank - 1;
    case Combined::everywhere:
      break;
  }
  return place(rank) - first_place_;
}

Rank MemoryCombining::readers() const {
  if (combined_ == Combined::at_root) return parts_.count() > 1 ? 1 : 0;
  return ranks_ - (combined_ == Combined::before_each ? 1 : first_place_);
}

bool MemoryCombining::reads(Rank rank) const {
  if (combined_ == Combined::before_each) return rank > 0;
  if (combined_ == Combined::at_root) return rank == root_ && parts_.count() > 1;
  return place(rank) >= first_place_;
}

Cycle MemoryCombining::reading(Rank rank) const {
  return combining() + (reads_operands() ? 1 : 0) + 1 + reader(rank) / at_once_;
}

// The ranks at work in one cycle have consecutive places, and so slots in different banks where there are banks, as
// then there is one part.
Slot MemoryCombining::operand_slot(Rank rank, Rank part) const { return place(rank) * parts_.count() + part; }

Slot MemoryCombining::result_slot(Rank rank, Rank part) const {
  const Slot first = ranks_ * parts_.count() + part;
  return combined_ == Combined::before_each ? first + rank * parts_.count() : first + reader(rank) % copies_;
}

std::vector<Slot> MemoryCombining::results_of(Rank last, Rank rank) const {
  const Rank part = part_of(rank);
  if (combined_ == Combined::before_each) {
    if (last + 1 == rank) return {};
    return {result_slot(last + 1, part)};
  }
  if (last + 1 < ranks_ || (combined_ == Combined::at_root && rank == root_)) return {};
  std::vector<Slot> slots;
  for (Rank copy = 0; copy < copies_; ++copy) slots.push_back(ranks_ * parts_.count() + part + copy);
  return slots;
}

std::uint64_t MemoryCombining::slots() const {
  const std::uint64_t operands = std::uint64_t{ranks_} * parts_.count();
  return combined_ == Combined::before_each ? 2 * operands : operands + std::max(parts_.count(), copies_);
}

namespace {

Wide words_of(const Settings& settings) { return *settings.words; }

/// The steps of processors that each write or read a value, but for the part that they combine: those that combine
/// come first.
void add_accesses(const MemoryCombining& plan, Rank accesses, Rank combining, Wide m, method::StepLengths& lengths) {
  if (accesses == 0) return;
  const bool all_combine = combining >= std::min<std::uint64_t>(plan.at_once(), accesses);
  lengths.add(1, all_combine ? m - plan.parts().shortest() : m);
  lengths.add(plan.cycles(accesses) - 1, m);
}

/// Words of the longest write of results.
Wide longest_results(const MemoryCombining& plan) {
  if (plan.combined() != Combined::before_each) return Wide{plan.copies()} * plan.parts().longest();
  const Wide all = Wide{plan.ranks() - 1} * plan.parts().shortest();  // of rank 0, which reads none itself
  return plan.parts().count() == 1 ? all : std::max(all, Wide{plan.ranks() - 2} * plan.parts().longest());
}

method::StepLengths lengths_of(const MemoryCombining& plan, const Model& model, Wide m) {
  method::StepLengths lengths(model.cost);
  const Rank parts = plan.parts().count();
  const Rank combining = parts > 1 ? parts : 0;  // of those that write
  add_accesses(plan, plan.writers(), combining, m, lengths);
  if (plan.reads_operands()) lengths.add(1, Wide{plan.operands() - 1} * plan.parts().longest());
  if (!plan.hands_out()) return lengths;
  lengths.add(1, longest_results(plan));
  add_accesses(plan, plan.readers(), plan.combined() == Combined::before_each ? parts - 1 : combining, m, lengths);
  return lengths;
}

Wide messages_of(const MemoryCombining& plan) {
  const Wide parts = plan.parts().count();
  const Wide handed_out = plan.combined() == Combined::at_root ? parts - 1 : parts;
  return plan.writers() + (plan.reads_operands() ? parts : 0) + handed_out + plan.readers();
}

/// Words written and read: of the values, and of the results.
Wide all_words(const MemoryCombining& plan, Wide m) {
  const Wide k = plan.ranks();
  switch (plan.combined()) {
    case Combined::at_root:
      return 2 * (k - 1) * m + 2 * (m - plan.parts().shortest());
    case Combined::before_each:
      return 4 * (k - 2) * m + 2 * Wide{plan.parts().shortest()};
    case Combined::everywhere:
      break;
  }
  return 3 * (k - 1) * m + plan.copies() * m;
}

method::Formulas formulas(const MemoryCombining& plan) {
  const bool is_whole = plan.parts().count() == 1;
  switch (plan.combined()) {
    case Combined::at_root:
      return is_whole ? method::Formulas{"R(k-1) + 1", "k", "2 (k-1) m", "(R(k-1) + k - 1) m"}
                      : method::Formulas{"R(k) + 3", "k + 2 g", "2 (k-1) m + 2 (m - floor(m/g))",
                                         "the longest of each step"};
    case Combined::before_each:
      return {is_whole ? "R(k-2) + R(k-1) + 2" : "2 R(k-1) + 2", is_whole ? "2 k - 1" : "2 (k - 1) + 2 g",
              "4 (k-2) m + 2 floor(m/g)", "the longest of each step"};
    case Combined::everywhere:
      break;
  }
  return {is_whole ? "2 R(k-1) + 2" : "2 R(k) + 2", is_whole ? "2 k" : "2 k + 2 g",
          plan.copies() == 1 ? "3 (k-1) m + m" : "(3 (k-1) + min(kstar, banks, k-1)) m", "the longest of each step"};
}

}  // namespace

void resolve_combiners(const MachineSpec& machine, const Model& model, Settings& settings, Combined combined) {
  const std::uint64_t most = MemoryCombining::most_parts(machine, settings, combined);
  if (settings.packets) {
    whole_number("packets", *settings.packets, 1, most);
    return;
  }
  const std::uint64_t elements = *settings.words / find_operator(*settings.operator_name).element_words;
  settings.packets = cheapest(TurningPoints{.words = {elements}, .packets = {most}}, most, [&](std::uint64_t parts) {
    Settings cut = settings;
    cut.packets = parts;
    const auto time = synchronous_time(predict_through_memory(machine, model, cut, combined), model.cost);
    return time ? time->value : std::numeric_limits<double>::max();
  });
}

// Those that add their own value to what they read do so in every cycle of the reading.
Prediction predict_through_memory(const MachineSpec& machine, const Model& model, const Settings& settings,
                                  Combined combined, bool adds_own) {
  if (machine.processors == 1) return method::nothing_moves();
  const MemoryCombining plan(machine, settings, combined);
  const Wide m = words_of(settings);
  Prediction prediction =
      method::predicted(lengths_of(plan, model, m), messages_of(plan), all_words(plan, m), formulas(plan));
  const Wide additions = plan.operands() - 1;
  const Wide own = adds_own ? plan.readers() : 0;
  const std::string formula = combined != Combined::before_each ? "(k-1) m" : adds_own ? "(2 k - 3) m" : "(k-2) m";
  operands::predict_operations(settings, (additions + own) * m, formula,
                               additions * plan.parts().longest() + (adds_own ? plan.cycles(plan.readers()) : 0) * m,
                               prediction);
  return prediction;
}

// The values twice, in the memory, and on their way; the results likewise, where they are read.
std::uint64_t bytes_through_memory(const MachineSpec& machine, const Model& model, const Settings& settings,
                                   Combined combined) {
  if (machine.processors == 1) {
    return saturated(machine_bytes<operands::Partial<Block>>(machine, model) + 4 * allocated_bytes(*settings.words) +
                     operands::value_bytes(machine, settings));
  }
  const MemoryCombining plan(machine, settings, combined);
  const Wide k = machine.processors;
  const Wide parts = plan.parts().count();
  const Wide payloads = 4 * k * (parts + 1) + 2 * plan.slots();
  if (operands::is_concat(settings)) {
    const Wide text = operands::text_bytes(machine, settings);
    const Wide strings = payloads * sizeof(operands::Partial<Strings>) + 8 * k * *settings.words * sizeof(std::string);
    const Wide results = combined == Combined::at_root ? 4 * text : 4 * text * k;
    return saturated(machine_bytes<operands::Partial<Strings>>(machine, model, plan.slots()) + strings + 4 * text +
                     results + operands::value_bytes(machine, settings));
  }
  // A part shares the memory of its value; beside the values there are results, and as much on the way.
  const Wide words = payloads / 4 * (sizeof(operands::Partial<Block>) + 32) + 2 * k * *settings.words * sizeof(Word);
  return saturated(machine_bytes<operands::Partial<Block>>(machine, model, plan.slots()) + words +
                   operands::value_bytes(machine, settings) + operands::judged_bytes(machine, settings, 1, 0));
}

}  // namespace lockstep::parts
