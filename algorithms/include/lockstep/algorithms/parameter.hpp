#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/choice_error.hpp"
#include "lockstep/algorithms/settings.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// The value if it lies in [least, most]; else throws InputError: "--root 9 is out of range: 0 to 7".
std::uint64_t whole_number(std::string_view flag, std::uint64_t value, std::uint64_t least, std::uint64_t most);

/// One parameter of a method, for people: the flag is "--" + name. What is declared as one of the types below also says
/// of which setting it is and what that may be; resolve() fills in its default and refuses all else with InputError.
struct Parameter {
  std::string_view name;      ///< of the flag of a member of Settings, e.g. "words"
  std::string_view meaning;   ///< with its unit
  std::string_view fallback;  ///< what holds when it is not given
};

/// The numbers that a parameter may be, and which it is when it is not given.
struct NumberRange {
  std::uint64_t least = 1;          ///< the smallest that it may be
  std::uint64_t most = most_words;  ///< the largest that it may be
  std::uint64_t otherwise = 1;      ///< what it is if it is not given
};

/// A whole number.
struct NumberParameter : Parameter {
  std::optional<std::uint64_t> Settings::*member;  ///< where its value is kept
  NumberRange range{};                             ///< what it may be anywhere

  /// In the range it has anywhere.
  void resolve(Settings& settings) const { resolve(settings, range); }
  /// In a range that depends on the machine or on other settings.
  void resolve(Settings& settings, const NumberRange& here) const;
};

/// A rank of the machine.
struct RankParameter : Parameter {
  std::optional<std::uint64_t> Settings::*member;  ///< where its value is kept

  /// Fills in `otherwise` if none is given, and checks that the machine has the rank. Throws InputError.
  void resolve(const MachineSpec& machine, Settings& settings, std::uint64_t otherwise = 0) const;
};

/// The resolved --root.
inline Rank root_of(const Settings& settings) { return static_cast<Rank>(*settings.root); }

/// One of several names, the first if none is given.
struct ChoiceParameter : Parameter {
  std::optional<std::string> Settings::*member;  ///< where its value is kept
  std::span<const std::string_view> choices;     ///< what it may be, the default first

  /// Fills in the first choice if none is given, and checks what is. Throws ChoiceError.
  void resolve(Settings& settings) const;
};

}  // namespace lockstep
