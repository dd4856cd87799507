#include <algorithm>
#include <string>

#include "host/number_text.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "program.hpp"

// Collectives on switches and complete graphs, all of whose ranks do the same in a step (collectives.md).
namespace lockstep::cli::pseudo_code {
namespace {

std::string parts(std::uint64_t number) { return number == 1 ? "a part" : grouped(number) + " parts"; }
std::string blocks(std::uint64_t number) { return number == 1 ? "a block" : grouped(number) + " blocks"; }
std::string ranks(std::uint64_t number) {
  return number == 1 ? "own values" : "those of " + grouped(number) + " ranks";
}

/// The skips s_0 = 1, .., s_q = p of the circulant graph: each is half the next, rounded up.
std::vector<std::uint64_t> skips(std::uint64_t p) {
  std::vector<std::uint64_t> all{p};
  while (all.back() > 1) all.push_back((all.back() + 1) / 2);
  std::ranges::reverse(all);
  return all;
}

/// For every step over the skips, from s_0 upwards, the line and what moves.
std::vector<Place> over_skips(std::uint64_t p, std::size_t line, std::string (*moved)(std::uint64_t)) {
  const std::vector<std::uint64_t> s = skips(p);
  std::vector<Place> places;
  for (std::size_t k = 0; k + 1 < s.size(); ++k) {
    places.push_back({line, value("k", k) + ": skip " + grouped(s[k]) + ", " + moved(s[k + 1] - s[k])});
  }
  return places;
}

std::vector<Place> reversed(std::vector<Place> places) {
  std::ranges::reverse(places);
  return places;
}

std::vector<Place> joined(std::vector<Place> first, const std::vector<Place>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// A line for each of so many steps t.
std::vector<Place> steps(std::uint64_t number, std::size_t line) {
  std::vector<Place> places;
  for (std::uint64_t t = 0; t < number; ++t) places.push_back({line, value("t", t)});
  return places;
}

std::string halves(const char* variable, std::uint64_t distance) {
  return value(variable, distance) + ": " + parts(distance);
}

/// Distances q/2, .., 1 or 1, .., q/2 of a power of two, with as many parts.
std::vector<Place> halving(std::uint64_t participants, std::size_t line) {
  std::vector<Place> places;
  for (std::uint64_t d = participants / 2; d > 0; d /= 2) places.push_back({line, halves("d", d)});
  return places;
}

std::uint64_t floor_power(std::uint64_t p) {
  std::uint64_t power = 1;
  while (power <= p / 2) power *= 2;
  return power;
}

std::optional<Program> allgather_circulant(const RunPlan& plan) {
  return Program{.why =
                     "Everybody has the blocks of the ranks from its own on. Who is that many ranks farther on has "
                     "just the next ones; the last step takes only what is still wanting.",
                 .lines = {"skips s[0] = 1, .., s[q] = p, each half the next, rounded up",
                           "for k = 0 .. q - 1:", "  send the first s[k + 1] - s[k] blocks held to rank - s[k]",
                           "  what comes from rank + s[k] goes behind those held"},
                 .place_in = listed(over_skips(plan.machine.processors, 2, blocks))};
}

std::optional<Program> allgather_neighbour_exchange(const RunPlan& plan) {
  return Program{
      .why =
          "Two blocks move at a time, to the right and to the left in turn: half the steps of a ring, over its links.",
      .lines = {"even ranks go right first, odd ranks left", "exchange the own block with that neighbour",
                "for t = 1 .. p/2 - 1:", "  turn to the other neighbour", "  exchange the two blocks that came last",
                "    (at first the own one and its neighbour's)"},
      .place_in = lasts(plan.machine.processors / 2, [](Cycle t) {
        return t == 0 ? Place{1, "a block"} : Place{4, value("t", t) + ": 2 blocks"};
      })};
}

std::optional<Program> allgather_sparbit(const RunPlan& plan) {
  const std::uint64_t p = plan.machine.processors;
  std::vector<Place> places;
  for (std::uint64_t d = floor_power(p) == p ? p / 2 : floor_power(p); d > 0; d /= 2) {
    places.push_back({2, value("d", d) + ": " + blocks(((p - 1) / d + 1) / 2)});
  }
  return Program{.why =
                     "Distances shrink, so that blocks may lie where they are to stay: what is held is every 2d-th "
                     "block, and a step fills the gaps between them.",
                 .lines = {"own block lies in its place", "for d = largest power of two below p, .., 4, 2, 1:",
                           "  send blocks rank, rank - 2d, rank - 4d, .. to rank + d,",
                           "    as many as ranks d on lack; the same come from rank - d"},
                 .place_in = listed(std::move(places))};
}

std::optional<Program> allreduce_circulant(const RunPlan& plan) {
  const std::uint64_t p = plan.machine.processors;
  return Program{.why =
                     "A reduce-scatter over skips that halve, rounded up, and the same backwards: 2 ceil(log2 p) "
                     "steps for any number of ranks, and no word more than must move.",
                 .lines = {"skips s[0] = 1, .., s[q] = p, each half the next, rounded up", "for k = q - 1 .. 0:",
                           "  send s[k + 1] - s[k] parts, from part rank + s[k] on, to rank + s[k]",
                           "  add what comes to the parts from part rank on",
                           "for k = 0 .. q - 1:", "  send s[k + 1] - s[k] parts, from part rank on, to rank - s[k]",
                           "  what comes from rank + s[k] goes behind those held"},
                 .place_in = listed(joined(reversed(over_skips(p, 2, parts)), over_skips(p, 5, parts)))};
}

std::optional<Program> allreduce_rabenseifner(const RunPlan& plan) {
  const std::uint64_t p = plan.machine.processors, participants = floor_power(p);
  const std::uint64_t pairs = p - participants;
  std::vector<std::string> lines{"place = number among the 2^Q ranks that take part"};
  std::vector<Place> places;
  if (pairs > 0) {
    lines.emplace_back("of the first 2 r ranks, r = p - 2^Q, the even ones");
    lines.emplace_back("  send all to rank + 1, which adds it and takes part");
    places.push_back({2, value("r", pairs)});
  }
  lines.emplace_back("for d = 2^(Q - 1), .., 2, 1:");
  lines.emplace_back("  with place xor d: send the d parts of the half without place,");
  places = joined(std::move(places), halving(participants, lines.size() - 1));
  lines.emplace_back("    add what comes to the half that has it, and keep that");
  lines.emplace_back("for d = 1, 2, .., 2^(Q - 1):");
  lines.emplace_back("  with place xor d: exchange all d parts held");
  places = joined(std::move(places), reversed(halving(participants, lines.size() - 1)));
  if (pairs > 0) {
    lines.emplace_back("rank + 1 sends all back");
    places.push_back({lines.size() - 1, value("r", pairs)});
  }
  return Program{.why =
                     "Halving gives each rank one part of the result, doubling everybody all: half the vector moves, "
                     "then a quarter, and so on.",
                 .lines = std::move(lines),
                 .place_in = listed(std::move(places))};
}

std::optional<Program> allreduce_recursive_doubling(const RunPlan& plan) {
  const std::uint64_t p = plan.machine.processors, participants = floor_power(p);
  const std::uint64_t pairs = p - participants;
  std::vector<std::string> lines{"result = own value", "place = number among the 2^Q ranks that take part"};
  std::vector<Place> places;
  if (pairs > 0) {
    lines.emplace_back("of the first 2 r ranks, r = p - 2^Q, the even ones");
    lines.emplace_back("  send result to rank + 1, which puts it in front and takes part");
    places.push_back({3, value("r", pairs)});
  }
  lines.emplace_back("for d = 1, 2, 4, .., 2^(Q - 1):");
  lines.emplace_back("  exchange result with place xor d");
  for (std::uint64_t d = 1; d < participants; d *= 2) places.push_back({lines.size() - 1, value("d", d)});
  lines.emplace_back("  join both, that of the lower place in front");
  if (pairs > 0) {
    lines.emplace_back("rank + 1 sends result back");
    places.push_back({lines.size() - 1, value("r", pairs)});
  }
  return Program{.why =
                     "Partners at doubling distances give each other all that they have. What each has stands for "
                     "ranks in a row, so operands stay in order; few steps, but the whole vector in each.",
                 .lines = std::move(lines),
                 .place_in = listed(std::move(places))};
}

std::optional<Program> allreduce_ring(const RunPlan& plan) {
  const std::uint64_t p = plan.machine.processors;
  return Program{.why =
                     "Parts go round twice: each rank adds its own to a part that passes, and then all copy the "
                     "results. Nothing is longer than a part, whatever the number of ranks.",
                 .lines = {"place = number of the rank along the ring", "for t = 0 .. p - 2:",
                           "  send part (place - 1 - t) mod p to the next", "  add what comes to the own part",
                           "for t = 0 .. p - 2:", "  send part (place - t) mod p to the next",
                           "  what comes is a part of the result"},
                 .place_in = listed(joined(steps(p - 1, 2), steps(p - 1, 5)))};
}

std::optional<Program> alltoall_bruck(const RunPlan& plan) {
  const std::uint64_t p = plan.machine.processors, radix = *plan.settings.radix;
  std::vector<Place> places;
  for (std::uint64_t weight = 1, x = 0; weight < p; weight *= radix, ++x) {
    for (std::uint64_t z = 1; z < radix && z * weight < p; ++z) {
      places.push_back({2, value("x", x) + ", " + value("z", z) + ": " + grouped(z * weight) + " on"});
    }
  }
  return Program{.why =
                     "A block's way is written in digits, and it goes digit by digit; all that go as far go "
                     "together. Few steps, but a block moves once for every digit that is not 0.",
                 .lines = {"r = radix; a block's way is (destination - origin) mod p",
                           "for every digit x, from the lowest, and every z = 1 .. r - 1:",
                           "  send the blocks with digit x of their way = z to rank + z r^x",
                           "  take what comes from rank - z r^x"},
                 .place_in = listed(std::move(places))};
}

std::optional<Program> alltoall_pairwise(const RunPlan& plan) {
  return Program{
      .why = "Every block goes straight to where it belongs, and in no step do two go to the same rank.",
      .lines = {"held = blocks for all ranks", "for t = 1 .. p - 1:", "  send the block for rank + t to that rank",
                "  take the block that rank - t has for this one"},
      .place_in = repeats(2, plan.machine.processors - 1, [](Cycle cycle) { return value("t", cycle + 1); })};
}

// Where processors arrive late only the planner knows which round is in which cycle.
std::optional<Program> barrier_dissemination(const RunPlan& plan) {
  if (plan.settings.arrivals != 0U) return {};
  return Program{
      .why =
          "After round i a rank has heard, by way of others, of the 2^(i + 1) ranks up to itself: in the end of all.",
      .lines = {"for i = 0 .. ceil(log2 p) - 1:", "  send a message without words to rank + 2^i",
                "  wait for that of rank - 2^i", "leave the barrier"},
      .place_in = repeats(1, doublings(plan.machine.processors), [](Cycle i) { return value("i", i); })};
}

std::optional<Program> broadcast_scatter_allgather(const RunPlan& plan) {
  const std::uint64_t p = plan.machine.processors;
  std::vector<Place> places;
  for (std::uint64_t i = doublings(p); i-- > 0;) places.push_back({2, value("d", std::uint64_t{1} << i)});
  return Program{
      .why =
          "The item goes out in parts, so that everybody can send while it is spread: a rank sends about "
          "two items in all, where the root of a binomial tree sends one for every doubling.",
      .lines = {"rel = (rank - root) mod p; the item is cut into p parts", "for d = 2^(ceil(log2 p) - 1), .., 2, 1:",
                "  if rel mod 2d = 0: send parts rel + d .. rel + 2d - 1 to rel + d",
                "for t = 0 .. p - 2:", "  send part (rel - t) mod p to rel + 1"},
      .place_in = listed(joined(std::move(places), steps(p - 1, 4)))};
}

std::optional<Program> exscan_123_doubling(const RunPlan& plan) {
  return Program{.why =
                     "The second step sends the own value too, so that distances grow as 1, 2, 3, 6, 12, ..: what a "
                     "rank has ends just before itself and never has to be made up.",
                 .lines = {"V = own value; W = nothing", "t = 0: send V to rank + 1; what comes is W",
                           "t = 1: send W (+) V to rank + 2; what comes goes in front of W",
                           "for t = 2, 3, ..:  d = 3 * 2^(t - 2)", "  send W to rank + d, if it has one",
                           "  what comes from rank - d goes in front of W"},
                 .place_in = lasts(predicted_steps(plan), [](Cycle t) {
                   if (t < 2) return Place{1 + static_cast<std::size_t>(t), t == 0 ? "d = 1" : "d = 2"};
                   return Place{4, value("d", std::uint64_t{3} << (t - 2))};
                 })};
}

std::optional<Program> reduce_scatter_circulant(const RunPlan& plan) {
  return Program{.why =
                     "Every step gives away the upper half of the parts that a rank still works for, rounded down: "
                     "all go on at the same skip, and meet nobody else.",
                 .lines = {"skips s[0] = 1, .., s[q] = p, each half the next, rounded up", "for k = q - 1 .. 0:",
                           "  send s[k + 1] - s[k] parts, from part rank + s[k] on, to rank + s[k]",
                           "  add what comes to the parts from part rank on"},
                 .place_in = listed(reversed(over_skips(plan.machine.processors, 2, parts)))};
}

std::optional<Program> reduce_scatter_halving(const RunPlan& plan) {
  return Program{.why = "Two ranks share what both work for: each gives the other the half that it will not keep.",
                 .lines = {"for d = p/2, .., 2, 1:", "  with rank xor d: send the d parts of the half without rank,",
                           "    add what comes to the half that has it,", "    and work for that half alone"},
                 .place_in = listed(halving(plan.machine.processors, 1))};
}

std::optional<Program> reduce_scatter_pairwise(const RunPlan& plan) {
  return Program{
      .why = "Every summand goes straight to the rank of its part.",
      .lines = {"result = own summand of part rank", "for t = 1 .. p - 1:",
                "  send the summand of part rank + t to that rank", "  add what comes from rank - t to result"},
      .place_in = repeats(2, plan.machine.processors - 1, [](Cycle cycle) { return value("t", cycle + 1); })};
}

std::optional<Program> reduce_scatter_ring(const RunPlan& plan) {
  return Program{.why = "Every part goes once round the ranks, ends at its own, and each adds its summand.",
                 .lines = {"for t = 0 .. p - 2:", "  send part (rank - 1 - t) mod p to rank + 1",
                           "  take part (rank - 2 - t) mod p from rank - 1", "  add the own summand to it"},
                 .place_in = listed(steps(plan.machine.processors - 1, 1))};
}

std::optional<Program> scan_doubling(const RunPlan& plan) {
  return Program{
      .why =
          "What a rank has stands for the ranks up to itself: 1, 2, 4, .. of them. The rank as many below "
          "has just those before.",
      .lines = {"prefix = own value", "for d = 1, 2, 4, .. below p:", "  send prefix to rank + d, if there is",
                "  what comes from rank - d goes in front of prefix"},
      .place_in = repeats(2, doublings(plan.machine.processors), [](Cycle i) {
        const std::uint64_t d = std::uint64_t{1} << i;
        return value("d", d) + ": " + ranks(d);
      })};
}

constexpr Entry entries[] = {
    {"allgather/circulant", allgather_circulant},
    {"allgather/neighbour-exchange", allgather_neighbour_exchange},
    {"allgather/sparbit", allgather_sparbit},
    {"allreduce/circulant", allreduce_circulant},
    {"allreduce/rabenseifner", allreduce_rabenseifner},
    {"allreduce/recursive-doubling", allreduce_recursive_doubling},
    {"allreduce/ring", allreduce_ring},
    {"alltoall/bruck", alltoall_bruck},
    {"alltoall/pairwise", alltoall_pairwise},
    {"barrier/dissemination", barrier_dissemination},
    {"broadcast/scatter-allgather", broadcast_scatter_allgather},
    {"exscan/123-doubling", exscan_123_doubling},
    {"reduce-scatter/circulant", reduce_scatter_circulant},
    {"reduce-scatter/halving", reduce_scatter_halving},
    {"reduce-scatter/pairwise", reduce_scatter_pairwise},
    {"reduce-scatter/ring", reduce_scatter_ring},
    {"scan/doubling", scan_doubling},
};

}  // namespace

std::span<const Entry> collective_programs() { return entries; }

}  // namespace lockstep::cli::pseudo_code
