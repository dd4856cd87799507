#pragma once

#include <optional>
#include <vector>

#include "lockstep/machines/block_link.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"
#include "operations/broadcast/sbt.hpp"
#include "scan.hpp"

// The scan of a reduced hypercube over the hubs of its building blocks, as a part of programs.
namespace lockstep::scan {

/// One substep of phase II: values go from hubs of building blocks to those whose blocks differ in bit m, in the
/// iteration in which the upper halves of groups of 2^(iteration+1) blocks receive the totals of the lower halves.
struct Substep {
  Port iteration;
  Port m;
  Cycle begin;

  /// Whether the hub of the block sends its total, or what it has received in this iteration.
  bool starts_in(Rank block) const { return m == iteration && (block & low_bits(m + 1)) == low_bits(m); }
  bool goes_on_from(Rank block) const {
    return m < iteration && has_bit(block, iteration) && (block & low_bits(m + 1)) == low_bits(m + 1);
  }
  bool leaves(Rank block) const { return starts_in(block) || goes_on_from(block); }
  bool enters(Rank block) const { return leaves(block ^ Rank{1} << m); }

 private:
  static Rank low_bits(Port count) { return (Rank{1} << count) - 1; }
};

/// The schedule of scan/hub on one machine: where the hubs are, and when substeps begin.
class HubPlan {
 public:
  /// `hub` is the hubs' 0th field.
  HubPlan(const ReducedHypercube& rh, Rank hub) : rh_(rh), hub_(hub) {
    Cycle begin = rh_.k();
    for (Port i = 0; i < rh_.block_dimensions(); ++i) {
      for (Port m = i + 1; m-- > 0;) {  // in descending order, so that a hub can pass on in time what it has received
        substeps_.push_back({i, m, begin});
        begin += link(m).links();
      }
    }
    spread_begin_ = begin;
  }

  const ReducedHypercube& rh() const { return rh_; }
  const std::vector<Substep>& substeps() const { return substeps_; }
  Cycle spread_begin() const { return spread_begin_; }
  BlockLink link(Port m) const { return {rh_, rh_.sb(hub_), m}; }
  /// The node's 0th field and subblock relative to its hub's.
  Rank from_hub(Rank node) const { return rh_.f0(node) ^ hub_; }
  Rank subblock_from_hub(Rank node) const { return rh_.sb(node) ^ rh_.sb(hub_); }
  /// Whether the node's layer is that of the hubs, which all paths between blocks keep to.
  bool is_in_hub_layer(Rank node) const { return rh_.lo(node) == rh_.lo(hub_); }

 private:
  ReducedHypercube rh_;
  Rank hub_;
  std::vector<Substep> substeps_;
  Cycle spread_begin_ = 0;
};

/// Phase II of a hub; returns in `left` the combined values of all blocks before its own, unless that is the first.
template <class Values>
Process exchange_totals(Processor<Partial<typename Values::Value>>& self, const Values& values, const HubPlan& plan,
                        HeldPrefixes<typename Values::Value>& held, Partial<typename Values::Value>& left) {
  const Rank block = plan.rh().bb(self.rank());
  const std::uint64_t w = words(held.total);
  Partial<typename Values::Value> received;
  for (const Substep& substep : plan.substeps()) {
    const BlockLink link = plan.link(substep.m);
    if (substep.leaves(block)) {
      co_await self.until(substep.begin);
      Partial<typename Values::Value> sent = substep.starts_in(block) ? held.total : received;
      self.send(link.first_port(), std::move(sent));
    } else if (substep.enters(block)) {
      received = co_await self.message(link.last_port());
      note(values, held, received);
      prepend(self, values, received, held.total);
      if (left.count == 0) {
        left = received;
      } else {
        prepend(self, values, received, left);
      }
      self.hold(4 * w);  // the prefix too
    }
  }
}

/// Phase II of another node: passes on messages. It knows from the schedule which will come.
template <class Payload>
Process pass_on(Processor<Payload>& self, const HubPlan& plan) {
  const Rank block = plan.rh().bb(self.rank());
  const Rank s = plan.subblock_from_hub(self.rank());
  for (const Substep& substep : plan.substeps()) {
    const BlockLink link = plan.link(substep.m);
    std::optional<BlockLink::Hop> hop;
    if (substep.leaves(block)) hop = link.path_out_through(s);
    if (substep.enters(block)) hop = link.path_in_through(s);
    if (!hop) continue;
    Message<Payload> passing = co_await self.message(hop->entered_by);
    self.forward(hop->left_by, std::move(passing));
  }
}

// Prefixes after Mukherjee, chapter 4 (mukherjee.md, Prefix): first in every building block, then the totals of blocks
// between their hubs, then what lies before a block to all its nodes. Phase II keeps to the substeps of the schedule,
// so that iterations follow each other and no two values meet. 2k + sum over i < D, m <= i of (2 d(m) + 1) steps, where
// d(m) links lie between the hub and subblock m.
template <class Values>
Process scan_hub(Processor<Partial<typename Values::Value>>& self, const Values& values, const HubPlan& plan,
                 HeldPrefixes<typename Values::Value>& held) {
  using Value = typename Values::Value;
  const ReducedHypercube& rh = plan.rh();
  const Rank node = self.rank();
  self.phase("blocks");
  co_await scan_cube(self, values, rh.f0(node), rh.k(), held);

  self.phase("between blocks");
  Partial<Value> left{.first = 0, .count = 0, .value = {}};
  if (plan.from_hub(node) == 0) {
    co_await exchange_totals(self, values, plan, held, left);
    co_await self.until(plan.spread_begin());
  } else if (plan.is_in_hub_layer(node)) {
    co_await pass_on(self, plan);
  }

  if (rh.bb(node) == 0) co_return;
  self.phase("spread");
  co_await broadcast::broadcast_sbt(self, plan.from_hub(node), rh.k(), left);
  note(values, held, left);
  self.hold(words(held.prefix) + words(held.total) + words(left));
  prepend(self, values, std::move(left), held.prefix);
}

}  // namespace lockstep::scan
