#pragma once

#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace lockstep {

/// The forms of --duplex under which the method is legal with all its parameters, in all its port models and on all its
/// machines but rings of two, where both ways round are one link; full duplex first, which all are legal under.
std::vector<Duplex> duplex_forms(const Method& method);

}  // namespace lockstep
