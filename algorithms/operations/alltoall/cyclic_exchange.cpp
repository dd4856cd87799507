// Total exchange with all ports on products of rings and complete graphs (dimakopoulos.md, All ports).
#include <algorithm>

#include "all_port_exchanges.hpp"
#include "lockstep/machines/mixed_radix.hpp"
#include "plans/turns/edge_colouring.hpp"

namespace lockstep::alltoall {
namespace {

// All nodes send alike: job g brings the message of every node x to x + g, coordinate by coordinate. A hop of a job is
// one step of one resource, a direction of a ring or a difference in a complete graph, and hops of a job may come in
// any order. So steps_of_parts() gives the steps.
//
// A coordinate of half an even ring is walked upwards by one half of such jobs and downwards by the other. If their
// number is odd, the job of that coordinate alone is walked upwards from even nodes and downwards from odd ones: in a
// step it takes every second link of a direction. To use the other links, the job of the coordinate m/2 - 1 alone takes
// them, a hop in two steps, the odd nodes' first; downwards m/2 + 1 does. The two are one job here: the mixed job, of
// steps in pairs.
class CyclicExchange {
 public:
  explicit CyclicExchange(const std::vector<CyclicSide>& sides) : sides_(sides), nodes_(sides_of(sides)) {
    for (const CyclicSide& side : sides) {
      first_resource_.push_back(resources_);
      resources_ += side.is_ring ? 2 : side.nodes - 1;
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const bool odd_halves = nodes_.size() / sides[i].nodes % 2 == 1;
      if (sides[i].is_ring && sides[i].nodes % 2 == 0 && odd_halves) mixed_ = i;
    }
  }

  TotalExchange run() {
    list_parts();
    const std::vector<Rank> steps = turns::steps_of_parts(nodes_.size(), resources_, parts_);
    TotalExchange exchange{.nodes = nodes_.size()};
    exchange.steps.resize(turns::busiest_end(nodes_.size(), resources_, parts_));
    std::vector<std::vector<Hop>> hops(nodes_.size());
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      hops[parts_[part].job].push_back({steps[part], parts_[part].resource});
    }
    for (Rank job = 1; job < nodes_.size(); ++job) {
      std::ranges::sort(hops[job], {}, &Hop::step);
      if (mixed_ != none && (job == alone(half() - 1) || job == alone(half() + 1))) {
        add_mixed_moves(job, hops[job], exchange.steps);
      } else {
        add_moves(job, hops[job], exchange.steps);
      }
    }
    for (auto& moves : exchange.steps)
      std::ranges::sort(moves, {}, [](const Move& m) { return std::pair(m.from, m.to); });
    return exchange;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct Hop {
    Rank step;
    Rank resource;
  };

  static MixedRadix sides_of(const std::vector<CyclicSide>& sides) {
    std::vector<Rank> nodes;
    for (const CyclicSide& side : sides) nodes.push_back(side.nodes);
    return MixedRadix(std::move(nodes));
  }

  /// Half the nodes of the ring with the mixed job.
  Rank half() const { return sides_[mixed_].nodes / 2; }
  /// The job that moves in that ring alone.
  Rank alone(Rank coordinate) const { return coordinate * nodes_.stride(mixed_); }

  void list_parts() {
    std::vector<bool> upwards(sides_.size());  // whether the next job of half the ring goes upwards
    for (Rank job = 1; job < nodes_.size(); ++job) {
      if (mixed_ != none && job == alone(half())) continue;
      for (std::size_t i = 0; i < sides_.size(); ++i) {
        const Rank a = nodes_.digit(job, i);
        const Rank m = sides_[i].nodes;
        if (a == 0) continue;
        if (!sides_[i].is_ring) {
          add_parts(job, first_resource_[i] + a - 1, 1);
          continue;
        }
        const bool is_half = 2 * a == m;
        if (is_half) upwards[i] = !upwards[i];
        const bool is_up = is_half ? upwards[i] : 2 * a < m;
        add_parts(job, first_resource_[i] + (is_up ? 0 : 1), is_up ? a : m - a);
      }
    }
    if (mixed_ == none) return;
    // A pair of steps has two hops of the half and one of its companion.
    const Rank shared_pairs = half() / 2;
    add_parts(alone(half() - 1), first_resource_[mixed_], half() - shared_pairs);
    add_parts(alone(half() + 1), first_resource_[mixed_] + 1, half() - shared_pairs);
  }

  void add_parts(Rank job, Rank resource, Rank times) { parts_.insert(parts_.end(), times, {job, resource}); }

  /// The change of a node by a hop over the resource.
  Rank difference(Rank resource) const {
    std::size_t i = 0;
    while (i + 1 < sides_.size() && first_resource_[i + 1] <= resource) ++i;
    const Rank number = resource - first_resource_[i];
    const Rank of_ring = number == 0 ? 1 : sides_[i].nodes - 1;
    return (sides_[i].is_ring ? of_ring : number + 1) * nodes_.stride(i);
  }

  /// The sum, coordinate by coordinate, each modulo its side.
  Rank plus(Rank node, Rank difference) const {
    Rank sum = 0;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const std::uint64_t coordinate = std::uint64_t{nodes_.digit(node, i)} + nodes_.digit(difference, i);
      sum += static_cast<Rank>(coordinate % sides_[i].nodes) * nodes_.stride(i);
    }
    return sum;
  }
  Rank minus(Rank node) const {
    Rank negative = 0;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      negative += (sides_[i].nodes - nodes_.digit(node, i)) % sides_[i].nodes * nodes_.stride(i);
    }
    return negative;
  }

  void add_moves(Rank job, const std::vector<Hop>& hops, MoveSteps& steps) const {
    Rank behind = 0;  // what the messages have crossed
    for (const auto& [step, resource] : hops) {
      const Rank onward = difference(resource);
      for (Rank node = 0; node < nodes_.size(); ++node) {
        const Rank origin = plus(node, minus(behind));
        steps[step].push_back({node, plus(node, onward), origin, plus(origin, job)});
      }
      behind = plus(behind, onward);
    }
  }

  void add_mixed_moves(Rank companion, const std::vector<Hop>& hops, MoveSteps& steps) const {
    const Rank shared_pairs = half() / 2;
    const Rank onward = difference(hops.front().resource);
    const bool is_up = companion == alone(half() - 1);
    for (Rank index = 0; index < hops.size(); ++index) {
      const bool is_shared = index < 2 * shared_pairs;
      const bool has_half = index < half();
      const Rank hops_of_companion = is_shared ? index / 2 : index - half() + shared_pairs;
      for (Rank node = 0; node < nodes_.size(); ++node) {
        // Messages of the half start at even nodes upwards, at odd ones downwards, and are one node on after every
        // step.
        const bool at_half = has_half && (nodes_.digit(node, mixed_) + index) % 2 == (is_up ? 0 : 1);
        if (!at_half && has_half && !is_shared) continue;
        const Rank behind = times(at_half ? index : hops_of_companion, onward);
        const Rank origin = plus(node, minus(behind));
        const Rank job = at_half ? alone(half()) : companion;
        steps[hops[index].step].push_back({node, plus(node, onward), origin, plus(origin, job)});
      }
    }
  }

  /// That many hops in the ring that has a mixed job.
  Rank times(Rank hops, Rank onward) const {
    const std::uint64_t coordinate = std::uint64_t{hops} * nodes_.digit(onward, mixed_);
    return alone(static_cast<Rank>(coordinate % sides_[mixed_].nodes));
  }

  const std::vector<CyclicSide>& sides_;
  MixedRadix nodes_;
  Rank resources_ = 0;
  std::vector<Rank> first_resource_;  // by side
  std::vector<turns::JobPart> parts_;
  std::size_t mixed_ = none;  // the ring that has a mixed job; there is at most one, as all the others are odd then
};

}  // namespace

TotalExchange cyclic_exchange(const std::vector<CyclicSide>& sides) { return CyclicExchange(sides).run(); }

Wide steps_of_cyclic(const std::vector<CyclicSide>& sides) {
  Wide nodes = 1;
  for (const CyclicSide& side : sides) nodes *= side.nodes;
  Wide most = 0;
  Wide diameter = 0;
  for (const auto& [m, is_ring] : sides) {
    const Wide hops = is_ring ? Wide{m} * m / 4 : Wide{m} - 1;  // of all messages of a node, for a copy of the side
    const Wide directions = is_ring ? 2 : Wide{m} - 1;
    most = std::max(most, (nodes / m * hops + directions - 1) / directions);
    diameter += is_ring ? m / 2 : 1;
  }
  return std::max(most, diameter);
}

}  // namespace lockstep::alltoall
