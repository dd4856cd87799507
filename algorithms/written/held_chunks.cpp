#include "written/held_chunks.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace lockstep::written {
namespace {

void add(Block& sum, const Block& summand) {
  for (std::uint64_t word = 0; word < sum.size(); ++word) sum[word] += summand[word];
}

}  // namespace

void HeldChunks::keep(std::uint64_t number, Block block, double arrival, bool adds, const Summands& whose) {
  const std::uint64_t words = block.size();
  if (!whose.empty()) {
    std::vector<Sum>& sums = apart_[number];
    if (!adds) {
      words_ -= sums.size() * words;
      sums.clear();
    }
    sums.push_back({whose, std::move(block)});
    words_ += words;
    return;
  }
  const auto [found, is_new] = held_.try_emplace(number);
  HeldItem& item = found->second;
  if (is_new) {
    item = {std::move(block), arrival};
    words_ += words;
  } else if (adds) {
    add(item.block, block);
  } else {
    item.block = std::move(block);
  }
}

std::pair<Block, double> HeldChunks::take(std::uint64_t number, const Summands& whose, bool leaves) {
  if (!whose.empty()) {
    Block sum;
    for (const Sum& one : apart_[number]) {
      if (!is_within(one.whose, whose)) continue;
      if (sum.size() == 0) {
        sum = one.block;
      } else {
        add(sum, one.block);
      }
    }
    return {std::move(sum), 0};
  }
  const auto found = held_.find(number);
  if (found == held_.end()) throw std::logic_error("the block to send is not here");
  if (leaves) leaving_.push_back(found);
  return {found->second.block, found->second.arrival};
}

void HeldChunks::mark_leaving(std::uint64_t number) {
  const auto found = held_.find(number);
  if (found != held_.end()) leaving_.push_back(found);
}

void HeldChunks::leave_marked() {
  for (const HeldItems::iterator item : leaving_) {
    words_ -= item->second.block.size();
    held_.erase(item);
  }
  leaving_.clear();
}

void HeldChunks::add_up() {
  for (auto& [number, sums] : apart_) {
    for (Sum& sum : sums) keep(number, std::move(sum.block), 0, true, {});
  }
  apart_.clear();
}

std::vector<Piece> HeldChunks::pieces(const Chunks& chunks, Rank rank) const {
  std::vector<Piece> pieces;
  pieces.reserve(held_.size());
  for (const auto& [number, item] : held_) {
    const auto [labels, chunk] = chunks.at(number);
    if (chunks.are_copied() && !chunks.ends_at(rank, labels)) continue;
    pieces.push_back({labels.origin, labels.destination, chunk * item.block.size(), item.block.words()});
  }
  return pieces;
}

}  // namespace lockstep::written
