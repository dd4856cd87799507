#include "trace_forms.hpp"

#include <map>
#include <utility>

#include "lockstep/core/printable.hpp"
#include "number_text.hpp"

namespace lockstep::cli {

std::string messages_line(const TracedRun& run) {
  const std::string left_out = left_out_line(run.trace);
  return counted(run.trace.messages().size(), "message") + " of " + printable(run.plan().name) + " on " +
         printable(run.plan().machine.text) + (left_out.empty() ? "" : "; " + left_out);
}

std::string left_out_line(const Trace& trace) {
  const LeftOut& left_out = trace.left_out();
  std::string text;
  const auto add = [&text](std::uint64_t messages, const std::string& why) {
    if (messages > 0) text += (text.empty() ? "left out: " : "; ") + counted(messages, "message") + why;
  };
  add(left_out.before_from_cycle, " before --from-cycle");
  add(left_out.of_other_ranks, " of other ranks than --ranks");
  add(left_out.past_max_events, " past --max-events");
  if (left_out.block_lists > 0) {
    text += (text.empty() ? "left out: " : "; ") + ("the blocks of " + counted(left_out.block_lists, "message"));
  }
  return text;
}

std::string missing_line(const TracedRun& run) {
  const std::string left_out = left_out_line(run.trace);
  if (run.error.empty()) return left_out;
  return "the run ended early: " + run.error + (left_out.empty() ? "" : "; " + left_out);
}

std::string padded(std::uint64_t number, std::uint64_t count) {
  const std::size_t width = std::to_string(count == 0 ? 0 : count - 1).size();
  const std::string digits = std::to_string(number);
  return std::string(width - digits.size(), '0') + digits;
}

std::vector<std::vector<RankCycle>> cycles_by_rank(const TracedRun& run) {
  std::vector<std::vector<RankCycle>> by_rank(run.plan().machine.processors);
  const auto& messages = run.trace.messages();
  for (std::size_t number = 0; number < messages.size(); ++number) {
    const auto cycle_of = [&](Rank rank) -> RankCycle& {
      std::vector<RankCycle>& cycles = by_rank[rank];
      if (cycles.empty() || cycles.back().cycle != messages[number].cycle) {
        cycles.push_back({messages[number].cycle, {}, {}});
      }
      return cycles.back();
    };
    cycle_of(messages[number].from).sends.push_back(number);
    cycle_of(run.trace.receivers(messages[number]).front().rank).receives.push_back(number);
  }
  return by_rank;
}

std::vector<std::uint64_t> numbers_in_pairs(const Trace& trace) {
  std::map<std::pair<Rank, Rank>, std::uint64_t> sent;
  std::vector<std::uint64_t> numbers;
  for (const TracedMessage& message : trace.messages()) {
    numbers.push_back(sent[{message.from, trace.receivers(message).front().rank}]++);
  }
  return numbers;
}

}  // namespace lockstep::cli
