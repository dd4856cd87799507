#include <array>
#include <optional>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/switches.hpp"
#include "pipelined.hpp"

namespace lockstep {
namespace broadcast {
namespace {

enum class TreeShape {
  heap,  ///< node v has children 2v and 2v+1
  tuned  ///< the same on 1..k-1, k = 2^n, and node k is the right child of the leftmost leaf k/2
};

/// A processor's place in a binary tree on the labels 1..k, label 1 at the root and each on the next rank. Ranks are
/// those of a switch.
struct TreePlace {
  std::uint64_t depth = 0;
  std::optional<Rank> parent{};
  std::optional<Rank> left{};
  std::optional<Rank> right{};
};

TreePlace place_of(TreeShape shape, Rank root, Rank rank, Rank k) {
  const std::uint64_t label = std::uint64_t{offset_from(root, rank, k)} + 1;
  const bool last = shape == TreeShape::tuned && label == k && k > 2;
  const std::uint64_t labels = shape == TreeShape::tuned && k > 2 ? k - 1 : k;
  const auto rank_of = [&](std::uint64_t other) { return shifted(root, other - 1, k); };
  TreePlace place{.depth = static_cast<std::uint64_t>(std::bit_width(label)) - 1};
  if (label > 1) place.parent = rank_of(label / 2);
  if (last) return place;
  if (2 * label <= labels) place.left = rank_of(2 * label);
  if (2 * label + 1 <= labels) place.right = rank_of(2 * label + 1);
  if (labels < k && label == k / 2) place.right = rank_of(k);
  return place;
}

// Packets go down in order: in even cycles (from 0) to left children, in odd ones to right children, which receive a
// packet after their siblings. A processor without a left child need not wait for that. Saad & Schultz 1988, (3.24) and
// (3.25) (saad-schultz-1988.md, Switch). With two processors there is no right child, and the root sends in every
// cycle.
Process broadcast_tree(Processor<Block>& self, TreePlace place, const Part& part, Block& item) {
  const std::uint64_t period = self.processors() == 2 ? 1 : 2;
  if (place.parent) item = Block(part.packets.words());
  self.hold(item.size());
  for (std::uint64_t packet = 0; packet < part.packets.pieces(); ++packet) {
    Block block;
    if (place.parent) {
      block = co_await self.message(*place.parent);
      packets::put(item, part, packet, block);
    } else {
      block = packets::cut(item, part, packet);
    }
    const Cycle turn = period * packet + 2 * place.depth;
    if (place.left) {
      co_await self.until(turn);
      self.send(*place.left, block);
    }
    if (place.right) {
      co_await self.until(place.left ? turn + 1 : turn - 1);
      self.send(*place.right, block);
    }
  }
}

/// The depths of the lowest left and right children; 0 if there are none.
struct Depths {
  std::uint64_t left;
  std::uint64_t right;
};

Depths depths_of(TreeShape shape, std::uint64_t k) {
  if (k == 1) return {0, 0};
  const auto floor_log2 = [](std::uint64_t number) { return static_cast<std::uint64_t>(std::bit_width(number)) - 1; };
  if (shape == TreeShape::heap || k == 2) return {floor_log2(k), floor_log2(k - 1)};
  return {floor_log2(k) - 1, floor_log2(k) - 1};
}

// The left phases are a pipeline, and the right phases another; each step belongs to one of them.
std::array<PipelinePhase, 2> phases_of_tree(TreeShape shape, std::uint64_t k) {
  const Depths depths = depths_of(shape, k);
  return {{{.hops = depths.left}, {.hops = depths.right}}};
}

void resolve_tree(const MachineSpec& machine, const Model& model, Settings& settings, TreeShape shape) {
  resolve_phases(machine, model, settings, phases_of_tree(shape, machine.processors));
}

void resolve_tuned(const MachineSpec& machine, const Model& model, Settings& settings) {
  method::require_power_of_two(machine);
  resolve_tree(machine, model, settings, TreeShape::tuned);
}

void resolve_heap(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_tree(machine, model, settings, TreeShape::heap);
}

Prediction predict_tree(const MachineSpec& machine, const Model& model, const Settings& settings, TreeShape shape,
                        std::string steps) {
  const Split packets(*settings.words, *settings.packets);
  const StepCounts counts = count_phases(phases_of_tree(shape, machine.processors), packets, model.cost);
  if (machine.processors <= 2) return predict_parts(machine, settings, 1, counts, "nu", "N");
  return predict_parts(machine, settings, 1, counts, std::move(steps), "(S - 2 nu) ceil(N/nu) + 2 N");
}

Prediction predict_tuned(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_tree(machine, model, settings, TreeShape::tuned, "2(nu - 1) + 2(log2 k - 1)");
}

Prediction predict_heap(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_tree(machine, model, settings, TreeShape::heap, "2(nu - 1) + 2 D - [k = 2^D], D = floor(log2 k)");
}

Outcome run_tree(const RunRequest& request, TreeShape shape) {
  const Rank k = request.topology.processors();
  const Rank root = request.root();
  const Part part{0, Split(*request.settings.words, *request.settings.packets)};
  return run(request, [&](Processor<Block>& self, Block& item) {
    return broadcast_tree(self, place_of(shape, root, self.rank(), k), part, item);
  });
}

}  // namespace
}  // namespace broadcast

extern const Method broadcast_tree_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/tree",
    .families = method::switches_for_trees(),
    .source = "Saad & Schultz 1988, (3.24), (3.25) (saad-schultz-1988.md, Switch)",
    .summary = "packets down a perfect binary tree with one node more, to left and right children in turn (2^n "
               "processors)",
    .port_models = {PortModel::one},
    .resolve = broadcast::resolve_tuned,
    .predict = broadcast::predict_tuned,
    .run = [](const RunRequest& request) { return broadcast::run_tree(request, broadcast::TreeShape::tuned); },
});

extern const Method broadcast_tree_heap_method = broadcast::pipelined_with_defaults({
    .name = "broadcast/tree-heap",
    .aliases = {"broadcast/binary-tree"},
    .families = method::switches_for_trees(),
    .source = "after Saad & Schultz 1988, (3.24), (3.25) (saad-schultz-1988.md, Switch)",
    .summary = "packets down the binary tree of a heap, to left and right children in turn (any number of processors)",
    .port_models = {PortModel::one},
    .resolve = broadcast::resolve_heap,
    .predict = broadcast::predict_heap,
    .run = [](const RunRequest& request) { return broadcast::run_tree(request, broadcast::TreeShape::heap); },
});

}  // namespace lockstep
