#include <algorithm>

#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/step_lengths.hpp"
#include "method/switches.hpp"
#include "plans/turns/port_to.hpp"

namespace lockstep {
namespace allgather {
namespace {

std::vector<std::string_view> switches_and_complete() {
  std::vector<std::string_view> families = method::all_switches();
  families.push_back("complete");
  return families;
}

// Processor j collects the blocks of j, j+1, ... (mod k): when it has c of them, processor j+c sends it those of j+c
// on, as many more as it has, or as it lacks. Saad & Schultz 1988, (3.35) (saad-schultz-1988.md, Switch); Bruck et al.
// 1997. ceil(log2 k) steps.
Process allgather_doubling(Processor<Bundle>& self, Collection& collection) {
  const Rank k = self.processors();
  const Rank rank = self.rank();
  self.hold(collection.words());
  for (Rank held = 1; held < k;) {
    const Rank more = std::min(held, k - held);
    Bundle bundle;
    for (Rank offset = 0; offset < more; ++offset) bundle.add(collection.piece(shifted(rank, offset, k)));
    self.send(turns::port_to(self, shifted(rank, k - held, k)), std::move(bundle));
    Bundle received = co_await self.message(turns::port_to(self, shifted(rank, held, k)));
    collection.add(std::move(received));
    self.hold(collection.words());
    held += more;
  }
}

Prediction predict_doubling(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  for (Wide held = 1; held < k; held *= 2) lengths.add(1, std::min(held, k - held) * m);
  const Wide steps = lengths.steps();
  return {.steps = exact_count(steps, "ceil(log2 k)"),
          .messages = exact_count(k * steps, "k ceil(log2 k)"),
          .words = exact_count(k * (k - 1) * m, "k (k - 1) m"),
          .longest_sum = exact_count(lengths.sum(), "(k - 1) m"),
          .longest_startups = lengths.startups()};
}

// In the last step up to half of all blocks are on their way to every processor.
std::uint64_t bytes_of_doubling(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings, Wide{machine.processors} * (machine.processors / 2));
}

Outcome run_doubling(const RunRequest& request) { return run(request, allgather_doubling); }

}  // namespace
}  // namespace allgather

extern const Method allgather_doubling_method = allgather::with_defaults({
    .name = "allgather/doubling",
    .aliases = {"allgather/bruck"},
    .families = allgather::switches_and_complete(),
    .source = "Saad & Schultz 1988, (3.35) (saad-schultz-1988.md, Switch)",
    .summary =
        "with c blocks in hand everybody is given those of the processor c farther on, so that c doubles every step",
    .port_models = {PortModel::one},
    .predict = allgather::predict_doubling,
    .bytes = allgather::bytes_of_doubling,
    .run = allgather::run_doubling,
});

}  // namespace lockstep
