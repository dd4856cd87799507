#include <algorithm>
#include <compare>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep {
namespace {

/// What people and programs call a chunk.
struct ChunkName {
  Rank origin;
  Rank destination;
  std::uint32_t chunk;
  auto operator<=>(const ChunkName&) const = default;
};

ChunkName name_of(const ChunkMove& move) { return {move.origin, move.destination, move.chunk}; }

/// In one step over one link.
struct Parcel {
  Port port;
  bool adds;
  std::vector<ChunkName> chunks;
};

/// What a processor does in one step.
struct Doing {
  std::uint64_t step;
  std::vector<Parcel> sends;
  std::vector<Parcel> receives;
};

using Held = std::map<ChunkName, Block>;

void put(std::vector<Parcel>& parcels, Port port, const ChunkMove& move) {
  auto parcel = std::ranges::find_if(parcels, [&](const Parcel& one) { return one.port == port; });
  if (parcel == parcels.end()) parcel = parcels.insert(parcels.end(), {port, move.adds, {}});
  if (parcel->adds != move.adds) throw std::logic_error("a message that is added and kept");
  parcel->chunks.push_back(name_of(move));
}

std::vector<std::vector<Doing>> doings_of(const ChunkSchedule& schedule, const Topology& topology) {
  std::vector<std::vector<Doing>> doings(schedule.nodes);
  const auto at = [&](Rank rank, std::uint64_t step) -> Doing& {
    if (doings[rank].empty() || doings[rank].back().step != step) doings[rank].push_back({step, {}, {}});
    return doings[rank].back();
  };
  for (std::uint64_t step = 0; step < schedule.steps.size(); ++step) {
    for (const ChunkMove& move : schedule.steps[step]) {
      put(at(move.from, step).sends, topology.port_to(move.from, move.to), move);
      put(at(move.to, step).receives, topology.port_to(move.to, move.from), move);
    }
  }
  return doings;
}

/// Labels of a piece: a chunk's place in its parcel, which both ends know.
void keep(const Parcel& parcel, const Bundle& bundle, Held& held) {
  if (bundle.size() != parcel.chunks.size()) throw std::logic_error("a message of other chunks than should come");
  for (std::uint64_t index = 0; index < bundle.size(); ++index) {
    const LabelledBlock piece = bundle.block(index);
    const ChunkName& name = parcel.chunks.at(piece.destination);
    if (name.origin != piece.origin) throw std::logic_error("a message of other chunks than should come");
    if (!parcel.adds) {
      held[name] = piece.block;
      continue;
    }
    Block& sum = held.at(name);
    for (std::uint64_t word = 0; word < sum.size(); ++word) sum[word] += piece.block[word];
  }
}

std::uint64_t words_of(const Held& held) {
  std::uint64_t words = 0;
  for (const auto& [name, block] : held) words += block.size();
  return words;
}

// Each processor does its part of the schedule, and sleeps between.
Process carry(Processor<Bundle>& self, const std::vector<Doing>& doings, Held& held) {
  self.hold(words_of(held));
  for (const Doing& doing : doings) {
    co_await self.until(doing.step);
    for (const Parcel& parcel : doing.sends) {
      Bundle bundle;
      for (const ChunkName& name : parcel.chunks) {
        const auto place = static_cast<Rank>(bundle.size());
        bundle.add(LabelledBlock{.origin = name.origin, .destination = place, .block = held.at(name)});
      }
      self.send(parcel.port, std::move(bundle));
      for (const ChunkName& name : parcel.chunks) {
        if (name.destination != name.origin) held.erase(name);  // it was for one alone
      }
    }
    co_await self.cycle();
    for (const Parcel& parcel : doing.receives) keep(parcel, self.receive(parcel.port).payload, held);
    self.hold(words_of(held));
  }
}

/// Of one chunk, by the number that its data is drawn by.
Rank data_label(const ChunkTask& task, Rank destination, std::uint32_t chunk) {
  return destination * task.chunks + chunk;
}

Block input(const RunRequest& request, const ChunkTask& task, Rank rank, Rank other, std::uint32_t chunk) {
  return generated_block(request.settings.seed, rank, data_label(task, other, chunk), *request.settings.words);
}

/// What a processor has before the first step.
Held input_of(const RunRequest& request, const ChunkTask& task, Rank nodes, Rank rank) {
  Held held;
  for (std::uint32_t chunk = 0; chunk < task.chunks; ++chunk) {
    if (task.operation == "allgather" || (task.operation == "broadcast" && rank == task.root)) {
      held[{rank, rank, chunk}] = input(request, task, rank, rank, chunk);
    }
    for (Rank other = 0; other < nodes; ++other) {
      if (task.operation == "alltoall" && other != rank) {
        held[{rank, other, chunk}] = input(request, task, rank, other, chunk);
      }
      if (task.operation == "allreduce") held[{other, other, chunk}] = input(request, task, rank, other, chunk);
    }
  }
  return held;
}

/// What has to be there in the end, chunk by chunk: said by the operation alone.
std::string what_is_wrong(const RunRequest& request, const ChunkTask& task, Rank nodes, Rank rank, const Held& held) {
  const auto compare = [&](const ChunkName& name, const Block& expected) -> std::string {
    const auto found = held.find(name);
    const std::string what = "processor " + std::to_string(rank) + ": chunk " + std::to_string(name.chunk) + " of " +
                             std::to_string(name.origin);
    if (found == held.end()) return what + " is missing";
    return found->second == expected ? std::string() : what + " is not what it should be";
  };
  for (Rank other = 0; other < nodes; ++other) {
    for (std::uint32_t chunk = 0; chunk < task.chunks; ++chunk) {
      std::string wrong;
      if (task.operation == "allgather" || (task.operation == "broadcast" && other == task.root)) {
        wrong = compare({other, other, chunk}, input(request, task, other, other, chunk));
      } else if (task.operation == "alltoall" && other != rank) {
        wrong = compare({other, rank, chunk}, input(request, task, other, rank, chunk));
      } else if (task.operation == "allreduce") {
        Block sum(*request.settings.words);
        for (Rank each = 0; each < nodes; ++each) {
          const Block summand = input(request, task, each, other, chunk);
          for (std::uint64_t word = 0; word < sum.size(); ++word) sum[word] += summand[word];
        }
        wrong = compare({other, other, chunk}, sum);
      }
      if (!wrong.empty()) return wrong;
    }
  }
  return {};
}

}  // namespace

Outcome carry_out(const RunRequest& request, const ChunkSchedule& schedule) {
  const auto doings = doings_of(schedule, request.topology);
  std::vector<Held> held(schedule.nodes);
  for (Rank rank = 0; rank < schedule.nodes; ++rank) {
    held[rank] = input_of(request, schedule.task, schedule.nodes, rank);
  }
  Outcome outcome;
  outcome.report = run_program<Bundle>(
      request, [&](Processor<Bundle>& self) { return carry(self, doings[self.rank()], held[self.rank()]); });
  for (Rank rank = 0; rank < schedule.nodes && outcome.wrong.empty(); ++rank) {
    outcome.wrong = what_is_wrong(request, schedule.task, schedule.nodes, rank, held[rank]);
  }
  return outcome;
}

namespace {

/// Whose contributions a processor has of a chunk.
using Contributions = std::vector<bool>;

std::string said(const ChunkTask& task, const ChunkName& name) {
  const std::string whose = "chunk " + std::to_string(name.chunk) + " of " + std::to_string(name.origin);
  return task.operation == "alltoall" ? whose + " for " + std::to_string(name.destination) : whose;
}

/// Whose there are in the end.
Contributions all_of(const ChunkTask& task, Rank nodes, const ChunkName& name) {
  Contributions all(nodes, task.operation == "allreduce");
  all[name.origin] = true;
  return all;
}

bool is_of(const ChunkTask& task, Rank nodes, const ChunkMove& move) {
  if (move.origin >= nodes || move.destination >= nodes || move.chunk >= task.chunks) return false;
  if (task.operation == "broadcast" && move.origin != task.root) return false;
  return (task.operation == "alltoall") == (move.origin != move.destination);
}

class Walk {
 public:
  Walk(const ChunkSchedule& schedule, const Network& network) : task_(schedule.task), network_(network) {
    const Rank nodes = network.nodes;
    for (Rank origin = 0; origin < nodes; ++origin) {
      for (std::uint32_t chunk = 0; chunk < task_.chunks; ++chunk) {
        if (task_.operation == "alltoall") {
          for (Rank to = 0; to < nodes; ++to) {
            if (to != origin) begin({origin, to, chunk}, origin, origin);
          }
        } else if (task_.operation == "allreduce") {
          for (Rank rank = 0; rank < nodes; ++rank) begin({origin, origin, chunk}, rank, rank);
        } else if (task_.operation == "allgather" || origin == task_.root) {
          begin({origin, origin, chunk}, origin, origin);
        }
      }
    }
  }

  void step(std::uint64_t number, const std::vector<ChunkMove>& moves, PortModel ports) {
    number_ = number;
    if (moves.empty()) throw ScheduleError(number, no_rank, "step " + std::to_string(number) + ": no processor sends");
    std::map<Rank, Rank> receivers;
    std::map<Rank, Rank> senders;
    std::vector<Contributions> carried;
    for (const ChunkMove& move : moves) {
      if (move.from >= network_.nodes || move.to >= network_.nodes || !is_of(task_, network_.nodes, move)) {
        fail(move.from, "sends what is no chunk");
      }
      if (network_.arc(move.from, move.to) == network_.arcs.size()) {
        fail(move.from, "sends to processor " + std::to_string(move.to) + ", to which it has no link");
      }
      if (ports != PortModel::all && receivers.try_emplace(move.from, move.to).first->second != move.to) {
        fail(move.from, "sends two messages");
      }
      if (ports != PortModel::all && senders.try_emplace(move.to, move.from).first->second != move.from) {
        fail(move.to, "receives two messages");
      }
      const auto found = held_.find({name_of(move), move.from});
      if (found == held_.end()) fail(move.from, "sends " + said(task_, name_of(move)) + ", which it does not hold");
      carried.push_back(found->second);
    }
    for (std::size_t index = 0; index < moves.size(); ++index) take(moves[index], carried[index]);
  }

  void end(std::uint64_t steps) const {
    for (const auto& [name, everybody] : names_) {
      for (Rank rank = 0; rank < network_.nodes; ++rank) {
        if (task_.operation == "alltoall" && rank != name.destination) continue;
        const auto found = held_.find({name, rank});
        if (found != held_.end() && found->second == all_of(task_, network_.nodes, name)) continue;
        throw ScheduleError(steps, rank,
                            "after " + std::to_string(steps) + " steps: processor " + std::to_string(rank) + " lacks " +
                                (found == held_.end() ? "" : "summands of ") + said(task_, name));
      }
    }
  }

 private:
  using Place = std::pair<ChunkName, Rank>;

  void begin(const ChunkName& name, Rank rank, Rank whose) {
    names_[name] = true;
    Contributions& own = held_[{name, rank}];
    own.resize(network_.nodes);
    own[whose] = true;
  }

  void take(const ChunkMove& move, const Contributions& carried) {
    const ChunkName name = name_of(move);
    Contributions& own = held_[{name, move.to}];
    own.resize(network_.nodes);
    for (Rank whose = 0; whose < network_.nodes; ++whose) {
      if (move.adds && own[whose] && carried[whose]) {
        fail(move.to, "adds to " + said(task_, name) + " what it has of processor " + std::to_string(whose));
      }
      own[whose] = move.adds ? own[whose] || carried[whose] : carried[whose];
    }
  }

  [[noreturn]] void fail(Rank node, const std::string& what) const {
    throw ScheduleError(number_, node,
                        "step " + std::to_string(number_) + ": processor " + std::to_string(node) + " " + what);
  }

  const ChunkTask& task_;
  const Network& network_;
  std::uint64_t number_ = 0;
  std::map<Place, Contributions> held_;
  std::map<ChunkName, bool> names_;
};

}  // namespace

void check(const ChunkSchedule& schedule, const Network& network, PortModel ports) {
  Walk walk(schedule, network);
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) walk.step(step, schedule.steps[step], ports);
  walk.end(schedule.steps.size());
}

}  // namespace lockstep
