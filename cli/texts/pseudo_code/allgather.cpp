#include <algorithm>

#include "host/number_text.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/machines/grid_tours.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "program.hpp"

namespace lockstep::cli::texts::pseudo_code::allgather {
namespace {

/// C(n, k); n is at most 32.
std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t number = 1;
  for (std::uint64_t i = 1; i <= k; ++i) number = number * (n - k + i) / i;
  return number;
}

std::string_view duplex_of(const RunPlan& plan) {
  return plan.model.duplex == Duplex::full ? "full duplex" : "half duplex";
}

/// The loop over distances: all dimensions are exchanged at once, in one cycle per distance or, unless duplex is full,
/// in two. blocks(n, i) describes what moves at distance i.
template <class Blocks>
PseudoProgram over_distances(const RunPlan& plan, std::string_view method, Blocks blocks) {
  const std::uint64_t n = plan.machine.ports;
  const bool full = plan.model.duplex == Duplex::full;
  const ProgramText text(method, {duplex_of(plan)});
  return text.with(repeats(text.line("send"), full ? n : 2 * n, [=](Cycle cycle) {
    const std::uint64_t i = (full ? cycle : cycle / 2) + 1;
    const std::string who = full ? "" : cycle % 2 == 0 ? ", even" : ", odd";
    return value("i", i) + who + ": " + blocks(n, i);
  }));
}

std::optional<PseudoProgram> tea1(const RunPlan& plan) {
  return over_distances(plan, "allgather/tea1", [](std::uint64_t n, std::uint64_t i) {
    return counted(binomial(n - 1, i - 1), "block") + " over every link";
  });
}

std::optional<PseudoProgram> tea2(const RunPlan& plan) {
  return over_distances(plan, "allgather/tea2", [](std::uint64_t n, std::uint64_t i) {
    const std::uint64_t blocks = binomial(n, i);
    return "each receives " + counted(blocks, "block") + ", at most " + std::to_string((blocks + n - 1) / n) +
           " over a link";
  });
}

std::optional<PseudoProgram> adea(const RunPlan& plan) {
  const std::uint64_t n = plan.machine.ports;
  const ProgramText text("allgather/adea", {duplex_of(plan)});
  const auto blocks = [](std::uint64_t i) { return counted(std::uint64_t{1} << i, "block"); };
  if (plan.model.duplex == Duplex::full) {
    return text.with(repeats(text.line("exchange"), n,
                             [=](Cycle i) { return value("d", n - 1 - i) + ": " + blocks(i) + " each way"; }));
  }
  return text.with(lasts(2 * n, [=](Cycle cycle) -> ProgramPlace {
    const std::uint64_t i = cycle / 2;
    return {text.line(cycle % 2 == 0 ? "first" : "second"), value("d", n - 1 - i) + ": " + blocks(i)};
  }));
}

std::string back(std::uint64_t distance, std::string_view unit) {
  return distance == 0 ? "each sends its own" : "each sends what began " + counted(distance, unit) + " back";
}

/// Whether the places of a ring of that size send by turns, for which there is no program here.
bool go_by_turns(const RunPlan& plan, std::uint64_t size) {
  return takes_turns(plan.model, plan.machine.medium.has_value()) ||
         (size == 2 && plan.model.duplex == Duplex::half_link);
}

/// `form` is the case of the text that names the processor at place i, with these values.
std::optional<PseudoProgram> once_round(const RunPlan& plan, std::string_view form,
                                        const std::map<std::string, std::string>& values = {}) {
  if (go_by_turns(plan, plan.machine.processors)) return {};
  const ProgramText text("allgather/daisy-chain on a ring", {form}, values);
  return text.with(repeats(text.line("send"), plan.machine.processors - 1,
                           [](Cycle cycle) { return value("t", cycle + 1) + ": " + back(cycle, "place"); }));
}

/// How far messages have come along their lines, of the given length, after some steps. Where the directions of an open
/// line take turns, `turn` is the current one.
struct LineProgress {
  std::size_t dimension;
  std::uint64_t turn;
  std::uint64_t steps;
};

/// The position of a method that passes along the lines of one dimension after the other.
LineProgress passed(std::span<const GridAxis> lines, std::uint64_t turns, Cycle cycle) {
  std::size_t dimension = 0;
  for (; cycle >= turns * (lines[dimension].side() - 1); ++dimension) cycle -= turns * (lines[dimension].side() - 1);
  const std::uint64_t steps = lines[dimension].side() - 1;
  return {dimension, cycle / steps, cycle % steps};
}

/// Both ways along open lines.
std::optional<PseudoProgram> both_ways(const RunPlan& plan, std::vector<GridAxis> axes, std::string_view heading) {
  const bool at_once = plan.model.ports == PortModel::all && plan.model.duplex == Duplex::full;
  const std::uint64_t turns = at_once ? 1 : 2;
  const ProgramText text(heading, {at_once ? "at once" : "by turns"});
  std::uint64_t cycles = 0;
  for (const GridAxis& axis : axes) cycles += turns * (axis.side() - 1);
  return text.with(lasts(cycles, [=, axes = std::move(axes)](Cycle cycle) -> ProgramPlace {
    const LineProgress now = passed(axes, turns, cycle);
    const std::string where = axes.size() == 1 ? "" : value("dimension", now.dimension) + ", ";
    return {text.line(now.turn == 0 ? "up" : "down"), where + value("t", now.steps + 1)};
  }));
}

std::optional<PseudoProgram> once_round_torus(const RunPlan& plan) {
  const Grid grid(plan.machine);
  if (grid.dimensions() == 2 && grid.axis(0).side() == grid.axis(1).side()) return once_round(plan, "square torus");
  const auto ring = SkewRing::of(grid);
  if (!ring) return once_round(plan, "snake");
  return once_round(
      plan, "torus",
      {{"period", std::to_string(ring->period())}, {"columns", std::to_string(ring->period() - ring->row_steps())}});
}

std::optional<PseudoProgram> daisy_chain(const RunPlan& plan) {
  const std::string& family = plan.machine.family;
  if (family == "path" || family == "mesh") {
    const GridAxis line(static_cast<Rank>(plan.machine.processors), false, 0, 1);
    return both_ways(plan, {line}, "allgather/daisy-chain on a path");
  }
  if (family == "torus") return once_round_torus(plan);
  return once_round(plan, family == "hypercube" || family == "rh" ? std::string_view(family) : "ranks in order");
}

std::optional<PseudoProgram> daisy_chain_snake(const RunPlan& plan) { return once_round(plan, "snake"); }

std::optional<PseudoProgram> doubling(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  const ProgramText text("allgather/doubling");
  return text.with(repeats(text.line("send"), doublings(k), [k](Cycle i) {
    const std::uint64_t held = std::uint64_t{1} << i;
    return value("held", held) + ", " + value("more", std::min(held, k - held));
  }));
}

std::optional<PseudoProgram> direct_on_bus(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  const ProgramText text("allgather/direct on a bus");
  return text.with(repeats(text.line("send"), k == 1 ? 0 : k, [](Cycle q) { return value("q", q); }));
}

std::optional<PseudoProgram> direct_through_memory(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  const std::uint64_t users = std::min(plan.machine.medium->users, k);
  const std::uint64_t turns = rounds(*plan.machine.medium, k);
  const ProgramText text("allgather/direct through a memory");
  return text.with(lasts(k == 1 ? 0 : 2 * turns, [=](Cycle cycle) -> ProgramPlace {
    const std::uint64_t r = cycle % turns;
    const std::uint64_t first = r * users;
    const std::uint64_t last = std::min(first + users, k) - 1;
    const std::string who = first == last ? "processor " + std::to_string(first)
                                          : "processors " + std::to_string(first) + " to " + std::to_string(last);
    return {text.line(cycle < turns ? "write" : "read"), value("r", r) + ": " + who};
  }));
}

std::optional<PseudoProgram> direct_through_banks(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  const std::uint64_t at_once = std::min(users_at_once(*plan.machine.medium), k);
  const std::uint64_t turns = (k + at_once - 1) / at_once;
  const ProgramText text("allgather/direct through banks");
  return text.with(lasts(k == 1 ? 0 : predicted_steps(plan), [=](Cycle cycle) -> ProgramPlace {
    return {text.line(cycle < turns ? "write" : "read"), "cycle " + std::to_string(cycle)};
  }));
}

std::optional<PseudoProgram> direct(const RunPlan& plan) {
  if (plan.machine.medium->banks != 0) return direct_through_banks(plan);
  return plan.machine.family == "bus" ? direct_on_bus(plan) : direct_through_memory(plan);
}

/// Round the lines of any number of dimensions.
std::optional<PseudoProgram> pass_a_dimension(std::vector<GridAxis> axes) {
  std::uint64_t cycles = 0;
  for (const GridAxis& axis : axes) cycles += axis.side() - 1;
  const ProgramText text("allgather/two-pass round many dimensions");
  return text.with(lasts(cycles, [=, axes = std::move(axes)](Cycle cycle) -> ProgramPlace {
    const LineProgress now = passed(axes, 1, cycle);
    return {text.line("send"),
            value("dimension", now.dimension) + ", " + value("t", now.steps + 1) + ": " + back(now.steps, "place")};
  }));
}

std::optional<PseudoProgram> two_pass_on_torus(const Grid& grid) {
  const std::uint64_t rows = grid.axis(0).side() - 1;
  const ProgramText text("allgather/two-pass round two dimensions");
  return text.with(lasts(rows + grid.axis(1).side() - 1, [=](Cycle cycle) -> ProgramPlace {
    if (cycle < rows) return {text.line("rows"), value("t", cycle + 1) + ": " + back(cycle, "row")};
    return {text.line("columns"), value("t", cycle - rows + 1) + ": " + back(cycle - rows, "column")};
  }));
}

std::optional<PseudoProgram> two_pass(const RunPlan& plan) {
  const Grid grid(plan.machine);
  if (plan.machine.family != "torus") {
    return both_ways(plan, grid.axes(), "allgather/two-pass both ways");
  }
  for (const GridAxis& axis : grid.axes()) {
    if (go_by_turns(plan, axis.side())) return {};
  }
  return grid.dimensions() == 2 ? two_pass_on_torus(grid) : pass_a_dimension(grid.axes());
}

constexpr MethodProgram entries[] = {
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

std::span<const MethodProgram> programs() { return entries; }

}  // namespace lockstep::cli::texts::pseudo_code::allgather
