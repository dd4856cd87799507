#pragma once

#include <string>

#include "lockstep/algorithms/parameter.hpp"

namespace lockstep::method {

/// The reason why a method of the catalogue cannot take the parameter, as the end of a sentence: "brings --words, which
/// is there already". Empty if there is none.
std::string objection_to_flag(const Parameter& parameter);

/// Adds the flag of a parameter to which there is no objection, if a method brings it and no other one has.
void add_flag(const Parameter& parameter);

}  // namespace lockstep::method
