#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "lockstep/core/model.hpp"

namespace lockstep {

/// Words that share an origin or a destination: a fixed number of words, owned. A single word needs no allocation,
/// so that a million one-word messages cost no more than they must.
class Block {
 public:
  /// No words.
  Block() = default;
  /// `size` words, all 0.
  explicit Block(std::uint64_t size) : size_(size), many_(size > 1 ? new Word[size]() : nullptr) {}
  Block(const Block& other) : Block(other.size_) { std::copy_n(other.data(), size_, data()); }
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
  Word* data() { return size_ > 1 ? many_.get() : &one_; }
  const Word* data() const { return size_ > 1 ? many_.get() : &one_; }
  Word& operator[](std::uint64_t index) { return data()[index]; }
  const Word& operator[](std::uint64_t index) const { return data()[index]; }

  friend bool operator==(const Block& a, const Block& b) {
    return a.size_ == b.size_ && std::equal(a.data(), a.data() + a.size_, b.data());
  }

 private:
  std::uint64_t size_ = 0;
  Word one_ = 0;
  std::unique_ptr<Word[]> many_;
};

inline std::uint64_t words(const Block& block) { return block.size(); }

/// Inverts every bit of one word; a fault that tests plant.
inline void corrupt(Block& block) {
  if (block.size() > 0) block[block.size() / 2] = ~block[block.size() / 2];
}

}  // namespace lockstep
