#include "lockstep/algorithms/operation/alltoall.hpp"

#include <algorithm>
#include <utility>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/piece_oracle.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "parcels.hpp"

namespace lockstep::alltoall {

std::uint64_t messages_a_cycle(const MachineFacts& machine, const Model& model) {
  const bool is_full = model.duplex == Duplex::full;
  const std::uint64_t over_links = is_full ? 2 * machine.links : machine.links;
  if (model.ports == PortModel::all) return over_links;
  if (is_k_ports(model.ports)) {
    const Wide by_ports = Wide{port_limit(model.ports)} * machine.processors;
    return static_cast<std::uint64_t>(
        std::min<Wide>(over_links, model.duplex == Duplex::half_node ? by_ports / 2 : by_ports));
  }
  switch (model.duplex) {
    case Duplex::half_node:  // under the ring rule two receive from one sender
      return model.ports == PortModel::ring ? 2 * machine.processors / 3 : machine.processors / 2;
    case Duplex::half_link:
      return std::min(machine.processors, machine.links);
    default:
      return machine.processors;
  }
}

Method with_defaults(Method own) {
  return filled_in(
      std::move(own),
      {.operation = "alltoall", .known_as = "multiscatter", .parameters = {words_parameter}, .resolve = resolve});
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

std::uint64_t bytes_for(const MachineSpec& machine, const Model& model, const Settings& settings, Wide pieces,
                        std::uint64_t memory_slots, std::uint64_t parts) {
  const Wide k = machine.processors;
  const std::uint64_t part = (*settings.words + parts - 1) / parts;
  return saturated(machine_bytes<Bundle>(machine, model, memory_slots) + (k + memory_slots) * sizeof(Bundle) +
                   (pieces + memory_slots) * Wide{Bundle::bytes_in_place(part)} +
                   k * (k - 1) * parts * Bundle::bytes_elsewhere(part));
}

std::uint64_t bytes_with_copies(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide blocks = Wide{machine.processors} * machine.processors;
  return saturated(Wide{bytes_for(machine, model, settings, 2 * blocks)} +
                   blocks * Bundle::bytes_of_copy(*settings.words));
}

Bundle initial_pieces(const RunRequest& request, Rank rank) {
  const Rank k = request.topology.processors();
  const std::uint64_t size = *request.settings.words;
  Bundle pieces;
  pieces.reserve(k - 1, (k - 1) * size);
  for (Rank destination = 0; destination < k; ++destination) {
    if (destination == rank) continue;
    generate_block(request.settings.seed, rank, destination, {pieces.add(rank, destination, 0, size), size});
  }
  return pieces;
}

PerRank<Bundle> initial_pieces(const RunRequest& request) {
  PerRank<Bundle> pieces(request);
  for_all_ranks(request, [&](Rank rank) { pieces[rank] = initial_pieces(request, rank); });
  return pieces;
}

void verify(const RunRequest& request, const std::function<std::vector<Piece>(Rank)>& held, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const Rank k = request.topology.processors();
  const PieceOracle oracle([&](Rank origin, Rank destination) {
    return generated_block(request.settings.seed, origin, destination, *request.settings.words);
  });
  const auto judge = [&](Rank rank) {
    std::vector<BlockLabels> should_hold;
    for (Rank origin = 0; origin < k; ++origin) {
      if (origin != rank) should_hold.push_back({origin, rank});
    }
    return oracle.judge(rank, held(rank), should_hold);
  };
  verify_ranks(request, start, judge, outcome);
}

std::uint64_t bytes_of_own(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, 2 * Wide{machine.processors} * machine.processors);
}

}  // namespace lockstep::alltoall
