#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lockstep/machines/embedding.hpp"

namespace lockstep {

// An embedding is made in three steps: host and guest are checked; one of the functions below that place the guest's
// processors fills in place, map and source; then the paths are found. Those that return a bool return false if they
// know no place for this guest in this host, and set is_subgraph where every link of the guest is known to be one of
// the host.

/// Whether the machine is a torus, mesh, ring or path.
bool is_grid(const MachineSpec& machine);

/// The distances of all pairs are kept, and all pairs are linked, for at most this number of processors.
inline constexpr std::uint64_t most_paired_processors = 4096;

/// The place of a ring's processor on a path of as many, where neighbours are at most two apart: 0 2 4 5 3 1 for six.
constexpr Rank folded(Rank place, Rank length) {
  return place < (length + 1) / 2 ? 2 * place : 2 * (length - 1 - place) + 1;
}

/// An embedding() without the paths.
Embedding placed(std::string_view guest, const MachineSpec& host, const std::optional<std::string>& map);

/// Throws InputError if the host is too large for a table of places.
void refuse_large_table(const Embedding& made);

/// A torus, mesh, ring or path at Gray codes of a hypercube, each side by itself.
bool place_in_hypercube(Embedding& made);
/// The hypercube with as many processors in a reduced hypercube, cube-connected cycles, the ring of all or a path.
bool place_in_reduced_hypercube(Embedding& made);
/// In a torus, mesh, ring or path: the ring of all its processors; a torus or mesh of as many dimensions, whose sides
/// fit; the hypercube with as many processors at Gray codes, and through it others where all its links are there.
bool place_in_grid(Embedding& made);
/// A ring, path, torus, mesh or hypercube along a path through its host.
bool place_along_path(Embedding& made);
/// At equal ranks, any machine that is not larger.
void place_at_equal_ranks(Embedding& made);
/// As the file has them.
void place_from_file(Embedding& made, const std::string& path);
/// As --map asks: in the order that it names, or from the file.
void place_by_map(Embedding& made, const std::string& map);
/// The complete binary tree of all processors but one in a hypercube or reduced hypercube, numbered from the root by
/// levels; sets processors, ports and wiring too.
void place_tree(Embedding& made);

/// Whether every link of the guest is a link of the host, all different.
bool has_only_host_links(const Embedding& made);
/// Sets the paths of the host; the places are known.
void find_paths(Embedding& made);

}  // namespace lockstep
