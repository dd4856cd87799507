#include <algorithm>
#include <map>
#include <tuple>

#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/machines/input_error.hpp"
#include "written/holdings.hpp"
#include "written/plan.hpp"

namespace lockstep {
namespace {

using written::ChunkName;
using written::Holdings;
using written::Summands;

/// The common properties of all chunks of one entry of a step.
auto entry_of(const ChunkMove& move) { return std::tie(move.from, move.to, move.adds, move.of); }

/// The task of a schedule with that many chunks, as in ChunkTask.
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

/// The chunk of a summand, as named in ChunkTask.
ChunkName name_of(const ChunkTask& task, const Contribution& one) {
  const Rank part = one.chunk / task.chunks;
  const std::uint32_t chunk = one.chunk % task.chunks;
  const std::string& operation = task.operation;
  if (operation == "allreduce" || operation == "reduce-scatter") return {part, part, chunk};
  if (operation == "reduce") return {task.root, task.root, chunk};
  if (operation == "gather") return {one.rank, task.root, chunk};
  if (operation == "alltoall" || operation == "scatter") return {one.rank, part, chunk};
  return {one.rank, one.rank, chunk};
}

/// The reverse: the rank's chunk with that name.
std::uint32_t input_chunk(const ChunkTask& task, const ChunkName& name) {
  const auto& [origin, destination, chunk] = name;
  const std::string& operation = task.operation;
  const bool has_parts =
      operation == "allreduce" || operation == "reduce-scatter" || operation == "alltoall" || operation == "scatter";
  return (has_parts ? destination * task.chunks : 0) + chunk;
}

}  // namespace

ChunkSchedule chunk_schedule_of(const MessageContents& contents) {
  ChunkSchedule schedule{.task = task_of(contents), .nodes = contents.nodes, .steps = {}};
  const ChunkTask& task = schedule.task;
  Holdings held(written::is_summed_up(task.operation), contents.nodes, true);
  for (const auto& messages : contents.steps) {
    auto& step = schedule.steps.emplace_back();
    const std::string number = std::to_string(schedule.steps.size() - 1);
    std::vector<Summands> carried;
    for (const FilledMessage& message : messages) {
      for (const std::uint32_t sum : message.sums) {
        const ChunkName name = name_of(task, contents.sums[sum].front());
        std::vector<Rank> ranks;
        for (const Contribution& one : contents.sums[sum]) ranks.push_back(one.rank);
        Summands summands = written::summands_of(ranks, contents.nodes);
        if (held.all(message.from, name) == summands) {
          ranks.clear();
        } else if (!held.can_give(message.from, name, summands)) {
          throw InputError("processor " + std::to_string(message.from) + " sends a sum in step " + number +
                           " that it cannot make from what it has, which a schedule of chunks cannot express");
        }
        const auto& [origin, destination, chunk] = name;
        step.push_back({message.from, message.to, origin, destination, chunk, false, std::move(ranks)});
        carried.push_back(std::move(summands));
      }
    }
    for (std::size_t index = 0; index < step.size(); ++index) {
      ChunkMove& move = step[index];
      move.adds = !written::is_within(held.all(move.to, written::name_of(move)), carried[index]);
      if (held.take(move.to, written::name_of(move), move.adds, std::move(carried[index]))) {
        throw InputError("processor " + std::to_string(move.to) + " adds in step " + number +
                         " what it has already, which a schedule of chunks cannot express");
      }
    }
    std::ranges::stable_sort(step, {}, entry_of);
  }
  return schedule;
}

MessageContents contents_of(const ChunkSchedule& schedule) {
  const ChunkTask& task = schedule.task;
  MessageContents contents{
      .operation = task.operation, .root = task.root, .nodes = schedule.nodes, .chunks = task.chunks};
  const Rank owners = task.owners > 0 ? task.owners : schedule.nodes;
  if (task.operation == "allreduce" || task.operation == "reduce-scatter") contents.chunks *= owners;
  const bool is_summed = written::is_summed_up(task.operation);
  const auto names_summands = [](const ChunkMove& move) { return !move.of.empty(); };
  const bool is_apart = std::ranges::any_of(
      schedule.steps, [&](const auto& moves) { return std::ranges::any_of(moves, names_summands); });
  Holdings held(is_summed, schedule.nodes, is_apart);
  std::map<ChunkSum, std::uint32_t> numbers;
  for (const auto& moves : schedule.steps) {
    auto& step = contents.steps.emplace_back();
    std::map<std::pair<Rank, Rank>, std::size_t> messages;
    std::vector<Summands> carried;
    for (const ChunkMove& move : moves) {
      carried.push_back(held.carried(move.from, written::name_of(move), move.of));
      ChunkSum sum;
      for (const Rank whose : is_summed ? written::ranks_of(carried.back()) : std::vector<Rank>{move.origin}) {
        sum.push_back({whose, input_chunk(task, written::name_of(move))});
      }
      const auto [number, is_new] = numbers.try_emplace(sum, static_cast<std::uint32_t>(contents.sums.size()));
      if (is_new) contents.sums.push_back(sum);
      const auto [message, is_first] = messages.try_emplace({move.from, move.to}, step.size());
      if (is_first) step.push_back({move.from, move.to, {}});
      step[message->second].sums.push_back(number->second);
    }
    for (std::size_t index = 0; index < moves.size(); ++index) {
      const ChunkMove& move = moves[index];
      held.take(move.to, written::name_of(move), move.adds, std::move(carried[index]));
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
        step.push_back({move.from, move.to, move.origin, move.destination, chunk});
      }
    }
  }
  return result;
}

}  // namespace lockstep
