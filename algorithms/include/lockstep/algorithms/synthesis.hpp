#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/schedule.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

// Schedules of chunks that are found by search, for any machine with links (docs/search.md).

/// One chunk over one link in one step.
struct ChunkMove {
  Rank from = no_rank;         ///< sender
  Rank to = no_rank;           ///< receiver
  Rank origin = no_rank;       ///< whose the chunk is; of allreduce, who gathers the sum of that part
  Rank destination = no_rank;  ///< for whom it is: the origin, where it is for all
  std::uint32_t chunk = 0;     ///< which of the origin's chunks (for that destination), from 0
  bool adds = false;           ///< the receiver adds it to what it has; else it keeps a copy
  /// Whose summands it is the sum of, ascending, where that is not all that the sender has of the chunk; the sender
  /// then has sums that make it up, as they came.
  std::vector<Rank> of{};
  friend bool operator==(const ChunkMove&, const ChunkMove&) = default;
};

/// What is to be brought about with chunks of equal length.
///
///     allgather   every processor has `chunks` chunks, which all hold in the end
///     broadcast   the same of the root alone
///     alltoall    every processor has `chunks` chunks for every other one
///     allreduce   every processor has a vector of P * chunks parts; all hold the sum of each part in the end. The
///     parts
///                 (r, 0) .. (r, chunks-1) are summed up on their way to processor r
///
/// and, of schedules from files,
///
///     reduce, reduce-scatter, gather, scatter     as of a vector of `chunks` parts, of one of P * chunks parts, and of
///                                                 `chunks` chunks from or for every processor
struct ChunkTask {
  std::string operation = "allgather";  ///< one of these
  Rank root = 0;                        ///< of broadcast, reduce, gather and scatter
  std::uint32_t chunks = 1;             ///< at least 1
  /// Of allreduce: the vector has so many times `chunks` parts, (r, 0) .. for r below that; of all processors if 0.
  Rank owners = 0;
};

/// A schedule of chunks. What goes over one link in one step is one message.
struct ChunkSchedule {
  ChunkTask task;                             ///< what it has to bring about
  Rank nodes = 0;                             ///< how many there are
  std::vector<std::vector<ChunkMove>> steps;  ///< what moves in each
};

/// A machine as a search sees it: its links in both directions.
struct Network {
  /// A link in one direction.
  struct Arc {
    Rank from;                   ///< sender
    Rank to;                     ///< who receives
    std::uint32_t multiplicity;  ///< chunks that it takes in a round
  };

  /// Of a machine with links, built; on a medium there is one from everybody to everybody. A link of a graph has the
  /// multiplicity of its file, every other one 1.
  Network(const MachineSpec& machine, const Topology& topology);

  /// The arc between two neighbours; arcs.size() if they are none.
  std::uint32_t arc(Rank from, Rank to) const;
  /// Links on a shortest path.
  Rank distance(Rank from, Rank to) const { return distances[std::size_t{from} * nodes + to]; }

  Rank nodes = 0;                               ///< processors
  std::vector<Arc> arcs;                        ///< by sender and its ports
  std::vector<std::vector<std::uint32_t>> out;  ///< by node, the arcs that leave it
  std::vector<Rank> distances;                  ///< by pair of nodes
  bool has_multiplicities = false;              ///< whether one is more than 1
};

/// What a schedule costs.
struct ChunkCounts {
  std::uint64_t steps = 0;        ///< in which something moves
  std::uint64_t rounds = 0;       ///< summed over the steps: the most of ceil(chunks on a link / its multiplicity)
  std::uint64_t messages = 0;     ///< a link that is used in a step
  std::uint64_t moves = 0;        ///< chunks over links
  std::uint64_t longest_sum = 0;  ///< summed over the steps: the most chunks on a link
  friend bool operator==(const ChunkCounts&, const ChunkCounts&) = default;
};

/// The counts of a schedule that check() takes.
ChunkCounts counts(const ChunkSchedule& schedule, const Network& network);

/// Steps and rounds that no schedule for the task can beat, each for itself: distances and doublings; the words that
/// one processor has to take in over all its links, or send over one, those from far away after as many steps; of
/// alltoall the sum of all distances; of allreduce the sum of all parts that have to move; and what has to get into a
/// part of the machine over the links that lead there. `ports` is one or all.
struct ChunkBound {
  std::uint64_t steps = 0;   ///< least
  std::uint64_t rounds = 0;  ///< least
};
/// See ChunkBound.
ChunkBound chunk_bound(const ChunkTask& task, const Network& network, PortModel ports);

/// Walks through a schedule and throws ScheduleError at the first step in which a processor sends what it has not, over
/// a link that does not exist, or more messages than its ports allow, or adds what it has already; or if something is
/// missing in the end. It follows for every processor and chunk whose contributions it holds, and knows nothing of how
/// the schedule came about. With multicast the same chunks over several links are one message.
void check(const ChunkSchedule& schedule, const Network& network, PortModel ports, bool multicast = false);

/// How a search goes about it.
struct SynthesisLimits {
  std::optional<std::uint64_t> steps{};  ///< as many are allowed; else as few as are found
  std::uint64_t tries = 100'000;         ///< trees of chunks that are laid before it gives up
  std::uint64_t seed = 1;                ///< of all that is drawn
};

/// What came of a search.
struct Synthesis {
  ChunkSchedule schedule;   ///< the best that was found
  std::uint64_t tries = 0;  ///< trees that were laid
};

/// A schedule of few steps, and among those of so many steps one of few rounds. Empty if none of so few steps as the
/// limits say was found. With all ports every link is open in every step; with one port the senders and receivers of
/// each step are matched first, by who has most that the other lacks. Then every chunk's tree is laid through steps and
/// links, and laid anew where links carry more than the rounds allow, while what is crowded gets dearer (negotiated
/// routing, as PathFinder has it for circuits); and so on with a round less until that fails. The same for the same
/// seed and limits. Throws InputError where the task is too large to be searched, and std::runtime_error if `stop` is
/// set meanwhile.
std::optional<Synthesis> synthesize(const ChunkTask& task, const Network& network, PortModel ports,
                                    const SynthesisLimits& limits, const std::atomic<bool>& stop);

/// The schedule of a run of a method whose blocks are of so many chunks each, taken down by MoveRecorder.
ChunkSchedule in_chunks(const Schedule& schedule, std::uint32_t chunks);

/// A schedule of a collective's messages. Throws InputError, one line, where a processor sends a sum that it cannot
/// make of those that came, or adds what it has already, of which such a schedule cannot tell.
ChunkSchedule chunk_schedule_of(const MessageContents& contents);
/// What the messages of a schedule hold that check() takes.
MessageContents contents_of(const ChunkSchedule& schedule);

/// A schedule of chunks from a file.
struct WrittenChunks : Schedule {
  ChunkSchedule chunks;  ///< what it says
};
/// Whether the text is of one: JSON with a member "chunks", and not "msccl_type".
bool is_chunk_schedule(const std::string& text);
/// Reads what chunk_schedule_text() writes; `name` is what errors call the file. Throws InputError, one line.
WrittenChunks read_chunk_schedule(const std::string& text, const std::string& name);
/// The member "machine" of a schedule's JSON text; empty if there is none.
std::string machine_in_schedule(const std::string& text);
/// Carries out Settings::written_schedule, which is WrittenChunks, on any machine with links or a switch; like an entry
/// of the catalogue, but in no list. What check() refuses ends the run with RunError (invalid_schedule).
const Method& chunk_schedule_method(const std::string& operation);

/// Carries the schedule out: every processor does its part as a program of its own, with generated chunks of
/// `settings.words` words each; the result is compared with what the operation demands.
Outcome carry_out(const RunRequest& request, const ChunkSchedule& schedule);

/// The JSON text of a schedule, in the form of `lockstep plan` (schedule_file.hpp), where every block is one chunk and
/// nothing is added; else with "chunks", and [origin, chunk] or [origin, destination, chunk] as blocks, and "adds" in
/// messages that the receiver adds.
std::string chunk_schedule_text(const ChunkSchedule& schedule, const std::string& machine);
/// The same in the second form always; `algorithm` says whose it is.
std::string chunk_schedule_text(const ChunkSchedule& schedule, const std::string& machine,
                                const std::string& algorithm);

}  // namespace lockstep
