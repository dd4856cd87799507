#include "machine_view.hpp"

#include <algorithm>

#include "lockstep/machines/cayley.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::bounds {
namespace {

constexpr std::uint64_t most_searched = std::uint64_t{1} << 22;  // ends of links in one search
constexpr std::uint64_t most_searched_from_all = std::uint64_t{1} << 18;
constexpr std::uint64_t most_distances = std::uint64_t{1} << 20;  // of a closed form

bool looks_alike(const MachineSpec& machine) {
  if (machine.medium || is_cayley_graph(machine)) return true;
  return !machine.factors.empty() && std::ranges::all_of(machine.factors, looks_alike);
}

Around on_path(std::uint64_t side, std::uint64_t place) {
  Around seen{.processors = {1}, .links = {}};
  const std::uint64_t behind = place;
  const std::uint64_t ahead = side - 1 - place;
  for (std::uint64_t distance = 1; distance <= std::max(behind, ahead); ++distance) {
    const Wide reached = (distance <= behind ? 1U : 0U) + (distance <= ahead ? 1U : 0U);
    seen.processors.push_back(reached);
    seen.links.push_back(reached);
  }
  return seen;
}

Around on_ring(std::uint64_t side) {
  Around seen{.processors = {1}, .links = {}};
  for (std::uint64_t distance = 1; distance <= side / 2; ++distance) {
    seen.processors.push_back(2 * distance == side ? 1 : 2);
    seen.links.push_back(side == 2 ? 1 : 2);
  }
  return seen;
}

Around on_complete(std::uint64_t processors) {
  if (processors == 1) return {.processors = {1}, .links = {}};
  return {.processors = {1, processors - 1}, .links = {processors - 1}};
}

Around product(const Around& one, const Around& other) {
  const std::size_t farthest = one.processors.size() + other.processors.size() - 1;
  Around both{.processors = std::vector<Wide>(farthest), .links = std::vector<Wide>(farthest - 1)};
  for (std::size_t a = 0; a < one.processors.size(); ++a) {
    for (std::size_t b = 0; b < other.processors.size(); ++b) {
      both.processors[a + b] += one.processors[a] * other.processors[b];
      if (a < one.links.size()) both.links[a + b] += one.links[a] * other.processors[b];
      if (b < other.links.size()) both.links[a + b] += one.processors[a] * other.links[b];
    }
  }
  return both;
}

/// Calls visit(from, to, distance of `from`, whether `to` is new) for every end of a link, in breadth-first order.
template <class Visit>
std::vector<std::uint32_t> search(const MachineSpec& machine, Rank rank, const Visit& visit) {
  const Wiring end = wiring(machine);
  constexpr std::uint32_t unseen = ~std::uint32_t{0};
  std::vector<std::uint32_t> distance(machine.processors, unseen);
  std::vector<Rank> found{rank};
  distance[rank] = 0;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Rank from = found[next];
    for (Port port = 0; port < machine.ports; ++port) {
      const End to = end(from, port);
      if (!to) continue;
      const bool is_new = distance[to.rank] == unseen;
      if (is_new) {
        distance[to.rank] = distance[from] + 1;
        found.push_back(to.rank);
      }
      visit(distance[from], distance[to.rank], is_new);
    }
  }
  return distance;
}

Around by_search(const MachineSpec& machine, Rank rank) {
  Around seen{.processors = {1}, .links = {}};
  search(machine, rank, [&](std::uint32_t distance, std::uint32_t beyond, bool is_new) {
    if (beyond <= distance) return;
    if (seen.links.size() < beyond) {
      seen.processors.push_back(0);
      seen.links.push_back(0);
    }
    if (is_new) seen.processors[beyond] += 1;
    seen.links[beyond - 1] += 1;
  });
  return seen;
}

std::optional<Around> seen_from(const MachineSpec& machine, Rank rank) {
  if (machine.medium || machine.family == "complete") return on_complete(machine.processors);
  if (machine.processors > most_distances && (machine.family == "ring" || machine.family == "path"))
    return std::nullopt;
  if (machine.family == "ring") return on_ring(machine.processors);
  if (machine.family == "path") return on_path(machine.processors, rank);
  Around seen{.processors = {1}, .links = {}};
  if (machine.family == "hypercube") {
    for (std::uint64_t dimension = 0; dimension < machine.ports; ++dimension) seen = product(seen, on_complete(2));
    return seen;
  }
  if (machine.factors.empty()) {
    if (Wide{machine.processors} * machine.ports > most_searched) return std::nullopt;
    return by_search(machine, rank);
  }
  std::uint64_t stride = machine.processors;
  for (const MachineSpec& factor : machine.factors) {
    stride /= factor.processors;
    const auto part = seen_from(factor, static_cast<Rank>(rank / stride % factor.processors));
    if (!part || seen.processors.size() * part->processors.size() > most_distances) return std::nullopt;
    seen = product(seen, *part);
  }
  return seen;
}

}  // namespace

Wide Around::status() const {
  Wide sum = 0;
  for (std::size_t distance = 0; distance < processors.size(); ++distance) sum += distance * processors[distance];
  return sum;
}

Neighbours neighbours(const MachineSpec& machine) {
  const Wiring end = wiring(machine);
  Neighbours all(machine.processors);
  for (Rank rank = 0; rank < machine.processors; ++rank) {
    for (Port port = 0; port < machine.ports; ++port) {
      if (const End there = end(rank, port)) all[rank].push_back(there.rank);
    }
  }
  return all;
}

MachineView::MachineView(const MachineSpec& machine)
    : spec_(machine), links_(0), most_degree_(0), least_degree_(0), is_alike_(looks_alike(machine)) {
  if (!machine.medium) {
    const MachineFacts known = facts(machine);
    links_ = known.links;
    most_degree_ = known.degree_max;
    least_degree_ = known.degree_min;
    tree_bound_ = known.tree_bound;
    if (known.average_status) {
      sum_of_distances_ = (*known.average_status * Fraction(machine.processors)).numerator();
    }
  } else {
    most_degree_ = least_degree_ = machine.processors - 1;
    sum_of_distances_ = Wide{machine.processors} * most_degree_;
    links_ = *sum_of_distances_ / 2;
  }
}

std::optional<Around> MachineView::around(Rank rank) const { return seen_from(spec_, rank); }

std::vector<Rank> MachineView::centres() const {
  std::vector<Rank> ranks{0};
  const Wide ends = Wide{spec_.processors} * std::max<std::uint64_t>(spec_.ports, 1);
  if (is_alike_ || spec_.processors * ends > most_searched_from_all) return ranks;
  for (Rank rank = 1; rank < spec_.processors; ++rank) ranks.push_back(rank);
  return ranks;
}

std::vector<KnownCut> MachineView::cuts() const {
  std::vector<KnownCut> cuts;
  const auto add = [&](Wide side, Wide links) {
    const Wide copies = processors() / side;
    const Wide near = side / 2;
    cuts.push_back(
        {{links * copies, std::min(links, near) * copies, std::min(links, side - near) * copies}, near * copies});
  };
  const auto add_factor = [&](const MachineSpec& factor) {
    const std::uint64_t side = factor.processors;
    if (side < 2) return;
    if (factor.family == "path") add(side, 1);
    if (factor.family == "ring") add(side, side > 2 ? 2 : 1);
    if (factor.family == "hypercube") add(2, 1);
    if (factor.family == "complete") add(side, Wide{side / 2} * (side - side / 2));
  };
  if (spec_.factors.empty()) {
    add_factor(spec_);
  } else {
    for (const MachineSpec& factor : spec_.factors) add_factor(factor);
  }
  return cuts;
}

std::vector<Wide> MachineView::degrees() const {
  const Wiring end = wiring(spec_);
  std::vector<Wide> links(spec_.processors);
  for (Rank rank = 0; rank < spec_.processors; ++rank) {
    for (Port port = 0; port < spec_.ports; ++port) links[rank] += end(rank, port) ? 1 : 0;
  }
  return links;
}

bool MachineView::can_be_searched() const { return Wide{spec_.processors} * spec_.ports <= most_searched; }

std::vector<std::uint32_t> MachineView::distances_from(Rank rank) const {
  return search(spec_, rank, [](std::uint32_t, std::uint32_t, bool) {});
}

}  // namespace lockstep::bounds
