#include <algorithm>
#include <bit>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "calls.hpp"
#include "draw.hpp"
#include "router.hpp"

namespace lockstep {
namespace {

using search::OpenArcs;
using search::Router;

constexpr std::uint64_t without_limit = std::numeric_limits<std::uint64_t>::max();

/// The calls of each step with one port, drawn: in a step arcs are taken roughly by the number of chunks that the
/// receiver lacks and the sender has, as long as both are free; chunks_a_step_ chunks go over an arc of multiplicity 1
/// in a step, the rarest first.
class Calls {
 public:
  Calls(const ChunkTask& task, const SearchNetwork& network, std::uint64_t chunks_a_step, std::mt19937_64& random)
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
    return chunks_a_step_ > without_limit / multiplicity ? without_limit : chunks_a_step_ * multiplicity;
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
      const double noise = 0.5 + search::draw_fraction(random_) / 2;
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
        search::draw_order(chosen, random_);
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

std::uint64_t sum(const std::vector<std::uint64_t>& rounds) {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : rounds) sum += each;
  return sum;
}

/// The remaining effort of a search, and its task.
struct SynthesisSearch {
  const ChunkTask& task;
  const SearchNetwork& network;
  PortModel ports;
  std::uint64_t tries;
  std::mt19937_64 random;
  const std::atomic<bool>& stop;

  std::uint64_t draw(std::uint64_t below) { return random() % below; }
};

/// Divides rounds among steps so that the sum is `by` less: the longest first, every step keeps one. Empty if there are
/// too few rounds.
std::vector<std::uint64_t> shortened(std::vector<std::uint64_t> rounds, std::uint64_t by, SynthesisSearch& search) {
  for (; by > 0; --by) {
    const std::uint64_t longest = *std::ranges::max_element(rounds);
    if (longest <= 1) return {};
    std::uint64_t step = search.draw(rounds.size());
    while (rounds[step] != longest) step = (step + 1) % rounds.size();
    --rounds[step];
  }
  return rounds;
}

/// The same with by = 1, at random, after `handed` rounds were moved from one step to another.
std::vector<std::uint64_t> varied(std::vector<std::uint64_t> rounds, std::uint64_t handed, SynthesisSearch& search) {
  for (std::uint64_t times = 0; times <= handed; ++times) {
    std::uint64_t step = search.draw(rounds.size());
    for (std::size_t looked = 0; rounds[step] <= 1 && looked < rounds.size(); ++looked)
      step = (step + 1) % rounds.size();
    if (rounds[step] <= 1) return {};
    --rounds[step];
    if (times < handed) ++rounds[search.draw(rounds.size())];
  }
  return rounds;
}

/// Reduces the rounds as long as the trees can be laid anew, down to the bound.
void shorten(Router& router, std::uint64_t bound, std::uint64_t& tries, SynthesisSearch& search) {
  constexpr std::uint64_t passes = 60;
  const auto attempt = [&](const std::vector<std::uint64_t>& rounds) {
    return !rounds.empty() && router.route(rounds, passes, tries, search.stop);
  };
  std::uint64_t by = 0;
  while (tries > 0) {
    const std::vector<std::uint64_t> now = router.rounds();
    const std::uint64_t total = sum(now);
    if (total <= bound) return;
    for (by = total - bound; by > 1 && tries > 0; by /= 2) {
      if (attempt(shortened(now, by, search))) break;
    }
    if (by > 1) continue;
    bool is_shorter = false;
    constexpr std::uint64_t variations = 400;
    for (std::uint64_t number = 0; number < variations && tries > 0 && !is_shorter; ++number) {
      is_shorter = attempt(varied(now, number / (2 * now.size()) % 4, search));
    }
    if (!is_shorter) return;
  }
}

/// A result of a search.
struct Found {
  std::vector<std::vector<ChunkMove>> steps;
  std::uint64_t rounds = 0;
};

Found search_in(OpenArcs open, std::uint64_t bound, std::uint64_t tries, SynthesisSearch& search) {
  const std::uint64_t steps = open.size();
  Router router(search.network, search::demands_of(search.task, search.network.nodes), std::move(open),
                search.random());
  const std::uint64_t given = std::min(tries, search.tries);
  std::uint64_t left = given;
  // The first trees always fit: there is room for everything.
  std::uint64_t to_begin = without_limit;
  const std::vector<std::uint64_t> wide(steps, std::uint64_t{1} << 32);
  router.route(wide, 1, to_begin, search.stop);
  shorten(router, bound, left, search);
  search.tries -= given - left;
  Found found{router.moves(), sum(router.rounds())};
  std::erase_if(found.steps, [](const auto& moves) { return moves.empty(); });
  return found;
}

/// Some of the shortest sequences among drawn calls.
std::vector<OpenArcs> drawn_calls(const ChunkTask& task, std::uint64_t most_steps, std::uint64_t draws,
                                  std::uint64_t chunks_a_step, std::uint64_t least_steps, SynthesisSearch& search) {
  constexpr std::size_t most_kept = 4;
  std::vector<OpenArcs> kept;
  for (std::uint64_t number = 0; number < draws; ++number) {
    if (search.stop) throw std::runtime_error("interrupted");
    OpenArcs calls = Calls(task, search.network, chunks_a_step, search.random).until_done(most_steps);
    if (calls.empty()) continue;
    if (calls.size() < most_steps) kept.clear();
    most_steps = calls.size();
    if (std::ranges::find(kept, calls) == kept.end()) kept.push_back(std::move(calls));
    if (kept.size() > most_kept) kept.resize(most_kept);
    if (most_steps == least_steps && kept.size() == most_kept) break;
  }
  return kept;
}

/// Looks for calls in fewer steps than were drawn, and then for others of as many steps.
void improve(std::vector<OpenArcs>& calls, std::uint64_t least_steps, SynthesisSearch& search) {
  constexpr std::size_t most_kept = 8;
  constexpr std::uint64_t attempts = 4;  // per number of steps
  const SearchNetwork& network = search.network;
  std::vector<Rank> origins;
  for (const search::Demand& demand : search::demands_of(search.task, network.nodes)) {
    if (origins.empty() || origins.back() != demand.origin) origins.push_back(demand.origin);
  }
  search::CallSearch better(network, origins, search.random());
  const auto changes = [&] {  // few enough to be quick
    const std::uint64_t work = calls.front().size() * network.nodes * (1 + origins.size() / 64);
    return std::min<std::uint64_t>({20'000, search.tries, 40'000'000 / work});
  };
  for (std::uint64_t attempt = 0; attempt < attempts && calls.front().size() > least_steps; ++attempt) {
    better.begin_with(calls[attempt % calls.size()]);
    if (!better.fit(calls.front().size() - 1, changes(), search.stop)) continue;
    calls = {better.calls()};
    attempt = 0;
  }
  for (std::size_t more = calls.size(); more < most_kept; ++more) {
    better.begin_with(calls[more % calls.size()]);
    better.shake(2 * calls.front().size());
    if (!better.fit(calls.front().size(), changes() / 4, search.stop)) continue;
    if (std::ranges::find(calls, better.calls()) == calls.end()) calls.push_back(better.calls());
  }
}

void search_with_one_port(const SynthesisLimits& limits, const ChunkBound& bound, SynthesisSearch& search,
                          Found& found) {
  constexpr std::uint64_t draws = 200;
  const std::uint64_t nodes = search.network.nodes;
  const std::uint64_t to_begin = 4 * nodes + 64;
  std::vector<OpenArcs> calls = drawn_calls(search.task, to_begin, draws, without_limit, bound.steps, search);
  if (!calls.empty()) improve(calls, bound.steps, search);
  if (limits.steps) {
    std::erase_if(calls, [&](const OpenArcs& one) { return one.size() > *limits.steps; });
    // Fewer chunks in a step mean more steps.
    const std::uint64_t chunks = search::demands_of(search.task, search.network.nodes).size();
    for (std::uint64_t most = 1; most < chunks; most += std::max<std::uint64_t>(1, most / 4)) {
      const auto longer = drawn_calls(search.task, *limits.steps, draws / 4, most, 0, search);
      if (longer.empty()) continue;
      calls.insert(calls.end(), longer.begin(), longer.end());
      break;
    }
  }
  const auto merit = [&](const Found& one) {
    return limits.steps ? std::pair<std::uint64_t, std::uint64_t>(one.rounds, one.steps.size())
                        : std::pair<std::uint64_t, std::uint64_t>(one.steps.size(), one.rounds);
  };
  // Half of the effort goes to all sequences, the other half to the best.
  const OpenArcs* best = nullptr;
  const std::uint64_t share = calls.empty() ? 0 : search.tries / (2 * calls.size());
  const auto search_on = [&](const OpenArcs& one_calls, std::uint64_t tries) {
    Found one = search_in(one_calls, bound.rounds, tries, search);
    if (!found.steps.empty() && merit(found) <= merit(one)) return;
    found = std::move(one);
    best = &one_calls;
  };
  const auto is_optimal = [&] { return !found.steps.empty() && found.rounds == bound.rounds; };
  for (const OpenArcs& one : calls) {
    if (!is_optimal()) search_on(one, share);
  }
  if (best != nullptr && !is_optimal()) search_on(*best, search.tries);
}

/// Where more steps than the fewest are allowed, a few numbers of them are tried: more steps are harder to search. A
/// schedule has no fewer rounds than steps.
void search_with_all_ports(const SynthesisLimits& limits, const ChunkBound& bound, SynthesisSearch& search,
                           Found& found) {
  const std::uint64_t least = bound.steps;
  const std::uint64_t most = limits.steps.value_or(least);
  std::vector<std::uint64_t> lengths{least, least + 1, least + 2, least + 3, bound.rounds, bound.rounds + 1, most};
  std::erase_if(lengths, [&](std::uint64_t steps) { return steps > most; });
  std::ranges::sort(lengths);
  const auto repeated = std::ranges::unique(lengths);
  lengths.erase(repeated.begin(), repeated.end());
  for (std::size_t index = 0; index < lengths.size(); ++index) {
    if (!found.steps.empty() && std::max(bound.rounds, lengths[index]) >= found.rounds) break;
    const OpenArcs open(lengths[index], std::vector<bool>(search.network.arcs.size(), true));
    Found one = search_in(open, bound.rounds, search.tries / (lengths.size() - index), search);
    if (found.steps.empty() || one.rounds < found.rounds) found = std::move(one);
  }
}

/// A reduce-scatter, which is the allgather reversed, and the allgather.
std::vector<std::vector<ChunkMove>> there_and_back(const std::vector<std::vector<ChunkMove>>& allgather) {
  std::vector<std::vector<ChunkMove>> steps;
  for (auto moves = allgather.rbegin(); moves != allgather.rend(); ++moves) {
    std::vector<ChunkMove>& step = steps.emplace_back(*moves);
    for (ChunkMove& move : step) {
      std::swap(move.from, move.to);
      move.adds = true;
    }
    std::ranges::stable_sort(
        step, [](const ChunkMove& a, const ChunkMove& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  }
  steps.insert(steps.end(), allgather.begin(), allgather.end());
  return steps;
}

}  // namespace

std::optional<Synthesis> synthesize(const ChunkTask& task, const SearchNetwork& network, PortModel ports,
                                    const SynthesisLimits& limits, const std::atomic<bool>& stop) {
  Synthesis result{.schedule = {.task = task, .nodes = network.nodes, .steps = {}}};
  if (network.nodes <= 1) return result;
  ChunkTask searched = task;
  SynthesisLimits inner = limits;
  const bool is_allreduce = task.operation == "allreduce";
  if (is_allreduce) searched.operation = "allgather";
  if (is_allreduce && limits.steps) inner.steps = *limits.steps / 2;
  const ChunkBound bound = chunk_bound(searched, network, ports);
  if (inner.steps && *inner.steps < bound.steps) return std::nullopt;
  SynthesisSearch search{searched, network, ports, limits.tries, std::mt19937_64(limits.seed), stop};
  Found found;
  if (ports == PortModel::all) {
    search_with_all_ports(inner, bound, search, found);
  } else {
    search_with_one_port(inner, bound, search, found);
  }
  if (found.steps.empty()) return std::nullopt;
  result.schedule.steps = is_allreduce ? there_and_back(found.steps) : std::move(found.steps);
  result.tries = limits.tries - search.tries;
  return result;
}

}  // namespace lockstep
