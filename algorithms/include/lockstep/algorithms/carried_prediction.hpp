#pragma once

#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/embedding.hpp"

namespace lockstep {

/// Predicts the host's counts of a run of a guest's method (see carrier.hpp), whose settings are resolved. In a
/// subgraph they are the guest's own, as every message has a link; for an emulated hypercube they follow from the
/// dimensions that the method crosses (mukherjee.md, Emulation), where these are known. Else nothing is predicted.
Prediction carried_prediction(const Embedding& embedding, const Method& method, const Model& model,
                              const Settings& settings);

/// Whether a run of the guest's method does the operation of the host's processors too, with their ranks in place of
/// the guest's: the embedding uses all of them, and it keeps the ranks, or what moves does not depend on their order.
/// In a scan it does, as with operators that do not commute and parts of unequal length. The settings are resolved,
/// their ranks are the guest's.
bool does_task_of_host(const Embedding& embedding, const Method& method, const Settings& settings);

/// What no method can beat on the host: the host's bounds where the method does its task over its links. An emulated
/// hypercube has all the host's links, so its bounds hold; for other guests none is known.
LowerBound carried_lower_bound(const Embedding& embedding, const Method& method, const Model& model,
                               const Settings& settings);

}  // namespace lockstep
