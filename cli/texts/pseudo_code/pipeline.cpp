#include <algorithm>

#include "lockstep/algorithms/packets.hpp"
#include "lockstep/machines/grid.hpp"
#include "program.hpp"

namespace lockstep::cli::texts::pseudo_code::pipeline {
namespace {

/// The packets in flight, for the given numbers of packets and hops: packet p makes hop t - p in cycle t.
std::string moving(std::uint64_t hops, std::uint64_t packets, Cycle t) {
  const std::uint64_t first = t < hops ? 0 : t - hops + 1;
  const std::uint64_t last = std::min(t, packets - 1);
  if (first == last) return value("t", t) + ": packet " + std::to_string(first) + " moves";
  return value("t", t) + ": packets " + std::to_string(first) + " to " + std::to_string(last) + " move";
}

/// The packets follow each other over the hops to the farthest processor. Empty if processors take turns.
std::optional<PseudoProgram> pipeline(const RunPlan& plan, std::uint64_t hops, std::string_view heading) {
  if (packet_interval(plan.model, hops, plan.machine.medium.has_value()) > 1) return {};
  const std::uint64_t packets = *plan.settings.packets;
  const ProgramText text(heading);
  return text.with(repeats(text.line("send"), hops == 0 ? 0 : hops + packets - 1,
                           [=](Cycle t) { return moving(hops, packets, t); }));
}

std::optional<PseudoProgram> once_round(const RunPlan& plan) {
  return pipeline(plan, plan.machine.processors - 1, "broadcast/ring");
}

std::optional<PseudoProgram> two_way(const RunPlan& plan) {
  return pipeline(plan, plan.machine.processors / 2, "broadcast/two-way");
}

std::optional<PseudoProgram> sbt(const RunPlan& plan) {
  return pipeline(plan, plan.machine.ports, "broadcast/sbt-pipelined");
}

std::optional<PseudoProgram> axis(const RunPlan& plan) {
  return pipeline(plan, Grid(plan.machine).eccentricity(root_of(plan.settings)), "broadcast/axis");
}

std::optional<PseudoProgram> tree(const RunPlan& plan) {
  const std::uint64_t packets = *plan.settings.packets;
  const std::uint64_t period = plan.machine.processors == 2 ? 1 : 2;  // with two there is no right child
  const ProgramText text("broadcast/tree", {period == 1 ? "one child" : "two children"});
  return text.with(lasts(predicted_steps(plan), [=](Cycle t) -> ProgramPlace {
    const std::uint64_t packet = t / period;
    const std::string where =
        packet < packets ? "packet " + std::to_string(packet) + " leaves the root" : "all packets have left the root";
    return {text.line(t % period == 0 ? "even" : "odd"), value("t", t) + ": " + where};
  }));
}

constexpr MethodProgram entries[] = {
    {"broadcast/axis", axis},         {"broadcast/one-way", once_round}, {"broadcast/ring", once_round},
    {"broadcast/sbt-pipelined", sbt}, {"broadcast/tree", tree},          {"broadcast/two-way", two_way},
};

}  // namespace

std::span<const MethodProgram> programs() { return entries; }

}  // namespace lockstep::cli::texts::pseudo_code::pipeline
