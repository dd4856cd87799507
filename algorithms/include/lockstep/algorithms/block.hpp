#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/algorithms/shared_array.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/core/packing.hpp"

namespace lockstep {

struct Move;
struct MoveLog;

/// A fixed number of words that share an origin or a destination; a value. Copies and long parts share their memory
/// until one of them changes. A single word needs no allocation, which keeps a million one-word messages cheap.
class Block {
 public:
  /// The most words of a part that is copied, which costs no more than counting the holders of its memory.
  static constexpr std::uint64_t most_copied = 64;

  /// No words.
  Block() = default;
  /// `size` words, all 0.
  explicit Block(std::uint64_t size) : size_(size) {
    if (size > 1) std::fill_n(many_.extend(size), size, 0);
  }
  /// A copy of these words.
  explicit Block(std::span<const Word> words) : size_(words.size()) {
    if (size_ == 1) one_or_begin_ = words.front();
    if (size_ > 1) many_.append(words.data(), size_);
  }
  /// The words from `first` on as a block of their own.
  Block part(std::uint64_t first, std::uint64_t size) const {
    if (size <= most_copied) return Block(words().subspan(first, size));
    Block part = *this;
    part.size_ = size;
    part.one_or_begin_ += first;
    return part;
  }
  Block(const Block&) = default;
  Block(Block&& other) noexcept
      : size_(std::exchange(other.size_, 0)), one_or_begin_(other.one_or_begin_), many_(std::move(other.many_)) {}
  Block& operator=(Block other) noexcept {
    size_ = other.size_;
    one_or_begin_ = other.one_or_begin_;
    many_ = std::move(other.many_);
    return *this;
  }
  ~Block() = default;

  /// Its length in words.
  std::uint64_t size() const { return size_; }
  /// The words, to be changed: the call makes a copy if others share them.
  Word* data() {
    if (size_ <= 1) return &one_or_begin_;
    if (many_.is_shared()) *this = Block(words());
    return many_.edit() + one_or_begin_;
  }
  /// The words, to be read.
  const Word* data() const { return size_ > 1 ? many_.data() + one_or_begin_ : &one_or_begin_; }
  /// A word below size(), to be changed: see data().
  Word& operator[](std::uint64_t index) { return data()[index]; }
  /// A word below size(), to be read.
  const Word& operator[](std::uint64_t index) const { return data()[index]; }
  /// All words, to be read, as long as the block lives and is not changed.
  std::span<const Word> words() const { return {data(), size_}; }

  friend bool operator==(const Block& a, const Block& b) {
    return a.size_ == b.size_ && (a.data() == b.data() || std::equal(a.data(), a.data() + a.size_, b.data()));
  }

 private:
  std::uint64_t size_ = 0;
  Word one_or_begin_ = 0;  // the only word; of more, the place of the first in many_
  SharedArray<Word> many_;
};

/// Length of a block as a payload.
inline std::uint64_t words(const Block& block) { return block.size(); }

/// The words, preceded by their number, for another process; long ones go once and are shared there as they are here.
void pack(const Block& block, ByteWriter& to);
/// The inverse of pack().
Block unpack(ByteReader& from, std::type_identity<Block>);

/// Bytes that a block of `words` words takes besides itself.
constexpr std::uint64_t allocated_bytes(std::uint64_t words) { return words > 1 ? SharedArray<Word>::bytes(words) : 0; }

/// Inverts every bit of one word; a fault that tests plant.
inline void corrupt(Block& block) {
  if (block.size() > 0) block[block.size() / 2] = ~block[block.size() / 2];
}

/// Adds a move of the log's item, if there is one, or of a part of it if the block is not the whole.
void log_blocks(const Block& block, const Move& link, MoveLog& log, std::vector<Move>& moves);

}  // namespace lockstep
