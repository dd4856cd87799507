#pragma once

#include <span>
#include <string_view>

#include "lockstep/core/model.hpp"

namespace lockstep {

/// What messages and copies cost on a machine that was built.
struct CostPreset {
  std::string_view name;
  std::string_view machine;
  std::string_view units;  ///< of time and of a word
  CostModel cost;
  std::string_view source;  ///< of the numbers
};

/// All of them.
std::span<const CostPreset> cost_presets();

}  // namespace lockstep
