#include "parcels.hpp"

#include <algorithm>

#include "lockstep/machines/dimensions.hpp"
#include "lockstep/machines/machine_facts.hpp"

namespace lockstep {
namespace {

/// A one-dimensional graph of m nodes with a schedule of its own.
struct FactorKind {
  std::string_view family;
  std::shared_ptr<const Schedule> (*schedule)(Rank m);
  Port (*port)(Rank m, Rank from, Rank to);  ///< the factor's own, between neighbours
  Wide (*steps)(Wide m);
  Wide (*distances)(Wide m);  ///< sum over all ordered pairs of nodes
  std::string_view steps_formula;
  std::string_view distances_formula;
};

Port port_on_ring(Rank m, Rank from, Rank to) { return m == 2 || to == from + 1 || to + m == from + 1 ? 0 : 1; }
Port port_on_path(Rank, Rank from, Rank to) { return to > from ? 0 : 1; }
Port port_on_complete(Rank, Rank from, Rank to) { return to < from ? to : to - 1; }

constexpr FactorKind factor_kinds[] = {
    {"ring", ring_schedule, port_on_ring, [](Wide m) { return m * m / 4; }, [](Wide m) { return m * (m * m / 4); },
     "floor(m^2/4)", "m floor(m^2/4)"},
    {"path", path_schedule, port_on_path, [](Wide m) { return (m * m + 1) / 2 - 1; },
     [](Wide m) { return m * (m * m - 1) / 3; }, "ceil(m^2/2) - 1", "m (m^2 - 1)/3"},
    {"complete", complete_schedule, port_on_complete, [](Wide m) { return m - 1; }, [](Wide m) { return m * (m - 1); },
     "m - 1", "m (m - 1)"},
    // A dimension of a hypercube is hypercube:1, the two-node array (X 2.4).
    {"hypercube", path_schedule, [](Rank, Rank, Rank) { return Port{0}; }, [](Wide) { return Wide{1}; },
     [](Wide) { return Wide{2}; }, "1", "2"},
};

const FactorKind& kind_of(const MachineSpec& factor) {
  for (const FactorKind& kind : factor_kinds) {
    if (kind.family == factor.family) return kind;
  }
  throw InputError("alltoall/product has no schedule for the factor " + factor.text +
                   ": factors may be ring, path, complete, hypercube, torus and mesh");
}

}  // namespace

namespace alltoall::parcels {

std::vector<Factor> factors_of(const MachineSpec& machine) {
  std::vector<Factor> factors;
  for (const Dimension& dimension : dimensions(machine)) {
    const FactorKind& kind = kind_of(dimension.factor);
    const auto m = static_cast<Rank>(dimension.factor.processors);
    factors.push_back({kind.schedule(m), [first = dimension.first_port, port = kind.port, m](Rank from, Rank to) {
                         return first + port(m, from, to);
                       }});
  }
  return factors;
}

ProductSchedule product_of(const std::vector<Factor>& factors) {
  std::vector<std::shared_ptr<const Schedule>> schedules;
  for (const Factor& factor : factors) schedules.push_back(factor.schedule);
  return ProductSchedule(schedules);
}

std::function<Port(Rank from, Rank to)> ports_of(const RunRequest& request) {
  if (request.machine.family == "complete") {
    return [](Rank from, Rank to) { return port_on_complete(0, from, to); };
  }
  return [&topology = request.topology](Rank from, Rank to) {
    Port port = 0;
    while (topology.peer(from, port).rank != to) ++port;
    return port;
  };
}

void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  alltoall::resolve(machine, model, settings);
  for (const Dimension& dimension : dimensions(machine)) kind_of(dimension.factor);
}

Prediction predict(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide n = machine.processors;
  const Wide b = *settings.words;
  // No product below passes 128 bits: there are fewer than 2^32 processors, and distances below that.
  Wide steps = 0;
  Wide distances = 0;
  std::string steps_formula = "n sum T_i/n_i";
  std::string distances_formula = "sum S_i (n/n_i)^2";
  const std::vector<Dimension> all = dimensions(machine);
  for (const Dimension& dimension : all) {
    const FactorKind& kind = kind_of(dimension.factor);
    const Wide m = dimension.factor.processors;
    steps += n / m * kind.steps(m);
    distances += n / m * (n / m) * kind.distances(m);
    if (all.size() == 1) {
      steps_formula = kind.steps_formula;
      distances_formula = kind.distances_formula;
    }
  }
  return {.steps = exact_count(steps, steps_formula),
          .messages = exact_count(distances, distances_formula),
          .words = exact_count(b * distances, "b S, S = " + distances_formula),
          .longest_sum = exact_count(b * steps, "b T, T = " + steps_formula),
          .message_words = *settings.words};
}

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const MachineFacts known = facts(machine);
  if (known.links == 0) return {.steps = 0, .longest_sum = 0};
  const bool all_ports = model.ports == PortModel::all;
  Fraction steps = *known.average_status;
  if (all_ports) steps = steps * Fraction(machine.processors, Wide{2} * known.links);
  if (!all_ports && machine.family == "path") steps = Fraction(predict(machine, model, settings).steps->value);
  const auto words = exact_count((steps * Fraction(*settings.words)).ceil(), "");
  return {.steps = static_cast<std::uint64_t>(steps.ceil()),
          .longest_sum = words ? std::optional(words->value) : std::nullopt};
}

Wide bytes_of_blocks(const MachineSpec& machine, const Model& model, const Settings& settings,
                     std::uint64_t longest_factor) {
  const Wide n = machine.processors;
  const Wide b = *settings.words;
  const Wide block = sizeof(Block) + (b > 1 ? b * sizeof(Word) : 0);
  constexpr std::uint64_t empty_queue = 640;  // what an empty std::deque takes
  return machine_bytes<Parcel>(machine, model) + n * n * block + n * (longest_factor * sizeof(Arrival) + empty_queue);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide n = machine.processors;
  Wide paths = 0;
  std::uint64_t longest = 0;
  for (const Dimension& dimension : dimensions(machine)) {
    const Wide m = dimension.factor.processors;
    // Only paths keep a table, and only on paths a processor may have to hold about as many blocks again on their way.
    if (dimension.factor.family == "path") paths += m * m / 2 * sizeof(std::uint64_t) + n * m * sizeof(Message<Parcel>);
    longest = std::max(longest, dimension.factor.processors);
  }
  return saturated(bytes_of_blocks(machine, model, settings, longest) + paths);
}

}  // namespace alltoall::parcels

ProductSchedule total_exchange_schedule(const MachineSpec& machine) {
  return alltoall::parcels::product_of(alltoall::parcels::factors_of(machine));
}

}  // namespace lockstep
