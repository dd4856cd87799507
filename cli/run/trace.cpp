#include "trace.hpp"

#include <algorithm>

#include "lockstep/algorithms/task.hpp"
#include "lockstep/core/observer.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::run {

std::span<const TracedMessage> Trace::messages_of(std::size_t cycle_index) const {
  const std::size_t first = cycles_[cycle_index].first_message;
  const std::size_t end = cycle_index + 1 < cycles_.size() ? cycles_[cycle_index + 1].first_message : messages_.size();
  return std::span(messages_).subspan(first, end - first);
}

void refuse_ranks(const TraceLimits& limits, const MachineSpec& machine) {
  if (limits.ranks.empty()) return;
  const Rank last = *std::ranges::max_element(limits.ranks);
  if (last < machine.processors) return;
  throw InputError("--ranks " + std::to_string(last) + " is out of range on " + printable(machine.text) + ": 0 to " +
                   std::to_string(machine.processors - 1));
}

std::uint64_t TraceBound::bytes() const {
  constexpr std::uint64_t sorted = 16;  // per message, in the form that takes most
  return messages * (sizeof(TracedMessage) + sizeof(End) + sizeof(Fate) + sorted) + cycles * sizeof(TracedCycle) +
         blocks * sizeof(BlockLabels);
}

// Several receivers of a transaction weigh little: there are few transactions then.
TraceBound trace_bound(const RunPlan& plan, const TraceLimits& limits) {
  const Prediction predicted = prediction_of(plan);
  const auto at_most = [](std::uint64_t most, const std::optional<Count>& count) {
    return count ? std::min(most, count->value) : most;
  };
  TraceBound bound;
  bound.messages = at_most(limits.max_events, predicted.messages);
  bound.cycles = at_most(bound.messages, predicted.steps);
  if (!moves_blocks(plan.method->operation)) return bound;
  bound.blocks = limits.max_events * TraceLimits::blocks_a_message;
  if (const auto moved = predicted_blocks(plan)) {
    bound.blocks = std::min(bound.blocks, std::max(*moved, bound.messages));
  }
  return bound;
}

TraceRecorder::TraceRecorder(const RunPlan& plan, const TraceLimits& limits)
    : model_(plan.model),
      faults_(plan.faults.faults),
      message_faults_(plan.faults.messages),
      on_medium_(plan.machine.medium.has_value()),
      in_memory_(on_medium_ && plan.machine.medium->kind == MediumKind::memory),
      limits_(limits) {
  refuse_ranks(limits, plan.machine);
  moves_blocks_ = moves_blocks(plan.method->operation);
  if (moves_blocks_) log_ = log_for(*plan.method, plan.settings);
  // A growing array occupies up to three times its content.
  const TraceBound bound = trace_bound(plan, limits);
  trace_.messages_.reserve(bound.messages);
  trace_.receivers_.reserve(bound.messages);
  trace_.cycles_.reserve(bound.cycles);
  trace_.blocks_.reserve(bound.blocks);
  if (limits.ranks.empty()) return;
  is_wanted_.resize(plan.machine.processors);
  for (const Rank rank : limits.ranks) is_wanted_[rank] = true;
}

double TraceRecorder::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void TraceRecorder::barrier(MovingMessages& messages) {
  const TracedCycle cycle{messages.cycle(), trace_.messages_.size(), wall_, seconds()};
  for (std::size_t first = 0; first < messages.size();) {
    const std::size_t count = transaction(messages, first);
    if (is_kept(messages, first, count)) keep(messages, first, count);
    first += count;
  }
  if (trace_.messages_.size() > cycle.first_message) trace_.cycles_.push_back(cycle);
  wall_ = seconds();  // excludes the recorder's own time from the next cycle
}

std::size_t TraceRecorder::transaction(const MovingMessages& messages, std::size_t first) const {
  if (!on_medium_) return 1;
  const MovingMessage one = messages.message(first);
  std::size_t end = first + 1;
  for (; end < messages.size(); ++end) {
    const MovingMessage other = messages.message(end);
    if (other.from != one.from || (one.from == memory_rank && other.to.rank != one.to.rank)) break;
  }
  return end - first;
}

bool TraceRecorder::is_kept(const MovingMessages& messages, std::size_t first, std::size_t count) {
  LeftOut& left_out = trace_.left_out_;
  if (messages.cycle() < limits_.from_cycle) {
    ++left_out.before_from_cycle;
    return false;
  }
  const auto is_wanted = [this](Rank rank) { return rank != memory_rank && is_wanted_[rank]; };
  bool wanted = is_wanted_.empty() || is_wanted(messages.message(first).from);
  for (std::size_t index = first; !wanted && index < first + count; ++index) {
    wanted = is_wanted(messages.message(index).to.rank);
  }
  if (!wanted) {
    ++left_out.of_other_ranks;
    return false;
  }
  if (trace_.messages_.size() < limits_.max_events) return true;
  ++left_out.past_max_events;
  return false;
}

void TraceRecorder::keep(const MovingMessages& messages, std::size_t first, std::size_t count) {
  const MovingMessage one = messages.message(first);
  TracedMessage kept{.cycle = messages.cycle(),
                     .from = one.from,
                     .port = one.port,
                     .words = one.words,
                     .startups = one.startups,
                     .end = one.arrival,
                     .phase = phase_number(one.phase),
                     .receivers = static_cast<std::uint32_t>(count),
                     .first_receiver = trace_.receivers_.size()};
  for (std::size_t index = first; index < first + count; ++index) {
    const MovingMessage each = messages.message(index);
    trace_.receivers_.push_back(each.to);
    if (!message_faults_.empty()) trace_.fates_.push_back(fate_of(message_faults_, kept.cycle, each));
    // A bus carries one payload to all; an access to a memory includes all its slots.
    if (in_memory_ && index > first) kept.words += each.words;
  }
  if (in_memory_ && count > 1) kept.startups = model_.cost.startups(kept.words);
  kept.start = std::max(0.0, kept.end - model_.cost.time(kept.startups, kept.words) * faults_.slowness(one.mover()));
  list_blocks(messages, first, kept);
  trace_.messages_.push_back(kept);
}

void TraceRecorder::list_blocks(const MovingMessages& messages, std::size_t first, TracedMessage& message) {
  if (in_memory_ || !moves_blocks_) return;
  message.first_block = trace_.blocks_.size();
  if (trace_.blocks_.size() / TraceLimits::blocks_a_message >= limits_.max_events) {
    ++trace_.left_out_.block_lists;
    return;
  }
  moves_.clear();
  log_.has_unlabelled = false;
  message.lists_blocks = messages.list_blocks(first, log_, moves_) && !log_.has_unlabelled;
  trace_.has_parts_ = trace_.has_parts_ || log_.has_parts;
  if (!message.lists_blocks) return;
  message.blocks = moves_.size();
  for (const Move& move : moves_) trace_.blocks_.push_back(move.block());
}

std::uint32_t TraceRecorder::phase_number(std::string_view name) {
  std::vector<std::string>& names = trace_.phases_;
  const auto number = static_cast<std::uint32_t>(std::ranges::find(names, name) - names.begin());
  if (number == names.size()) names.emplace_back(name);
  return number;
}

}  // namespace lockstep::cli::run
