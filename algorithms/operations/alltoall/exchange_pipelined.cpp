#include <algorithm>

#include "exchange_packets.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"

namespace lockstep {
namespace alltoall {
namespace {

// Packet i crosses dimension n-1-j in cycle i + j: a pipeline of n hops. Johnsson & Ho, section 3.2 (johnsson-ho.md,
// Pipelined exchange).
class Pipelined : public PacketPlan {
 public:
  using PacketPlan::PacketPlan;

  std::uint64_t cycles() const override { return dimensions() == 0 ? 0 : packets().pieces() + dimensions() - 1; }

  std::optional<std::uint64_t> packet(std::uint64_t cycle, Port dimension) const override {
    const std::uint64_t behind = dimensions() - 1 - dimension;
    if (cycle < behind || cycle - behind >= packets().pieces()) return std::nullopt;
    return cycle - behind;
  }
};

constexpr NumberParameter packets_parameter{
    {"packets", "packets in which each exchange is cut, each a word or more", fallback_packets}, &Settings::packets};

Pipelined plan_of(const MachineSpec& machine, const Settings& settings) {
  return {static_cast<Port>(machine.ports), *settings.words, *settings.packets};
}

Pipeline pipeline(const MachineSpec& machine, std::uint64_t words, std::uint64_t packets) {
  return {.hops = machine.ports, .packets = Split(machine.processors / 2 * words, packets)};
}

void resolve_packets(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_exchanged_words(machine, settings);
  const std::uint64_t most = std::max<std::uint64_t>(machine.processors / 2, 1) * *settings.words;
  const auto time = [&](std::uint64_t packets) {
    return count_steps(pipeline(machine, *settings.words, packets), model.cost).time(model.cost);
  };
  const std::uint64_t best = settings.packets ? 1 : cheapest({.words = {most}}, most, time);
  packets_parameter.resolve(settings, {.most = most, .otherwise = best});
}

Prediction predict_exchange_pipelined(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide n = machine.ports;
  const Wide k = machine.processors;
  const std::uint64_t packets = *settings.packets;
  const Pipeline every = pipeline(machine, *settings.words, packets);
  const StepCounts counts = count_steps(every, model.cost);
  const Wide startups = Wide{every.packets.longer()} * model.cost.startups(every.packets.longest()) +
                        Wide{packets - every.packets.longer()} * model.cost.startups(every.packets.shortest());
  return {.steps = exact_count(counts.steps, "NU + n - 1"),
          .messages = exact_count(n == 0 ? 0 : packets * n * k, "NU n 2^n"),
          .words = exact_count(n * k * every.packets.words(), "n 2^(2n-1) b"),
          .longest_sum = exact_count(counts.longest_sum, "2^(n-1) b + (n-1) ceil(2^(n-1) b/NU)"),
          .longest_startups = counts.startups,
          .startups = exact_count(n == 0 ? 0 : n * k * startups, "n 2^n sum_p ceil(words of packet p/B_m)")};
}

std::uint64_t bytes_exchange_pipelined(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_of_packets(machine, model, settings, *settings.packets);
}

Outcome run_pipelined(const RunRequest& request) {
  return run_packets(request, plan_of(request.machine, request.settings));
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_exchange_pipelined_method = alltoall::with_defaults({
    .name = "alltoall/exchange-pipelined",
    .known_as = "all-to-all personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.2 (johnsson-ho.md, Pipelined exchange)",
    .summary =
        "as exchange, in packets: while one crosses a dimension, those before it cross the next ones; all links work "
        "in the end",
    .parameters = {alltoall::words_parameter, alltoall::packets_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve = alltoall::resolve_packets,
    .predict = alltoall::predict_exchange_pipelined,
    .bytes = alltoall::bytes_exchange_pipelined,
    .run = alltoall::run_pipelined,
});

}  // namespace lockstep
