#include "alltoall.hpp"

#include <algorithm>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/piece_oracle.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep::alltoall {
std::uint64_t messages_a_cycle(const MachineFacts& machine, const Model& model) {
  if (model.ports == PortModel::all) return model.duplex == Duplex::full ? 2 * machine.links : machine.links;
  switch (model.duplex) {
    case Duplex::half_node:
      return machine.processors / 2;
    case Duplex::half_link:
      return std::min(machine.processors, machine.links);
    default:
      return machine.processors;
  }
}

void resolve(const MachineSpec&, const Model&, Settings& settings) { words_parameter.resolve(settings); }

std::optional<Count> at_most_count(Wide value, std::string formula) {
  std::optional<Count> count = exact_count(value, std::move(formula));
  if (count) count->exact = false;
  return count;
}

std::optional<Wide> sum_of_distances(const MachineSpec& machine) {
  const auto status = facts(machine).average_status;
  if (!status) return std::nullopt;
  return (*status * Fraction(machine.processors)).numerator();
}

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const MachineFacts known = facts(machine);
  if (known.links == 0) return {.steps = 0, .longest_sum = 0};
  LowerBound bound{.steps = known.diameter, .longest_sum = {}};
  if (known.average_status) {
    const Fraction hops = *known.average_status * Fraction(machine.processors, messages_a_cycle(known, model));
    const auto words = exact_count((hops * Fraction(*settings.words)).ceil(), "");
    if (words) bound.longest_sum = words->value;
  }
  return bound;
}

LowerBound lower_bound_on_bus(const MachineSpec& machine, const Model&, const Settings& settings) {
  const std::uint64_t k = machine.processors;
  const Wide words = Wide{k - 1} * *settings.words;  // of one processor
  const Wide users = machine.medium->users;
  return {.steps = std::max(k == 1 ? 0 : rounds(*machine.medium, k), doublings(k)),
          .longest_sum = saturated(std::max(words, (k * words + users - 1) / users))};
}

std::uint64_t bytes_for(const MachineSpec& machine, const Model& model, const Settings& settings, Wide pieces,
                        std::uint64_t memory_slots) {
  const Wide k = machine.processors;
  return saturated(machine_bytes<Bundle>(machine, model, memory_slots) + k * sizeof(std::vector<Piece>) +
                   (pieces + memory_slots) * sizeof(Piece) +
                   (k * (k - 1) + memory_slots) * allocated_bytes(*settings.words));
}

std::vector<Piece> initial_pieces(const RunRequest& request, Rank rank) {
  const Rank k = request.topology.processors();
  std::vector<Piece> pieces;
  pieces.reserve(k - 1);
  for (Rank destination = 0; destination < k; ++destination) {
    if (destination == rank) continue;
    pieces.push_back(
        {rank, destination, 0, generated_block(request.settings.seed, rank, destination, *request.settings.words)});
  }
  return pieces;
}

void verify(const RunRequest& request, const std::function<std::vector<Piece>(Rank)>& held, Outcome& outcome) {
  const Rank k = request.topology.processors();
  PieceOracle oracle([&](Rank origin, Rank destination) {
    return generated_block(request.settings.seed, origin, destination, *request.settings.words);
  });
  std::vector<BlockLabels> should_hold;
  for (Rank rank = 0; rank < k; ++rank) {
    should_hold.clear();
    for (Rank origin = 0; origin < k; ++origin) {
      if (origin != rank) should_hold.push_back({origin, rank});
    }
    std::vector<Piece> pieces = held(rank);
    oracle.judge(rank, pieces, should_hold);
  }
  oracle.conclude(outcome);
}

}  // namespace lockstep::alltoall
