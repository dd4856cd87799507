#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "lockstep/machines/reduced_hypercube_embeddings.hpp"

namespace lockstep {

/// The facts known about a machine without building it. Distances are in links.
struct MachineFacts {
  std::uint64_t processors = 0;  ///< how many there are
  std::uint64_t links = 0;       ///< each counted once, in both directions
  std::uint64_t ports = 0;       ///< of every processor, those without a link included
  std::uint64_t degree_min = 0;  ///< the fewest links that a processor has
  std::uint64_t degree_max = 0;  ///< the most links that a processor has
  /// Unknown if there is no formula and the machine is too large to be searched, and for products with such a factor.
  std::optional<std::uint64_t> diameter;
  /// Sum of the distances from a processor to all others, averaged over all processors (dimakopoulos.md, Status and
  /// bounds). Unknown when the diameter is.
  std::optional<Fraction> average_status;
  /// The same, per pair of different processors; 0 on a machine of one processor.
  std::optional<Fraction> average_distance;
  /// Ordered pairs of processors that a third one separates, because all paths between them lead through it: the most
  /// over all processors. On a product, where a factor's processor becomes a copy of all other factors, the pairs that
  /// the copy separates for each of its processors; the most over all factors. Unknown if the machine is too large to
  /// be searched.
  std::optional<std::uint64_t> parted_pairs = 0;
  /// The number of messages that some processor must send in a total exchange, one after the other with a single port:
  /// its own N - 1 and those of the pairs that it separates (dimakopoulos.md, Status and bounds, tree bound; here for
  /// all machines).
  std::optional<std::uint64_t> tree_bound;
  /// Lower bound of the steps of a single-port total exchange: the larger of the average status, rounded up, and the
  /// tree bound (dimakopoulos.md, Status and bounds); if one of them is not known, the other.
  std::optional<std::uint64_t> total_exchange_bound;
  /// The fewest links whose removal separates two halves, equal up to one processor; if a formula is known.
  std::optional<std::uint64_t> bisection_width;
  /// For a reduced hypercube that emulates the hypercube with the same number of processors (mukherjee.md, Embeddings).
  std::optional<Dilation> hypercube_dilation;
  /// Several lines, the first of them a caption.
  std::string picture;
};

/// Facts about the machine, by closed forms where these are known (dimakopoulos.md, Status and bounds; mukherjee.md,
/// Machine), else by breadth-first search if the machine is not too large; for products by formula from their factors.
/// Takes microseconds, a search up to 0.1 s.
MachineFacts facts(const MachineSpec& spec);

/// The status of a processor: the sum of its distances to all (dimakopoulos.md, Status and bounds), for products by
/// formula from their factors. Unknown for buses and memories, and if there is no formula and the machine is too large
/// to be searched.
std::optional<std::uint64_t> status(const MachineSpec& spec, Rank rank);

}  // namespace lockstep
