#pragma once

#include <array>
#include <string>
#include <vector>

#include "lockstep/algorithms/chunk_program.hpp"

namespace lockstep::msccl {

class ChunkPlaces;

/// The initial and required contents of an MSCCL collective's buffers, for L chunks a loop on p ranks and k = L/p:
///
///     allreduce       i[c] of all   summed in o[c] of all, c < L
///     reduce-scatter  i[c] of all   summed in o[c mod k] of rank c/k, c < L
///     reduce          i[c] of all   summed in o[c] of the root, c < L
///     allgather       i[c] of q     in o[q k + c] of all, c < k
///     gather          i[c] of q     in o[q k + c] of the root, c < k
///     alltoall        i[r k + c] of q     in o[q k + c] of r, c < k
///     scatter         i[r k + c] of the root     in o[c] of r, c < k
///     broadcast       i[c] of the root     in o[c] of all, c < L
///
/// In place, o is i; in allgather and gather i is o from rank k on, in reduce-scatter and scatter o is i from there on.
class CollectiveChunks {
 public:
  CollectiveChunks(std::string operation, Rank ranks, std::uint32_t loop_chunks, bool in_place, Rank root);

  /// Why the collective is invalid; empty if it is valid.
  std::string refusal() const;
  /// The number of chunks into which --words words are cut.
  std::uint32_t chunks_of_words() const;

  std::uint32_t input_chunks(Rank rank) const;   ///< of a rank's i
  std::uint32_t output_chunks(Rank rank) const;  ///< of a rank's o
  /// Whether buffers overlap: i begins within o, or o within i.
  bool in_place() const { return in_place_; }
  bool input_is_in_output() const { return operation_ == "allgather" || operation_ == "gather"; }
  std::uint32_t in_place_offset(Rank rank) const;

  std::vector<ChunkContent> initial(const ChunkPlaces& places) const;
  std::vector<ChunkContent> demanded(const ChunkPlaces& places) const;

 private:
  ChunkSum sum_of_all(std::uint32_t chunk) const;

  std::string operation_;
  Rank ranks_;
  std::uint32_t loop_;
  std::uint32_t block_;
  bool in_place_;
  Rank root_;
};

/// The numbers of the chunks of one processor's buffers: 0 is i, 1 is o, 2 is s.
class ChunkPlaces {
 public:
  /// `declared`: the sizes in the file; places that the collective needs exist in any case.
  ChunkPlaces(const CollectiveChunks& collective, Rank rank, const std::array<std::uint32_t, 3>& declared);

  Rank rank() const { return rank_; }
  /// The number in all buffers.
  std::uint32_t count() const { return all_; }
  std::uint32_t size(int buffer) const { return sizes_[static_cast<std::size_t>(buffer)]; }
  bool has(int buffer, std::int64_t offset, std::uint32_t count) const {
    return offset >= 0 && offset + std::int64_t{count} <= std::int64_t{size(buffer)};
  }
  std::uint32_t number(int buffer, std::uint32_t offset) const {
    return first_[static_cast<std::size_t>(buffer)] + offset;
  }
  /// "i[3]" or "i[3..5]".
  std::string chunks_text(int buffer, std::int64_t offset, std::uint32_t count) const;
  /// The names of all chunks, by number.
  std::vector<std::string> names() const;

 private:
  Rank rank_;
  std::array<std::uint32_t, 3> sizes_{};
  std::array<std::uint32_t, 3> first_{};
  std::uint32_t all_ = 0;
};

}  // namespace lockstep::msccl
