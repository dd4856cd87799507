#include "lockstep/machines/fraction.hpp"

#include <algorithm>
#include <stdexcept>

namespace lockstep {

namespace {

Wide greatest_common_divisor(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Wide times(Wide a, Wide b) {
  Wide product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw std::overflow_error("a fraction exceeds 128 bits");
  return product;
}

Wide plus(Wide a, Wide b) {
  Wide sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw std::overflow_error("a fraction exceeds 128 bits");
  return sum;
}

}  // namespace

std::string to_string(Wide number) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(number % 10));
    number /= 10;
  } while (number != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

Fraction::Fraction(Wide numerator, Wide denominator) {
  if (denominator == 0) throw std::invalid_argument("a fraction with denominator 0");
  const Wide common = greatest_common_divisor(numerator, denominator);
  numerator_ = numerator / common;
  denominator_ = denominator / common;
}

std::string Fraction::to_string() const {
  const std::string numerator = lockstep::to_string(numerator_);
  return denominator_ == 1 ? numerator : numerator + "/" + lockstep::to_string(denominator_);
}

Fraction operator+(const Fraction& left, const Fraction& right) {
  // Uses the least common denominator, which keeps the numbers small.
  const Wide common = greatest_common_divisor(left.denominator_, right.denominator_);
  const Wide left_factor = right.denominator_ / common;
  const Wide right_factor = left.denominator_ / common;
  return Fraction(plus(times(left.numerator_, left_factor), times(right.numerator_, right_factor)),
                  times(left.denominator_, left_factor));
}

Fraction operator*(const Fraction& left, const Fraction& right) {
  // Reduced crosswise first, for the same reason.
  const Fraction first(left.numerator_, right.denominator_);
  const Fraction second(right.numerator_, left.denominator_);
  return Fraction(times(first.numerator_, second.numerator_), times(first.denominator_, second.denominator_));
}

Fraction operator/(const Fraction& left, const Fraction& right) {
  return left * Fraction(right.denominator_, right.numerator_);
}

}  // namespace lockstep
