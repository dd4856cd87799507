#include <algorithm>
#include <limits>
#include <memory>

#include "host/number_text.hpp"
#include "lockstep/algorithms/schedule.hpp"
#include "lockstep/machines/dimensions.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "program.hpp"

namespace lockstep::cli::texts::pseudo_code::alltoall {
namespace {

std::optional<PseudoProgram> exchange(const RunPlan& plan) {
  const std::uint64_t n = doublings(plan.machine.processors);
  const std::string blocks = counted(plan.machine.processors / 2, "block");
  if (plan.model.duplex == Duplex::full) {
    const ProgramText text("alltoall/exchange", {"full duplex"});
    return text.with(repeats(text.line("exchange"), n,
                             [=](Cycle cycle) { return value("d", n - 1 - cycle) + ": " + blocks + " each way"; }));
  }
  const ProgramText text("alltoall/exchange", {"half duplex"});
  return text.with(lasts(2 * n, [=](Cycle cycle) -> ProgramPlace {
    return {text.line(cycle % 2 == 0 ? "first" : "second"), value("d", n - 1 - cycle / 2) + ": " + blocks};
  }));
}

/// A product A x B whose last factor is B, and A the product of those before it.
struct ProductOfTwo {
  ProductSchedule schedule;
  std::uint64_t nodes_of_b;
  std::uint64_t nodes_of_a;
  std::uint64_t steps_of_b;
  std::uint64_t steps_of_a;
  bool names_dimensions;  ///< in which of A's dimensions it works

  explicit ProductOfTwo(const MachineSpec& machine) : schedule(total_exchange_schedule(machine)) {
    const std::vector<Dimension> factors = dimensions(machine);
    nodes_of_b = factors.empty() ? 1 : factors.back().factor.processors;
    nodes_of_a = machine.processors / nodes_of_b;
    steps_of_b = schedule.steps() == 0 ? 0 : schedule.round(0, 0).end;
    steps_of_a = (schedule.steps() - nodes_of_a * steps_of_b) / nodes_of_b;
    names_dimensions = factors.size() > 2;
  }

  ProgramPlace place(const ProgramText& text, Cycle cycle) const {
    const auto step = [](std::uint64_t number, std::uint64_t all) { return ": step " + of(number + 1, all); };
    const std::uint64_t phase_1 = nodes_of_a * steps_of_b;
    if (cycle < phase_1) {
      return {text.line("copies of B"), value("r", cycle / steps_of_b) + step(cycle % steps_of_b, steps_of_b)};
    }
    const std::uint64_t into = cycle - phase_1;
    std::string values = value("q", into / steps_of_a) + step(into % steps_of_a, steps_of_a);
    if (names_dimensions) values += ", in dimension " + std::to_string(schedule.round(cycle, 0).factor);
    return {text.line("copies of A"), std::move(values)};
  }
};

// Only if all factors run their own schedules, the default on tori, meshes and cubes.
std::optional<PseudoProgram> product(const RunPlan& plan) {
  if (plan.settings.schedules != "factor") return {};
  const auto product = std::make_shared<const ProductOfTwo>(plan.machine);
  const ProgramText text("alltoall/product");
  return text.with(lasts(product->schedule.steps(), [=](Cycle cycle) { return product->place(text, cycle); }));
}

std::optional<PseudoProgram> on_ring(std::uint64_t m) {
  const ProgramText text("alltoall/factor on a ring");
  std::vector<ProgramPlace> places;
  for (std::uint64_t d = 1; d < m; ++d) {
    const std::uint64_t links = std::min(d, m - d);
    for (std::uint64_t link = 1; link <= links; ++link) {
      places.push_back({text.line("send"), value("d", d) + ": link " + of(link, links)});
    }
  }
  return text.with(listed(std::move(places)));
}

std::optional<PseudoProgram> on_complete_graph(std::uint64_t m) {
  const ProgramText text("alltoall/factor on a complete graph");
  return text.with(repeats(text.line("send"), m - 1, [](Cycle cycle) { return value("d", cycle + 1); }));
}

std::optional<PseudoProgram> on_path(std::uint64_t m) {
  const std::uint64_t steps = m == 1 ? 0 : (m * m + 1) / 2 - 1;
  const std::uint64_t middle = m % 2 == 0 ? 1 : 0;
  const std::uint64_t one_way = (steps - middle) / 2;
  const ProgramText text("alltoall/factor on a path");
  return text.with(lasts(steps, [=](Cycle cycle) -> ProgramPlace {
    if (cycle < middle) return {text.line("middle"), "the middle"};
    const std::uint64_t step = (cycle - middle) % one_way;
    return {text.line(cycle - middle < one_way ? "right" : "left"), "step " + of(step + 1, one_way)};
  }));
}

std::optional<PseudoProgram> factor(const RunPlan& plan) {
  if (plan.settings.schedules != "factor") return {};
  const std::uint64_t m = plan.machine.processors;
  if (plan.machine.family == "ring") return on_ring(m);
  return plan.machine.family == "path" ? on_path(m) : on_complete_graph(m);
}

constexpr std::uint64_t as_long_as_blocks_move = std::numeric_limits<std::uint64_t>::max();
std::string step(Cycle cycle) { return value("s", cycle); }

std::optional<PseudoProgram> greedy(const RunPlan&) {
  const ProgramText text("alltoall/greedy");
  return text.with(repeats(text.line("send"), as_long_as_blocks_move, step));
}

std::optional<PseudoProgram> search(const RunPlan&) {
  const ProgramText text("alltoall/search");
  return text.with(repeats(text.line("send"), as_long_as_blocks_move, step));
}

constexpr MethodProgram entries[] = {
    {"alltoall/exchange", exchange}, {"alltoall/factor", factor}, {"alltoall/greedy", greedy},
    {"alltoall/product", product},   {"alltoall/search", search},
};

}  // namespace

std::span<const MethodProgram> programs() { return entries; }

}  // namespace lockstep::cli::texts::pseudo_code::alltoall
