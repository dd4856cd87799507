#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "method/step_lengths.hpp"
#include "operations/scatter/binomial_tree.hpp"

namespace lockstep {
namespace alltoall {
namespace {

using scatter::BinomialTree;
using scatter::HeldBlocks;
using scatter::Reading;

// k gathers one after the other, of the blocks for rank 0, for rank 1 and so on; moving blocks are kept apart from the
// rest. Saad & Schultz 1985, section 6 (saad-schultz-1985.md, SMG): k n steps, one port, and no processor sends and
// receives in one step.
Process sequential_gather(Processor<Bundle>& self, Bundle& held) {
  HeldBlocks moving{.pieces = {}, .words = words(held)};
  const Bundle own = std::exchange(held, {});  // by destination, the lowest first
  std::uint64_t next = 0;
  for (Rank root = 0; root < self.processors(); ++root) {
    if (root != self.rank()) moving.pieces.add_piece(own, next++);
    const BinomialTree tree(self.ports(), root);
    co_await scatter::follow_scatter(self, tree, Reading::backwards, root * tree.steps(), moving);
    if (root == self.rank()) std::swap(held, moving.pieces);
  }
}

Prediction predict_sequential_gather(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide n = machine.ports;
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  method::StepLengths lengths(model.cost);
  for (Wide blocks = 1; blocks < k; blocks *= 2) lengths.add(k, blocks * b);  // a step of every gather
  return {.steps = exact_count(lengths.steps(), "2^n n"),
          .messages = exact_count(k * (k - 1), "2^n (2^n - 1)"),
          .words = exact_count(k * n * (k / 2) * b, "n 2^(2n-1) b"),
          .longest_sum = exact_count(lengths.sum(), "2^n (2^n - 1) b"),
          .longest_startups = lengths.startups()};
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_sequential_gather_method = alltoall::with_defaults({
    .name = "alltoall/sequential-gather",
    .aliases = {"SMG"},
    .families = {"hypercube"},
    .source = "Saad & Schultz 1985, section 6 (saad-schultz-1985.md, SMG)",
    .summary = "one gather over a spanning binomial tree after the other, to every processor in turn",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .predict = alltoall::predict_sequential_gather,
    .bytes = alltoall::bytes_with_copies,
    .run = [](const RunRequest& request) { return alltoall::run(request, alltoall::sequential_gather); },
});

}  // namespace lockstep
