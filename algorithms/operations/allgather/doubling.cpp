#include <algorithm>

#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/k_ports.hpp"
#include "method/step_lengths.hpp"
#include "method/switches.hpp"
#include "plans/turns/port_to.hpp"

namespace lockstep {
namespace allgather {
namespace {

/// A step: at every offset up to `end`, `each` after the other, are the blocks of one message, `each` or what is left.
struct DoublingStep {
  std::uint64_t held;
  std::uint64_t each;
  std::uint64_t end;
};

/// The step in which a processor that has `held` blocks of k gets as many for each of its ports, or what it lacks.
DoublingStep step_after(std::uint64_t held, std::uint64_t k, std::uint64_t ports) {
  const std::uint64_t lacking = k - held;
  const std::uint64_t each = std::min(held, (lacking - 1) / ports + 1);
  return {held, each, lacking / ports < each ? k : held + ports * each};
}

// Processor j collects the blocks of j, j+1, ... (mod k): when it has c of them, processor j+c sends it those of j+c
// on, as many more as it has, or as it lacks. Saad & Schultz 1988, (3.35) (saad-schultz-1988.md, Switch); Bruck et al.
// 1997. ceil(log2 k) steps; with P ports, over which it gets P times as many at once, ceil(log_(P+1) k).
Process allgather_doubling(Processor<Bundle>& self, Collection& collection) {
  const Rank k = self.processors();
  const Rank rank = self.rank();
  self.hold(collection.words());
  for (std::uint64_t held = 1; held < k;) {
    const DoublingStep step = step_after(held, k, method::ports_at_once(self.model()));
    for (std::uint64_t first = held; first < step.end; first += step.each) {
      Bundle bundle;
      for (Rank offset = 0; offset < std::min(step.each, step.end - first); ++offset) {
        bundle.add(collection.piece(shifted(rank, offset, k)));
      }
      self.send(turns::port_to(self, shifted(rank, static_cast<Rank>(k - first), k)), std::move(bundle));
    }
    for (std::uint64_t first = held; first < step.end; first += step.each) {
      const Rank from = shifted(rank, static_cast<Rank>(first), k);
      Bundle received = co_await self.message(turns::port_to(self, from));
      collection.add(std::move(received));
    }
    self.hold(collection.words());
    held = step.end;
  }
}

Prediction predict_doubling(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  const bool at_once = is_k_ports(model.ports);
  method::StepLengths lengths(model.cost);
  Wide messages = 0;
  for (std::uint64_t held = 1; held < machine.processors;) {
    const DoublingStep step = step_after(held, machine.processors, method::ports_at_once(model));
    lengths.add(1, m * step.each);
    messages += (step.end - held - 1) / step.each + 1;
    held = step.end;
  }
  return {.steps = exact_count(lengths.steps(), at_once ? "ceil(log_(P+1) k)" : "ceil(log2 k)"),
          .messages = exact_count(k * messages, at_once ? "k times P, at most, a step" : "k ceil(log2 k)"),
          .words = exact_count(k * (k - 1) * m, "k (k - 1) m"),
          .longest_sum = exact_count(lengths.sum(), at_once ? "ceil((k - 1)/P) m" : "(k - 1) m"),
          .longest_startups = lengths.startups()};
}

Outcome run_doubling(const RunRequest& request) { return run(request, allgather_doubling); }

}  // namespace
}  // namespace allgather

extern const Method allgather_doubling_method = allgather::with_defaults({
    .name = "allgather/doubling",
    .aliases = {"allgather/bruck"},
    .families = method::switches_and_complete(),
    .source = "Saad & Schultz 1988, (3.35) (saad-schultz-1988.md, Switch)",
    .summary =
        "with c blocks in hand everybody is given those of the processor c farther on, so that c doubles every step; "
        "with P ports it grows P + 1 times",
    .port_models = {PortModel::one},
    .predict = allgather::predict_doubling,
    .bytes = allgather::bytes_of_long_messages,
    .run = allgather::run_doubling,
});

}  // namespace lockstep
