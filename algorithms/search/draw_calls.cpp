#include "draw_calls.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "draw.hpp"

namespace lockstep::search {
namespace {

constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

/// The state of the calls that are drawn.
class CallsDrawn {
 public:
  CallsDrawn(const ChunkTask& task, const SearchNetwork& network, std::uint64_t chunks_a_step, std::mt19937_64& random)
      : network_(network),
        chunks_a_step_(chunks_a_step),
        random_(random),
        is_broadcast_(task.operation == "broadcast") {
    const std::uint32_t chunks = task.operation == "alltoall" ? 1 : task.chunks;
    chunks_ = is_broadcast_ ? chunks : std::size_t{chunks} * network.nodes;
    words_ = (chunks_ + 63) / 64;
    held_.assign(words_ * network.nodes, 0);
    holders_.assign(chunks_, 1);
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
      add(is_broadcast_ ? task.root : static_cast<Rank>(chunk / chunks), chunk);
    }
    missing_ = chunks_ * (network.nodes - 1);
  }

  /// The steps until every node has everything; none if they are more than `most_steps`.
  OpenArcs until_done(std::uint64_t most_steps) {
    OpenArcs open;
    while (missing_ > 0) {
      if (open.size() == most_steps) return {};
      open.push_back(step());
    }
    return open;
  }

 private:
  struct Offer {
    double weight;
    std::uint32_t arc;
  };

  void add(Rank node, std::size_t chunk) { held_[node * words_ + chunk / 64] |= std::uint64_t{1} << (chunk % 64); }
  bool has(Rank node, std::size_t chunk) const { return (held_[node * words_ + chunk / 64] >> (chunk % 64) & 1) != 0; }

  std::uint64_t lacking(Rank from, Rank to) const {
    std::uint64_t count = 0;
    for (std::size_t word = 0; word < words_; ++word) {
      count += static_cast<std::uint64_t>(std::popcount(held_[from * words_ + word] & ~held_[to * words_ + word]));
    }
    return count;
  }
  std::uint64_t most(std::uint32_t arc) const {
    const std::uint64_t multiplicity = network_.arcs[arc].multiplicity;
    return chunks_a_step_ > any_number / multiplicity ? any_number : chunks_a_step_ * multiplicity;
  }

  /// How many nodes that have nothing get nearer to the sender's chunks if the receiver has them too.
  std::uint64_t helped(const SearchNetwork::Arc& arc) const {
    std::uint64_t count = 0;
    for (Rank node = 0; node < network_.nodes; ++node) {
      count += to_nearest_[node] > network_.distance(arc.to, node) ? 1 : 0;
    }
    return count;
  }
  void measure() {
    to_nearest_.assign(network_.nodes, no_rank);
    for (Rank holder = 0; holder < network_.nodes; ++holder) {
      const std::span<const std::uint64_t> held(held_.data() + holder * words_, words_);
      if (std::ranges::all_of(held, [](std::uint64_t word) { return word == 0; })) continue;
      for (Rank node = 0; node < network_.nodes; ++node) {
        to_nearest_[node] = std::min(to_nearest_[node], network_.distance(holder, node));
      }
    }
  }

  std::vector<bool> step() {
    if (is_broadcast_) measure();
    std::vector<Offer> offers;
    for (std::uint32_t arc = 0; arc < network_.arcs.size(); ++arc) {
      const auto& [from, to, multiplicity] = network_.arcs[arc];
      const std::uint64_t count = std::min(lacking(from, to), most(arc));
      if (count == 0) continue;
      const auto help = is_broadcast_ ? static_cast<double>(helped(network_.arcs[arc])) : 0;
      const double noise = 0.5 + draw_fraction(random_) / 2;
      offers.push_back({(static_cast<double>(count) + help) * noise, arc});
    }
    std::ranges::stable_sort(offers, [](const Offer& a, const Offer& b) { return a.weight > b.weight; });
    std::vector<bool> open(network_.arcs.size());
    std::vector<bool> sends(network_.nodes);
    std::vector<bool> receives(network_.nodes);
    std::vector<std::pair<Rank, std::size_t>> arriving;
    for (const Offer& offer : offers) {
      const auto& [from, to, multiplicity] = network_.arcs[offer.arc];
      if (sends[from] || receives[to]) continue;
      sends[from] = receives[to] = open[offer.arc] = true;
      std::vector<std::size_t> chosen;
      for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
        if (has(from, chunk) && !has(to, chunk)) chosen.push_back(chunk);
      }
      if (chosen.size() > most(offer.arc)) {
        draw_order(chosen, random_);
        std::ranges::stable_sort(chosen, {}, [&](std::size_t chunk) { return holders_[chunk]; });
        chosen.resize(most(offer.arc));
      }
      for (const std::size_t chunk : chosen) arriving.emplace_back(to, chunk);
    }
    for (const auto& [to, chunk] : arriving) {
      add(to, chunk);
      ++holders_[chunk];
    }
    missing_ -= arriving.size();
    return open;
  }

  const SearchNetwork& network_;
  std::uint64_t chunks_a_step_;
  std::mt19937_64& random_;
  bool is_broadcast_;
  std::size_t chunks_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> held_;     // by node, a bit for every chunk
  std::vector<std::uint32_t> holders_;  // by chunk
  std::vector<Rank> to_nearest_;        // by node, the distance to one that has something
  std::uint64_t missing_ = 0;
};

}  // namespace

OpenArcs draw_calls(const ChunkTask& task, const SearchNetwork& network, std::uint64_t chunks_a_step,
                    std::uint64_t most_steps, std::mt19937_64& random) {
  return CallsDrawn(task, network, chunks_a_step, random).until_done(most_steps);
}

}  // namespace lockstep::search
