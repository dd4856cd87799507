#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

/// A block or a part of one as it lies in a bundle or a block, with its labels: the words from number `first` on of
/// what `origin` has for `destination` (for itself, where the block is for all). The words are those of whoever holds
/// them.
struct Piece {
  Rank origin = no_rank;
  Rank destination = no_rank;
  std::uint64_t first = 0;
  std::span<const Word> block;

  /// The words from `from` on of the piece, as a piece of their own.
  Piece part(std::uint64_t from, std::uint64_t size) const {
    return {origin, destination, first + from, block.subspan(from, size)};
  }

  friend bool operator==(const Piece& a, const Piece& b) {
    return a.origin == b.origin && a.destination == b.destination && a.first == b.first &&
           std::equal(a.block.begin(), a.block.end(), b.block.begin(), b.block.end());
  }
};

/// Pieces that are held or travel together: their labels in one buffer, and their words in another, one piece after the
/// other. Its length is the sum of theirs; labels cost nothing. Copies share both buffers until one of them changes.
class Bundle {
 public:
  Bundle() = default;
  /// Of one piece, whose words are copied.
  explicit Bundle(const Piece& piece) { add(piece); }

  /// The number of pieces.
  std::uint64_t size() const { return labels_.size(); }
  bool empty() const { return labels_.empty(); }
  /// All words, one piece after the other.
  std::span<const Word> words() const { return {words_.data(), words_.size()}; }
  Piece operator[](std::uint64_t index) const {
    const Labels& labels = labels_[index];
    const std::uint64_t begin = index == 0 ? 0 : labels_[index - 1].end;
    return {labels.origin, labels.destination, labels.first, {words_.data() + begin, labels.end - begin}};
  }

  /// The same; throws std::out_of_range if there is no such piece.
  Piece at(std::uint64_t index) const {
    if (index >= size()) throw std::out_of_range("a bundle of fewer pieces");
    return (*this)[index];
  }
  /// All pieces; their words are the bundle's.
  std::vector<Piece> pieces() const { return {begin(), end()}; }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Piece;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Piece;

    Iterator(const Bundle& bundle, std::uint64_t index) : bundle_(&bundle), index_(index) {}
    Piece operator*() const { return (*bundle_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) { return {*bundle_, index_++}; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }

   private:
    const Bundle* bundle_;
    std::uint64_t index_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

  /// Adds a copy of the piece.
  void add(const Piece& piece) {
    Word* const room = add(piece.origin, piece.destination, piece.first, piece.block.size());
    std::copy_n(piece.block.data(), piece.block.size(), room);
  }
  /// Adds a piece of so many words, which are to be written where it says.
  Word* add(Rank origin, Rank destination, std::uint64_t first, std::uint64_t size) {
    *labels_.extend(1) = {origin, destination, first, words_.size() + size};
    return words_.extend(size);
  }
  /// Adds copies of the pieces, in their order.
  void add(const Bundle& bundle);
  void clear() {
    labels_.truncate(0);
    words_.truncate(0);
  }
  /// Makes room for so many pieces and words altogether.
  void reserve(std::uint64_t pieces, std::uint64_t words) {
    labels_.reserve(pieces);
    words_.reserve(words);
  }
  /// Says anew whose a piece is and for whom.
  void label(std::uint64_t index, Rank origin, Rank destination) {
    Labels& labels = labels_.edit()[index];
    labels.origin = origin;
    labels.destination = destination;
  }

  /// Takes the pieces of which leaves(piece) is true out, as a bundle of their own; all keep their order.
  template <class Leaves>
  Bundle take(const Leaves& leaves);

  friend bool operator==(const Bundle&, const Bundle&) = default;
  friend void corrupt(Bundle& bundle);

  /// Bytes that so many pieces of so many words together take besides the bundle.
  static constexpr std::uint64_t bytes(std::uint64_t pieces, std::uint64_t words) {
    return SharedArray<Labels>::bytes(pieces) + SharedArray<Word>::bytes(words);
  }
  /// Bytes of the labels of one piece.
  static constexpr std::uint64_t bytes_of_labels() { return sizeof(Labels); }

 private:
  struct Labels {
    Rank origin;
    Rank destination;
    std::uint64_t first;
    std::uint64_t end;  ///< of its words among all

    friend bool operator==(const Labels&, const Labels&) = default;
  };

  SharedArray<Labels> labels_;
  SharedArray<Word> words_;
};

inline std::uint64_t words(const Bundle& bundle) { return bundle.words().size(); }

/// Adds what has come to what is held.
inline void keep(Bundle& held, Bundle received) {
  if (held.empty()) {
    held = std::move(received);
  } else {
    held.add(received);
  }
}

/// Throws std::logic_error unless the bundle is one piece, and of that block.
void check_only_piece(const Bundle& bundle, Rank origin, Rank destination);

/// A fault that tests plant: inverts every bit of one word of a piece, or, if others have been sent the same bundle, of
/// every piece, as a hearer may keep only one of them. The others hear what was said.
void corrupt(Bundle& bundle);

/// A move for each of its pieces.
void log_blocks(const Bundle& bundle, const Move& link, MoveLog& log, std::vector<Move>& moves);

template <class Leaves>
Bundle Bundle::take(const Leaves& leaves) {
  std::uint64_t pieces = 0;
  std::uint64_t words = 0;
  for (const Piece& piece : *this) {
    if (!leaves(piece)) continue;
    ++pieces;
    words += piece.block.size();
  }
  if (pieces == size()) return std::exchange(*this, {});
  Bundle taken;
  if (pieces == 0) return taken;
  Labels* next_taken = taken.labels_.extend(pieces);
  Word* const taken_words = taken.words_.extend(words);
  Labels* const labels = labels_.edit();
  Word* const own_words = words_.edit();
  std::uint64_t begin = 0;
  std::uint64_t taken_end = 0;
  std::uint64_t kept = 0;
  std::uint64_t kept_end = 0;
  for (std::uint64_t index = 0; index < labels_.size(); ++index) {
    const Labels piece = labels[index];
    const std::uint64_t size = piece.end - begin;
    const Word* const from = own_words + begin;
    begin = piece.end;
    if (leaves(Piece{piece.origin, piece.destination, piece.first, {from, size}})) {
      std::copy_n(from, size, taken_words + taken_end);
      taken_end += size;
      *next_taken++ = {piece.origin, piece.destination, piece.first, taken_end};
    } else {
      std::copy_n(from, size, own_words + kept_end);
      kept_end += size;
      labels[kept++] = {piece.origin, piece.destination, piece.first, kept_end};
    }
  }
  labels_.truncate(kept);
  words_.truncate(kept_end);
  labels_.shrink();
  words_.shrink();
  return taken;
}

}  // namespace lockstep
