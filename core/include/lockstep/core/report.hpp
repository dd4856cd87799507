#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/channel_kind.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// The counts of one phase of a run.
struct PhaseCounts {
  std::string name;               ///< as the program named it
  std::uint64_t steps = 0;        ///< cycles in which a message of the phase moved
  std::uint64_t messages = 0;     ///< link traversals
  std::uint64_t words = 0;        ///< sum over the messages of their lengths
  std::uint64_t longest_sum = 0;  ///< sum over the cycles of the longest message, in words
};

/// The counts of one cycle.
struct CycleCounts {
  Cycle cycle = 0;             ///< which one
  std::uint64_t messages = 0;  ///< link traversals
  std::uint64_t words = 0;     ///< of these messages together
  std::uint64_t longest = 0;   ///< words of the longest message
  std::uint64_t visited = 0;   ///< processors that had something to do
};

/// The traffic between the processes of a divided run.
struct WireTraffic {
  unsigned processes = 1;        ///< how many there are
  std::uint64_t messages = 0;    ///< between processes about links, empty ones included
  std::uint64_t bytes = 0;       ///< of these messages
  std::uint64_t agreements = 0;  ///< reductions and gatherings over all processes
  double run_seconds = 0;        ///< in which processes ran, summed over the processes
  double wait_seconds = 0;       ///< of these, spent waiting for one another
};

/// The modelled times of a run, as in Report.
struct ModelledTimes {
  double synchronous = 0;   ///< Report::time_synchronous
  double asynchronous = 0;  ///< Report::time_asynchronous
  double arithmetic = 0;    ///< Report::time_arithmetic
};

/// The outcome of a run.
struct Report {
  // Counted.
  std::uint64_t cycles = 0;                 ///< 1 + the last cycle in which a message moved
  std::uint64_t steps = 0;                  ///< cycles in which at least one message moved
  std::uint64_t messages = 0;               ///< link traversals
  std::uint64_t sends = 0;                  ///< send operations; a multicast is one
  std::uint64_t words = 0;                  ///< sum over the messages of their lengths
  std::uint64_t longest_sum = 0;            ///< sum over the cycles of the longest message, in words
  std::uint64_t startups = 0;               ///< sum over the messages of their start-ups
  std::uint64_t busiest_link_words = 0;     ///< words over the busiest directed link; 0 on a medium
  std::uint64_t busiest_link_messages = 0;  ///< the most messages over a directed link; 0 on a medium
  std::uint64_t peak_words_held = 0;        ///< the most that one processor recorded with hold()
  std::uint64_t copied_words = 0;           ///< sum over the processors of the words charged for local copies
  std::uint64_t operations = 0;             ///< sum over the processors of the arithmetic operations charged
  std::uint64_t scanned_blocks = 0;         ///< sum over the processors of the looks at blocks charged
  std::uint64_t visits = 0;                 ///< visits to processors, including those that found the wait not met
  std::vector<PhaseCounts> phases;          ///< in the order in which their first messages moved
  std::vector<CycleCounts> per_cycle;       ///< only on request

  std::vector<Rank> lost;  ///< processors that failed, in the order of their failures

  // Modelled.
  double time_synchronous = 0;   ///< every cycle as long as its costliest message, copy, arithmetic and looks
  double time_asynchronous = 0;  ///< the latest arrival of a message or end of local work
  double time_arithmetic = 0;    ///< the part of time_synchronous in which processors compute
  /// Under each of RunOptions::other_costs, equal to the times of a run under those costs alone. Empty where they were
  /// not kept: on a medium, under k_ports(), with an observer, divided over processes, or for lack of memory.
  std::vector<ModelledTimes> other_times{};

  // Measured.
  double setup_seconds = 0;  ///< of the host, before the first cycle
  double run_seconds = 0;    ///< of the host, in the cycles

  std::optional<ChannelKind> channels{};  ///< kind of the links' channels; none on a medium
  std::optional<WireTraffic> wire{};      ///< of a run that was divided over processes

  /// A number that depends on counts and modelled times only, those of phases included: equal for one program on any
  /// executor, and for programs that differ only in the senders and receivers of their messages.
  std::uint64_t digest() const;
};

/// Collects values into one 64-bit number; the order matters.
class Digest {
 public:
  /// Adds a number.
  void add(std::uint64_t value) {
    state_ ^= value;
    state_ *= 0x9fb21c651e98df25U;
    state_ ^= state_ >> 32;
  }
  /// Adds the bits of a number.
  void add(double value);
  /// Adds a text and its length.
  void add(std::string_view text);
  /// The digest of all values added so far.
  std::uint64_t value() const { return state_; }
  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t state_ = 0x51ed270b6a4c8d2fU;
};

}  // namespace lockstep
