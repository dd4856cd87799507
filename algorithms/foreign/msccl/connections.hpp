#pragma once

#include <limits>
#include <map>
#include <tuple>

#include "lockstep/algorithms/chunk_program.hpp"

namespace lockstep::msccl {

inline constexpr std::uint32_t no_threadblock = std::numeric_limits<std::uint32_t>::max();

/// Sender, receiver, channel.
using ConnectionEnds = std::tuple<Rank, Rank, std::uint32_t>;

/// The threadblocks at the ends of one channel between two processors, whose messages keep their order.
struct Connection {
  ConnectionEnds ends{};
  std::uint32_t sender = no_threadblock;    ///< of the sending processor
  std::uint32_t receiver = no_threadblock;  ///< of the receiving one
};

/// All connections. Throws ChunkProgramError if two threadblocks share an end of one.
std::map<ConnectionEnds, Connection> connections_of(const ChunkProgram& program);

}  // namespace lockstep::msccl
