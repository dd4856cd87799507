#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "host/output_file.hpp"
#include "lockstep/core/topology.hpp"
#include "run/run_record.hpp"
#include "run/trace.hpp"

namespace lockstep::cli::trace {

// The forms in which a trace is written; docs/traces.md says what they are for, docs/json.md has the fields.

/// A run and its trace.
struct TracedRun {
  const run::RunRecord& record;  ///< for a failed run, only what is known before it starts
  const run::Trace& trace;
  std::string error{};  ///< one line if the run did not finish

  const run::RunPlan& plan() const { return record.plan; }
};

/// Text, cycle by cycle: what moves where and, if blocks move whole, which processors hold which blocks.
void write_trace_text(const TracedRun& run, std::ostream& out);
/// Every kept message with all its fields.
void write_trace_json(const TracedRun& run, std::ostream& out);
/// Chrome's trace format, for Perfetto: tracks of what every processor sends and receives, by the asynchronous clock
/// and by the host's.
void write_perfetto(const TracedRun& run, std::ostream& out);
/// GOAL, for LogGOPSim.
void write_goal(const TracedRun& run, std::ostream& out);
/// A graph for Graphviz with the words that crossed each link.
void write_loads(const TracedRun& run, std::ostream& out);

/// SimGrid's time-independent traces with the given bytes per word: a file for every rank, and last traces.txt, which
/// lists them. Each is passed to `add`, which runs its writer at once.
void write_replay(const TracedRun& run, std::uint64_t word_bytes,
                  const std::function<void(const std::string& name, const host::TextWriter& write)>& add);
/// Whether a file of write_replay() may have that name.
bool is_replay_file(const std::string& name);

/// "12 messages of allgather/tea1 on hypercube:2; left out: ..".
std::string messages_line(const TracedRun& run);

/// What the trace leaves out, as one line without a line end: "left out: 12 messages past --max-events"; else empty.
std::string left_out_line(const run::Trace& trace);

/// The same with the error of a run that ended early, for forms that have no other place for it.
std::string missing_line(const TracedRun& run);

/// "000" to "127" for 128 ranks: all of one length, so that they sort by value.
std::string padded(std::uint64_t number, std::uint64_t count);

/// The number of a message in its trace, which has at most 10^9.
using MessageNumber = std::uint32_t;

/// What a processor sends and receives in one cycle.
struct RankCycle {
  std::span<const MessageNumber> sends;
  std::span<const MessageNumber> receives;
};

/// The messages of a trace by processor. Every message must have one receiver, which is a processor.
class MessagesByRank {
 public:
  explicit MessagesByRank(const TracedRun& run);

  std::size_t ranks() const { return sends_.first.size() - 1; }
  /// Calls take(cycle) for the cycles in which the rank has messages, in order.
  void each_cycle(Rank rank, const std::function<void(const RankCycle&)>& take) const;
  /// The number of earlier messages with the same sender and receiver.
  MessageNumber number_in_pair(MessageNumber number) const { return numbers_in_pairs_[number]; }

 private:
  /// The messages of all ranks, one rank after another.
  struct Lists {
    std::vector<std::size_t> first;  // of each rank, and the end of the last
    std::vector<MessageNumber> numbers;

    std::span<const MessageNumber> of(Rank rank) const {
      return std::span(numbers).subspan(first[rank], first[rank + 1] - first[rank]);
    }
  };
  template <class RankOf>
  Lists lists_by(const RankOf& rank_of, std::size_t ranks) const;
  void number_pairs();

  const run::Trace& trace_;
  Lists sends_;
  Lists receives_;
  std::vector<MessageNumber> numbers_in_pairs_;
};

}  // namespace lockstep::cli::trace
