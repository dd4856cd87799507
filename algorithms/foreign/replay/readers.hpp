#pragma once

#include "lockstep/algorithms/replay.hpp"

namespace lockstep::replay {

// See read_replay().

inline constexpr std::int64_t most_replay_ranks = std::int64_t{1} << 20;
inline constexpr std::int64_t most_replay_bytes = std::int64_t{1} << 50;  // of a message
inline constexpr std::size_t most_rank_operations = std::size_t{1} << 28;

ReplayProgram read_goal(const NamedText& file, std::uint64_t word_bytes);
ReplayProgram read_trace(const std::vector<NamedText>& files, std::uint64_t word_bytes);

}  // namespace lockstep::replay
