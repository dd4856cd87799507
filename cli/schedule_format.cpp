#include "schedule_format.hpp"

#include <memory>
#include <stdexcept>

#include "failure.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::cli {

std::string_view name(ScheduleFormat format) {
  switch (format) {
    case ScheduleFormat::lockstep:
      return "lockstep";
    case ScheduleFormat::msccl:
      return "msccl";
    case ScheduleFormat::sccl:
      return "sccl";
  }
  return "";
}

MessageContents contents_of(const RunPlan& plan, const std::atomic<bool>& stop) {
  const Topology topology = build(plan.machine);
  const auto executor = make_executor(ExecutorKind::sequential);
  return message_contents(*plan.method, {.machine = plan.machine,
                                         .topology = topology,
                                         .model = plan.model,
                                         .settings = plan.settings,
                                         .executor = *executor,
                                         .options = {.name = plan.name, .stop = &stop}});
}

namespace {

/// What is wrong with the program, as `validate` finds it; with the warnings of one that is right.
std::string what_is_wrong(const std::string& text, const MachineSpec& machine, const Topology& topology,
                          PortModel ports, std::vector<std::string>& warnings) {
  const auto program = std::make_shared<const ChunkProgram>(read_chunk_program(text, "the schedule"));
  const Method& method = chunk_program_method(program->task.operation);
  Model model;
  model.ports = ports == PortModel::all ? PortModel::all : PortModel::one;
  Settings settings;
  settings.written_schedule = program;
  method.resolve(machine, model, settings);
  const auto executor = make_executor(ExecutorKind::sequential);
  try {
    const Outcome outcome = method.run({.machine = machine,
                                        .topology = topology,
                                        .model = model,
                                        .settings = settings,
                                        .executor = *executor,
                                        .options = {.name = "the schedule"}});
    warnings = warnings_of(*program, outcome);
    return outcome.wrong;
  } catch (const RunError& error) {
    return error.what();
  }
}

}  // namespace

ScheduleText schedule_text_of(const MessageContents& contents, ScheduleFormat format, const std::string& name,
                              const MachineSpec& machine, const Topology& topology, PortModel ports) {
  ScheduleText written;
  written.steps = contents.steps.size();
  for (const auto& step : contents.steps) written.messages += step.size();
  written.text = format == ScheduleFormat::msccl ? msccl_text(contents, name) : sccl_text(contents, name, topology);
  const std::string wrong = what_is_wrong(written.text, machine, topology, ports, written.warnings);
  if (!wrong.empty()) throw std::logic_error("the schedule that was made is not right: " + wrong);
  return written;
}

void print_warnings(const std::string& name, const ScheduleText& schedule) {
  std::string all;
  for (const std::string& warning : schedule.warnings) all += (all.empty() ? "" : "; ") + warning;
  if (!all.empty()) print_failure(name + ": warning: " + all);
}

}  // namespace lockstep::cli
