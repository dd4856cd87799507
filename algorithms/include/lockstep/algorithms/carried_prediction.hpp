#pragma once

#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/embedding.hpp"

namespace lockstep {

/// What a run of a guest's method counts on the host (see carrier.hpp), the settings being resolved for the guest. In a
/// subgraph what it counts on the guest itself, as every message has a link; of an emulated hypercube what follows from
/// the dimensions that the method crosses (mukherjee.md, Emulation), where these are known. Else nothing.
Prediction carried_prediction(const Embedding& embedding, const Method& method, const Model& model,
                              const Settings& settings);

/// What no method can beat on the host. An emulated hypercube has all the host's links, so that its bounds hold; of
/// others nothing is known.
LowerBound carried_lower_bound(const Embedding& embedding, const Method& method, const Model& model,
                               const Settings& settings);

}  // namespace lockstep
