#include "schedule_input.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "host/file_names.hpp"
#include "lockstep/algorithms/chunk_program.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/replay.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/input_file.hpp"
#include "memory_need.hpp"

namespace lockstep::cli::run {
namespace {

std::string text_in(const std::string& path) {
  const auto is_control = [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; };
  if (std::any_of(path.begin(), path.end(), is_control)) {
    throw InputError("the name of the schedule's file has control characters");
  }
  constexpr std::uint64_t bytes_in_memory = 4;  // per byte of the file, where moves are short
  refuse_if_too_large("a schedule of this size", saturated(Wide{data_bytes(path)} * bytes_in_memory));
  return text_of_file(path);
}

/// The files beside a list of traces that it names; none if the file is JSON.
std::vector<std::string> traces_beside(const std::string& path, const std::string& text) {
  const std::vector<std::string> named = files_of_trace_list(text);
  std::vector<std::string> files = named;
  for (std::string& file : files) {
    if (!is_standard_input(path)) file = (std::filesystem::path(path).parent_path() / file).string();
  }
  std::error_code none;
  if (!files.empty() && !std::filesystem::exists(files.front(), none)) {
    throw InputError(file_name_text(path) +
                     " is neither XML, JSON, GOAL, a trace nor a list of traces: there is no file " +
                     quoted(named.front()));
  }
  return files;
}

}  // namespace

std::vector<std::string> schedule_files(const std::string& path) {
  std::vector<std::string> files{path};
  try {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) return files;
    for (const std::string& trace : traces_beside(path, text_in(path))) files.push_back(trace);
  } catch (const InputError&) {  // reading the schedule reports it
  }
  return files;
}

ScheduleInput read_schedule_input(const std::string& path, std::optional<std::uint64_t> word_bytes, bool all_ports) {
  const std::string text = text_in(path);
  ScheduleInput input;
  if (is_chunk_program(text)) {
    input.schedule = std::make_shared<const ChunkProgram>(read_chunk_program(text, file_name_text(path)));
  } else if (is_replay(text)) {
    input.schedule = std::make_shared<const ReplayProgram>(read_replay({{file_name_text(path), text}}, word_bytes));
  } else if (const auto traces = traces_beside(path, text); !traces.empty()) {
    std::vector<NamedText> files;
    for (const std::string& trace : traces) files.push_back({file_name_text(trace), text_in(trace)});
    input.schedule = std::make_shared<const ReplayProgram>(read_replay(files, word_bytes));
  } else {
    input.graph = graph_in_schedule(text);
    input.machine = host::machine_of_file(machine_in_schedule(text), path, !input.graph.empty());
    if (!is_chunk_schedule(text)) return input;
    input.schedule = read_written_schedule(text, file_name_text(path));
  }
  if (input.machine.empty()) {
    input.machine = (all_ports ? "complete:" : "switch:") + std::to_string(input.schedule->processors());
  }
  return input;
}

void refuse_changed_graph(const std::string& path, const ScheduleInput& input, const MachineSpec& machine) {
  const std::string digest = graph_digest(machine);
  if (input.graph.empty() || input.graph == digest) return;
  throw InputError(file_name_text(path) + " is for another graph than that of " + printable(machine.text) +
                   ": it says \"graph\" " + quoted(input.graph) + ", and " +
                   (digest.empty() ? "that machine has none" : "that graph's digest is " + digest) +
                   "; --machine says which machine is meant");
}

WrittenSchedule read_schedule_of_blocks(const std::string& path, Rank processors) {
  return read_written_schedule(text_in(path), file_name_text(path), processors);
}

}  // namespace lockstep::cli::run
