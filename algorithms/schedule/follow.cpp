#include "follow.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/piece_oracle.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep {
namespace {

/// A move that a processor makes as its sender or as its receiver.
struct Part {
  std::uint64_t step;
  const Move* move;
};

/// What each processor has to do, in the order of the steps.
class Parts {
 public:
  Parts(Rank processors, const MoveSteps& steps) : first_(std::size_t{processors} + 1) {
    for (const auto& moves : steps) {
      for (const Move& move : moves) {
        ++first_[move.from + 1];
        ++first_[move.to + 1];
      }
    }
    for (Rank rank = 0; rank < processors; ++rank) first_[rank + 1] += first_[rank];
    parts_.resize(first_[processors]);
    std::vector<std::uint64_t> end(first_.begin(), first_.end() - 1);
    for (std::size_t step = 0; step < steps.size(); ++step) {
      for (const Move& move : steps[step]) {
        parts_[end[move.from]++] = {step, &move};
        parts_[end[move.to]++] = {step, &move};
      }
    }
  }

  std::span<const Part> of(Rank rank) const {
    return std::span(parts_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }

 private:
  std::vector<std::uint64_t> first_;  // by rank, where its parts begin
  std::vector<Part> parts_;
};

/// What one processor holds.
class HeldBlocks {
 public:
  void add(const BlockLabels& labels, Block block) { keep(labels, {std::move(block), 0}); }

  std::uint64_t words() const { return words_; }

  /// The block of a move, on its way with those that go over the same link; a copy of it if it stays here too.
  void take(const Move& move, bool stays, Message<Bundle>& leaving) {
    const auto found = held_.find(key(move.block()));
    if (found == held_.end()) throw std::logic_error("the block that is to be sent is not here");
    Item& item = found->second;
    leaving.arrival = std::max(leaving.arrival, item.arrival);
    leaving.payload.add(LabelledBlock{.origin = move.origin, .destination = move.destination, .block = item.block});
    if (stays) return;
    words_ -= item.block.size();
    held_.erase(found);
  }

  void keep(const Message<Bundle>& message) {
    for (std::uint64_t index = 0; index < message.payload.size(); ++index) {
      LabelledBlock piece = message.payload.block(index);
      keep({piece.origin, piece.destination}, {std::move(piece.block), message.arrival});
    }
  }

  std::vector<Piece> pieces() const {
    std::vector<Piece> pieces;
    for (const auto& [labels, item] : held_) {
      pieces.push_back({static_cast<Rank>(labels >> 32), static_cast<Rank>(labels), 0, item.block.words()});
    }
    return pieces;
  }

 private:
  struct Item {
    Block block;
    double arrival;
  };

  static std::uint64_t key(const BlockLabels& block) { return std::uint64_t{block.origin} << 32 | block.destination; }

  /// Another copy of what is here is let go.
  void keep(const BlockLabels& labels, Item&& arriving) {
    const std::uint64_t words = arriving.block.size();
    if (held_.try_emplace(key(labels), std::move(arriving)).second) words_ += words;
  }

  std::unordered_map<std::uint64_t, Item> held_;  // by origin and destination
  std::uint64_t words_ = 0;
};

/// The moves of one step over one of the processor's links.
struct Crossing {
  Port port;
  std::vector<const Move*> moves;
};

using PortTo = std::function<Port(Rank from, Rank to)>;

/// Those of the parts in which the processor is the end `here` of the move, by the link to the end `there`.
std::vector<Crossing> crossings(std::span<const Part> parts, Rank rank, Rank Move::*here, Rank Move::*there,
                                const PortTo& port_to) {
  std::vector<Crossing> found;
  for (const Part& part : parts) {
    if (part.move->*here != rank) continue;
    const Port port = port_to(rank, part.move->*there);
    auto crossing = std::find_if(found.begin(), found.end(), [&](const Crossing& one) { return one.port == port; });
    if (crossing == found.end()) crossing = found.insert(found.end(), {port, {}});
    crossing->moves.push_back(part.move);
  }
  return found;
}

/// How a schedule is carried out.
struct Manner {
  PortTo port_to;
  bool keeps = false;      ///< blocks stay where they are sent from too
  bool multicast = false;  ///< what goes over several links in a step is one send
};

void send_parts(Processor<Bundle>& self, std::span<const Part> now, const Manner& manner, HeldBlocks& held) {
  const std::vector<Crossing> leaving = crossings(now, self.rank(), &Move::from, &Move::to, manner.port_to);
  if (manner.multicast && leaving.size() > 1) {
    Message<Bundle> message;
    std::vector<Port> ports;
    for (const Move* move : leaving.front().moves) held.take(*move, manner.keeps, message);
    for (const Crossing& crossing : leaving) ports.push_back(crossing.port);
    self.send(ports, message.payload);
    return;
  }
  for (const Crossing& crossing : leaving) {
    Message<Bundle> message;
    bool is_passing = true;
    for (const Move* move : crossing.moves) {
      held.take(*move, manner.keeps, message);
      is_passing = is_passing && move->origin != self.rank();
    }
    if (is_passing) {
      self.forward(crossing.port, std::move(message));
    } else {
      self.send(crossing.port, std::move(message.payload));
    }
  }
}

// Each processor does its parts of the schedule, and sleeps between them.
Process follow(Processor<Bundle>& self, std::span<const Part> parts, const Manner& manner, HeldBlocks& held) {
  self.hold(held.words());
  while (!parts.empty()) {
    const std::uint64_t step = parts.front().step;
    const auto later = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.step != step; });
    const std::span<const Part> now(parts.begin(), later);
    parts = {later, parts.end()};
    co_await self.until(step);
    send_parts(self, now, manner, held);
    co_await self.cycle();
    for (const Crossing& crossing : crossings(now, self.rank(), &Move::to, &Move::from, manner.port_to)) {
      Message<Bundle> message = self.receive(crossing.port);
      const auto is_expected = [](const Piece& piece, const Move* move) {
        return piece.origin == move->origin && piece.destination == move->destination;
      };
      if (!std::equal(message.payload.begin(), message.payload.end(), crossing.moves.begin(), crossing.moves.end(),
                      is_expected)) {
        throw std::logic_error("a message of other blocks than should come");
      }
      held.keep(message);
    }
    self.hold(held.words());
  }
}

/// Of blocks told by moves: those that there are, by origin and destination.
std::set<std::pair<Rank, Rank>> told_blocks(const Schedule& schedule) {
  std::set<std::pair<Rank, Rank>> told;
  for (const auto& moves : schedule.steps) {
    for (const Move& move : moves) told.emplace(move.origin, move.destination);
  }
  return told;
}

/// Calls visit(labels) for every block of a schedule, by origin and destination.
template <class Visit>
void for_each_block(const Schedule& schedule, const TaskBlocks& blocks, const Visit& visit) {
  if (blocks.are_told_by_moves()) {
    for (const auto& [origin, destination] : told_blocks(schedule)) visit(BlockLabels{origin, destination});
    return;
  }
  for (Rank origin = blocks.first_origin(); origin < blocks.end_of_origins(); ++origin) {
    if (blocks.are_for_all()) {
      visit(BlockLabels{origin, origin});
    } else {
      for (Rank to = blocks.first_destination(); to < blocks.end_of_destinations(); ++to) {
        if (blocks.has({origin, to})) visit(BlockLabels{origin, to});
      }
    }
  }
}

void verify(const RunRequest& request, const Schedule& schedule, const TaskBlocks& blocks,
            const PerRank<HeldBlocks>& held, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const PieceOracle oracle([&](Rank origin, Rank destination) {
    return generated_block(request.settings.seed, origin, destination, *request.settings.words);
  });
  std::vector<std::vector<BlockLabels>> should_hold(blocks.are_for_all() ? 1 : schedule.nodes);
  for_each_block(schedule, blocks, [&](const BlockLabels& block) {
    should_hold[blocks.are_for_all() ? 0 : block.destination].push_back(block);
  });
  const auto judge = [&](Rank rank) {
    return oracle.judge(rank, held[rank].pieces(), should_hold[blocks.are_for_all() ? 0 : rank]);
  };
  verify_ranks(request, start, judge, outcome);
}

}  // namespace

std::vector<std::string_view> linked_families() {
  // Copies: the list's own strings move when a program adds a family to it.
  static const std::vector<std::string> names = [] {
    std::vector<std::string> linked;
    for (const MachineFamily& family : machine_families()) {
      if (family.wiring != nullptr) linked.push_back(family.name);
    }
    return linked;
  }();
  return {names.begin(), names.end()};
}

PortTo ports_between_neighbours(const MachineSpec& machine, const Topology& topology) {
  if (machine.family == "complete") return [](Rank from, Rank to) { return to < from ? to : to - 1; };
  return [&topology](Rank from, Rank to) { return topology.port_to(from, to); };
}

Wide bytes_to_follow(const MachineSpec& machine, const Model& model, const Task& task, std::uint64_t words,
                     Wide moves) {
  const TaskBlocks blocks(task, static_cast<Rank>(machine.processors));
  const Wide held = blocks.are_for_all()         ? Wide{machine.processors} * blocks.numbers()
                    : blocks.are_told_by_moves() ? std::min<Wide>(moves, blocks.numbers())
                                                 : blocks.numbers();
  constexpr std::uint64_t entry = 64 + sizeof(Block);  // of a hash table
  return machine_bytes<Bundle>(machine, model) + held * (entry + allocated_bytes(words)) +
         moves * (sizeof(Move) + 2 * sizeof(Part));
}

Outcome follow(const RunRequest& request, const Schedule& schedule) {
  const TaskBlocks blocks(schedule.task, schedule.nodes);
  const Parts parts(schedule.nodes, schedule.steps);
  const Manner manner{.port_to = ports_between_neighbours(request.machine, request.topology),
                      .keeps = blocks.are_for_all(),
                      .multicast = request.model.multicast && !sends_on_several_ports(request.model.ports)};
  PerRank<HeldBlocks> held(request);
  for_each_block(schedule, blocks, [&](const BlockLabels& block) {
    const auto& [origin, destination] = block;
    if (!is_here(request.division, origin)) return;
    held[origin].add(block, generated_block(request.settings.seed, origin, destination, *request.settings.words));
  });
  Outcome outcome;
  outcome.report = run_program<Bundle>(
      request, [&](Processor<Bundle>& self) { return follow(self, parts.of(self.rank()), manner, held[self.rank()]); });
  verify(request, schedule, blocks, held, outcome);
  return outcome;
}

}  // namespace lockstep
