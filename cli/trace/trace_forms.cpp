#include "trace_forms.hpp"

#include <algorithm>
#include <numeric>

#include "host/number_text.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::trace {

std::string messages_line(const TracedRun& run) {
  const std::string left_out = left_out_line(run.trace);
  return host::counted(run.trace.messages().size(), "message") + " of " + printable(run.plan().name) + " on " +
         printable(run.plan().machine.text) + (left_out.empty() ? "" : "; " + left_out);
}

std::string left_out_line(const run::Trace& trace) {
  const run::LeftOut& left_out = trace.left_out();
  std::string text;
  const auto add = [&text](std::uint64_t messages, const std::string& why) {
    if (messages > 0) text += (text.empty() ? "left out: " : "; ") + host::counted(messages, "message") + why;
  };
  add(left_out.before_from_cycle, " before --from-cycle");
  add(left_out.of_other_ranks, " of other ranks than --ranks");
  add(left_out.past_max_events, " past --max-events");
  if (left_out.block_lists > 0) {
    text += (text.empty() ? "left out: " : "; ") + ("the blocks of " + host::counted(left_out.block_lists, "message"));
  }
  return text;
}

std::string missing_line(const TracedRun& run) {
  std::string left_out = left_out_line(run.trace);
  if (run.error.empty()) return left_out;
  return "the run ended early: " + run.error + (left_out.empty() ? "" : "; " + left_out);
}

std::string padded(std::uint64_t number, std::uint64_t count) {
  const std::size_t width = std::to_string(count == 0 ? 0 : count - 1).size();
  const std::string digits = std::to_string(number);
  return std::string(width - digits.size(), '0') + digits;
}

MessagesByRank::MessagesByRank(const TracedRun& run) : trace_(run.trace) {
  const std::size_t ranks = run.plan().machine.processors;
  sends_ = lists_by([](const run::TracedMessage& message) { return message.from; }, ranks);
  receives_ =
      lists_by([this](const run::TracedMessage& message) { return trace_.receivers(message).front().rank; }, ranks);
  number_pairs();
}

template <class RankOf>
MessagesByRank::Lists MessagesByRank::lists_by(const RankOf& rank_of, std::size_t ranks) const {
  const std::vector<run::TracedMessage>& messages = trace_.messages();
  Lists lists{std::vector<std::size_t>(ranks + 1), std::vector<MessageNumber>(messages.size())};
  for (const run::TracedMessage& message : messages) ++lists.first[rank_of(message) + 1];
  std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
  std::vector<std::size_t> next = lists.first;
  for (MessageNumber number = 0; number < messages.size(); ++number) {
    lists.numbers[next[rank_of(messages[number])]++] = number;
  }
  return lists;
}

void MessagesByRank::number_pairs() {
  const auto receiver = [this](MessageNumber number) {
    return trace_.receivers(trace_.messages()[number]).front().rank;
  };
  numbers_in_pairs_.resize(trace_.messages().size());
  for (Rank rank = 0; rank < ranks(); ++rank) {
    const std::span<const MessageNumber> sends = sends_.of(rank);
    std::vector<MessageNumber> sorted(sends.begin(), sends.end());
    std::ranges::stable_sort(sorted, {}, receiver);
    for (std::size_t place = 1; place < sorted.size(); ++place) {
      const MessageNumber number = sorted[place], before = sorted[place - 1];
      if (receiver(number) == receiver(before)) numbers_in_pairs_[number] = numbers_in_pairs_[before] + 1;
    }
  }
}

void MessagesByRank::each_cycle(Rank rank, const std::function<void(const RankCycle&)>& take) const {
  std::span<const MessageNumber> sends = sends_.of(rank), receives = receives_.of(rank);
  const auto cycle_of = [this](std::span<const MessageNumber> numbers) {
    return numbers.empty() ? last_cycle : trace_.messages()[numbers.front()].cycle;
  };
  while (!sends.empty() || !receives.empty()) {
    const Cycle now = std::min(cycle_of(sends), cycle_of(receives));
    const auto take_front = [&](std::span<const MessageNumber>& numbers) {
      const auto end =
          std::ranges::find_if(numbers, [&](MessageNumber number) { return trace_.messages()[number].cycle != now; });
      const auto count = static_cast<std::size_t>(end - numbers.begin());
      const auto front = numbers.first(count);
      numbers = numbers.subspan(count);
      return front;
    };
    const std::span<const MessageNumber> sent = take_front(sends);
    take({sent, take_front(receives)});
  }
}

}  // namespace lockstep::cli::trace
