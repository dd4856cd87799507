#include "written/written_method.hpp"

#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "written/follow.hpp"
#include "written/plan.hpp"

namespace lockstep {
namespace written {
namespace {

void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  const WrittenSchedule schedule = settings.written_schedule;  // a copy, as it changes `settings`
  schedule->resolve(machine, model, settings);
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return settings.written_schedule->predict(machine, model, settings);
}

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return settings.written_schedule->lower_bound(machine, model, settings);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return settings.written_schedule->bytes(machine, model, settings);
}

Outcome run(const RunRequest& request) { return request.settings.written_schedule->carry_out(request); }

}  // namespace

Methods methods_for(const std::vector<std::string>& operations, const MethodTexts& texts) {
  std::vector<std::string_view> families = linked_families();
  if (texts.runs_on_switch) families.emplace_back("switch");
  Methods methods;
  for (const std::string& operation : operations) {
    const auto entry = methods.try_emplace(operation).first;
    entry->second = {.name = "schedule",
                     .operation = entry->first,
                     .known_as = entry->first,
                     .families = families,
                     .source = texts.source,
                     .summary = texts.summary,
                     .parameters = {texts.parameter},
                     .defaults = {.ports = PortModel::one},
                     .port_models = texts.port_models,
                     .resolve = resolve,
                     .predict = predict,
                     .proven = lower_bound,
                     .bytes = bytes,
                     .run = run};
  }
  return methods;
}

void refuse_other_size(const WrittenSource& source, const MachineSpec& machine) {
  if (machine.processors == source.processors()) return;
  throw InputError(other_size(source.processors(), printable(machine.text), machine.processors));
}

}  // namespace written

Prediction WrittenSource::predict(const MachineSpec&, const Model&, const Settings&) const { return {}; }

MessageContents WrittenSource::contents(const RunRequest& request) const { return message_contents(method(), request); }

std::vector<std::string> WrittenSource::report_lines(const Outcome*) const { return {}; }

}  // namespace lockstep
