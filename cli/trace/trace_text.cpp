#include <algorithm>
#include <optional>
#include <ostream>
#include <span>

#include "host/number_text.hpp"
#include "lockstep/core/printable.hpp"
#include "trace_forms.hpp"
#include "trace_words.hpp"

namespace lockstep::cli::trace {
namespace {

/// A line for each group of processors that hold the same blocks, if any.
std::string holders_text(const Holders& holders) {
  std::string text;
  for (const auto& [ranks, blocks] : holders.groups()) {
    text += "  ●" + ranks_text(ranks) + "  " + text_of_blocks(blocks) + "\n";
  }
  return text;
}

/// ", dropped", or ", dropped for 2 3, delayed for 5" if receivers differ; around a memory, slots.
std::string fate_text(const run::Trace& trace, const run::TracedMessage& message) {
  const std::span<const Fate> fates = trace.fates(message);
  const std::span<const End> receivers = trace.receivers(message);
  const bool in_memory = message.from == memory_rank || receivers.front().rank == memory_rank;
  std::string text;
  for (const Fate fate : {Fate::dropped, Fate::delayed, Fate::corrupted}) {
    const auto count = static_cast<std::size_t>(std::ranges::count(fates, fate));
    if (count == 0) continue;
    text.append(", ").append(name(fate));
    if (count == fates.size()) continue;
    text += " for";
    for (std::size_t index = 0; index < fates.size(); ++index) {
      if (fates[index] != fate) continue;
      text += " " + std::to_string(in_memory ? receivers[index].port : receivers[index].rank);
    }
  }
  return text;
}

std::string message_text(const TracedRun& run, const run::TracedMessage& message, std::size_t width) {
  std::string text = "  " + ends_text(run.trace, message, width) + "   ";
  if (!run.plan().machine.medium) text += "port " + std::to_string(message.port) + ", ";
  text += host::counted(message.words, "word");
  if (message.lists_blocks && message.blocks > 0) text += ", " + text_of_blocks(run.trace.blocks(message));
  text += ", time " + host::short_number(message.start) + " to " + host::short_number(message.end);
  const std::string& phase = run.trace.phase(message);
  text += phase.empty() ? "" : ", " + printable(phase);
  return text + fate_text(run.trace, message) + "\n";
}

std::string end_text(const TracedRun& run) {
  const run::RunRecord& record = run.record;
  if (!record.has_ended()) return std::string(name(record.status)) + ": " + printable(run.error, 2000) + "\n";
  const Report& report = record.outcome.report;
  return std::string(name(record.status)) + ": " + host::counted(report.steps, "step") + ", " +
         host::counted(report.messages, "message") + ", " + host::counted(report.words, "word") + ", time " +
         host::short_number(report.time_synchronous) + " synchronous, " + host::short_number(report.time_asynchronous) +
         " asynchronous\n";
}

}  // namespace

void write_trace_text(const TracedRun& run, std::ostream& out) {
  const run::Trace& trace = run.trace;
  const run::RunPlan& plan = run.plan();
  const std::size_t width = rank_width(plan.machine);
  std::optional<Holders> holders = holders_of(run);
  const std::string guest = plan.embedding ? " of " + printable(plan.embedding->guest) : "";
  out << printable(plan.name) + guest + " on " + printable(plan.machine.text) + "\n";
  if (holders) out << holders_text(*holders);
  for (std::size_t index = 0; index < trace.cycles().size(); ++index) {
    const auto messages = trace.messages_of(index);
    out << "\ncycle " + std::to_string(trace.cycles()[index].cycle) + ": " + host::counted(messages.size(), "message") +
               "\n";
    for (const run::TracedMessage& message : messages) out << message_text(run, message, width);
    if (!holders) continue;
    holders->move(messages);
    out << holders_text(*holders);
  }
  out << "\n";
  if (const std::string line = left_out_line(trace); !line.empty()) out << line + "\n";
  out << end_text(run);
}

}  // namespace lockstep::cli::trace
