#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/algorithms/operation/barrier.hpp"

// The barrier on a complete graph with all ports: a processor that has arrived tells all others (collectives.md, All at
// once).
namespace lockstep {
namespace barrier {
namespace {

Process tell_all(Processor<LabelledBlock>& self, LabelledBlock& token) {
  self.hold(words(token));
  for (Port port = 0; port < self.ports(); ++port) self.send(port, token);
  for (Port port = 0; port < self.ports(); ++port) {
    const LabelledBlock other = co_await self.message(port);
    const Rank sender = self.topology().peer(self.rank(), port).rank;
    if (other.origin != sender) {
      throw std::logic_error("the token of rank " + std::to_string(other.origin) + " came where that of rank " +
                             std::to_string(sender) + " is due");
    }
    take_in(token, other);
  }
}

Prediction predict_direct(const MachineSpec& machine, const Model&, const Settings& settings) {
  std::vector<Cycle> begun = arrivals(machine, settings);
  std::ranges::sort(begun);
  begun.erase(std::unique(begun.begin(), begun.end()), begun.end());
  const Wide steps = machine.processors > 1 ? begun.size() : 0;
  const Wide messages = Wide{machine.processors} * (machine.processors - 1);
  const Wide w = *settings.words;
  return {.steps = exact_count(steps, *settings.arrivals == 0 ? std::to_string(begun.size()) : "different arrivals"),
          .messages = exact_count(messages, "p (p - 1)"),
          .words = exact_count(messages * w, "p (p - 1) w"),
          .longest_sum = exact_count(steps * w, "steps w"),
          .message_words = *settings.words};
}

std::uint64_t bytes_direct(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide token = sizeof(Attendance) + sizeof(Cycle) + allocated_bytes(*settings.words);  // which messages share
  return saturated(machine_bytes<LabelledBlock>(machine, model) + machine.processors * token);
}

Outcome run_direct(const RunRequest& request) { return run(request, tell_all); }

}  // namespace
}  // namespace barrier

extern const Method barrier_direct_on_links_method = barrier::with_defaults({
    .name = "barrier/direct",
    .families = {"complete"},
    .source = "Lockstep's own (collectives.md, All at once)",
    .summary = "every processor that has arrived sends its token to all others",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .predict = barrier::predict_direct,
    .bytes = barrier::bytes_direct,
    .run = barrier::run_direct,
});

}  // namespace lockstep
