#pragma once

#include "lockstep/algorithms/chunk_program.hpp"
#include "lockstep/algorithms/run_request.hpp"

namespace lockstep::msccl {

/// Every processor carries out its part of the plan on sums of contributions, which stand for the data; compares what
/// every chunk holds in the end with what is demanded.
Outcome run_chunks(const RunRequest& request, const ChunkProgram& program, const ChunkPlan& plan);

/// Bytes of the machine, all chunks, and what is planned.
Wide bytes_of_chunks(const MachineSpec& machine, const Model& model, const ChunkProgram& program);

}  // namespace lockstep::msccl
