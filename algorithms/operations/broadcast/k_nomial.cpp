#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/k_ports.hpp"
#include "scheduled.hpp"
#include "schedules.hpp"

// A tree in which each holder sends the item to radix - 1 others per round (collectives.md, Broadcast).
namespace lockstep {
namespace broadcast {
namespace {

constexpr NumberParameter radix_parameter{
    {"radix", "base of the digits of the ranks' offsets from the root: a round takes the item to radix - 1 others",
     "K + 1 under --ports K, else 2, a binomial tree"},
    &Settings::radix};

KNomial tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return {static_cast<Rank>(machine.processors), *settings.radix, port_limit(model.ports)};
}

void resolve_k_nomial(const MachineSpec& machine, const Model& model, Settings& settings) {
  radix_parameter.resolve(settings, {.least = 2, .most = most_words, .otherwise = method::ports_at_once(model) + 1});
  resolve(machine, model, settings);
}

Prediction predict_k_nomial(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const KNomial own = tree(machine, model, settings);
  const Wide others = machine.processors - 1;
  const Wide steps = own.steps();
  const Wide m = *settings.words;
  const std::string_view formula = steps == own.rounds() ? "R = ceil(log_r p)"
                                   : own.at_once == 1
                                       ? "(R - 1)(r - 1) + floor((p - 1)/r^(R-1)), R = ceil(log_r p)"
                                       : "(R - 1) ceil((r - 1)/k) + ceil(floor((p - 1)/r^(R-1))/k), R = ceil(log_r p)";
  return {.steps = exact_count(steps, std::string(formula)),
          .messages = exact_count(others, "p - 1"),
          .words = exact_count(others * m, "(p - 1) m"),
          .longest_sum = exact_count(steps * m, "S m"),
          .message_words = *settings.words};
}

Outcome run_k_nomial(const RunRequest& request) {
  const Rank p = request.topology.processors();
  const KNomial own = tree(request.machine, request.model, request.settings);
  return run_schedule(request, from_root(own.schedule(), request.root(), p), parts::Parts(*request.settings.words, 1));
}

Method k_nomial(std::string_view family, std::vector<PortModel> port_models) {
  return with_defaults(
      {.name = "broadcast/k-nomial",
       .families = {family},
       .source = "after Bruck et al. 1997 (collectives.md, Broadcast)",
       .summary = "each holder sends the item to radix - 1 others per round, K of them in a step with K ports",
       .parameters = {words_parameter, radix_parameter, root_parameter, input_parameter, output_parameter},
       .port_models = std::move(port_models),
       .strictest_duplex = Duplex::half_node,
       .resolve = resolve_k_nomial,
       .predict = predict_k_nomial,
       .bytes = bytes_in_parts,
       .run = run_k_nomial});
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_k_nomial_method = broadcast::k_nomial("switch", {PortModel::one});
extern const Method broadcast_k_nomial_complete_method =
    broadcast::k_nomial("complete", {PortModel::one, PortModel::all});

}  // namespace lockstep
