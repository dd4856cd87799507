#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"

namespace lockstep {

// Machines inside machines: each processor of a guest is emulated by one of a host, and each link of the guest by a
// path of the host. The paths are the host's E-cube paths (mukherjee.md, Routing); on machines without them they are
// shortest paths, which take at each step the lowest port that leads closer: in a torus or mesh, dimension by
// dimension. So the places determine the embedding.
//
//      ring:8 in hypercube:3      place of i = gray(i)
//
//         0 - 1 - 2 - 3           000 - 001 - 011 - 010
//         |           |     =>     |                 |
//         7 - 6 - 5 - 4           100 - 101 - 111 - 110
//
//      hypercube:4 in mesh:4x4    row and column in Gray code
//
//                                 0000 - 0001 - 0011 - 0010      the neighbours of 0000: 0001 beside it, 0010 at the
//                                 0100 - 0101 - 0111 - 0110      end of the row; so 2 links of the hypercube share
//                                 1100 - 1101 - 1111 - 1110      each link in the middle of a row
//                                 1000 - 1001 - 1011 - 1010

/// A guest in a host.
struct Embedding {
  MachineSpec host;                    ///< a machine with links
  std::string guest;                   ///< "torus:4x8", "binary-tree"
  std::optional<MachineSpec> machine;  ///< the guest, if it is a machine on which methods run
  std::uint64_t processors = 0;        ///< of the guest
  Port ports = 0;                      ///< of each of them, those without a link included
  Wiring wiring;                       ///< where the guest's ports lead
  std::function<Rank(Rank)> place;     ///< the host's processor that emulates the guest's; all different
  std::string map;                     ///< how the places are found: "each coordinate in Gray code"
  std::string source;                  ///< the source of the embedding
  /// Whether every link of the guest is a link of the host, all different.
  bool is_subgraph = false;
  /// Whether the guest is the hypercube with the same number of processors, at equal addresses of a reduced hypercube.
  bool is_emulation = false;

  /// The host's ports on the path between the places of two processors of the guest.
  std::vector<Port> path(Rank from, Rank to) const { return host_path(place(from), place(to)); }
  /// The same between two processors of the host.
  std::function<std::vector<Port>(Rank from, Rank to)> host_path;
};

/// Hosts of more processors are refused where places are kept in a table, or all paths are walked.
inline constexpr std::uint64_t most_walked_processors = std::uint64_t{1} << 24;

/// The guest in the host, which is at least as large and has links. Without `map`, by the guest and the host:
/// * torus, mesh, ring, path in a hypercube: each side at Gray codes (saad-schultz-1985.md, Embeddings);
/// * the hypercube with as many processors, cube-connected cycles, the ring of all or a path in a reduced hypercube
///   (mukherjee.md, Embeddings);
/// * in a torus, mesh, ring or path: the ring of all processors along a Hamiltonian cycle, if there is one; a torus or
///   mesh of as many dimensions side by side, rings without their closing link folded; the hypercube with as many
///   processors at Gray codes of the coordinates; where that hypercube is a part of it, a torus or mesh with as many
///   processors and sides of powers of 2, as in the hypercube;
/// * else both along a path through them, back and forth or in Gray order, or at equal ranks where one has no such
/// path;
/// * "binary-tree" in a hypercube or reduced hypercube.
/// `map` is one of mapping_orders() or a file (as read_mapping() reads it), for any guest but the tree. Takes memory
/// for the places of a file, of a ring or path in a reduced hypercube and of a tree; for the distances of all pairs in
/// a host of at most 4,096 processors that has no paths by arithmetic; and time for the guest's links unless they are
/// known to be links of the host. Throws InputError if the host cannot hold the guest, and MachineSpecError.
Embedding embedding(std::string_view guest, const MachineSpec& host, const std::optional<std::string>& map = {});

/// "row-major" (equal ranks), "snake", "gray" and "shuffled" (row-major): orders of both machines' processors in which
/// `map` places the guest's first in the host's first, and so on.
std::vector<std::string> mapping_orders();

/// The host's rank for each of the guest's processors, one a line, in the order of their ranks. Empty lines do not
/// count, and # begins a comment. Throws InputError with file and line if the file cannot be read, a line is no rank of
/// the host, a rank comes twice, or there are more or fewer than `processors`.
std::vector<Rank> read_mapping(const std::string& path, std::uint64_t processors, const MachineSpec& host);

/// The hypercube with as many processors in the host. Throws InputError if it has another number or is too large.
Embedding emulated_hypercube(const MachineSpec& host);

/// Steps in which whole building blocks of RH(k,n) send one message each over dimension b of the emulated hypercube,
/// stored and forwarded, the message with most links left first (mukherjee.md, Emulation): 1 inside a block. Between
/// blocks, if no block both sends and receives, or processors have all their ports, 2^n + 1, and 1 for n = 0; if they
/// exchange with one port, the numbers found for n = 0..4, beyond which no machine fits 32-bit ranks.
std::uint64_t exchange_steps(const ReducedHypercube& rh, Port b, PortModel ports, bool is_both_ways);

/// The paths, rings, meshes, tori and hypercubes that span the host: with as many processors, and links that are all
/// the host's, as embedding() places them. Grids of another shape than the host's are tried in hypercubes, complete
/// graphs and the tori and meshes that hold a hypercube: those with at most 64 processors of which no side is longer
/// than twice another, shorter sides first. Those with few dimensions come first, meshes before tori. None for a host
/// of more than 65,536 processors, or without links.
std::vector<Embedding> spanning_machines(const MachineSpec& host);

/// The costs of the embedding, found by walking along all paths.
struct EmbeddingCosts {
  std::uint64_t links = 0;       ///< of the guest, each direction counted separately
  std::uint64_t dilation = 0;    ///< links of the longest path
  Fraction average_dilation;     ///< links of a path, over all of the guest's links; 0 if it has none
  std::uint64_t congestion = 0;  ///< the most of the guest's links whose paths share a direction of a host's link
  Fraction expansion;            ///< the host's processors per processor of the guest
};

/// Takes time in proportion to the guest's links and the paths, and 4 bytes for each port of the host. Throws
/// InputError if the paths have more than `most_links` links in all, which takes some seconds.
EmbeddingCosts costs_of(const Embedding& embedding, std::uint64_t most_links = std::uint64_t{1} << 28);

}  // namespace lockstep
