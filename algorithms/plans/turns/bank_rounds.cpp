#include "bank_rounds.hpp"

#include <algorithm>

namespace lockstep::turns {

BankRounds::BankRounds(const MachineSpec& machine, std::uint64_t slots_of_each)
    : processors_(machine.processors),
      banks_(machine.medium->banks),
      at_once_(std::min({machine.medium->users, banks_, processors_})),
      in_a_group_(slots_of_each * ((processors_ + at_once_ - 1) / at_once_)),
      group_banks_(std::min(banks_ / at_once_, in_a_group_)),
      slots_of_each_(slots_of_each) {}

// A group's slots fill its banks row by row.
Slot BankRounds::slot(Rank writer, std::uint64_t number) const {
  const std::uint64_t in_group = writer / at_once_ * slots_of_each_ + number;
  return static_cast<Slot>(in_group / group_banks_ * banks_ + writer % at_once_ * group_banks_ +
                           in_group % group_banks_);
}

std::uint64_t BankRounds::slots() const { return (in_a_group_ - 1) / group_banks_ * banks_ + at_once_ * group_banks_; }

Cycle BankRounds::reading(Rank rank, std::uint64_t turn) const {
  const std::uint64_t skipped = skips_own_group() ? 1 : 0;
  return static_cast<Cycle>(writing_cycles()) + rank / at_once_ * (at_once_ - skipped) + turn - skipped;
}

std::vector<Rank> BankRounds::others(Rank rank, std::uint64_t turn) const {
  std::vector<Rank> ranks;
  for (std::uint64_t other = (rank + turn) % at_once_; other < processors_; other += at_once_) {
    if (other != rank) ranks.push_back(static_cast<Rank>(other));
  }
  return ranks;
}

// A group has ceil(k/P) writers if it is one of the first k mod P, or if P divides k, else floor(k/P). One of P readers
// is in a first group in every turn except that of the own groups, which all lack a writer. None of the last f < P
// readers is in a first group in the turns in which all are past these and none has come round.
void BankRounds::add_reading(method::StepLengths& lengths, Wide words) const {
  const Wide whole = processors_ / at_once_;
  const Wide last = processors_ % at_once_;
  const Wide most = writing_cycles();
  if (most > 1) lengths.add(whole, (most - 1) * words);
  lengths.add(whole * (at_once_ - 1), most * words);
  if (last == 0) return;
  const Wide in_first = std::min<Wide>(at_once_ - 1, 2 * (last - 1));
  lengths.add(1 + (at_once_ - 1 - in_first), whole * words);
  lengths.add(in_first, most * words);
}

// Every processor reads in all groups, except those that write alone in theirs.
Wide BankRounds::reads() const {
  const Wide alone = processors_ / at_once_ == 1 ? at_once_ - processors_ % at_once_ : 0;
  return Wide{processors_} * at_once_ - alone;
}

}  // namespace lockstep::turns
