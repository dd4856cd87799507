#include "resumed_schedule.hpp"

#include <utility>
#include <vector>

#include "host/number_text.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph.hpp"

namespace lockstep::cli::search {
namespace {

/// The schedule with its chunks cut into those of the task; unchanged if they cannot be. Those of an allreduce are
/// parts of one vector, which owners only number.
ChunkSchedule cut_up(ChunkSchedule schedule, const ChunkTask& task) {
  const bool has_parts = schedule.task.operation == "allreduce";
  const std::uint32_t owners = schedule.task.owners > 0 ? schedule.task.owners : schedule.nodes;
  const std::uint64_t given = std::uint64_t{has_parts ? owners : 1} * schedule.task.chunks;
  const std::uint64_t wanted = std::uint64_t{has_parts ? schedule.nodes : 1} * task.chunks;
  if (wanted % given != 0) return schedule;
  for (std::vector<ChunkMove>& step : schedule.steps) {
    std::vector<ChunkMove> cut;
    for (ChunkMove move : step) {
      const std::uint64_t number = std::uint64_t{has_parts ? move.origin : 0} * schedule.task.chunks + move.chunk;
      for (std::uint64_t part = number * (wanted / given); part < (number + 1) * (wanted / given); ++part) {
        if (has_parts) move.origin = move.destination = static_cast<Rank>(part / task.chunks);
        move.chunk = static_cast<std::uint32_t>(part % task.chunks);
        cut.push_back(move);
      }
    }
    step = std::move(cut);
  }
  schedule.task.chunks = task.chunks;
  schedule.task.owners = 0;
  return schedule;
}

ChunkSchedule schedule_in(const std::string& text, const std::string& path, const CommandSearch& search) {
  if (!is_chunk_schedule(text)) return in_chunks(read_schedule(path, search.network.nodes), search.task.chunks);
  return cut_up(read_chunk_schedule(text, file_name_text(path)).chunks, search.task);
}

/// "allgather of 2 chunks on 8 processors", "broadcast from 1 of ..".
std::string text_of(const ChunkTask& task, Rank nodes) {
  return task.operation + (task.operation == "broadcast" ? " from " + std::to_string(task.root) : "") + " of " +
         host::counted(task.chunks, "chunk") + " on " + host::counted(nodes, "processor");
}

}  // namespace

ChunkSchedule resumed_schedule(const CommandSearch& search) {
  const std::string& path = *search.arguments.resume;
  const std::string what = "--resume " + file_name_text(path);
  const std::string text = text_of_file(path);
  ChunkSchedule schedule = schedule_in(text, path, search);
  const ChunkTask& task = schedule.task;
  const bool has_owners = task.owners != 0 && task.owners != schedule.nodes;
  const std::string found = text_of(task, schedule.nodes);
  const std::string searched = text_of(search.task, search.network.nodes);
  if (found != searched || has_owners) {
    throw InputError(what + " is a schedule of " + found + (has_owners ? " with another number of owners" : "") +
                     ", and the search is for " + searched);
  }
  const std::string graph = graph_in_schedule(text);
  if (!graph.empty() && graph != graph_digest(search.machine)) {
    throw InputError(what + " is for another graph than that of " + printable(search.machine.text));
  }
  const auto& allowed = search.arguments.steps;
  if (allowed && schedule.steps.size() > *allowed) {
    throw InputError(what + " has " + host::counted(schedule.steps.size(), "step") + ", more than --steps " +
                     std::to_string(*allowed));
  }
  try {
    check(schedule, search.network, search.arguments.ports);
  } catch (const ScheduleError& error) {
    throw InputError(what + " cannot be carried out there under --ports " + std::string(name(search.arguments.ports)) +
                     ": " + error.what());
  }
  return schedule;
}

}  // namespace lockstep::cli::search
