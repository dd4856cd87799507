#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/algorithms/operation/elements.hpp"
#include "lockstep/algorithms/operation/operands.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/verification.hpp"

// Partial results, which reductions and scans send, and their judgement.
namespace lockstep::operands {

/// The values of `count` nodes from `first` on, in the order of their logical addresses, combined into one: the content
/// of messages.
template <class Value>
using Partial = Elements<Value>;

/// lower := lower (+) higher, charged to the processor. Throws std::logic_error unless `higher` covers the addresses
/// just above those of `lower`: a sum does not depend on the order of its operands, but the order is checked all the
/// same. Values of no nodes change nothing.
template <class T, class Values>
void append(Processor<T>& self, const Values& values, Partial<typename Values::Value>& lower,
            const Partial<typename Values::Value>& higher) {
  if (higher.first != lower.first + lower.count) {
    throw std::logic_error("received the values from node " + std::to_string(higher.first) +
                           " on instead of those from node " + std::to_string(lower.first + lower.count) + " on");
  }
  if (higher.count > 0) combine(self, values, lower.value, higher.value);
  lower.count += higher.count;
}

/// The same for higher := lower (+) higher.
template <class T, class Values>
void prepend(Processor<T>& self, const Values& values, Partial<typename Values::Value> lower,
             Partial<typename Values::Value>& higher) {
  append(self, values, lower, higher);
  higher = std::move(lower);
}

/// Compares partial results with the values that they cover, combined one after the other: those that processors hold
/// in the end and, since an operator may absorb a wrong operand, those received. One pass over all values judges
/// everything: it keeps an oracle for each address at which a partial result begins, as long as one may still end.
/// Where these cover subcubes, it keeps as many oracles as dimensions, plus one, at a time.
template <class Values>
class Judge {
 public:
  using Value = typename Values::Value;

  /// The use of a partial result in its processor.
  enum class Role { result, total, message };

  /// Ignores the processors that were lost. Both arguments must outlive it.
  Judge(const Values& values, const std::vector<Rank>& lost)
      : values_(values), lost_(lost), newest_(values.ranks(), none), last_(values.ranks(), no_rank) {}

  /// The rank should have the combined values of `count` nodes from `first` on, at least one and at most all. The
  /// partial result must outlive the judgement.
  void expect(Rank rank, Role role, const Partial<Value>& partial, Rank first, Rank count) {
    if (!is_judged(rank)) return;
    if (partial.first != first || partial.count != count) {
      blame(wrong_, rank,
            rank_text(rank, role) + "a combination of " + range(partial.first, partial.count) + " instead of " +
                range(first, count));
      return;
    }
    const Rank last = first + count - 1;
    claims_.push_back({&partial, newest_[last], rank, role});
    newest_[last] = claims_.size() - 1;
    if (last_[first] == no_rank || last_[first] < last) last_[first] = last;
  }

  /// Adds the partial results that the rank has received.
  void received(Rank rank, const std::vector<Partial<Value>>& partials) {
    if (!is_judged(rank)) return;
    for (const Partial<Value>& partial : partials) {
      if (partial.count == 0 || partial.first >= values_.ranks() || partial.count > values_.ranks() - partial.first) {
        blame(wrong_, rank, rank_text(rank, Role::message) + "a combination of " + range(partial.first, partial.count));
      } else {
        expect(rank, Role::message, partial, partial.first, partial.count);
      }
    }
  }

  /// Fills in the first error: "rank 3 holds a result of 1 words of 1, the first 0 right". `rank_of` gives the rank of
  /// a logical address.
  void judge(Outcome& outcome, const std::function<Rank(Rank)>& rank_of = std::identity()) {
    Oracles open;
    for (Rank node = 0; node < values_.ranks() && wrong_.wrong.empty(); ++node) {
      if (open.empty() && last_[node] == no_rank) continue;
      Value value = values_.value(rank_of(node));
      for (auto& [first, oracle] : open) oracle.extend(value);
      if (last_[node] != no_rank) open.try_emplace(node, values_, std::move(value));
      judge_last(node, open);
      std::erase_if(open, [&](const auto& one) { return last_[one.first] == node; });
    }
    blame(outcome, wrong_.wrong_place, wrong_.wrong);
  }

  /// Bytes for a machine of `processors` processors with `partials` partial results to judge.
  static Wide bytes(std::uint64_t processors, Wide partials) {
    return processors * Wide{sizeof(std::size_t) + sizeof(Rank)} + 2 * partials * sizeof(Claim);
  }

 private:
  using Oracles = std::map<Rank, typename Values::Oracle>;  // by their first address

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  struct Claim {
    const Partial<Value>* partial;
    std::size_t next;  ///< another that ends at the same address
    Rank rank;
    Role role;
  };

  /// Ranks in other processes are judged there.
  bool is_judged(Rank rank) const { return values_.is_here(rank) && std::ranges::find(lost_, rank) == lost_.end(); }

  static std::string range(Rank first, Rank count) {
    return std::to_string(count) + " values from " + std::to_string(first) + " on";
  }

  static std::string_view text(Role role) {
    switch (role) {
      case Role::result:
        return " holds ";
      case Role::total:
        return " holds as a total ";
      case Role::message:
        break;
    }
    return " received ";
  }

  static std::string rank_text(Rank rank, Role role) {
    return "rank " + std::to_string(rank) + std::string(text(role));
  }

  /// Judges the partial results that end at the address; reports errors in final results before those in received ones,
  /// and then the lowest rank.
  void judge_last(Rank node, const Oracles& open) {
    constexpr std::uint64_t roles = 3;
    const std::uint64_t places = values_.ranks();  // lower ones are of wrong claims
    for (std::size_t index = newest_[node]; index != none; index = claims_[index].next) {
      const Claim& claim = claims_[index];
      std::string found = operands::what_is_wrong(open.at(claim.partial->first), claim.partial->value, Values::noun);
      if (found.empty()) continue;
      const std::uint64_t place = (node * roles + static_cast<std::uint64_t>(claim.role)) * places + claim.rank;
      blame(wrong_, places + place, rank_text(claim.rank, claim.role) + found);
    }
  }

  const Values& values_;
  const std::vector<Rank>& lost_;
  std::vector<Claim> claims_;
  std::vector<std::size_t> newest_;  // claim that ends at each address, the one added last
  std::vector<Rank> last_;  // address at which the longest claim ends that begins at each; no_rank if none does
  Outcome wrong_;           // only its error and place are used
};

/// Which ranks of this process hold the right result: result_of(rank) should be the values of the first count_of(rank)
/// ranks, combined in their order. count_of() does not decrease.
template <class Values, class CountOf, class ResultOf>
std::vector<bool> right_results(const Values& values, const CountOf& count_of, const ResultOf& result_of) {
  std::vector<bool> right(values.ranks());
  typename Values::Oracle oracle(values, values.value(0));
  Rank covered = 1;
  for (Rank rank = 0; rank < values.ranks(); ++rank) {
    const Rank count = count_of(rank);
    for (; covered < count; ++covered) oracle.extend(values.value(covered));
    if (!values.is_here(rank)) continue;
    const Partial<typename Values::Value>& result = result_of(rank);
    right[rank] = result.count == count &&
                  (count == 0 || (result.first == 0 && what_is_wrong(oracle, result.value, Values::noun).empty()));
  }
  return right;
}

/// Bytes of the judgement where every processor has `results` partial results in the end, and all together receive
/// `messages`, which are kept if they are judged.
inline Wide judged_bytes(const MachineSpec& machine, const Settings& settings, std::uint64_t results, Wide messages) {
  const Wide kept = may_absorb(settings) ? messages : 0;
  const std::uint64_t of_each = 2 * sizeof(Partial<Block>) + allocated_bytes(*settings.words);  // a list that grows
  return Judge<NumberValues>::bytes(machine.processors, machine.processors * Wide{results} + kept) + kept * of_each;
}

}  // namespace lockstep::operands
