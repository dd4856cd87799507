#include "lockstep/algorithms/bundle.hpp"

namespace lockstep {

void Bundle::add(const Bundle& bundle) {
  const std::uint64_t before = words_.size();
  const std::uint64_t count = bundle.labels_.size();
  Labels* next = labels_.extend(count);
  for (const Labels& labels : std::span(bundle.labels_.data(), count)) {
    *next = labels;
    next++->end += before;
  }
  words_.append(bundle.words_.data(), bundle.words_.size());
}

void corrupt(Bundle& bundle) {
  if (bundle.empty()) return;
  const bool is_heard_by_many = bundle.words_.is_shared();
  const std::uint64_t middle = bundle.size() / 2;
  Word* const words = bundle.words_.edit();
  for (std::uint64_t index = 0; index < bundle.size(); ++index) {
    const std::span<const Word> block = bundle[index].block;
    if (block.empty() || !(is_heard_by_many || index == middle)) continue;
    Word& word = words[block.data() - words + static_cast<std::ptrdiff_t>(block.size() / 2)];
    word = ~word;
  }
}

void log_blocks(const Bundle& bundle, const Move& link, MoveLog& log, std::vector<Move>& moves) {
  for (const Piece& piece : bundle) {
    moves.push_back({link.from, link.to, piece.origin, piece.destination});
    log.has_parts = log.has_parts || piece.first != 0;
  }
}

void check_only_piece(const Bundle& bundle, Rank origin, Rank destination) {
  if (bundle.size() != 1) throw std::logic_error("a bundle of other than one block");
  const Piece piece = bundle[0];
  if (piece.origin != origin || piece.destination != destination) throw std::logic_error("another block than planned");
}

}  // namespace lockstep
