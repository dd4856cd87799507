#include "lockstep/machines/reduced_hypercube_embeddings.hpp"

#include <array>

#include "lockstep/machines/gray_code.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep {

namespace {

// The ring of one layer, n >= 1: at first a ring in every building block, gray(0), gray(1), ..; then step j joins four
// rings to one, until one is left. It does so over the blocks' dimensions a = gray(2j) and b = gray(2j+1), whose links
// leave from two subblocks that are neighbours in the ring of every block:
//
//      block w     .. a --- b ..        .. a     b ..        each of the four links between subblocks a and b is cut,
//      w + 2^a     .. a --- b ..   =>      |     |  ..       and links of dimension a join the ends in subblock a,
//      w + 2^b     .. a --- b ..                             of dimension b those in subblock b
//      w + both    .. a --- b ..
class LayerRing {
 public:
  explicit LayerRing(const ReducedHypercube& rh) : rh_(rh), beside_(rh.blocks() << rh.n()) {
    const Rank size = rh.block_dimensions();
    for (Rank block = 0; block < rh.blocks(); ++block) {
      for (Rank place = 0; place < size; ++place) {
        beside_[index(block, gray(place))] = {index(block, gray((place + 1) % size)),
                                              index(block, gray((place + size - 1) % size))};
      }
    }
    for (Rank j = 0; j < size / 2; ++j) join(gray(2 * j), gray(2 * j + 1));
  }

  /// The nodes of layer 0, round the ring from node 0 on.
  std::vector<Rank> nodes() const {
    std::vector<Rank> ring;
    ring.reserve(rh_.processors());  // the other layers follow
    Rank before = beside_[0][1];
    Rank here = 0;
    do {
      ring.push_back(here << rh_.layer_dimensions());
      const auto& [one, other] = beside_[here];
      const Rank next = one == before ? other : one;
      before = here;
      here = next;
    } while (here != 0);
    return ring;
  }

 private:
  Rank index(Rank block, Rank subblock) const { return block << rh_.n() | subblock; }

  // A ring has one block whose bits of this dimension and of all joined ones are 0.
  void join(Rank a, Rank b) {
    joined_ |= Rank{1} << a | Rank{1} << b;
    const Rank bit_a = Rank{1} << a;
    const Rank bit_b = Rank{1} << b;
    for (Rank w = 0; w < rh_.blocks(); ++w) {
      if ((w & joined_) != 0) continue;
      for (const Rank block : {w, w + bit_a, w + bit_b, w + bit_a + bit_b}) {
        replace(index(block, a), index(block, b), index(block ^ bit_a, a));
        replace(index(block, b), index(block, a), index(block ^ bit_b, b));
      }
    }
  }

  /// Replaces one neighbour of node x by another.
  void replace(Rank x, Rank old, Rank other) {
    std::array<Rank, 2>& two = beside_[x];
    two[two[0] == old ? 0 : 1] = other;
  }

  const ReducedHypercube& rh_;
  std::vector<std::array<Rank, 2>> beside_;  // by block and subblock
  Rank joined_ = 0;                          // bits of the dimensions of blocks that have been joined
};

}  // namespace

std::uint64_t dilation(const ReducedHypercube& rh, Rank x, Port b) {
  return b < rh.k() ? 1 : 2 * one_bits(rh.sb(x) ^ (b - rh.k())) + 1;
}

Dilation hypercube_dilation(const ReducedHypercube& rh) {
  const std::uint64_t n = rh.n();
  const std::uint64_t D = rh.block_dimensions();
  Dilation dilation{.classes = {{1, rh.k() + 1}}, .mean = Fraction(1) + Fraction(n * D, rh.k() + D)};
  std::uint64_t binomial = 1;  // C(n,p)
  for (std::uint64_t p = 1; p <= n; ++p) {
    binomial = binomial * (n - p + 1) / p;
    dilation.classes.push_back({2 * p + 1, binomial});
  }
  return dilation;
}

Rank embedded_cycles_node(const ReducedHypercube& rh, Rank layer, Rank corner, Rank position) {
  Rank block = 0;
  for (Port p = 0; p < rh.block_dimensions(); ++p) {
    if (has_bit(corner, p)) block |= Rank{1} << gray(p);
  }
  return rh.node(block, gray(position), layer);
}

std::vector<Rank> hamiltonian_ring(const ReducedHypercube& rh) {
  std::vector<Rank> ring;
  if (rh.n() == 0) {  // the (k+1)-cube
    for (Rank place = 0; place < rh.processors(); ++place) ring.push_back(gray(place));
    return ring;
  }
  ring = LayerRing(rh).nodes();
  // Along the ring in half of the layers, and back in the others.
  for (Port low = 0; low < rh.layer_dimensions(); ++low) {
    for (std::size_t left = ring.size(); left > 0; --left) ring.push_back(ring[left - 1] | Rank{1} << low);
  }
  return ring;
}

}  // namespace lockstep
