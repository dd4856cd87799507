#include "provenance.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "lockstep/algorithms/task.hpp"
#include "lockstep/core/observer.hpp"

namespace lockstep::cli::judge {
namespace {

/// Larger machines are not examined: the memory grows with the square of the processors.
constexpr std::uint64_t most_processors_followed = 2048;

constexpr const char* accusation = ": it must have looked at another processor's data";

std::string rank_text(Rank rank) { return "rank " + std::to_string(rank); }

/// Whether the machine is small enough and the trace has every message.
bool is_whole(const run::RunPlan& plan, const run::Trace& trace) {
  return trace.left_out().messages() == 0 && trace.left_out().block_lists == 0 &&
         plan.stage().processors <= most_processors_followed;
}

/// The blocks of the run. A transposition of rows has one for every ordered pair, though schedules need not name it.
TaskBlocks task_blocks(const run::RunPlan& plan) {
  Task task = log_for(*plan.method, plan.settings).schedule.task;
  if (task.operation == "transpose" && plan.method->mapping == "one-dimensional") task.operation = "alltoall";
  return {task, static_cast<Rank>(plan.stage().processors)};
}

/// Follows blocks with labels.
class BlockTracks {
 public:
  BlockTracks(const run::RunPlan& plan, const run::Trace& trace) : blocks_(task_blocks(plan)) {
    for (std::size_t index = 0; index < trace.cycles().size(); ++index) {
      const auto messages = trace.messages_of(index);
      // A block that arrives in a cycle can be forwarded in the next.
      for (const run::TracedMessage& message : messages) check(trace, message);
      for (const run::TracedMessage& message : messages) move(trace, message);
    }
  }

  /// The first block that a processor sent without holding it.
  const std::string& sent_unexplained() const { return sent_unexplained_; }

  /// A block that did not reach a processor that must hold it at the end.
  struct Missing {
    Rank rank;
    BlockLabels block;
  };
  std::optional<Missing> first_missing() const {
    if (blocks_.are_told_by_moves()) return {};  // the expected blocks are not known
    for (Rank rank = 0; rank < blocks_.nodes(); ++rank) {
      for (Rank origin = blocks_.first_origin(); origin < blocks_.end_of_origins(); ++origin) {
        const BlockLabels block{origin, blocks_.are_for_all() ? origin : rank};
        if (blocks_.has(block) && !holds(rank, block)) return Missing{rank, block};
      }
    }
    return {};
  }

  std::string text(const BlockLabels& block, Rank holder) const {
    std::string of = "the block of " + rank_text(block.origin);
    if (blocks_.are_for_all()) return of;
    return of + (block.destination == holder ? " for it" : " for " + rank_text(block.destination));
  }

  std::string last_seen(const BlockLabels& block) const {
    const auto found = last_.find(blocks_.number(block));
    if (found == last_.end()) return "which never left " + rank_text(block.origin);
    const auto& [holder, from, cycle] = found->second;
    return "which " + rank_text(holder) + " got last, from " + rank_text(from) + " in cycle " + std::to_string(cycle);
  }

 private:
  struct Arrival {
    Rank holder;
    Rank from;
    Cycle cycle;
  };

  std::size_t key(Rank rank, const BlockLabels& block) const {
    return std::size_t{rank} * blocks_.numbers() + blocks_.number(block);
  }
  bool holds(Rank rank, const BlockLabels& block) const {
    return block.origin == rank || held_.contains(key(rank, block));
  }

  void check(const run::Trace& trace, const run::TracedMessage& message) {
    for (const BlockLabels& block : trace.blocks(message)) {
      if (!sent_unexplained_.empty() || !blocks_.has(block) || holds(message.from, block)) continue;
      sent_unexplained_ = rank_text(message.from) + " sends " + text(block, message.from) + " in cycle " +
                          std::to_string(message.cycle) + ", which no message has brought it" + accusation;
    }
  }
  void move(const run::Trace& trace, const run::TracedMessage& message) {
    for (const BlockLabels& block : trace.blocks(message)) {
      if (!blocks_.has(block)) continue;
      for (const End& receiver : trace.receivers(message)) {
        held_.insert(key(receiver.rank, block));
        last_[blocks_.number(block)] = {receiver.rank, message.from, message.cycle};
      }
    }
  }

  TaskBlocks blocks_;
  std::unordered_set<std::size_t> held_;
  std::unordered_map<std::size_t, Arrival> last_;
  std::string sent_unexplained_;
};

/// The blocks of the run, if all its messages name the blocks they carry.
std::optional<BlockTracks> blocks_of(const run::RunPlan& plan, const run::Trace& trace) {
  if (!moves_blocks(plan.method->operation) || !is_whole(plan, trace)) return {};
  if (!std::ranges::all_of(trace.messages(), &run::TracedMessage::lists_blocks)) return {};
  return BlockTracks(plan, trace);
}

/// For every processor, those whose data can have reached it. A message without words carries no data, except in a
/// barrier, where it is the signal, and in a sort, where it means that there are no records.
class Influence {
 public:
  Influence(const run::RunPlan& plan, const run::Trace& trace)
      : known_(plan.stage().processors, std::vector<bool>(plan.stage().processors)) {
    const bool may_be_empty = plan.method->operation == "barrier" || plan.method->operation == "sort";
    const auto processors = static_cast<Rank>(plan.stage().processors);
    for (Rank rank = 0; rank < processors; ++rank) known_[rank][rank] = true;
    for (std::size_t index = 0; index < trace.cycles().size(); ++index) {
      std::vector<std::pair<std::vector<bool>*, std::vector<bool>>> arrivals;
      for (const run::TracedMessage& message : trace.messages_of(index)) {
        if (message.words == 0 && !may_be_empty) continue;
        for (const End& end : trace.receivers(message)) {
          // Around a memory, a read takes what was written before to the slots that the message names.
          const auto& sent = message.from == memory_rank ? slots_[end.port] : known_[message.from];
          arrivals.emplace_back(end.rank == memory_rank ? &slots_[end.port] : &known_[end.rank], sent);
        }
      }
      for (const auto& [known, sent] : arrivals) add(*known, sent);
    }
  }

  bool reaches(Rank from, Rank to) const { return known_[to][from]; }

 private:
  static void add(std::vector<bool>& known, const std::vector<bool>& more) {
    known.resize(std::max(known.size(), more.size()));
    for (std::size_t rank = 0; rank < more.size(); ++rank) known[rank] = known[rank] || more[rank];
  }

  std::vector<std::vector<bool>> known_;
  std::map<Port, std::vector<bool>> slots_;
};

/// Whether the result of `to` depends on the data of `from`; null if that is not known of the operation.
std::function<bool(Rank from, Rank to)> dependence(const run::RunPlan& plan) {
  const std::string_view operation = plan.method->operation;
  if (operation == "barrier" || operation == "sort" || operation == "allreduce") {
    return [](Rank, Rank) { return true; };
  }
  if (operation == "scan" || operation == "exscan") return [](Rank from, Rank to) { return from < to; };
  if (operation == "reduce") {
    return [root = static_cast<Rank>(plan.settings.root.value_or(0))](Rank, Rank to) { return to == root; };
  }
  if (!moves_blocks(operation)) return nullptr;
  const TaskBlocks blocks = task_blocks(plan);
  if (blocks.are_told_by_moves()) return nullptr;
  return [blocks](Rank from, Rank to) { return blocks.has({from, blocks.are_for_all() ? from : to}); };
}

/// The first processor that no chain of messages reaches from one on whose data its own depends.
std::string without_influence(const run::RunPlan& plan, const run::Trace& trace) {
  const auto depends = dependence(plan);
  if (!depends || !is_whole(plan, trace)) return "";
  const auto processors = static_cast<Rank>(plan.stage().processors);
  const Influence influence(plan, trace);
  for (Rank to = 0; to < processors; ++to) {
    for (Rank from = 0; from < processors; ++from) {
      if (!depends(from, to) || influence.reaches(from, to)) continue;
      return rank_text(to) + " ends with what depends on the data of " + rank_text(from) +
             ", from which no chain of messages leads to it" + accusation;
    }
  }
  return "";
}

}  // namespace

std::vector<std::string> unexplained_data(const run::RunPlan& plan, const run::Trace& trace) {
  std::vector<std::string> lines;
  if (const auto blocks = blocks_of(plan, trace)) {
    const auto missing = blocks->first_missing();
    if (!blocks->sent_unexplained().empty()) lines.push_back(blocks->sent_unexplained());
    if (missing) {
      lines.push_back(rank_text(missing->rank) + " ends with " + blocks->text(missing->block, missing->rank) +
                      ", which no message brought it" + accusation);
    }
    return lines;
  }
  if (std::string line = without_influence(plan, trace); !line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string missing_block(const run::RunPlan& plan, const run::Trace& trace) {
  const auto blocks = blocks_of(plan, trace);
  const auto missing = blocks ? blocks->first_missing() : std::nullopt;
  if (!missing) return "";
  return rank_text(missing->rank) + " lacks " + blocks->text(missing->block, missing->rank) + ", " +
         blocks->last_seen(missing->block);
}

}  // namespace lockstep::cli::judge
