#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "lockstep/algorithms/synthesis.hpp"
#include "watch.hpp"

namespace lockstep::search {

/// A chunk that must get from one node to others.
struct Demand {
  Rank origin;
  Rank destination;  ///< itself where it is for all
  std::uint32_t chunk;
  bool is_for_all() const { return destination == origin; }
};

/// The chunks of a task; for allreduce, of the allgather that is its second half.
std::vector<Demand> demands_of(const ChunkTask& task, Rank nodes);

/// The arcs that may be used in each step.
using OpenArcs = std::vector<std::vector<bool>>;

/// A chunk over an arc in a step.
struct Branch {
  std::uint32_t step;
  std::uint32_t arc;
};

/// A search for trees, one per chunk, through steps and arcs.
class Router {
 public:
  Router(const SearchNetwork& network, std::vector<Demand> demands, OpenArcs open, std::uint64_t seed);

  /// Lays the trees so that no arc carries more than rounds[step] * its multiplicity in a step. False if that is not
  /// achieved in `passes` passes, or before `tries` trees are laid; subtracts these. The trees of the last success are
  /// kept, also if the watch ends the search by SearchEnded.
  bool route(const std::vector<std::uint64_t>& rounds, std::uint64_t passes, std::uint64_t& tries, Watch& watch);

  /// Takes the trees of a schedule that check() accepts for the last success. Its steps and arcs must be those of this
  /// search.
  void begin_with(const ChunkSchedule& schedule);

  /// Whether there has been a success.
  bool has_found() const { return has_found_; }
  /// The rounds that the trees of the last success need in each step.
  std::vector<std::uint64_t> rounds() const;
  std::uint64_t steps() const { return open_.size(); }
  std::vector<std::vector<ChunkMove>> moves() const;

 private:
  using Tree = std::vector<Branch>;

  std::size_t slot(std::uint64_t step, std::uint32_t arc) const { return step * network_.arcs.size() + arc; }
  std::size_t place(std::uint64_t time, Rank node) const { return time * network_.nodes + node; }
  void lay(std::size_t demand);
  void take_up(std::size_t demand);
  void draw_noise();
  void relax(std::uint64_t time);
  void reach(std::uint64_t time, Rank node, std::int64_t cost, std::uint32_t by);
  void branch_to(Rank node);

  const SearchNetwork& network_;
  std::vector<Demand> demands_;
  OpenArcs open_;
  std::mt19937_64 random_;
  std::vector<Tree> trees_;
  std::vector<Tree> found_;  // of the last success
  bool has_found_ = false;

  std::vector<std::uint64_t> capacity_;  // by slot
  std::vector<std::uint64_t> usage_;
  std::vector<std::int64_t> history_;
  std::int64_t pressure_ = 0;

  // For the tree being laid:
  std::vector<std::int64_t> costs_;         // by place, of reaching it from the tree
  std::vector<std::uint32_t> by_;           // the arc, or none where the node waits
  std::vector<std::vector<Rank>> changed_;  // by time
  std::vector<std::uint64_t> arrival_;      // by node
  std::vector<std::uint32_t> parent_;       // the arc of its arrival
  std::vector<std::int64_t> noise_;         // by slot
};

}  // namespace lockstep::search
