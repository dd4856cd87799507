#pragma once

#include "lockstep/algorithms/method.hpp"

// What the allreduces share (collectives.md, Allreduce).
namespace lockstep::allreduce {

/// The counts of parts that go twice round a ring, whatever joins its places.
Prediction predict_ring(const MachineSpec& machine, const Model& model, const Settings& settings);

/// On a switch or complete graph with one port: doublings, and the 2 (p - 1) m words that p ranks have to send.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep::allreduce
