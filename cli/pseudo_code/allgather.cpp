#include <algorithm>

#include "host/number_text.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/machines/grid_tours.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "program.hpp"

namespace lockstep::cli::pseudo_code {
namespace {

/// C(n, k); n is at most 32.
std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t number = 1;
  for (std::uint64_t i = 1; i <= k; ++i) number = number * (n - k + i) / i;
  return number;
}

/// The loop over distances. All dimensions are exchanged at once, in one cycle a distance or, unless duplex is full, in
/// two.
std::string distances(const RunPlan& plan) {
  if (plan.model.duplex == Duplex::full) return "for i = 1 .. n:";
  return "for i = 1 .. n, first ranks with an even number of ones, then odd:";
}

/// blocks(n, i) says what moves at distance i.
template <class Blocks>
std::function<std::optional<Place>(Cycle)> over_distances(const RunPlan& plan, std::size_t line, Blocks blocks) {
  const std::uint64_t n = plan.machine.ports;
  const bool full = plan.model.duplex == Duplex::full;
  return repeats(line, full ? n : 2 * n, [=](Cycle cycle) {
    const std::uint64_t i = (full ? cycle : cycle / 2) + 1;
    const std::string who = full ? "" : cycle % 2 == 0 ? ", even" : ", odd";
    return value("i", i) + who + ": " + blocks(n, i);
  });
}

std::optional<Program> tea1(const RunPlan& plan) {
  return Program{.why =
                     "After step i everybody has all blocks from up to i links away. A block comes over all i links "
                     "that lead nearer to its origin at once; all copies but one are dropped.",
                 .lines = {distances(plan), "  for all dimensions d at once, y = rank xor 2^d:",
                           "    send y the blocks at hand whose origin is i links away from y",
                           "  keep what is new of what came, drop the copies"},
                 .place_in = over_distances(plan, 2, [](std::uint64_t n, std::uint64_t i) {
                   return counted(binomial(n - 1, i - 1), "block") + " over every link";
                 })};
}

std::optional<Program> tea2(const RunPlan& plan) {
  return Program{
      .why =
          "As in TEA1 blocks come from i links away in step i, but each over one link only, and all links "
          "carry equal shares, or nearly so.",
      .lines = {"dim_of[x]: one of the one bits of x, each of them about as often", distances(plan),
                "  for all dimensions d at once, y = rank xor 2^d:",
                "    send y the blocks at hand whose origin x is i links away from y,",
                "      of these only those with dim_of[x xor y] = d", "  keep what came, all of which is new"},
      .place_in = over_distances(plan, 3, [](std::uint64_t n, std::uint64_t i) {
        const std::uint64_t blocks = binomial(n, i);
        return "everybody is given " + counted(blocks, "block") + ", at most " + std::to_string((blocks + n - 1) / n) +
               " over a link";
      })};
}

std::optional<Program> adea(const RunPlan& plan) {
  const std::uint64_t n = plan.machine.ports;
  const std::string why =
      "Neighbours give each other all that they have, so that it doubles in every step: one port can do no better.";
  const auto blocks = [](std::uint64_t i) { return counted(std::uint64_t{1} << i, "block"); };
  if (plan.model.duplex == Duplex::full) {
    return Program{
        .why = why,
        .lines = {"held = own block", "for d = n - 1 .. 0:", "  send held to rank xor 2^d, and receive as much from it",
                  "  held = held + what came"},
        .place_in = repeats(2, n, [=](Cycle i) { return value("d", n - 1 - i) + ": " + blocks(i) + " each way"; })};
  }
  return Program{
      .why = why,
      .lines = {"held = own block", "for d = n - 1 .. 0:", "  processors whose bit d is 1 send held to rank xor 2^d",
                "  then the others send it what they held before", "  held = held + what came"},
      .place_in = lasts(2 * n, [=](Cycle cycle) -> Place {
        const std::uint64_t i = cycle / 2;
        return {2 + cycle % 2, value("d", n - 1 - i) + ": " + blocks(i)};
      })};
}

std::string back(std::uint64_t distance, std::string_view unit) {
  return distance == 0 ? "everybody sends its own" : "everybody sends what began " + counted(distance, unit) + " back";
}

/// Whether the places of a ring of so many send by turns, of which there is no program here.
bool go_by_turns(const RunPlan& plan, std::uint64_t size) {
  return takes_turns(plan.model, plan.machine.medium.has_value()) ||
         (size == 2 && plan.model.duplex == Duplex::half_link);
}
constexpr const char* snake = "the ring: rows to and fro without column 0, then back in column 0";

/// `ring` says which processor is at place i.
std::optional<Program> once_round(const RunPlan& plan, std::string ring) {
  if (go_by_turns(plan, plan.machine.processors)) return {};
  return Program{.why =
                     "All blocks go once round a ring through all processors, each a place behind the other: nobody "
                     "rests before all have everything.",
                 .lines = {std::move(ring), "block = own block",
                           "for t = 1 .. k - 1:", "  send block to the next place, receive one from the place before",
                           "  block = what came; keep a copy of it"},
                 .place_in = repeats(3, plan.machine.processors - 1,
                                     [](Cycle cycle) { return value("t", cycle + 1) + ": " + back(cycle, "place"); })};
}

/// How far along their lines, of so many processors, messages have come after some steps. Where the senses of a line
/// that is not closed go one after the other, `turn` says which goes.
struct Passed {
  std::size_t dimension;
  std::uint64_t turn;
  std::uint64_t steps;
};

/// Where a method is that passes along the lines of one dimension after the other.
Passed passed(std::span<const GridAxis> lines, std::uint64_t turns, Cycle cycle) {
  std::size_t dimension = 0;
  for (; cycle >= turns * (lines[dimension].side() - 1); ++dimension) cycle -= turns * (lines[dimension].side() - 1);
  const std::uint64_t steps = lines[dimension].side() - 1;
  return {dimension, cycle / steps, cycle % steps};
}

/// Both ways along lines that are not closed; `start` says what goes.
std::optional<Program> both_ways(const RunPlan& plan, std::vector<GridAxis> axes, std::string why, std::string start) {
  const bool at_once = plan.model.ports == PortModel::all && plan.model.duplex == Duplex::full;
  const std::uint64_t turns = at_once ? 1 : 2;
  std::vector<std::string> lines{std::move(start), "for t = 1 .. places - 1:"};
  if (at_once) {
    lines.emplace_back("  send up to the next place, and down to the one before");
    lines.emplace_back("  up = what comes from below, down = what comes from above; keep copies");
  } else {
    lines.emplace_back("  send up to the next place; up = what comes from below, kept");
    lines.emplace_back("for t = 1 .. places - 1:");
    lines.emplace_back("  send down to the place before; down = what comes from above, kept");
  }
  std::uint64_t cycles = 0;
  for (const GridAxis& axis : axes) cycles += turns * (axis.side() - 1);
  return Program{.why = std::move(why),
                 .lines = std::move(lines),
                 .place_in = lasts(cycles, [turns, axes = std::move(axes)](Cycle cycle) -> Place {
                   const Passed now = passed(axes, turns, cycle);
                   const std::string where = axes.size() == 1 ? "" : value("dimension", now.dimension) + ", ";
                   return {now.turn == 0 ? 2U : 4U, where + value("t", now.steps + 1)};
                 })};
}

std::string place_on_torus(const MachineSpec& machine) {
  const Grid grid(machine);
  if (grid.dimensions() == 2 && grid.axis(0).side() == grid.axis(1).side()) {
    return "place i of the ring is in row y = i div s, column (i - y) mod s";
  }
  const auto ring = SkewRing::of(grid);
  if (!ring) return snake;
  return "the ring: to the next row if (x + y) mod " + std::to_string(ring->period()) +
         " >= " + std::to_string(ring->period() - ring->row_steps()) + ", else to the next column";
}

std::optional<Program> daisy_chain(const RunPlan& plan) {
  const std::string& family = plan.machine.family;
  if (family == "path" || family == "mesh") {
    const GridAxis line(static_cast<Rank>(plan.machine.processors), false, 0, 1);
    return both_ways(plan, {line},
                     "All blocks go to both ends of a path through all processors, each a place behind the other; the "
                     "last to arrive come from end to end.",
                     "up = down = own block; the path goes to and fro through all rows");
  }
  return once_round(plan, family == "hypercube" ? "place i of the ring is processor i xor (i >> 1): the Gray code"
                          : family == "torus"   ? place_on_torus(plan.machine)
                          : family == "rh"      ? "the ring goes through all nodes: rings of subblocks, joined"
                                                : "place i of the ring is processor i");
}

std::optional<Program> daisy_chain_snake(const RunPlan& plan) { return once_round(plan, snake); }

std::optional<Program> doubling(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  return Program{.why =
                     "Whoever has c blocks is given those of the processor c places on, so that c doubles; the last "
                     "step brings what is missing, whatever k is.",
                 .lines = {"held = 1", "while held < k:", "  more = min(held, k - held)",
                           "  send the first `more` blocks to rank - held (mod k)",
                           "  receive the next `more` blocks from rank + held (mod k)", "  held = held + more"},
                 .place_in = repeats(3, doublings(k), [k](Cycle i) {
                   const std::uint64_t held = std::uint64_t{1} << i;
                   return value("held", held) + ", " + value("more", std::min(held, k - held));
                 })};
}

std::optional<Program> direct_on_bus(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  return Program{
      .why = "All hear what one says: k blocks take k steps, however many need them.",
      .lines = {"for q = 0 .. k - 1:", "  if rank = q:", "    send the own block to all others, in one transaction",
                "  else:", "    keep the block that is heard"},
      .place_in = repeats(2, k == 1 ? 0 : k, [](Cycle q) { return value("q", q); })};
}

std::optional<Program> direct_through_memory(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  const std::uint64_t users = std::min(plan.machine.medium->users, k);
  const std::uint64_t turns = rounds(*plan.machine.medium, k);
  return Program{
      .why =
          "Every block is written once and read k - 1 times; kstar, the accesses that the memory takes in "
          "a cycle, says how long that lasts.",
      .lines = {"r = rank div kstar, R = ceil(k / kstar)", "in cycle r:", "  write the own block into slot `rank`",
                "in cycle R + r:", "  read the slots of all others, in one access"},
      .place_in = lasts(k == 1 ? 0 : 2 * turns, [=](Cycle cycle) -> Place {
        const std::uint64_t r = cycle % turns;
        const std::uint64_t first = r * users;
        const std::uint64_t last = std::min(first + users, k) - 1;
        const std::string who = first == last ? "processor " + std::to_string(first)
                                              : "processors " + std::to_string(first) + " to " + std::to_string(last);
        return {cycle < turns ? 2U : 4U, value("r", r) + ": " + who};
      })};
}

std::optional<Program> direct_through_banks(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  const std::uint64_t at_once = std::min(users_at_once(*plan.machine.medium), k);
  const std::uint64_t turns = (k + at_once - 1) / at_once;
  return Program{
      .why =
          "A bank serves one processor a cycle: readers that come together go round the groups of banks, each in "
          "another one than the others.",
      .lines = {"P = min(kstar, banks, k), r = rank div P, R = ceil(k / P)",
                "in cycle r:", "  write the own block into a slot of group rank mod P",
                "in P cycles from R + r P on, t = 0 .. P - 1:", "  read all others' slots of group (rank + t) mod P"},
      .place_in = lasts(k == 1 ? 0 : predicted_steps(plan), [=](Cycle cycle) -> Place {
        return {cycle < turns ? 2U : 4U, "cycle " + std::to_string(cycle)};
      })};
}

std::optional<Program> direct(const RunPlan& plan) {
  if (plan.machine.medium->banks != 0) return direct_through_banks(plan);
  return plan.machine.family == "bus" ? direct_on_bus(plan) : direct_through_memory(plan);
}

/// Round the lines of any number of dimensions.
std::optional<Program> pass_a_dimension(std::vector<GridAxis> axes) {
  std::uint64_t cycles = 0;
  for (const GridAxis& axis : axes) cycles += axis.side() - 1;
  return Program{
      .why =
          "Round the lines of one dimension after the other, each time with all that was gathered before: "
          "few steps, for the words of a ring through all.",
      .lines = {"for every dimension, the first first; a = its side:", "  list = all blocks gathered so far",
                "  for t = 1 .. a - 1:", "    send list to the next place, receive one from the place before",
                "    list = what came; keep a copy of it"},
      .place_in = lasts(cycles, [axes = std::move(axes)](Cycle cycle) -> Place {
        const Passed now = passed(axes, 1, cycle);
        return {3,
                value("dimension", now.dimension) + ", " + value("t", now.steps + 1) + ": " + back(now.steps, "place")};
      })};
}

std::optional<Program> two_pass_on_torus(const Grid& grid) {
  const std::uint64_t rows = grid.axis(0).side() - 1;
  return Program{
      .why =
          "First round the columns, then whole columns round the rows: far fewer steps than one ring "
          "through all takes, for the same words.",
      .lines = {"list = own block",
                "for t = 1 .. rows - 1:", "  send list to the next row, receive one from the row before",
                "  list = what came; keep a copy of it", "list = the blocks of the own column",
                "for t = 1 .. columns - 1:", "  send list to the next column, receive one from the column before",
                "  list = what came; keep a copy of it"},
      .place_in = lasts(rows + grid.axis(1).side() - 1, [=](Cycle cycle) -> Place {
        if (cycle < rows) return {2, value("t", cycle + 1) + ": " + back(cycle, "row")};
        return {6, value("t", cycle - rows + 1) + ": " + back(cycle - rows, "column")};
      })};
}

std::optional<Program> two_pass(const RunPlan& plan) {
  const Grid grid(plan.machine);
  if (plan.machine.family != "torus") {
    return both_ways(plan, grid.axes(),
                     "Both ways along the lines of one dimension after the other, each time with all that was "
                     "gathered before.",
                     "for every dimension: up = down = all gathered so far; then");
  }
  for (const GridAxis& axis : grid.axes()) {
    if (go_by_turns(plan, axis.side())) return {};
  }
  return grid.dimensions() == 2 ? two_pass_on_torus(grid) : pass_a_dimension(grid.axes());
}

constexpr Entry entries[] = {
    {"allgather/adea", adea},
    {"allgather/daisy-chain", daisy_chain},
    {"allgather/daisy-chain-snake", daisy_chain_snake},
    {"allgather/direct", direct},
    {"allgather/doubling", doubling},
    {"allgather/tea1", tea1},
    {"allgather/tea2", tea2},
    {"allgather/two-pass", two_pass},
};

}  // namespace

std::span<const Entry> allgather_programs() { return entries; }

}  // namespace lockstep::cli::pseudo_code
