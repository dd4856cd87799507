#include "chunk_run.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "msccl_reader.hpp"
#include "written/written_method.hpp"

namespace lockstep {
namespace {

constexpr Parameter words_parameter{
    "words", "words of the vector, or of a processor's or a pair's block, cut into the schedule's chunks",
    "a word a chunk"};

/// The first letter of a text after white space and the bytes of a byte order mark; 0 if there is none.
char first_letter(const std::string& text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return at == std::string::npos ? '\0' : text[at];
}

/// The first error of the program out of place; empty if it brings the right data.
std::string wrong_out_of_place(const ChunkProgram& program, const RunRequest& request) {
  RunRequest unobserved = request;
  unobserved.observer = nullptr;
  try {
    const std::string wrong = program.carry_out(unobserved).wrong;
    return wrong.empty() ? "" : "out of place (outofplace=\"1\"): " + wrong;
  } catch (const RunError& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return std::string("out of place (outofplace=\"1\"): ") + error.what();
  }
}

}  // namespace

const Method& ChunkProgram::method() const { return chunk_program_method(task.operation); }

void ChunkProgram::resolve(const MachineSpec& machine, const Model& model, Settings& settings) const {
  written::refuse_other_size(*this, machine);
  if (model.ports == PortModel::ring)
    throw InputError("--ports ring is for methods of rings; schedules take one, one-strict and all");
  settings.words = whole_number("words", settings.words.value_or(chunks), 1, most_words);
}

LowerBound ChunkProgram::lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) const {
  return bound_of_task(task.operation, task.root, machine, model, *settings.words);
}

std::uint64_t ChunkProgram::bytes(const MachineSpec& machine, const Model& model, const Settings&) const {
  return saturated(msccl::bytes_of_chunks(machine, model, *this));
}

Outcome ChunkProgram::carry_out(const RunRequest& request) const {
  try {
    if (fault) throw ChunkProgramError(*fault);
    check_connections(*this);
    const ChunkPlan plan = plan_chunks(*this, request.machine, request.topology, request.model);
    check_order(*this, plan);
    Outcome outcome = msccl::run_chunks(request, *this, plan);
    outcome.measures.push_back({"slots", plan.slots});
    if (out_of_place && outcome.wrong.empty()) outcome.wrong = wrong_out_of_place(*out_of_place, request);
    return outcome;
  } catch (const ChunkProgramError& error) {
    throw RunError(error.is_deadlock() ? ErrorKind::deadlock : ErrorKind::invalid_schedule, error.cycle(), error.gpu(),
                   {}, request.options.name + ": " + error.what());
  }
}

MessageContents ChunkProgram::contents(const RunRequest& request) const {
  throw InputError(printable(request.options.name) +
                   " has its own threadblocks and buffers; plan writes methods of the catalogue and Lockstep's own "
                   "schedules");
}

std::optional<ForeignFormat> ChunkProgram::foreign_format() const {
  return ForeignFormat{.format = format, .name = name, .chunks = chunks, .steps = all_steps()};
}

std::vector<std::string> ChunkProgram::report_lines(const Outcome* ended) const {
  return ended == nullptr ? std::vector<std::string>{} : warnings_of(*this, *ended);
}

const Method& chunk_program_method(const std::string& operation) {
  static const written::Methods methods = written::methods_for(
      chunk_operations(), {.summary = "carries out a schedule from a file, chunk by chunk",
                           .parameter = words_parameter,
                           .port_models = {PortModel::one, PortModel::one_strict, PortModel::all}});
  return methods.find(operation)->second;
}

bool is_chunk_program(const std::string& text) {
  return first_letter(text) == '<' || text.find("\"msccl_type\"") != std::string::npos;
}

ChunkProgram read_chunk_program(const std::string& text, const std::string& name) {
  return first_letter(text) == '<' ? msccl::read_msccl(text, name) : msccl::read_sccl(text, name);
}

}  // namespace lockstep
