#pragma once

#include "lockstep/algorithms/method.hpp"

namespace lockstep::written {

/// What no total exchange can beat whose messages are combined, or are not. Defined where the operation's methods are,
/// so that this room need not know them.
LowerBound exchange_bound(bool combined, const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep::written
