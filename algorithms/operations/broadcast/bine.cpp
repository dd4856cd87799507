#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "scheduled.hpp"
#include "schedules.hpp"

// A binomial tree whose partners are near on a ring. De Sensi et al. 2025 (collectives.md, Broadcast).
namespace lockstep {
namespace broadcast {
namespace {

void resolve_bine(const MachineSpec& machine, const Model& model, Settings& settings) {
  method::require_power_of_two(machine);
  resolve(machine, model, settings);
}

Prediction predict_bine(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide others = machine.processors - 1;
  const Wide q = doublings(machine.processors);
  const Wide m = *settings.words;
  return {.steps = exact_count(q, "log2 p"),
          .messages = exact_count(others, "p - 1"),
          .words = exact_count(others * m, "(p - 1) m"),
          .longest_sum = exact_count(q * m, "log2(p) m"),
          .message_words = *settings.words};
}

Outcome run_bine(const RunRequest& request) {
  const Rank p = request.topology.processors();
  return run_schedule(request, from_root(bine(p), request.root(), p), parts::Parts(*request.settings.words, 1));
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_bine_method = broadcast::with_defaults({
    .name = "broadcast/bine",
    .families = {"switch", "complete"},
    .source = "De Sensi et al. 2025, arXiv 2508.17311 (collectives.md, Broadcast)",
    .summary = "a binomial tree whose partners are 1, 1, 3, 5, 11, .. ranks apart, for powers of two",
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = broadcast::resolve_bine,
    .predict = broadcast::predict_bine,
    .bytes = broadcast::bytes_in_parts,
    .run = broadcast::run_bine,
});

}  // namespace lockstep
