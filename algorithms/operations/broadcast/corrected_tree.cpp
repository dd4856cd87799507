#include <algorithm>
#include <vector>

#include "copies.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "plans/turns/port_to.hpp"
#include "scheduled.hpp"

// A binomial tree whose holes, where processors have failed, are filled from both sides on the ring of all ranks.
// Kuettler et al. 2019 (collectives.md, Faults).
namespace lockstep {
namespace broadcast {
namespace {

/// Places count from the root on, cyclically. In round j of the tree every place below 2^j sends to the one 2^j farther
/// on, so that neighbours on the ring are on different branches, and the children of a failed processor lie apart:
///
///     round 0   0 -> 1        of 8, if 1 has failed:   0  x  2  .  4  .  6  .
///     round 1   0 -> 2, 1 -> 3
///     round 2   0 -> 4, .., 3 -> 7
///
/// Correction: a processor that has the item from the tree sends it on the ring to those 1, 2, 3, .. farther on and, in
/// the cycle after each, to those as far back, until it meets on either side one that does the same: then all between
/// the two have been sent the item, from both sides.
class Correction {
 public:
  Correction(Processor<Block>& self, Rank root, Block& item)
      : self_(self),
        root_(root),
        ranks_(self.processors()),
        place_((self.rank() + ranks_ - root) % ranks_),
        item_(item) {}

  bool has_item() const { return item_.size() > 0; }
  Rank place() const { return place_; }
  Rank ranks() const { return ranks_; }

  /// Sends to the processor at that distance, unless it has failed.
  void send_on(Rank distance) {
    const Port port = port_of(distance);
    if (self_.is_up(port)) self_.send(port, item_);
  }
  /// Takes all messages that have arrived.
  void take_all() {
    came_.clear();
    for (const Port port : self_.arrivals()) {
      while (self_.arrived(port)) take_copy(item_, self_.receive(port).payload);
      came_.push_back(port);
    }
    self_.hold(words(item_));
  }
  /// Whether take_all() has just taken a message of the processor at that distance.
  bool has_met(Rank distance) const { return std::ranges::count(came_, port_of(distance)) != 0; }

 private:
  Port port_of(Rank distance) const { return turns::port_to(self_, (place_ + distance + root_) % ranks_); }

  Processor<Block>& self_;
  const Rank root_;
  const Rank ranks_;
  const Rank place_;
  Block& item_;
  std::vector<Port> came_;
};

Process broadcast_corrected(Processor<Block>& self, Rank root, Block& item) {
  Correction own(self, root, item);
  const Cycle rounds = width(own.ranks() - 1);
  const Cycle end = rounds + 2 * Cycle{own.ranks() - 1};  // all have stopped sending
  for (Cycle round = own.place() == 0 ? 0 : width(own.place()); round < rounds; ++round) {
    co_await self.until(round);
    own.take_all();
    if (own.has_item() && (own.place() + (Rank{1} << round)) < own.ranks()) own.send_on(Rank{1} << round);
  }
  co_await self.until(rounds);
  own.take_all();
  if (own.has_item()) {
    bool met_on = false;
    bool met_back = false;
    for (Rank distance = 1; distance < own.ranks() && !(met_on && met_back); ++distance) {
      const Rank back = own.ranks() - distance;
      if (!met_on) own.send_on(distance);
      co_await self.cycle();
      own.take_all();
      const bool answers = own.has_met(back);  // one last time: the processor met there has to meet this one
      if (!met_back) own.send_on(back);
      met_back = met_back || answers;
      co_await self.cycle();
      own.take_all();
      met_on = met_on || own.has_met(distance);
    }
  } else {
    item = co_await self.message();
  }
  co_await self.until(end);
  own.take_all();
}

Prediction predict_corrected(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide p = machine.processors;
  const Wide m = *settings.words;
  const Wide steps = p < 2 ? 0 : width(static_cast<Rank>(machine.processors - 1)) + 2;
  const Wide messages = p < 2 ? 0 : p - 1 + 2 * p;
  return {.steps = exact_count(steps, "ceil(log2 p) + 2"),
          .messages = exact_count(messages, "p - 1 + 2 p"),
          .words = exact_count(messages * m, "messages m"),
          .longest_sum = exact_count(steps * m, "S m"),
          .message_words = *settings.words};
}

Outcome run_corrected(const RunRequest& request) {
  const Rank root = request.root();
  return run(request, [root](Processor<Block>& self, Block& item) { return broadcast_corrected(self, root, item); });
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_corrected_tree_method = broadcast::with_defaults({
    .name = "broadcast/corrected-tree",
    .families = {"switch", "complete"},
    .source = "Kuettler et al. 2019 (collectives.md, Faults)",
    .summary =
        "a binomial tree, then those that have the item give it to their neighbours on a ring until they meet: it "
        "comes to all that have not failed",
    .port_models = {PortModel::one},
    .predict = broadcast::predict_corrected,
    .run = broadcast::run_corrected,
});

}  // namespace lockstep
