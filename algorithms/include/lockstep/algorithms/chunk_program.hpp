#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/schedule.hpp"
#include "lockstep/algorithms/schedule_file.hpp"

namespace lockstep {

// Schedules that other programs write. Every GPU (a processor here) has threadblocks, which carry out steps on chunks
// of its buffers: each in its own order, all at once, except where one waits for another (docs/schedules.md).

/// What a step does; x is the message from the peer that its threadblock receives from.
enum class ChunkVerb {
  send,              ///< s: sends the source
  receive,           ///< r: destination = x
  copy,              ///< cpy: destination = source
  reduce,            ///< re: destination = destination op source
  receive_reduce,    ///< rrc: destination = x op source
  reduce_send,       ///< rrs: sends x op source
  reduce_keep_send,  ///< rrcs: destination = x op source, which it sends
  receive_send,      ///< rcs: destination = x, which it sends
  nothing            ///< nop: only waits
};

/// As files write it: "rrcs".
const char* name(ChunkVerb verb);
/// Whether such a step receives a message.
bool takes_message(ChunkVerb verb);
/// Whether it sends one.
bool sends_message(ChunkVerb verb);
/// Whether it reads its source.
bool reads_source(ChunkVerb verb);
/// Whether it writes its destination.
bool writes_destination(ChunkVerb verb);

/// A step that must be done first, in another threadblock of the same processor.
struct ChunkWait {
  std::uint32_t threadblock = 0;  ///< its place among the processor's threadblocks
  std::uint32_t step = 0;         ///< its place in that threadblock
};

/// One step. Chunks are numbered over all buffers of a processor, so that two names of one chunk have one number.
struct ChunkStep {
  ChunkVerb verb = ChunkVerb::nothing;  ///< what it does
  std::uint32_t source = 0;             ///< the first chunk that it reads, if it does
  std::uint32_t destination = 0;        ///< the first that it writes, if it does
  std::uint32_t count = 0;              ///< how many chunks
  std::vector<ChunkWait> waits{};       ///< steps that must be done before
  bool sets_flag = false;               ///< others can wait for it
};

/// Steps in their order, with at most one peer to send to and one to receive from, on one channel.
struct Threadblock {
  std::uint64_t id = 0;              ///< as in the file
  Rank sends_to = no_rank;           ///< the peer; no_rank if there is none
  Rank receives_from = no_rank;      ///< the peer; no_rank if there is none
  std::uint32_t channel = 0;         ///< of its messages both ways
  std::vector<ChunkStep> steps{};    ///< in their order
  std::vector<std::string> names{};  ///< the file's names of its steps, if not threadblock and number
};

/// One chunk of a processor's memory with its actual or required content.
struct ChunkContent {
  std::uint32_t place = 0;  ///< the chunk's number
  ChunkSum sum{};           ///< its content
};

/// One processor of such a program.
struct ChunkGpu {
  std::vector<Threadblock> threadblocks{};  ///< by number
  std::vector<std::string> chunk_names{};   ///< "i[0]", by number; of two names, that of the first use
  std::vector<ChunkContent> initial{};      ///< its memory at the start
  std::vector<ChunkContent> demanded{};     ///< its memory required at the end
};

/// An error in such a program: what() is one line with gpu, threadblock and step.
class ChunkProgramError : public std::runtime_error {
 public:
  /// An error of that processor; `text` is returned by what().
  ChunkProgramError(Rank gpu, const std::string& text, bool is_deadlock = false, Cycle cycle = 0)
      : std::runtime_error(text), gpu_(gpu), is_deadlock_(is_deadlock), cycle_(cycle) {}

  Rank gpu() const { return gpu_; }                  ///< the processor concerned
  bool is_deadlock() const { return is_deadlock_; }  ///< whether processors wait for one another
  Cycle cycle() const { return cycle_; }             ///< of a deadlock: from it on, no processor can continue

 private:
  Rank gpu_;
  bool is_deadlock_;
  Cycle cycle_;
};

/// A program for all processors; its task states the required result. It has threadblocks instead of moves.
/// Immutable once it is read.
struct ChunkProgram : WrittenSource {
  Rank nodes = 0;              ///< processors
  Task task{};                 ///< the required result
  std::string name;            ///< as in the file
  std::string format;          ///< "MSCCL XML" or "SCCL JSON"
  std::uint32_t chunks = 1;    ///< into which --words words are cut: of the vector, or of a rank's or a pair's block
  std::vector<ChunkGpu> gpus;  ///< by rank
  std::vector<std::string> warnings{};       ///< ambiguities that the reader found
  std::optional<ChunkProgramError> fault{};  ///< the first invalid step; such steps do nothing
  /// The same steps on separate buffers for input and output, if the file says that it works in place and out of place.
  /// This program is then the one in place; both must bring the right data.
  std::shared_ptr<const ChunkProgram> out_of_place{};

  /// "gpu 0, threadblock 1, step 2 (rrc)".
  std::string place(Rank gpu, std::uint32_t threadblock, std::uint32_t step) const;
  /// The words of one chunk with --words `words`: chunks differ by one word at most.
  std::uint64_t chunk_words(std::uint32_t chunk, std::uint64_t words) const;
  /// All steps of all threadblocks.
  std::uint64_t all_steps() const;

  std::string_view operation() const override { return task.operation; }
  Rank processors() const override { return nodes; }
  const Method& method() const override;
  void resolve(const MachineSpec& machine, const Model& model, Settings& settings) const override;
  LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) const override;
  std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) const override;
  Outcome carry_out(const RunRequest& request) const override;
  MessageContents contents(const RunRequest& request) const override;
  std::optional<ForeignFormat> foreign_format() const override;
  std::vector<std::string> report_lines(const Outcome* ended) const override;
};

/// Whether the text is a program for chunks, XML or "msccl_type" JSON, and not one of Lockstep's own schedules.
bool is_chunk_program(const std::string& text);

/// Reads MSCCL XML or the algorithms that SCCL and TACCL write as JSON; errors call the file `name`. Throws
/// InputError, one line: for a file of another form, and for invalid numbers.
ChunkProgram read_chunk_program(const std::string& text, const std::string& name);

/// What may go wrong on other runtimes with a program that is right here, a line each: steps that its writer and the
/// runtime may read differently; connections that must hold more than two messages; exceeded MSCCL limits on steps,
/// counts, channels and threadblocks.
std::vector<std::string> warnings_of(const ChunkProgram& program, const Outcome& outcome);

/// Throws ChunkProgramError if two threadblocks share a connection, messages do not match in number or size, or a step
/// waits for one that does not exist or sets no flag.
void check_connections(const ChunkProgram& program);

/// The actions of all processors by cycle.
struct ChunkPlan {
  /// One action of a processor: it takes a message from a port, for a threadblock, or carries out a step.
  struct Action {
    Cycle cycle = 0;                ///< when
    bool takes = false;             ///< whether it takes a message
    Port port = 0;                  ///< from which it takes, or to which the step sends
    std::uint32_t threadblock = 0;  ///< for which it takes, or whose step it is
    std::uint32_t step = 0;         ///< which step, if it is one
  };
  std::vector<std::vector<Action>> actions;  ///< by rank, in their order
  std::uint32_t slots = 2;                   ///< messages that a connection held at most, if two were not enough
};

/// Arbitrates: in every cycle all steps start that can, those of lower processors and threadblocks first; a processor
/// sends and receives as often as the model allows, and a connection holds two messages, or as many as progress needs.
/// Throws ChunkProgramError: the steps that wait without end, or a step that sends where there is no link.
ChunkPlan plan_chunks(const ChunkProgram& program, const MachineSpec& machine, const Topology& topology,
                      const Model& model);

/// Throws ChunkProgramError if a step reads a chunk that was never written, or if the data depends on which of two
/// threadblocks is first: they use one chunk, one of them writes it, and no wait or message orders them.
void check_order(const ChunkProgram& program, const ChunkPlan& plan);

/// Carries out Settings::written_schedule, which is a ChunkProgram; like an entry of the catalogue, but in no list.
/// Faults of the program end the run with RunError (invalid_schedule, or deadlock). The measure "slots" is
/// ChunkPlan::slots.
const Method& chunk_program_method(const std::string& operation);

}  // namespace lockstep
