#pragma once

#include "lockstep/algorithms/method.hpp"

namespace lockstep::written {

/// What no total exchange can beat whose messages are not combined. Defined where the operation's methods are, so that
/// this room does not depend on them.
LowerBound bound_without_combining(const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep::written
