#pragma once

#include "lockstep/algorithms/method.hpp"

// What the allreduces share (collectives.md, Allreduce).
namespace lockstep::allreduce {

/// The counts of parts that go twice round a ring, whatever connects its places.
Prediction predict_ring(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Completes the entry of an allreduce over links.
Method over_links(Method own);

}  // namespace lockstep::allreduce
