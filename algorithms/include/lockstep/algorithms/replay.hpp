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

// Messages that other programs sent and received, of which only sizes and order are known: traces of MPI programs, and
// GOAL (docs/schedules.md, Traces and GOAL). Processors repeat them under the rules of a machine.

/// The kinds of operations.
enum class ReplayVerb {
  send,     ///< hands a message to the network, and then ends
  receive,  ///< ends when a matching message has arrived
  compute,  ///< arithmetic, which takes no cycle
  wait      ///< nothing; it only has predecessors
};

/// Tags of files are smaller; those from here on are of messages of collective operations.
inline constexpr std::int64_t first_collective_tag = std::int64_t{1} << 40;
/// The tag of a receive that takes messages of any tag of a file.
inline constexpr std::int64_t any_tag = std::numeric_limits<std::int64_t>::min();

/// The length of a receive that takes messages of any length.
inline constexpr std::uint64_t any_length = std::numeric_limits<std::uint64_t>::max();

/// One operation of a processor. It begins as soon as it can, beside others that can.
struct ReplayOperation {
  ReplayVerb verb = ReplayVerb::wait;        ///< what it does
  Rank peer = no_rank;                       ///< the receiver of a send or the sender of a receive; no_rank: any sender
  std::int64_t tag = 0;                      ///< the same at both ends; any_tag: a receive that takes all
  std::uint64_t amount = 0;                  ///< words of the message, or number of arithmetic operations
  std::vector<std::uint32_t> after_end{};    ///< the processor's operations that must end before it
  std::vector<std::uint32_t> after_begin{};  ///< those that must begin before it
  std::uint64_t line = 0;                    ///< of its file
};

/// The operations of all processors. Immutable once it is read.
struct ReplayProgram : WrittenSource {
  Rank nodes = 0;                ///< ranks
  Task task{};                   ///< its operation is replay_operation
  std::string format;            ///< "GOAL" or "SimGrid trace"
  std::uint64_t word_bytes = 1;  ///< bytes of a word
  /// Whether messages of one sender, receiver and tag are sent and received in the order of the file, so that the
  /// matching of fully specified receives does not depend on ports.
  bool keeps_order = false;
  std::vector<std::vector<ReplayOperation>> ranks;  ///< by rank, in the order of the file
  std::vector<std::string> warnings{};              ///< parts of the file that are ignored, a line each

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

/// A file and its name in messages.
struct NamedText {
  std::string name;  ///< quoted already
  std::string text;  ///< its whole content
};

/// Whether the text is GOAL, or a SimGrid trace of one rank or several.
bool is_replay(const std::string& text);
/// The lines of a list of traces, each the name of a file, without comments; empty if it is XML, JSON or is_replay().
std::vector<std::string> files_of_trace_list(const std::string& text);

/// Reads GOAL, which is one file, or the files of a trace. A word has `word_bytes` bytes; by default 8 in a trace and 1
/// in GOAL. Sizes are rounded up; GOAL's begin to count with the second byte, as LogGOPSim's costs do. Collective
/// operations of a trace become the messages of a catalogued method. Throws InputError, one line, for any other file.
ReplayProgram read_replay(const std::vector<NamedText>& files, std::optional<std::uint64_t> word_bytes = {});

/// One action of a processor, in its order.
struct ReplayAction {
  /// The kinds of actions.
  enum class Kind {
    begin,    ///< an operation begins; a send is sent
    take,     ///< a message arrives from a port
    take_own  ///< the next message that the processor has sent to itself arrives
  };

  Cycle cycle = 0;              ///< its cycle
  Kind kind = Kind::begin;      ///< its kind
  Port port = 0;                ///< the port of the send or of the arrival
  std::uint32_t operation = 0;  ///< the operation that begins, or the receive that takes the message
};

/// The actions of all processors by cycle.
struct ReplayPlan {
  std::vector<std::vector<ReplayAction>> actions;  ///< by rank
};

/// Arbitrates: in every cycle all operations begin that can, those of lower ranks first and within a rank in the order
/// of the file; a processor sends and receives as often as the model allows. As in MPI, a message is for the first
/// receive that takes it, and a receive takes the first message that came. The receiver's buffer is unlimited. Throws
/// RunError, its text after `name`: invalid_schedule for operations that require one another, a message that no
/// processor receives, a receive without a message, a message longer than its receive, or one where there is no link;
/// deadlock for processors that wait for one another.
ReplayPlan plan_replay(const ReplayProgram& program, const MachineSpec& machine, const Topology& topology,
                       const Model& model, const std::string& name);

/// The operation of these programs, which no method of the catalogue has.
inline constexpr std::string_view replay_operation = "replay";

/// Carries out Settings::written_schedule, which is a ReplayProgram; like an entry of the catalogue, but in no list.
/// Errors end the run as plan_replay() describes.
const Method& replay_method();

}  // namespace lockstep
