#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lockstep/algorithms/labelled_block.hpp"

namespace lockstep {

/// Pieces that are held or travel together. Its length is the sum of theirs; labels cost nothing. Copies share their
/// memory until one of them changes.
///
/// Short pieces lie one after the other in one buffer, each behind its labels, so that many move by one copy. Long ones
/// are blocks of their own, which move and are shared without being copied. So pieces are in the order in which they
/// were added, but short ones come before long ones.
///
///     | origin, destination | first, size | word | word |  origin, destination | first, size | word |  ..
class Bundle {
 public:
  /// The most words of a short piece.
  static constexpr std::uint64_t most_short = 16;

  Bundle() = default;
  /// One piece, whose words are copied.
  explicit Bundle(const Piece& piece) { add(piece); }
  Bundle(const Bundle&) = default;
  Bundle(Bundle&& other) noexcept
      : short_(std::move(other.short_)),
        long_(std::move(other.long_)),
        short_pieces_(std::exchange(other.short_pieces_, 0)),
        stride_(other.stride_) {}
  Bundle& operator=(Bundle other) noexcept {
    short_ = std::move(other.short_);
    long_ = std::move(other.long_);
    short_pieces_ = other.short_pieces_;
    stride_ = other.stride_;
    return *this;
  }
  ~Bundle() = default;

  /// The number of pieces.
  std::uint64_t size() const { return short_pieces_ + long_.size(); }
  /// Whether it holds no piece.
  bool empty() const { return size() == 0; }
  /// Words of all pieces; takes time in proportion to the long ones.
  std::uint64_t words() const {
    std::uint64_t sum = short_.size() - label_words * short_pieces_;
    for (const LabelledBlock& labelled : long_) sum += labelled.block.size();
    return sum;
  }
  /// In constant time if all short pieces have the same length, or had it in the bundles from which they were taken.
  Piece operator[](std::uint64_t index) const {
    return index < short_pieces_ ? piece_at(short_.data() + place_of(index)) : long_[index - short_pieces_].piece();
  }

  /// The same; throws std::out_of_range if there is no such piece.
  Piece at(std::uint64_t index) const {
    if (index >= size()) throw std::out_of_range("a bundle of fewer pieces");
    return (*this)[index];
  }
  /// A piece as a block of its own, which shares memory with the bundle if it is long.
  LabelledBlock block(std::uint64_t index) const {
    if (index >= short_pieces_) return long_[index - short_pieces_];
    const Piece piece = (*this)[index];
    return {piece.origin, piece.destination, piece.first, Block(piece.block)};
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

    Iterator(const Word* at, const Word* end_of_short, const LabelledBlock* next_long)
        : at_(at), end_of_short_(end_of_short), next_long_(next_long) {}
    Piece operator*() const { return at_ != end_of_short_ ? piece_at(at_) : next_long_->piece(); }
    Iterator& operator++() {
      if (at_ != end_of_short_) {
        at_ += length_at(at_);
      } else {
        ++next_long_;
      }
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.at_ == b.at_ && a.next_long_ == b.next_long_;
    }

   private:
    const Word* at_;
    const Word* end_of_short_;
    const LabelledBlock* next_long_;
  };
  Iterator begin() const { return {short_.begin(), short_.end(), long_.begin()}; }
  Iterator end() const { return {short_.end(), short_.end(), long_.end()}; }

  /// Adds a copy of the piece.
  void add(const Piece& piece) {
    Word* const room = add(piece.origin, piece.destination, piece.first, piece.block.size());
    copy_some(piece.block.data(), piece.block.size(), room);
  }
  /// Adds a piece of `size` words, which the caller must write to the returned place.
  Word* add(Rank origin, Rank destination, std::uint64_t first, std::uint64_t size) {
    if (size > most_short) return add_long({origin, destination, first, Block(size)}).block.data();
    Word* const room = short_.extend(label_words + size);
    room[0] = std::uint64_t{origin} << rank_bits | destination;
    room[1] = first << size_bits | size;
    stride_ = short_pieces_ == 0 || stride_ == label_words + size ? static_cast<std::uint32_t>(label_words + size) : 0;
    ++short_pieces_;
    return room + label_words;
  }
  /// Adds a block, whose memory is shared if it is long.
  void add(const LabelledBlock& labelled) {
    if (labelled.block.size() > most_short) {
      add_long(labelled);
    } else {
      add(labelled.piece());
    }
  }
  /// Adds `size` words of a piece of another bundle, sharing memory if they are many.
  void add_part(const Bundle& bundle, std::uint64_t index, std::uint64_t from, std::uint64_t size);
  /// Adds the whole piece.
  void add_piece(const Bundle& bundle, std::uint64_t index) {
    add_part(bundle, index, 0, bundle.at(index).block.size());
  }
  /// Adds the pieces, in their order.
  void add(Bundle bundle);

  /// Removes all pieces.
  void clear() { *this = {}; }
  /// Makes room for that many pieces of equal length, of `words` words together.
  void reserve(std::uint64_t pieces, std::uint64_t words) {
    if (words <= pieces * most_short) {
      short_.reserve(pieces * label_words + words);
    } else {
      long_.reserve(pieces);
    }
  }
  /// Changes a piece's origin and destination.
  void label(std::uint64_t index, Rank origin, Rank destination) {
    if (index < short_pieces_) {
      const std::uint64_t place = place_of(index);
      short_.edit()[place] = std::uint64_t{origin} << rank_bits | destination;
    } else {
      LabelledBlock& labelled = long_.edit()[index - short_pieces_];
      labelled.origin = origin;
      labelled.destination = destination;
    }
  }

  /// Removes the pieces for which leaves(piece) is true, and returns them as a bundle; all keep their order.
  template <class Leaves>
  Bundle take(const Leaves& leaves);
  /// Adds every piece to the bundle that to(piece) returns, which must be another one; this one is empty afterwards.
  template <class To>
  void deal(const To& to);

  friend bool operator==(const Bundle& a, const Bundle& b) { return a.short_ == b.short_ && a.long_ == b.long_; }
  friend void corrupt(Bundle& bundle);
  friend void pack(const Bundle& bundle, ByteWriter& to);
  friend Bundle unpack(ByteReader& from, std::type_identity<Bundle>);

  /// Bytes that pieces of equal length, of `words` words together, take besides the bundle.
  static constexpr std::uint64_t bytes(std::uint64_t pieces, std::uint64_t words) {
    if (words <= pieces * most_short) return SharedArray<Word>::bytes(pieces * label_words + words);
    return SharedArray<LabelledBlock>::bytes(pieces) + pieces * allocated_bytes((words + pieces - 1) / pieces);
  }
  /// Bytes of one piece of `words` words where it lies in a bundle; the words of a long piece lie elsewhere.
  static constexpr std::uint64_t bytes_in_place(std::uint64_t words) {
    return words <= most_short ? (label_words + words) * sizeof(Word) : sizeof(LabelledBlock);
  }
  /// Bytes of the words of a piece that lie elsewhere, however many bundles share them.
  static constexpr std::uint64_t bytes_elsewhere(std::uint64_t words) {
    return words <= most_short ? 0 : allocated_bytes(words);
  }
  /// Bytes of those words for a piece that was added from another bundle (add_piece): copies of a long one share them.
  static constexpr std::uint64_t bytes_of_copy(std::uint64_t words) {
    return words <= Block::most_copied ? bytes_elsewhere(words) : 0;
  }

 private:
  static constexpr std::uint64_t label_words = 2;
  static constexpr int rank_bits = 32;
  static constexpr int size_bits = 8;
  static_assert(most_short < 1U << size_bits);

  /// The piece whose labels lie there.
  static Piece piece_at(const Word* at) {
    return {static_cast<Rank>(at[0] >> rank_bits),
            static_cast<Rank>(at[0]),
            at[1] >> size_bits,
            {at + label_words, length_at(at) - label_words}};
  }
  /// Words of the piece whose labels lie there, labels included.
  static std::uint64_t length_at(const Word* at) { return label_words + at[1] % (1U << size_bits); }
  /// Where the labels of a short piece lie.
  std::uint64_t place_of(std::uint64_t index) const {
    if (stride_ != 0) return index * stride_;
    const Word* at = short_.data();
    for (; index > 0; --index) at += length_at(at);
    return static_cast<std::uint64_t>(at - short_.data());
  }
  LabelledBlock& add_long(LabelledBlock labelled) { return *long_.extend(1) = std::move(labelled); }

  /// Throws std::out_of_range if the short pieces do not fit their number and labels.
  void check_short() const;

  /// Adds short pieces that lie side by side in another bundle.
  void add_run(const Word* begin, const Word* end, std::uint32_t pieces, std::uint32_t stride) {
    stride_ = short_pieces_ == 0 || stride_ == stride ? stride : 0;
    short_pieces_ += pieces;
    short_.append(begin, static_cast<std::uint64_t>(end - begin));
  }

  template <class Leaves>
  void take_short(const Leaves& leaves, Bundle& taken);
  template <class Leaves>
  void take_long(const Leaves& leaves, Bundle& taken);

  SharedArray<Word> short_;
  SharedArray<LabelledBlock> long_;
  std::uint32_t short_pieces_ = 0;
  std::uint32_t stride_ = 0;  // from short piece to short piece; 0 if their lengths differ
};

/// Length of a bundle as a payload: its labels count 0.
inline std::uint64_t words(const Bundle& bundle) { return bundle.words(); }

/// All pieces, for another process; there, each bundle has its own copy of shared memory.
void pack(const Bundle& bundle, ByteWriter& to);
/// The inverse of pack().
Bundle unpack(ByteReader& from, std::type_identity<Bundle>);

/// Throws std::logic_error unless the bundle is one piece, of that block.
void check_only_piece(const Bundle& bundle, Rank origin, Rank destination);

/// A fault that tests plant: inverts every bit of one word of a piece, or, if the same bundle has been sent to others,
/// of every piece, as a receiver may keep only one of them. The others receive the bundle unchanged.
void corrupt(Bundle& bundle);

/// Adds a move for each piece.
void log_blocks(const Bundle& bundle, const Move& link, MoveLog& log, std::vector<Move>& moves);

template <class Leaves>
Bundle Bundle::take(const Leaves& leaves) {
  Bundle taken;
  if (short_pieces_ > 0) take_short(leaves, taken);
  if (!long_.empty()) take_long(leaves, taken);
  return taken;
}

template <class To>
void Bundle::deal(const To& to) {
  for (const Word* run = short_.begin(); run != short_.end();) {
    Bundle& receiver = to(piece_at(run));
    const Word* end = run + length_at(run);
    std::uint32_t pieces = 1;
    for (; end != short_.end() && &to(piece_at(end)) == &receiver; end += length_at(end)) ++pieces;
    receiver.add_run(run, end, pieces, stride_);
    run = end;
  }
  const bool is_shared = long_.is_shared();
  LabelledBlock* const begin = is_shared ? nullptr : long_.edit();
  for (std::uint64_t index = 0; index < long_.size(); ++index) {
    Bundle& receiver = to(long_[index].piece());
    receiver.add_long(is_shared ? LabelledBlock(long_[index]) : std::move(begin[index]));
  }
  clear();
}

// Adjacent pieces that leave together, or stay, are copied together.
template <class Leaves>
void Bundle::take_short(const Leaves& leaves, Bundle& taken) {
  const std::uint64_t size = short_.size();
  const Word* begin = short_.begin();
  Word* kept = nullptr;  // place of the next piece that stays; null until the first run has ended
  bool is_leaving = leaves(piece_at(begin));
  std::uint64_t length = 0;
  for (std::uint64_t run = 0; run < size; run += length) {
    length = 0;
    std::uint32_t pieces = 0;
    bool next_leaves = is_leaving;
    while (next_leaves == is_leaving && run + length < size) {
      length += length_at(begin + run + length);
      ++pieces;
      if (run + length < size) next_leaves = leaves(piece_at(begin + run + length));
    }
    if (length == size) {
      if (is_leaving) {
        std::swap(short_, taken.short_);
        taken.short_pieces_ = std::exchange(short_pieces_, 0);
        taken.stride_ = stride_;
      }
      return;
    }
    if (kept == nullptr) {
      begin = kept = short_.edit();
      taken.short_.reserve(size / 2);
    }
    if (is_leaving) {
      taken.add_run(begin + run, begin + run + length, pieces, stride_);
    } else {
      if (kept != begin + run) copy_some(begin + run, length, kept);
      kept += length;
    }
    is_leaving = next_leaves;
  }
  short_pieces_ -= taken.short_pieces_;
  short_.truncate(static_cast<std::uint64_t>(kept - begin));
  short_.shrink();
  taken.short_.shrink();
}

template <class Leaves>
void Bundle::take_long(const Leaves& leaves, Bundle& taken) {
  const auto is_leaving = [&](const LabelledBlock& labelled) { return leaves(labelled.piece()); };
  const auto pieces = static_cast<std::uint64_t>(std::count_if(long_.begin(), long_.end(), is_leaving));
  if (pieces == 0) return;
  if (pieces == long_.size()) return std::swap(long_, taken.long_);
  LabelledBlock* out = taken.long_.extend(pieces);
  LabelledBlock* const begin = long_.edit();
  LabelledBlock* kept = begin;
  for (LabelledBlock* next = begin; next != begin + long_.size(); ++next) {
    if (is_leaving(*next)) {
      *out++ = std::move(*next);
    } else {
      if (kept != next) *kept = std::move(*next);
      ++kept;
    }
  }
  long_.truncate(static_cast<std::uint64_t>(kept - begin));
  long_.shrink();
}

/// Throws std::logic_error unless is_right(piece) is true of all pieces: a message in the wrong place is found there,
/// even if its blocks would find their way all the same.
template <class IsRight>
void check(const Bundle& pieces, const IsRight& is_right) {
  if (!std::all_of(pieces.begin(), pieces.end(), is_right)) {
    throw std::logic_error("a message of other blocks than planned");
  }
}

/// On a cube: whether the piece can be at the rank when it has been sent to its destination's side of the dimensions
/// whose bits `crossed` has, and of no others.
inline bool can_be_at(Rank rank, const Piece& piece, Rank crossed) {
  return ((piece.origin ^ rank) & ~crossed) == 0 && ((piece.destination ^ rank) & crossed) == 0;
}

}  // namespace lockstep
