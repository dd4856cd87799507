#include <algorithm>
#include <map>

#include "follow.hpp"
#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/printable.hpp"
#include "method/collective_bound.hpp"
#include "operations/alltoall/parcels.hpp"

namespace lockstep {
namespace {

constexpr Parameter words_parameter{"words", "words of every block, at least 1", "1"};

void resolve(const MachineSpec&, const Model&, Settings& settings) {
  settings.words = whole_number("words", settings.words.value_or(1), 1, most_words);
}

Prediction predict(const MachineSpec&, const Model&, const Settings&) { return {}; }

/// Known of collectives.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Schedule& schedule = *settings.written_schedule;
  const std::string& operation = schedule.task.operation;
  if (std::ranges::count(chunk_operations(), operation) == 0) return {};
  if (operation != "alltoall") return method::collective_bound(operation, machine, model, *settings.words);
  return schedule.combined ? alltoall::lower_bound(machine, model, settings)
                           : alltoall::parcels::lower_bound(machine, model, settings);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Schedule& schedule = *settings.written_schedule;
  Wide moves = 0;
  for (const auto& step : schedule.steps) moves += step.size();
  const Wide steps = Wide{schedule.steps.size()} * sizeof(std::vector<Move>);
  const TaskBlocks blocks(schedule.task, schedule.nodes);
  constexpr std::uint64_t entry = 64;  // of a tree
  const Wide places = blocks.are_for_all()         ? Wide{blocks.numbers()} * schedule.nodes / 8
                      : blocks.are_told_by_moves() ? 2 * entry * moves
                                                   : Wide{blocks.numbers()} * sizeof(Rank);
  return saturated(bytes_to_follow(machine, model, schedule.task, *settings.words, moves) + steps + places);
}

/// "--ports all --duplex half-link"
std::string rules(const Model& model) {
  std::string text = "--ports " + std::string(name(model.ports));
  if (model.multicast) text += " --multicast on";
  if (model.duplex != Duplex::full) text += " --duplex " + std::string(name(model.duplex));
  return text;
}

std::string noun_of(const Task& task) {
  return task.operation == "alltoall" ? "total exchange" : "schedule of operation " + task.operation;
}

/// The steps before one that is wrong, for whoever looks on.
void show_steps_before(const ScheduleError& error, const RunRequest& request) {
  if (request.observer == nullptr || error.step() == 0) return;
  Schedule before = *request.settings.written_schedule;
  before.steps.resize(error.step());
  RunRequest to_there = request;
  to_there.options.max_cycles = RunOptions{}.max_cycles;
  follow(to_there, before);
}

Outcome run(const RunRequest& request) {
  const Schedule& schedule = *request.settings.written_schedule;
  try {
    validate(schedule, request.topology, request.model);
  } catch (const ScheduleError& error) {
    show_steps_before(error, request);
    throw RunError(ErrorKind::invalid_schedule, error.step(), error.node(), error.ports(),
                   request.options.name + " is no " + noun_of(schedule.task) + " on " +
                       printable(request.machine.text) + " under " + rules(request.model) + ": " + error.what());
  }
  return follow(request, schedule);
}

/// The papers' name for it.
std::string_view known_as(std::string_view operation) {
  if (operation == "alltoall") return "total exchange";
  for (const Method* method : catalogue()) {
    if (method->operation == operation) return method->known_as;
  }
  return operation;
}

std::map<std::string, Method, std::less<>> methods_by_operation() {
  std::map<std::string, Method, std::less<>> methods;
  for (const Method* method : catalogue()) {
    const std::string_view operation = method->operation;
    if (!moves_blocks(operation) || methods.contains(operation)) continue;
    methods.emplace(operation,
                    Method{.name = "schedule",
                           .operation = operation,
                           .known_as = known_as(operation),
                           .families = linked_families(),
                           .source = "a schedule from a file",
                           .summary = "carries out a schedule from a file",
                           .parameters = {words_parameter},
                           .defaults = {.ports = PortModel::one},
                           .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
                           .resolve = resolve,
                           .predict = predict,
                           .lower_bound = lower_bound,
                           .bytes = bytes,
                           .run = run});
  }
  return methods;
}

}  // namespace

const Method& written_schedule_method(std::string_view operation) {
  static const std::map<std::string, Method, std::less<>> methods = methods_by_operation();
  return methods.find(operation)->second;
}

}  // namespace lockstep
