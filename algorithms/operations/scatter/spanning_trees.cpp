#include "spanning_trees.hpp"

#include "plans/packets/block_parts.hpp"

namespace lockstep::scatter {

SpanningTree SpanningTree::rotated(Port n, Port by) { return {n, by, true, false}; }

SpanningTree SpanningTree::reflected(Port n, Port by) { return {n, by == 0 ? n - 1 : by - 1, false, false}; }

SpanningTree SpanningTree::balanced(Port n) { return {n, 0, true, true}; }

Port SpanningTree::next(Rank c, Rank left) const {
  Port dimension = first(c);
  while (!has_bit(left, dimension)) dimension = following(dimension);
  return dimension;
}

Port SpanningTree::last(Rank c) const {
  Port dimension = preceding(first(c));
  while (!has_bit(c, dimension)) dimension = preceding(dimension);
  return dimension;
}

Rank SpanningTree::crossed(Rank c, Port last) const {
  Port dimension = first(c);
  Rank bits = Rank{1} << dimension;
  while (dimension != last) {
    dimension = following(dimension);
    bits |= Rank{1} << dimension;
  }
  return bits;
}

std::vector<SpanningTree> rotated_trees(Port n, std::uint64_t count) {
  std::vector<SpanningTree> trees;
  for (std::uint64_t tree = 0; tree < count; ++tree) {
    trees.push_back(SpanningTree::rotated(n, static_cast<Port>(tree * n / count)));
  }
  return trees;
}

std::vector<SpanningTree> reflected_trees(Port n, std::uint64_t count) {
  std::vector<SpanningTree> trees;
  for (std::uint64_t tree = 0; tree < count; ++tree) {
    trees.push_back(SpanningTree::reflected(n, static_cast<Port>(tree * n / count)));
  }
  return trees;
}

const SpanningTree* Forest::tree_of(const Piece& piece) const {
  const std::uint64_t part = packets::part_with(parts_, piece.first);
  if (part >= trees_.size()) return nullptr;
  if (piece.first != parts_.first(part) || piece.block.size() != parts_.size(part)) return nullptr;
  return &trees_[part];
}

}  // namespace lockstep::scatter
