#include <algorithm>
#include <compare>
#include <map>
#include <numeric>
#include <set>
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
  std::vector<ChunkName> chunks;
  std::vector<bool> adds;    // of each: whether the receiver adds it
  std::vector<bool> leaves;  // of each: whether the sender has no more to do with it
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
  if (parcel == parcels.end()) parcel = parcels.insert(parcels.end(), {port, {}, {}, {}});
  parcel->chunks.push_back(name_of(move));
  parcel->adds.push_back(move.adds);
  parcel->leaves.push_back(false);
}

/// What is for one alone leaves with the last message that holds it.
void mark_leaving(std::vector<Doing>& doings) {
  std::set<ChunkName> sent_later;
  for (auto doing = doings.rbegin(); doing != doings.rend(); ++doing) {
    for (Parcel& parcel : doing->sends) {
      for (std::size_t index = 0; index < parcel.chunks.size(); ++index) {
        const ChunkName& name = parcel.chunks[index];
        if (name.destination != name.origin) parcel.leaves[index] = sent_later.insert(name).second;
      }
    }
  }
}

std::vector<std::vector<Doing>> doings_of(const ChunkSchedule& schedule, const Topology& topology) {
  std::vector<std::vector<Doing>> doings(schedule.nodes);
  const auto at = [&](Rank rank, std::uint64_t step) -> Doing& {
    if (doings[rank].empty() || doings[rank].back().step != step) doings[rank].push_back({step, {}, {}});
    return doings[rank].back();
  };
  for (std::uint64_t step = 0; step < schedule.steps.size(); ++step) {
    for (const ChunkMove& move : schedule.steps[step]) {
      const bool has_links = !topology.medium();
      put(at(move.from, step).sends, has_links ? topology.port_to(move.from, move.to) : move.to, move);
      put(at(move.to, step).receives, has_links ? topology.port_to(move.to, move.from) : move.from, move);
    }
  }
  for (auto& of_rank : doings) mark_leaving(of_rank);
  return doings;
}

/// A chunk as a part of its block.
LabelledBlock labelled(const ChunkName& name, const Block& block) {
  return {.origin = name.origin, .destination = name.destination, .first = name.chunk * block.size(), .block = block};
}

/// Pieces are of one length, so that they come in the order in which they were added, which both ends know.
void keep(const Parcel& parcel, const Bundle& bundle, Held& held) {
  if (bundle.size() != parcel.chunks.size()) throw std::logic_error("a message of other chunks than should come");
  for (std::uint64_t index = 0; index < bundle.size(); ++index) {
    const LabelledBlock piece = bundle.block(index);
    const ChunkName& name = parcel.chunks[index];
    if (labelled(name, piece.block) != piece) throw std::logic_error("a message of other chunks than should come");
    if (!parcel.adds[index] || !held.contains(name)) {
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
    std::set<Port> served;
    for (const Parcel& parcel : doing.sends) {
      if (served.contains(parcel.port)) continue;
      Bundle bundle;
      for (const ChunkName& name : parcel.chunks) {
        bundle.add(labelled(name, held.at(name)));
      }
      if (self.model().multicast) {
        std::vector<Port> on;
        for (const Parcel& other : doing.sends) {
          if (other.chunks == parcel.chunks) on.push_back(other.port);
        }
        served.insert(on.begin(), on.end());
        self.send(on, bundle);
      } else {
        self.send(parcel.port, std::move(bundle));
      }
    }
    for (const Parcel& parcel : doing.sends) {
      for (std::size_t index = 0; index < parcel.chunks.size(); ++index) {
        if (parcel.leaves[index]) held.erase(parcel.chunks[index]);
      }
    }
    co_await self.cycle();
    for (const Parcel& parcel : doing.receives) keep(parcel, self.receive(parcel.port).payload, held);
    self.hold(words_of(held));
  }
}

/// Whether every processor has a summand of every chunk.
bool is_summed_up(const ChunkTask& task) {
  return task.operation == "allreduce" || task.operation == "reduce" || task.operation == "reduce-scatter";
}

/// All chunks that there are.
std::vector<ChunkName> chunks_of(const ChunkTask& task, Rank nodes) {
  std::vector<ChunkName> names;
  const auto add = [&](Rank origin, Rank destination) {
    for (std::uint32_t chunk = 0; chunk < task.chunks; ++chunk) names.push_back({origin, destination, chunk});
  };
  const std::string& operation = task.operation;
  const Rank owners = operation == "allreduce" && task.owners > 0 ? task.owners : nodes;
  if (operation == "broadcast" || operation == "reduce") {
    add(task.root, task.root);
  } else if (operation == "alltoall") {
    for (Rank origin = 0; origin < nodes; ++origin) {
      for (Rank to = 0; to < nodes; ++to) {
        if (to != origin) add(origin, to);
      }
    }
  } else {
    for (Rank other = 0; other < owners; ++other) {
      const bool has_root = operation == "gather" || operation == "scatter";
      if (has_root && other == task.root) continue;
      add(operation == "scatter" ? task.root : other, operation == "gather" ? task.root : other);
    }
  }
  return names;
}

bool has_at_first(const ChunkTask& task, Rank rank, const ChunkName& name) {
  return is_summed_up(task) || rank == name.origin;
}

std::vector<Rank> who_have_at_first(const ChunkTask& task, Rank nodes, const ChunkName& name) {
  if (!is_summed_up(task)) return {name.origin};
  std::vector<Rank> all(nodes);
  std::iota(all.begin(), all.end(), Rank{0});
  return all;
}

bool has_in_the_end(const ChunkTask& task, Rank rank, const ChunkName& name) {
  const bool is_for_all =
      task.operation == "allgather" || task.operation == "allreduce" || task.operation == "broadcast";
  return is_for_all || rank == name.destination;
}

/// Of one chunk, by the number that its data is drawn by.
Rank data_label(const ChunkTask& task, Rank destination, std::uint32_t chunk) {
  return destination * task.chunks + chunk;
}

/// The summand of the rank.
Block input(const RunRequest& request, const ChunkTask& task, Rank rank, const ChunkName& name) {
  return generated_block(request.settings.seed, rank, data_label(task, name.destination, name.chunk),
                         *request.settings.words);
}

/// What a processor has before the first step.
Held input_of(const RunRequest& request, const ChunkTask& task, const std::vector<ChunkName>& names, Rank rank) {
  Held held;
  for (const ChunkName& name : names) {
    if (has_at_first(task, rank, name)) held[name] = input(request, task, rank, name);
  }
  return held;
}

/// What has to be there in the end, chunk by chunk: said by the operation alone.
std::string what_is_wrong(const RunRequest& request, const ChunkTask& task, const std::vector<ChunkName>& names,
                          Rank nodes, Rank rank, const Held& held) {
  for (const ChunkName& name : names) {
    if (!has_in_the_end(task, rank, name)) continue;
    Block expected(*request.settings.words);
    for (const Rank each : who_have_at_first(task, nodes, name)) {
      const Block summand = input(request, task, each, name);
      for (std::uint64_t word = 0; word < expected.size(); ++word) expected[word] += summand[word];
    }
    const auto found = held.find(name);
    const std::string what = "processor " + std::to_string(rank) + ": chunk " + std::to_string(name.chunk) + " of " +
                             std::to_string(name.origin);
    if (found == held.end()) return what + " is missing";
    if (found->second != expected) return what + " is not what it should be";
  }
  return {};
}

}  // namespace

Outcome carry_out(const RunRequest& request, const ChunkSchedule& schedule) {
  const auto doings = doings_of(schedule, request.topology);
  std::vector<Held> held(schedule.nodes);
  const std::vector<ChunkName> names = chunks_of(schedule.task, schedule.nodes);
  for (Rank rank = 0; rank < schedule.nodes; ++rank) held[rank] = input_of(request, schedule.task, names, rank);
  Outcome outcome;
  outcome.report = run_program<Bundle>(
      request, [&](Processor<Bundle>& self) { return carry(self, doings[self.rank()], held[self.rank()]); });
  for (Rank rank = 0; rank < schedule.nodes && outcome.wrong.empty(); ++rank) {
    outcome.wrong = what_is_wrong(request, schedule.task, names, schedule.nodes, rank, held[rank]);
  }
  return outcome;
}

namespace {

/// Whose contributions a processor has of a chunk.
using Contributions = std::vector<bool>;

std::string said(const ChunkName& name) {
  const std::string whose = "chunk " + std::to_string(name.chunk) + " of " + std::to_string(name.origin);
  return name.destination != name.origin ? whose + " for " + std::to_string(name.destination) : whose;
}

class Walk {
 public:
  Walk(const ChunkSchedule& schedule, const Network& network, bool multicast)
      : task_(schedule.task), network_(network), multicast_(multicast) {
    for (const ChunkName& name : chunks_of(task_, network.nodes)) {
      names_.insert(name);
      for (const Rank rank : who_have_at_first(task_, network.nodes, name)) begin(name, rank);
    }
  }

  void step(std::uint64_t number, const std::vector<ChunkMove>& moves, PortModel ports) {
    number_ = number;
    if (moves.empty()) throw ScheduleError(number, no_rank, "step " + std::to_string(number) + ": no processor sends");
    std::map<Rank, std::map<Rank, std::set<ChunkName>>> receivers;
    std::map<Rank, Rank> senders;
    std::vector<Contributions> carried;
    for (const ChunkMove& move : moves) {
      if (move.from >= network_.nodes || move.to >= network_.nodes || !names_.contains(name_of(move))) {
        fail(move.from, "sends what is no chunk");
      }
      if (network_.arc(move.from, move.to) == network_.arcs.size()) {
        fail(move.from, "sends to processor " + std::to_string(move.to) + ", to which it has no link");
      }
      receivers[move.from][move.to].insert(name_of(move));
      if (ports != PortModel::all && senders.try_emplace(move.to, move.from).first->second != move.from) {
        fail(move.to, "receives two messages");
      }
      const auto found = held_.find({name_of(move), move.from});
      if (found == held_.end()) fail(move.from, "sends " + said(name_of(move)) + ", which it does not hold");
      carried.push_back(found->second);
    }
    for (const auto& [from, messages] : receivers) {
      if (ports == PortModel::all || messages.size() == 1) continue;
      const auto is_first = [&first = *messages.begin()](const auto& message) {
        return message.second == first.second;
      };
      if (!multicast_ || !std::ranges::all_of(messages, is_first)) fail(from, "sends two messages");
    }
    for (std::size_t index = 0; index < moves.size(); ++index) take(moves[index], carried[index]);
  }

  void end(std::uint64_t steps) const {
    for (const ChunkName& name : names_) {
      Contributions all(network_.nodes);
      for (const Rank whose : who_have_at_first(task_, network_.nodes, name)) all[whose] = true;
      for (Rank rank = 0; rank < network_.nodes; ++rank) {
        if (!has_in_the_end(task_, rank, name)) continue;
        const auto found = held_.find({name, rank});
        if (found != held_.end() && found->second == all) continue;
        throw ScheduleError(steps, rank,
                            "after " + std::to_string(steps) + " steps: processor " + std::to_string(rank) + " lacks " +
                                (found == held_.end() ? "" : "summands of ") + said(name));
      }
    }
  }

 private:
  using Place = std::pair<ChunkName, Rank>;

  void begin(const ChunkName& name, Rank rank) {
    Contributions& own = held_[{name, rank}];
    own.resize(network_.nodes);
    own[rank] = true;
  }

  void take(const ChunkMove& move, const Contributions& carried) {
    const ChunkName name = name_of(move);
    Contributions& own = held_[{name, move.to}];
    own.resize(network_.nodes);
    for (Rank whose = 0; whose < network_.nodes; ++whose) {
      if (move.adds && own[whose] && carried[whose]) {
        fail(move.to, "adds to " + said(name) + " what it has of processor " + std::to_string(whose));
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
  bool multicast_;
  std::uint64_t number_ = 0;
  std::map<Place, Contributions> held_;
  std::set<ChunkName> names_;
};

}  // namespace

void check(const ChunkSchedule& schedule, const Network& network, PortModel ports, bool multicast) {
  Walk walk(schedule, network, multicast);
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) walk.step(step, schedule.steps[step], ports);
  walk.end(schedule.steps.size());
}

}  // namespace lockstep
