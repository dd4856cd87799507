#include "scheduled.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "lockstep/core/spread.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "parts/carry_out.hpp"
#include "pipelined.hpp"

namespace lockstep::broadcast {
namespace {

void take(const parts::PartStep& step, const parts::Parts& parts, const Block& message, Block& item) {
  std::uint64_t due = 0;
  for (const Rank part : step.received) due += parts.size(part);
  if (message.size() != due) {
    throw std::logic_error("a packet of " + std::to_string(message.size()) + " words came where one of " +
                           std::to_string(due) + " was due");
  }
  parts::scatter(message, parts, step.received, item);
}

Process broadcast_by_schedule(Processor<Block>& self, const parts::PartSchedule& schedule, const parts::Parts& parts,
                              Block& item) {
  if (item.size() == 0) item = Block(parts.first(parts.count()));
  return parts::carry_out(
      self, schedule, item.size(),
      [&](const parts::PartStep& step, Cycle) { return parts::gathered(item, parts, step.sent); },
      [&](const parts::PartStep& step, Cycle, const Block& message) { take(step, parts, message, item); });
}

}  // namespace

parts::PartSchedule from_root(parts::PartSchedule schedule, Rank root, Rank ranks) {
  return parts::moved(
      std::move(schedule), [=](Rank rank) { return offset_from(root, rank, ranks); },
      [=](Rank place) { return shifted(root, place, ranks); });
}

Method scheduled_with_defaults(Method own) {
  return pipelined_with_defaults(filled_in(
      std::move(own),
      {.families = {"switch", "complete"},
       .parameters = {packets_words_parameter, scheduled_packets, root_parameter, input_parameter, output_parameter}}));
}

std::uint64_t bytes_in_parts(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t frame = 350;                               // of the program, beyond that of bytes()
  const Wide item = 5 * Wide{allocated_bytes(*settings.words)} / 4;  // with what is under way
  const Wide all_links = Wide{machine.processors} * machine.ports;
  return saturated(bytes_over(machine, model, settings, all_links) + machine.processors * (frame + item));
}

Outcome run_schedule(const RunRequest& request, const parts::PartSchedule& schedule, const parts::Parts& parts) {
  return run(request,
             [&](Processor<Block>& self, Block& item) { return broadcast_by_schedule(self, schedule, parts, item); });
}

void resolve_packets(const MachineSpec& machine, const Model& model, Settings& settings,
                     const packets::PacketFlow& flow) {
  resolve_parts(machine, model, settings, 1);
  scheduled_packets.resolve(settings, flow, model.cost);
}

Prediction predict_packets(const MachineSpec& machine, const Model& model, const Settings& settings,
                           const packets::PacketFlow& flow, std::string steps, bool is_exact) {
  const Wide others = machine.processors - 1;
  const Split packets(*settings.words, *settings.packets);
  const StepCounts counts = packets::count_steps(flow, packets, model.cost);
  if (counts.steps == 0) steps = std::string("0");
  Prediction prediction{
      .steps = Count{counts.steps, true, std::move(steps)},
      .messages = exact_count(others * packets.pieces(), "(p - 1) n"),
      .words = exact_count(others * packets.words(), "(p - 1) m"),
      .longest_sum = Count{counts.longest_sum, is_exact, "S floor(m/n), and a word for each step of a longer packet"},
      .longest_startups = is_exact ? std::optional(counts.startups) : std::nullopt};
  if (packets.longer() == 0) prediction.message_words = packets.shortest();
  return prediction;
}

}  // namespace lockstep::broadcast
