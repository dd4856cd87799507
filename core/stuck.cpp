// Runs that cannot or may not go on: deadlock, livelock, undelivered messages, interrupts.
#include <algorithm>

#include "lockstep/core/engine.hpp"
#include "lockstep/core/memory_limit.hpp"

namespace lockstep {

namespace {

/// Where the processor waits: "port 3", "any port", "any peer"; nothing where it can only be its neighbour's rank.
std::string place_of(const Wait& wait) {
  if (wait.on_medium) return wait.any_port ? "any peer" : "";
  return wait.any_port ? "any port" : "port " + std::to_string(wait.port);
}

std::string text_of(const Wait& wait) {
  std::string text = "rank " + std::to_string(wait.rank) + " waits";
  if (const std::string place = place_of(wait); !place.empty()) text += " on " + place;
  if (wait.neighbour != no_rank) {
    text += " for rank " + std::to_string(wait.neighbour);
  } else if (wait.on_medium && !wait.any_port) {
    text += " for the memory";
  }
  text += " since cycle " + std::to_string(wait.since);
  if (wait.neighbour_ended) text += ", whose program has ended";
  return text;
}

std::string deadlock_text(const std::string& run, Cycle cycle, const std::vector<Wait>& waits) {
  constexpr std::size_t most_named = 6;
  std::string text = run + ": deadlock in cycle " + std::to_string(cycle) + ": ";
  for (std::size_t index = 0; index < std::min(waits.size(), most_named); ++index) {
    if (index > 0) text += "; ";
    text += text_of(waits[index]);
  }
  if (waits.size() > most_named) text += "; and " + std::to_string(waits.size() - most_named) + " more";
  return text;
}

}  // namespace

std::string DeadlockError::dot() const {
  std::string text = "digraph deadlock {\n";
  for (const Wait& wait : waits_) {
    if (wait.neighbour_ended) text += "  " + std::to_string(wait.neighbour) + " [style=dashed];\n";
    if (wait.neighbour == no_rank) continue;
    const std::string place = place_of(wait);
    text += "  " + std::to_string(wait.rank) + " -> " + std::to_string(wait.neighbour) + " [label=\"" + place +
            (place.empty() ? "since cycle " : " since cycle ") + std::to_string(wait.since) + "\"];\n";
  }
  return text + "}\n";
}

MemoryError::MemoryError(const std::string& what_for, std::uint64_t needed, std::uint64_t available)
    : std::runtime_error(what_for + " needs " + format_bytes(needed) + " of memory, but only " +
                         format_bytes(available) + " are available (" + memory_limit().name + ")"),
      needed_(needed),
      available_(available) {}

namespace detail {

Wait Engine::wait_of(Rank rank) {
  const Control& waiting = control(rank);
  Wait wait;
  wait.rank = rank;
  wait.on_medium = on_medium_;
  wait.any_port = waiting.waiting == Waiting::any_message;
  wait.since = waiting.waiting_since - 1;
  if (waiting.waiting == Waiting::values) return wait;
  if (!wait.any_port) {
    wait.port = waiting.waiting_port;
    wait.neighbour = on_medium_ ? wait.port : topology_.peer(rank, wait.port).rank;
    wait.neighbour_ended = control(wait.neighbour).waiting == Waiting::ended;
    return wait;
  }
  // Any neighbour could help; name the first that still runs.
  for (Port port = 0; port < sources(); ++port) {
    const Rank there = on_medium_ ? (has_peer(rank, port) ? port : no_rank) : topology_.peer(rank, port).rank;
    if (there == no_rank) continue;
    const bool ended = control(there).waiting == Waiting::ended;
    if (wait.neighbour == no_rank || !ended) {
      wait.neighbour = there;
      wait.neighbour_ended = ended;
    }
    if (!ended) break;
  }
  return wait;
}

void Engine::throw_deadlock() {
  const Cycle cycle = workers_[0].now;
  const Rank processors = topology_.processors();
  std::vector<Rank> walk_of(processors, no_rank);  // the first rank of the walk that came by
  std::vector<Wait> chain;                         // the walk from the lowest rank that waits
  for (Rank start = 0; start < processors; ++start) {
    std::vector<Wait> waits;
    Rank rank = start;
    while (rank != no_rank && walk_of[rank] == no_rank && control(rank).waiting != Waiting::ended) {
      walk_of[rank] = start;
      waits.push_back(wait_of(rank));
      rank = waits.back().neighbour;
    }
    if (waits.empty()) continue;
    if (rank != no_rank && walk_of[rank] == start) {
      const auto is_there = [rank](const Wait& wait) { return wait.rank == rank; };
      waits.erase(waits.begin(), std::find_if(waits.begin(), waits.end(), is_there));
      const auto by_rank = [](const Wait& a, const Wait& b) { return a.rank < b.rank; };
      std::rotate(waits.begin(), std::min_element(waits.begin(), waits.end(), by_rank), waits.end());
      throw DeadlockError(cycle, waits, deadlock_text(name_, cycle, waits));
    }
    if (chain.empty()) chain = std::move(waits);
  }
  throw DeadlockError(cycle, chain, deadlock_text(name_, cycle, chain));
}

void Engine::throw_livelock(Cycle limit) {
  Rank rank = 0;
  while (control(rank).waiting == Waiting::ended) ++rank;
  throw RunError(ErrorKind::livelock, limit, rank, {},
                 name_ + ": livelock: not ended within " + std::to_string(limit) + " cycles (--max-cycles); " +
                     std::to_string(topology_.processors() - ended_) +
                     " programs still run, the first is that of rank " + std::to_string(rank));
}

void Engine::throw_interrupted() {
  const Cycle cycle = workers_[0].now;
  throw RunError(ErrorKind::interrupted, cycle, no_rank, {},
                 name_ + ": interrupted after cycle " + std::to_string(cycle));
}

void Engine::throw_too_many_phases() {
  const Cycle cycle = workers_[0].now;
  throw RunError(ErrorKind::too_many_phases, cycle, no_rank, {},
                 name_ + ": cycle " + std::to_string(cycle) + ": more than " + std::to_string(Worker::most_phases - 1) +
                     " names of phases");
}

void Engine::throw_undelivered() const {
  if (on_medium_) throw_undelivered_on_medium();
  struct Left {
    Stamp sent = ~Stamp{0};  // the latest on its link
    Rank rank = 0;
    Port port = 0;
    Total messages = 0;
  };
  Left first;
  for (Rank rank = 0; rank < topology_.processors(); ++rank) {
    for (Port port = 0; port < topology_.ports(); ++port) {
      const Flow& flow = flows_[topology_.slot(rank, port)];
      const Sent sent = flow.sent.load(std::memory_order_relaxed);
      const auto left = static_cast<Total>(sent.total() - flow.taken.load(std::memory_order_relaxed).total);
      if (left > 0 && sent.latest() < first.sent) first = {sent.latest(), rank, port, left};
    }
  }
  const Cycle cycle = first.sent - 1;
  std::string text = name_ + ": cycle " + std::to_string(cycle) + ", rank " + std::to_string(first.rank) + ", port " +
                     std::to_string(first.port) + ": ";
  if (first.messages == 1) {
    text += "a message";
  } else {
    text += std::to_string(first.messages) + " messages, the last of them sent then,";
  }
  text += " from rank " + std::to_string(topology_.peer(first.rank, first.port).rank);
  text += first.messages == 1 ? " was never received (" : " were never received (";
  text += std::to_string(in_channels_) + " such in all)";
  throw RunError(ErrorKind::undelivered, cycle, first.rank, {first.port}, text);
}

}  // namespace detail
}  // namespace lockstep
