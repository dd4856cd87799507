#include "follow_steps.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/printable.hpp"
#include "parcels.hpp"

namespace lockstep {
namespace {

Prediction predict(const MachineSpec&, const Model&, const Settings&) { return {}; }

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return settings.written_schedule->combined ? alltoall::lower_bound(machine, model, settings)
                                             : alltoall::parcels::lower_bound(machine, model, settings);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  Wide moves = 0;
  for (const auto& step : settings.written_schedule->steps) moves += step.size();
  const Wide steps = Wide{settings.written_schedule->steps.size()} * sizeof(std::vector<Move>);
  const Wide holders = Wide{machine.processors} * machine.processors * sizeof(Rank);
  return saturated(alltoall::bytes_to_follow(machine, model, settings, moves) + steps + holders);
}

/// "--ports all --duplex half-link"
std::string rules(const Model& model) {
  const std::string ports = "--ports " + std::string(name(model.ports));
  return model.duplex == Duplex::full ? ports : ports + " --duplex " + std::string(name(model.duplex));
}

Outcome run(const RunRequest& request) {
  const WrittenSchedule& schedule = *request.settings.written_schedule;
  try {
    validate(schedule, request.topology, request.model);
  } catch (const ScheduleError& error) {
    throw RunError(ErrorKind::invalid_schedule, error.step(), error.node(), {},
                   request.options.name + " is no total exchange on " + printable(request.machine.text) + " under " +
                       rules(request.model) + ": " + error.what());
  }
  return alltoall::follow_steps(request, schedule.steps);
}

}  // namespace

const Method& written_schedule_method() {
  static const Method method{
      .name = "schedule",
      .operation = "alltoall",
      .known_as = "total exchange",
      .families = alltoall::linked_families(),
      .source = "a schedule from a file",
      .summary = "carries out a schedule from a file",
      .parameters = {alltoall::words_parameter},
      .defaults = {.ports = PortModel::one},
      .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
      .resolve = alltoall::resolve,
      .predict = predict,
      .lower_bound = lower_bound,
      .bytes = bytes,
      .run = run,
  };
  return method;
}

}  // namespace lockstep
