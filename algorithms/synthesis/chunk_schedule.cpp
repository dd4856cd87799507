#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/algorithms/task.hpp"
#include "lockstep/machines/input_error.hpp"

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

bool is_of_message(const ChunkMove& move, const ChunkMove& first) {
  return move.from == first.from && move.to == first.to && move.adds == first.adds;
}

/// What somebody holds of a chunk: whose summands.
using Summands = std::set<Rank>;

/// What is called so in a schedule: origin, destination and chunk.
using Name = std::tuple<Rank, Rank, std::uint32_t>;

Name name_of(const ChunkMove& move) { return {move.origin, move.destination, move.chunk}; }

bool is_summed_up(const std::string& operation) {
  return operation == "allreduce" || operation == "reduce" || operation == "reduce-scatter";
}

/// Who has what of a chunk that nobody has sent or received yet.
Summands at_first(const ChunkTask& task, Rank rank, const Name& name) {
  if (is_summed_up(task.operation) || rank == std::get<0>(name)) return {rank};
  return {};
}

/// The task of a schedule with so many chunks, as ChunkTask has it.
ChunkTask task_of(const MessageContents& contents) {
  ChunkTask task{.operation = contents.operation, .root = contents.root, .chunks = contents.chunks};
  const bool is_shared = contents.operation == "allreduce" && contents.chunks % contents.nodes == 0;
  if (contents.operation == "reduce-scatter" || is_shared) {
    task.chunks /= contents.nodes;
  } else if (contents.operation == "allreduce") {
    task.owners = 1;
  }
  return task;
}

/// What ChunkTask calls a summand's chunk.
Name name_of(const ChunkTask& task, const Contribution& one) {
  const Rank part = one.chunk / task.chunks;
  const std::uint32_t chunk = one.chunk % task.chunks;
  const std::string& operation = task.operation;
  if (operation == "allreduce" || operation == "reduce-scatter") return {part, part, chunk};
  if (operation == "reduce") return {task.root, task.root, chunk};
  if (operation == "gather") return {one.rank, task.root, chunk};
  if (operation == "alltoall" || operation == "scatter") return {one.rank, part, chunk};
  return {one.rank, one.rank, chunk};
}

/// The same the other way round: which of a rank's chunks the name stands for.
std::uint32_t input_chunk(const ChunkTask& task, const Name& name) {
  const auto& [origin, destination, chunk] = name;
  const std::string& operation = task.operation;
  const bool has_parts =
      operation == "allreduce" || operation == "reduce-scatter" || operation == "alltoall" || operation == "scatter";
  return (has_parts ? destination * task.chunks : 0) + chunk;
}

/// Follows who holds what.
class Holdings {
 public:
  explicit Holdings(const ChunkTask& task) : task_(task) {}

  const Summands& at(Rank rank, const Name& name) {
    const auto [found, is_new] = held_.try_emplace({rank, name});
    if (is_new) found->second = at_first(task_, rank, name);
    return found->second;
  }
  void set(Rank rank, const Name& name, Summands summands) { held_[{rank, name}] = std::move(summands); }

 private:
  const ChunkTask& task_;
  std::map<std::pair<Rank, Name>, Summands> held_;
};

}  // namespace

ChunkSchedule chunk_schedule_of(const MessageContents& contents) {
  ChunkSchedule schedule{.task = task_of(contents), .nodes = contents.nodes, .steps = {}};
  const ChunkTask& task = schedule.task;
  Holdings held(task);
  for (const auto& messages : contents.steps) {
    auto& step = schedule.steps.emplace_back();
    const std::string number = std::to_string(schedule.steps.size() - 1);
    std::vector<Summands> carried;
    for (const FilledMessage& message : messages) {
      for (const std::uint32_t sum : message.sums) {
        const Name name = name_of(task, contents.sums[sum].front());
        Summands summands;
        for (const Contribution& one : contents.sums[sum]) summands.insert(one.rank);
        if (held.at(message.from, name) != summands) {
          throw InputError("processor " + std::to_string(message.from) + " sends another sum in step " + number +
                           " than that of all it has of a chunk, of which a schedule of chunks cannot tell");
        }
        const auto& [origin, destination, chunk] = name;
        step.push_back({message.from, message.to, origin, destination, chunk, false});
        carried.push_back(std::move(summands));
      }
    }
    for (std::size_t index = 0; index < step.size(); ++index) {
      ChunkMove& move = step[index];
      Summands& summands = carried[index];
      const Summands own = held.at(move.to, name_of(move));
      if (!std::ranges::includes(summands, own)) {
        move.adds = true;
        for (const Rank whose : own) {
          if (!summands.insert(whose).second) {
            throw InputError("processor " + std::to_string(move.to) + " adds in step " + number +
                             " what it has already, of which a schedule of chunks cannot tell");
          }
        }
      }
      held.set(move.to, name_of(move), std::move(summands));
    }
    std::ranges::stable_sort(step, {}, [](const ChunkMove& move) { return std::tuple(move.from, move.to, move.adds); });
  }
  return schedule;
}

MessageContents contents_of(const ChunkSchedule& schedule) {
  const ChunkTask& task = schedule.task;
  MessageContents contents{
      .operation = task.operation, .root = task.root, .nodes = schedule.nodes, .chunks = task.chunks};
  const Rank owners = task.owners > 0 ? task.owners : schedule.nodes;
  if (task.operation == "allreduce" || task.operation == "reduce-scatter") contents.chunks *= owners;
  Holdings held(task);
  std::map<ChunkSum, std::uint32_t> numbers;
  for (const auto& moves : schedule.steps) {
    auto& step = contents.steps.emplace_back();
    std::map<std::pair<Rank, Rank>, std::size_t> messages;
    std::vector<Summands> carried;
    for (const ChunkMove& move : moves) {
      carried.push_back(held.at(move.from, name_of(move)));
      ChunkSum sum;
      const bool is_of_others = is_summed_up(task.operation);
      for (const Rank whose : carried.back()) {
        sum.push_back({is_of_others ? whose : move.origin, input_chunk(task, name_of(move))});
      }
      const auto [number, is_new] = numbers.try_emplace(sum, static_cast<std::uint32_t>(contents.sums.size()));
      if (is_new) contents.sums.push_back(sum);
      const auto [message, is_first] = messages.try_emplace({move.from, move.to}, step.size());
      if (is_first) step.push_back({move.from, move.to, {}});
      step[message->second].sums.push_back(number->second);
    }
    for (std::size_t index = 0; index < moves.size(); ++index) {
      const ChunkMove& move = moves[index];
      const Summands& own = held.at(move.to, name_of(move));
      if (move.adds) carried[index].insert(own.begin(), own.end());
      held.set(move.to, name_of(move), std::move(carried[index]));
    }
  }
  return contents;
}

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
  return chunk_schedule_text(schedule, machine, written_by);
}

std::string chunk_schedule_text(const ChunkSchedule& schedule, const std::string& machine,
                                const std::string& algorithm) {
  const ChunkTask& task = schedule.task;
  std::string text = "{\n  \"schema\": " + std::to_string(schedule_schema);
  text += ",\n  \"machine\": " + Json(machine).dump();
  text += ",\n  \"algorithm\": " + Json(algorithm).dump();
  text += ",\n  \"operation\": " + Json(task.operation).dump();
  if (has_root(task.operation) || task.operation == "reduce") text += ",\n  \"root\": " + std::to_string(task.root);
  text += ",\n  \"processors\": " + std::to_string(schedule.nodes);
  text += ",\n  \"chunks\": " + std::to_string(task.chunks);
  if (task.owners > 0) text += ",\n  \"owners\": " + std::to_string(task.owners);
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
      for (; index < moves.size() && is_of_message(moves[index], first); ++index) {
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
