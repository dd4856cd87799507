#include "part_moves.hpp"

#include <algorithm>
#include <memory>
#include <ranges>
#include <span>
#include <utility>

#include "plans/bfs/farthest_first.hpp"
#include "plans/bfs/timing.hpp"

namespace lockstep::parts {
namespace {

std::vector<std::uint64_t> sizes_of(const Parts& parts) {
  std::vector<std::uint64_t> sizes;
  for (Rank part = 0; part < parts.count(); ++part) sizes.push_back(parts.size(part));
  return sizes;
}

}  // namespace

PartMoves farthest_first(const MachineSpec& machine, const Model& model, Rank root) {
  const bfs::BalancedTree tree(machine, root);
  const bfs::Departures departures(tree, bfs::all_at_once(model));
  PartMoves moves(departures.steps());
  for (const Rank destination : departures.order()) {
    for (Rank at = destination; at != root; at = tree.parent(at)) {
      moves[departures.at(destination) + tree.depth(at) - 1].push_back({tree.parent(at), at, destination});
    }
  }
  return moves;
}

PartMoves down_tree(const MachineSpec& machine, const Model& model, Rank root) {
  const auto tree = bfs::kept_tree(machine, root);
  const bfs::Timing timing(*tree, bfs::all_at_once(model));
  PartMoves moves(timing.steps());
  for (const Rank node : tree->members(root)) {
    if (node == root) continue;
    for (const Rank part : tree->members(node)) moves[timing.down(node)].push_back({tree->parent(node), node, part});
  }
  return moves;
}

PartMoves reversed(const PartMoves& moves) {
  PartMoves back;
  for (const std::vector<PartMove>& step : moves | std::views::reverse) {
    std::vector<PartMove>& of_step = back.emplace_back();
    for (const PartMove& move : step) of_step.push_back({move.to, move.from, move.part});
  }
  return back;
}

PartSchedule schedule_of(const MachineSpec& machine, const PartMoves& moves, bool combines) {
  // A rank's k-th send and k-th receipt of a step are in lane k.
  struct Lane {
    Rank to = no_rank;
    std::vector<Rank> sent{};
    Rank from = no_rank;
    std::vector<Rank> received{};
  };
  using LanesOfStep = std::vector<Lane>;
  const Cycle steps = moves.size();
  auto lanes_of = std::make_shared<std::vector<LanesOfStep>>(machine.processors * steps);  // rank by rank
  for (Cycle step = 0; step < steps; ++step) {
    for_messages(moves[step], [&](std::span<const PartMove> message) {
      const auto& [from, to, part] = message.front();
      LanesOfStep& sender = (*lanes_of)[from * steps + step];
      auto free = std::ranges::find(sender, no_rank, &Lane::to);
      if (free == sender.end()) free = sender.insert(free, Lane{});
      free->to = to;
      LanesOfStep& receiver = (*lanes_of)[to * steps + step];
      auto empty = std::ranges::find(receiver, no_rank, &Lane::from);
      if (empty == receiver.end()) empty = receiver.insert(empty, Lane{});
      empty->from = from;
      for (const PartMove& move : message) {
        free->sent.push_back(move.part);
        empty->received.push_back(move.part);
      }
    });
  }
  std::size_t lanes = 1;
  for (const LanesOfStep& one : *lanes_of) lanes = std::max(lanes, one.size());
  return {steps,
          [lanes_of, steps, lanes, combines](Rank rank, Cycle number) -> PartStep {
            const LanesOfStep& of_step = (*lanes_of)[rank * steps + number / lanes];
            if (number % lanes >= of_step.size()) return {};
            const Lane& lane = of_step[number % lanes];
            return {
                .to = lane.to, .sent = lane.sent, .from = lane.from, .received = lane.received, .combines = combines};
          },
          lanes};
}

MovedMessages add_moves(const PartMoves& moves, const Parts& parts, method::StepLengths& lengths) {
  const std::vector<std::uint64_t> sizes = sizes_of(parts);
  MovedMessages all;
  for (const std::vector<PartMove>& step : moves) {
    std::uint64_t longest = 0;
    for_messages(step, [&](std::span<const PartMove> message) {
      std::uint64_t length = 0;
      for (const PartMove& move : message) length += sizes[move.part];
      longest = std::max(longest, length);
      all.words += length;
      ++all.count;
    });
    lengths.add(1, longest);
  }
  return all;
}

Wide most_combined_in_reverse(const PartMoves& moves, const Parts& parts) {
  const std::vector<std::uint64_t> sizes = sizes_of(parts);
  Wide sum = 0;
  std::vector<std::uint64_t> combined(parts.count());  // by rank
  for (const std::vector<PartMove>& step : moves) {
    std::uint64_t most = 0;
    for (const PartMove& move : step) most = std::max(most, combined[move.from] += sizes[move.part]);
    for (const PartMove& move : step) combined[move.from] = 0;
    sum += most;
  }
  return sum;
}

std::vector<Wide> longest_messages(const PartMoves& moves) {
  std::vector<Wide> longest;
  for (const std::vector<PartMove>& step : moves) {
    Wide& most = longest.emplace_back();
    for_messages(step, [&](std::span<const PartMove> message) { most = std::max<Wide>(most, message.size()); });
  }
  return longest;
}

Wide count(const PartMoves& moves) {
  Wide messages = 0;
  for (const std::vector<PartMove>& step : moves) {
    for_messages(step, [&](std::span<const PartMove>) { ++messages; });
  }
  return messages;
}

}  // namespace lockstep::parts
