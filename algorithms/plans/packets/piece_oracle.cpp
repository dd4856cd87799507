#include "lockstep/algorithms/piece_oracle.hpp"

#include <algorithm>
#include <tuple>

namespace lockstep {
namespace {

auto place(const Piece& piece) { return std::tie(piece.origin, piece.destination, piece.first); }

bool belongs(const Piece& piece, const BlockLabels& labels) {
  return piece.origin == labels.origin && piece.destination == labels.destination;
}

bool before(const Piece& piece, const BlockLabels& labels) {
  return std::tie(piece.origin, piece.destination) < std::tie(labels.origin, labels.destination);
}

std::string text(Rank rank) { return rank == no_rank ? "no rank" : "rank " + std::to_string(rank); }

std::string foreign(Rank rank, const Piece& piece) {
  return text(rank) + " holds " + std::to_string(piece.block.size()) + " words from " + text(piece.origin) + " for " +
         text(piece.destination) + ", which it should not";
}

}  // namespace

Verdict PieceOracle::judge(Rank rank, std::vector<Piece> held, std::span<const BlockLabels> should_hold) const {
  std::sort(held.begin(), held.end(), [](const Piece& a, const Piece& b) { return place(a) < place(b); });
  Verdict verdict;
  const auto blame = [&](std::string what) {
    if (verdict.wrong.empty()) verdict.wrong = std::move(what);
  };
  auto piece = held.begin();
  for (const BlockLabels& labels : should_hold) {
    for (; piece != held.end() && before(*piece, labels); ++piece) blame(foreign(rank, *piece));
    const auto first = piece;
    while (piece != held.end() && belongs(*piece, labels)) ++piece;
    blame(what_is_wrong(rank, labels, {first, piece}));
  }
  for (; piece != held.end(); ++piece) blame(foreign(rank, *piece));
  WordDigest digest;
  for (const Piece& one : held) digest.add(one.block);
  verdict.digest = digest.value();
  return verdict;
}

std::string PieceOracle::what_is_wrong(Rank rank, const BlockLabels& labels, std::span<const Piece> pieces) const {
  const Block block = expected_(labels.origin, labels.destination);
  const std::span<const Word> expected = block.words();
  std::uint64_t sum = 0;
  std::uint64_t right = 0;  // the first words in their right places
  for (const Piece& piece : pieces) {
    sum += piece.block.size();
    if (piece.first == right) right += right_words(piece.block, expected.subspan(right));
  }
  if (right == expected.size() && sum == expected.size()) return {};
  return text(rank) + " holds " + std::to_string(sum) + " words of the " + std::to_string(expected.size()) + " from " +
         text(labels.origin) + ", the first " + std::to_string(right) + " right";
}

}  // namespace lockstep
