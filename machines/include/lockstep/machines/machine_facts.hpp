#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "lockstep/machines/reduced_hypercube_embeddings.hpp"

namespace lockstep {

/// What is known about a machine without building it. Distances are in links.
struct MachineFacts {
  std::uint64_t processors = 0;  ///< how many there are
  std::uint64_t links = 0;       ///< each counted once, in both directions
  std::uint64_t ports = 0;       ///< of every processor, those without a link included
  std::uint64_t degree_min = 0;  ///< the fewest links that a processor has
  std::uint64_t degree_max = 0;  ///< the most links that a processor has
  /// Unknown where there is no formula and the machine is too large to be searched, and for products with such a
  /// factor.
  std::optional<std::uint64_t> diameter;
  /// Sum of the distances from a processor to all others, averaged over all processors (dimakopoulos.md, Status and
  /// bounds). Unknown as the diameter.
  std::optional<Fraction> average_status;
  /// The same, per pair of different processors; 0 on a machine of one processor.
  std::optional<Fraction> average_distance;
  /// Ordered pairs of processors all paths between which lead through one and the same third: of the processor that
  /// parts the most. On a product, whose factor's processor becomes a copy of all the other factors, the pairs that the
  /// copy parts for each of its processors; the most of any factor. Unknown where the machine is too large to be
  /// searched.
  std::optional<std::uint64_t> parted_pairs = 0;
  /// So many messages some processor has to send in a total exchange, one after the other with a single port: its own
  /// N - 1 and those of the pairs that it parts (dimakopoulos.md, Status and bounds, tree bound; here for all
  /// machines).
  std::optional<std::uint64_t> tree_bound;
  /// No single-port total exchange takes fewer steps: the average status, rounded up, or the tree bound if that is
  /// more (dimakopoulos.md, Status and bounds); if one of them is not known, the other.
  std::optional<std::uint64_t> total_exchange_bound;
  /// Fewest links to cut so that two halves, equal up to one processor, are apart; where a formula is known.
  std::optional<std::uint64_t> bisection_width;
  /// Of a reduced hypercube that emulates the hypercube with as many processors (mukherjee.md, Embeddings).
  std::optional<Dilation> hypercube_dilation;
  /// Several lines, the first of them a caption.
  std::string picture;
};

/// Facts about the machine by closed forms where they are known (dimakopoulos.md, Status and bounds; mukherjee.md,
/// Machine), else by breadth-first search of machines that are not too large; products by formula from their factors.
/// Takes microseconds, a search up to 0.1 s.
MachineFacts facts(const MachineSpec& spec);

/// The status of a processor: the sum of its distances to all (dimakopoulos.md, Status and bounds), of products by
/// formula from their factors. Unknown for buses and memories, and where there is no formula and the machine is too
/// large to be searched.
std::optional<std::uint64_t> status(const MachineSpec& spec, Rank rank);

}  // namespace lockstep
