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
// shortest paths, which take at each step the lowest port that leads closer. So the places determine the embedding.
//
//      ring:8 in hypercube:3      place of i = gray(i)
//
//         0 - 1 - 2 - 3           000 - 001 - 011 - 010
//         |           |     =>     |                 |
//         7 - 6 - 5 - 4           100 - 101 - 111 - 110

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
  /// Whether the guest is the hypercube with the same number of processors, at equal addresses.
  bool is_emulation = false;

  /// The host's ports on the path between the places of two processors of the guest.
  std::vector<Port> path(Rank from, Rank to) const { return host_path(place(from), place(to)); }
  /// The same between two processors of the host.
  std::function<std::vector<Port>(Rank from, Rank to)> host_path;
};

/// Hosts of more processors are refused where places are kept in a table, or all paths are walked.
inline constexpr std::uint64_t most_walked_processors = std::uint64_t{1} << 24;

/// The guests that a machine of that family, which has links, can hold, as a text for users.
std::string embeddable_in(std::string_view family);

/// The guest in the host. A hypercube holds a torus or mesh, ring or path at Gray codes (saad-schultz-1985.md,
/// Embeddings) and a binary tree; a reduced hypercube the hypercube with the same number of processors, cube-connected
/// cycles, a ring or path and a binary tree (mukherjee.md, Embeddings); any connected machine with links the complete
/// graph with the same number of processors, up to 4,096. Takes memory for the places of a ring or path in a reduced
/// hypercube and of a tree, and for the distances of all pairs in a machine without E-cube paths. Throws InputError if
/// the host does not hold the guest or is too large for such a table, and MachineSpecError.
Embedding embedding(std::string_view guest, const MachineSpec& host);

/// The hypercube with the same number of processors in a reduced hypercube. Throws InputError if that is too large.
Embedding emulated_hypercube(const MachineSpec& reduced);

/// Steps in which whole building blocks of RH(k,n) send one message each over dimension b of the emulated hypercube,
/// stored and forwarded, the message with most links left first (mukherjee.md, Emulation): 1 inside a block. Between
/// blocks, if no block both sends and receives, or processors have all their ports, 2^n + 1, and 1 for n = 0; if they
/// exchange with one port, the numbers found for n = 0..4, beyond which no machine fits 32-bit ranks.
std::uint64_t exchange_steps(const ReducedHypercube& rh, Port b, PortModel ports, bool is_both_ways);

/// The costs of the embedding, found by walking along all paths.
struct EmbeddingCosts {
  std::uint64_t links = 0;       ///< of the guest, each direction counted separately
  std::uint64_t dilation = 0;    ///< links of the longest path
  Fraction average_dilation;     ///< links of a path, over all of the guest's links; 0 if it has none
  std::uint64_t congestion = 0;  ///< the most of the guest's links whose paths share a direction of a host's link
  Fraction expansion;            ///< the host's processors per processor of the guest
};

/// Takes time in proportion to the guest's links and the paths, and memory for the links of the host.
EmbeddingCosts costs_of(const Embedding& embedding);

}  // namespace lockstep
