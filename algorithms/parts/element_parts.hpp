#pragma once

#include <algorithm>
#include <iterator>
#include <string>

#include "lockstep/algorithms/operators.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/settings.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "parts/part_exchange.hpp"

// Values of every operator cut into parts, which are combined apart and in the order of the ranks.
namespace lockstep::parts {

/// `size` words of a value, or strings, from `first` on.
inline Block words_from(const Block& value, std::uint64_t first, std::uint64_t size) { return value.part(first, size); }
inline Strings words_from(const Strings& value, std::uint64_t first, std::uint64_t size) {
  const auto begin = value.elements.begin() + static_cast<std::ptrdiff_t>(first);
  return {{begin, begin + static_cast<std::ptrdiff_t>(size)}};
}

/// A value cut as by Parts, but never within an element of the operator: a matrix stays whole. The first part is one of
/// the shortest, the last one of the longest.
class ElementParts {
 public:
  ElementParts(const Settings& settings, Rank parts)
      : element_(find_operator(*settings.operator_name).element_words), parts_(*settings.words / element_, parts) {}

  /// The elements cut so: the longer parts come first.
  ElementParts(const Settings& settings, const Split& elements)
      : element_(find_operator(*settings.operator_name).element_words), parts_(elements) {}

  Rank count() const { return parts_.count(); }
  /// Words before the part.
  std::uint64_t first(Rank part) const { return element_ * parts_.first(part); }
  std::uint64_t size(Rank part) const { return element_ * parts_.size(part); }
  std::uint64_t shortest() const { return size(0); }
  std::uint64_t longest() const { return size(count() - 1); }

  template <class Value>
  Value cut(const Value& value, Rank part) const {
    return words_from(value, first(part), size(part));
  }
  /// Writes the part to its place in a value.
  void put(const Block& part, Rank number, Block& whole) const {
    std::copy_n(part.data(), part.size(), whole.data() + first(number));
  }
  void put(const Strings& part, Rank number, Strings& whole) const {
    std::ranges::copy(part.elements, whole.elements.begin() + static_cast<std::ptrdiff_t>(first(number)));
  }

 private:
  std::uint64_t element_;
  Parts parts_;
};

/// A value of that many words, to be filled.
inline void make_room(std::uint64_t words, Block& value) { value = Block(words); }
inline void make_room(std::uint64_t words, Strings& value) { value.elements.assign(words, {}); }

/// Judges the parts of others' operands that ranks have received, if the results are right but these may still be
/// wrong: `received` has them in the order of the ranks they come from, and part_at(rank) is their number.
template <class Values, class Holding, class PartAt>
void judge_operands(const RunRequest& request, const Values& values, const ElementParts& parts,
                    const PerRank<Holding>& held, const PartAt& part_at, Outcome& outcome) {
  if (!outcome.wrong.empty() || !values.may_absorb()) return;
  PerRank<std::size_t> next(request);
  for (Rank origin = 0; origin < values.ranks(); ++origin) {
    const auto value = values.value(origin);
    held.for_each([&](Rank rank, const Holding& one) {
      std::size_t& at = next[rank];
      if (at == one.received.size() || one.received[at].first != origin) return;
      if (!is_judged(request, outcome, rank) || one.received[at++].value == parts.cut(value, part_at(rank))) return;
      blame(outcome, rank,
            "rank " + std::to_string(rank) + " received another value than that of rank " + std::to_string(origin));
    });
  }
  agree(request, outcome);
}

}  // namespace lockstep::parts
