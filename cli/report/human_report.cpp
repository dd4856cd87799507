#include "human_report.hpp"

#include <algorithm>
#include <cmath>

#include "fault_text.hpp"
#include "flags/setting_flags.hpp"
#include "host/joined.hpp"
#include "host/number_text.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/core/memory.hpp"
#include "lockstep/core/printable.hpp"
#include "schedule_report.hpp"

namespace lockstep::cli::report {
namespace {

constexpr std::size_t label_width = 15;
constexpr std::size_t number_width = 16;

std::string line(const host::Style& style, std::string_view label, const std::string& text) {
  return style.heading(host::left(label, label_width)) + text + "\n";
}

std::string machine_line(const run::RunRecord& record) {
  const MachineFacts& facts = record.facts;
  std::string degree = std::to_string(facts.degree_min);
  if (facts.degree_max != facts.degree_min) degree += " to " + std::to_string(facts.degree_max);
  return printable(record.plan.machine.text) + ": " + host::counted(facts.processors, "processor") + ", " +
         host::counted(facts.links, "link") + ", degree " + degree + ", diameter " +
         (facts.diameter ? host::grouped(*facts.diameter) : "not known");
}

/// "; root 14 is rank 5 of torus:3x5": where a guest's ranks are; empty if there are none.
std::string places_text(const run::RunPlan& plan) {
  const std::vector<run::PlacedRank> ranks = run::placed_ranks(plan);
  if (ranks.empty()) return {};
  return "; " +
         host::joined(ranks,
                      [](const run::PlacedRank& rank) {
                        return std::string(rank.parameter) + " " + std::to_string(rank.of_guest) + " is rank " +
                               std::to_string(rank.of_host);
                      }) +
         " of " + printable(plan.machine.text);
}

/// The guest whose method runs on the machine, its costs and its places; empty if there is none.
std::string guest_line(const run::RunRecord& record, const host::Style& style) {
  if (!record.plan.embedding) return {};
  const Embedding& embedding = *record.plan.embedding;
  const auto times = run::slowdown(record);
  const std::string text =
      printable(embedding.guest) + ": " + embedding.map +
      (times ? "; " + host::short_number(std::round(*times * 1000) / 1000) + " times its own steps" : "") +
      places_text(record.plan);
  return style.heading(host::left(embedding.is_emulation ? "emulates" : "holds", label_width)) +
         host::wrapped("", text, label_width, host::line_width()).substr(label_width);
}

std::string algorithm_line(const run::RunPlan& plan) {
  return printable(plan.name) + " " + flags::setting_text(*plan.method, plan.settings, "--", " ");
}

std::string rules_line(const Model& model) {
  return "ports " + std::string(name(model.ports)) + ", duplex " + std::string(name(model.duplex)) + ", multicast " +
         (model.multicast ? "on" : "off");
}

std::string costs_line(const run::RunPlan& plan) {
  const CostModel cost = run::given_model(plan).cost;
  std::string text =
      "beta " + host::short_number(cost.beta) + " a start-up, tau " + host::short_number(cost.tau) + " a word";
  if (cost.max_packet_words != 0) text += ", packets of at most " + host::counted(cost.max_packet_words, "word");
  if (cost.copy_cost != 0) text += ", " + host::short_number(cost.copy_cost) + " a word copied";
  if (cost.flop != 0) text += ", " + host::short_number(cost.flop) + " an operation";
  if (cost.scan_cost != 0) text += ", " + host::short_number(cost.scan_cost) + " a look at a block";
  if (plan.stage_cost != 0) {
    text += ", " + host::short_number(plan.stage_cost) + " a stage: " + host::short_number(plan.model.cost.beta) +
            " a start-up in all";
  }
  if (cost.switching != Switching::store_and_forward) {
    text += ", " + std::string(name(cost.switching)) + ", " + host::short_number(cost.hop_cost) + " a header's hop";
  }
  if (cost.startup == StartupPer::path) text += ", start-ups once a path";
  return text;
}

/// The preset of the costs, with its unit and source; empty without one.
std::string preset_lines(const run::RunPlan& plan) {
  if (plan.preset == nullptr) return {};
  const CostPreset& preset = *plan.preset;
  return host::wrapped("", "preset " + std::string(preset.name) + ": " + preset.units(), label_width,
                       host::line_width()) +
         host::wrapped("", "source: " + std::string(preset.source), label_width, host::line_width());
}

std::string comparison(const run::PredictedCount& count, const host::Style& style) {
  const Count& predicted = *count.predicted;
  const std::string sign = count.counted == predicted.value ? "=" : count.counted < predicted.value ? "<" : ">";
  return "  " + (count.holds() ? style.good(sign) : style.bad(sign)) +
         host::right(host::grouped(predicted.value), number_width) + (predicted.exact ? "   exactly " : "   at most ") +
         predicted.formula;
}

/// The name of a count in text: "longest sum".
std::string spaced(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string counts_table(const run::RunRecord& record, const host::Style& style) {
  std::string text = line(style, "",
                          host::right("counted", number_width) + "   " + host::right("predicted", number_width) +
                              "   `lockstep run --help` explains them");
  for (const run::PredictedCount& count : run::predicted_counts(record)) {
    if (count.only_if_predicted && !count.predicted) continue;
    text += line(
        style, spaced(count.name),
        host::right(host::grouped(count.counted), number_width) + (count.predicted ? comparison(count, style) : ""));
  }
  return text;
}

std::string other_counts(const run::RunRecord& record) {
  const Report& report = record.outcome.report;
  const auto busiest = run::busiest_link_words(record);
  return host::counted(report.cycles, "cycle") + ", " + host::counted(report.sends, "send") + ", " +
         host::counted(report.startups, "start-up") +
         (busiest ? "; busiest link " + host::counted(*busiest, "word") : "") + "\n" + std::string(label_width, ' ') +
         "a processor held at most " + host::counted(report.peak_words_held, "word") + "; copied " +
         host::counted(report.copied_words, "word");
}

/// The cost of a guest's messages on the links of its host; empty if there is no guest.
std::string hop_line(const run::RunRecord& record, const host::Style& style) {
  if (!record.carried || record.carried->guest_messages == 0) return {};
  const std::uint64_t crossed = record.outcome.report.messages;
  const double each = static_cast<double>(crossed) / static_cast<double>(record.carried->guest_messages);
  return line(style, "hops",
              host::grouped(crossed) + " links crossed by " + host::counted(record.carried->guest_messages, "message") +
                  ", " + host::short_number(std::round(each * 1000) / 1000) + " each; over one link at most " +
                  host::counted(record.outcome.report.busiest_link_messages, "message"));
}

/// A line with that label; empty if there is no text.
std::string line_if_any(const host::Style& style, std::string_view label, const std::string& text) {
  return text.empty() ? "" : line(style, label, text);
}

/// "5 to 55  rank 1 to 2, which waits 50 for it", or "5 to 55  rank 1 works".
std::string critical_text(const run::CriticalMessage& message) {
  if (message.is_local_work()) {
    return host::short_number(message.start) + " to " + host::short_number(message.end) + "  rank " +
           std::to_string(message.from) + " works";
  }
  const std::string from = message.from == memory_rank ? "the memory" : "rank " + std::to_string(message.from);
  const std::string to = message.to == memory_rank     ? "the memory"
                         : message.from == memory_rank ? "rank " + std::to_string(message.to)
                                                       : std::to_string(message.to);
  return host::short_number(message.start) + " to " + host::short_number(message.end) + "  " + from + " to " + to +
         ", which waits " + host::short_number(message.waited) + " for it";
}

/// The messages on which the end of the run depends; empty if no processor lags behind.
std::string critical_lines(const run::RunRecord& record, const host::Style& style) {
  constexpr std::size_t most_shown = 12;
  const std::vector<run::CriticalMessage>& path = record.critical_path;
  if (!record.is_critical_path_kept) {
    return line(style, "critical path",
                "not kept: there were more than " + host::counted(run::TransferTimes::most_messages, "message") +
                    " and pieces of local work");
  }
  if (path.empty()) return {};
  double of_stragglers = 0;
  for (const run::CriticalMessage& message : path) {
    const auto& stragglers = record.plan.faults.faults.stragglers;
    if (std::ranges::find(stragglers, message.mover(), &Straggler::rank) != stragglers.end()) {
      of_stragglers += message.end - message.start;
    }
  }
  const auto works = static_cast<std::size_t>(std::ranges::count_if(path, &run::CriticalMessage::is_local_work));
  std::string text = host::counted(path.size() - works, "message") + (works > 0 ? " and local work" : "") +
                     " one after the other; stragglers take " + host::short_number(of_stragglers) + " of " +
                     host::short_number(path.back().end);
  for (std::size_t index = 0; index < std::min(path.size(), most_shown); ++index) {
    text += "\n" + std::string(label_width, ' ') + critical_text(path[index]);
  }
  if (path.size() > most_shown) {
    text += "\n" + std::string(label_width, ' ') + "and " + host::grouped(path.size() - most_shown) + " more";
  }
  return line(style, "critical path", text);
}

std::string measure_lines(const Outcome& outcome, const host::Style& style) {
  std::string text;
  for (const Measure& measure : outcome.measures) {
    text += (text.empty() ? "" : ", ") + spaced(measure.name) + " " + host::grouped(measure.value);
  }
  return text.empty() ? "" : line(style, "measured", text);
}

/// "steps 15 (counted 1.333 times that)", or "(met)" if the run counts no more; only the bound if the run failed.
std::string bound_text(const std::string& what, std::uint64_t bound, std::optional<bool> is_met,
                       const std::optional<double>& ratio) {
  std::string text = what + " " + host::grouped(bound);
  if (is_met == true) return text + " (met)";
  if (!is_met || !ratio) return text;
  const double rounded = std::round(*ratio * 1000) / 1000;
  return text + " (counted " + host::short_number(rounded == 1 ? *ratio : rounded) + " times that)";
}

/// The bounds, each with its argument if `argued`: then on a line of its own.
std::string bound_text(const run::RunRecord& record, bool argued) {
  const LowerBound& bound = record.lower_bound;
  if (!bound.steps && !bound.longest_sum) return "not known";
  const auto argument = [argued](const std::string& text) { return argued && !text.empty() ? ": " + text : ""; };
  std::string text;
  if (bound.steps) {
    text = bound_text("steps", *bound.steps, run::is_optimal_in_steps(record), run::steps_to_bound(record)) +
           argument(bound.steps_argument);
  }
  if (bound.longest_sum) {
    if (bound.steps) text += argued ? "\n" + std::string(label_width, ' ') : ", ";
    text += bound_text("longest sum", *bound.longest_sum, run::is_optimal_in_longest_sum(record),
                       run::longest_sum_to_bound(record)) +
            argument(bound.longest_sum_argument);
  }
  if (run::is_optimal(record) == true) text += argued ? "; optimal" : ": optimal";
  return text;
}

/// " (34%)"; empty if the whole is 0.
std::string share_text(double part, double whole) {
  return whole > 0 ? " (" + host::short_number(std::round(100 * part / whole)) + "%)" : "";
}

std::string modelled_line(const run::RunRecord& record) {
  const Report& report = record.outcome.report;
  const CostPreset* const preset = record.plan.preset;
  std::string text;
  if (preset != nullptr) text += "in " + std::string(preset->time_unit) + "\n" + std::string(label_width, ' ');
  text += "synchronous " + host::short_number(report.time_synchronous) + ", asynchronous " +
          host::short_number(report.time_asynchronous);
  if (const auto predicted = run::predicted_time(record)) {
    text += ", predicted " + std::string(predicted->exact ? "" : "at most ") + host::short_number(predicted->value);
  }
  const auto& least = record.lower_bound.time;
  if (least && least->formula == bound_of_counts) text += ", at least " + host::short_number(least->value);
  if (report.time_arithmetic > 0) {
    text += "\n" + std::string(label_width, ' ') + "of the synchronous time " +
            host::short_number(report.time_arithmetic) + " is arithmetic" +
            share_text(report.time_arithmetic, report.time_synchronous) + ", " +
            host::short_number(report.time_synchronous - report.time_arithmetic) + " is not";
  }
  const auto add = [&text](const std::string& what, const std::optional<ModelledTime>& time) {
    if (!time) return;
    text += "\n" + std::string(label_width, ' ') + what + host::short_number(time->value) + ": " + time->formula;
  };
  const auto& asynchronous = record.prediction.asynchronous;
  add(std::string("asynchronous predicted ") + (!asynchronous || asynchronous->exact ? "" : "at most "), asynchronous);
  add("closed form ", record.prediction.closed_form);
  if (least && least->formula != bound_of_counts) add("at least ", least);
  return text;
}

/// "2 processes: 40 messages and 1.2 KiB between them, waiting for one another (31%)".
std::string wire_line(const run::RunRecord& record) {
  const WireTraffic& wire = *record.outcome.report.wire;
  return host::grouped(wire.processes) + " processes: " + host::counted(wire.messages, "message") + " and " +
         format_bytes(wire.bytes) + " between them, waiting for one another" +
         share_text(wire.wait_seconds, wire.run_seconds);
}

std::string wall_lines(const run::RunRecord& record) {
  const run::WallClock& wall = record.wall;
  std::string text = "set-up " + host::duration(wall.setup_seconds) + ", run " + host::duration(wall.run.median) +
                     ", verify " + host::duration(wall.verify_seconds);
  if (wall.repeats > 1) {
    text += "\n" + std::string(label_width, ' ') + "median of " + host::grouped(wall.repeats) + " runs; quartiles " +
            host::duration(wall.run.lower_quartile) + " and " + host::duration(wall.run.upper_quartile) + ", least " +
            host::duration(wall.run.least);
    if (const auto& interval = wall.run.interval) {
      text +=
          "; 95% confidence interval " + host::duration(interval->first) + " to " + host::duration(interval->second);
    }
  }
  if (wall.arithmetic_seconds > 0) {
    text += "\n" + std::string(label_width, ' ') + "arithmetic " + host::duration(wall.arithmetic_seconds) +
            " on all threads together" + share_text(wall.arithmetic_seconds, wall.run.median * wall.threads);
  }
  text += "\n" + std::string(label_width, ' ');
  if (const auto per_message = run::nanoseconds_per_message(record)) {
    text += host::duration(*per_message * 1e-9) + " a message, " +
            host::grouped(static_cast<std::uint64_t>(*run::messages_per_second(record))) + " messages/s; ";
  }
  text += "peak memory " + format_bytes(wall.peak_rss_bytes) + "; " + wall.executor + ", " +
          host::counted(wall.threads, "thread");
  if (wall.channels) text += "\n" + std::string(label_width, ' ') + std::string(name(*wall.channels)) + " channels";
  if (record.outcome.report.wire) text += "\n" + std::string(label_width, ' ') + wire_line(record);
  return text;
}

std::string phase_lines(const Report& report, const host::Style& style) {
  constexpr std::size_t most_shown = 3;
  std::string text;
  for (std::size_t index = 0; index < std::min(report.phases.size(), most_shown); ++index) {
    const PhaseCounts& phase = report.phases[index];
    text += line(style, index == 0 ? "phases" : "",
                 (phase.name.empty() ? "(unnamed)" : phase.name) + ": " + host::counted(phase.steps, "step") + ", " +
                     host::counted(phase.messages, "message") + ", " + host::counted(phase.words, "word"));
  }
  if (report.phases.size() > most_shown) {
    text += line(style, "", "and " + std::to_string(report.phases.size() - most_shown) + " more (--json has all)");
  }
  return text;
}

std::string verdict(const run::RunRecord& record, const host::Style& style) {
  const bool right_data = record.outcome.wrong.empty();
  const std::string data = right_data ? style.good("all data is right") : style.bad(record.outcome.wrong);
  const auto holds = [&](const auto& predicted) { return run::is_as_predicted(record, predicted); };
  const std::string counts =
      std::ranges::all_of(run::predicted_counts(record), holds) ? "" : style.bad(", counts differ");
  const std::string times = std::ranges::all_of(run::predicted_times(record), holds) ? "" : style.bad(", times differ");
  return line(style, record.is_verified() ? "verified" : "NOT VERIFIED",
              data + counts + times + "; digest " + record.digest);
}

}  // namespace

std::string human_report(const run::RunRecord& record, const host::Style& style) {
  const Report& report = record.outcome.report;
  std::string beside;
  for (const auto& [label, text] : schedule_lines(record)) beside += line(style, label, printable(text, 200));
  return line(style, "machine", machine_line(record)) + guest_line(record, style) +
         line(style, "algorithm", algorithm_line(record.plan)) +
         line(style, "source", std::string(record.plan.method->source)) +
         line(style, "model", rules_line(record.plan.model)) + line(style, "costs", costs_line(record.plan)) +
         preset_lines(record.plan) + "\n" + counts_table(record, style) +
         line(style, "lower bound", bound_text(record, true)) + line(style, "also counted", other_counts(record)) +
         hop_line(record, style) + line_if_any(style, "faults", fault_text(record)) +
         line_if_any(style, "coverage", coverage_text(record)) + measure_lines(record.outcome, style) + beside +
         phase_lines(report, style) + "\n" + line(style, "modelled time", modelled_line(record)) +
         critical_lines(record, style) + line(style, "wall-clock", wall_lines(record)) + verdict(record, style);
}

std::string cut_off_report(const run::RunRecord& record, Cycle cycle, const host::Style& style) {
  const Report& report = record.outcome.report;
  const std::string counts = host::counted(report.steps, "step") + ", " + host::counted(report.messages, "message") +
                             ", " + host::counted(report.words, "word") + "; modelled time synchronous " +
                             host::short_number(report.time_synchronous) + ", asynchronous " +
                             host::short_number(report.time_asynchronous);
  return line(style, "failed", "in cycle " + host::grouped(cycle)) + line(style, "until then", counts) +
         line_if_any(style, "faults", fault_text(record)) + line_if_any(style, "coverage", coverage_text(record));
}

std::string chunk_plan_line(const std::string& file, const ScheduleText& schedule, const run::RunRecord& record) {
  return file + ": " + record.plan.name + " on " + printable(record.plan.machine.text) + ", " +
         host::counted(schedule.steps, "step") + ", " + host::counted(schedule.messages, "message") + "; lower bound " +
         bound_text(record, false) + "\n";
}

std::string plan_line(const std::string& file, const Schedule& schedule, const run::RunRecord& record) {
  std::uint64_t moves = 0;
  for (const auto& step : schedule.steps) moves += step.size();
  return file + ": " + record.plan.name + " on " + printable(record.plan.machine.text) + ", " +
         host::counted(schedule.steps.size(), "step") + ", " + host::counted(moves, "move") + "; lower bound " +
         bound_text(record, false) + "\n";
}

std::string cycle_table(const Report& report, const host::Style& style) {
  constexpr std::size_t first_shown = 20;
  constexpr std::size_t last_shown = 5;
  const auto row = [](const std::string& cycle, const std::string& messages, const std::string& words,
                      const std::string& longest, const std::string& visited) {
    return host::right(cycle, 10) + host::right(messages, number_width) + host::right(words, number_width) +
           host::right(longest, number_width) + host::right(visited, number_width);
  };
  const std::size_t size = report.per_cycle.size();
  std::string text = "\n" + style.heading(row("cycle", "messages", "words", "longest", "processors")) + "\n";
  for (std::size_t index = 0; index < size; ++index) {
    if (size > first_shown + last_shown && index == first_shown) {
      index = size - last_shown;
      text += row("...", "...", "...", "...", "...") + "\n";
    }
    const CycleCounts& counts = report.per_cycle[index];
    text += row(host::grouped(counts.cycle), host::grouped(counts.messages), host::grouped(counts.words),
                host::grouped(counts.longest), host::grouped(counts.visited)) +
            "\n";
  }
  return text;
}

}  // namespace lockstep::cli::report
