#pragma once

#include <cstdint>
#include <random>

#include "lockstep/algorithms/synthesis.hpp"
#include "router.hpp"

namespace lockstep::search {

/// The calls of each step with one port, drawn: in a step arcs are taken roughly by the number of chunks that the
/// receiver lacks and the sender has, as long as both are free; `chunks_a_step` chunks go over an arc of multiplicity 1
/// in a step, the rarest first. The steps until every node has everything; none if they are more than `most_steps`.
OpenArcs draw_calls(const ChunkTask& task, const SearchNetwork& network, std::uint64_t chunks_a_step,
                    std::uint64_t most_steps, std::mt19937_64& random);

}  // namespace lockstep::search
