#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

struct SearchNetwork;

// Schedules of any collective as the contents of every message, chunk by chunk and summand by summand; and as files
// for other programs (docs/schedules.md).

/// One rank's summand of a chunk; in an allgather, for example, the only one.
struct Contribution {
  Rank rank = 0;            ///< the rank that it comes from
  std::uint32_t chunk = 0;  ///< which of that rank's chunks, as the operation numbers them

  friend auto operator<=>(const Contribution&, const Contribution&) = default;
};

/// The content of one chunk of a processor's memory, sorted: every summand as often as it is there. Empty: not known.
using ChunkSum = std::vector<Contribution>;

/// The operations whose messages can be described chunk by chunk.
const std::vector<std::string>& chunk_operations();
/// The most summands that are followed one by one: those of all chunks at all processors.
inline constexpr std::uint64_t most_summands = std::uint64_t{1} << 26;
/// Whether that is one of them.
bool has_chunks(std::string_view operation);

/// One message over one link.
struct FilledMessage {
  Rank from = no_rank;                ///< sender
  Rank to = no_rank;                  ///< receiver
  std::vector<std::uint32_t> sums{};  ///< content of its chunks: numbers of MessageContents::sums
};

/// The messages of a collective. Chunks and summands are numbered as in MSCCL's collectives: the input of a rank is cut
/// into chunks, and a summand is one chunk of one rank's.
struct MessageContents {
  std::string operation;                            ///< one of chunk_operations()
  Rank root = 0;                                    ///< of the operations that have one
  Rank nodes = 0;                                   ///< processors
  std::uint32_t chunks = 1;                         ///< of the vector; of a processor's block; in alltoall, of a pair
  std::vector<ChunkSum> sums{};                     ///< all contents of chunks, each sorted, no two equal
  std::vector<std::vector<FilledMessage>> steps{};  ///< of every cycle in which messages moved

  /// Chunks of a loop of MSCCL: of all blocks of a rank together.
  std::uint32_t loop_chunks() const;
};

/// Runs the method, whose operation must be one of chunk_operations(), as often as it takes to distinguish all
/// summands, and derives the contents of the messages from their words. The settings of the request are resolved; its
/// observer is not used. Chunks are as long as possible. Throws InputError, one line, where messages carry anything
/// but words of the data and sums of them, and what Method::run throws.
MessageContents message_contents(const Method& method, const RunRequest& request);

/// Equivalent MSCCL XML: a threadblock for each peer, and others for final additions and copies; for more than 64
/// steps, several, each on its own channel. `name` is the algorithm's name in the file. Throws InputError, one line, if
/// a message holds what its sender cannot have, or a processor lacks something in the end.
std::string msccl_text(const MessageContents& contents, const std::string& name);

/// The same in the form of SCCL's synthesizers. A link takes as many chunks a round as its multiplicity. Throws
/// InputError, one line, also where a processor sends a part of a sum that it has made, which SCCL cannot express.
std::string sccl_text(const MessageContents& contents, const std::string& name, const SearchNetwork& network);

}  // namespace lockstep
