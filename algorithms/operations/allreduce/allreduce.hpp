#pragma once

#include "lockstep/algorithms/method.hpp"

// What the allreduces share (collectives.md, Allreduce).
namespace lockstep::allreduce {

/// The counts of parts that go twice round a ring, whatever connects its places.
Prediction predict_ring(const MachineSpec& machine, const Model& model, const Settings& settings);

/// On a switch or complete graph with one port: doublings, and the 2 (p - 1) m words that p ranks have to send.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Over links: with one port what a rank knows at most doubles; and all ranks have to send 2 (p - 1) m words over all
/// ports that they use at once.
LowerBound bound_over_links(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Completes the entry of an allreduce over links.
Method over_links(Method own);

}  // namespace lockstep::allreduce
