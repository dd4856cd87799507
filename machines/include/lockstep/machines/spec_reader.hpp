#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// The part of a specification after the colon, as a family reads it; every error names the whole specification.
class SpecReader {
 public:
  /// `whole` is the user's text, `parameters` the part of it that belongs to this family.
  SpecReader(std::string_view whole, const MachineFamily& family, std::string_view parameters)
      : whole_(whole), family_(family), parameters_(parameters) {}

  /// All of it, as given.
  std::string_view parameters() const { return parameters_; }
  /// Its parts between the separators.
  std::vector<std::string_view> split(char separator) const;

  /// A whole number of at most most_processors; `name` is its name in errors, e.g. "side 2".
  std::uint64_t number(std::string_view digits, const std::string& name) const;
  /// The same, but at least 1.
  std::uint64_t count(std::string_view digits, const std::string& name) const;
  /// A machine inside this one.
  MachineSpec machine(std::string_view text, const std::string& name) const;

  /// Refuses more processors than a machine may have.
  void check_size(std::uint64_t processors) const;
  /// Throws MachineSpecError with the specification, its error, and the form of the family.
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  std::string_view whole_;
  const MachineFamily& family_;
  std::string_view parameters_;
};

/// a * b, or the largest 64-bit number if the product exceeds it.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b);
/// 2^exponent, or the largest 64-bit number if the power exceeds it.
std::uint64_t saturating_power_of_two(std::uint64_t exponent);

}  // namespace lockstep
