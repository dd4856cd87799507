#include <algorithm>
#include <deque>
#include <span>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "parcels.hpp"

namespace lockstep::alltoall::parcels {
namespace {

/// The blocks of one processor, which between rounds are at one place per processor: with one factor place l holds the
/// block for l, and after the only round the block from l. With more factors the coordinates of a block's place are
/// those of its origin in the dimensions that it has travelled and those of its destination in the others. So a round
/// leaves blocks in the very places from which it took some (dimakopoulos.md, Products).
class HeldParcels {
 public:
  HeldParcels(std::span<Block> places, std::size_t longest_round) : places_(places) {
    arrivals_.reserve(longest_round);
    for (const Block& block : places_) words_ += block.size();
  }

  std::uint64_t words() const { return words_; }

  /// Takes the message of the round that starts here.
  LabelledBlock take_resting(const Round& round, const Move& move) {
    Block& block = places_[move.destination + round.origin_shift];
    words_ -= block.size();
    return {.origin = move.origin, .destination = move.destination, .block = std::move(block)};
  }

  /// Takes a message of another origin that passes through. Schedules send the oldest first, but need not.
  Message<LabelledBlock> take_passing(const Move& move) {
    const auto found = std::find_if(passing_.begin(), passing_.end(), [&](const Message<LabelledBlock>& message) {
      return message.payload.origin == move.origin && message.payload.destination == move.destination;
    });
    if (found == passing_.end()) throw std::logic_error("the message that is to be sent on is not here");
    std::swap(*found, passing_.front());
    Message<LabelledBlock> message = std::move(passing_.front());
    passing_.pop_front();
    words_ -= message.payload.block.size();
    return message;
  }

  void put(const Round& round, const Move& move, Message<LabelledBlock> message) {
    words_ += message.payload.block.size();
    if (round.ends_at_receiver(move)) {
      arrivals_.push_back({move.origin + round.destination_shift, std::move(message.payload.block)});
    } else {
      passing_.push_back(std::move(message));
    }
  }

  /// At the end of a round the places from which it took blocks are free for those it brought.
  void settle() {
    for (Arrival& arrival : arrivals_) places_[arrival.place] = std::move(arrival.block);
    arrivals_.clear();
  }

 private:
  std::span<Block> places_;
  std::vector<Arrival> arrivals_;
  std::deque<Message<LabelledBlock>> passing_;
  std::uint64_t words_ = 0;
};

/// The port by which the processor reaches its neighbour in the round.
Port port_to(Rank neighbour, const Processor<LabelledBlock>& self, const Round& round,
             std::span<const ParcelFactor> factors) {
  return factors[round.factor].port(round.coordinate(self.rank()), round.coordinate(neighbour));
}

// A total exchange that follows the schedule: in a step a processor sends at most one message of b words and receives
// at most one (dimakopoulos.md, Conventions). As many steps as the schedule has; one message for every link on the
// paths of all pairs.
Process exchange(Processor<LabelledBlock>& self, const ProductSchedule& schedule, std::span<const ParcelFactor> factors,
                 std::span<Block> blocks) {
  HeldParcels held(blocks, schedule.longest_factor());
  self.hold(held.words());
  for (std::uint64_t step = 0; step < schedule.steps();) {
    const Round round = schedule.round(step, self.rank());
    for (; step < round.end; ++step) {
      const Turn turn = round.turn(step);
      if (turn.sends) {
        const Port port = port_to(turn.sends.to, self, round, factors);
        if (round.starts_at_sender(turn.sends)) {
          self.send(port, held.take_resting(round, turn.sends));
        } else {
          self.forward(port, held.take_passing(turn.sends));
        }
      }
      co_await self.cycle();
      if (turn.receives) {
        held.put(round, turn.receives, self.receive(port_to(turn.receives.from, self, round, factors)));
      }
      self.hold(held.words());
    }
    held.settle();
  }
}

/// The blocks of each rank for the others, by destination; none for itself.
PerRank<std::vector<Block>> initial_blocks(const RunRequest& request) {
  PerRank<std::vector<Block>> blocks(request);
  for_all_ranks(request, [&](Rank origin) {
    blocks[origin].resize(request.topology.processors());
    for (Rank destination = 0; destination < blocks[origin].size(); ++destination) {
      if (origin == destination) continue;
      blocks[origin][destination] =
          generated_block(request.settings.seed, origin, destination, *request.settings.words);
    }
  });
  return blocks;
}

/// The blocks of a rank in the end: at place o lies the block from o.
std::vector<Piece> labelled(std::span<const Block> row, Rank rank) {
  std::vector<Piece> held;
  for (Rank origin = 0; origin < row.size(); ++origin) {
    if (row[origin].size() > 0) held.push_back({origin, rank, 0, row[origin].words()});
  }
  return held;
}

}  // namespace

Outcome run_factors(const RunRequest& request, const std::vector<ParcelFactor>& factors) {
  const ProductSchedule schedule = product_of(factors);
  PerRank<std::vector<Block>> blocks = initial_blocks(request);
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(
      request, [&](Processor<LabelledBlock>& self) { return exchange(self, schedule, factors, blocks[self.rank()]); });
  verify(
      request, [&](Rank rank) { return labelled(blocks[rank], rank); }, outcome);
  return outcome;
}

Outcome run(const RunRequest& request) { return run_factors(request, factors_of(request.machine, request.settings)); }

}  // namespace lockstep::alltoall::parcels
