#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/labelled_block.hpp"
#include "written/holdings.hpp"
#include "written/plan.hpp"

namespace lockstep::written {

/// The chunks of a plan that one processor holds, by their numbers.
class HeldChunks {
 public:
  std::uint64_t words() const { return words_; }

  /// Adds the received block to what is here of the chunk, or replaces it; what was here could be sent before. Sums
  /// whose summands are named are kept as received.
  void keep(std::uint64_t number, Block block, double arrival, bool adds, const Summands& whose);

  /// The chunk, or the sum of these summands of it, and when it could be sent. It stays until leave_marked() is called
  /// if it leaves, and longer if it does not.
  std::pair<Block, double> take(std::uint64_t number, const Summands& whose, bool leaves);
  void mark_leaving(std::uint64_t number);
  void leave_marked();

  /// Combines all sums kept as received into one.
  void add_up();
  /// All blocks here, as pieces: those of the chunks that the processor should hold in the end or, where one processor
  /// has a chunk at a time, all.
  std::vector<Piece> pieces(const Chunks& chunks, Rank rank) const;

  /// Bytes of one chunk without words elsewhere.
  static constexpr std::uint64_t bytes_of_one = 64 + sizeof(Block);

 private:
  struct HeldItem {
    Block block;
    double arrival;
  };
  struct Sum {
    Summands whose;
    Block block;
  };
  using HeldItems = std::unordered_map<std::uint64_t, HeldItem>;

  HeldItems held_;
  std::unordered_map<std::uint64_t, std::vector<Sum>> apart_;
  std::vector<HeldItems::iterator> leaving_;
  std::uint64_t words_ = 0;
};

}  // namespace lockstep::written
