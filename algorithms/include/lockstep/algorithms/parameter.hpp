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

/// The range of a parameter, and its default.
struct NumberRange {
  std::uint64_t least = 1;          ///< the smallest value
  std::uint64_t most = most_words;  ///< the largest value
  std::uint64_t otherwise = 1;      ///< the default
};

/// The values of a parameter that a method brings itself.
struct BroughtValues {
  BroughtType type = BroughtType::none;         ///< how they are written
  NumberRange range{};                          ///< of numbers, on any machine
  std::span<const std::string_view> choices{};  ///< of choices: the valid names, the default first
};

/// One parameter of a method, for users: the flag is "--" + name. The types below also state the setting and its range;
/// resolve() fills in the default and refuses all other values with InputError.
struct Parameter {
  std::string_view name;      ///< of the flag of a member of Settings, e.g. "words", unless the method brings it
  std::string_view meaning;   ///< with its unit
  std::string_view fallback;  ///< the default
  BroughtValues brought{};    ///< of none, or filled in by BroughtNumber and BroughtChoice
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

/// A whole number that a method brings itself, without a member of Settings: the entry lists it among its parameters,
/// and its flag, help, reports, completion and sweeps follow from that. No other flag of the command has its name: the
/// command refuses a method that brings one. Methods that bring parameters of one name and type share the flag, whose
/// help is that of the first. All texts live as long as the program.
///
///     constexpr BroughtNumber chord{"chord", "processors that a chord skips", "3", {.least = 2, .otherwise = 3}};
struct BroughtNumber : Parameter {
  /// The flag's name, the meaning with its unit, the default in words, and the range, with the default as a number.
  constexpr BroughtNumber(std::string_view flag, std::string_view what, std::string_view otherwise,
                          const NumberRange& range)
      : Parameter{flag, what, otherwise, {BroughtType::number, range, {}}} {}

  /// With the range that is valid on any machine.
  void resolve(Settings& settings) const { resolve(settings, brought.range); }
  /// With a range that depends on the machine or on other settings.
  void resolve(Settings& settings, const NumberRange& here) const;
  /// The resolved value.
  std::uint64_t of(const Settings& settings) const;
};

/// The same for one of several names, by default the first.
struct BroughtChoice : Parameter {
  /// The flag's name, the meaning, and the names, at least one.
  constexpr BroughtChoice(std::string_view flag, std::string_view what, std::span<const std::string_view> names)
      : Parameter{flag, what, names.front(), {BroughtType::choice, {}, names}} {}

  /// Fills in the first choice if none is given, and checks a given one. Throws ChoiceError.
  void resolve(Settings& settings) const;
  /// The resolved value.
  const std::string& of(const Settings& settings) const;
};

}  // namespace lockstep
