#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trace_forms.hpp"

namespace lockstep::cli::trace {

// The text of a trace: cycle by cycle, and in demonstrations.

/// "0 ──▶ 1", ranks padded to the width.
std::string ends_text(const run::Trace& trace, const run::TracedMessage& message, std::size_t width);

/// The width of a machine's ranks.
std::size_t rank_width(const MachineSpec& machine);

/// "blocks 0 1 2 … (12)": the first blocks, and their number if these are not all.
std::string text_of_blocks(std::span<const BlockLabels> blocks, std::size_t most = 8);

/// Which processors hold which of the moving blocks. The sender keeps a block that is for all and gives up any other.
class Holders {
 public:
  /// Processors that hold the same blocks, at least one.
  struct HolderGroup {
    std::vector<Rank> ranks;
    std::vector<BlockLabels> blocks;  ///< by origin and destination
  };

  /// The state before the run: each block is at its origin.
  explicit Holders(const TracedRun& run);
  /// For messages whose content is unknown, or that carry parts: every processor with data has one block of its own,
  /// and a sender sends all that it holds. The blocks of a processor then show whose data may have reached it.
  static Holders of_hearsay(const TracedRun& run);

  /// Returns false if a message carries a block that its sender does not hold: then blocks are divided.
  bool move(std::span<const run::TracedMessage> messages);
  /// The same for of_hearsay().
  void spread(std::span<const run::TracedMessage> messages);

  std::vector<HolderGroup> groups() const;

 private:
  struct InOrder {
    bool operator()(const BlockLabels& a, const BlockLabels& b) const {
      return std::pair(a.origin, a.destination) < std::pair(b.origin, b.destination);
    }
  };
  using BlockSet = std::set<BlockLabels, InOrder>;

  Holders(const run::Trace& trace, std::uint64_t processors) : trace_(trace), held_(processors) {}

  const run::Trace& trace_;
  std::vector<BlockSet> held_;
};

/// Empty where the holders are not known, or the processors do not fit on a screen.
std::optional<Holders> holders_of(const TracedRun& run);
/// Empty where processors communicate through a memory, or do not fit on a screen.
std::optional<Holders> hearsay_of(const TracedRun& run);

/// " 0 1 2".
std::string ranks_text(std::span<const Rank> ranks);

}  // namespace lockstep::cli::trace
