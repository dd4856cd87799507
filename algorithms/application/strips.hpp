#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "application.hpp"
#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/gray_code.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "operands/partials.hpp"

// A square grid in strips of rows, along the Gray code's path through a cube: neighbours on the grid are neighbours in
// the machine.
namespace lockstep::application {

/// A message of these words from that rank, for any payload type.
template <Payload T>
T letter(Rank from, std::span<const Word> words) {
  if constexpr (std::is_same_v<T, Bundle>) {
    return Bundle(Piece{from, from, 0, words});
  } else if constexpr (std::is_same_v<T, LabelledBlock>) {
    return {.origin = from, .destination = from, .block = Block(words)};
  } else {
    return {from, 1, Block(words)};
  }
}

inline std::span<const Word> words_of(const Bundle& bundle) { return bundle.at(0).block; }
inline std::span<const Word> words_of(const LabelledBlock& labelled) { return labelled.block.words(); }
inline std::span<const Word> words_of(const operands::Partial<Block>& partial) { return partial.value.words(); }

/// The rank that a letter is from.
inline Rank sender_of(const Bundle& bundle) { return bundle.at(0).origin; }
inline Rank sender_of(const LabelledBlock& labelled) { return labelled.origin; }
inline Rank sender_of(const operands::Partial<Block>& partial) { return partial.first; }

/// The strips of a grid of `side` rows; where they cannot be equal, the first ones are a row higher.
///
///     ranks:  0   1   3   2   6   7   5   4      of a 3-cube
///     place:  0 - 1 - 2 - 3 - 4 - 5 - 6 - 7      of the strip, from the top; those at the end may have no row
class Strips {
 public:
  Strips(std::uint64_t side, std::uint64_t processors) : rows_(side, processors) {}

  std::uint64_t side() const { return rows_.words(); }
  /// Strips that have a row.
  std::uint64_t used() const { return std::min(rows_.words(), rows_.pieces()); }
  std::uint64_t place(Rank rank) const { return inverse_gray(rank); }
  std::uint64_t rows(Rank rank) const { return rows_.size(place(rank)); }
  std::uint64_t first_row(Rank rank) const { return rows_.first(place(rank)); }
  std::uint64_t most_rows() const { return rows_.longest(); }

  /// Whether there is a strip below, or above; the ports that lead there.
  bool has_next(Rank rank) const { return place(rank) + 1 < used(); }
  bool has_previous(Rank rank) const { return place(rank) > 0 && place(rank) < used(); }
  Port next(Rank rank) const { return highest_bit(rank ^ gray(static_cast<Rank>(place(rank) + 1))); }
  Port previous(Rank rank) const { return highest_bit(rank ^ gray(static_cast<Rank>(place(rank) - 1))); }

 private:
  Split rows_;
};

}  // namespace lockstep::application
