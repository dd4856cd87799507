#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithms/run_observer.hpp"
#include "lockstep/algorithms/task.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/observer.hpp"

namespace lockstep {

/// Messages whose words can be read.
class WordMessages {
 public:
  virtual ~WordMessages() = default;

  /// Adds the words of the message, from 0, in their order. Returns false, adding nothing, if it has other content.
  virtual bool list_words(std::size_t index, std::vector<Word>& words) const = 0;
};

/// Adds the words of a payload that is made of words: see WordMessages.
template <Payload T>
bool append_words(const T& payload, std::vector<Word>& words) {
  const auto append = [&words](std::span<const Word> some) { words.insert(words.end(), some.begin(), some.end()); };
  if constexpr (requires { append(payload.words()); }) {
    append(payload.words());
  } else if constexpr (requires { append(payload.block.words()); }) {
    append(payload.block.words());
  } else if constexpr (requires { append(payload.value.words()); }) {
    append(payload.value.words());
  } else if constexpr (requires { append((*payload.begin()).block); }) {
    for (const auto& piece : payload) append(piece.block);
  } else if constexpr (requires { append(payload.partials.front().value.words()); }) {
    for (const auto& partial : payload.partials) append(partial.value.words());
  } else {
    return false;
  }
  return true;
}

/// Adds a move over the link for every block of a payload that names its blocks. Returns false, adding nothing, for
/// other payloads.
template <Payload T>
bool append_moves(const T& payload, const Move& link, MoveLog& log, std::vector<Move>& moves) {
  if constexpr (requires { log_blocks(payload, link, log, moves); }) {
    log_blocks(payload, link, log, moves);
    return true;
  } else {
    return false;
  }
}

/// The messages of a cycle that carry payloads of type T, which may have a free function `corrupt(T&)` that inverts
/// every bit of one word of its data, if it has any, and `log_blocks(const T&, const Move& link, MoveLog&,
/// std::vector<Move>& moves)`, which adds a move for each of its blocks; `link` has its sender and receiver.
template <Payload T>
class PayloadMessages : public MovingMessages, public WordMessages {
 public:
  /// Delayed messages, by the cycle at whose barrier they are sent on.
  using Delayed = std::multimap<Cycle, Transfer<T>>;

  /// The messages of one cycle, as the machine hands them to its observer, and a place for delayed ones.
  PayloadMessages(Cycle cycle, std::vector<Transfer<T>>& transfers, Delayed& delayed)
      : cycle_(cycle), transfers_(transfers), delayed_(delayed) {}

  /// The cycle in which they were sent.
  Cycle cycle() const override { return cycle_; }
  /// The number of messages.
  std::size_t size() const override { return transfers_.size(); }
  /// The properties of one, whatever it carries.
  MovingMessage message(std::size_t index) const override {
    const Transfer<T>& transfer = transfers_[index];
    return {transfer.from,     transfer.port,    transfer.to,   transfer.words,
            transfer.startups, transfer.arrival, transfer.phase};
  }

  bool list_blocks(std::size_t index, MoveLog& log, std::vector<Move>& moves) const override {
    const Transfer<T>& transfer = transfers_[index];
    return append_moves(transfer.payload, {.from = transfer.from, .to = transfer.to.rank}, log, moves);
  }

  bool list_words(std::size_t index, std::vector<Word>& words) const override {
    return append_words(transfers_[index].payload, words);
  }

  void drop(std::size_t index) override { transfers_.erase(at(index)); }

  void delay(std::size_t index, Cycle cycles) override {
    delayed_.emplace(cycle_ + cycles, std::move(transfers_[index]));
    drop(index);
  }

  void repeat(std::size_t index) override {
    Transfer<T> copy = transfers_[index];
    transfers_.insert(at(index), std::move(copy));
  }

  bool swap(std::size_t index, std::size_t other) override {
    T& payload = transfers_[index].payload;
    T& others = transfers_[other].payload;
    if constexpr (std::equality_comparable<T>) {
      if (payload == others) return false;
    }
    std::swap(payload, others);
    return true;
  }

  /// Throws std::logic_error if payloads have no corrupt().
  bool invert_word(std::size_t index) override {
    T& payload = transfers_[index].payload;
    if constexpr (requires { corrupt(payload); }) {
      if (words(payload) == 0) return false;
      corrupt(payload);
      return true;
    } else {
      throw std::logic_error("nothing corrupts payloads of this type");
    }
  }

 private:
  auto at(std::size_t index) const { return transfers_.begin() + static_cast<std::ptrdiff_t>(index); }

  const Cycle cycle_;
  std::vector<Transfer<T>>& transfers_;
  Delayed& delayed_;
};

/// Shows a run's observer the messages of a machine with that payload.
template <Payload T>
class PayloadObserver : public Observer<T> {
 public:
  /// Shows messages to that observer, which must outlive it.
  explicit PayloadObserver(RunObserver& observer) : observer_(observer) {}

  void barrier(Cycle cycle, std::vector<Transfer<T>>& transfers) override {
    PayloadMessages<T> messages(cycle, transfers, delayed_);
    if (!transfers.empty()) observer_.barrier(messages);
    while (!delayed_.empty() && delayed_.begin()->first <= cycle) {
      transfers.push_back(std::move(delayed_.extract(delayed_.begin()).mapped()));
    }
  }

  void charged(Cycle cycle, std::span<const Charge> charges) override { observer_.charged(cycle, charges); }

  bool holds_messages() const override { return !delayed_.empty(); }

  /// Throws RunError if a message is still delayed, as no processor will receive it, unless its receiver is among those
  /// that were lost; `name` is that of the run.
  void expect_none(const std::string& name, const std::vector<Rank>& lost) const {
    for (const auto& [cycle, transfer] : delayed_) {
      const Rank to = transfer.to.rank;
      if (std::ranges::find(lost, to) != lost.end()) continue;
      const std::string sender = transfer.from == memory_rank ? "" : ": rank " + std::to_string(transfer.from);
      const std::string receiver = to == memory_rank ? "" : " to rank " + std::to_string(to);
      throw RunError(ErrorKind::undelivered, cycle, transfer.from, {transfer.port},
                     name + sender + ": a message" + receiver + " that was delayed to cycle " +
                         std::to_string(cycle + 1) + " arrived when all programs had returned");
    }
  }

 private:
  RunObserver& observer_;
  typename PayloadMessages<T>::Delayed delayed_;
};

}  // namespace lockstep
