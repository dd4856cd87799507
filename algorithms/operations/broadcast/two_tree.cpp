#include "two_tree.hpp"

#include <algorithm>
#include <optional>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "pipelined.hpp"
#include "scheduled.hpp"

// Packets down two trees in turn. Sanders, Speck, Traeff 2009 (collectives.md, Broadcast).
namespace lockstep {
namespace broadcast {
namespace {

/// The most ranks whose trees are built to count the steps.
constexpr std::uint64_t most_built = std::uint64_t{1} << 20;

void resolve_two_tree(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_packets(machine, model, settings, two_tree_flow(machine));
}

Prediction predict_two_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  Prediction prediction =
      predict_packets(machine, model, settings, two_tree_flow(machine),
                      "n + 2 h - 2 if p = 2^h and n is even; else by the trees", is_two_tree_flow_exact(machine));
  prediction.steps->exact = is_two_tree_flow_exact(machine);
  return prediction;
}

std::uint64_t bytes_of_two_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(Wide{pipelined_bytes(machine, model, settings)} + tree::TwoTree::bytes(machine.processors));
}

Outcome run_two_tree(const RunRequest& request) {
  const Rank p = request.topology.processors();
  const Split packets(*request.settings.words, *request.settings.packets);
  const tree::TwoTree two(p);
  return run_schedule(request, from_root(two_tree_schedule(two, p, packets.pieces()), request.root(), p),
                      parts::Parts(packets));
}

}  // namespace

bool is_two_tree_flow_exact(const MachineSpec& machine) { return machine.processors <= most_built; }

// For more ranks as slow as trees of height floor(log2 p) + 1 can be: two steps a level.
packets::PacketFlow two_tree_flow(const MachineSpec& machine) {
  if (machine.processors == 1) return packets::flow_over_hops(0);
  if (is_two_tree_flow_exact(machine))
    return packets::flow_down_trees(2, tree::TwoTree(static_cast<Rank>(machine.processors)).offsets());
  return packets::flow_over_hops(2 * doublings(machine.processors) + 1);
}

parts::PartSchedule two_tree_schedule(const tree::TwoTree& two, Rank p, std::uint64_t n) {
  Cycle steps = 0;  // with those in which nothing moves, if there is one packet
  for (std::size_t tree = 0; p > 1 && tree < std::min<std::uint64_t>(n, tree::TwoTree::trees); ++tree) {
    steps = std::max(steps, (n - 1 - tree) / 2 * 2 + two.offsets()[tree].back() + 1);
  }
  return {steps, [&two, n](Rank rank, Cycle step) {
            const auto arriving = [&](std::size_t tree, Rank at) -> std::optional<Rank> {
              const std::uint64_t first = two.arrival(tree, at);
              if (step < first || (step - first) % 2 != 0 || step - first + tree >= n) return {};
              return static_cast<Rank>(step - first + tree);
            };
            parts::PartStep one;
            for (std::size_t tree = 0; tree < tree::TwoTree::trees; ++tree) {
              for (const Rank child : two.children(tree, rank)) {
                const auto packet = child == no_rank ? std::nullopt : arriving(tree, child);
                if (!packet) continue;
                one.to = child;
                one.sent = {*packet};
              }
              const Rank parent = two.parent(tree, rank);
              const auto packet = parent == no_rank ? std::nullopt : arriving(tree, rank);
              if (!packet) continue;
              one.from = parent;
              one.received = {*packet};
            }
            return one;
          }};
}

}  // namespace broadcast

extern const Method broadcast_two_tree_method = broadcast::scheduled_with_defaults({
    .name = "broadcast/two-tree",
    .source = "Sanders, Speck, Traeff 2009 (collectives.md, Broadcast)",
    .summary = "packets down two binary trees in turn, each of whose leaves pass on in the other",
    .port_models = {PortModel::one},
    .resolve = broadcast::resolve_two_tree,
    .predict = broadcast::predict_two_tree,
    .bytes = broadcast::bytes_of_two_tree,
    .run = broadcast::run_two_tree,
});

}  // namespace lockstep
