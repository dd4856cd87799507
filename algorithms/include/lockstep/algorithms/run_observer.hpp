#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/observer.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

struct Move;
struct MoveLog;

/// A message that crosses one directed link, or is for one receiver, or to or from a slot of a medium: see Transfer.
struct MovingMessage {
  Rank from = no_rank;         ///< rank of the sender
  Port port = 0;               ///< of the sender
  End to;                      ///< the receiver and its port
  std::uint64_t words = 0;     ///< length of what it carries
  std::uint64_t startups = 1;  ///< of what it carries
  double arrival = 0;          ///< modelled, on the asynchronous clock
  std::string_view phase{};    ///< lasts as long as the run

  /// The processor whose time it takes: the reader of a memory, else the sender.
  Rank mover() const { return from == memory_rank ? to.rank : from; }
};

/// The messages that move in one cycle of a method's run, in the order of sender and port, with any payload: what an
/// observer can read and change.
class MovingMessages {
 public:
  virtual ~MovingMessages() = default;

  /// The cycle in which they were sent.
  virtual Cycle cycle() const = 0;
  /// The number of messages.
  virtual std::size_t size() const = 0;
  /// The properties of one of them, from 0.
  virtual MovingMessage message(std::size_t index) const = 0;
  /// Adds a move for every block of the message, and the properties of the blocks to the log. If messages of this run
  /// do not name origin and destination, returns false and adds nothing.
  virtual bool list_blocks(std::size_t index, MoveLog& log, std::vector<Move>& moves) const = 0;

  /// Drops the message.
  virtual void drop(std::size_t index) = 0;
  /// Delays the message by that many cycles, at least one; it arrives after the others of its new cycle.
  virtual void delay(std::size_t index, Cycle cycles) = 0;
  /// Lets it arrive twice.
  virtual void repeat(std::size_t index) = 0;
  /// Swaps the payloads of two messages. If these are equal, returns false and changes nothing.
  virtual bool swap(std::size_t index, std::size_t other) = 0;
  /// Inverts every bit of one word of its data; lengthens a string. Any type's value is then far off, even where small
  /// differences are tolerated. If it has no words, returns false and changes nothing.
  virtual bool invert_word(std::size_t index) = 0;
};

/// Chooses the words that reductions combine.
class OperandSource {
 public:
  virtual ~OperandSource() = default;

  /// Word `index` of the vector of a rank.
  virtual Word operand(Rank rank, std::uint64_t index) const = 0;
};

/// Sees all messages of a run of any method, and may change them: it plants faults and records schedules.
class RunObserver {
 public:
  virtual ~RunObserver() = default;

  /// Called at the barrier of every cycle in which messages moved, on the thread that called Method::run().
  virtual void barrier(MovingMessages& messages) = 0;
  /// Called before that, and at barriers of other cycles too, where processors have charged local work: see Observer.
  virtual void charged(Cycle, std::span<const Charge>) {}
  /// Chooses the operands of a reduction instead of the seed; null: the seed does.
  virtual const OperandSource* operand_source() const { return nullptr; }
};

}  // namespace lockstep
