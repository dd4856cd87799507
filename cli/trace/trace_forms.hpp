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

/// What a trace is of.
struct TracedRun {
  const run::RunRecord& record;  ///< that of a run that failed has what is known before it
  const run::Trace& trace;
  std::string error{};  ///< one line, if the run did not come to its end

  const run::RunPlan& plan() const { return record.plan; }
};

/// Cycle by cycle, for people: what moves where and, where blocks move whole, who holds which then.
void write_trace_text(const TracedRun& run, std::ostream& out);
/// All that is kept of every message.
void write_trace_json(const TracedRun& run, std::ostream& out);
/// Chrome's trace format, for Perfetto: tracks of what every processor sends and receives, by the asynchronous clock
/// and by the host's.
void write_perfetto(const TracedRun& run, std::ostream& out);
/// GOAL, for LogGOPSim.
void write_goal(const TracedRun& run, std::ostream& out);
/// A graph for Graphviz with the words that crossed each link.
void write_loads(const TracedRun& run, std::ostream& out);

/// SimGrid's time-independent traces with so many bytes a word: a file for every rank, and last traces.txt, which lists
/// them. Each is given to `add`, which runs the writer at once.
void write_replay(const TracedRun& run, std::uint64_t word_bytes,
                  const std::function<void(const std::string& name, const host::TextWriter& write)>& add);
/// Whether a file of write_replay() may have that name.
bool is_replay_file(const std::string& name);

/// "12 messages of allgather/tea1 on hypercube:2; left out: ..".
std::string messages_line(const TracedRun& run);

/// What is missing in the trace, as one line without an end: "left out: 12 messages past --max-events"; empty if
/// nothing is.
std::string left_out_line(const run::Trace& trace);

/// The same with why the run ended early, if it did: for forms that have no other place for that.
std::string missing_line(const TracedRun& run);

/// "000" to "127" for 128 ranks: all equally long, so that they are sorted by their value.
std::string padded(std::uint64_t number, std::uint64_t count);

/// Of a message in its trace, which has at most 10^9.
using MessageNumber = std::uint32_t;

/// What a processor sends and receives in one cycle.
struct RankCycle {
  std::span<const MessageNumber> sends;
  std::span<const MessageNumber> receives;
};

/// The messages of a trace by processor. Every one must have one receiver, which is a processor.
class MessagesByRank {
 public:
  explicit MessagesByRank(const TracedRun& run);

  std::size_t ranks() const { return sends_.first.size() - 1; }
  /// Calls take(cycle) for the cycles in which the rank has messages, in their order.
  void each_cycle(Rank rank, const std::function<void(const RankCycle&)>& take) const;
  /// How many messages of the same sender and receiver come before that one.
  MessageNumber number_in_pair(MessageNumber number) const { return numbers_in_pairs_[number]; }

 private:
  /// The messages of one rank behind those of another.
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
