// Runs that cannot or may not continue: failures, deadlock, livelock, undelivered messages, interrupts.
#include "cycle/diagnosis.hpp"

#include <algorithm>
#include <stdexcept>

#include "lockstep/core/memory.hpp"
#include "lockstep/core/memory_limit.hpp"
#include "lockstep/core/printable.hpp"
#include "text/failure_text.hpp"

namespace lockstep {

namespace {

/// Where the processor waits: "port 3", "any port", "any peer"; empty where only the neighbour's rank is possible.
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
  if (wait.neighbour_failed) {
    text += ", which failed in cycle " + std::to_string(*wait.neighbour_failed);
  } else if (wait.neighbour_ended) {
    text += ", whose program has ended";
  }
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
    : MemoryError(what_for, needed, MemoryLimit{available, memory_limit().name}) {}

MemoryError::MemoryError(const std::string& what_for, std::uint64_t needed, const MemoryLimit& limit)
    : std::runtime_error(what_for + " needs " + format_bytes(needed) + " of memory, but only " +
                         format_bytes(limit.available) + " are available (" + limit.name + ")"),
      needed_(needed),
      available_(limit.available) {}

namespace detail {

namespace {

constexpr std::size_t most_of_exception = 400;  // characters

bool has_ended(const Moves& moves, Rank rank) { return moves.controls[rank].waiting == Waiting::ended; }

/// Records that the processor waits for that neighbour; returns whether the neighbour still runs.
bool note_neighbour(const Moves& moves, Rank neighbour, Wait& wait) {
  wait.neighbour = neighbour;
  wait.neighbour_ended = has_ended(moves, neighbour);
  const Cycle fails = moves.ground.faults ? moves.ground.faults->fails(neighbour) : Faults::never;
  wait.neighbour_failed = fails <= moves.cycle() ? std::optional(fails) : std::nullopt;
  return !wait.neighbour_ended;
}

/// The processor that a message on that port, or from that peer, would come from; no_rank if there is none.
Rank source(const Moves& moves, Rank rank, Port port) {
  if (moves.links != nullptr) return moves.ground.topology.peer(rank, port).rank;
  return moves.medium->has_link(rank, port) ? port : no_rank;
}

Wait wait_of(const Moves& moves, Rank rank) {
  const Control& waiting = moves.controls[rank];
  Wait wait;
  wait.rank = rank;
  wait.on_medium = moves.medium != nullptr;
  const Waiting what = waiting.waiting_link != nullptr ? Waiting::message : waiting.waiting;
  wait.any_port = what == Waiting::any_message;
  wait.since = cycle_of(std::max(waiting.waiting_since, waiting.last_send));  // an exchange records only its send
  if (what != Waiting::message && !wait.any_port) return wait;
  if (!wait.any_port) {
    wait.port = waiting.waiting_port;
    note_neighbour(moves, source(moves, rank, wait.port), wait);
    return wait;
  }
  // Any neighbour could end the wait; name the first that still runs.
  const Port sources = moves.links != nullptr ? moves.links->sources() : moves.medium->sources();
  for (Port port = 0; port < sources; ++port) {
    const Rank there = source(moves, rank, port);
    if (there == no_rank) continue;
    Wait for_that = wait;
    const bool runs = note_neighbour(moves, there, for_that);
    if (wait.neighbour == no_rank || runs) wait = for_that;
    if (runs) break;
  }
  return wait;
}

[[noreturn]] void throw_deadlock_of(const Moves& moves, std::vector<Wait> waits) {
  const std::string text = deadlock_text(moves.ground.name, moves.cycle(), waits);
  throw DeadlockError(moves.cycle(), std::move(waits), text);
}

/// "broadcast/sbt: cycle 3".
std::string place_of(const Moves& moves, Cycle cycle) { return moves.ground.name + ": cycle " + std::to_string(cycle); }

}  // namespace

bool has_failed(const Moves& moves) {
  return std::any_of(moves.workers.begin(), moves.workers.end(),
                     [](const Worker& worker) { return worker.failure.has_value(); });
}

void throw_failure(const Moves& moves) {
  const Failure* first = nullptr;
  for (const Worker& worker : moves.workers) {
    if (worker.failure && (first == nullptr || worker.failure->before(*first))) first = &*worker.failure;
  }
  if (first == nullptr) return;
  Failure failure = *first;
  if (failure.kind != ErrorKind::exception) {
    throw RunError(failure.kind, moves.cycle(), failure.rank, failure.ports,
                   text_of(moves.ground, moves.cycle(), failure));
  }
  failure.rule = "the program threw an exception of unknown type";
  try {
    std::rethrow_exception(failure.cause);
  } catch (const std::exception& exception) {
    failure.rule = "the program threw: " + printable(exception.what(), most_of_exception);
  } catch (...) {
  }
  throw ProgramError(moves.cycle(), failure.rank, text_of(moves.ground, moves.cycle(), failure), failure.cause);
}

void throw_deadlock(const Moves& moves) {
  std::vector<Rank> walk_of(moves.processors(), no_rank);  // the first rank of the walk that passed
  std::vector<Wait> chain;                                 // the walk from the lowest rank that waits
  for (Rank start = 0; start < moves.processors(); ++start) {
    std::vector<Wait> waits;
    Rank rank = start;
    while (rank != no_rank && walk_of[rank] == no_rank && !has_ended(moves, rank)) {
      walk_of[rank] = start;
      waits.push_back(wait_of(moves, rank));
      rank = waits.back().neighbour;
    }
    if (waits.empty()) continue;
    if (rank != no_rank && walk_of[rank] == start) {
      const auto is_there = [rank](const Wait& wait) { return wait.rank == rank; };
      waits.erase(waits.begin(), std::find_if(waits.begin(), waits.end(), is_there));
      const auto by_rank = [](const Wait& a, const Wait& b) { return a.rank < b.rank; };
      std::rotate(waits.begin(), std::min_element(waits.begin(), waits.end(), by_rank), waits.end());
      throw_deadlock_of(moves, std::move(waits));
    }
    if (chain.empty()) chain = std::move(waits);
  }
  throw_deadlock_of(moves, std::move(chain));
}

void throw_livelock(const Moves& moves, Cycle limit) {
  Rank rank = 0;
  while (rank < moves.processors() && has_ended(moves, rank)) ++rank;
  if (rank == moves.processors()) throw std::runtime_error("another process reports a program that has not ended");
  throw RunError(ErrorKind::livelock, limit, rank, {},
                 moves.ground.name + ": livelock: not ended within " + std::to_string(limit) + " cycles; " +
                     std::to_string(moves.processors() - moves.ledger.ended()) +
                     " programs still run, the first is that of rank " + std::to_string(rank));
}

void throw_interrupted(const Moves& moves) {
  throw RunError(ErrorKind::interrupted, moves.cycle(), no_rank, {},
                 moves.ground.name + ": interrupted after cycle " + std::to_string(moves.cycle()));
}

void throw_too_many_phases(const Moves& moves) {
  throw RunError(
      ErrorKind::too_many_phases, moves.cycle(), no_rank, {},
      place_of(moves, moves.cycle()) + ": more than " + std::to_string(Worker::most_phases - 1) + " phase names");
}

void throw_count_overflow(const Moves& moves) {
  throw RunError(ErrorKind::count_overflow, moves.cycle(), no_rank, {},
                 place_of(moves, moves.cycle()) + ": a count goes beyond 64 bits");
}

void throw_undelivered(const Moves& moves, const LinkNetwork::Undelivered& left) {
  const Cycle cycle = cycle_of(left.sent);
  std::string text =
      place_of(moves, cycle) + ", rank " + std::to_string(left.rank) + ", port " + std::to_string(left.port) + ": ";
  if (left.messages == 1) {
    text += "a message";
  } else {
    text += std::to_string(left.messages) + " messages, the last of them sent then,";
  }
  text += " from rank " + std::to_string(source(moves, left.rank, left.port));
  text += left.messages == 1 ? " was never received (" : " were never received (";
  text += std::to_string(moves.ledger.in_channels()) + " in all)";
  throw RunError(ErrorKind::undelivered, cycle, left.rank, {left.port}, text);
}

void throw_undelivered_on_medium(const Moves& moves, const MediumNetwork::Undelivered& left) {
  const std::string such = " (" + std::to_string(moves.ledger.in_channels()) + " in all)";
  if (left.peer == no_rank) {
    throw RunError(
        ErrorKind::undelivered, moves.cycle(), left.rank, {},
        moves.ground.name + ": rank " + std::to_string(left.rank) + " was given more values than it has read" + such);
  }
  const Cycle cycle = cycle_of(left.sent);
  throw RunError(ErrorKind::undelivered, cycle, left.rank, {left.peer},
                 place_of(moves, cycle) + ", rank " + std::to_string(left.rank) + ", peer " +
                     std::to_string(left.peer) + ": a message from there was never received" + such);
}

}  // namespace detail
}  // namespace lockstep
