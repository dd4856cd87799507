#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace lockstep {

/// Room for products of two 64-bit numbers.
__extension__ using Wide = unsigned __int128;

/// Decimal digits of a number.
std::string to_string(Wide number);

/// An exact fraction, never negative, always in lowest terms. Sums and products that exceed 128 bits throw
/// std::overflow_error.
class Fraction {
 public:
  /// numerator / denominator, reduced. Throws std::invalid_argument if the denominator is 0.
  explicit Fraction(Wide numerator = 0, Wide denominator = 1);

  /// The numerator of the reduced fraction.
  Wide numerator() const { return numerator_; }
  /// The denominator of the reduced fraction; never 0.
  Wide denominator() const { return denominator_; }

  /// The least whole number not below the fraction.
  Wide ceil() const { return numerator_ / denominator_ + (numerator_ % denominator_ != 0 ? 1 : 0); }
  /// As a floating-point number, rounded.
  double to_double() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }
  /// "68/3", or "20" if it is whole.
  std::string to_string() const;

  /// Their sum, exactly.
  friend Fraction operator+(const Fraction& left, const Fraction& right);
  /// Their product, exactly.
  friend Fraction operator*(const Fraction& left, const Fraction& right);
  /// Throws std::invalid_argument if `right` is 0.
  friend Fraction operator/(const Fraction& left, const Fraction& right);
  friend bool operator==(const Fraction&, const Fraction&) = default;

 private:
  Wide numerator_;
  Wide denominator_;
};

}  // namespace lockstep
