#include "collective_chunks.hpp"

#include <algorithm>

#include "written/plan.hpp"

namespace lockstep::msccl {

CollectiveChunks::CollectiveChunks(std::string operation, Rank ranks, std::uint32_t loop_chunks, bool in_place,
                                   Rank root)
    : operation_(std::move(operation)),
      ranks_(ranks),
      loop_(loop_chunks),
      block_(loop_chunks / ranks),
      in_place_(in_place),
      root_(root) {}

std::string CollectiveChunks::refusal() const {
  const bool has_blocks = written::is_of_blocks(operation_) || operation_ == "reduce-scatter";
  if (has_blocks && loop_ % ranks_ != 0) {
    return "nchunksperloop is " + std::to_string(loop_) + ", no multiple of its " + std::to_string(ranks_) + " gpus";
  }
  if (Wide{ranks_} * ranks_ * loop_ > most_summands) return "it has too many chunks to follow each of them";
  return {};
}

std::uint32_t CollectiveChunks::chunks_of_words() const { return written::is_of_blocks(operation_) ? block_ : loop_; }

std::uint32_t CollectiveChunks::input_chunks(Rank rank) const {
  if (operation_ == "allgather" || operation_ == "gather") return block_;
  if (operation_ == "broadcast" || operation_ == "scatter") return rank == root_ || in_place_ ? loop_ : 0;
  return loop_;
}

std::uint32_t CollectiveChunks::output_chunks(Rank rank) const {
  if (operation_ == "reduce-scatter" || operation_ == "scatter") return block_;
  if (operation_ == "reduce" || operation_ == "gather") return rank == root_ || in_place_ ? loop_ : 0;
  return loop_;
}

std::uint32_t CollectiveChunks::in_place_offset(Rank rank) const {
  const bool is_shifted = input_is_in_output() || operation_ == "reduce-scatter" || operation_ == "scatter";
  return is_shifted ? rank * block_ : 0;
}

ChunkSum CollectiveChunks::sum_of_all(std::uint32_t chunk) const {
  ChunkSum sum;
  for (Rank rank = 0; rank < ranks_; ++rank) sum.push_back({rank, chunk});
  return sum;
}

std::vector<ChunkContent> CollectiveChunks::initial(const ChunkPlaces& places) const {
  std::vector<ChunkContent> contents;
  const Rank rank = places.rank();
  if ((operation_ == "broadcast" || operation_ == "scatter") && rank != root_) return contents;
  for (std::uint32_t chunk = 0; chunk < input_chunks(rank); ++chunk) {
    contents.push_back({places.number(0, chunk), {{rank, chunk}}});
  }
  return contents;
}

std::vector<ChunkContent> CollectiveChunks::demanded(const ChunkPlaces& places) const {
  std::vector<ChunkContent> contents;
  const Rank rank = places.rank();
  if ((operation_ == "reduce" || operation_ == "gather") && rank != root_) return contents;
  for (std::uint32_t chunk = 0; chunk < output_chunks(rank); ++chunk) {
    ChunkSum sum;
    if (operation_ == "allreduce" || operation_ == "reduce") {
      sum = sum_of_all(chunk);
    } else if (operation_ == "reduce-scatter") {
      sum = sum_of_all(rank * block_ + chunk);
    } else if (operation_ == "broadcast") {
      sum = {{root_, chunk}};
    } else if (operation_ == "scatter") {
      sum = {{root_, rank * block_ + chunk}};
    } else if (operation_ == "alltoall") {
      sum = {{chunk / block_, rank * block_ + chunk % block_}};
    } else {
      sum = {{chunk / block_, chunk % block_}};
    }
    contents.push_back({places.number(1, chunk), std::move(sum)});
  }
  return contents;
}

ChunkPlaces::ChunkPlaces(const CollectiveChunks& collective, Rank rank, const std::array<std::uint32_t, 3>& declared)
    : rank_(rank) {
  sizes_[0] = std::max(declared[0], collective.input_chunks(rank));
  sizes_[1] = std::max(declared[1], collective.output_chunks(rank));
  sizes_[2] = declared[2];
  if (!collective.in_place()) {
    first_ = {0, sizes_[0], sizes_[0] + sizes_[1]};
  } else if (collective.input_is_in_output()) {
    const std::uint32_t offset = collective.in_place_offset(rank);
    first_ = {offset, 0, std::max(sizes_[1], offset + sizes_[0])};
  } else {
    const std::uint32_t offset = collective.in_place_offset(rank);
    first_ = {0, offset, std::max(sizes_[0], offset + sizes_[1])};
  }
  all_ = first_[2] + sizes_[2];
}

std::string ChunkPlaces::chunks_text(int buffer, std::int64_t offset, std::uint32_t count) const {
  std::string text = std::string(1, "ios"[buffer]) + "[" + std::to_string(offset);
  if (count > 1) text += ".." + std::to_string(offset + std::int64_t{count} - 1);
  return text + "]";
}

std::vector<std::string> ChunkPlaces::names() const {
  std::vector<std::string> names(all_);
  for (const int buffer : {0, 1, 2}) {
    for (std::uint32_t offset = 0; offset < size(buffer); ++offset) {
      std::string& name = names[number(buffer, offset)];
      if (name.empty()) name = chunks_text(buffer, offset, 1);
    }
  }
  return names;
}

}  // namespace lockstep::msccl
