#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/number_file.hpp"

namespace lockstep {

/// Which operands hide others, so that a result can be right although one of its operands was wrong.
enum class Absorption {
  none,      ///< every change of one operand changes the result
  least,     ///< min: all but the least
  greatest,  ///< max: all but the greatest
  zeros,     ///< and: bits where another operand has 0
  ones,      ///< or: bits where another operand has 1
  singular   ///< matrix2: operands that a singular matrix maps to the same product
};

/// An associative operator, applied element by element: lower := lower (+) higher, where `lower` covers ranks below
/// those of `higher`. Both have the same length, a multiple of element_words.
///
/// int64 arithmetic is modulo 2^64, so that every order of additions and products gives the same; doubles are rounded.
struct Operator {
  /// lower := lower (+) higher, element by element.
  using Apply = void (*)(Block& lower, const Block& higher);

  std::string_view name;        ///< as --operator takes it
  bool commutative;             ///< operands may be swapped
  bool rounds;                  ///< with doubles, the order of three or more matters a little
  Absorption absorption;        ///< what hides an operand
  std::uint64_t element_words;  ///< words of an element
  Apply on_int64;               ///< null for concat, whose values are Strings
  Apply on_double;              ///< the words are the bits of doubles

  /// How it is applied to numbers of that type; null for concat.
  Apply on(NumberType type) const { return type == NumberType::int64 ? on_int64 : on_double; }
};

/// sum; min and max; and, or and xor of the words' bits, whatever their type; matrix2, the product of 2x2 matrices,
/// row by row 4 words each; concat, which appends strings.
std::span<const Operator> operators();

/// The operator of that name. Throws InputError: the names, and the nearest one.
const Operator& find_operator(std::string_view name);

/// Strings that travel together, each counted as one word.
struct Strings {
  std::vector<std::string> elements;  ///< in their order

  friend bool operator==(const Strings&, const Strings&) = default;
};
/// Length as a payload: one word per string.
inline std::uint64_t words(const Strings& strings) { return strings.elements.size(); }
/// All strings, for another process.
inline void pack(const Strings& strings, ByteWriter& to) { pack(strings.elements, to); }
/// The inverse of pack().
inline Strings unpack(ByteReader& from, std::type_identity<Strings>) {
  return {unpack(from, std::type_identity<std::vector<std::string>>{})};
}
/// Lengthens a string, which no appended string undoes; a fault that tests plant.
void corrupt(Strings& strings);

/// lower := lower (+) higher for concat: appends element by element.
void concatenate(Strings& lower, const Strings& higher);

}  // namespace lockstep
