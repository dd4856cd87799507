#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

// Packets along given paths where a processor either sends or receives in a step, without any code of the library.
// Every processor forwards packets as soon as it may, and the source sends a new packet over every free path.
namespace lockstep::plain {

/// S, W, M and V.
struct Counts {
  std::uint64_t steps = 0;
  std::uint64_t longest_sum = 0;
  std::uint64_t messages = 0;
  std::uint64_t words = 0;
};

/// Packets of these sizes along a path of `hops` hops, whose last processor sends nothing.
struct PathOfPackets {
  std::uint64_t hops = 0;
  std::vector<std::uint64_t> sizes{};
};

/// Sizes of pieces as equal as possible, the longer ones first.
inline std::vector<std::uint64_t> cut(std::uint64_t words, std::uint64_t pieces) {
  std::vector<std::uint64_t> sizes(pieces, words / pieces);
  for (std::uint64_t piece = 0; piece < words % pieces; ++piece) ++sizes[piece];
  return sizes;
}

/// Paths that share no processor but the ends, all at once.
inline Counts in_turns(const std::vector<PathOfPackets>& paths) {
  struct State {
    std::vector<std::size_t> at;  // the place that each packet has reached
  };
  std::vector<State> states;
  for (const PathOfPackets& path : paths) states.push_back({std::vector<std::size_t>(path.sizes.size(), 0)});
  Counts counts;
  for (bool moved = true; moved;) {
    moved = false;
    std::uint64_t longest = 0;
    for (std::size_t number = 0; number < paths.size(); ++number) {
      const PathOfPackets& path = paths[number];
      std::vector<std::size_t>& at = states[number].at;
      if (path.hops == 0) continue;
      std::vector<bool> sends(path.hops + 1), receives(path.hops + 1);
      // The packets that are farthest go first; a place between the ends either sends or receives.
      for (std::size_t packet = 0; packet < at.size(); ++packet) {
        const std::size_t from = at[packet];
        if (from == path.hops || sends[from] || receives[from + 1]) continue;
        const bool from_is_busy = from > 0 && receives[from];
        const bool to_is_busy = from + 1 < path.hops && sends[from + 1];
        if (from_is_busy || to_is_busy) continue;
        sends[from] = receives[from + 1] = true;
        ++at[packet];
        ++counts.messages;
        counts.words += path.sizes[packet];
        longest = std::max(longest, path.sizes[packet]);
        moved = true;
      }
    }
    counts.longest_sum += longest;
    if (moved) ++counts.steps;
  }
  return counts;
}

}  // namespace lockstep::plain
