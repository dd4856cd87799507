#pragma once

#include <functional>
#include <span>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/task.hpp"
#include "lockstep/algorithms/verification.hpp"

namespace lockstep {

/// The expected block; a rank that should hold it holds every word of it once, in one piece or several. Called by
/// several threads at once.
using ExpectedBlock = std::function<Block(Rank origin, Rank destination)>;

/// Compares what a processor holds in the end with what it should, block by block, without knowledge of schedules. It
/// finds every word that is missing, altered, held twice, or held by a processor that should not have it.
class PieceOracle {
 public:
  /// `expected` returns the expected final block with two given labels.
  explicit PieceOracle(ExpectedBlock expected) : expected_(std::move(expected)) {}

  /// Judges what the rank holds: it should hold the blocks with these labels, which ascend by origin and then
  /// destination, and nothing else.
  Verdict judge(Rank rank, std::vector<Piece> held, std::span<const BlockLabels> should_hold) const;

 private:
  std::string what_is_wrong(Rank rank, const BlockLabels& labels, std::span<const Piece> pieces) const;

  ExpectedBlock expected_;
};

}  // namespace lockstep
