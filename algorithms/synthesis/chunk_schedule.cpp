#include <nlohmann/json.hpp>

#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/algorithms/synthesis.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::json;

constexpr const char* written_by = "search";

/// One chunk a block and nothing added: what every schedule of `lockstep plan` is.
Schedule as_schedule(const ChunkSchedule& chunks) {
  Schedule schedule{.nodes = chunks.nodes, .steps = {}, .combined = true, .task = {.operation = chunks.task.operation}};
  if (chunks.task.operation == "broadcast") schedule.task.root = chunks.task.root;
  for (const auto& moves : chunks.steps) {
    auto& step = schedule.steps.emplace_back();
    for (const ChunkMove& move : moves) step.push_back({move.from, move.to, move.origin, move.destination});
  }
  return schedule;
}

void append_chunk(const ChunkMove& move, std::string& text) {
  text.append("[").append(std::to_string(move.origin));
  if (move.destination != move.origin) text.append(",").append(std::to_string(move.destination));
  text.append(",").append(std::to_string(move.chunk)).append("]");
}

}  // namespace

ChunkSchedule in_chunks(const Schedule& schedule, std::uint32_t chunks) {
  ChunkSchedule result{
      .task = {schedule.task.operation, schedule.task.root, chunks}, .nodes = schedule.nodes, .steps = {}};
  for (const auto& moves : schedule.steps) {
    auto& step = result.steps.emplace_back();
    for (const Move& move : moves) {
      for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
        step.push_back({move.from, move.to, move.origin, move.destination, chunk, false});
      }
    }
  }
  return result;
}

std::string chunk_schedule_text(const ChunkSchedule& schedule, const std::string& machine) {
  const ChunkTask& task = schedule.task;
  if (task.chunks == 1 && task.operation != "allreduce") {
    return schedule_text(as_schedule(schedule), machine, written_by);
  }
  std::string text = "{\n  \"schema\": " + std::to_string(schedule_schema);
  text += ",\n  \"machine\": " + Json(machine).dump();
  text += ",\n  \"algorithm\": " + Json(written_by).dump();
  text += ",\n  \"operation\": " + Json(task.operation).dump();
  if (task.operation == "broadcast") text += ",\n  \"root\": " + std::to_string(task.root);
  text += ",\n  \"processors\": " + std::to_string(schedule.nodes);
  text += ",\n  \"chunks\": " + std::to_string(task.chunks);
  text += ",\n  \"steps\": [";
  const char* between = "\n";
  for (const auto& moves : schedule.steps) {
    text.append(between).append("    [");
    between = ",\n";
    for (std::size_t index = 0; index < moves.size();) {
      const ChunkMove& first = moves[index];
      text.append(index == 0 ? "" : ",").append("{\"from\":").append(std::to_string(first.from));
      text.append(",\"to\":").append(std::to_string(first.to));
      if (first.adds) text.append(",\"adds\":true");
      text.append(",\"blocks\":[");
      const std::size_t begin = index;
      for (; index < moves.size() && moves[index].from == first.from && moves[index].to == first.to; ++index) {
        if (index > begin) text.append(",");
        append_chunk(moves[index], text);
      }
      text.append("]}");
    }
    text.append("]");
  }
  return text.append(schedule.steps.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace lockstep
