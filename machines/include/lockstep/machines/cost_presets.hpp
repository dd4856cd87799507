#pragma once

#include <span>
#include <string_view>

#include "lockstep/core/model.hpp"

namespace lockstep {

/// The costs of messages and copies on a real machine.
struct CostPreset {
  std::string_view name;     ///< as --preset takes it
  std::string_view machine;  ///< whose numbers these are
  std::string_view units;    ///< of time and of a word
  CostModel cost;            ///< a message of one word, a word, a copied word
  std::string_view source;   ///< of the numbers
};

/// All presets.
std::span<const CostPreset> cost_presets();

}  // namespace lockstep
