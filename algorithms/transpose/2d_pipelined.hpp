#pragma once

#include "two_dimensional.hpp"

// What the pipelined transpositions over one and over two paths share: packets of a block follow each other over path
// 0, or those of its halves over paths 0 and H, one every cycle. `paths` is 1 or 2. Johnsson & Ho, sections 6.1.1 and
// 6.1.2 (johnsson-ho.md, Two dimensions).
namespace lockstep::transpose::pipelined {

Outcome run(std::uint32_t paths, const RunRequest& request);
void resolve(std::uint32_t paths, const MachineSpec& machine, const Model& model, Settings& settings);
Prediction predict(std::uint32_t paths, const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes(std::uint32_t paths, const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep::transpose::pipelined
