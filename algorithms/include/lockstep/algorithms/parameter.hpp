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

/// The value if it is in [least, most]; else throws InputError: "--root 9 is out of range: 0 to 7".
std::uint64_t whole_number(std::string_view flag, std::uint64_t value, std::uint64_t least, std::uint64_t most);

/// One parameter of a method, for users: the flag is "--" + name. The types below also state the setting and its range;
/// resolve() fills in the default and refuses all other values with InputError.
struct Parameter {
  std::string_view name;      ///< of the flag of a member of Settings, e.g. "words"
  std::string_view meaning;   ///< with its unit
  std::string_view fallback;  ///< the default
};

/// The range of a parameter, and its default.
struct NumberRange {
  std::uint64_t least = 1;          ///< the smallest value
  std::uint64_t most = most_words;  ///< the largest value
  std::uint64_t otherwise = 1;      ///< the default
};

/// A whole number.
struct NumberParameter : Parameter {
  std::optional<std::uint64_t> Settings::*member;  ///< where its value is kept
  NumberRange range{};                             ///< valid on any machine

  /// With the range that is valid on any machine.
  void resolve(Settings& settings) const { resolve(settings, range); }
  /// With a range that depends on the machine or on other settings.
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

/// One of several names, by default the first.
struct ChoiceParameter : Parameter {
  std::optional<std::string> Settings::*member;  ///< where its value is kept
  std::span<const std::string_view> choices;     ///< the valid names, the default first

  /// Fills in the first choice if none is given, and checks a given one. Throws ChoiceError.
  void resolve(Settings& settings) const;
};

}  // namespace lockstep
