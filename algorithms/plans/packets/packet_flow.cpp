#include "packet_flow.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::packets {

StepCounts count_steps(const PacketFlow& flow, const Split& packets, const CostModel& cost) {
  const std::uint64_t all = flow(packets.pieces(), packets.pieces());
  const std::uint64_t longer = packets.longer() == 0 ? 0 : flow(packets.pieces(), packets.longer());
  const std::uint64_t shortest = packets.shortest();
  StepCounts counts{all, all * shortest + longer, (all - longer) * cost.startups(shortest)};
  if (longer > 0) counts.startups += longer * cost.startups(shortest + 1);
  return counts;
}

void FlowPackets::resolve(Settings& settings, const PacketFlow& flow, const CostModel& cost) const {
  const std::uint64_t words = *settings.words;
  const TurningPoints quotients{.words = {words}, .packets = {}, .reach = 0};
  PacketsParameter::resolve(
      settings, 1, quotients,
      [&](std::uint64_t packets) { return count_steps(flow, Split(words, packets), cost).time(cost); },
      [&](std::uint64_t packets) { return least_time(flow(packets, packets), words / packets, cost); });
}

PacketFlow flow_over_hops(std::uint64_t hops) {
  return [hops](std::uint64_t, std::uint64_t first) { return hops == 0 ? 0 : first + hops - 1; };
}

PacketFlow flow_down_trees(std::uint64_t period, const std::vector<std::vector<std::uint64_t>>& offsets) {
  const std::uint64_t trees = offsets.size();
  std::uint64_t span = 0;
  for (const auto& of_tree : offsets) {
    for (const std::uint64_t offset : of_tree) span = std::max(span, offset + 1);
  }
  if (span == 0) return flow_over_hops(0);
  // The first packets one by one: once the earliest have arrived, one more packet per tree takes a period more.
  std::vector<std::uint64_t> known{0};
  std::vector<bool> moves;
  for (std::uint64_t packet = 0; packet < trees * (span / period + 2); ++packet) {
    const std::uint64_t start = packet / trees * period;
    moves.resize(start + span);
    std::uint64_t more = 0;
    for (const std::uint64_t offset : offsets[packet % trees]) {
      if (!moves[start + offset]) ++more;
      moves[start + offset] = true;
    }
    known.push_back(known.back() + more);
  }
  std::uint64_t settled = known.size() - 1 - trees;
  while (settled > 0 && known[settled - 1 + trees] - known[settled - 1] == period) --settled;
  known.resize(settled + trees);
  return [period, trees, settled, known = std::move(known)](std::uint64_t, std::uint64_t first) {
    if (first < known.size()) return known[first];
    const std::uint64_t rounds = (first - settled) / trees;
    return known[first - rounds * trees] + rounds * period;
  };
}

}  // namespace lockstep::packets
