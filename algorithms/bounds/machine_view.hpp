#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "rules.hpp"

namespace lockstep::bounds {

/// The processors around one, by their distance from it in links.
struct Around {
  std::vector<Wide> processors;  ///< at every distance, 1 at distance 0
  std::vector<Wide> links;       ///< between every distance and the next

  /// The greatest distance.
  std::uint64_t eccentricity() const { return processors.size() - 1; }
  /// The links of the processor itself.
  Wide degree() const { return links.empty() ? Wide{0} : links.front(); }
  /// The sum of the distances to all others.
  Wide status() const;
};

/// A cut of the whole machine, and the processors on its near side.
struct KnownCut {
  MachineCut cut;
  Wide near;
};

/// Processors of a machine whose cuts are looked for.
inline constexpr std::uint64_t most_parted = 128;

/// By rank, the ranks at the other ends of its links.
using Neighbours = std::vector<std::vector<Rank>>;
/// Of a machine with links.
Neighbours neighbours(const MachineSpec& machine);

/// A machine as messages see it. A bus and a switch take them from every processor to every other, like the links of a
/// complete graph; a shared memory is none of these.
class MachineView {
 public:
  explicit MachineView(const MachineSpec& machine);

  Wide processors() const { return spec_.processors; }
  Wide links() const { return links_; }
  /// The most links of a processor.
  Wide most_degree() const { return most_degree_; }
  /// Whether it looks alike from every processor.
  bool is_alike() const { return is_alike_; }
  const MachineSpec& spec() const { return spec_; }

  /// Seen from that rank: by closed forms for rings, paths, complete graphs and their products, else by breadth-first
  /// search; none if the machine is too large for that.
  std::optional<Around> around(Rank rank) const;
  /// Ranks from which the machine differs: all of a small one, else some.
  std::vector<Rank> centres() const;
  /// The distance of all ordered pairs together; none if it is not known.
  std::optional<Wide> sum_of_distances() const { return sum_of_distances_; }
  /// The messages that some processor sends at least in a total exchange (machine_facts.hpp); none if it is not known.
  std::optional<std::uint64_t> tree_bound() const { return tree_bound_; }
  /// Between the halves of every ring, path, complete graph and hypercube of which the machine is a product.
  std::vector<KnownCut> cuts() const;
  /// Distances from a rank. The machine has links, and can be searched.
  std::vector<std::uint32_t> distances_from(Rank rank) const;
  /// The links of every rank.
  std::vector<Wide> degrees() const;
  /// The fewest links of a processor.
  Wide least_degree() const { return least_degree_; }
  /// Whether a search of all its links takes milliseconds.
  bool can_be_searched() const;

 private:
  const MachineSpec& spec_;
  std::optional<Wide> sum_of_distances_;
  std::optional<std::uint64_t> tree_bound_;
  Wide links_;
  Wide most_degree_;
  Wide least_degree_;
  bool is_alike_;
};

}  // namespace lockstep::bounds
