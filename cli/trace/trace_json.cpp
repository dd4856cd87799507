#include <nlohmann/json.hpp>
#include <ostream>

#include "flags/setting_flags.hpp"
#include "host/number_text.hpp"
#include "host/version.hpp"
#include "lockstep/core/observer.hpp"
#include "report/fields.hpp"
#include "report/json_report.hpp"
#include "trace_forms.hpp"

namespace lockstep::cli::trace {
namespace {

using Json = nlohmann::ordered_json;

template <class List, class Text>
std::string list_of(const List& list, const Text& text_of) {
  std::string text = "[";
  for (const auto& element : list) text += (text.size() > 1 ? "," : "") + text_of(element);
  return text + "]";
}

std::string receivers_text(const TracedRun& run, const run::TracedMessage& message) {
  const auto& receivers = run.trace.receivers(message);
  if (receivers.front().rank == memory_rank) return "null";
  if (!run.plan().machine.medium || message.from == memory_rank) return std::to_string(receivers.front().rank);
  return list_of(receivers, [](const End& to) { return std::to_string(to.rank); });
}

std::string blocks_text(const run::Trace& trace, const run::TracedMessage& message) {
  if (!message.lists_blocks) return "null";
  return list_of(trace.blocks(message), [](const BlockLabels& block) {
    if (block.origin == block.destination) return std::to_string(block.origin);
    return "[" + std::to_string(block.origin) + "," + std::to_string(block.destination) + "]";
  });
}

/// The fate of a message: one if it is the same for all receivers, empty if it arrives at all of them.
std::string fate_text(std::span<const Fate> fates) {
  const auto quoted = [](Fate fate) { return "\"" + std::string(name(fate)) + "\""; };
  const bool is_one = std::ranges::adjacent_find(fates, std::ranges::not_equal_to()) == fates.end();
  if (fates.empty() || (is_one && fates.front() == Fate::arrives)) return {};
  return ",\"fate\":" + (is_one ? quoted(fates.front()) : list_of(fates, quoted));
}

// Written directly as text: values of a JSON library take about a hundred bytes per number.
std::string transfer_text(const TracedRun& run, const run::TracedMessage& message) {
  const run::Trace& trace = run.trace;
  const auto& medium = run.plan().machine.medium;
  std::string text = "{\"cycle\":" + std::to_string(message.cycle);
  text += ",\"from\":" + (message.from == memory_rank ? "null" : std::to_string(message.from));
  text += ",\"port\":" + (medium ? "null" : std::to_string(message.port));
  text += ",\"to\":" + receivers_text(run, message);
  if (medium && medium->kind == MediumKind::memory) {
    text += ",\"slots\":" + list_of(trace.receivers(message), [](const End& to) { return std::to_string(to.port); });
  }
  text += ",\"words\":" + std::to_string(message.words) + ",\"startups\":" + std::to_string(message.startups);
  text += ",\"blocks\":" + blocks_text(trace, message);
  const std::string& phase = trace.phase(message);
  text += ",\"phase\":" + (phase.empty() ? "null" : Json(phase).dump());
  text += fate_text(trace.fates(message));
  return text + ",\"start\":" + host::all_digits(message.start) + ",\"end\":" + host::all_digits(message.end) + "}";
}

Json header(const TracedRun& run) {
  const run::RunPlan& plan = run.plan();
  const run::LeftOut& left_out = run.trace.left_out();
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"machine",
           {{"spec", plan.machine.text}, {"family", plan.machine.family}, {"processors", plan.machine.processors}}},
          {"algorithm",
           {{"name", plan.name},
            {"operation", plan.method->operation},
            {"parameters", flags::setting_values(*plan.method, plan.settings)}}},
          {"model", report::json_model(plan)},
          {"status", name(run.record.status)},
          {"error", run.error.empty() ? Json() : Json(run.error)},
          {"has_parts", run.trace.has_parts()},
          {"left_out",
           {{"before_from_cycle", left_out.before_from_cycle},
            {"of_other_ranks", left_out.of_other_ranks},
            {"past_max_events", left_out.past_max_events},
            {"block_lists", left_out.block_lists}}}};
}

}  // namespace

void write_trace_json(const TracedRun& run, std::ostream& out) {
  std::string start = report::json_text(header(run));
  start.resize(start.rfind("\n}"));  // the last member follows
  out << start << ",\n  \"transfers\": [";
  const char* separator = "\n    ";
  for (const run::TracedMessage& message : run.trace.messages()) {
    out << separator << transfer_text(run, message);
    separator = ",\n    ";
  }
  out << (run.trace.messages().empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace lockstep::cli::trace
