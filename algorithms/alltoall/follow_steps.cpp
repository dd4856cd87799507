#include "follow_steps.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <unordered_map>

#include "lockstep/machines/machine_family.hpp"
#include "parcels.hpp"

namespace lockstep::alltoall {
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
class Holdings {
 public:
  Holdings(Rank rank, std::vector<Piece> own) {
    for (Piece& piece : own) {
      words_ += piece.block.size();
      held_.emplace(key(rank, piece.destination), Item{std::move(piece.block), 0});
    }
  }

  std::uint64_t words() const { return words_; }

  /// The message of a move, on its way with those that go over the same link.
  void take(const Move& move, Message<Bundle>& leaving) {
    const auto found = held_.find(key(move.origin, move.destination));
    if (found == held_.end()) throw std::logic_error("the message that is to be sent on is not here");
    words_ -= found->second.block.size();
    leaving.arrival = std::max(leaving.arrival, found->second.arrival);
    leaving.payload.pieces.push_back({move.origin, move.destination, 0, std::move(found->second.block)});
    held_.erase(found);
  }

  void keep(Message<Bundle> message) {
    for (Piece& piece : message.payload.pieces) {
      words_ += piece.block.size();
      held_.insert_or_assign(key(piece.origin, piece.destination), Item{std::move(piece.block), message.arrival});
    }
  }

  std::vector<Piece> pieces() && {
    std::vector<Piece> pieces;
    for (auto& [labels, item] : held_) {
      pieces.push_back({static_cast<Rank>(labels >> 32), static_cast<Rank>(labels), 0, std::move(item.block)});
    }
    return pieces;
  }

 private:
  struct Item {
    Block block;
    double arrival;
  };

  static std::uint64_t key(Rank origin, Rank destination) { return std::uint64_t{origin} << 32 | destination; }

  std::unordered_map<std::uint64_t, Item> held_;  // by origin and destination
  std::uint64_t words_ = 0;
};

/// The moves of one step over one of the processor's links.
struct Crossing {
  Port port;
  std::vector<const Move*> moves;
};

/// Those of the parts in which the processor is the end `here` of the move, by the link to the end `there`.
std::vector<Crossing> crossings(std::span<const Part> parts, Rank rank, Rank Move::*here, Rank Move::*there,
                                const std::function<Port(Rank from, Rank to)>& port_to) {
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

// Each processor does its parts of the plan, and sleeps between them.
Process follow(Processor<Bundle>& self, std::span<const Part> parts,
               const std::function<Port(Rank from, Rank to)>& port_to, Holdings& held) {
  self.hold(held.words());
  while (!parts.empty()) {
    const std::uint64_t step = parts.front().step;
    const auto later = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.step != step; });
    const std::span<const Part> now(parts.begin(), later);
    parts = {later, parts.end()};
    co_await self.until(step);
    for (const Crossing& crossing : crossings(now, self.rank(), &Move::from, &Move::to, port_to)) {
      Message<Bundle> leaving;
      bool is_passing = true;
      for (const Move* move : crossing.moves) {
        held.take(*move, leaving);
        is_passing = is_passing && move->origin != self.rank();
      }
      if (is_passing) {
        self.forward(crossing.port, std::move(leaving));
      } else {
        self.send(crossing.port, std::move(leaving.payload));
      }
    }
    co_await self.cycle();
    for (const Crossing& crossing : crossings(now, self.rank(), &Move::to, &Move::from, port_to)) {
      Message<Bundle> message = self.receive(crossing.port);
      const auto is_expected = [](const Piece& piece, const Move* move) {
        return piece.origin == move->origin && piece.destination == move->destination;
      };
      if (!std::equal(message.payload.pieces.begin(), message.payload.pieces.end(), crossing.moves.begin(),
                      crossing.moves.end(), is_expected)) {
        throw std::logic_error("a message of other blocks than should come");
      }
      held.keep(std::move(message));
    }
    self.hold(held.words());
  }
}

}  // namespace

std::vector<std::string_view> linked_families() {
  std::vector<std::string_view> names;
  for (const MachineFamily& family : machine_families()) {
    if (family.wiring != nullptr) names.push_back(family.name);
  }
  return names;
}

Prediction predict_on_shortest_paths(const MachineSpec& machine, const Model&, const Settings& settings) {
  const std::optional<Wide> sum = sum_of_distances(machine);
  if (!sum) return {};
  const Wide b = *settings.words;
  return {.steps = at_most_count(*sum, "S, the sum of all distances"),
          .messages = exact_count(*sum, "S, the sum of all distances"),
          .words = exact_count(b * *sum, "b S"),
          .longest_sum = at_most_count(b * *sum, "b S"),
          .message_words = *settings.words};
}

Wide most_moves(const MachineSpec& machine) {
  const Wide n = machine.processors;
  return sum_of_distances(machine).value_or(n * n * n);
}

Wide bytes_to_follow(const MachineSpec& machine, const Model& model, const Settings& settings, Wide moves) {
  const Wide n = machine.processors;
  constexpr std::uint64_t entry = 64 + sizeof(Piece);  // of a hash table
  return machine_bytes<Bundle>(machine, model) + n * n * (entry + allocated_bytes(*settings.words)) +
         moves * (sizeof(Move) + 2 * sizeof(Part));
}

Outcome follow_steps(const RunRequest& request, const MoveSteps& steps) {
  const Rank processors = request.topology.processors();
  const Parts parts(processors, steps);
  const auto port_to = parcels::ports_of(request);
  std::vector<Holdings> held;
  for (Rank rank = 0; rank < processors; ++rank) held.emplace_back(rank, initial_pieces(request, rank));
  Outcome outcome;
  outcome.report = run_program<Bundle>(request, [&](Processor<Bundle>& self) {
    return follow(self, parts.of(self.rank()), port_to, held[self.rank()]);
  });
  verify(
      request, [&](Rank rank) { return std::move(held[rank]).pieces(); }, outcome);
  return outcome;
}

}  // namespace lockstep::alltoall
