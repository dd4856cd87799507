#pragma once

#include "lockstep/algorithms/method.hpp"

namespace lockstep::written {

/// What no total exchange can beat, with combined messages or without. Defined where the operation's methods are, so
/// that this room does not depend on them.
LowerBound exchange_bound(bool combined, const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep::written
