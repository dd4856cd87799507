#include "parcels.hpp"

#include <algorithm>

#include "all_port_exchanges.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/cayley.hpp"
#include "lockstep/machines/dimensions.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/topologies.hpp"
#include "method/comma_list.hpp"

namespace lockstep {
namespace {

/// A one-dimensional graph of m nodes with a schedule of its own.
struct FactorKind {
  std::string_view family;
  std::shared_ptr<const TurnSchedule> (*schedule)(Rank m);
  Port (*port)(Rank m, Rank from, Rank to);  ///< the port in the factor, between neighbours
  Wide (*steps)(Wide m);
  std::string_view steps_formula;
  std::string_view distances_formula;  ///< of the sum over all ordered pairs of nodes
};

Port port_on_ring(Rank m, Rank from, Rank to) { return m == 2 || to == from + 1 || to + m == from + 1 ? 0 : 1; }
Port port_on_path(Rank, Rank from, Rank to) { return to > from ? 0 : 1; }
Port port_on_complete(Rank, Rank from, Rank to) { return to < from ? to : to - 1; }

constexpr FactorKind factor_kinds[] = {
    {"ring", ring_schedule, port_on_ring, [](Wide m) { return m * m / 4; }, "floor(m^2/4)", "m floor(m^2/4)"},
    {"path", path_schedule, port_on_path, [](Wide m) { return (m * m + 1) / 2 - 1; }, "ceil(m^2/2) - 1",
     "m (m^2 - 1)/3"},
    {"complete", complete_schedule, port_on_complete, [](Wide m) { return m - 1; }, "m - 1", "m (m - 1)"},
    // A dimension of a hypercube is hypercube:1, the two-node array (dimakopoulos.md, Two nodes).
    {"hypercube", path_schedule, [](Rank, Rank, Rank) { return Port{0}; }, [](Wide) { return Wide{1}; }, "1", "2"},
};

/// The kind of a one-dimensional graph with its own schedules; null if there is none.
const FactorKind* kind_of(const MachineSpec& factor) {
  const auto kind = std::find_if(std::begin(factor_kinds), std::end(factor_kinds),
                                 [&](const FactorKind& one) { return one.family == factor.family; });
  return kind == std::end(factor_kinds) ? nullptr : kind;
}

// What a factor may run, in the order of preference.
constexpr std::string_view own = "factor";
constexpr std::string_view cayley = "cayley";
constexpr std::string_view greedy = "greedy";

std::vector<std::string> schedules_for(const MachineSpec& factor) {
  std::vector<std::string> names;
  if (kind_of(factor) != nullptr) names.emplace_back(own);
  if (is_cayley_graph(factor)) names.emplace_back(cayley);
  names.emplace_back(greedy);
  return names;
}

/// The schedule of each dimension: those that --schedules names, one for all or one for each, or the first that the
/// dimension has.
std::vector<std::string> chosen_schedules(const std::vector<Dimension>& dimensions, const Settings& settings) {
  std::vector<std::string_view> given;
  if (settings.schedules) given = method::split_at_commas(*settings.schedules);
  if (settings.schedules && given.empty()) given.emplace_back();  // a name that no schedule has
  if (given.size() == 1) given.resize(dimensions.size(), given.front());
  if (settings.schedules && given.size() != dimensions.size()) {
    throw InputError("--schedules names " + std::to_string(given.size()) + " schedules, the machine has " +
                     std::to_string(dimensions.size()) + " factors; name one for each, or one for all");
  }
  std::vector<std::string> names;
  for (std::size_t index = 0; index < dimensions.size(); ++index) {
    const MachineSpec& factor = dimensions[index].factor;
    const std::vector<std::string> possible = schedules_for(factor);
    names.push_back(given.empty() ? possible.front() : std::string(given[index]));
    if (std::find(possible.begin(), possible.end(), names.back()) == possible.end()) {
      refuse_choice("--schedules (for " + printable(factor.text) + ")", names.back(), possible);
    }
  }
  return names;
}

/// One name if all are the same, else all of them, separated by commas.
std::string joined(const std::vector<std::string>& names) {
  if (names.empty()) return std::string(own);
  std::string text = names.front();
  if (std::all_of(names.begin(), names.end(), [&](const std::string& name) { return name == text; })) return text;
  for (std::size_t index = 1; index < names.size(); ++index) text += "," + names[index];
  return text;
}

/// The first factor of one node, anywhere in a product; null if there is none.
const MachineSpec* single_node(const MachineSpec& machine) {
  for (const MachineSpec& factor : machine.factors) {
    if (factor.processors == 1) return &factor;
    if (const MachineSpec* inner = single_node(factor)) return inner;
  }
  return nullptr;
}

/// T_i of a dimension, if it is known; an upper bound of it for a greedy schedule.
std::optional<Wide> steps_of(const MachineSpec& factor, std::string_view schedule) {
  if (schedule == own) return kind_of(factor)->steps(factor.processors);
  const std::optional<Wide> sum = alltoall::sum_of_distances(factor);
  if (!sum || schedule == greedy) return sum;
  return *sum / factor.processors;  // all nodes are alike
}

}  // namespace

namespace alltoall::parcels {

std::vector<ParcelFactor> factors_of(const MachineSpec& machine, const Settings& settings) {
  const std::vector<Dimension> all = dimensions(machine);
  const std::vector<std::string> names = chosen_schedules(all, settings);
  std::vector<ParcelFactor> factors;
  for (std::size_t index = 0; index < all.size(); ++index) {
    const auto& [factor, stride, first_port] = all[index];
    const auto m = static_cast<Rank>(factor.processors);
    const FactorKind* const kind = kind_of(factor);
    const auto topology =
        kind != nullptr && names[index] != greedy ? nullptr : std::make_shared<const Topology>(build(factor));
    std::function<Port(Rank, Rank)> port;
    if (kind != nullptr) {
      port = [first = first_port, own_port = kind->port, m](Rank from, Rank to) {
        return first + own_port(m, from, to);
      };
    } else {
      port = [topology, first = first_port](Rank from, Rank to) { return first + topology->port_to(from, to); };
    }
    factors.push_back({names[index] == own      ? kind->schedule(m)
                       : names[index] == cayley ? cayley_schedule(factor)
                                                : listed_schedule(m, greedy_steps(*topology)),
                       std::move(port)});
  }
  return factors;
}

ProductSchedule product_of(const std::vector<ParcelFactor>& factors) {
  std::vector<std::shared_ptr<const TurnSchedule>> schedules;
  for (const ParcelFactor& factor : factors) schedules.push_back(factor.schedule);
  return ProductSchedule(schedules);
}

void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  if (const MachineSpec* factor = single_node(machine)) {
    throw InputError("alltoall/product takes factors of two nodes or more, and " + factor->text +
                     " has one; leave it out");
  }
  resolve_factor(machine, model, settings);
}

void resolve_factor(const MachineSpec& machine, const Model& model, Settings& settings) {
  alltoall::resolve(machine, model, settings);
  settings.schedules = joined(chosen_schedules(dimensions(machine), settings));
}

Prediction predict(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide n = machine.processors;
  const Wide b = *settings.words;
  const std::vector<Dimension> all = dimensions(machine);
  const std::vector<std::string> names = chosen_schedules(all, settings);
  // All products below fit 128 bits: there are fewer than 2^32 processors, and distances are shorter than that.
  Wide steps = 0;
  Wide distances = 0;
  bool exact = true;
  for (std::size_t index = 0; index < all.size(); ++index) {
    const MachineSpec& factor = all[index].factor;
    const auto sum = sum_of_distances(factor);
    if (!sum) return {};
    steps += n / factor.processors * *steps_of(factor, names[index]);
    distances += n / factor.processors * (n / factor.processors) * *sum;
    exact = exact && names[index] != greedy;
  }
  const FactorKind* const kind = all.size() == 1 && names.front() == own ? kind_of(all.front().factor) : nullptr;
  const std::string steps_formula(kind != nullptr ? kind->steps_formula
                                  : exact         ? "n sum T_i/n_i"
                                                  : "n sum T_i/n_i, greedy T_i <= S_i");
  const std::string distances_formula(kind != nullptr ? kind->distances_formula : "sum S_i (n/n_i)^2");
  const auto count_steps = exact ? exact_count : at_most_count;
  return {.steps = count_steps(steps, steps_formula),
          .messages = exact_count(distances, distances_formula),
          .words = exact_count(b * distances, "b S, S = " + distances_formula),
          .longest_sum = count_steps(b * steps, "b T, T = " + steps_formula),
          .message_words = *settings.words};
}

Wide bytes_of_blocks(const MachineSpec& machine, const Model& model, const Settings& settings,
                     std::uint64_t longest_factor) {
  const Wide n = machine.processors;
  const Wide b = *settings.words;
  const Wide block = sizeof(Block) + (b > 1 ? b * sizeof(Word) : 0);
  constexpr std::uint64_t empty_queue = 640;  // what an empty std::deque takes
  return machine_bytes<LabelledBlock>(machine, model) + n * n * block +
         n * (longest_factor * sizeof(Arrival) + empty_queue);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide n = machine.processors;
  Wide schedules = 0;
  std::uint64_t longest = 0;
  const std::vector<Dimension> all = dimensions(machine);
  const std::vector<std::string> names = chosen_schedules(all, settings);
  for (std::size_t index = 0; index < all.size(); ++index) {
    const MachineSpec& factor = all[index].factor;
    const Wide m = factor.processors;
    const Wide waiting =
        n * m * sizeof(Message<LabelledBlock>);  // blocks that a processor may have to hold on their way
    if (names[index] == cayley) {
      schedules += bytes_of_cayley_schedule(factor);
    } else if (names[index] == greedy) {
      schedules += bytes_of_greedy_schedule(factor) + waiting;
    } else if (factor.family == "path") {
      schedules += m * m / 2 * sizeof(std::uint64_t) + waiting;
    }
    longest = std::max(longest, factor.processors);
  }
  return saturated(bytes_of_blocks(machine, model, settings, longest) + schedules);
}

}  // namespace alltoall::parcels

ProductSchedule total_exchange_schedule(const MachineSpec& machine) {
  Settings settings;
  alltoall::parcels::resolve_factor(machine, {}, settings);
  return alltoall::parcels::product_of(alltoall::parcels::factors_of(machine, settings));
}

}  // namespace lockstep
