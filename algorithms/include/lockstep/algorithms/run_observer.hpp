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

/// A message on its way over one directed link, or to one receiver, or to or from one slot of a medium: see Transfer.
struct MovingMessage {
  Rank from = no_rank;         ///< rank of the sender
  Port port = 0;               ///< of the sender
  End to;                      ///< the receiver and its port
  std::uint64_t words = 0;     ///< length of what it carries
  std::uint64_t startups = 1;  ///< of what it carries
  double arrival = 0;          ///< modelled, on the asynchronous clock
  std::string_view phase{};    ///< lasts as long as the run

  /// The processor whose time it takes: who reads a memory, else the sender.
  Rank mover() const { return from == memory_rank ? to.rank : from; }
};

/// The messages that move in one cycle of a method's run, in the order of sender and port, whatever they carry: what an
/// observer can know of them and do to them.
class MovingMessages {
 public:
  virtual ~MovingMessages() = default;

  /// In which they were sent.
  virtual Cycle cycle() const = 0;
  /// How many there are.
  virtual std::size_t size() const = 0;
  /// What is known of one of them, from 0.
  virtual MovingMessage message(std::size_t index) const = 0;
  /// Adds a move for every block of the message, and to the log what is to be said of the blocks. False, and nothing is
  /// added, if messages of this run do not say whose they are and for whom.
  virtual bool list_blocks(std::size_t index, MoveLog& log, std::vector<Move>& moves) const = 0;

  /// The message does not arrive.
  virtual void drop(std::size_t index) = 0;
  /// It arrives so many cycles later than it would, at least one, behind what else arrives then.
  virtual void delay(std::size_t index, Cycle cycles) = 0;
  /// It arrives twice.
  virtual void repeat(std::size_t index) = 0;
  /// Two messages change what they carry. False, and nothing changes, if that is equal.
  virtual bool swap(std::size_t index, std::size_t other) = 0;
  /// Every bit of one word of its data is inverted; a string becomes longer. Whatever a word stands for, it stands then
  /// for something far off, even where small differences are tolerated. False, and nothing changes, if it has no words.
  virtual bool invert_word(std::size_t index) = 0;
};

/// Chooses the words that reductions combine.
class OperandSource {
 public:
  virtual ~OperandSource() = default;

  /// Word `index` of the vector of a rank.
  virtual Word operand(Rank rank, std::uint64_t index) const = 0;
};

/// Sees all that moves in a run of any method, and may change it: faults are planted and schedules taken down so.
class RunObserver {
 public:
  virtual ~RunObserver() = default;

  /// Called at the barrier of every cycle in which messages moved, on the thread that called Method::run().
  virtual void barrier(MovingMessages& messages) = 0;
  /// Called before that, and at barriers of other cycles too, where processors have charged local work: see Observer.
  virtual void charged(Cycle, std::span<const Charge>) {}
  /// What chooses the operands of a reduction in place of the seed; none: nothing does.
  virtual const OperandSource* operand_source() const { return nullptr; }
};

}  // namespace lockstep
