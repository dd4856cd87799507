#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trace_forms.hpp"

namespace lockstep::cli::trace {

// How people read what a trace has: cycle by cycle, and in demonstrations.

/// "0 ──▶ 1", ranks filled up to a width.
std::string ends_text(const run::Trace& trace, const run::TracedMessage& message, std::size_t width);

/// As wide as the ranks of a machine are.
std::size_t rank_width(const MachineSpec& machine);

/// "blocks 0 1 2 … (12)": the first of them and how many there are, if these are not all.
std::string text_of_blocks(std::span<const BlockLabels> blocks, std::size_t most = 8);

/// Who holds which of the blocks that move. A block that is for all stays with its sender, another leaves it.
class Holders {
 public:
  /// Processors that hold the same, which is something.
  struct Group {
    std::vector<Rank> ranks;
    std::vector<BlockLabels> blocks;  ///< by origin and destination
  };

  /// As before the run: each block is with its origin.
  explicit Holders(const TracedRun& run);
  /// Where messages do not say what they carry, or carry parts: everybody who has data has a block of its own, and
  /// sends all that it has. What it holds is then of whose data it may know.
  static Holders of_hearsay(const TracedRun& run);

  /// False if a message carries what its sender does not hold: then blocks are divided.
  bool move(std::span<const run::TracedMessage> messages);
  /// The same of hearsay.
  void spread(std::span<const run::TracedMessage> messages);

  std::vector<Group> groups() const;

 private:
  struct InOrder {
    bool operator()(const BlockLabels& a, const BlockLabels& b) const {
      return std::pair(a.origin, a.destination) < std::pair(b.origin, b.destination);
    }
  };
  using Blocks = std::set<BlockLabels, InOrder>;

  Holders(const run::Trace& trace, std::uint64_t processors) : trace_(trace), held_(processors) {}

  const run::Trace& trace_;
  std::vector<Blocks> held_;
};

/// None where it is not known who holds what, or the processors do not fit a screen.
std::optional<Holders> holders_of(const TracedRun& run);
/// None where a memory stands between processors, or these do not fit a screen.
std::optional<Holders> hearsay_of(const TracedRun& run);

/// " 0 1 2".
std::string ranks_text(std::span<const Rank> ranks);

}  // namespace lockstep::cli::trace
