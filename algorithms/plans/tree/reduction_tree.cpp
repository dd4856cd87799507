#include "reduction_tree.hpp"

#include "lockstep/machines/block_link.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep::tree {
namespace {

/// The children of a node of a binomial tree over `bits` bits: those that differ in one of its lowest zeros.
Port lowest_zeros(Rank x, Port bits) { return x == 0 ? bits : static_cast<Port>(std::countr_zero(x)); }

}  // namespace

ReductionTree::ReductionTree(const MachineSpec& machine) {
  if (!is_hypercube(machine)) rh_.emplace(machine);
  block_bits_ = rh_ ? rh_->k() : static_cast<Port>(machine.ports);
}

std::uint32_t ReductionTree::children(Rank node) const {
  const Rank inside = rh_ ? rh_->f0(node) : node;
  const Port in_block = lowest_zeros(inside, block_bits_);
  if (!rh_ || inside != 0) return in_block;
  return in_block + lowest_zeros(rh_->bb(node), rh_->block_dimensions());
}

std::vector<Port> ReductionTree::path(Rank node) const {
  const Rank inside = rh_ ? rh_->f0(node) : node;
  if (inside != 0) return {lowest_zeros(inside, block_bits_)};
  if (node == 0) return {};
  return BlockLink(*rh_, 0, lowest_zeros(rh_->bb(node), rh_->block_dimensions())).ports();
}

std::uint64_t ReductionTree::steps() const {
  return rh_ ? rh_->k() + (rh_->n() + 1) * std::uint64_t{rh_->block_dimensions()} : block_bits_;
}

std::uint64_t ReductionTree::combinations() const {
  return rh_ ? rh_->k() + std::uint64_t{rh_->block_dimensions()} : block_bits_;
}

std::string ReductionTree::steps_formula() const { return rh_ ? "k + (n+1) D" : "v"; }

std::uint64_t ReductionTree::messages() const {
  const std::uint64_t in_each = (std::uint64_t{1} << block_bits_) - 1;
  if (!rh_) return in_each;
  const Port dimensions = rh_->block_dimensions();
  std::uint64_t messages = rh_->blocks() * in_each;
  for (Port i = 0; i < dimensions; ++i)
    messages += (std::uint64_t{1} << (dimensions - 1 - i)) * BlockLink(*rh_, 0, i).links();
  return messages;
}

std::string ReductionTree::messages_formula() const { return rh_ ? "N - 2^D + sum 2^(D-1-i) (2 pc(i)+1)" : "N - 1"; }

}  // namespace lockstep::tree
