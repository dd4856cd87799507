// Links and processors that fail at random.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "fault_options.hpp"
#include "host/number_text.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep::cli::flags {
namespace {

using PairOfRanks = std::pair<Rank, Rank>;

/// All pairs of neighbours, the lower rank first, in their order.
std::vector<PairOfRanks> pairs_of_neighbours(const Topology& topology) {
  std::vector<PairOfRanks> pairs;
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    const auto first = static_cast<std::ptrdiff_t>(pairs.size());
    for (Port port = 0; port < topology.ports(); ++port) {
      const Rank other = topology.peer(rank, port).rank;
      if (other != no_rank && other > rank) pairs.emplace_back(rank, other);
    }
    std::sort(pairs.begin() + first, pairs.end());
    pairs.erase(std::unique(pairs.begin() + first, pairs.end()), pairs.end());  // several links are one
  }
  return pairs;
}

/// How many of `all` fail; a share is rounded to the nearest number.
std::uint64_t number_that_fails(const RandomFaults& random, std::size_t all) {
  if (!random.percent) return random.count;
  return static_cast<std::uint64_t>(std::llround(*random.percent / 100 * static_cast<double>(all)));
}

/// A number below `bound`, which is not 0, all equally likely.
std::uint64_t draw_below(std::uint64_t bound, std::mt19937_64& engine) {
  const std::uint64_t surplus = -bound % bound;  // 2^64 modulo the bound; smaller draws are rejected
  std::uint64_t bits = engine();
  while (bits < surplus) bits = engine();
  return bits % bound;
}

/// Moves `number` of the elements to the front; all sets and orders are equally likely.
template <class Element>
void draw_first(std::vector<Element>& elements, std::uint64_t number, std::mt19937_64& engine) {
  for (std::size_t index = 0; index < number; ++index) {
    std::swap(elements[index], elements[index + draw_below(elements.size() - index, engine)]);
  }
}

/// The number that fail of the candidates, of `all`. Throws InputError if there are fewer.
std::uint64_t checked_number(const char* flag, const RandomFaults& random, std::size_t all, std::size_t candidates,
                             const std::string& what, const Topology& topology) {
  const std::uint64_t number = number_that_fails(random, all);
  if (number <= candidates) return number;
  throw InputError(std::string(flag) + ": " + topology.name() + " has " + host::counted(all, what) + ", not " +
                   std::to_string(number) + (candidates < all ? " beside those that are named" : ""));
}

void draw_links(FaultArguments& arguments, const Topology& topology) {
  RandomFaults& random = *arguments.links;
  std::vector<LinkFault>& links = arguments.faults.links;
  if (topology.medium()) throw InputError("faults: " + topology.name() + " has no links that could fail");
  std::vector<PairOfRanks> pairs = pairs_of_neighbours(topology);
  const std::size_t all = pairs.size();
  std::erase_if(pairs, [&](const PairOfRanks& pair) {
    return std::ranges::any_of(
        links, [&](const LinkFault& fault) { return PairOfRanks(std::minmax(fault.a, fault.b)) == pair; });
  });
  random.drawn = checked_number("--fail-links", random, all, pairs.size(), "link", topology);
  std::mt19937_64 engine(arguments.messages.seed);
  draw_first(pairs, random.drawn, engine);
  pairs.resize(random.drawn);
  for (const auto& [a, b] : pairs) links.push_back({a, b, random.from});
}

void draw_processors(FaultArguments& arguments, const Topology& topology) {
  constexpr std::uint64_t other_numbers = 0x70726f63;  // not those that draw links
  RandomFaults& random = *arguments.processors;
  std::vector<ProcessorFault>& processors = arguments.faults.processors;
  std::vector<Rank> ranks(topology.processors());
  std::iota(ranks.begin(), ranks.end(), Rank{0});
  std::erase_if(
      ranks, [&](Rank rank) { return std::ranges::find(processors, rank, &ProcessorFault::rank) != processors.end(); });
  random.drawn =
      checked_number("--fail-processors", random, topology.processors(), ranks.size(), "processor", topology);
  std::mt19937_64 engine(arguments.messages.seed ^ other_numbers);
  draw_first(ranks, random.drawn, engine);
  ranks.resize(random.drawn);
  for (const Rank rank : ranks) processors.push_back({rank, random.from});
}

}  // namespace

void draw_faults(FaultArguments& arguments, const Topology& topology) {
  if (arguments.links) draw_links(arguments, topology);
  if (arguments.processors) draw_processors(arguments, topology);
}

}  // namespace lockstep::cli::flags
