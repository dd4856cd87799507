#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/task.hpp"

namespace lockstep {

/// The block as it should be; a rank that should hold it holds every word of it once, in one piece or several.
using ExpectedBlock = std::function<Block(Rank origin, Rank destination)>;

/// Compares what the processors hold in the end with what they should, block by block, and knows no schedule. It sees
/// every word that is missing, altered, held twice, or held by a processor that should not have it.
class PieceOracle {
 public:
  explicit PieceOracle(ExpectedBlock expected) : expected_(std::move(expected)) {}

  /// Judges what the rank holds: it should be the blocks of these labels, which ascend by origin and then destination,
  /// and nothing else. Sorts the pieces in the same way. Ranks come in ascending order.
  void judge(Rank rank, std::span<Piece> held, std::span<const BlockLabels> should_hold);

  /// After the last rank: fills in wrong, data_digest and verify_seconds.
  void conclude(Outcome& outcome) const;

 private:
  void blame(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }
  void compare(Rank rank, const BlockLabels& labels, std::span<const Piece> pieces);

  ExpectedBlock expected_;
  std::string wrong_;
  Digest digest_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace lockstep
