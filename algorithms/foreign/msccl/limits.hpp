#pragma once

#include <cstdint>

// The limits of MSCCL's runtime.
namespace lockstep::msccl {

inline constexpr std::uint32_t most_steps = 64;     ///< of a threadblock
inline constexpr std::uint32_t most_chunks = 71;    ///< of a step
inline constexpr std::uint32_t most_channels = 32;  ///< of a processor
inline constexpr std::uint32_t most_blocks = 32;    ///< threadblocks that send on a channel, or receive
inline constexpr std::uint32_t usual_slots = 2;     ///< messages that a connection holds

}  // namespace lockstep::msccl
