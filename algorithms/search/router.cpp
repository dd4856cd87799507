#include "router.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "draw.hpp"

namespace lockstep::search {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t no_arc = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t not_yet = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t link_cost = 16;  // of a free link

}  // namespace

std::vector<Demand> demands_of(const ChunkTask& task, Rank nodes) {
  std::vector<Demand> demands;
  const bool has_root = task.operation == "broadcast";
  for (Rank origin = has_root ? task.root : 0; origin < (has_root ? task.root + 1 : nodes); ++origin) {
    for (Rank destination = 0; destination < nodes; ++destination) {
      const bool is_one = task.operation == "alltoall" ? destination != origin : destination == origin;
      if (!is_one) continue;
      for (std::uint32_t chunk = 0; chunk < task.chunks; ++chunk) demands.push_back({origin, destination, chunk});
    }
  }
  return demands;
}

Router::Router(const SearchNetwork& network, std::vector<Demand> demands, OpenArcs open, std::uint64_t seed)
    : network_(network), demands_(std::move(demands)), open_(std::move(open)), random_(seed), trees_(demands_.size()) {
  const std::size_t slots = open_.size() * network_.arcs.size();
  capacity_.resize(slots);
  usage_.resize(slots);
  history_.resize(slots);
  noise_.resize(slots);
  changed_.resize(open_.size() + 1);
  costs_.resize((open_.size() + 1) * network_.nodes);
  by_.resize(costs_.size());
  arrival_.resize(network_.nodes);
  parent_.resize(network_.nodes);
}

bool Router::route(const std::vector<std::uint64_t>& rounds, std::uint64_t passes, std::uint64_t& tries, Watch& watch) {
  for (std::uint64_t step = 0; step < steps(); ++step) {
    for (std::uint32_t arc = 0; arc < network_.arcs.size(); ++arc) {
      capacity_[slot(step, arc)] = open_[step][arc] ? rounds[step] * network_.arcs[arc].multiplicity : 0;
    }
  }
  std::ranges::fill(history_, 0);
  pressure_ = 2 * link_cost;
  std::vector<std::size_t> order(demands_.size());
  for (std::size_t demand = 0; demand < order.size(); ++demand) order[demand] = demand;
  const auto is_crowded = [&](const Branch& branch) {
    const std::size_t at = slot(branch.step, branch.arc);
    return usage_[at] > capacity_[at];
  };
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    draw_noise();
    draw_order(order, random_);
    for (const std::size_t demand : order) {
      const bool is_good = !trees_[demand].empty() && std::ranges::none_of(trees_[demand], is_crowded);
      if (is_good && random_() % 16 != 0) continue;
      if (tries == 0) return false;
      watch.check_tree();
      --tries;
      take_up(demand);
      lay(demand);
    }
    std::uint64_t crowded = 0;
    for (std::size_t at = 0; at < usage_.size(); ++at) {
      if (usage_[at] <= capacity_[at]) continue;
      ++crowded;
      history_[at] += link_cost / 2 * static_cast<std::int64_t>(usage_[at] - capacity_[at]);
    }
    if (crowded == 0) {
      found_ = trees_;
      has_found_ = true;
      return true;
    }
    pressure_ = std::min<std::int64_t>(pressure_ + pressure_ / 4, 64 * link_cost);
  }
  return false;
}

void Router::begin_with(const ChunkSchedule& schedule) {
  using Labels = std::tuple<Rank, Rank, std::uint32_t>;
  std::map<Labels, std::size_t> numbers;
  for (std::size_t number = 0; number < demands_.size(); ++number) {
    const auto& [origin, destination, chunk] = demands_[number];
    numbers.emplace(Labels(origin, destination, chunk), number);
  }
  std::set<std::pair<std::size_t, Rank>> reached;  // the first arrival counts where a chunk comes twice
  for (std::uint32_t step = 0; step < schedule.steps.size(); ++step) {
    for (const ChunkMove& move : schedule.steps[step]) {
      const std::size_t number = numbers.at(Labels(move.origin, move.destination, move.chunk));
      if (move.to == move.origin || !reached.emplace(number, move.to).second) continue;
      trees_[number].push_back({step, network_.arc(move.from, move.to)});
      ++usage_[slot(step, trees_[number].back().arc)];
    }
  }
  found_ = trees_;
  has_found_ = true;
}

/// Draws small costs, so that each pass takes another of several paths of equal cost.
void Router::draw_noise() {
  for (std::int64_t& noise : noise_) noise = static_cast<std::int64_t>(random_() % 8);
}

void Router::take_up(std::size_t demand) {
  for (const Branch& branch : trees_[demand]) --usage_[slot(branch.step, branch.arc)];
  trees_[demand].clear();
}

void Router::reach(std::uint64_t time, Rank node, std::int64_t cost, std::uint32_t by) {
  const std::size_t at = place(time, node);
  if (cost >= costs_[at]) return;
  costs_[at] = cost;
  by_[at] = by;
  changed_[time].push_back(node);
}

/// Propagates changed costs from that time on.
void Router::relax(std::uint64_t time) {
  for (; time < steps(); ++time) {
    for (std::size_t next = 0; next < changed_[time].size(); ++next) {
      const Rank node = changed_[time][next];
      const std::int64_t cost = costs_[place(time, node)];
      reach(time + 1, node, cost, no_arc);
      for (const std::uint32_t arc : network_.out[node]) {
        if (!open_[time][arc]) continue;
        const std::size_t at = slot(time, arc);
        std::int64_t price = link_cost + noise_[at] + history_[at];
        if (usage_[at] >= capacity_[at]) price += pressure_ * static_cast<std::int64_t>(usage_[at] + 1 - capacity_[at]);
        reach(time + 1, network_.arcs[arc].to, cost + price, arc);
      }
    }
    changed_[time].clear();
  }
  changed_[steps()].clear();
}

/// Adds the cheapest path to the node to the tree. Where it passes a node of the tree, but earlier, that node is
/// reached by it from now on; the node has no branches before its old arrival.
void Router::branch_to(Rank node) {
  std::uint64_t time = steps();
  std::uint64_t first = time;
  while (true) {
    const std::uint32_t arc = by_[place(time, node)];
    if (time >= arrival_[node] && arrival_[node] != not_yet) break;
    if (arc == no_arc) {
      --time;
      continue;
    }
    arrival_[node] = time;
    parent_[node] = arc;
    // Branches from the node start at no cost.
    costs_[place(time, node)] = 0;
    by_[place(time, node)] = no_arc;
    changed_[time].push_back(node);
    first = time;
    node = network_.arcs[arc].from;
    --time;
  }
  relax(first);
}

void Router::lay(std::size_t number) {
  const Demand& demand = demands_[number];
  std::ranges::fill(costs_, never);
  std::ranges::fill(arrival_, not_yet);
  arrival_[demand.origin] = 0;
  reach(0, demand.origin, 0, no_arc);
  relax(0);
  std::vector<Rank> left;
  if (demand.is_for_all()) {
    for (Rank node = 0; node < network_.nodes; ++node) {
      if (node != demand.origin) left.push_back(node);
    }
  } else {
    left.push_back(demand.destination);
  }
  while (!left.empty()) {
    std::erase_if(left, [&](Rank node) { return arrival_[node] != not_yet; });
    if (left.empty()) break;
    const auto cost = [&](Rank node) { return costs_[place(steps(), node)]; };
    const Rank nearest = *std::ranges::min_element(left, {}, cost);
    if (cost(nearest) == never) throw std::logic_error("a chunk cannot reach its destination");
    branch_to(nearest);
  }
  Tree& tree = trees_[number];
  for (Rank node = 0; node < network_.nodes; ++node) {
    if (arrival_[node] == not_yet || node == demand.origin) continue;
    tree.push_back({static_cast<std::uint32_t>(arrival_[node] - 1), parent_[node]});
    ++usage_[slot(tree.back().step, tree.back().arc)];
  }
}

std::vector<std::uint64_t> Router::rounds() const {
  std::vector<std::uint64_t> used(usage_.size());
  std::vector<std::uint64_t> rounds(steps());
  for (const Tree& tree : found_) {
    for (const Branch& branch : tree) ++used[slot(branch.step, branch.arc)];
  }
  for (std::uint64_t step = 0; step < steps(); ++step) {
    for (std::uint32_t arc = 0; arc < network_.arcs.size(); ++arc) {
      const std::uint64_t multiplicity = network_.arcs[arc].multiplicity;
      rounds[step] = std::max(rounds[step], (used[slot(step, arc)] + multiplicity - 1) / multiplicity);
    }
  }
  return rounds;
}

std::vector<std::vector<ChunkMove>> Router::moves() const {
  std::vector<std::vector<ChunkMove>> moves(steps());
  for (std::size_t number = 0; number < found_.size(); ++number) {
    const auto& [origin, destination, chunk] = demands_[number];
    for (const Branch& branch : found_[number]) {
      const auto& [from, to, multiplicity] = network_.arcs[branch.arc];
      moves[branch.step].push_back({from, to, origin, destination, chunk, false});
    }
  }
  for (auto& step : moves) {
    std::ranges::stable_sort(
        step, [](const ChunkMove& a, const ChunkMove& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  }
  return moves;
}

}  // namespace lockstep::search
