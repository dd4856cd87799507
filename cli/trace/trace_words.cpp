#include "trace_words.hpp"

#include <algorithm>

#include "host/terminal.hpp"
#include "lockstep/core/observer.hpp"

namespace lockstep::cli::trace {
namespace {

/// More processors do not fit on a screen.
constexpr std::uint64_t most_holders = 64;

std::string text_of(const BlockLabels& block) {
  const std::string origin = std::to_string(block.origin);
  return block.origin == block.destination ? origin : origin + "→" + std::to_string(block.destination);
}

}  // namespace

std::string ends_text(const run::Trace& trace, const run::TracedMessage& message, std::size_t width) {
  const auto& receivers = trace.receivers(message);
  const bool writes = receivers.front().rank == memory_rank;
  const bool reads = message.from == memory_rank;
  std::string slots, ranks;
  for (const End& to : receivers) {
    slots += " " + std::to_string(to.port);
    ranks += " " + std::to_string(to.rank);
  }
  slots = (receivers.size() == 1 ? "slot" : "slots") + slots;
  if (reads) return slots + " ──▶ " + std::to_string(receivers.front().rank);
  return host::right(std::to_string(message.from), width) + " ──▶ " +
         (writes ? slots : host::right(ranks.substr(1), width));
}

std::size_t rank_width(const MachineSpec& machine) {
  return std::to_string(std::max<std::uint64_t>(machine.processors, 1) - 1).size();
}

std::string text_of_blocks(std::span<const BlockLabels> blocks, std::size_t most) {
  std::string text = blocks.size() == 1 ? "block" : "blocks";
  for (const BlockLabels& block : blocks.first(std::min(blocks.size(), most))) text += " " + text_of(block);
  return text + (blocks.size() > most ? " … (" + std::to_string(blocks.size()) + ")" : "");
}

std::string ranks_text(std::span<const Rank> ranks) {
  std::string text;
  for (const Rank rank : ranks) text += " " + std::to_string(rank);
  return text;
}

Holders::Holders(const TracedRun& run) : trace_(run.trace), held_(run.plan().machine.processors) {
  for (const run::TracedMessage& message : trace_.messages()) {
    for (const BlockLabels& block : trace_.blocks(message)) held_[block.origin].insert(block);
  }
}

bool Holders::move(std::span<const run::TracedMessage> messages) {
  for (const run::TracedMessage& message : messages) {
    for (const BlockLabels& block : trace_.blocks(message)) {
      BlockSet& sender = held_[message.from];
      if (block.origin == block.destination ? !sender.contains(block) : sender.erase(block) == 0) return false;
    }
  }
  for (const run::TracedMessage& message : messages) {
    for (const End& to : trace_.receivers(message)) {
      for (const BlockLabels& block : trace_.blocks(message)) held_[to.rank].insert(block);
    }
  }
  return true;
}

Holders Holders::of_hearsay(const TracedRun& run) {
  Holders holders(run.trace, run.plan().machine.processors);
  const auto begins_with = [&holders](Rank rank) { holders.held_[rank].insert({rank, rank}); };
  const auto lists_blocks = [](const run::TracedMessage& message) {
    return message.lists_blocks && message.blocks > 0;
  };
  if (std::ranges::all_of(run.trace.messages(), lists_blocks)) {
    for (const run::TracedMessage& message : run.trace.messages()) {
      for (const BlockLabels& block : run.trace.blocks(message)) begins_with(block.origin);
    }
  } else {
    for (Rank rank = 0; rank < holders.held_.size(); ++rank) begins_with(rank);
  }
  return holders;
}

void Holders::spread(std::span<const run::TracedMessage> messages) {
  const std::vector<BlockSet> before = held_;
  for (const run::TracedMessage& message : messages) {
    for (const End& to : trace_.receivers(message)) {
      held_[to.rank].insert(before[message.from].begin(), before[message.from].end());
    }
  }
}

std::vector<Holders::HolderGroup> Holders::groups() const {
  std::vector<bool> is_grouped(held_.size());
  std::vector<HolderGroup> groups;
  for (std::size_t rank = 0; rank < held_.size(); ++rank) {
    if (is_grouped[rank] || held_[rank].empty()) continue;
    HolderGroup group{{}, {held_[rank].begin(), held_[rank].end()}};
    for (std::size_t other = rank; other < held_.size(); ++other) {
      if (!std::ranges::equal(held_[other], held_[rank])) continue;
      is_grouped[other] = true;
      group.ranks.push_back(static_cast<Rank>(other));
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

std::optional<Holders> holders_of(const TracedRun& run) {
  const run::Trace& trace = run.trace;
  const auto lists_blocks = [](const run::TracedMessage& message) {
    return message.lists_blocks && message.blocks > 0;
  };
  // With faults, blocks that arrive late or never would have to be removed from the receivers again.
  const bool is_known = !run.plan().faults.may_change_counts() && run.plan().machine.processors <= most_holders &&
                        !trace.has_parts() && trace.left_out().messages() == 0 &&
                        std::ranges::all_of(trace.messages(), lists_blocks);
  if (!is_known) return std::nullopt;
  Holders holders(run);
  for (std::size_t index = 0; index < trace.cycles().size(); ++index) {
    if (!holders.move(trace.messages_of(index))) return std::nullopt;
  }
  return Holders(run);
}

std::optional<Holders> hearsay_of(const TracedRun& run) {
  const MachineSpec& machine = run.plan().machine;
  const bool in_memory = machine.medium && machine.medium->kind == MediumKind::memory;
  if (in_memory || machine.processors > most_holders || run.trace.left_out().messages() != 0) return std::nullopt;
  return Holders::of_hearsay(run);
}

}  // namespace lockstep::cli::trace
