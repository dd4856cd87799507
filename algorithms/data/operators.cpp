#include "lockstep/algorithms/operators.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "lockstep/algorithms/choice_error.hpp"

namespace lockstep {
namespace {

/// A word as the number it stands for, and back. A Word itself is an int64 in arithmetic modulo 2^64.
template <class Number>
Number number(Word word) {
  return std::bit_cast<Number>(word);
}
template <class Number>
Word word(Number value) {
  return std::bit_cast<Word>(value);
}

/// lower[i] := combine(lower[i], higher[i]).
template <class Number, class Combine>
void each(Block& lower, const Block& higher, Combine combine) {
  const auto combined = [&](Word a, Word b) { return word(combine(number<Number>(a), number<Number>(b))); };
  Word* const result = lower.data();
  std::transform(result, result + lower.size(), higher.data(), result, combined);
}

template <class Number>
void sum(Block& lower, const Block& higher) {
  each<Number>(lower, higher, [](Number a, Number b) { return a + b; });
}

template <class Number>
void minimum(Block& lower, const Block& higher) {
  each<Number>(lower, higher, [](Number a, Number b) { return std::min(a, b); });
}

template <class Number>
void maximum(Block& lower, const Block& higher) {
  each<Number>(lower, higher, [](Number a, Number b) { return std::max(a, b); });
}

void bits_and(Block& lower, const Block& higher) {
  each<Word>(lower, higher, [](Word a, Word b) { return a & b; });
}

void bits_or(Block& lower, const Block& higher) {
  each<Word>(lower, higher, [](Word a, Word b) { return a | b; });
}

void bits_xor(Block& lower, const Block& higher) {
  each<Word>(lower, higher, [](Word a, Word b) { return a ^ b; });
}

template <class Number>
void matrix_product(Block& lower, const Block& higher) {
  Word* const result = lower.data();
  for (std::uint64_t first = 0; first + 4 <= lower.size(); first += 4) {
    const auto left = [&](std::uint64_t index) { return number<Number>(result[first + index]); };
    const auto right = [&](std::uint64_t index) { return number<Number>(higher[first + index]); };
    const std::array product{left(0) * right(0) + left(1) * right(2), left(0) * right(1) + left(1) * right(3),
                             left(2) * right(0) + left(3) * right(2), left(2) * right(1) + left(3) * right(3)};
    for (std::uint64_t index = 0; index < 4; ++index) result[first + index] = word(product[index]);
  }
}

constexpr std::array all_operators{
    Operator{"sum", true, true, Absorption::none, 1, sum<Word>, sum<double>},
    Operator{"min", true, false, Absorption::least, 1, minimum<std::int64_t>, minimum<double>},
    Operator{"max", true, false, Absorption::greatest, 1, maximum<std::int64_t>, maximum<double>},
    Operator{"and", true, false, Absorption::zeros, 1, bits_and, bits_and},
    Operator{"or", true, false, Absorption::ones, 1, bits_or, bits_or},
    Operator{"xor", true, false, Absorption::none, 1, bits_xor, bits_xor},
    Operator{"matrix2", false, true, Absorption::singular, 4, matrix_product<Word>, matrix_product<double>},
    Operator{"concat", false, false, Absorption::none, 1, nullptr, nullptr},
};

}  // namespace

std::span<const Operator> operators() { return all_operators; }

const Operator& find_operator(std::string_view name) {
  std::vector<std::string> names;
  for (const Operator& known : all_operators) {
    if (known.name == name) return known;
    names.emplace_back(known.name);
  }
  refuse_choice("--operator", name, names);
}

void corrupt(Strings& strings) {
  if (!strings.elements.empty()) strings.elements[strings.elements.size() / 2].push_back('?');
}

void concatenate(Strings& lower, const Strings& higher) {
  for (std::size_t index = 0; index < lower.elements.size(); ++index) lower.elements[index] += higher.elements[index];
}

}  // namespace lockstep
