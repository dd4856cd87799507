#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <set>

#include "lockstep/core/observer.hpp"
#include "lockstep/core/printable.hpp"
#include "number_text.hpp"
#include "terminal.hpp"
#include "trace_forms.hpp"

namespace lockstep::cli {
namespace {

/// More processors do not fit a screen.
constexpr std::uint64_t most_holders = 64;
constexpr std::size_t most_blocks = 8;

std::string text_of(const BlockLabels& block) {
  const std::string origin = std::to_string(block.origin);
  return block.origin == block.destination ? origin : origin + "→" + std::to_string(block.destination);
}

/// The first of them and how many there are, if these are not all.
template <class Blocks>
std::string text_of_blocks(const Blocks& blocks) {
  std::string text = blocks.size() == 1 ? "block" : "blocks";
  std::size_t shown = 0;
  for (const BlockLabels& block : blocks) {
    if (shown++ == most_blocks) return text + " … (" + std::to_string(blocks.size()) + ")";
    text += " " + text_of(block);
  }
  return text;
}

struct InOrder {
  bool operator()(const BlockLabels& a, const BlockLabels& b) const {
    return std::pair(a.origin, a.destination) < std::pair(b.origin, b.destination);
  }
};
using Blocks = std::set<BlockLabels, InOrder>;

/// Who holds which of the blocks that move. A block that is for all stays with its sender, another leaves it.
class Holders {
 public:
  /// As before the run: each block is with its origin.
  explicit Holders(const TracedRun& run) : trace_(run.trace), held_(run.plan().machine.processors) {
    for (const TracedMessage& message : trace_.messages()) {
      for (const BlockLabels& block : trace_.blocks(message)) held_[block.origin].insert(block);
    }
  }

  /// False if a message carries what its sender does not hold: then blocks are divided.
  bool move(std::span<const TracedMessage> messages) {
    for (const TracedMessage& message : messages) {
      for (const BlockLabels& block : trace_.blocks(message)) {
        Blocks& sender = held_[message.from];
        if (block.origin == block.destination ? !sender.contains(block) : sender.erase(block) == 0) return false;
      }
    }
    for (const TracedMessage& message : messages) {
      for (const End& to : trace_.receivers(message)) {
        for (const BlockLabels& block : trace_.blocks(message)) held_[to.rank].insert(block);
      }
    }
    return true;
  }

  /// A line for all processors that hold the same, unless that is nothing.
  std::string text() const {
    std::vector<bool> is_shown(held_.size());
    std::string text;
    for (std::size_t rank = 0; rank < held_.size(); ++rank) {
      if (is_shown[rank] || held_[rank].empty()) continue;
      std::string ranks;
      for (std::size_t other = rank; other < held_.size(); ++other) {
        if (!std::ranges::equal(held_[other], held_[rank])) continue;
        is_shown[other] = true;
        ranks += " " + std::to_string(other);
      }
      text += "  ●" + ranks + "  " + text_of_blocks(held_[rank]) + "\n";
    }
    return text;
  }

 private:
  const Trace& trace_;
  std::vector<Blocks> held_;
};

/// None where it is not known who holds what.
std::optional<Holders> holders_of(const TracedRun& run) {
  const Trace& trace = run.trace;
  const auto lists_blocks = [](const TracedMessage& message) { return message.lists_blocks && message.blocks > 0; };
  const bool is_known = run.plan().machine.processors <= most_holders && !trace.has_parts() &&
                        trace.left_out().messages() == 0 && std::ranges::all_of(trace.messages(), lists_blocks);
  if (!is_known) return std::nullopt;
  Holders holders(run);
  for (std::size_t index = 0; index < trace.cycles().size(); ++index) {
    if (!holders.move(trace.messages_of(index))) return std::nullopt;
  }
  return Holders(run);
}

std::string ends_text(const TracedRun& run, const TracedMessage& message, std::size_t width) {
  const auto& receivers = run.trace.receivers(message);
  const bool writes = receivers.front().rank == memory_rank;
  const bool reads = message.from == memory_rank;
  std::string slots, ranks;
  for (const End& to : receivers) {
    slots += " " + std::to_string(to.port);
    ranks += " " + std::to_string(to.rank);
  }
  slots = (receivers.size() == 1 ? "slot" : "slots") + slots;
  if (reads) return slots + " ──▶ " + std::to_string(receivers.front().rank);
  return right(std::to_string(message.from), width) + " ──▶ " + (writes ? slots : right(ranks.substr(1), width));
}

std::string message_text(const TracedRun& run, const TracedMessage& message, std::size_t width) {
  std::string text = "  " + ends_text(run, message, width) + "   ";
  if (!run.plan().machine.medium) text += "port " + std::to_string(message.port) + ", ";
  text += counted(message.words, "word");
  if (message.lists_blocks && message.blocks > 0) text += ", " + text_of_blocks(run.trace.blocks(message));
  text += ", time " + short_number(message.start) + " to " + short_number(message.end);
  const std::string& phase = run.trace.phase(message);
  return text + (phase.empty() ? "" : ", " + printable(phase)) + "\n";
}

std::string end_text(const TracedRun& run) {
  const RunRecord& record = run.record;
  if (!record.has_ended()) return std::string(name(record.status)) + ": " + printable(run.error, 2000) + "\n";
  const Report& report = record.outcome.report;
  return std::string(name(record.status)) + ": " + counted(report.steps, "step") + ", " +
         counted(report.messages, "message") + ", " + counted(report.words, "word") + ", time " +
         short_number(report.time_synchronous) + " synchronous, " + short_number(report.time_asynchronous) +
         " asynchronous\n";
}

}  // namespace

void write_trace_text(const TracedRun& run, std::ostream& out) {
  const Trace& trace = run.trace;
  const RunPlan& plan = run.plan();
  const std::size_t width = std::to_string(std::max<std::uint64_t>(plan.machine.processors, 1) - 1).size();
  std::optional<Holders> holders = holders_of(run);
  out << printable(plan.name) + " on " + printable(plan.machine.text) + "\n";
  if (holders) out << holders->text();
  for (std::size_t index = 0; index < trace.cycles().size(); ++index) {
    const auto messages = trace.messages_of(index);
    out << "\ncycle " + std::to_string(trace.cycles()[index].cycle) + ": " + counted(messages.size(), "message") + "\n";
    for (const TracedMessage& message : messages) out << message_text(run, message, width);
    if (!holders) continue;
    holders->move(messages);
    out << holders->text();
  }
  out << "\n";
  if (const std::string line = left_out_line(trace); !line.empty()) out << line + "\n";
  out << end_text(run);
}

}  // namespace lockstep::cli
