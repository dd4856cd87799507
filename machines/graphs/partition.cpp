#include "lockstep/machines/partition.hpp"

#include <algorithm>
#include <random>
#include <unordered_set>
#include <utility>

#include "graphs/metis.hpp"
#include "lockstep/machines/dimensions.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {
namespace {

/// Links of a product along one dimension: each from a rank whose coordinate lies in a range to the rank that is `step`
/// larger.
struct LinkShift {
  std::uint64_t step;
  Rank stride;  ///< of the dimension
  Rank side;
  Rank first;  ///< coordinates, from
  Rank last;   ///< to

  /// The number of ranks below `end` with such a coordinate.
  std::uint64_t below(std::uint64_t end) const {
    const std::uint64_t period = std::uint64_t{stride} * side;
    const std::uint64_t begin_in = std::uint64_t{first} * stride;
    const std::uint64_t end_in = (std::uint64_t{last} + 1) * stride;
    const std::uint64_t rest = std::clamp(end % period, begin_in, end_in) - begin_in;
    return end / period * (end_in - begin_in) + rest;
  }
  std::uint64_t between(std::uint64_t begin, std::uint64_t end) const {
    return begin < end ? below(end) - below(begin) : 0;
  }
};

constexpr std::uint64_t most_ends_of_factor = std::uint64_t{1} << 20;
constexpr std::uint64_t most_ends = std::uint64_t{1} << 26;
constexpr std::uint64_t drawn_ends = std::uint64_t{1} << 22;

/// Lists the links of a dimension; false if there are too many.
bool add_shifts(const Dimension& dimension, std::vector<LinkShift>& shifts) {
  const MachineSpec& factor = dimension.factor;
  const auto side = static_cast<Rank>(factor.processors);
  if (side < 2) return true;
  const auto add = [&](Rank from, Rank to, Rank first, Rank last) {
    shifts.push_back({std::uint64_t{to - from} * dimension.stride, dimension.stride, side, first, last});
  };
  if (factor.family == "ring" || factor.family == "path") {
    add(0, 1, 0, side - 2);
    if (factor.family == "ring" && side > 2) add(0, side - 1, 0, 0);
    return true;
  }
  if (factor.processors * factor.ports > most_ends_of_factor) return false;
  const Wiring leads = wiring(factor);
  for (Rank rank = 0; rank < side; ++rank) {
    for (Port port = 0; port < factor.ports; ++port) {
      if (const End end = leads(rank, port); end && end.rank > rank) add(rank, end.rank, rank, rank);
    }
  }
  return true;
}

/// The cut, summed from the links between any two processes.
class CutCount {
 public:
  explicit CutCount(unsigned processes) : processes_(processes), of_each_(processes), neighbours_(processes) {}

  /// Adds links between processors of these two processes.
  void add(unsigned one, unsigned other, std::uint64_t links) {
    all_ += links;
    of_each_[one] += links;
    of_each_[other] += links;
    const auto [low, high] = std::minmax(one, other);
    if (!pairs_.insert(std::uint64_t{low} * processes_ + high).second) return;
    ++neighbours_[one];
    ++neighbours_[other];
  }
  Cut finish() const {
    return {.links = all_,
            .links_of_one = *std::ranges::max_element(of_each_),
            .neighbours = *std::ranges::max_element(neighbours_)};
  }

 private:
  std::uint64_t processes_;
  std::uint64_t all_ = 0;
  std::vector<std::uint64_t> of_each_;
  std::vector<std::uint64_t> neighbours_;
  std::unordered_set<std::uint64_t> pairs_;
};

/// Where the processes' blocks begin, and where the last ends.
std::vector<std::uint64_t> block_bounds(const Placement& blocks) {
  std::vector<std::uint64_t> bounds{0};
  for (unsigned process = 0; process < blocks.processes(); ++process) {
    bounds.push_back(bounds.back() + blocks.count(process));
  }
  return bounds;
}

Cut cut_of_blocks(const std::vector<LinkShift>& shifts, const Placement& blocks) {
  const std::vector<std::uint64_t> bounds = block_bounds(blocks);
  CutCount count(blocks.processes());
  for (const LinkShift& shift : shifts) {
    for (unsigned from = 0; from < blocks.processes(); ++from) {
      const std::uint64_t begin = bounds[from];
      const std::uint64_t end = std::min(bounds[from + 1], bounds.back() - std::min(bounds.back(), shift.step));
      if (begin >= end) continue;
      for (unsigned to = blocks.owner(static_cast<Rank>(begin + shift.step)); to < blocks.processes(); ++to) {
        if (bounds[to] >= end + shift.step) break;
        if (to == from) continue;
        // The ranks in `here` whose links end in `there`.
        const std::uint64_t lowest = std::max(begin, bounds[to] - std::min(bounds[to], shift.step));
        const std::uint64_t past = std::min(end, bounds[to + 1] - std::min(bounds[to + 1], shift.step));
        if (const std::uint64_t links = shift.between(lowest, past); links != 0) count.add(from, to, links);
      }
    }
  }
  return count.finish();
}

template <class Owner>
Cut cut_link_by_link(const MachineSpec& machine, const Owner& owner, unsigned processes) {
  const Wiring leads = wiring(machine);
  const std::uint64_t ends = machine.processors * machine.ports;
  CutCount count(processes);
  const auto look = [&](std::uint64_t index) {
    const auto rank = static_cast<Rank>(index / machine.ports);
    const End end = leads(rank, static_cast<Port>(index % machine.ports));
    if (!end || owner(rank) == owner(end.rank)) return;
    count.add(owner(rank), owner(end.rank), 1);
  };
  const bool is_estimated = ends > most_ends;
  if (is_estimated) {
    std::mt19937_64 random(1);
    for (std::uint64_t drawn = 0; drawn < drawn_ends; ++drawn) look(random() % ends);
  } else {
    for (std::uint64_t index = 0; index < ends; ++index) look(index);
  }
  Cut cut = count.finish();
  const auto of_all = [&](std::uint64_t seen) {  // every link has two ends
    if (!is_estimated) return seen / 2;
    return static_cast<std::uint64_t>(static_cast<double>(seen) * static_cast<double>(ends) / drawn_ends / 2);
  };
  cut.links = of_all(cut.links);
  cut.links_of_one = of_all(cut.links_of_one);
  cut.is_estimated = is_estimated;
  return cut;
}

/// The coordinates, most significant first; the rank alone if the machine is no product.
struct RankCoordinate {
  Rank stride;
  Rank side;
};
std::vector<RankCoordinate> coordinates(const MachineSpec& machine) {
  std::vector<RankCoordinate> all;
  for (const Dimension& one : dimensions(machine))
    all.push_back({one.stride, static_cast<Rank>(one.factor.processors)});
  std::ranges::stable_sort(all, std::ranges::greater{}, &RankCoordinate::stride);
  return all;
}

/// Reflects coordinates, from places to ranks or back: after coordinates that form an odd place, a coordinate runs
/// backwards.
template <bool to_rank>
Rank reflected(const std::vector<RankCoordinate>& all, Rank number) {
  Rank result = 0;
  bool is_odd = false;  // the place so far
  for (const RankCoordinate& one : all) {
    const Rank given = number / one.stride % one.side;
    const Rank turned = is_odd ? one.side - 1 - given : given;
    result += turned * one.stride;
    const Rank of_place = to_rank ? given : turned;
    is_odd = ((is_odd && one.side % 2 == 1) != (of_place % 2 == 1));
  }
  return result;
}

std::vector<std::uint32_t> owners_of(const MachineSpec& machine, PartitionKind kind, unsigned processes) {
  const auto processors = static_cast<Rank>(machine.processors);
  if (kind == PartitionKind::metis) {
    return metis_owners(processors, static_cast<Port>(machine.ports), wiring(machine), processes);
  }
  const Placement blocks(processors, processes);
  const auto rank_at = gray_path(machine);
  std::vector<std::uint32_t> owners(processors);
  for (Rank place = 0; place < processors; ++place) owners[rank_at(place)] = blocks.owner(place);
  return owners;
}

}  // namespace

std::string_view name(PartitionKind kind) {
  switch (kind) {
    case PartitionKind::block:
      return "block";
    case PartitionKind::gray:
      return "gray";
    case PartitionKind::metis:
      break;
  }
  return "metis";
}

std::function<Rank(Rank)> gray_path(const MachineSpec& machine) {
  return [all = coordinates(machine)](Rank place) { return reflected<true>(all, place); };
}

std::function<Rank(Rank)> gray_places(const MachineSpec& machine) {
  return [all = coordinates(machine)](Rank rank) { return reflected<false>(all, rank); };
}

Placement partition(const MachineSpec& machine, PartitionKind kind, unsigned processes) {
  const auto processors = static_cast<Rank>(machine.processors);
  const bool is_block =
      kind == PartitionKind::block || processes == 1 || processes >= processors || machine.medium.has_value();
  return is_block ? Placement(processors, processes) : Placement(owners_of(machine, kind, processes), processes);
}

Cut cut_of(const MachineSpec& machine, PartitionKind kind, unsigned processes) {
  const Placement blocks(static_cast<Rank>(machine.processors), processes);
  Cut cut;
  if (kind == PartitionKind::metis) {
    const Placement placement = partition(machine, kind, processes);
    cut = cut_link_by_link(
        machine, [&](Rank rank) { return placement.owner(rank); }, processes);
    for (unsigned process = 0; process < processes; ++process) {
      cut.processors_most = std::max<std::uint64_t>(cut.processors_most, placement.count(process));
    }
    return cut;
  }
  std::vector<LinkShift> shifts;
  const auto are_listed = [&] {
    const auto all = dimensions(machine);
    return std::ranges::all_of(all, [&](const Dimension& one) { return add_shifts(one, shifts); }) &&
           shifts.size() * processes <= most_ends;
  };
  if (kind == PartitionKind::block && are_listed()) {
    cut = cut_of_blocks(shifts, blocks);
  } else if (kind == PartitionKind::block || processes >= machine.processors) {
    cut = cut_link_by_link(
        machine, [&](Rank rank) { return blocks.owner(rank); }, processes);
  } else {
    const auto place_of = gray_places(machine);
    cut = cut_link_by_link(
        machine, [&](Rank rank) { return blocks.owner(place_of(rank)); }, processes);
  }
  cut.processors_most = (machine.processors + processes - 1) / processes;
  return cut;
}

}  // namespace lockstep
