#include "lockstep/algorithms/per_rank.hpp"
#include "method/entry_parts.hpp"
#include "method/switches.hpp"
#include "send.hpp"

// Sends over a medium that takes the item to its destination without a processor between.
namespace lockstep {
namespace send {
namespace {

// One message. Saad & Schultz 1988, (3.1) and section 3.1(f) (saad-schultz-1988.md, Bus, Switch).
Process send_directly(Processor<Block>& self, Rank from, Rank to, Block& item) {
  if (self.rank() == from && from != to) {
    self.send(to, item);
  } else if (self.rank() == to && from != to) {
    item = co_await self.message(from);
  }
  self.hold(item.size());
}

// The source writes the item, then the destination reads it. Saad & Schultz 1988, (3.2) (saad-schultz-1988.md, Shared
// memory).
Process send_through_memory(Processor<Block>& self, Rank from, Rank to, Block& item) {
  constexpr Slot slot = 0;
  if (self.rank() == from && from != to) {
    self.write(slot, item);
  } else if (self.rank() == to && from != to) {
    co_await self.until(1);
    item = co_await self.read(slot);
  }
  self.hold(item.size());
}

bool moves(const Settings& settings) { return source(settings) != destination(settings); }

constexpr NumberParameter direct_words_parameter{{"words", "words of the whole item, at least 1", "1"},
                                                 &Settings::words};

void resolve_direct(const MachineSpec& machine, const Model&, Settings& settings) {
  resolve_source(machine, settings);
  // All others are at the same distance from the source.
  const std::uint64_t lowest_other = *settings.source == 0 && machine.processors > 1 ? 1 : 0;
  destination_parameter.resolve(machine, settings, lowest_other);
  direct_words_parameter.resolve(settings);
}

/// That many messages, one a step.
Prediction predict_messages(const Settings& settings, std::uint64_t messages) {
  if (!moves(settings)) return method::nothing_moves();
  const std::uint64_t N = *settings.words;
  const std::string text = std::to_string(messages);
  const std::string words_text = messages == 1 ? "N" : text + " N";
  return {.steps = Count{messages, true, text},
          .messages = Count{messages, true, text},
          .words = Count{messages * N, true, words_text},
          .longest_sum = Count{messages * N, true, words_text},
          .message_words = N};
}

Prediction predict_direct(const MachineSpec&, const Model&, const Settings& settings) {
  return predict_messages(settings, 1);
}

Prediction predict_through_memory(const MachineSpec&, const Model&, const Settings& settings) {
  return predict_messages(settings, 2);
}

LowerBound bound_of_direct(const MachineSpec&, const Model&, const Settings& settings) {
  if (!moves(settings)) return {.steps = 0, .longest_sum = 0};
  return {.steps = 1, .longest_sum = *settings.words};
}

// The item, whose memory both ends share, and the oracle's.
std::uint64_t bytes_of_direct(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t slots = machine.medium->kind == MediumKind::memory ? 1 : 0;
  return saturated(Wide{machine_bytes<Block>(machine, model, slots)} + Wide{machine.processors} * sizeof(Block) +
                   Wide{2} * *settings.words * sizeof(Word));
}

std::vector<std::string_view> bus_and_switches() {
  std::vector<std::string_view> families = method::all_switches();
  families.insert(families.begin(), "bus");
  return families;
}

using DirectSend = Process (*)(Processor<Block>& self, Rank from, Rank to, Block& item);

Outcome run_direct(const RunRequest& request, DirectSend program, std::size_t memory_slots) {
  PerRank<Block> items = initial_items(request);
  Outcome outcome;
  outcome.report = run_program<Block>(
      request,
      [&](Processor<Block>& self) {
        return program(self, source(request.settings), destination(request.settings), items[self.rank()]);
      },
      memory_slots);
  verify(request, items, outcome);
  return outcome;
}

}  // namespace
}  // namespace send

extern const Method send_direct_method{
    .name = "send/direct",
    .operation = "send",
    .known_as = "one to one",
    .families = send::bus_and_switches(),
    .source = "Saad & Schultz 1988, (3.1) and section 3.1(f) (saad-schultz-1988.md, Bus, Switch)",
    .summary = "the whole item in one message",
    .parameters = {send::direct_words_parameter, send::source_parameter, send::destination_parameter},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = send::resolve_direct,
    .predict = send::predict_direct,
    .proven = send::bound_of_direct,
    .bytes = send::bytes_of_direct,
    .run = [](const RunRequest& request) { return send::run_direct(request, send::send_directly, 0); },
};

extern const Method send_direct_shared_method{
    .name = "send/direct",
    .operation = "send",
    .known_as = "one to one",
    .families = {"shared"},
    .source = "Saad & Schultz 1988, (3.2) (saad-schultz-1988.md, Shared memory)",
    .summary = "the source writes the item, then the destination reads it",
    .parameters = {send::direct_words_parameter, send::source_parameter, send::destination_parameter},
    .port_models = {PortModel::one},
    .strictest_duplex = Duplex::half_node,
    .resolve = send::resolve_direct,
    .predict = send::predict_through_memory,
    .bytes = send::bytes_of_direct,
    .run = [](const RunRequest& request) { return send::run_direct(request, send::send_through_memory, 1); },
};

}  // namespace lockstep
