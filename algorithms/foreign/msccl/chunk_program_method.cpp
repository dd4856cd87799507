#include <algorithm>
#include <map>

#include "chunk_run.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "method/collective_bound.hpp"
#include "msccl_reader.hpp"
#include "schedule/follow.hpp"

namespace lockstep {
namespace {

constexpr Parameter words_parameter{
    "words", "words of the vector, or of a processor's or a pair's block, cut into the schedule's chunks",
    "a word a chunk"};

const ChunkProgram& program_of(const Settings& settings) {
  return static_cast<const ChunkProgram&>(*settings.written_schedule);
}

void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  const ChunkProgram& program = program_of(settings);
  if (machine.processors != program.gpus.size()) {
    throw InputError("the schedule is for " + std::to_string(program.gpus.size()) + " processors, " +
                     printable(machine.text) + " has " + std::to_string(machine.processors));
  }
  if (model.ports == PortModel::ring)
    throw InputError("--ports ring is for methods of rings; schedules take one, one-strict and all");
  settings.words = whole_number("words", settings.words.value_or(program.chunks), 1, most_words);
}

Prediction predict(const MachineSpec&, const Model&, const Settings&) { return {}; }

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return method::collective_bound(program_of(settings).task.operation, machine, model, *settings.words);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(msccl::bytes_of_chunks(machine, model, program_of(settings)));
}

Outcome run(const RunRequest& request) {
  const ChunkProgram& program = program_of(request.settings);
  try {
    if (program.fault) throw ChunkProgramError(*program.fault);
    check_connections(program);
    const ChunkPlan plan = plan_chunks(program, request.machine, request.topology, request.model);
    check_order(program, plan);
    Outcome outcome = msccl::run_chunks(request, program, plan);
    outcome.measures.push_back({"slots", plan.slots});
    return outcome;
  } catch (const ChunkProgramError& error) {
    throw RunError(error.is_deadlock() ? ErrorKind::deadlock : ErrorKind::invalid_schedule, error.cycle(), error.gpu(),
                   {}, request.options.name + ": " + error.what());
  }
}

std::vector<std::string_view> families() {
  std::vector<std::string_view> all = linked_families();
  all.push_back("switch");
  return all;
}

std::map<std::string, Method, std::less<>> methods_by_operation() {
  std::map<std::string, Method, std::less<>> methods;
  for (const std::string& operation : chunk_operations()) {
    methods.emplace(operation, Method{.name = "schedule",
                                      .operation = operation,
                                      .known_as = operation,
                                      .families = families(),
                                      .source = "a schedule from a file",
                                      .summary = "carries out a schedule from a file, chunk by chunk",
                                      .parameters = {words_parameter},
                                      .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
                                      .resolve = resolve,
                                      .predict = predict,
                                      .lower_bound = lower_bound,
                                      .bytes = bytes,
                                      .run = run});
  }
  return methods;
}

}  // namespace

const Method& chunk_program_method(const std::string& operation) {
  static const std::map<std::string, Method, std::less<>> methods = methods_by_operation();
  return methods.find(operation)->second;
}

bool is_chunk_program(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == std::string::npos) return false;
  return text[first] == '<' || text.find("\"msccl_type\"") != std::string::npos;
}

ChunkProgram read_chunk_program(const std::string& text, const std::string& name) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return text[first] == '<' ? msccl::read_msccl(text, name) : msccl::read_sccl(text, name);
}

}  // namespace lockstep
