#include "combining.hpp"

#include <algorithm>
#include <ranges>
#include <stdexcept>

#include "lockstep/algorithms/per_rank.hpp"
#include "operands/predicted_operations.hpp"

namespace lockstep::reduce {

// The children in the order opposite to that in which a broadcast serves them, as this is its reverse.
Process combine_up(Processor<operands::Partial<Block>>& self, const operands::NumberValues& values,
                   const bfs::Tree& tree, const bfs::Timing& timing, reduce::HeldPartials<Block>& held) {
  using Payload = operands::Partial<Block>;
  const Rank rank = self.rank();
  const std::span<const Port> ports = tree.ports(rank);
  const std::span<const Rank> children = tree.children(rank);
  self.hold(words(held.own));
  for (std::size_t index = ports.size(); index > 0; --index) {
    Payload received = co_await self.message(ports[index - 1]);
    if (received.first != children[index - 1] || received.value.size() != held.own.value.size()) {
      throw std::logic_error("a result of node " + std::to_string(received.first) + " came where that of node " +
                             std::to_string(children[index - 1]) + " is due");
    }
    operands::combine(self, values, held.own.value, received.value);
    held.own.count += received.count;
    if (values.may_absorb()) held.received.push_back(std::move(received));
  }
  if (rank == tree.root()) co_return;
  co_await self.until(timing.up(rank));
  self.send(tree.parent_port(rank), std::move(held.own));
}

void predict_operations(const bfs::Tree& tree, const bfs::Timing& timing, const Settings& settings,
                        Prediction& prediction) {
  const Wide w = *settings.words;
  operands::MostOperations most;
  for (Rank node = 0; node < tree.nodes(); ++node) {
    Cycle now = 0;
    for (const Rank child : tree.children(node) | std::views::reverse) {
      now = std::max(now, timing.up(child) + 1);
      most.charge(now, w);
    }
    most.next_processor();
  }
  operands::predict_operations(settings, Wide{tree.nodes() - 1} * w, "(P - 1) w", most.sum(), prediction);
}

PerRank<reduce::HeldPartials<Block>> initially_held(const RunRequest& request, const operands::NumberValues& values) {
  PerRank<reduce::HeldPartials<Block>> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = {rank, 1, values.value(rank)}; });
  return held;
}

void judge_on_the_way(const RunRequest& request, const operands::NumberValues& values, const bfs::Tree& tree,
                      const PerRank<reduce::HeldPartials<Block>>& held, Outcome& outcome) {
  if (!outcome.wrong.empty() || !values.may_absorb()) return;
  std::uint64_t place = 0;
  std::vector<Block> combined(tree.nodes());
  for (const Rank node : tree.members(tree.root()) | std::views::reverse) {
    combined[node] = values.value(node);
    std::size_t next = 0;
    for (const Rank child : tree.children(node) | std::views::reverse) {
      ++place;
      if (is_judged(request, outcome, node)) {
        const operands::NumberValues::Oracle oracle(values, combined[child]);
        const std::string found =
            operands::what_is_wrong(oracle, held[node].received.at(next++).value, operands::NumberValues::noun);
        if (!found.empty()) blame(outcome, place, "rank " + std::to_string(node) + " received " + found);
      }
      values.combine(combined[node], combined[child]);
      combined[child] = {};
    }
  }
  agree(request, outcome);
}

operands::NumberValues::Oracle oracle_of(const operands::NumberValues& values) {
  operands::NumberValues::Oracle oracle(values, values.value(0));
  for (Rank rank = 1; rank < values.ranks(); ++rank) oracle.extend(values.value(rank));
  return oracle;
}

Wide bytes_of_combining(const MachineSpec& machine, const Model& model, const Settings& settings, Wide directions) {
  using Payload = operands::Partial<Block>;
  constexpr std::uint64_t frame = 100;  // of the program, beyond that of a small one
  const std::uint64_t of_each = sizeof(reduce::HeldPartials<Block>) + frame + sizeof(Payload);
  // A leaf's message has the memory of its value; others are kept if they are judged.
  return machine_bytes_used<Payload>(machine, model, directions) + Wide{machine.processors} * of_each +
         operands::value_bytes(machine, settings) +
         operands::judged_bytes(machine, settings, 0, machine.processors / 2) + bfs::Tree::bytes(machine);
}

}  // namespace lockstep::reduce
