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

std::string text(Rank rank) { return rank == no_rank ? "nobody" : "rank " + std::to_string(rank); }

std::string foreign(Rank rank, const Piece& piece) {
  return text(rank) + " holds " + std::to_string(piece.block.size()) + " words from " + text(piece.origin) + " for " +
         text(piece.destination) + ", which it should not";
}

}  // namespace

void PieceOracle::judge(Rank rank, std::span<Piece> held, std::span<const BlockLabels> should_hold) {
  std::sort(held.begin(), held.end(), [](const Piece& a, const Piece& b) { return place(a) < place(b); });
  for (const Piece& piece : held) {
    for (std::uint64_t index = 0; index < piece.block.size(); ++index) digest_.add(piece.block[index]);
  }
  auto piece = held.begin();
  for (const BlockLabels& labels : should_hold) {
    for (; piece != held.end() && before(*piece, labels); ++piece) blame(foreign(rank, *piece));
    const auto first = piece;
    while (piece != held.end() && belongs(*piece, labels)) ++piece;
    compare(rank, labels, {first, piece});
  }
  for (; piece != held.end(); ++piece) blame(foreign(rank, *piece));
}

void PieceOracle::compare(Rank rank, const BlockLabels& labels, std::span<const Piece> pieces) {
  const Block expected = expected_(labels.origin, labels.destination);
  std::uint64_t sum = 0;
  std::uint64_t right = 0;  // the first words, each where it belongs
  for (const Piece& piece : pieces) {
    const Block& block = piece.block;
    sum += block.size();
    if (piece.first != right) continue;
    const std::uint64_t most = std::min(block.size(), expected.size() - right);
    right += static_cast<std::uint64_t>(
        std::mismatch(block.data(), block.data() + most, expected.data() + right).first - block.data());
  }
  if (right == expected.size() && sum == expected.size()) return;
  blame(text(rank) + " holds " + std::to_string(sum) + " words of the " + std::to_string(expected.size()) + " from " +
        text(labels.origin) + ", the first " + std::to_string(right) + " right");
}

void PieceOracle::conclude(Outcome& outcome) const {
  outcome.wrong = wrong_;
  outcome.data_digest = digest_.value();
  outcome.verify_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace lockstep
