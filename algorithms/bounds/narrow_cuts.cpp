#include "narrow_cuts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "method/kept_by_machine.hpp"

namespace lockstep::bounds {
namespace {

constexpr std::uint64_t most_ends = std::uint64_t{1} << 10;  // of links; a tenth of a second
constexpr std::size_t most_enumerated = 16;                  // processors

using NearRanks = std::vector<bool>;  // by rank, whether it is on the near side

/// Least cuts between two processors, by maximum flows with a unit for every link and direction (Ford & Fulkerson).
class LeastCuts {
 public:
  explicit LeastCuts(const Neighbours& near) : near_(near), ranks_(near.size()), left_(ranks_ * ranks_) {}

  /// One for every two processors is among them: the subtrees of a cut tree (Gomory & Hu 1961; Gusfield 1990).
  std::vector<NearRanks> all() {
    std::vector<Rank> parent(ranks_);  // that of 0 is 0, the root
    for (Rank from = 1; from < ranks_; ++from) {
      const Rank to = parent[from];
      const NearRanks near = between(from, to);
      for (Rank rank = 0; rank < ranks_; ++rank) {
        if (rank != from && near[rank] && parent[rank] == to) parent[rank] = from;
      }
      if (near[parent[to]]) {
        parent[from] = parent[to];
        parent[to] = from;
      }
    }
    std::vector<NearRanks> cuts(ranks_, NearRanks(ranks_));
    for (Rank rank = 1; rank < ranks_; ++rank) {
      for (Rank above = rank; above != 0; above = parent[above]) cuts[above][rank] = true;
    }
    cuts.erase(cuts.begin());
    return cuts;
  }

 private:
  /// `from` is on the near side.
  NearRanks between(Rank from, Rank to) {
    std::ranges::fill(left_, 0);
    for (Rank rank = 0; rank < ranks_; ++rank) {
      for (const Rank neighbour : near_[rank]) ++left(rank, neighbour);
    }
    while (true) {
      std::vector<Rank> before(ranks_, no_rank);
      std::vector<Rank> reached{from};
      before[from] = from;
      for (std::size_t next = 0; next < reached.size() && before[to] == no_rank; ++next) {
        for (const Rank neighbour : near_[reached[next]]) {
          if (before[neighbour] != no_rank || left(reached[next], neighbour) == 0) continue;
          before[neighbour] = reached[next];
          reached.push_back(neighbour);
        }
      }
      if (before[to] == no_rank) {
        NearRanks sides(ranks_);
        for (const Rank rank : reached) sides[rank] = true;
        return sides;
      }
      for (Rank rank = to; rank != from; rank = before[rank]) {
        --left(before[rank], rank);
        ++left(rank, before[rank]);
      }
    }
  }

  std::uint32_t& left(Rank from, Rank to) { return left_[from * ranks_ + to]; }

  const Neighbours& near_;
  std::size_t ranks_;
  std::vector<std::uint32_t> left_;  // of the links' capacity, by two ranks
};

/// What makes a cut narrow: all its links, or where processors have fewer ports, the processors at its border.
enum class Narrow { links, border };

/// A cut that is changed by one processor after the other.
class ChangingCut {
 public:
  ChangingCut(const Neighbours& near, const NearRanks& sides)
      : near_(near), is_near_(near.size()), across_(near.size()) {
    for (Rank rank = 0; rank < near_.size(); ++rank) {
      if (sides[rank]) move(rank);
    }
  }

  /// To the other side.
  void move(Rank rank) {
    for (const Rank neighbour : near_[rank]) {
      const bool crosses = is_near_[rank] == is_near_[neighbour];
      links_ = crosses ? links_ + 1 : links_ - 1;
      for (const Rank end : {rank, neighbour}) {
        if (across_[end] == 0) ++border(end);
        across_[end] = crosses ? across_[end] + 1 : across_[end] - 1;
        if (across_[end] == 0) --border(end);
      }
    }
    if (across_[rank] > 0) --border(rank);
    processors_ = is_near_[rank] ? processors_ - 1 : processors_ + 1;
    is_near_[rank] = !is_near_[rank];
    if (across_[rank] > 0) ++border(rank);
  }

  /// Moves the processor that narrows the cut most, until none does.
  void narrow(Narrow what) {
    while (true) {
      Ratio best = ratio(what);
      std::optional<Rank> moved;
      for (Rank rank = 0; rank < near_.size(); ++rank) {
        move(rank);
        if (const Ratio one = ratio(what); best < one) {
          best = one;
          moved = rank;
        }
        move(rank);
      }
      if (!moved) return;
      move(*moved);
    }
  }

  NarrowCut found() const { return {{{links_, borders_[1], borders_[0]}, processors_}, is_near_}; }

  struct Ratio {
    Wide pairs;
    Wide width;
    friend bool operator<(const Ratio& one, const Ratio& other) {
      return one.pairs * other.width < other.pairs * one.width;
    }
  };
  /// Pairs of processors with one on each side, over the width of the cut; 0 without two sides.
  Ratio ratio(Narrow what) const {
    const Wide width = what == Narrow::links ? links_ : std::min({links_, borders_[0], borders_[1]});
    return {processors_ * (near_.size() - processors_), std::max<Wide>(width, 1)};
  }

 private:
  /// Of the side on which the rank is.
  Wide& border(Rank rank) { return borders_[is_near_[rank] ? 1 : 0]; }

  const Neighbours& near_;
  NearRanks is_near_;
  std::vector<std::uint32_t> across_;  // links to the other side, by rank
  Wide processors_ = 0;                // on the near side
  Wide links_ = 0;
  std::array<Wide, 2> borders_{};  // processors with links to the other side: of the far one, of the near one
};

/// Of the cuts around a processor, within every distance, the one that parts the most pairs over its width.
std::optional<NearRanks> best_ball(const Neighbours& near, Rank centre, Narrow what) {
  ChangingCut ball(near, NearRanks(near.size()));
  NearRanks sides(near.size());
  std::optional<NearRanks> best;
  std::optional<ChangingCut::Ratio> ratio;
  std::vector<Rank> last{centre};
  sides[centre] = true;
  for (std::size_t within = 0; within < near.size() && !last.empty();) {
    std::vector<Rank> next;
    for (const Rank rank : last) {
      ball.move(rank);
      ++within;
      for (const Rank neighbour : near[rank]) {
        if (sides[neighbour]) continue;
        sides[neighbour] = true;
        next.push_back(neighbour);
      }
    }
    if (within < near.size() && (!ratio || *ratio < ball.ratio(what))) {
      ratio = ball.ratio(what);
      best = ball.found().is_near;
    }
    last = std::move(next);
  }
  return best;
}

/// The best of all cuts, one processor moved after the other in the order of a Gray code.
NearRanks best_of_all(const Neighbours& near, Narrow what) {
  ChangingCut cut(near, NearRanks(near.size()));
  NarrowCut best = cut.found();
  ChangingCut::Ratio ratio = cut.ratio(what);
  for (std::uint32_t number = 1; number >> (near.size() - 1) == 0; ++number) {
    cut.move(static_cast<Rank>(std::countr_zero(number)));
    if (!(ratio < cut.ratio(what))) continue;
    ratio = cut.ratio(what);
    best = cut.found();
  }
  return best.is_near;
}

/// The cuts into which those given, and the best balls, can be narrowed.
std::set<NearRanks> narrowed(const Neighbours& near, std::set<NearRanks> starts, Narrow what) {
  for (Rank centre = 0; centre < near.size(); ++centre) {
    if (auto ball = best_ball(near, centre, what)) starts.insert(std::move(*ball));
  }
  std::set<NearRanks> all;
  for (const NearRanks& start : starts) {
    ChangingCut cut(near, start);
    cut.narrow(what);
    all.insert(cut.found().is_near);
  }
  return all;
}

std::vector<NarrowCut> all_cuts(const MachineSpec& machine) {
  if (machine.medium || machine.processors == 1 || machine.processors > most_parted ||
      machine.processors * machine.ports > most_ends) {
    return {};
  }
  const Neighbours near = neighbours(machine);
  std::set<NearRanks> least;
  for (NearRanks& one : LeastCuts(near).all()) least.insert(std::move(one));
  std::set<NearRanks> all = least;
  for (const Narrow what : {Narrow::links, Narrow::border}) {
    if (near.size() <= most_enumerated) {
      all.insert(best_of_all(near, what));
    } else {
      all.merge(narrowed(near, least, what));
    }
  }
  std::vector<NarrowCut> cuts;
  for (const NearRanks& one : all) cuts.push_back(ChangingCut(near, one).found());
  return cuts;
}

}  // namespace

std::shared_ptr<const std::vector<NarrowCut>> narrow_cuts(const MachineSpec& machine) {
  static method::KeptByMachine<std::vector<NarrowCut>> kept;
  return kept.find(machine, 0, [&] { return all_cuts(machine); });
}

}  // namespace lockstep::bounds
