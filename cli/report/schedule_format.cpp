#include "schedule_format.hpp"

#include <memory>
#include <stdexcept>

#include "host/file_names.hpp"
#include "host/joined.hpp"
#include "lockstep/algorithms/chunk_program.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"
#include "run/failure.hpp"
#include "run/memory_need.hpp"

namespace lockstep::cli::report {

MessageContents contents_of(const run::RunPlan& plan, const std::atomic<bool>& stop) {
  const Topology topology = build(plan.machine);
  const auto executor = make_executor(ExecutorKind::sequential);
  const RunRequest request{.machine = plan.machine,
                           .topology = topology,
                           .model = plan.model,
                           .settings = plan.settings,
                           .executor = *executor,
                           .options = {.name = plan.name, .stop = &stop}};
  const WrittenSchedule& schedule = plan.settings.written_schedule;
  return schedule ? schedule->contents(request) : message_contents(*plan.method, request);
}

namespace {

/// The program's error as `validate` finds it, or the warnings of a right one.
std::string what_is_wrong(const std::string& text, const MachineSpec& machine, const Topology& topology,
                          const Model& given, std::vector<std::string>& warnings) {
  Model model = given;
  Settings settings;
  if (is_chunk_program(text)) {
    settings.written_schedule = std::make_shared<const ChunkProgram>(read_chunk_program(text, "the schedule"));
    // Programs are arbitrated anew, with messages to one receiver each.
    model = {.ports = given.ports == PortModel::all ? PortModel::all : PortModel::one};
  } else {
    settings.written_schedule = read_written_schedule(text, "the schedule");
  }
  const WrittenSource& schedule = *settings.written_schedule;
  const Method& method = schedule.method();
  method.resolve(machine, model, settings);
  run::refuse_if_too_large("following the chunks of such a schedule", method.bytes(machine, model, settings));
  const auto executor = make_executor(ExecutorKind::sequential);
  try {
    const Outcome outcome = method.run({.machine = machine,
                                        .topology = topology,
                                        .model = model,
                                        .settings = settings,
                                        .executor = *executor,
                                        .options = {.name = "the schedule"}});
    warnings = schedule.report_lines(&outcome);
    return outcome.wrong;
  } catch (const RunError& error) {
    return error.what();
  }
}

}  // namespace

ScheduleText schedule_text_of(const MessageContents& contents, run::ScheduleFormat format, const std::string& path,
                              const std::string& name, const MachineSpec& machine, const Topology& topology,
                              const Model& model) {
  ScheduleText written;
  written.steps = contents.steps.size();
  for (const auto& step : contents.steps) written.messages += step.size();
  switch (format) {
    case run::ScheduleFormat::lockstep:
      written.text = chunk_schedule_text(chunk_schedule_of(contents), host::machine_beside(machine.text, path), name,
                                         graph_digest(machine));
      break;
    case run::ScheduleFormat::msccl:
      written.text = msccl_text(contents, name);
      break;
    case run::ScheduleFormat::sccl:
      written.text = sccl_text(contents, name, SearchNetwork(machine, topology));
      break;
  }
  const std::string wrong = what_is_wrong(written.text, machine, topology, model, written.warnings);
  if (!wrong.empty()) throw std::logic_error("the written schedule is wrong: " + wrong);
  return written;
}

void print_warnings(const std::string& name, const ScheduleText& schedule) {
  if (!schedule.warnings.empty()) run::print_line(name + ": warning: " + host::joined(schedule.warnings, "; "));
}

}  // namespace lockstep::cli::report
