#include "lockstep/algorithms/schedule_file.hpp"

#include <bit>
#include <nlohmann/json.hpp>
#include <span>

namespace lockstep {
namespace {

using Json = nlohmann::json;

std::string member(const char* name, const std::string& value) {
  return std::string(",\n  \"").append(name).append("\": ").append(value);
}

/// [from, to, origin, destination]
void append_move(const Move& move, std::string& text) {
  text.append("[").append(std::to_string(move.from)).append(",").append(std::to_string(move.to)).append(",");
  text.append(std::to_string(move.origin)).append(",").append(std::to_string(move.destination)).append("]");
}

/// {"from":0,"to":1,"blocks":[[0,1],[0,3]]}, or only the origins of blocks that are for all.
void append_message(std::span<const Move> moves, bool for_all, std::string& text) {
  text.append("{\"from\":").append(std::to_string(moves.front().from));
  text.append(",\"to\":").append(std::to_string(moves.front().to)).append(",\"blocks\":[");
  const char* between = "";
  for (const Move& move : moves) {
    const std::string origin = std::to_string(move.origin);
    text.append(between);
    text.append(for_all ? origin : "[" + origin + "," + std::to_string(move.destination) + "]");
    between = ",";
  }
  text.append("]}");
}

/// What is one message in a step: the moves from the first on that go over the same link, if they are combined.
std::size_t moves_of_message(std::span<const Move> moves) {
  std::size_t count = 1;
  while (count < moves.size() && moves[count].from == moves[0].from && moves[count].to == moves[0].to) ++count;
  return count;
}

void append_step(const Schedule& schedule, bool as_messages, bool for_all, std::span<const Move> moves,
                 std::string& text) {
  for (const char* between = ""; !moves.empty(); between = ",") {
    text.append(between);
    const std::size_t count = as_messages && schedule.combined ? moves_of_message(moves) : 1;
    if (as_messages) {
      append_message(moves.first(count), for_all, text);
    } else {
      append_move(moves.front(), text);
    }
    moves = moves.subspan(count);
  }
}

}  // namespace

std::string schedule_text(const Schedule& schedule, const std::string& machine, const std::string& algorithm) {
  const Task& task = schedule.task;
  const bool as_messages = task.operation != Task{}.operation;
  std::string text = "{\n  \"schema\": " + std::to_string(schedule_schema);
  text += member("machine", Json(machine).dump()) + member("algorithm", Json(algorithm).dump());
  if (as_messages) text += member("operation", Json(task.operation).dump());
  if (has_root(task.operation)) text += member("root", std::to_string(task.root));
  if (has_few(task.operation)) text += member("sources", std::to_string(std::bit_width(task.few) - 1));
  text += member("processors", std::to_string(schedule.nodes));
  if (!as_messages) text += member("combined", schedule.combined ? "true" : "false");
  text += ",\n  \"steps\": [";
  const bool for_all = TaskBlocks(task, schedule.nodes).are_for_all();
  const char* between = "\n";
  for (const auto& moves : schedule.steps) {
    text.append(between).append("    [");
    append_step(schedule, as_messages, for_all, moves, text);
    text.append("]");
    between = ",\n";
  }
  return text.append(schedule.steps.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace lockstep
