#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "holdings.hpp"
#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep {
namespace {

/// A chunk in a message.
struct Piece {
  ChunkName name;
  bool adds;         // whether the receiver adds it
  bool leaves;       // whether the sender has no more to do with it
  Summands whose{};  // whose summands it is the sum of; of schedules that keep none apart, nothing
};

/// In one step over one link.
struct Parcel {
  Port port;
  std::vector<Piece> pieces;
};

/// What a processor does in one step.
struct Doing {
  std::uint64_t step;
  std::vector<Parcel> sends;
  std::vector<Parcel> receives;
};

/// A sum, as it came, of these summands.
struct Sum {
  Summands whose;
  Block block;
};

using Held = std::map<ChunkName, std::vector<Sum>>;

void put(std::vector<Parcel>& parcels, Port port, const Piece& piece) {
  auto parcel = std::ranges::find_if(parcels, [&](const Parcel& one) { return one.port == port; });
  if (parcel == parcels.end()) parcel = parcels.insert(parcels.end(), {port, {}});
  parcel->pieces.push_back(piece);
}

/// What is for one alone leaves with the last message that holds it.
void mark_leaving(std::vector<Doing>& doings) {
  std::set<ChunkName> sent_later;
  for (auto doing = doings.rbegin(); doing != doings.rend(); ++doing) {
    for (Parcel& parcel : doing->sends) {
      for (Piece& piece : parcel.pieces) {
        if (piece.name.destination != piece.name.origin) piece.leaves = sent_later.insert(piece.name).second;
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
  const bool is_apart = keeps_apart(schedule);
  Holdings holdings(schedule.task, schedule.nodes, is_apart);
  for (std::uint64_t step = 0; step < schedule.steps.size(); ++step) {
    const auto& moves = schedule.steps[step];
    std::vector<Summands> carried(moves.size());
    for (std::size_t index = 0; index < moves.size(); ++index) {
      const ChunkMove& move = moves[index];
      if (is_apart) carried[index] = holdings.carried(move);
      const Piece piece{name_of(move), move.adds, false, carried[index]};
      const bool has_links = !topology.medium();
      put(at(move.from, step).sends, has_links ? topology.port_to(move.from, move.to) : move.to, piece);
      put(at(move.to, step).receives, has_links ? topology.port_to(move.to, move.from) : move.from, piece);
    }
    for (std::size_t index = 0; is_apart && index < moves.size(); ++index) {
      holdings.take(moves[index], std::move(carried[index]));
    }
  }
  for (auto& of_rank : doings) mark_leaving(of_rank);
  return doings;
}

/// A chunk as a part of its block.
LabelledBlock labelled(const ChunkName& name, const Block& block) {
  return {.origin = name.origin, .destination = name.destination, .first = name.chunk * block.size(), .block = block};
}

void add(Block& sum, const Block& summand) {
  for (std::uint64_t word = 0; word < sum.size(); ++word) sum[word] += summand[word];
}

/// The sum of those of these summands: of all, where none are kept apart.
Block sum_of(const std::vector<Sum>& sums, const Summands& whose) {
  std::optional<Block> whole;
  for (const Sum& sum : sums) {
    if (!is_within(sum.whose, whose)) continue;
    if (whole) {
      add(*whole, sum.block);
    } else {
      whole = sum.block;
    }
  }
  return whole.value();
}

/// Pieces are of one length, so that they come in the order in which they were added, which both ends know.
void keep(const Parcel& parcel, const Bundle& bundle, Held& held) {
  if (bundle.size() != parcel.pieces.size()) throw std::logic_error("a message of other chunks than should come");
  for (std::uint64_t index = 0; index < bundle.size(); ++index) {
    const LabelledBlock came = bundle.block(index);
    const Piece& piece = parcel.pieces[index];
    if (labelled(piece.name, came.block) != came) throw std::logic_error("a message of other chunks than should come");
    std::vector<Sum>& sums = held[piece.name];
    if (!piece.adds) sums.clear();
    if (sums.empty() || !piece.whose.empty()) {
      sums.push_back({piece.whose, came.block});
    } else {
      add(sums.front().block, came.block);
    }
  }
}

std::uint64_t words_of(const Held& held) {
  std::uint64_t words = 0;
  for (const auto& [name, sums] : held) {
    for (const Sum& sum : sums) words += sum.block.size();
  }
  return words;
}

bool is_of_same_chunks(const Parcel& one, const Parcel& other) {
  return std::ranges::equal(one.pieces, other.pieces,
                            [](const Piece& a, const Piece& b) { return a.name == b.name && a.whose == b.whose; });
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
      for (const Piece& piece : parcel.pieces) {
        bundle.add(labelled(piece.name, sum_of(held.at(piece.name), piece.whose)));
      }
      if (self.model().multicast) {
        std::vector<Port> on;
        for (const Parcel& other : doing.sends) {
          if (is_of_same_chunks(other, parcel)) on.push_back(other.port);
        }
        served.insert(on.begin(), on.end());
        self.send(on, bundle);
      } else {
        self.send(parcel.port, std::move(bundle));
      }
    }
    for (const Parcel& parcel : doing.sends) {
      for (const Piece& piece : parcel.pieces) {
        if (piece.leaves) held.erase(piece.name);
      }
    }
    co_await self.cycle();
    for (const Parcel& parcel : doing.receives) keep(parcel, self.receive(parcel.port).payload, held);
    self.hold(words_of(held));
  }
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
Held input_of(const RunRequest& request, const ChunkSchedule& schedule, const std::vector<ChunkName>& names,
              Rank rank) {
  const Summands whose = keeps_apart(schedule) ? summands_of({rank}, schedule.nodes) : Summands{};
  Held held;
  for (const ChunkName& name : names) {
    if (!has_at_first(schedule.task, rank, name)) continue;
    held[name].push_back({whose, input(request, schedule.task, rank, name)});
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
    if (found == held.end() || found->second.empty()) return what + " is missing";
    if (sum_of(found->second, Summands(nodes, true)) != expected) return what + " is not what it should be";
  }
  return {};
}

}  // namespace

Outcome carry_out(const RunRequest& request, const ChunkSchedule& schedule) {
  const auto doings = doings_of(schedule, request.topology);
  std::vector<Held> held(schedule.nodes);
  const std::vector<ChunkName> names = chunks_of(schedule.task, schedule.nodes);
  for (Rank rank = 0; rank < schedule.nodes; ++rank) held[rank] = input_of(request, schedule, names, rank);
  Outcome outcome;
  outcome.report = run_program<Bundle>(
      request, [&](Processor<Bundle>& self) { return carry(self, doings[self.rank()], held[self.rank()]); });
  for (Rank rank = 0; rank < schedule.nodes && outcome.wrong.empty(); ++rank) {
    if (!is_judged(request, outcome, rank)) continue;
    outcome.wrong = what_is_wrong(request, schedule.task, names, schedule.nodes, rank, held[rank]);
  }
  return outcome;
}

namespace {

std::string said(const ChunkName& name) {
  const std::string whose = "chunk " + std::to_string(name.chunk) + " of " + std::to_string(name.origin);
  return name.destination != name.origin ? whose + " for " + std::to_string(name.destination) : whose;
}

class Walk {
 public:
  Walk(const ChunkSchedule& schedule, const Network& network, bool multicast)
      : task_(schedule.task),
        network_(network),
        multicast_(multicast),
        held_(task_, network.nodes, keeps_apart(schedule)) {
    for (const ChunkName& name : chunks_of(task_, network.nodes)) names_.insert(name);
  }

  void step(std::uint64_t number, const std::vector<ChunkMove>& moves, PortModel ports) {
    number_ = number;
    if (moves.empty()) throw ScheduleError(number, no_rank, "step " + std::to_string(number) + ": no processor sends");
    std::map<Rank, std::map<Rank, std::set<ChunkName>>> receivers;
    std::map<Rank, Rank> senders;
    std::vector<Summands> carried;
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
      carried.push_back(carried_by(move));
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

  void end(std::uint64_t steps) {
    for (const ChunkName& name : names_) {
      const Summands all = summands_of(who_have_at_first(task_, network_.nodes, name), network_.nodes);
      for (Rank rank = 0; rank < network_.nodes; ++rank) {
        if (!has_in_the_end(task_, rank, name)) continue;
        const Summands own = held_.all(rank, name);
        if (own == all) continue;
        throw ScheduleError(steps, rank,
                            "after " + std::to_string(steps) + " steps: processor " + std::to_string(rank) + " lacks " +
                                (ranks_of(own).empty() ? "" : "summands of ") + said(name));
      }
    }
  }

 private:
  Summands carried_by(const ChunkMove& move) {
    const ChunkName name = name_of(move);
    Summands carried = held_.carried(move);
    if (ranks_of(carried).empty()) fail(move.from, "sends " + said(name) + ", which it does not hold");
    if (!move.of.empty() && !held_.can_give(move.from, name, carried)) {
      std::string ranks;
      for (const Rank rank : move.of) ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
      fail(move.from, "sends of " + said(name) + " the sum of " + ranks + ", which it cannot make of what it has");
    }
    return carried;
  }

  void take(const ChunkMove& move, const Summands& carried) {
    if (const auto twice = held_.take(move, carried)) {
      fail(move.to, "adds to " + said(name_of(move)) + " what it has of processor " + std::to_string(*twice));
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
  Holdings held_;
  std::set<ChunkName> names_;
};

}  // namespace

void check(const ChunkSchedule& schedule, const Network& network, PortModel ports, bool multicast) {
  Walk walk(schedule, network, multicast);
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) walk.step(step, schedule.steps[step], ports);
  walk.end(schedule.steps.size());
}

}  // namespace lockstep
