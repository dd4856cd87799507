#include <algorithm>

#include "lockstep/algorithms/packets.hpp"
#include "lockstep/machines/grid.hpp"
#include "program.hpp"

namespace lockstep::cli::pseudo_code {
namespace {

/// Those of so many packets that are on their way over so many hops: packet p makes hop t - p in cycle t.
std::string moving(std::uint64_t hops, std::uint64_t packets, Cycle t) {
  const std::uint64_t first = t < hops ? 0 : t - hops + 1;
  const std::uint64_t last = std::min(t, packets - 1);
  if (first == last) return value("t", t) + ": packet " + std::to_string(first) + " moves";
  return value("t", t) + ": packets " + std::to_string(first) + " to " + std::to_string(last) + " move";
}

/// The packets follow each other over the hops to the farthest processor; line 4 sends. None where processors take
/// turns.
std::optional<Program> pipeline(const RunPlan& plan, std::uint64_t hops, std::string why,
                                std::vector<std::string> lines) {
  if (packet_interval(plan.model, hops, plan.machine.medium.has_value()) > 1) return {};
  const std::uint64_t packets = *plan.settings.packets;
  constexpr std::size_t sends = 4;
  return Program{.why = std::move(why),
                 .lines = std::move(lines),
                 .place_in = repeats(sends, hops == 0 ? 0 : hops + packets - 1,
                                     [=](Cycle t) { return moving(hops, packets, t); })};
}

std::optional<Program> once_round(const RunPlan& plan) {
  return pipeline(plan, plan.machine.processors - 1,
                  "Cut into packets the item is sent on while the rest of it still comes: after the first packet has "
                  "been everywhere, one more arrives in every step.",
                  {"place = (rank - root) mod k; the item is cut into nu packets", "for t = 0, 1, 2, ..:",
                   "  p = t - place", "  if 0 <= p < nu and place < k - 1:", "    send packet p to the next place"});
}

std::optional<Program> two_way(const RunPlan& plan) {
  return pipeline(plan, plan.machine.processors / 2,
                  "The same packets go both ways round, so that the last processor is only half a round away.",
                  {"place = links between rank and root; the item is cut into nu packets",
                   "for t = 0, 1, 2, ..:", "  p = t - place", "  if 0 <= p < nu and there are processors farther on:",
                   "    send packet p on; the root sends it both ways"});
}

std::optional<Program> sbt(const RunPlan& plan) {
  return pipeline(
      plan, plan.machine.ports,
      "Packet follows packet down the spanning binomial tree: a processor needs all its ports at once, where "
      "a single message goes out over one after the other.",
      {"rel = rank xor root; the item is cut into nu packets",
       "for t = 0, 1, 2, ..:", "  p = t - number of ones in rel",
       "  if 0 <= p < nu:", "    send packet p over all dimensions d with 2^d > rel"});
}

std::optional<Program> axis(const RunPlan& plan) {
  return pipeline(
      plan, Grid(plan.machine).eccentricity(root_of(plan.settings)),
      "Packets go along the root's column, from it along all rows, and so on: whoever differs from the root in the "
      "last "
      "dimension sends on one port only.",
      {"far = links between rank and root; the item is cut into nu packets", "for t = 0, 1, 2, ..:", "  p = t - far",
       "  if 0 <= p < nu:", "    send packet p away from the root: along the last dimension in which",
       "      they differ, and both ways along every later one"});
}

std::optional<Program> tree(const RunPlan& plan) {
  const std::uint64_t packets = *plan.settings.packets;
  const std::uint64_t period = plan.machine.processors == 2 ? 1 : 2;  // of two there is no right child
  std::vector<std::string> lines{
      "label = 1 + (rank - root) mod k, of k = 2^n processors",
      "children: 2 label and 2 label + 1 if below k, and k of k / 2",
      "for p = 0 .. nu - 1:", "  take packet p from the parent; the root cuts it off the item",
      period == 1 ? "  send it to the child" : "  in an even cycle t: send it to the left child"};
  if (period == 2) lines.emplace_back("  in an odd cycle t: send it to the right child");
  return Program{.why =
                     "One port serves two children in turns, so that packets leave every two steps; but the last leaf "
                     "is only 2 (log2 k - 1) steps away, and the end of a ring k - 1.",
                 .lines = std::move(lines),
                 .place_in = lasts(predicted_steps(plan), [=](Cycle t) -> Place {
                   const std::uint64_t packet = t / period;
                   const std::string where = packet < packets ? "packet " + std::to_string(packet) + " leaves the root"
                                                              : "all packets have left the root";
                   return {4 + t % period, value("t", t) + ": " + where};
                 })};
}

constexpr Entry entries[] = {
    {"broadcast/axis", axis},         {"broadcast/one-way", once_round}, {"broadcast/ring", once_round},
    {"broadcast/sbt-pipelined", sbt}, {"broadcast/tree", tree},          {"broadcast/two-way", two_way},
};

}  // namespace

std::span<const Entry> pipeline_programs() { return entries; }

}  // namespace lockstep::cli::pseudo_code
