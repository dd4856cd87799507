#pragma once

#include <string>

#include "lockstep/algorithms/chunk_program.hpp"

namespace lockstep::msccl {

/// The operation of chunk_operations() that these formats call by that name, e.g. "reducescatter"; empty if there is
/// none.
std::string operation_called(const std::string& name);

/// Reads MSCCL XML. Throws InputError.
ChunkProgram read_msccl(const std::string& text, const std::string& name);
/// Reads the JSON of SCCL and TACCL. Throws InputError.
ChunkProgram read_sccl(const std::string& text, const std::string& name);

}  // namespace lockstep::msccl
