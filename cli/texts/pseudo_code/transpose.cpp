#include "lockstep/algorithms/multiple_paths.hpp"
#include "program.hpp"

namespace lockstep::cli::texts::pseudo_code::transpose {
namespace {

std::optional<PseudoProgram> single_path(const RunPlan& plan) {
  const std::uint64_t h = plan.machine.ports / 2;
  const ProgramText text("transpose/2d-spt");
  return text.with(lasts(2 * h, [=](Cycle cycle) -> ProgramPlace {
    const std::uint64_t i = h - 1 - cycle / 2;
    const bool first = cycle % 2 == 0;
    return {text.line(first ? "to row" : "to column"),
            value("i", i) + ": dimension " + std::to_string(first ? h + i : i)};
  }));
}

/// Where the packets of the class of H are in that cycle; empty once all have arrived. In each of k rounds of 2H cycles
/// a path takes two packets, the second one cycle after the first.
std::optional<std::string> packets_of(std::uint64_t H, std::uint64_t k, Cycle cycle) {
  if (cycle > 2 * k * H) return {};
  const std::string name = value("H", H);
  if (cycle == 2 * k * H) return name + ": last packets";
  return name + ": round " + std::to_string(cycle / (2 * H) + 1) + ", " + value("e", cycle % (2 * H) + 1);
}

std::optional<PseudoProgram> multiple_paths(const RunPlan& plan) {
  const lockstep::transpose::Rounds rounds =
      lockstep::transpose::rounds_of(plan.machine, plan.model.cost, plan.settings);
  const ProgramText text("transpose/2d-mpt");
  return text.with([=](Cycle cycle) -> std::optional<ProgramPlace> {
    std::string values;
    bool rounds_go_on = false;
    for (std::size_t H = 1; H <= rounds.size(); ++H) {
      const std::optional<std::string> packets = packets_of(H, rounds[H - 1], cycle);
      if (!packets) continue;
      values += (values.empty() ? "" : "; ") + *packets;
      rounds_go_on = rounds_go_on || cycle < 2 * rounds[H - 1] * H;
    }
    if (values.empty()) return {};
    return ProgramPlace{text.line(rounds_go_on ? "rounds" : "last"), std::move(values)};
  });
}

constexpr MethodProgram entries[] = {{"transpose/2d-mpt", multiple_paths}, {"transpose/2d-spt", single_path}};

}  // namespace

std::span<const MethodProgram> programs() { return entries; }

}  // namespace lockstep::cli::texts::pseudo_code::transpose
