#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "lockstep/core/processes.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// How the processors of a machine are divided over processes, in parts as equal as possible (metis: to 3 %).
enum class PartitionKind {
  block,  ///< neighbouring ranks together: slabs of a grid, subcubes of a cube if there are 2^i processes
  gray,   ///< neighbours on a path that changes one coordinate by one at a time (reflected Gray code) together
  metis   ///< so that few links are cut, by METIS's multilevel k-way heuristic
};
/// As --partition takes it.
std::string_view name(PartitionKind kind);

/// Divides the processors of a machine, the same way in all processes; on a medium always in blocks. A block takes no
/// memory, the others 8 bytes per processor; metis, while it works, also about 50 bytes per end of a link. Throws
/// InputError for metis if Lockstep was built without it, or the machine has more ends of links than it can number
/// (2^31 - 1).
Placement partition(const MachineSpec& machine, PartitionKind kind, unsigned processes);

/// The rank at place i of the path that `gray` follows, the reflected Gray code of the machine's coordinates
/// (dimensions.hpp).
///
///      mesh:2x3     0 - 1 - 2     place  0 1 2 3 4 5
///                           |     rank   0 1 2 5 4 3
///                   3 - 4 - 5
std::function<Rank(Rank)> gray_path(const MachineSpec& machine);
/// Its inverse: the place of a rank.
std::function<Rank(Rank)> gray_places(const MachineSpec& machine);

/// The cut of a partition.
struct Cut {
  std::uint64_t links = 0;            ///< between processors in different processes
  std::uint64_t links_of_one = 0;     ///< the most of those at one process
  std::uint64_t neighbours = 0;       ///< the most processes that one process is linked to
  bool is_estimated = false;          ///< from a sample of the links, which are too many to count
  std::uint64_t processors_most = 0;  ///< of one process
};

/// Counts the cut: for products of any size divided in blocks by arithmetic; for other machines link by link up to 2^26
/// ends of links, beyond that estimated from 2^22 ends drawn at random (seeded). With metis, throws as partition()
/// does.
Cut cut_of(const MachineSpec& machine, PartitionKind kind, unsigned processes);

}  // namespace lockstep
