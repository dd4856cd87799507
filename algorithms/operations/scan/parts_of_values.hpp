#pragma once

#include <algorithm>
#include <utility>

#include "lockstep/algorithms/operators.hpp"
#include "lockstep/algorithms/settings.hpp"
#include "parts/element_parts.hpp"
#include "parts/part_exchange.hpp"

// Values cut into parts of whole elements, which may also be strings.
namespace lockstep::scan {

/// Words of an element of the operator, which is resolved.
inline std::uint64_t element_words(const Settings& settings) {
  return find_operator(*settings.operator_name).element_words;
}

/// The words of every part of a value.
class PartWords {
 public:
  /// `parts` of elements of that many words.
  PartWords(const parts::Parts& parts, std::uint64_t element_words) : parts_(parts), element_words_(element_words) {}

  Rank count() const { return parts_.count(); }
  std::uint64_t first(Rank part) const { return element_words_ * parts_.first(part); }
  std::uint64_t size(Rank part) const { return element_words_ * parts_.size(part); }
  /// Words of the longest part.
  std::uint64_t longest() const { return element_words_ * ((parts_.first(count()) + count() - 1) / count()); }

 private:
  parts::Parts parts_;
  std::uint64_t element_words_;
};

/// Writes a part of a value back.
inline void put_part(Block& value, std::uint64_t first, const Block& part) {
  std::ranges::copy(part.words(), value.data() + first);
}
inline void put_part(Strings& value, std::uint64_t first, const Strings& part) {
  std::ranges::copy(part.elements, value.elements.begin() + static_cast<std::ptrdiff_t>(first));
}
/// A value of the same length, for all parts to be written.
inline Block empty_value(const Block& like) { return Block(like.size()); }
inline Strings empty_value(const Strings& like) { return {std::vector<std::string>(like.elements.size())}; }

/// The same part of all ranks' values.
template <class Values>
class PartOfValues {
 public:
  using Value = typename Values::Value;
  static constexpr std::string_view noun = Values::noun;

  class Oracle : public Values::Oracle {
   public:
    Oracle(const PartOfValues& values, Value first) : Values::Oracle(values.values_, std::move(first)) {}
  };

  PartOfValues(const Values& values, std::uint64_t first, std::uint64_t size)
      : values_(values), first_(first), size_(size) {}

  Rank ranks() const { return values_.ranks(); }
  bool is_here(Rank rank) const { return values_.is_here(rank); }
  Value value(Rank rank) const { return parts::words_from(values_.value(rank), first_, size_); }

 private:
  const Values& values_;
  std::uint64_t first_;
  std::uint64_t size_;
};

}  // namespace lockstep::scan
