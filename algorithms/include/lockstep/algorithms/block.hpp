#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "lockstep/algorithms/shared_array.hpp"
#include "lockstep/core/model.hpp"

namespace lockstep {

/// Words that share an origin or a destination: a fixed number of words, a value. Copies share their memory until one
/// of them changes. A single word needs no allocation, so that a million one-word messages cost no more than they must.
class Block {
 public:
  /// No words.
  Block() = default;
  /// `size` words, all 0.
  explicit Block(std::uint64_t size) : size_(size) {
    if (size > 1) std::fill_n(many_.extend(size), size, 0);
  }
  /// A copy of these words.
  explicit Block(std::span<const Word> words) : size_(words.size()) {
    if (size_ == 1) one_ = words.front();
    if (size_ > 1) many_.append(words.data(), size_);
  }
  Block(const Block&) = default;
  Block(Block&& other) noexcept
      : size_(std::exchange(other.size_, 0)), one_(other.one_), many_(std::move(other.many_)) {}
  Block& operator=(Block other) noexcept {
    size_ = other.size_;
    one_ = other.one_;
    many_ = std::move(other.many_);
    return *this;
  }
  ~Block() = default;

  std::uint64_t size() const { return size_; }
  /// The words, to be changed: asking for them costs a copy if others share them.
  Word* data() { return size_ > 1 ? many_.edit() : &one_; }
  const Word* data() const { return size_ > 1 ? many_.data() : &one_; }
  Word& operator[](std::uint64_t index) { return data()[index]; }
  const Word& operator[](std::uint64_t index) const { return data()[index]; }
  std::span<const Word> words() const { return {data(), size_}; }

  friend bool operator==(const Block& a, const Block& b) {
    return a.size_ == b.size_ && (a.size_ > 1 ? a.many_ == b.many_ : a.size_ == 0 || a.one_ == b.one_);
  }

 private:
  std::uint64_t size_ = 0;
  Word one_ = 0;
  SharedArray<Word> many_;
};

inline std::uint64_t words(const Block& block) { return block.size(); }

/// Bytes that a block of so many words takes besides itself.
constexpr std::uint64_t allocated_bytes(std::uint64_t words) { return words > 1 ? SharedArray<Word>::bytes(words) : 0; }

/// Inverts every bit of one word; a fault that tests plant.
inline void corrupt(Block& block) {
  if (block.size() > 0) block[block.size() / 2] = ~block[block.size() / 2];
}

}  // namespace lockstep
