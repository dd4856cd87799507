#include "operations/broadcast/two_tree.hpp"

#include "allreduce.hpp"
#include "method/entry_parts.hpp"
#include "parts/vectors.hpp"

// Packets of the vector up two binary trees to rank 0, and down them again (collectives.md, Allreduce).
namespace lockstep {
namespace allreduce {
namespace {

constexpr PacketsWordsParameter packets_words_parameter{
    {"words", "words of the whole vector, one or more a packet", "one a packet, or what --input has for each rank"}};
constexpr packets::FlowPackets packets_parameter{"packets of every vector, each a word or more"};

// A rank sends to its parents in both trees as it receives from the children in one, so that both ways take as long.
packets::PacketFlow up_and_down(const MachineSpec& machine) {
  return [one_way = broadcast::two_tree_flow(machine)](std::uint64_t n, std::uint64_t first) {
    return 2 * one_way(n, first);
  };
}

void resolve_two_tree(const MachineSpec& machine, const Model& model, Settings& settings) {
  operands::require_commutative(settings);
  if (!settings.input) packets_words_parameter.resolve(settings, 1);
  operands::resolve(machine, settings);
  CostModel cost = model.cost;
  cost.tau += cost.flop / 2;  // half of the steps combine all words of their longest messages
  packets_parameter.resolve(settings, up_and_down(machine), cost);
}

Prediction predict_two_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const bool is_exact = broadcast::is_two_tree_flow_exact(machine);
  const Wide others = machine.processors - 1;
  const Split packets(*settings.words, *settings.packets);
  const StepCounts counts = packets::count_steps(up_and_down(machine), packets, model.cost);
  Prediction prediction{
      .steps = Count{counts.steps, is_exact,
                     counts.steps == 0 ? "0" : "2 (n + 2 h - 2) if p = 2^h and n is even; else by the trees"},
      .messages = exact_count(2 * others * packets.pieces(), "2 (p - 1) n"),
      .words = exact_count(2 * others * packets.words(), "2 (p - 1) m"),
      .longest_sum = Count{counts.longest_sum, is_exact, "S floor(m/n), and a word for each step of a longer packet"},
      .longest_startups = is_exact ? std::optional(counts.startups) : std::nullopt};
  if (packets.longer() == 0) prediction.message_words = packets.shortest();
  parts::predict_operations(machine, settings, is_exact ? std::optional<Wide>(counts.longest_sum / 2) : std::nullopt,
                            prediction);  // up the trees
  return prediction;
}

std::uint64_t bytes_of_two_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide packets = Wide{machine.processors} * *settings.packets;
  const Wide judged = operands::may_absorb(settings) ? 2 * packets * sizeof(Block) : 0;
  return saturated(Wide{parts::bytes(machine, model, settings)} + tree::TwoTree::bytes(machine.processors) + judged);
}

Outcome run_two_tree(const RunRequest& request) {
  const Rank p = request.topology.processors();
  const Split packets(*request.settings.words, *request.settings.packets);
  const tree::TwoTree two(p);
  const parts::PartSchedule down = broadcast::two_tree_schedule(two, p, packets.pieces());
  return parts::run(request, parts::reversed(down) + down, parts::Parts(packets), parts::Share::all);
}

}  // namespace
}  // namespace allreduce

extern const Method allreduce_two_tree_method = filled_in(
    {
        .name = "allreduce/two-tree",
        .source = "Sanders, Speck, Traeff 2009 (collectives.md, Allreduce)",
        .summary = "packets up two binary trees in turn and down again; inner nodes of one are leaves of the other",
        .parameters = {allreduce::packets_words_parameter, allreduce::packets_parameter, operands::operator_parameter,
                       operands::type_parameter, operands::input_parameter, parts::output_parameter},
        .port_models = {PortModel::one},
    },
    {.operation = "allreduce",
     .known_as = "allreduce",
     .families = {"switch", "complete"},
     .resolve = allreduce::resolve_two_tree,
     .predict = allreduce::predict_two_tree,
     .bytes = allreduce::bytes_of_two_tree,
     .run = allreduce::run_two_tree});

}  // namespace lockstep
