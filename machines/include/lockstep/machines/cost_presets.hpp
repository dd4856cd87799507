#pragma once

#include <span>
#include <string_view>

#include "lockstep/core/model.hpp"

namespace lockstep {

/// What messages and copies cost on a machine that was built.
struct CostPreset {
  std::string_view name;     ///< as --preset takes it
  std::string_view machine;  ///< that the numbers are of
  std::string_view units;    ///< of time and of a word
  CostModel cost;            ///< a message of one word, a word, a copied word
  std::string_view source;   ///< of the numbers
};

/// All of them.
std::span<const CostPreset> cost_presets();

}  // namespace lockstep
