#include <algorithm>
#include <limits>
#include <memory>

#include "host/number_text.hpp"
#include "lockstep/algorithms/schedule.hpp"
#include "lockstep/machines/dimensions.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "program.hpp"

namespace lockstep::cli::pseudo_code {
namespace {

std::optional<Program> exchange(const RunPlan& plan) {
  const std::uint64_t n = doublings(plan.machine.processors);
  const std::string blocks = counted(plan.machine.processors / 2, "block");
  const std::string why =
      "Dimension by dimension all blocks move to the side on which they end; a processor holds k blocks all the time, "
      "and half of them move in every step.";
  if (plan.model.duplex == Duplex::full) {
    return Program{.why = why,
                   .lines = {"held = own blocks, one for every processor",
                             "for d = n - 1 .. 0:", "  send rank xor 2^d the blocks for ranks with its bit d",
                             "  receive as many from it", "  held = the blocks that stayed + what came"},
                   .place_in = repeats(
                       2, n, [=](Cycle cycle) { return value("d", n - 1 - cycle) + ": " + blocks + " each way"; })};
  }
  return Program{.why = why,
                 .lines = {"held = own blocks, one for every processor",
                           "for d = n - 1 .. 0:", "  leaving = the blocks in held for ranks with another bit d",
                           "  processors whose bit d is 1 send leaving to rank xor 2^d",
                           "  then the others send it their leaving", "  held = the blocks that stayed + what came"},
                 .place_in = lasts(2 * n, [=](Cycle cycle) -> Place {
                   return {3 + cycle % 2, value("d", n - 1 - cycle / 2) + ": " + blocks};
                 })};
}

/// A product A x B whose last factor is B, and A the product of those before it.
struct Product {
  ProductSchedule schedule;
  std::uint64_t nodes_of_b;
  std::uint64_t nodes_of_a;
  std::uint64_t steps_of_b;
  std::uint64_t steps_of_a;
  bool names_dimensions;  ///< in which of its own A is at work

  explicit Product(const MachineSpec& machine) : schedule(total_exchange_schedule(machine)) {
    const std::vector<Dimension> factors = dimensions(machine);
    nodes_of_b = factors.empty() ? 1 : factors.back().factor.processors;
    nodes_of_a = machine.processors / nodes_of_b;
    steps_of_b = schedule.steps() == 0 ? 0 : schedule.round(0, 0).end;
    steps_of_a = (schedule.steps() - nodes_of_a * steps_of_b) / nodes_of_b;
    names_dimensions = factors.size() > 2;
  }

  Place place(Cycle cycle) const {
    const auto step = [](std::uint64_t number, std::uint64_t all) { return ": step " + of(number + 1, all); };
    const std::uint64_t phase_1 = nodes_of_a * steps_of_b;
    if (cycle < phase_1) return {2, value("r", cycle / steps_of_b) + step(cycle % steps_of_b, steps_of_b)};
    const std::uint64_t into = cycle - phase_1;
    std::string values = value("q", into / steps_of_a) + step(into % steps_of_a, steps_of_a);
    if (names_dimensions) values += ", in dimension " + std::to_string(schedule.round(cycle, 0).factor);
    return {5, std::move(values)};
  }
};

// Only where all factors run their own schedule, which is the default on tori, meshes and cubes.
std::optional<Program> product(const RunPlan& plan) {
  if (plan.settings.schedules != "factor") return {};
  const auto product = std::make_shared<const Product>(plan.machine);
  return Program{
      .why =
          "Rounds of the factors' own exchanges, in all copies of a factor at once: copies share no "
          "processor, so where the factors keep all ports busy, the product does.",
      .lines = {"(i,j): place i in A, j in B, the machine's last dimension", "for r = 0 .. processors of A - 1:",
                "  all copies of B at once run B's own exchange;", "  its block from j to l is that of (i,j) for (r,l)",
                "for q = 0 .. processors of B - 1:", "  all copies of A at once run A's own exchange;",
                "  its block from i to l is that of (i,q) for (l,j)"},
      .place_in = lasts(product->schedule.steps(), [product](Cycle cycle) { return product->place(cycle); })};
}

std::optional<Program> on_ring(std::uint64_t m) {
  std::vector<Place> places;
  for (std::uint64_t d = 1; d < m; ++d) {
    const std::uint64_t links = std::min(d, m - d);
    for (std::uint64_t link = 1; link <= links; ++link)
      places.push_back({3, value("d", d) + ": link " + of(link, links)});
  }
  return Program{
      .why =
          "All processors do the same, each sends and receives in every step, and no block ever waits: with one port "
          "and a block a message nothing is faster.",
      .lines = {"for d = 1 .. m - 1:", "  block = own block for rank + d (mod m)", "  for link = 1 .. min(d, m - d):",
                "    send block on, clockwise if d <= m / 2, else the other way", "    block = what came"},
      .place_in = listed(std::move(places))};
}

std::optional<Program> on_complete_graph(std::uint64_t m) {
  return Program{.why = "Everybody has a link to everybody: a shift by every distance, and all is where it should be.",
                 .lines = {"for d = 1 .. m - 1:", "  to = rank + d (mod m), from = rank - d (mod m)",
                           "  send the block for `to` to it", "  receive the block of `from`"},
                 .place_in = repeats(2, m - 1, [](Cycle cycle) { return value("d", cycle + 1); })};
}

std::optional<Program> on_path(std::uint64_t m) {
  const std::uint64_t steps = m == 1 ? 0 : (m * m + 1) / 2 - 1;
  const std::uint64_t middle = m % 2 == 0 ? 1 : 0;
  const std::uint64_t one_way = (steps - middle) / 2;
  return Program{.why =
                     "What has farthest to go leaves first, so that the middle link, over which most blocks go, never "
                     "rests in the direction that is at work.",
                 .lines = {"if m is even: the two middle ranks exchange blocks",
                           "queue = own blocks for higher ranks, the farthest first",
                           "while there are any:", "  send the first of queue to rank + 1",
                           "  put what comes for higher ranks behind the others in queue",
                           "the same to the left, with the blocks for lower ranks"},
                 .place_in = lasts(steps, [=](Cycle cycle) -> Place {
                   if (cycle < middle) return {0, "the middle"};
                   const std::uint64_t step = (cycle - middle) % one_way;
                   return {cycle - middle < one_way ? 3U : 5U, "step " + of(step + 1, one_way)};
                 })};
}

std::optional<Program> factor(const RunPlan& plan) {
  if (plan.settings.schedules != "factor") return {};
  const std::uint64_t m = plan.machine.processors;
  if (plan.machine.family == "ring") return on_ring(m);
  return plan.machine.family == "path" ? on_path(m) : on_complete_graph(m);
}

constexpr std::uint64_t as_long_as_blocks_move = std::numeric_limits<std::uint64_t>::max();
std::string step(Cycle cycle) { return value("s", cycle); }

std::optional<Program> greedy(const RunPlan&) {
  return Program{
      .why =
          "Planned with a view of the whole machine, step by step and never looking ahead: what passes "
          "the busiest processors, and has farthest to go, moves first.",
      .lines = {"before the run, for step s = 0, 1, 2, ..:", "  for links, those between the busiest processors first:",
                "    if neither its sender nor its receiver is taken in step s:",
                "      of the blocks that it brings nearer to their destination",
                "      plan the one that has the farthest to go", "for s = 0, 1, 2, .. until every block has arrived:",
                "  send the block that is planned for step s, and receive one"},
      .place_in = repeats(6, as_long_as_blocks_move, step)};
}

std::optional<Program> search(const RunPlan&) {
  return Program{.why =
                     "A timetable found by search, from the greedy one down: with one step less, again and again, "
                     "until the tries are used up or the lower bound is met.",
                 .lines = {"before the run: timetable = the greedy schedule", "  try one step fewer, until that fails:",
                           "    put each block on its cheapest way through places and steps;",
                           "    blocks that it pushes out are put in again, and cost more",
                           "for s = 0, 1, 2, .. until every block has arrived:",
                           "  send the block that the timetable has for step s, receive one"},
                 .place_in = repeats(5, as_long_as_blocks_move, step)};
}

constexpr Entry entries[] = {
    {"alltoall/exchange", exchange}, {"alltoall/factor", factor}, {"alltoall/greedy", greedy},
    {"alltoall/product", product},   {"alltoall/search", search},
};

}  // namespace

std::span<const Entry> alltoall_programs() { return entries; }

}  // namespace lockstep::cli::pseudo_code
