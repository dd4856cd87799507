#pragma once

#include <span>
#include <string>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::method {

/// The reason why an entry cannot stand in the catalogue beside `others`, as the end of a sentence: "has no predict,
/// bytes". Empty if there is none.
std::string objection_to(const Method& entry, std::span<const Method* const> others);

}  // namespace lockstep::method
