#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lockstep/core/model.hpp"

namespace lockstep {

/// The costs of messages and copies on a machine or a network that was measured.
struct CostPreset {
  std::string_view name;       ///< as --preset takes it
  std::string_view machine;    ///< whose numbers these are
  std::string_view time_unit;  ///< of all times: "seconds"
  std::string_view word;       ///< what a word is: "a 4-byte floating-point number"
  CostModel cost;              ///< a message of one word, a word, a copied word
  std::string_view source;     ///< of the numbers, and how they follow from what it measured

  /// "seconds; a word is a 4-byte floating-point number".
  std::string units() const;
};

/// All presets. A time per byte is that of 8 bytes a word, except for ipsc, whose words have 4. In the terms of LogP
/// and LogGP (Culler et al., PPoPP 1993; Alexandrov et al., SPAA 1995) a message of one byte takes L + 2 o, which is
/// beta, and each further byte G, of which a word has as many as it is long: tau. The gap g between two messages of one
/// processor has no counterpart: a processor with one port begins a message when the one before has left it, after
/// beta + tau for each of its words.
std::span<const CostPreset> cost_presets();

}  // namespace lockstep
