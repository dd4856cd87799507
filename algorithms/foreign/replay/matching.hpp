#pragma once

#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "lockstep/algorithms/replay.hpp"

namespace lockstep::replay {

/// Whether a receive takes messages of that sender and tag. No receive of any tag takes those of collective operations.
inline bool takes(const ReplayOperation& receive, Rank from, std::int64_t tag) {
  const bool is_of_tag = receive.tag == tag || (receive.tag == any_tag && tag < first_collective_tag);
  return is_of_tag && (receive.peer == no_rank || receive.peer == from);
}

/// Whether a receive leaves open the sender or the tag of its message.
inline bool is_open(const ReplayOperation& receive) { return receive.peer == no_rank || receive.tag == any_tag; }

/// Matches messages of a rank with its receives: a message is for the first receive that takes it, a receive takes the
/// first message that arrived. Takes time in proportion to the receives that leave something open, else hardly any.
class Matching {
 public:
  /// A message that has arrived.
  struct Arrived {
    Rank from = no_rank;
    std::uint32_t operation = 0;  ///< the send
    std::int64_t tag = 0;
    std::size_t action = 0;  ///< the receiver's action of its arrival
  };

  /// The receive that a message is for, which then waits no longer; if there is none, the message waits.
  std::optional<std::uint32_t> receive_for(const Arrived& message) {
    const auto exact = posted_.find({message.from, message.tag});
    auto open = open_.begin();
    while (open != open_.end() && !takes(*open->second.second, message.from, message.tag)) ++open;
    const bool has_exact = exact != posted_.end() && !exact->second.empty();
    if (open != open_.end() && (!has_exact || open->first < exact->second.front().first)) {
      const std::uint32_t receive = open->second.first;
      open_.erase(open);
      return receive;
    }
    if (has_exact) {
      const std::uint32_t receive = exact->second.front().second;
      exact->second.pop_front();
      return receive;
    }
    waiting_of_[{message.from, message.tag}].push_back(next_);
    waiting_.emplace(next_++, message);
    return {};
  }

  /// The message that a receive takes, which then waits no longer; without one, the receive, of that number, waits.
  std::optional<Arrived> message_for(std::uint32_t number, const ReplayOperation& receive) {
    auto found = waiting_.end();
    if (!is_open(receive)) {
      const auto of = waiting_of_.find({receive.peer, receive.tag});
      if (of != waiting_of_.end() && !of->second.empty()) found = waiting_.find(of->second.front());
    } else {
      found = waiting_.begin();
      while (found != waiting_.end() && !takes(receive, found->second.from, found->second.tag)) ++found;
    }
    if (found != waiting_.end()) {
      const Arrived message = found->second;
      waiting_of_[{message.from, message.tag}].pop_front();  // of its kind it is the first
      waiting_.erase(found);
      return message;
    }
    if (is_open(receive)) {
      open_.emplace(next_++, std::pair(number, &receive));
    } else {
      posted_[{receive.peer, receive.tag}].emplace_back(next_++, number);
    }
    return {};
  }

  /// The first message that waits; null if none does.
  const Arrived* first_waiting() const { return waiting_.empty() ? nullptr : &waiting_.begin()->second; }

 private:
  using Kind = std::pair<Rank, std::int64_t>;  // sender and tag

  std::uint64_t next_ = 0;  // numbers receives and messages in order
  std::map<Kind, std::deque<std::pair<std::uint64_t, std::uint32_t>>> posted_;
  std::map<std::uint64_t, std::pair<std::uint32_t, const ReplayOperation*>> open_;
  std::map<Kind, std::deque<std::uint64_t>> waiting_of_;
  std::map<std::uint64_t, Arrived> waiting_;
};

}  // namespace lockstep::replay
