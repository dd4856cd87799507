#include "bounds/optimum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <unordered_set>

namespace lockstep::optimum {
namespace {

/// A message's sender and receiver.
using Arc = std::pair<unsigned, unsigned>;

bool is_legal(const Network& network, const Model& model, const std::vector<Arc>& arcs) {
  std::array<unsigned, 8> sent{};
  std::array<unsigned, 8> received{};
  std::array<unsigned, 8> receiver{};
  std::array<unsigned, 8> sender{};
  for (const auto& [from, to] : arcs) {
    ++sent[from];
    ++received[to];
    receiver[from] = to;
    sender[to] = from;
  }
  unsigned users = 0;
  for (unsigned one = 0; one < network.processors; ++one) {
    users += sent[one] > 0 ? 1 : 0;
    const bool is_single = (model.ports == PortModel::one && !model.multicast) || model.ports == PortModel::one_strict;
    const unsigned most = model.ports == PortModel::all ? 8 : model.ports == PortModel::two ? 2 : 1;
    if (received[one] > most || ((is_single || most == 2) && sent[one] > most)) return false;
    if (model.ports == PortModel::ring && sent[one] + received[one] > 2) return false;
    const bool both = sent[one] > 0 && received[one] > 0;
    if (both && model.ports == PortModel::one_strict && receiver[one] != sender[one]) return false;
    if (both && model.duplex == Duplex::half_node) return false;
  }
  return users <= network.users &&
         (model.duplex != Duplex::half_link || std::ranges::none_of(arcs, [&](const Arc& arc) {
            return std::ranges::count(arcs, Arc(arc.second, arc.first)) > 0;
          }));
}

/// The legal sets of messages of one cycle to which no other could be added.
std::vector<std::vector<Arc>> cycles_of(const Network& network, const Model& model) {
  std::vector<Arc> all;
  for (const auto& [one, other] : network.links) {
    all.emplace_back(one, other);
    all.emplace_back(other, one);
  }
  std::vector<std::vector<Arc>> found;
  std::vector<Arc> chosen;
  const auto is_full = [&] {
    return std::ranges::none_of(all, [&](const Arc& arc) {
      if (std::ranges::count(chosen, arc) > 0) return false;
      chosen.push_back(arc);
      const bool fits = is_legal(network, model, chosen);
      chosen.pop_back();
      return fits;
    });
  };
  const std::function<void(std::size_t)> choose = [&](std::size_t next) {
    if (next == all.size()) {
      if (!chosen.empty() && is_full()) found.push_back(chosen);
      return;
    }
    chosen.push_back(all[next]);
    if (is_legal(network, model, chosen)) choose(next + 1);
    chosen.pop_back();
    choose(next + 1);
  };
  choose(0);
  return found;
}

/// Leaves out states that another contains, unless there are too many to compare.
void keep_largest(std::vector<std::uint64_t>& states) {
  if (states.size() > 4000) return;
  std::ranges::sort(states, std::greater(), [](std::uint64_t state) { return std::popcount(state); });
  std::vector<std::uint64_t> kept;
  for (const std::uint64_t state : states) {
    if (std::ranges::none_of(kept, [&](std::uint64_t larger) { return (larger & state) == state; })) {
      kept.push_back(state);
    }
  }
  states = std::move(kept);
}

std::uint64_t ones(unsigned count) { return (std::uint64_t{1} << count) - 1; }

}  // namespace

std::vector<Network> connected_graphs(unsigned processors) {
  std::vector<std::pair<unsigned, unsigned>> pairs;
  for (unsigned one = 0; one < processors; ++one) {
    for (unsigned other = one + 1; other < processors; ++other) pairs.emplace_back(one, other);
  }
  std::set<std::vector<std::pair<unsigned, unsigned>>> known;
  std::vector<Network> graphs;
  for (unsigned chosen = 0; chosen < 1U << pairs.size(); ++chosen) {
    Network graph{processors, {}};
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
      if ((chosen >> pair & 1) != 0) graph.links.push_back(pairs[pair]);
    }
    unsigned reached = 1;
    for (unsigned round = 0; round < processors; ++round) {
      for (const auto& [one, other] : graph.links) {
        if ((reached >> one & 1) != 0) reached |= 1U << other;
        if ((reached >> other & 1) != 0) reached |= 1U << one;
      }
    }
    if (reached != ones(processors)) continue;
    std::vector<unsigned> order(processors);
    std::iota(order.begin(), order.end(), 0U);
    auto least = graph.links;
    do {
      auto renamed = graph.links;
      for (auto& [one, other] : renamed) {
        one = order[one];
        other = order[other];
        if (one > other) std::swap(one, other);
      }
      std::ranges::sort(renamed);
      least = std::min(least, renamed);
    } while (std::next_permutation(order.begin(), order.end()));
    if (known.insert(least).second) graphs.push_back(std::move(graph));
  }
  return graphs;
}

// Row `rank` of a state, of as many bits as there are processors, says what the rank knows.
Steps fewest_steps(const Network& network, const Model& model) {
  const unsigned p = network.processors;
  const auto cycles = cycles_of(network, model);
  const auto known_to = [&](std::uint64_t state, unsigned rank) { return state >> rank * p & ones(p); };
  std::uint64_t start = 0;
  for (unsigned rank = 0; rank < p; ++rank) start |= std::uint64_t{1} << (rank * p + rank);
  Steps best{.from = std::vector<unsigned>(p), .to = std::vector<unsigned>(p)};
  const auto reach = [](unsigned& steps, bool is_reached, unsigned now) {
    if (is_reached && steps == 0) steps = now;
  };
  std::unordered_set<std::uint64_t> seen{start};
  std::vector<std::uint64_t> states{start};
  for (unsigned now = 1; best.to_all == 0 && p > 1; ++now) {
    std::vector<std::uint64_t> next;
    for (const std::uint64_t state : states) {
      for (const auto& arcs : cycles) {
        std::uint64_t after = state;
        for (const auto& [from, to] : arcs) after |= known_to(state, from) << to * p;
        if (seen.insert(after).second) next.push_back(after);
      }
    }
    keep_largest(next);
    states = std::move(next);
    for (const std::uint64_t state : states) {
      std::uint64_t to_all = ones(p);
      bool is_scanned = true;
      bool is_exscanned = true;
      for (unsigned rank = 0; rank < p; ++rank) {
        const std::uint64_t known = known_to(state, rank);
        to_all &= known;
        reach(best.to[rank], known == ones(p), now);
        is_scanned = is_scanned && (known & ones(rank + 1)) == ones(rank + 1);
        is_exscanned = is_exscanned && (known & ones(rank)) == ones(rank);
      }
      for (unsigned rank = 0; rank < p; ++rank) reach(best.from[rank], (to_all >> rank & 1) != 0, now);
      reach(best.scan, is_scanned, now);
      reach(best.exscan, is_exscanned, now);
      reach(best.to_all, to_all == ones(p), now);
    }
  }
  return best;
}

unsigned fewest_cycles_to_move(const Network& network, Model model, const std::vector<unsigned>& from,
                               const std::vector<unsigned>& to) {
  model.multicast = false;  // nobody needs a copy
  std::vector<std::vector<unsigned>> neighbours(network.processors);
  for (const auto& [one, other] : network.links) {
    neighbours[one].push_back(other);
    neighbours[other].push_back(one);
  }
  const auto key = [](const std::vector<unsigned>& places) {
    return std::accumulate(places.begin(), places.end(), std::uint64_t{0},
                           [](std::uint64_t packed, unsigned place) { return packed << 3 | place; });
  };
  std::unordered_set<std::uint64_t> seen{key(from)};
  std::vector<std::vector<unsigned>> states{from};
  for (unsigned now = 0;; ++now) {
    if (std::ranges::count(states, to) > 0) return now;
    std::vector<std::vector<unsigned>> next;
    for (const auto& places : states) {
      std::vector<unsigned> after = places;
      std::vector<Arc> arcs;
      const std::function<void(std::size_t)> choose = [&](std::size_t word) {
        if (word == after.size()) {
          if (seen.insert(key(after)).second) next.push_back(after);
          return;
        }
        choose(word + 1);
        if (places[word] == to[word]) return;  // it need not leave again
        for (const unsigned neighbour : neighbours[places[word]]) {
          const Arc arc{places[word], neighbour};
          if (std::ranges::count(arcs, arc) > 0) continue;
          arcs.push_back(arc);
          if (is_legal(network, model, arcs)) {
            after[word] = neighbour;
            choose(word + 1);
            after[word] = places[word];
          }
          arcs.pop_back();
        }
      };
      choose(0);
    }
    states = std::move(next);
  }
}

namespace {

/// All that can happen in a cycle in which words are copied. Bit `rank * words + i` of a state says that the rank has
/// word i.
class Copying {
 public:
  Copying(const Network& network, const Model& model, unsigned words) : words_(words) {
    for (const auto& arcs : cycles_of(network, model)) {
      std::vector<Send> sends;
      if (model.multicast && model.ports == PortModel::one) {
        std::map<unsigned, std::vector<unsigned>> receivers;
        for (const auto& [from, to] : arcs) receivers[from].push_back(to);
        sends.assign(receivers.begin(), receivers.end());
      } else {
        for (const auto& [from, to] : arcs) sends.push_back({from, {to}});
      }
      cycles_.push_back(std::move(sends));
    }
  }

  /// Calls visit(state) for every state after a cycle with messages of as many words, or all that are of use.
  template <class Visit>
  void after(std::uint64_t state, unsigned longest, const Visit& visit) const {
    for (const auto& sends : cycles_) {
      const std::function<void(std::uint64_t, std::size_t)> choose = [&](std::uint64_t now, std::size_t index) {
        if (index == sends.size()) return visit(now);
        const auto& [from, receivers] = sends[index];
        std::uint64_t lacking = 0;
        for (const unsigned to : receivers) lacking |= ~(now >> to * words_) & ones(words_);
        const std::uint64_t useful = state >> from * words_ & lacking;
        if (useful == 0) return choose(now, index + 1);
        const int length = std::min(static_cast<int>(longest), std::popcount(useful));
        for (std::uint64_t message = useful; message != 0; message = (message - 1) & useful) {
          if (std::popcount(message) != length) continue;
          std::uint64_t then = now;
          for (const unsigned to : receivers) then |= message << to * words_;
          choose(then, index + 1);
        }
      };
      choose(state, 0);
    }
  }

 private:
  using Send = std::pair<unsigned, std::vector<unsigned>>;  // the same words go to all of these
  unsigned words_;
  std::vector<std::vector<Send>> cycles_;
};

std::uint64_t packed(const std::vector<std::uint32_t>& held, unsigned words) {
  std::uint64_t state = 0;
  for (unsigned rank = 0; rank < held.size(); ++rank) state |= std::uint64_t{held[rank]} << rank * words;
  return state;
}

}  // namespace

std::optional<unsigned> fewest_cycles_to_copy(const Network& network, const Model& model,
                                              const std::vector<std::uint32_t>& held, unsigned words) {
  const Copying copying(network, model, words);
  const std::uint64_t end = ones(network.processors * words);
  std::unordered_set<std::uint64_t> seen{packed(held, words)};
  std::vector<std::uint64_t> states{seen.begin(), seen.end()};
  for (unsigned now = 0;; ++now) {
    if (std::ranges::count(states, end) > 0) return now;
    std::vector<std::uint64_t> next;
    for (const std::uint64_t state : states) {
      if (seen.size() > 300'000) return std::nullopt;
      copying.after(state, 1, [&](std::uint64_t after) {
        if (seen.insert(after).second) next.push_back(after);
      });
    }
    keep_largest(next);
    states = std::move(next);
  }
}

unsigned least_time_to_copy(const Network& network, const Model& model, const std::vector<std::uint32_t>& held,
                            unsigned words, unsigned beta, unsigned tau) {
  const Copying copying(network, model, words);
  const std::uint64_t end = ones(network.processors * words);
  std::unordered_set<std::uint64_t> done;
  std::map<unsigned, std::vector<std::uint64_t>> states{{0, {packed(held, words)}}};  // by time
  while (true) {
    const auto [now, earliest] = std::move(*states.begin());
    states.erase(states.begin());
    for (const std::uint64_t state : earliest) {
      if (state == end) return now;
      if (!done.insert(state).second) continue;
      for (unsigned longest = 1; longest <= words; ++longest) {
        copying.after(state, longest, [&, time = now + beta + longest * tau](std::uint64_t after) {
          if (!done.contains(after)) states[time].push_back(after);
        });
      }
    }
  }
}

}  // namespace lockstep::optimum
