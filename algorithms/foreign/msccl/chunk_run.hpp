#pragma once

#include "lockstep/algorithms/chunk_program.hpp"
#include "lockstep/algorithms/run_request.hpp"

namespace lockstep::msccl {

/// Every processor carries out its part of the plan on sums of contributions, which stand for the data; compares the
/// final content of every chunk with the demanded one.
Outcome run_chunks(const RunRequest& request, const ChunkProgram& program, const ChunkPlan& plan);

/// Bytes of the machine, all chunks, and the plan.
Wide bytes_of_chunks(const MachineSpec& machine, const Model& model, const ChunkProgram& program);

}  // namespace lockstep::msccl
