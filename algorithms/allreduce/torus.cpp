#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "allreduce.hpp"
#include "lockstep/machines/grid.hpp"
#include "vector/schedules.hpp"
#include "vector/vectors.hpp"

// Allreduce on a torus, one dimension after the other (collectives.md, Allreduce over links).
namespace lockstep {
namespace allreduce {
namespace {

using vector::PartSchedule;
using vector::PartStep;

Rank ranks(const MachineSpec& machine) { return static_cast<Rank>(machine.processors); }

/// The dimensions of a torus that have links.
std::vector<GridAxis> linked_dimensions(const MachineSpec& machine) {
  std::vector<GridAxis> linked;
  const Grid grid(machine);
  for (const GridAxis& axis : grid.axes()) {
    if (axis.side() > 1) linked.push_back(axis);
  }
  return linked;
}

/// Rings of one dimension of a torus after the other scatter what is reduced, and gather it the same way back. Where
/// all dimensions have to be busy there are several copies of this, each for parts of its own, which begin with another
/// dimension, or go the other way round.
class TorusCopy {
 public:
  /// The copy works on the parts first_part, .., first_part + p - 1.
  TorusCopy(std::vector<GridAxis> linked, std::size_t first_dimension, bool forwards, Rank first_part)
      : order_(std::move(linked)), forwards_(forwards), first_part_(first_part) {
    std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(first_dimension), order_.end());
    pieces_.resize(order_.size());
    Rank pieces = 1;
    for (std::size_t turn = order_.size(); turn-- > 0; pieces *= order_[turn].side()) pieces_[turn] = pieces;
  }

  const std::vector<GridAxis>& order() const { return order_; }
  /// Parts that travel together while that dimension's turn is.
  Rank parts_together(std::size_t turn) const { return pieces_[turn]; }

  /// What the rank does when it is that dimension's turn, in step `t`, which may be past the last.
  PartStep scatters(Rank rank, std::size_t turn, Cycle t) const {
    return along(rank, turn, t, vector::ring_reduce_scatter(order_[turn].side()));
  }
  PartStep gathers(Rank rank, std::size_t turn, Cycle t) const {
    return along(rank, turn, t, vector::ring_allgather(order_[turn].side()));
  }

 private:
  Rank place(Rank rank, std::size_t turn) const {
    const GridAxis& axis = order_[turn];
    const Rank position = axis.position(rank);
    return forwards_ || position == 0 ? position : axis.side() - position;
  }
  Rank at_place(Rank rank, std::size_t turn, Rank place) const {
    const GridAxis& axis = order_[turn];
    return axis.at(rank, forwards_ || place == 0 ? place : axis.side() - place);
  }

  PartStep along(Rank rank, std::size_t turn, Cycle t, const PartSchedule& ring) const {
    if (t >= ring.steps) return {};
    PartStep step = ring.at(place(rank, turn), t);
    step.to = at_place(rank, turn, step.to);
    step.from = at_place(rank, turn, step.from);
    // The parts of those that agree with the rank in the dimensions before and have that place in this one.
    Rank first = first_part_;
    for (std::size_t before = 0; before < turn; ++before) first += place(rank, before) * pieces_[before];
    const auto together = [&](Rank place) { return parts_in_a_row(first + place * pieces_[turn], pieces_[turn]); };
    step.sent = together(step.sent.front());
    step.received = together(step.received.front());
    return step;
  }

  static std::vector<Rank> parts_in_a_row(Rank first, Rank count) {
    std::vector<Rank> parts(count);
    std::iota(parts.begin(), parts.end(), first);
    return parts;
  }

  std::vector<GridAxis> order_;
  std::vector<Rank> pieces_;  // by turn: places of the dimensions after it
  bool forwards_;
  Rank first_part_;
};

/// With one port a single copy; with all ports one for each dimension with links and, where both directions of a link
/// may be busy and no two ways round a ring are one link, one more for the other way round.
std::vector<TorusCopy> copies_on(const MachineSpec& machine, const Model& model) {
  const std::vector<GridAxis> linked = linked_dimensions(machine);
  std::vector<TorusCopy> copies;
  const Rank p = ranks(machine);
  if (model.ports != PortModel::all || linked.empty()) {
    copies.emplace_back(linked, 0, true, 0);
    return copies;
  }
  const bool both_ways = model.duplex == Duplex::full &&
                         std::ranges::none_of(linked, [](const GridAxis& axis) { return axis.side() == 2; });
  for (std::size_t first = 0; first < linked.size(); ++first) {
    copies.emplace_back(linked, first, true, static_cast<Rank>(copies.size()) * p);
    if (both_ways) copies.emplace_back(linked, first, false, static_cast<Rank>(copies.size()) * p);
  }
  return copies;
}

/// Steps of every dimension's turn, until the longest ring whose turn it is has done.
std::vector<Cycle> steps_of_turns(const std::vector<TorusCopy>& copies) {
  std::vector<Cycle> steps(copies.front().order().size());
  for (const TorusCopy& copy : copies) {
    for (std::size_t turn = 0; turn < steps.size(); ++turn) {
      steps[turn] = std::max<Cycle>(steps[turn], copy.order()[turn].side() - 1);
    }
  }
  return steps;
}

// In every step of its ring all parts of a copy are on their way, some `together` of them being a word longer than
// others unless all are alike.
Prediction predict_torus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::vector<TorusCopy> copies = copies_on(machine, model);
  const Rank processors = ranks(machine);
  const vector::Parts parts(*settings.words, static_cast<Rank>(copies.size()) * processors);
  const std::vector<Cycle> steps = steps_of_turns(copies);
  const Wide p = processors;
  StepLengths lengths(model.cost);
  for (std::size_t turn = 0; turn < steps.size(); ++turn) {
    std::vector<std::pair<Cycle, Wide>> ends;  // of the rings whose turn it is, with their longest messages
    for (std::size_t copy = 0; copy < copies.size(); ++copy) {
      const Wide together = copies[copy].parts_together(turn);
      const Rank first = static_cast<Rank>(copy) * processors;
      const Wide shortest = together * *settings.words / parts.count();
      const bool some_longer = parts.first(first + processors) - parts.first(first) > p / together * shortest;
      ends.emplace_back(copies[copy].order()[turn].side() - 1, shortest + (some_longer ? 1 : 0));
    }
    std::ranges::sort(ends);
    Cycle done = 0;
    for (auto end = ends.begin(); end != ends.end(); ++end) {
      const auto longest = std::max_element(end, ends.end(), [](auto a, auto b) { return a.second < b.second; });
      lengths.add(2 * (end->first - done), longest->second);
      done = end->first;
    }
  }
  Wide hops = 0;
  for (const GridAxis& axis : copies.front().order()) hops += axis.side() - 1;
  const bool one = copies.size() == 1;
  return vector::predicted(lengths, 2 * copies.size() * p * hops, 2 * (p - 1) * *settings.words,
                           {one ? "2 sum (a_i - 1)" : "2 d max (a_i - 1)",
                            one ? "2 p sum (a_i - 1)" : "2 c p sum (a_i - 1), c copies", "2 (p - 1) m",
                            one ? "2 sum (a_i - 1) ceil(m/(a_1 .. a_i)); 2 m (1 - 1/p) if p divides m"
                                : "the longest messages; 2 m (1 - 1/p)/c if c p divides m and the sides are equal"});
}

void resolve_torus(const MachineSpec& machine, const Model& model, Settings& settings) {
  const Wide parts = Wide{copies_on(machine, model).size()} * machine.processors;
  if (parts > std::numeric_limits<Rank>::max()) {
    throw InputError("allreduce/torus cuts the vector into fewer than 2^32 parts; " + machine.text + " is too large");
  }
  vector::resolve_words(parts, settings);
  vector::resolve_in_any_order(machine, model, settings);
}

Outcome run_torus(const RunRequest& request) {
  const std::vector<TorusCopy> copies = copies_on(request.machine, request.model);
  const std::vector<Cycle> steps = steps_of_turns(copies);
  const auto half = [&](bool gathers) {
    PartSchedule all{.lanes = copies.size()};
    for (std::size_t number = 0; number < steps.size(); ++number) {
      const std::size_t turn = gathers ? steps.size() - 1 - number : number;
      const auto at = [&copies, gathers, turn](Rank rank, Cycle step) {
        const TorusCopy& copy = copies[step % copies.size()];
        const Cycle t = step / copies.size();
        return gathers ? copy.gathers(rank, turn, t) : copy.scatters(rank, turn, t);
      };
      all = std::move(all) + PartSchedule{steps[turn], at, copies.size()};
    }
    return all;
  };
  return vector::run(request, half(false) + half(true), static_cast<Rank>(copies.size()) * ranks(request.machine),
                     vector::Share::all);
}

}  // namespace
}  // namespace allreduce

extern const Method allreduce_torus_method = allreduce::over_links({
    .name = "allreduce/torus",
    .families = {"torus"},
    .source = "Cho et al. 2019; Sack & Gropp 2015 (collectives.md, Allreduce over links)",
    .summary =
        "rings of one dimension after the other scatter what is reduced, and gather it the same way back; with all "
        "ports several copies at once, which begin elsewhere",
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = allreduce::resolve_torus,
    .predict = allreduce::predict_torus,
    .run = allreduce::run_torus,
});

}  // namespace lockstep
