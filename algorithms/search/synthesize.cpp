#include <algorithm>
#include <limits>
#include <random>
#include <utility>

#include "calls.hpp"
#include "draw.hpp"
#include "draw_calls.hpp"
#include "router.hpp"

namespace lockstep {
namespace {

using search::OpenArcs;
using search::Router;

constexpr std::uint64_t without_limit = std::numeric_limits<std::uint64_t>::max();

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
  search::Watch watch;
  bool is_cut = false;  // it is to end

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
    if (rounds.empty() || !router.route(rounds, passes, tries, search.watch)) return false;
    search.watch.show(router.steps(), sum(router.rounds()));
    return true;
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

/// The first trees are laid anew, or those of `from`. Finds nothing if the search is to end before they are laid.
Found search_in(OpenArcs open, std::uint64_t bound, std::uint64_t tries, SynthesisSearch& search,
                const ChunkSchedule* from = nullptr) {
  const std::uint64_t steps = open.size();
  Router router(search.network, search::demands_of(search.task, search.network.nodes), std::move(open),
                search.random());
  const std::uint64_t given = std::min(tries, search.tries);
  std::uint64_t left = given;
  try {
    if (from != nullptr) {
      router.begin_with(*from);
    } else {
      // The first trees always fit: there is room for everything.
      std::uint64_t to_begin = without_limit;
      const std::vector<std::uint64_t> wide(steps, std::uint64_t{1} << 32);
      router.route(wide, 1, to_begin, search.watch);
    }
    search.watch.show(steps, sum(router.rounds()));
    shorten(router, bound, left, search);
  } catch (const search::SearchEnded&) {
    search.is_cut = true;
    if (!router.has_found()) return {};
  }
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
    search.watch.check();
    OpenArcs calls = search::draw_calls(task, search.network, chunks_a_step, most_steps, search.random);
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
    if (!better.fit(calls.front().size() - 1, changes(), search.watch)) continue;
    calls = {better.calls()};
    attempt = 0;
  }
  for (std::size_t more = calls.size(); more < most_kept; ++more) {
    better.begin_with(calls[more % calls.size()]);
    better.shake(2 * calls.front().size());
    if (!better.fit(calls.front().size(), changes() / 4, search.watch)) continue;
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
    if (one.steps.empty()) return;  // it is to end
    if (!found.steps.empty() && merit(found) <= merit(one)) return;
    found = std::move(one);
    best = &one_calls;
  };
  const auto goes_on = [&] { return !search.is_cut && (found.steps.empty() || found.rounds > bound.rounds); };
  for (const OpenArcs& one : calls) {
    if (goes_on()) search_on(one, share);
  }
  if (best != nullptr && goes_on()) search_on(*best, search.tries);
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
    if (limits.steps && !found.steps.empty() && std::max(bound.rounds, lengths[index]) >= found.rounds) break;
    const OpenArcs open(lengths[index], std::vector<bool>(search.network.arcs.size(), true));
    Found one = search_in(open, bound.rounds, search.tries / (lengths.size() - index), search);
    const bool is_better =
        found.steps.empty() || one.rounds < found.rounds || (!limits.steps && one.steps.size() < found.steps.size());
    if (is_better && !one.steps.empty()) found = std::move(one);
    if (search.is_cut) break;
  }
}

/// The schedule with which a search for `searched` begins: the limits' one, or of an allreduce its second half, if that
/// is an allgather.
std::optional<ChunkSchedule> start_of(const SynthesisLimits& limits, const ChunkTask& searched,
                                      const SearchNetwork& network, PortModel ports) {
  if (limits.from == nullptr || limits.from->steps.empty()) return std::nullopt;
  ChunkSchedule start = *limits.from;
  if (start.task.operation != searched.operation) {
    start.task = searched;
    const auto half = static_cast<std::ptrdiff_t>(start.steps.size() / 2);
    start.steps.erase(start.steps.begin(), start.steps.begin() + half);
  }
  try {
    check(start, network, ports);
    return start;
  } catch (const ScheduleError&) {  // another way to an allreduce
    return std::nullopt;
  }
}

/// With one port the arcs remain those that the schedule uses.
Found search_from(const ChunkSchedule& start, const ChunkBound& bound, SynthesisSearch& search) {
  OpenArcs open(start.steps.size(), std::vector<bool>(search.network.arcs.size(), search.ports == PortModel::all));
  for (std::size_t step = 0; step < start.steps.size(); ++step) {
    for (const ChunkMove& move : start.steps[step]) {
      open[step][search.network.arc(move.from, move.to)] = true;
    }
  }
  return search_in(std::move(open), bound.rounds, search.tries / 2, search, &start);
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
  SynthesisSearch search{.task = searched,
                         .network = network,
                         .ports = ports,
                         .tries = limits.tries,
                         .random = std::mt19937_64(limits.seed),
                         .watch = search::Watch(limits, stop)};
  Found found;
  if (const auto from = start_of(limits, searched, network, ports)) found = search_from(*from, bound, search);
  const bool is_optimal = !found.steps.empty() && found.rounds == bound.rounds && found.steps.size() == bound.steps;
  try {
    if (is_optimal || search.is_cut) {
    } else if (ports == PortModel::all) {
      search_with_all_ports(inner, bound, search, found);
    } else {
      search_with_one_port(inner, bound, search, found);
    }
  } catch (const search::SearchEnded&) {
    search.is_cut = true;
  }
  if (found.steps.empty()) return std::nullopt;
  result.schedule.steps = is_allreduce ? there_and_back(found.steps) : std::move(found.steps);
  result.tries = limits.tries - search.tries;
  result.is_cut = search.is_cut;
  return result;
}

}  // namespace lockstep
