#include "lockstep/machines/cayley.hpp"

#include <algorithm>

#include "lockstep/machines/machine_facts.hpp"
#include "parcels.hpp"
#include "plans/turns/port_to.hpp"

namespace lockstep {
namespace {

// Any Cayley graph (dimakopoulos.md, Cayley graphs): a round for every element g != e, nearest first, in which every
// node x sends to x g. The path of g is a shortest word s_1 .. s_r of generators, and in step j every node sends over
// s_j the message of the round that it holds: as x -> x s_j is one-to-one, it receives another. So no node is ever
// idle.
class CayleySchedule : public TurnSchedule {
 public:
  explicit CayleySchedule(CayleyGraph graph) : graph_(std::move(graph)) {
    std::vector<std::size_t> word_end(graph_.nodes());  // in generators_, by element; 0 for those not reached yet
    std::vector<Rank> queue{0};
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const Rank g = queue[next];
      const std::size_t length = g == 0 ? 0 : word_end[g] - first_step_[next - 1];
      for (Port generator = 0; generator < graph_.generators(); ++generator) {
        const Rank farther = graph_.times(g, generator);
        if (farther == 0 || word_end[farther] != 0) continue;
        queue.push_back(farther);
        first_step_.push_back(generators_.size());
        for (std::size_t step = word_end[g] - length; step < word_end[g]; ++step) {
          generators_.push_back(generators_[step]);
        }
        generators_.push_back(generator);
        word_end[farther] = generators_.size();
      }
    }
    first_step_.push_back(generators_.size());
  }

  Rank nodes() const override { return graph_.nodes(); }
  std::uint64_t steps() const override { return generators_.size(); }

  Turn turn(std::uint64_t step, Rank node) const override {
    const auto next = std::upper_bound(first_step_.begin(), first_step_.end(), step);
    const std::uint64_t begin = *(next - 1);
    const std::uint64_t end = *next;
    const Port generator = generators_[step];
    const Rank to = graph_.times(node, generator);
    const Rank from = graph_.times(node, graph_.inverse(generator));
    return {.sends = {node, to, before(begin, step, node), after(step, end, node)},
            .receives = {from, node, before(begin, step, from), after(step + 1, end, node)}};
  }

 private:
  /// The node at which the message now at x was before the steps from `begin` on.
  Rank before(std::uint64_t begin, std::uint64_t step, Rank x) const {
    while (step > begin) x = graph_.times(x, graph_.inverse(generators_[--step]));
    return x;
  }
  /// The node to which the steps take a message that is at x.
  Rank after(std::uint64_t step, std::uint64_t end, Rank x) const {
    for (; step < end; ++step) x = graph_.times(x, generators_[step]);
    return x;
  }

  CayleyGraph graph_;
  std::vector<std::uint64_t> first_step_;  // of every round, and the number of steps
  std::vector<Port> generators_;           // over which all nodes send, by step
};

}  // namespace

std::shared_ptr<const TurnSchedule> cayley_schedule(const MachineSpec& machine) {
  return std::make_shared<CayleySchedule>(CayleyGraph(machine));
}

// The graph, and for each of the other elements a word, of at most as many generators as the diameter.
Wide alltoall::parcels::bytes_of_cayley_schedule(const MachineSpec& factor) {
  const Wide n = factor.processors;
  const Wide longest_word = facts(factor).diameter.value_or(factor.processors);
  return n * factor.ports * sizeof(Rank) + n * (longest_word * sizeof(Port) + 3 * sizeof(std::uint64_t));
}

namespace {

// T = AS, as every step moves n messages; all of them take S_G = n AS moves.
Prediction predict_cayley(const MachineSpec& machine, const Model&, const Settings& settings) {
  const auto status = facts(machine).average_status;
  if (!status) return {};
  const Wide b = *settings.words;
  const Wide steps = status->numerator();  // whole, as all nodes are alike
  const Wide moves = steps * machine.processors;
  return {.steps = exact_count(steps, "AS"),
          .messages = exact_count(moves, "n AS"),
          .words = exact_count(b * moves, "b n AS"),
          .longest_sum = exact_count(b * steps, "b AS"),
          .message_words = *settings.words};
}

std::uint64_t bytes_cayley(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(alltoall::parcels::bytes_of_blocks(machine, model, settings, machine.processors) +
                   alltoall::parcels::bytes_of_cayley_schedule(machine));
}

Outcome run_cayley(const RunRequest& request) {
  const auto port = [&topology = request.topology](Rank from, Rank to) { return turns::port_to(topology, from, to); };
  return alltoall::parcels::run_factors(request, {{cayley_schedule(request.machine), port}});
}

}  // namespace

extern const Method alltoall_cayley_method = alltoall::with_defaults({
    .name = "alltoall/cayley",
    .known_as = "total exchange",
    .families = cayley_families(),
    .source = "after Dimakopoulos & Dimopoulos, section 5 (dimakopoulos.md, Cayley graphs)",
    .summary =
        "element by element of the group all nodes send that far, generator by generator; optimal, nobody is idle",
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .combines = false,
    .predict = predict_cayley,
    .bytes = bytes_cayley,
    .run = run_cayley,
});

}  // namespace lockstep
