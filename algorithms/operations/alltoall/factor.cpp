#include <algorithm>

#include "parcels.hpp"

namespace lockstep {
namespace {

// Ring of m nodes (dimakopoulos.md, Rings): displacement d = 1..m-1, one after the other, all nodes alike. A message
// with d <= m/2 takes d steps clockwise (to the next higher node), another m - d steps counter-clockwise, so that every
// node sends and receives in every step.
class RingSchedule : public TurnSchedule {
 public:
  explicit RingSchedule(Rank m) : m_(m) {
    std::uint64_t step = 0;
    for (Rank d = 1; d < m; ++d) {
      first_step_.push_back(step);
      step += std::min(d, m - d);
    }
    steps_ = step;
  }

  Rank nodes() const override { return m_; }
  std::uint64_t steps() const override { return steps_; }

  Turn turn(std::uint64_t step, Rank node) const override {
    const auto next = std::upper_bound(first_step_.begin(), first_step_.end(), step);
    const auto d = static_cast<Rank>(next - first_step_.begin());
    const auto walked = static_cast<Rank>(step - *(next - 1));  // links that the messages have crossed
    const bool clockwise = d <= m_ / 2;
    const Rank ahead = clockwise ? plus(node, 1) : minus(node, 1);
    const Rank behind = clockwise ? minus(node, 1) : plus(node, 1);
    const Rank sent = clockwise ? minus(node, walked) : plus(node, walked);
    const Rank received = clockwise ? minus(sent, 1) : plus(sent, 1);
    return {.sends = {node, ahead, sent, plus(sent, d)}, .receives = {behind, node, received, plus(received, d)}};
  }

 private:
  Rank plus(Rank a, Rank b) const { return a < m_ - b ? a + b : a - (m_ - b); }
  Rank minus(Rank a, Rank b) const { return a < b ? a + (m_ - b) : a - b; }

  Rank m_;
  std::vector<std::uint64_t> first_step_;  // of displacement d at d-1
  std::uint64_t steps_;
};

// Complete graph of m nodes (dimakopoulos.md, Complete graphs): in step d = 1..m-1 node i sends to (i+d) mod m.
class CompleteSchedule : public TurnSchedule {
 public:
  explicit CompleteSchedule(Rank m) : m_(m) {}

  Rank nodes() const override { return m_; }
  std::uint64_t steps() const override { return m_ - 1; }

  Turn turn(std::uint64_t step, Rank node) const override {
    const auto d = static_cast<Rank>(step + 1);
    const Rank to = node < m_ - d ? node + d : node - (m_ - d);
    const Rank from = node < d ? node + (m_ - d) : node - d;
    return {.sends = {node, to, node, to}, .receives = {from, node, from, node}};
  }

 private:
  Rank m_;
};

// Linear array of m nodes (dimakopoulos.md, Paths):
//
//    if m even: first the two middle nodes exchange their messages for each other (that is all for two nodes)
//    phase R: each node has a FIFO queue with its own messages for higher nodes, the farthest destination first; in
//             every step it sends the head to the right; what arrives for others goes to the tail
//    phase L: mirror image
//
// In phase R a queue holds, in this order, the messages of the node itself, of its left neighbour, of the node left of
// that and so on, each origin's in one piece: they leave in consecutive steps, destinations m-1, m-2, ... . So the
// steps in which the pieces start to leave determine all moves.
class PathSchedule : public TurnSchedule {
 public:
  explicit PathSchedule(Rank m) : m_(m), middle_steps_(m % 2 == 0 ? 1 : 0) {
    for (Rank node = 0; node + 1 < m; ++node) {
      std::uint64_t free = 0;  // the step in which the node has sent the pieces so far
      for (Rank hops = 0; hops <= node; ++hops) {
        // A piece can be forwarded one step after its first message was sent here.
        const std::uint64_t ready = hops == 0 ? 0 : piece(node - 1, hops - 1) + 1;
        pieces_.push_back(std::max(ready, free));
        free = pieces_.back() + length(node, hops);
      }
      phase_steps_ = std::max(phase_steps_, free);
    }
  }

  Rank nodes() const override { return m_; }
  std::uint64_t steps() const override { return m_ == 1 ? 0 : middle_steps_ + 2 * phase_steps_; }

  Turn turn(std::uint64_t step, Rank node) const override {
    if (step < middle_steps_) return middle_turn(node);
    step -= middle_steps_;
    if (step < phase_steps_) return right_turn(step, node);
    const Turn mirrored = right_turn(step - phase_steps_, m_ - 1 - node);
    return {mirror(mirrored.sends), mirror(mirrored.receives)};
  }

 private:
  /// The step of phase R in which the node starts to send the messages whose origin is that many hops to the left.
  std::uint64_t piece(Rank node, Rank hops) const { return pieces_[first_piece(node) + hops]; }
  static std::size_t first_piece(Rank node) { return std::size_t{node} * (std::size_t{node} + 1) / 2; }
  std::uint64_t length(Rank node, Rank hops) const {
    const bool middle_sent = middle_steps_ == 1 && hops == 0 && node == m_ / 2 - 1;
    return m_ - 1 - node - (middle_sent ? 1 : 0);
  }

  Turn middle_turn(Rank node) const {
    const Rank low = m_ / 2 - 1;
    const Rank high = m_ / 2;
    const Move up{low, high, low, high};
    const Move down{high, low, high, low};
    if (node == low) return {up, down};
    if (node == high) return {down, up};
    return {};
  }

  Turn right_turn(std::uint64_t step, Rank node) const {
    return {node + 1 < m_ ? right_move(step, node) : Move{}, node > 0 ? right_move(step, node - 1) : Move{}};
  }

  Move right_move(std::uint64_t step, Rank node) const {
    const auto first = pieces_.begin() + static_cast<std::ptrdiff_t>(first_piece(node));
    const auto last = std::upper_bound(first, first + node + 1, step) - 1;  // the first piece leaves in step 0
    const auto hops = static_cast<Rank>(last - first);
    if (step - *last >= length(node, hops)) return {};  // the queue is empty
    return {node, node + 1, node - hops, m_ - 1 - static_cast<Rank>(step - *last)};
  }

  Move mirror(const Move& move) const {
    if (!move) return {};
    return {m_ - 1 - move.from, m_ - 1 - move.to, m_ - 1 - move.origin, m_ - 1 - move.destination};
  }

  Rank m_;
  std::uint64_t middle_steps_;
  std::uint64_t phase_steps_ = 0;
  std::vector<std::uint64_t> pieces_;  // by node, then hops
};

}  // namespace

std::shared_ptr<const TurnSchedule> ring_schedule(Rank m) { return std::make_shared<RingSchedule>(m); }
std::shared_ptr<const TurnSchedule> complete_schedule(Rank m) { return std::make_shared<CompleteSchedule>(m); }
std::shared_ptr<const TurnSchedule> path_schedule(Rank m) { return std::make_shared<PathSchedule>(m); }

extern const Method alltoall_factor_method = alltoall::with_defaults({
    .name = "alltoall/factor",
    .known_as = "total exchange",
    .families = {"ring", "path", "complete"},
    .source = "Dimakopoulos & Dimopoulos, sections 3 and 5 (dimakopoulos.md, Rings to Paths)",
    .summary = "one message a step: the fewest steps that a single-port exchange of uncombined messages can take",
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .combines = false,
    .resolve = alltoall::parcels::resolve_factor,
    .predict = alltoall::parcels::predict,
    .bytes = alltoall::parcels::bytes,
    .run = alltoall::parcels::run,
});

}  // namespace lockstep
