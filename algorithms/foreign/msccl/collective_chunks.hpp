#pragma once

#include <array>
#include <string>
#include <vector>

#include "lockstep/algorithms/chunk_program.hpp"

namespace lockstep::msccl {

class ChunkPlaces;

/// What a collective of MSCCL finds in its buffers and has to leave there, for L chunks a loop on p ranks and k = L/p:
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
/// In place, o is i; of allgather and gather i is o from rank k on, of reduce-scatter and scatter o is i from there on.
class CollectiveChunks {
 public:
  CollectiveChunks(std::string operation, Rank ranks, std::uint32_t loop_chunks, bool in_place, Rank root);

  /// Why there is no such collective; empty if there is.
  std::string refusal() const;
  /// In how many chunks --words words are cut.
  std::uint32_t chunks_of_words() const { return is_of_blocks() ? block_ : loop_; }

  std::uint32_t input_chunks(Rank rank) const;   ///< of a rank's i
  std::uint32_t output_chunks(Rank rank) const;  ///< of a rank's o
  /// In place: where in o the buffer i begins, or where in i the buffer o does.
  bool in_place() const { return in_place_; }
  bool input_is_in_output() const { return operation_ == "allgather" || operation_ == "gather"; }
  std::uint32_t in_place_offset(Rank rank) const;

  std::vector<ChunkContent> initial(const ChunkPlaces& places) const;
  std::vector<ChunkContent> demanded(const ChunkPlaces& places) const;

 private:
  bool is_of_blocks() const;
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
  /// `declared`: the sizes that the file gives them; what the collective needs is there in any case.
  ChunkPlaces(const CollectiveChunks& collective, Rank rank, const std::array<std::uint32_t, 3>& declared);

  Rank rank() const { return rank_; }
  /// In all buffers.
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
  /// Of all chunks, by number.
  std::vector<std::string> names() const;

 private:
  Rank rank_;
  std::array<std::uint32_t, 3> sizes_{};
  std::array<std::uint32_t, 3> first_{};
  std::uint32_t all_ = 0;
};

}  // namespace lockstep::msccl
