#pragma once

#include "lockstep/machines/hypercube.hpp"
#include "scatter_schedule.hpp"

namespace lockstep::scatter {

/// Over the spanning binomial tree of the n-cube: in step d every processor whose rank relative to the root, rank xor
/// root, is below 2^d sends over dimension d all blocks for the subcube that lies there, in which only bits above d are
/// free. Saad & Schultz 1985, section 5 (saad-schultz-1985.md, Scatter): n steps, one port, and no processor sends and
/// receives in one step.
class BinomialTree : public ScatterSchedule {
 public:
  BinomialTree(Port dimensions, Rank root) : dimensions_(dimensions), root_(root) {}

  Cycle steps() const override { return dimensions_; }

  std::uint64_t moves(Rank rank) const override {
    const Rank relative = rank ^ root_;
    return (relative != 0 ? 1 : 0) + dimensions_ - width(relative);
  }

  ScatterMove move(Rank rank, std::uint64_t index) const override {
    const Rank relative = rank ^ root_;
    if (relative != 0 && index == 0) {
      const Port parent = highest_bit(relative);
      return {.step = parent, .port = parent, .sends = false, .blocks = subcube(rank, parent)};
    }
    const Port child = width(relative) + static_cast<Port>(index) - (relative != 0 ? 1 : 0);
    return {.step = child, .port = child, .sends = true, .blocks = subcube(rank ^ (Rank{1} << child), child)};
  }

 private:
  /// The ranks that agree with this one in the bits up to `last`.
  Ranks subcube(Rank rank, Port last) const {
    const Rank stride = Rank{2} << last;
    return {.first = rank & (stride - 1), .stride = stride, .count = Rank{1} << (dimensions_ - 1 - last)};
  }

  Port dimensions_;
  Rank root_;
};

}  // namespace lockstep::scatter
