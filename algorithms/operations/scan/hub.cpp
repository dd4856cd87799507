#include "hub.hpp"

#include <algorithm>

#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/core/printable.hpp"
#include "operands/predicted_operations.hpp"

namespace lockstep {
namespace {

using scan::HubPlan;

/// The hubs' 0th field if each is the last node of its block; it is 0 if each is the first.
Rank last_in_block(const MachineSpec& machine) {
  return static_cast<Rank>((std::uint64_t{1} << machine.parameters[0]) - 1);
}

void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  const Rank last = last_in_block(machine);
  if (!settings.hub) settings.hub = last;
  if (*settings.hub != 0 && *settings.hub != last) {
    throw InputError("--hub " + std::to_string(*settings.hub) +
                     " is neither the first nor the last node of a block of " + printable(machine.text) + ": 0" +
                     (last == 0 ? "" : " or " + std::to_string(last)));
  }
  scan::resolve(machine, model, settings);
}

/// Messages of phase II: `values` values take each of the paths for bit m.
Wide messages_between_blocks(const HubPlan& plan) {
  const std::uint64_t dimensions = plan.rh().block_dimensions();
  Wide messages = 0;
  for (Port m = 0; m < dimensions; ++m) {
    Wide values = Wide{1} << (dimensions - 1 - m);
    if (m < dimensions - 1) values += (dimensions - 1 - m) * (Wide{1} << (dimensions - 2 - m));
    messages += plan.link(m).links() * values;
  }
  return messages;
}

// In a block a node combines a prefix and a total in every step. A hub combines a total and what lies before its block,
// except for the first message that comes to it: none of them has one before in the first iteration, nor in the last
// substep of the second. Then every node combines its prefix with what lies before its block.
void predict_operations(const HubPlan& plan, const Settings& settings, Prediction& prediction) {
  const Wide w = *settings.words;
  const Wide k = plan.rh().k();
  const Wide in_block = Wide{1} << plan.rh().k();
  const Wide dimensions = plan.rh().block_dimensions();
  const Wide blocks = plan.rh().blocks();
  const Wide between = dimensions * (dimensions + 1) - std::min<Wide>(dimensions, 2);
  const Wide most = 2 * k + between + (blocks > 1 ? 1 : 0);
  const Wide all = k * (in_block * blocks / 2) * 3 + (dimensions * blocks - (blocks - 1)) + (blocks - 1) * in_block;
  operands::predict_operations(settings, all * w, "(3/2 k N + D 2^D + (2^D - 1) (2^k - 1)) w", most * w, prediction);
}

Prediction predict_hub(const MachineSpec& machine, const Model&, const Settings& settings) {
  const HubPlan plan(ReducedHypercube(machine), static_cast<Rank>(*settings.hub));
  const std::uint64_t k = plan.rh().k();
  const std::uint64_t n = plan.rh().n();
  const std::uint64_t dimensions = plan.rh().block_dimensions();
  const std::uint64_t w = *settings.words;
  const std::uint64_t last = last_in_block(machine);
  const bool first_is_hub = *settings.hub == 0 && last != 0;
  const std::uint64_t rest = (n + 1) * (dimensions * (dimensions - 1) / 2);
  const std::uint64_t steps = 2 * k + dimensions * (dimensions + 1) / 2 +
                              (first_is_hub ? n * dimensions * dimensions - rest : n * dimensions + rest);
  const Wide messages = Wide{k} * machine.processors + messages_between_blocks(plan) + (plan.rh().blocks() - 1) * last;
  const std::string links = first_is_hub ? "(2 pc(m)+1)" : "(2 (n-pc(m))+1)";
  Prediction prediction{
      .steps = Count{steps, true,
                     first_is_hub ? "2k + D(D+1)/2 + n D^2 - (n+1) D(D-1)/2" : "2k + D(D+1)/2 + n D + (n+1) D(D-1)/2"},
      .messages = exact_count(messages, "k N + sum " + links + " (2^(D-1-m) + (D-1-m) 2^(D-2-m)) + (2^D-1) (2^k-1)"),
      .words = exact_count(messages * w, "messages w"),
      .longest_sum = Count{steps * w, true, "steps w"},
      .message_words = w};
  predict_operations(plan, settings, prediction);
  return prediction;
}

// Besides the prefix, the total and a message every processor has what lies to the left of its block.
std::uint64_t bytes_hub(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t frames = 600;  // of the sub-programs of a processor
  const HubPlan plan(ReducedHypercube(machine), static_cast<Rank>(*settings.hub));
  const Wide messages = (plan.rh().k() + 1) * Wide{machine.processors} + messages_between_blocks(plan);
  const Wide shared =
      scan::bytes_with_totals(machine, model, settings, std::uint64_t{1} << machine.parameters[0], messages);
  return saturated(shared + operands::value_bytes(machine, settings) + machine.processors * frames);
}

Outcome run_hub(const RunRequest& request) {
  const ReducedHypercube rh(request.machine);
  const auto hub = static_cast<Rank>(*request.settings.hub);
  const HubPlan plan(rh, hub);
  return scan::run(
      request, scan::Prefix::inclusive, Rank{1} << rh.k(), hub,
      [&plan](auto& self, const auto& values, auto& held) { return scan::scan_hub(self, values, plan, held); });
}

}  // namespace

extern const Method scan_hub_method = scan::with_output({
    .name = "scan/hub",
    .families = {"rh"},
    .source = "Mukherjee, chapter 4 (mukherjee.md, Prefix)",
    .summary = "in every building block, then between the blocks' hubs, then from the hubs; operands stay in order",
    .parameters = {operands::words_parameter,
                   Parameter{"hub", "node of every building block that collects its total: 2^K - 1 or 0",
                             "2^K - 1, the last"},
                   operands::operator_parameter, operands::type_parameter, operands::input_parameter,
                   scan::output_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = resolve,
    .predict = predict_hub,
    .bytes = bytes_hub,
    .run = run_hub,
});

}  // namespace lockstep
