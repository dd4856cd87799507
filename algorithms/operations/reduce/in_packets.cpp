#include "in_packets.hpp"

#include <algorithm>
#include <ranges>
#include <stdexcept>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/machines/topologies.hpp"
#include "operands/predicted_operations.hpp"
#include "plans/packets/relay.hpp"
#include "plans/tree/drbt_schedule.hpp"

namespace lockstep::reduce {
namespace {

/// Whether a node receives the packets of all its children in one cycle.
bool takes_all_at_once(const Model& model) { return model.ports == PortModel::all; }

/// Adds a packet to the part that comes from that child; its first packet makes the part.
void keep(HeldPartials<Block>& held, std::size_t child, const Part& whole, std::uint64_t packet,
          const Partial<Block>& received) {
  if (packet == 0) held.received.push_back({received.first, received.count, Block(whole.packets.words())});
  packets::put(held.received[child].value, whole, packet, received.value);
}

/// The most operations of a node in every cycle, summed, counted packet by packet: a node goes on to a child's packet
/// when it has combined the one before, and sent its own. Empty without --flop, and where there are too many.
std::optional<Wide> most_operations(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (model.cost.flop == 0 || Wide{machine.processors} * *settings.packets > operands::most_counted) return {};
  const Topology topology = build(machine);
  const UpwardTree tree(machine, topology, model);
  const Split packets(*settings.words, *settings.packets);
  operands::MostOperations most;
  for (Rank node = 0; node < topology.processors(); ++node) {
    Cycle now = 0;
    for (std::uint64_t packet = 0; packet < packets.pieces(); ++packet) {
      for (const Port port : std::views::reverse(tree.schedule().children(node))) {
        now = std::max(now, tree.sent(tree.peer(node, port), packet) + 1);
        most.charge(now, packets.size(packet));
      }
      if (tree.schedule().parent(node) != TreeSchedule::no_port) now = std::max(now, tree.sent(node, packet));
    }
    most.next_processor();
  }
  return most.sum();
}

}  // namespace

UpwardTree::UpwardTree(const MachineSpec& machine, const Topology& topology, const Model& model)
    : topology_(topology),
      schedule_(tree::drbt_schedule(machine, topology, tree::ChildOrder::longest_first)),
      arrivals_(schedule_.arrivals(topology, takes_all_at_once(model))),
      last_(*std::ranges::max_element(arrivals_)),
      interval_(tree::drbt_interval(machine, model, takes_all_at_once(model))) {}

std::uint64_t UpwardTree::bytes(std::uint64_t processors) {
  return tree::drbt_schedule_bytes(processors) + processors * (sizeof(std::uint32_t) + sizeof(Rank));
}

Prediction predict_in_packets(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const bool at_once = takes_all_at_once(model);
  Prediction prediction = tree::predict_tree_packets(
      machine, model, settings, tree::drbt_steps(machine, at_once, tree::ChildOrder::longest_first),
      tree::drbt_interval(machine, model, at_once));
  operands::predict_operations(settings, Wide{machine.processors - 1} * *settings.words, "(N - 1) w",
                               most_operations(machine, model, settings), prediction);
  return prediction;
}

Process reduce_in_packets(Processor<Partial<Block>>& self, const operands::NumberValues& values, const UpwardTree& tree,
                          Rank node, const Split& packets, HeldPartials<Block>& held) {
  const Part whole{0, packets};
  const Port parent = tree.schedule().parent(node);
  const auto children = std::views::reverse(tree.schedule().children(node));  // the last served is the first to send
  self.hold(words(held.own));
  for (std::uint64_t packet = 0; packet < packets.pieces(); ++packet) {
    Partial<Block> combined{.first = node, .count = 1, .value = packets::cut(held.own.value, whole, packet)};
    std::size_t child = 0;
    for (const Port port : children) {
      const Partial<Block> received = co_await self.message(port);
      if (received.first != tree.peer(node, port) || received.value.size() != combined.value.size()) {
        throw std::logic_error("a packet of node " + std::to_string(received.first) + " came where one of node " +
                               std::to_string(tree.peer(node, port)) + " is due");
      }
      operands::combine(self, values, combined.value, received.value);
      combined.count += received.count;
      if (values.may_absorb()) keep(held, child++, whole, packet, received);
    }
    if (parent == TreeSchedule::no_port) {
      packets::put(held.own.value, whole, packet, combined.value);
      held.own.count = combined.count;
    } else {
      co_await self.until(tree.sent(node, packet));
      self.send(parent, std::move(combined));
    }
  }
}

void judge_packets_on_the_way(const RunRequest& request, const operands::NumberValues& values, const UpwardTree& tree,
                              const PerRank<HeldPartials<Block>>& held, const std::function<Rank(Rank)>& rank_of,
                              Outcome& outcome) {
  if (!outcome.wrong.empty() || !values.may_absorb()) return;
  std::uint64_t place = 0;
  const auto fold = [&](const auto& again, Rank node) -> Block {
    const Rank rank = rank_of(node);
    Block combined = values.value(rank);
    std::size_t child = 0;
    for (const Port port : std::views::reverse(tree.schedule().children(node))) {
      const Block expected = again(again, tree.peer(node, port));
      ++place;
      if (is_judged(request, outcome, rank)) {
        const operands::NumberValues::Oracle oracle(values, expected);
        const std::string found =
            operands::what_is_wrong(oracle, held[rank].received[child++].value, operands::NumberValues::noun);
        if (!found.empty()) blame(outcome, place, "rank " + std::to_string(rank) + " received " + found);
      }
      values.combine(combined, expected);
    }
    return combined;
  };
  fold(fold, 0);
  agree(request, outcome);
}

}  // namespace lockstep::reduce
