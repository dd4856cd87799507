#include "lockstep/algorithms/circulant_schedule.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep {
namespace {

/// Finds the blocks that a rank receives: in round k the largest baseblock, of those not yet found, of the ranks from
/// r - s_(k+1) to r - s_k, which are sums of skips. They are adjacent, so that one search down from the largest sums
/// finds them all.
class CirculantSearch {
 public:
  /// `base` is the rank's own baseblock, which it receives from the ranks that have it in these rounds.
  CirculantSearch(std::span<const Rank> skips, Rank rank, std::uint32_t base)
      : skips_(skips), from_(std::uint64_t{skips.back()} + rank), last_(2 * from_), taken_(skips.size()) {
    taken_[base] = true;
  }

  /// By round. To be called once.
  std::vector<std::uint32_t> found() {
    extend(0, skips_.size());
    return std::move(found_);
  }

 private:
  std::size_t rounds() const { return skips_.size() - 1; }
  /// The last sum in reach of this round, and of the next one.
  std::uint64_t latest() const { return from_ - skips_[found_.size()]; }
  std::uint64_t earliest() const { return from_ - skips_[found_.size() + 1]; }

  /// Adds to the sum skips below this one.
  void extend(std::uint64_t sum, std::size_t below) {
    for (std::size_t e = below; e-- > 0 && found_.size() < rounds();) {
      if (taken_[e]) continue;
      const std::uint64_t longer = sum + skips_[e];
      if (longer > latest() || longer >= last_) continue;
      if (longer <= earliest()) extend(longer, e);
      if (found_.size() == rounds() || sum > earliest()) return;
      if (longer > latest() || longer >= last_) continue;
      last_ = longer;
      taken_[e] = true;
      found_.push_back(static_cast<std::uint32_t>(e));
    }
  }

  std::span<const Rank> skips_;
  std::uint64_t from_;  // the rank, counted once round
  std::uint64_t last_;  // the last sum found
  std::vector<bool> taken_;
  std::vector<std::uint32_t> found_;
};

}  // namespace

CirculantSchedule::CirculantSchedule(Rank ranks) : skips_{ranks} {
  if (ranks == 0) throw std::invalid_argument("a circulant schedule needs a rank");
  while (skips_.back() > 1) skips_.push_back((skips_.back() - 1) / 2 + 1);
  std::ranges::reverse(skips_);
}

std::uint32_t CirculantSchedule::baseblock(Rank rank) const {
  std::uint32_t last = rounds();
  for (std::uint32_t k = rounds(); k-- > 0 && rank > 0;) {
    if (skips_[k] > rank) continue;
    rank -= skips_[k];
    last = k;
  }
  return last;
}

std::vector<std::int32_t> CirculantSchedule::received(Rank rank) const {
  const auto q = static_cast<std::int32_t>(rounds());
  const std::uint32_t base = baseblock(rank);
  std::vector<std::int32_t> blocks;
  for (const std::uint32_t e : CirculantSearch(skips_, rank, base).found()) {
    blocks.push_back(e == rounds() ? static_cast<std::int32_t>(base) : static_cast<std::int32_t>(e) - q);
  }
  return blocks;
}

std::vector<std::int32_t> CirculantSchedule::sent(Rank rank) const {
  std::vector<std::int32_t> blocks;
  for (std::uint32_t k = 0; k < rounds(); ++k) blocks.push_back(received(shifted(rank, skips_[k], ranks()))[k]);
  return blocks;
}

CirculantBroadcast::CirculantBroadcast(Rank ranks, std::uint64_t packets) : schedule_(ranks), packets_(packets) {
  if (packets == 0) throw std::invalid_argument("a broadcast needs a packet");
  const std::uint64_t q = schedule_.rounds();
  skipped_ = q == 0 ? 0 : (q - (packets - 1 + q) % q) % q;
  blocks_.reserve(q * ranks);
  for (Rank rank = 0; rank < ranks; ++rank) {
    for (const std::int32_t block : schedule_.received(rank)) blocks_.push_back(static_cast<std::int8_t>(block));
  }
}

std::uint64_t CirculantBroadcast::steps() const {
  return schedule_.ranks() == 1 ? 0 : packets_ - 1 + schedule_.rounds();
}

std::int64_t CirculantBroadcast::due(Rank rank, std::uint64_t round) const {
  const std::uint64_t q = schedule_.rounds();
  return blocks_[rank * q + round % q] + static_cast<std::int64_t>(round / q * q) - static_cast<std::int64_t>(skipped_);
}

std::optional<std::uint64_t> CirculantBroadcast::received(Rank rank, std::uint64_t round) const {
  const std::int64_t packet = due(rank, round);
  if (rank == 0 || packet < 0) return {};
  const auto last = static_cast<std::int64_t>(packets_) - 1;
  if (packet < last) return static_cast<std::uint64_t>(packet);
  // Higher numbers denote the last packet too. A rank that has it once is due for it in one of any q rounds after that.
  const std::uint64_t q = schedule_.rounds();
  for (std::uint64_t before = round; before-- > skipped_ && round - before <= q;) {
    if (due(rank, before) >= last) return {};
  }
  return static_cast<std::uint64_t>(last);
}

CirculantBroadcast::CirculantMove CirculantBroadcast::at(Rank rank, std::uint64_t step) const {
  const std::uint64_t round = skipped_ + step;
  const Rank skip = schedule_.skips()[round % schedule_.rounds()];
  CirculantMove move;
  const Rank next = shifted(rank, skip, schedule_.ranks());
  if (const auto packet = received(next, round)) {
    move.to = next;
    move.sent = *packet;
  }
  if (const auto packet = received(rank, round)) {
    move.from = shifted(rank, schedule_.ranks() - skip, schedule_.ranks());
    move.received = *packet;
  }
  return move;
}

std::uint64_t CirculantBroadcast::bytes(std::uint64_t ranks) { return ranks * doublings(ranks); }

}  // namespace lockstep
