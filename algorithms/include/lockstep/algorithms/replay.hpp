#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/schedule.hpp"
#include "lockstep/algorithms/schedule_file.hpp"

namespace lockstep {

// What other programs sent and received, of which only sizes and order are known: traces of MPI programs, and GOAL
// (docs/schedules.md, Traces and GOAL). Processors do it again under the rules of a machine.

/// What an operation does.
enum class ReplayVerb {
  send,     ///< hands a message to the network, and ends with that
  receive,  ///< ends when a message that it takes has come
  compute,  ///< arithmetic, which takes no cycle
  wait      ///< nothing; it only comes after others
};

/// The tags of files are below; those from here on are of messages of collective operations.
inline constexpr std::int64_t first_collective_tag = std::int64_t{1} << 40;
/// What a receive has that takes messages of any tag of a file.
inline constexpr std::int64_t any_tag = std::numeric_limits<std::int64_t>::min();

/// The length that a receive has which takes messages of any.
inline constexpr std::uint64_t any_length = std::numeric_limits<std::uint64_t>::max();

/// One operation of a processor. It begins as soon as it may, beside others that may.
struct ReplayOperation {
  ReplayVerb verb = ReplayVerb::wait;        ///< what it does
  Rank peer = no_rank;                       ///< to whom it sends, or from whom it receives; no_rank: from anybody
  std::int64_t tag = 0;                      ///< both ends have the same; any_tag: a receive that takes all
  std::uint64_t amount = 0;                  ///< words of the message, or operations that are computed
  std::vector<std::uint32_t> after_end{};    ///< which of the processor's operations have to have ended before
  std::vector<std::uint32_t> after_begin{};  ///< which have to have begun
  std::uint64_t line = 0;                    ///< of its file
};

/// What all processors do. Immutable once it is read.
struct ReplayProgram : WrittenSource {
  Rank nodes = 0;                ///< ranks
  Task task{};                   ///< its operation is replay_operation
  std::string format;            ///< "GOAL" or "SimGrid trace"
  std::uint64_t word_bytes = 1;  ///< bytes of a word
  /// Whether messages of one sender, receiver and tag are sent and received in the order of the file, so that it does
  /// not depend on ports which of them a receive takes that leaves nothing open.
  bool keeps_order = false;
  std::vector<std::vector<ReplayOperation>> ranks;  ///< by rank, in the order of the file
  std::vector<std::string> warnings{};              ///< what of the file is left out, a line each

  /// "rank 3, line 17 (send 8 words to 5, tag 0)".
  std::string place(Rank rank, std::uint32_t operation) const;
  /// All operations of all ranks.
  std::uint64_t all_operations() const;

  std::string_view operation() const override { return task.operation; }
  Rank processors() const override { return nodes; }
  const Method& method() const override;
  void resolve(const MachineSpec& machine, const Model& model, Settings& settings) const override;
  LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) const override;
  std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) const override;
  Outcome carry_out(const RunRequest& request) const override;
  std::optional<ForeignFormat> foreign_format() const override;
  std::vector<std::string> report_lines(const Outcome*) const override { return warnings; }
};

/// A file and what messages call it.
struct NamedText {
  std::string name;  ///< quoted already
  std::string text;  ///< all that is in it
};

/// Whether the text is GOAL, or a trace of SimGrid's for one rank or several.
bool is_replay(const std::string& text);
/// The lines of a list of traces, each the name of a file, without comments; empty if it is XML, JSON or is_replay().
std::vector<std::string> files_of_trace_list(const std::string& text);

/// Reads GOAL, which is one file, or the files of a trace. A word is so many bytes; if nothing is said 8 of a trace,
/// and of GOAL 1. Sizes are rounded up; GOAL's begin to count with the second byte, as LogGOPSim's costs do. Collective
/// operations of a trace become the messages of a catalogued method. Throws InputError, one line: what is no such file.
ReplayProgram read_replay(const std::vector<NamedText>& files, std::optional<std::uint64_t> word_bytes = {});

/// What a processor does, in its order.
struct ReplayAction {
  /// What it is.
  enum class Kind {
    begin,    ///< an operation begins; a send is sent
    take,     ///< a message comes in from a port
    take_own  ///< the next message that the processor has sent to itself comes in
  };

  Cycle cycle = 0;              ///< when
  Kind kind = Kind::begin;      ///< what
  Port port = 0;                ///< to which it sends, or from which it takes
  std::uint32_t operation = 0;  ///< which begins, or for which receive the message is
};

/// Who does what in which cycle.
struct ReplayPlan {
  std::vector<std::vector<ReplayAction>> actions;  ///< by rank
};

/// Arbitrates: in every cycle all operations begin that may, of lower ranks first and of a rank in the order of the
/// file; a processor sends and receives as often as the model allows. As by MPI a message is for the first receive
/// that takes it, and a receive takes the first message that came. Messages wait at the receiver, as many as there are.
/// Throws RunError, its text after `name`: invalid_schedule of operations that require one another, of a message that
/// nobody receives, a receive to which nothing comes, a message that is longer than its receive, or one to a processor
/// to which there is no link; deadlock of processors that wait for one another.
ReplayPlan plan_replay(const ReplayProgram& program, const MachineSpec& machine, const Topology& topology,
                       const Model& model, const std::string& name);

/// The operation of these programs, which no method of the catalogue has.
inline constexpr std::string_view replay_operation = "replay";

/// Carries out Settings::written_schedule, which is a ReplayProgram; like an entry of the catalogue, but in no list.
/// What does not go ends the run as plan_replay() says.
const Method& replay_method();

}  // namespace lockstep
