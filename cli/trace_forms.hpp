#pragma once

#include <string>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "run_record.hpp"
#include "trace.hpp"

namespace lockstep::cli {

// The forms in which a trace is written; docs/traces.md says what they are for, docs/json.md has the fields.

/// What a trace is of.
struct TracedRun {
  const RunRecord& record;  ///< that of a run that failed has what is known before it
  const Trace& trace;
  std::string error{};  ///< one line, if the run did not come to its end

  const RunPlan& plan() const { return record.plan; }
};

/// Cycle by cycle, for people: what moves where and, where blocks move whole, who holds which then.
std::string trace_text(const TracedRun& run);
/// All that is kept of every message.
std::string trace_json(const TracedRun& run);
/// Chrome's trace format, for Perfetto: tracks of what every processor sends and receives, by the asynchronous clock
/// and by the host's.
std::string trace_perfetto(const TracedRun& run);
/// GOAL, for LogGOPSim.
std::string trace_goal(const TracedRun& run);
/// A graph for Graphviz with the words that crossed each link.
std::string trace_dot(const TracedRun& run);

/// A file of a directory.
struct NamedText {
  std::string name;
  std::string text;
};
/// SimGrid's time-independent traces with so many bytes a word: a file for every rank, and traces.txt, which lists
/// them.
std::vector<NamedText> trace_replay(const TracedRun& run, std::uint64_t word_bytes);
/// Whether a file of trace_replay() may have that name.
bool is_replay_file(const std::string& name);

/// "12 messages of allgather/tea1 on hypercube:2; left out: ..".
std::string messages_line(const TracedRun& run);

/// What is missing in the trace, as one line without an end: "left out: 12 messages past --max-events"; empty if
/// nothing is.
std::string left_out_line(const Trace& trace);

/// The same with why the run ended early, if it did: for forms that have no other place for that.
std::string missing_line(const TracedRun& run);

/// "000" to "127" for 128 ranks: all equally long, so that they are sorted by their value.
std::string padded(std::uint64_t number, std::uint64_t count);

/// What the messages between processors come to for one of them: what it sends and receives in one cycle.
struct RankCycle {
  Cycle cycle = 0;
  std::vector<std::size_t> sends;     ///< numbers of messages
  std::vector<std::size_t> receives;  ///< likewise
};
/// By rank, in the order of the cycles, those with messages. Every message must have one receiver, which is a
/// processor.
std::vector<std::vector<RankCycle>> cycles_by_rank(const TracedRun& run);
/// How many messages of the same sender and receiver come before each.
std::vector<std::uint64_t> numbers_in_pairs(const Trace& trace);

}  // namespace lockstep::cli
