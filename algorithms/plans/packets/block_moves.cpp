#include "block_moves.hpp"

#include <algorithm>
#include <stdexcept>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep::packets {
namespace {

/// The blocks of one processor in a round: its own, and one that passes through.
class BlocksHere {
 public:
  BlocksHere(Processor<LabelledBlock>& self, const BlockRound& round, LabelledBlock& held)
      : self_(self), round_(round) {
    if (held.block.size() == 0) return;
    held.number = self.rank();
    blocks_.push_back(std::move(held));
  }

  void send_over(Port dimension) {
    for (std::size_t index = 0; index < blocks_.size();) {
      if (has_bit(target(blocks_[index]) ^ self_.rank(), dimension)) {
        self_.send(dimension, std::move(blocks_[index]));
        blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(index));
      } else {
        ++index;
      }
    }
  }

  /// `crossed` has the bits of the round's dimensions so far, this one included.
  void receive_over(Port dimension, Rank crossed) {
    if (!self_.arrived(dimension)) return;
    LabelledBlock moving = self_.receive(dimension);
    const Rank path = moving.number ^ target(moving);
    if (!has_bit(path, dimension) || (moving.number ^ (path & crossed)) != self_.rank()) {
      throw std::logic_error("received a block that is not expected");
    }
    blocks_.push_back(std::move(moving));
    hold();
  }

  /// The block that is here when the round has ended.
  LabelledBlock end() {
    if (blocks_.empty()) return {};
    if (blocks_.size() > 1 || target(blocks_.front()) != self_.rank()) {
      throw std::logic_error("a round of moves ends before its blocks reach their targets");
    }
    blocks_.front().number = 0;
    return std::move(blocks_.front());
  }

 private:
  Rank target(const LabelledBlock& moving) const { return round_.target(moving.number); }

  void hold() const {
    std::uint64_t sum = 0;
    for (const LabelledBlock& moving : blocks_) sum += words(moving);
    self_.hold(sum);
  }

  Processor<LabelledBlock>& self_;
  const BlockRound& round_;
  std::vector<LabelledBlock> blocks_;
};

}  // namespace

Process move_blocks(Processor<LabelledBlock>& self, std::span<const BlockRound> rounds, LabelledBlock& held) {
  self.hold(held.block.size());
  for (const BlockRound& round : rounds) {
    BlocksHere here(self, round, held);
    Rank crossed = 0;
    for (const Port dimension : round.dimensions) {
      here.send_over(dimension);
      co_await self.cycle();
      crossed |= Rank{1} << dimension;
      here.receive_over(dimension, crossed);
    }
    held = here.end();
  }
}

Report move_blocks(const RunRequest& request, std::span<const BlockRound> rounds, PerRank<LabelledBlock>& held) {
  return run_program<LabelledBlock>(
      request, [&](Processor<LabelledBlock>& self) { return move_blocks(self, rounds, held[self.rank()]); });
}

}  // namespace lockstep::packets
