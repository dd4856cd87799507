#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/run_observer.hpp"

namespace lockstep {

/// The faults of a message.
enum class FaultKind {
  drop,    ///< the message does not arrive
  repeat,  ///< it arrives twice
  swap,    ///< it swaps payloads with the next message of its cycle that differs, if there is one
  corrupt  ///< every bit of one word of its data is inverted; a string becomes longer
};

/// One fault of the `transfer`-th message of a run (from 0, in the order of cycle, sender, port).
struct Fault {
  FaultKind kind = FaultKind::drop;  ///< the kind of fault
  std::uint64_t transfer = 0;        ///< the number of the message
  bool* done = nullptr;              ///< set to true when a message has been changed
  std::uint64_t* seen = nullptr;     ///< set to the number of messages of the run
};

/// Plants a fault in one run of any method, to test that it is detected.
class FaultPlanter : public RunObserver {
 public:
  /// The fault; its pointers must outlive the run.
  explicit FaultPlanter(const Fault& fault) : fault_(fault) {}

  void barrier(MovingMessages& messages) override;

 private:
  Fault fault_;
  std::uint64_t seen_ = 0;
};

/// The messages of a run that a fault affects: those between two processors in a cycle, and a share of all others,
/// drawn by the seed regardless of sender and cycle.
struct FaultEffect {
  /// The messages that one processor sends to another in a cycle.
  struct Between {
    Rank from = no_rank;  ///< the sender
    Rank to = no_rank;    ///< the receiver
    Cycle cycle = 0;      ///< the cycle of the send

    friend bool operator==(const Between&, const Between&) = default;
  };

  std::optional<double> share{};   ///< share of all messages, 0 to 1, if given
  std::vector<Between> between{};  ///< in addition

  /// Whether it affects no message.
  bool empty() const { return !draws() && between.empty(); }
  /// Whether it depends on the seed.
  bool draws() const { return share.value_or(0) > 0; }
};

/// The former name of FaultEffect.
using Befallen [[deprecated("use FaultEffect")]] = FaultEffect;

/// Faults of messages in transit. If several effects apply to one message, the first of these counts.
struct MessageFaults {
  FaultEffect dropped{};    ///< do not arrive
  FaultEffect delayed{};    ///< arrive later
  FaultEffect corrupted{};  ///< arrive with every bit of one word inverted
  Cycle delay = 1;          ///< cycles by which messages arrive later
  std::uint64_t seed = 1;   ///< of the random choice of messages

  /// Whether it affects no message.
  bool empty() const { return dropped.empty() && delayed.empty() && corrupted.empty(); }
};

/// Throws std::invalid_argument if a named message cannot exist: its processors do not exist or have no link, or
/// share a memory, in which messages have no sender or no receiver.
void verify(const MessageFaults& faults, const Topology& topology);

/// What happens to a message.
enum class Fate {
  arrives,   ///< as it was sent
  dropped,   ///< does not arrive
  delayed,   ///< arrives later
  corrupted  ///< arrives with a word inverted
};

/// "dropped".
std::string_view name(Fate fate);

/// The effect of these faults on a message of that cycle.
Fate fate_of(const MessageFaults& faults, Cycle cycle, const MovingMessage& message);

/// Applies the faults. They depend only on the settings and on what is sent, so that every run has the same.
class MessageFaultInjector : public RunObserver {
 public:
  /// The faults must outlive it.
  explicit MessageFaultInjector(const MessageFaults& faults) : faults_(faults) {}

  void barrier(MovingMessages& messages) override;

  /// How many messages each fault has affected, in all runs.
  struct Counts {
    std::uint64_t dropped = 0;    ///< did not arrive
    std::uint64_t delayed = 0;    ///< came later
    std::uint64_t corrupted = 0;  ///< had a word inverted
  };
  /// The counts so far.
  const Counts& counts() const { return counts_; }

 private:
  const MessageFaults& faults_;
  Counts counts_;
};

/// Shows messages to several observers, one after the other.
class SeveralObservers : public RunObserver {
 public:
  /// Adds an observer that sees messages after those already added; it must outlive this.
  void add(RunObserver& observer) { all_.push_back(&observer); }
  /// Whether there is none.
  bool empty() const { return all_.empty(); }

  void barrier(MovingMessages& messages) override {
    for (RunObserver* const observer : all_) observer->barrier(messages);
  }
  void charged(Cycle cycle, std::span<const Charge> charges) override {
    for (RunObserver* const observer : all_) observer->charged(cycle, charges);
  }

 private:
  std::vector<RunObserver*> all_;
};

}  // namespace lockstep
