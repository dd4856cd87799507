#pragma once

#include "lockstep/algorithms/ring_line.hpp"
#include "plan.hpp"

namespace lockstep::scatter {

/// Farthest destination first, both ways round a ring. Saad & Schultz 1988, (3.38) (SS 2.6):
///
///     D = floor(m/2) nodes lie ahead of the root (+1), E = m-1-D behind it (-1); on an arc with reach R the block for
///     offset r crosses from offset h to h+1 in step R - r + h, h = 0..r-1
///
/// So a node passes on every block, one a step, until its own comes last. D steps; the root sends on both ports in one
/// step.
class TwoWay {
 public:
  /// Turn of a node, which lies on such a ring: the message holds what is for the node `destination`.
  struct NodeTurn {
    Cycle step;
    bool forth;  ///< over the link to the next node, else to the one before
    bool sends;
    Rank destination;
  };

  TwoWay(Rank nodes, Rank root) : nodes_(nodes), root_(root) {}

  Cycle steps() const { return ahead(); }

  std::uint64_t turns(Rank node) const {
    if (node == root_) return nodes_ - 1;
    const Place place = place_of(node);
    return 2 * std::uint64_t{place.reach - place.offset} + 1;
  }

  NodeTurn turn(Rank node, std::uint64_t index) const {
    const auto later = static_cast<Rank>(index / 2);  // blocks that have gone the same way before
    if (node == root_) {
      const bool backward = index % 2 == 1;
      return {later, !backward, true, at(backward, reach(backward) - later)};
    }
    const auto [backward, reach, offset] = place_of(node);
    const Rank destination = at(backward, reach - later);
    if (index % 2 == 0) return {Cycle{offset} - 1 + later, backward, false, destination};
    return {Cycle{offset} + later, !backward, true, destination};
  }

 private:
  struct Place {
    bool backward;
    Rank reach;   ///< of its arc
    Rank offset;  ///< from the root, in the arc's sense
  };

  Rank ahead() const { return nodes_ / 2; }
  Rank reach(bool backward) const { return backward ? nodes_ - 1 - ahead() : ahead(); }

  Place place_of(Rank node) const {
    const Rank offset = node >= root_ ? node - root_ : nodes_ - (root_ - node);
    const bool backward = offset > ahead();
    return {backward, reach(backward), backward ? nodes_ - offset : offset};
  }

  /// The node at that offset on that arc.
  Rank at(bool backward, Rank offset) const {
    const Rank plus = backward ? nodes_ - offset : offset;
    return plus < nodes_ - root_ ? root_ + plus : plus - (nodes_ - root_);
  }

  Rank nodes_;
  Rank root_;
};

/// Two ways round the rings of a machine in one direction, from the same position on all of them.
class TwoWayOnLines : public Plan {
 public:
  TwoWayOnLines(const RingLine& line, Rank root) : line_(line), two_way_(line.nodes, root) {}

  Cycle steps() const override { return two_way_.steps(); }
  std::uint64_t turns(Rank rank) const override { return two_way_.turns(line_.position(rank)); }
  Turn turn(Rank rank, std::uint64_t index) const override {
    const auto turn = two_way_.turn(line_.position(rank), index);
    const Port port = turn.forth ? line_.forth() : line_.back();
    return {turn.step, port, turn.sends, {.first = line_.at(rank, turn.destination)}};
  }

 private:
  RingLine line_;
  TwoWay two_way_;
};

}  // namespace lockstep::scatter
