#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "lockstep/core/processes.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// How the processors of a machine are divided over processes, in parts as equal as they can be (metis: to 3 %).
enum class PartitionKind {
  block,  ///< neighbouring ranks together: slabs of a grid, subcubes of a cube if there are 2^i processes
  gray,   ///< neighbours on a path that changes one coordinate by one at a time (reflected Gray code) together
  metis   ///< such that few links are cut, by METIS's multilevel k-way heuristic
};
/// As --partition takes it.
std::string_view name(PartitionKind kind);

/// Divides the processors of a machine, the same in all processes; of a medium always in blocks. A block takes no
/// memory, the others 8 bytes a processor; metis, while it works, some 50 bytes an end of a link beside. Throws
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

/// What a partition cuts.
struct Cut {
  std::uint64_t links = 0;            ///< between processors of different processes
  std::uint64_t links_of_one = 0;     ///< of those, at one process; at that which has most
  std::uint64_t neighbours = 0;       ///< processes at the other ends of them; of that which has most
  bool is_estimated = false;          ///< from a part of the links, since there are more than can be looked at
  std::uint64_t processors_most = 0;  ///< of one process
};

/// Counts what is cut. Of products divided in blocks by arithmetic, whatever their size; of other machines link by link
/// up to 2^26 ends of links, and beyond that estimated from 2^22 ends that are drawn at random (seeded). metis: throws
/// as partition() does.
Cut cut_of(const MachineSpec& machine, PartitionKind kind, unsigned processes);

}  // namespace lockstep
