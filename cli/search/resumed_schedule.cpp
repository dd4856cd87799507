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

/// The same with every chunk cut into `parts`.
ChunkSchedule cut_up(const ChunkSchedule& schedule, std::uint32_t parts) {
  ChunkSchedule cut{.task = schedule.task, .nodes = schedule.nodes, .steps = {}};
  cut.task.chunks *= parts;
  for (const std::vector<ChunkMove>& step : schedule.steps) {
    std::vector<ChunkMove>& moves = cut.steps.emplace_back();
    for (ChunkMove move : step) {
      const std::uint32_t first = move.chunk * parts;
      for (move.chunk = first; move.chunk < first + parts; ++move.chunk) moves.push_back(move);
    }
  }
  return cut;
}

/// Its blocks or chunks are cut into those of the search, if they can be.
ChunkSchedule schedule_in(const std::string& text, const std::string& path, const CommandSearch& search) {
  const std::uint32_t chunks = search.task.chunks;
  if (!is_chunk_schedule(text)) return in_chunks(read_schedule(path, search.network.nodes), chunks);
  ChunkSchedule schedule = read_chunk_schedule(text, file_name_text(path)).chunks;
  return chunks % schedule.task.chunks == 0 ? cut_up(schedule, chunks / schedule.task.chunks) : std::move(schedule);
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
    throw InputError(what + " is a schedule of " + found + (has_owners ? " of other owners" : "") +
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
