#include "pseudo_code.hpp"

#include <nlohmann/json.hpp>

#include "texts/pseudo_code/program.hpp"

namespace lockstep::cli::texts {
namespace {

std::optional<pseudo_code::PseudoProgram> program_of(const RunPlan& plan) {
  namespace code = pseudo_code;
  if (plan.settings.group) return {};  // programs are of whole machines
  for (const auto& entries : {code::allgather::programs(), code::alltoall::programs(), code::broadcast::programs(),
                              code::collectives::programs(), code::combining::programs(), code::pipeline::programs(),
                              code::scatter::programs(), code::sort::programs(), code::transpose::programs()}) {
    for (const code::MethodProgram& entry : entries) {
      if (entry.method == plan.method->name) return entry.program(plan);
    }
  }
  return {};
}

}  // namespace

std::optional<PseudoCode> pseudo_code_of(const RunPlan& plan, const Trace& trace) {
  if (plan.embedding) return {};  // the trace has the cycles of the host
  std::optional<pseudo_code::PseudoProgram> program = program_of(plan);
  if (!program) return {};
  PseudoCode code{.why = std::move(program->why), .lines = std::move(program->lines), .steps = {}};
  for (const TracedCycle& traced : trace.cycles()) {
    std::optional<pseudo_code::ProgramPlace> place = program->place_in(traced.cycle);
    if (place) code.steps.push_back({traced.cycle, place->line, std::move(place->values)});
  }
  return code;
}

nlohmann::ordered_json json_of(const PseudoCode& code) {
  auto cycles = nlohmann::ordered_json::array();
  for (const PseudoCode::Step& step : code.steps) cycles.push_back({step.cycle, step.line, step.values});
  return {{"lines", code.lines}, {"cycles", std::move(cycles)}, {"why", code.why}};
}

}  // namespace lockstep::cli::texts
