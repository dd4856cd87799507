#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

struct Network;

// Schedules of any collective as what every message holds, chunk by chunk and summand by summand; and as files for
// other programs (docs/schedules.md).

/// One rank's summand of a chunk: of an allgather, say, the only one.
struct Contribution {
  Rank rank = 0;            ///< whose it is
  std::uint32_t chunk = 0;  ///< which of that rank's chunks, as the operation numbers them

  friend auto operator<=>(const Contribution&, const Contribution&) = default;
};

/// What is in one chunk of a processor's memory, sorted: every summand as often as it is there. Empty: not known.
using ChunkSum = std::vector<Contribution>;

/// The operations whose messages are told chunk by chunk.
const std::vector<std::string>& chunk_operations();

/// One message over one link.
struct FilledMessage {
  Rank from = no_rank;                ///< sender
  Rank to = no_rank;                  ///< receiver
  std::vector<std::uint32_t> sums{};  ///< what is in its chunks: numbers of MessageContents::sums
};

/// What a collective moves. Chunks and summands are numbered as in MSCCL's collectives: the input of a rank is cut into
/// chunks, and a summand is one chunk of one rank's.
struct MessageContents {
  std::string operation;                            ///< one of chunk_operations()
  Rank root = 0;                                    ///< of those that have one
  Rank nodes = 0;                                   ///< processors
  std::uint32_t chunks = 1;                         ///< of the vector; of a processor's block; of alltoall a pair's
  std::vector<ChunkSum> sums{};                     ///< all that is in some chunk, each sorted, and no two alike
  std::vector<std::vector<FilledMessage>> steps{};  ///< of every cycle in which something moved

  /// Chunks of a loop of MSCCL: of all blocks of a rank together.
  std::uint32_t loop_chunks() const;
};

/// Runs the method, one of whose operations are chunk_operations(), as often as it takes to tell all summands from each
/// other, and tells from the words of the messages what is in them. The settings of the request are resolved; its
/// observer is not used. Chunks are as long as they can be. Throws InputError, one line, where messages carry anything
/// but words of the data and sums of them, and what Method::run throws.
MessageContents message_contents(const Method& method, const RunRequest& request);

/// MSCCL XML that does the same: a threadblock for each peer, and others for what is added or copied in the end; with
/// more than 64 steps, several, on channels of their own. `name` is what the file calls it. Throws InputError, one
/// line, if a message holds what its sender cannot have, or a processor lacks something in the end.
std::string msccl_text(const MessageContents& contents, const std::string& name);

/// The same as SCCL's synthesizers write it. A link takes as many chunks a round as its multiplicity. Throws
/// InputError, one line, also where a processor sends a part of what it has summed up, as an algorithm of SCCL cannot.
std::string sccl_text(const MessageContents& contents, const std::string& name, const Network& network);

}  // namespace lockstep
