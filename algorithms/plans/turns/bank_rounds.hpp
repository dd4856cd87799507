#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "method/step_lengths.hpp"

namespace lockstep::turns {

/// The cycles of writes and reads in a memory of banks, where every processor writes its own slots once and then reads
/// one or more slots of each other processor. P = min(kstar, banks, k) processors are at the memory at a time, each in
/// a group of banks of its own. Rank r writes into group r mod P; so the ranks nP .. nP+P-1 write in one cycle. They
/// read in P cycles, going round the groups, each from its own on. (saad-schultz-1988.md, Shared memory.)
///
///     P = 3, ranks 3 to 5:   cycle 0   3 in group 0, 4 in group 1, 5 in group 2
///                            cycle 1   3 in group 1, 4 in group 2, 5 in group 0
///                            cycle 2   3 in group 2, 4 in group 0, 5 in group 1
class BankRounds {
 public:
  /// Every processor writes `slots_of_each` slots, at least 1. There are two processors or more.
  BankRounds(const MachineSpec& machine, std::uint64_t slots_of_each);

  /// One more than the highest slot.
  std::uint64_t slots() const;
  /// The slot of that number, from 0, among those that a processor writes.
  Slot slot(Rank writer, std::uint64_t number) const;

  /// The cycle in which it writes.
  Cycle writing(Rank rank) const { return rank / at_once_; }
  /// The cycles in which it can read.
  std::uint64_t turns() const { return at_once_; }
  /// The cycle of its turn, from 0; it does nothing in a turn without others().
  Cycle reading(Rank rank, std::uint64_t turn) const;
  /// The ranks whose slots it reads then, ascending.
  std::vector<Rank> others(Rank rank, std::uint64_t turn) const;

  /// ceil(k/P): cycles of writing.
  Wide writing_cycles() const { return (processors_ + at_once_ - 1) / at_once_; }
  /// Adds the cycles of reading, with `words` words from each other processor.
  void add_reading(method::StepLengths& lengths, Wide words) const;
  /// Read accesses.
  Wide reads() const;

 private:
  /// If k = P the groups have one writer each, and no processor reads in its own.
  bool skips_own_group() const { return processors_ == at_once_; }

  std::uint64_t processors_;
  std::uint64_t banks_;
  std::uint64_t at_once_;      // P
  std::uint64_t in_a_group_;   // slots of a group, at most
  std::uint64_t group_banks_;  // banks of a group that are used
  std::uint64_t slots_of_each_;
};

}  // namespace lockstep::turns
