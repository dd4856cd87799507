#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
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
  Rank origin = no_rank;       ///< the rank of the chunk; in allreduce, the rank that gathers the sum of that part
  Rank destination = no_rank;  ///< the rank that it is for: the origin, where it is for all
  std::uint32_t chunk = 0;     ///< which of the origin's chunks (for that destination), from 0
  bool adds = false;           ///< the receiver adds it to what it has; if false, it keeps a copy
  /// The ranks whose summands it contains, ascending, if these are not all that the sender has of the chunk; the sender
  /// then has sums that make it up, as received.
  std::vector<Rank> of{};
  friend bool operator==(const ChunkMove&, const ChunkMove&) = default;
};

/// The required result, with chunks of equal length.
///
///     allgather   every processor has `chunks` chunks; all processors hold them in the end
///     broadcast   the same for the root alone
///     alltoall    every processor has `chunks` chunks for every other one
///     allreduce   every processor has a vector of P * chunks parts; all hold the sum of each part in the end.
///                 Parts (r, 0) .. (r, chunks-1) are summed up on their way to processor r
///
/// and, for schedules from files,
///
///     reduce, reduce-scatter, gather, scatter     for a vector of `chunks` parts, a vector of P * chunks parts, and
///                                                 `chunks` chunks from or for every processor
struct ChunkTask {
  std::string operation = "allgather";  ///< one of these
  Rank root = 0;                        ///< of broadcast, reduce, gather and scatter
  std::uint32_t chunks = 1;             ///< at least 1
  /// For allreduce: the vector has `owners` * `chunks` parts, (r, 0) .. for r < owners; 0: of all processors.
  Rank owners = 0;
};

/// A schedule of chunks. The chunks that cross one link in one step are one message.
struct ChunkSchedule {
  ChunkTask task;                             ///< the required result
  Rank nodes = 0;                             ///< number of nodes
  std::vector<std::vector<ChunkMove>> steps;  ///< the moves of each step
};

/// A machine as the search uses it: its links in both directions.
struct SearchNetwork {
  /// A link in one direction.
  struct Arc {
    Rank from;                   ///< sender
    Rank to;                     ///< receiver
    std::uint32_t multiplicity;  ///< chunks that it takes in a round
  };

  /// For a machine with links, built; on a medium every processor has an arc to every other. A link of a graph has the
  /// multiplicity of its file, every other one 1.
  SearchNetwork(const MachineSpec& machine, const Topology& topology);

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
/// The former name of SearchNetwork.
using Network [[deprecated("use SearchNetwork")]] = SearchNetwork;

/// The cost of a schedule.
struct ChunkCounts {
  std::uint64_t steps = 0;        ///< in which messages move
  std::uint64_t rounds = 0;       ///< summed over the steps: the most of ceil(chunks on a link / its multiplicity)
  std::uint64_t messages = 0;     ///< a link that is used in a step
  std::uint64_t moves = 0;        ///< chunks over links
  std::uint64_t longest_sum = 0;  ///< summed over the steps: the most chunks on a link
  friend bool operator==(const ChunkCounts&, const ChunkCounts&) = default;
};

/// The counts of a schedule that check() accepts.
ChunkCounts counts(const ChunkSchedule& schedule, const SearchNetwork& network);

/// Steps and rounds that no schedule for the task can beat, each for itself: distances and doublings; the words that
/// one processor must receive over all its links, or send over one, those from far away after as many steps; for
/// alltoall the sum of all distances; for allreduce the sum of all parts that have to move; and what must enter a part
/// of the machine over the links that lead there. `ports` is one or all.
struct ChunkBound {
  std::uint64_t steps = 0;   ///< least
  std::uint64_t rounds = 0;  ///< least
};
/// See ChunkBound.
ChunkBound chunk_bound(const ChunkTask& task, const SearchNetwork& network, PortModel ports);

/// Checks a schedule and throws ScheduleError at the first step in which a processor sends what it does not have, over
/// a link that does not exist, or more messages than its ports allow, or adds what it already has; or if something is
/// missing in the end. It tracks the contributions that every processor holds of every chunk, and does not depend on
/// how the schedule was made. With multicast the same chunks over several links are one message.
void check(const ChunkSchedule& schedule, const SearchNetwork& network, PortModel ports, bool multicast = false);

/// How far a search is.
struct SynthesisProgress {
  std::uint64_t trees = 0;   ///< laid so far, those of the first schedule included
  std::uint64_t steps = 0;   ///< of the best schedule so far; 0: there is none yet. Of allreduce, of its second half
  std::uint64_t rounds = 0;  ///< of the same
};

/// The limits of a search.
struct SynthesisLimits {
  std::optional<std::uint64_t> steps{};  ///< allowed steps; empty: as few as are found
  std::uint64_t tries = 100'000;         ///< trees of chunks that are laid before it gives up
  std::uint64_t seed = 1;                ///< of all random choices
  /// A schedule of the same task that check() accepts, from which half of the effort goes on; null: none. Of allreduce
  /// one that ends in an allgather of the same length, as those that are found do; another is not used.
  const ChunkSchedule* from = nullptr;
  /// Called before every tree and every change; false ends the search with the best schedule so far.
  std::function<bool(const SynthesisProgress&)> goes_on{};
};

/// The result of a search.
struct Synthesis {
  ChunkSchedule schedule;   ///< the best that was found
  std::uint64_t tries = 0;  ///< trees that were laid
  bool is_cut = false;      ///< it ended early, at the caller's request
};

/// A schedule with few steps, and with few rounds among those of equal steps. Empty if the search finds none within the
/// limits' steps. With all ports every link is open in every step; with one port the senders and receivers of
/// each step are matched first, by the number of chunks that the receiver lacks. Then every chunk's tree is laid
/// through steps and links, and laid anew where links carry more than the rounds allow, while crowded links get dearer
/// (negotiated routing, as in PathFinder for circuits); and again with one round less until that fails. The result
/// depends only on the seed and limits, unless `stop` is set meanwhile or `goes_on` returns false: the search then ends
/// soon, with the best schedule so far, or none.
std::optional<Synthesis> synthesize(const ChunkTask& task, const SearchNetwork& network, PortModel ports,
                                    const SynthesisLimits& limits, const std::atomic<bool>& stop);

/// The schedule of a run of a method, as MoveRecorder records it, with each block divided into `chunks` chunks.
ChunkSchedule in_chunks(const Schedule& schedule, std::uint32_t chunks);

/// The schedule of a collective's messages. Throws InputError, one line, where a processor sends a sum that it cannot
/// make from received ones, or adds what it already has, which such a schedule cannot express.
ChunkSchedule chunk_schedule_of(const MessageContents& contents);
/// The contents of the messages of a schedule that check() accepts.
MessageContents contents_of(const ChunkSchedule& schedule);

/// A schedule of chunks from a file.
struct WrittenChunks : Schedule {
  ChunkSchedule chunks;  ///< the schedule
};
/// Whether the text is one: JSON with a member "chunks", and not "msccl_type".
bool is_chunk_schedule(const std::string& text);
/// Reads what chunk_schedule_text() writes; errors call the file `name`. Throws InputError, one line.
WrittenChunks read_chunk_schedule(const std::string& text, const std::string& name);
/// The member "machine" of a schedule's JSON text; empty if there is none.
std::string machine_in_schedule(const std::string& text);
/// The member "graph", the digest of the machine's graph (graph_digest()); empty if there is none.
std::string graph_in_schedule(const std::string& text);
/// Carries out Settings::written_schedule, a schedule of chunks, on any machine with links or a switch; like an entry
/// of the catalogue, but in no list. A schedule that check() refuses ends the run with RunError (invalid_schedule).
const Method& chunk_schedule_method(const std::string& operation);

/// Carries the schedule out: every processor runs its part as a program of its own, with generated chunks of
/// `settings.words` words each; the result is compared with the requirement of the operation.
Outcome carry_out(const RunRequest& request, const ChunkSchedule& schedule);

/// The JSON text of a schedule that search found, in the form of `lockstep plan` (schedule_file.hpp) where every block
/// is one chunk and nothing is added; else as chunk_schedule_text(). `graph` is as in schedule_text().
std::string found_schedule_text(const ChunkSchedule& schedule, const std::string& machine,
                                const std::string& graph = {});
/// The JSON text with "chunks", and [origin, chunk] or [origin, destination, chunk] as blocks, and "adds" in messages
/// that the receiver adds; `algorithm` names its origin.
std::string chunk_schedule_text(const ChunkSchedule& schedule, const std::string& machine, const std::string& algorithm,
                                const std::string& graph = {});

}  // namespace lockstep
