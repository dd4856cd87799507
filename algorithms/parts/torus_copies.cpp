#include "torus_copies.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "schedules.hpp"

namespace lockstep::parts {
namespace {

/// The dimensions of a torus that have links.
std::vector<GridAxis> linked_dimensions(const MachineSpec& machine) {
  std::vector<GridAxis> linked;
  const Grid grid(machine);
  for (const GridAxis& axis : grid.axes()) {
    if (axis.side() > 1) linked.push_back(axis);
  }
  return linked;
}

}  // namespace

TorusCopy::TorusCopy(std::vector<GridAxis> linked, std::size_t first_dimension, bool forwards, Rank first_part)
    : order_(std::move(linked)), forwards_(forwards), first_part_(first_part) {
  std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(first_dimension), order_.end());
  together_.resize(order_.size());
  Rank together = 1;
  for (std::size_t turn = order_.size(); turn-- > 0; together *= order_[turn].side()) together_[turn] = together;
}

Rank TorusCopy::place(Rank rank, std::size_t turn) const {
  const GridAxis& axis = order_[turn];
  const Rank position = axis.position(rank);
  return forwards_ || position == 0 ? position : axis.side() - position;
}

Rank TorusCopy::at_place(Rank rank, std::size_t turn, Rank place) const {
  const GridAxis& axis = order_[turn];
  return axis.at(rank, forwards_ || place == 0 ? place : axis.side() - place);
}

Rank TorusCopy::owner(Rank part) const {
  Rank rank = 0;
  for (std::size_t turn = 0; turn < order_.size(); ++turn) {
    rank = at_place(rank, turn, (part - first_part_) / together_[turn] % order_[turn].side());
  }
  return rank;
}

PartStep TorusCopy::at(Rank rank, std::size_t turn, Cycle t, bool gathers) const {
  const Rank side = order_[turn].side();
  const PartSchedule ring = gathers ? ring_allgather(side) : ring_reduce_scatter(side);
  if (t >= ring.steps) return {};
  PartStep step = ring.at(place(rank, turn), t);
  step.to = at_place(rank, turn, step.to);
  step.from = at_place(rank, turn, step.from);
  // The parts of ranks that agree with the rank in the dimensions before and have that place in this one.
  Rank first = first_part_;
  for (std::size_t before = 0; before < turn; ++before) first += place(rank, before) * together_[before];
  const auto together = [&](Rank place) {
    return run_of_parts(first + place * together_[turn], together_[turn], std::numeric_limits<Rank>::max());
  };
  step.sent = together(step.sent.front());
  step.received = together(step.received.front());
  return step;
}

TorusCopies::TorusCopies(const MachineSpec& machine, const Model& model, Wide most)
    : processors_(static_cast<Rank>(machine.processors)) {
  const std::vector<GridAxis> linked = linked_dimensions(machine);
  const bool all_ports = model.ports == PortModel::all;
  const bool both_ways = all_ports && model.duplex == Duplex::full &&
                         std::ranges::none_of(linked, [](const GridAxis& axis) { return axis.side() == 2; });
  const Wide count = std::min<Wide>(most, std::max<Wide>(1, all_ports ? (both_ways ? 2 : 1) * linked.size() : 1));
  for (Rank copy = 0; copy < count; ++copy) {
    const bool forwards = !both_ways || copy % 2 == 0;
    copies_.emplace_back(linked, both_ways ? copy / 2 : copy, forwards, copy * processors_);
  }
}

Wide TorusCopies::messages_of_a_rank() const {
  Wide sum = 0;
  for (const GridAxis& axis : copies_.front().order()) sum += axis.side() - 1;
  return sum;
}

std::vector<Cycle> TorusCopies::steps_of_turns() const {
  std::vector<Cycle> steps(copies_.front().order().size());
  for (const TorusCopy& copy : copies_) {
    for (std::size_t turn = 0; turn < steps.size(); ++turn) {
      steps[turn] = std::max<Cycle>(steps[turn], copy.order()[turn].side() - 1);
    }
  }
  return steps;
}

PartSchedule TorusCopies::all_turns(bool gathers) const {
  const std::vector<Cycle> steps = steps_of_turns();
  PartSchedule all{.lanes = count()};
  for (std::size_t number = 0; number < steps.size(); ++number) {
    const std::size_t turn = gathers ? steps.size() - 1 - number : number;
    const auto at = [this, gathers, turn](Rank rank, Cycle step) {
      return copies_[step % count()].at(rank, turn, step / count(), gathers);
    };
    all = std::move(all) + PartSchedule{steps[turn], at, count()};
  }
  return all;
}

void TorusCopies::add_steps(const std::function<Wide(std::size_t copy, Rank parts)>& longest,
                            method::StepLengths& lengths) const {
  for (std::size_t turn = 0; turn < copies_.front().order().size(); ++turn) {
    std::vector<std::pair<Cycle, Wide>> ends;  // of the rings of this turn, with their longest messages
    for (std::size_t copy = 0; copy < count(); ++copy) {
      ends.emplace_back(copies_[copy].order()[turn].side() - 1, longest(copy, copies_[copy].parts_together(turn)));
    }
    std::ranges::sort(ends);
    Cycle done = 0;
    for (auto end = ends.begin(); end != ends.end(); ++end) {
      const auto most = std::max_element(end, ends.end(), [](auto a, auto b) { return a.second < b.second; });
      lengths.add(end->first - done, most->second);
      done = end->first;
    }
  }
}

Rank TorusCopies::most_together() const {
  Rank most = 1;
  for (const TorusCopy& copy : copies_) {
    if (!copy.order().empty()) most = std::max(most, copy.parts_together(0));
  }
  return most;
}

}  // namespace lockstep::parts
