#pragma once

#include <string>

#include "lockstep/algorithms/chunk_program.hpp"

namespace lockstep::msccl {

/// Reads MSCCL XML. Throws InputError.
ChunkProgram read_msccl(const std::string& text, const std::string& name);
/// Reads the JSON of SCCL and TACCL. Throws InputError.
ChunkProgram read_sccl(const std::string& text, const std::string& name);

}  // namespace lockstep::msccl
