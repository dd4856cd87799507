#include "reproduction.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "host/interrupt.hpp"
#include "host/number_text.hpp"
#include "lockstep/algorithms/parameter.hpp"
#include "papers/entries.hpp"
#include "run/execution.hpp"
#include "run/trial.hpp"
#include "texts/reader.hpp"

namespace lockstep::cli::reproduce {
namespace {

bool is_equal(double paper, double counted) { return std::abs(paper - counted) <= 1e-9 * std::abs(counted); }

/// The verdict on the claim; a bound that is met is equal.
std::optional<PaperVerdict> held(PaperClaim claim, double paper, double counted) {
  if (is_equal(paper, counted)) return PaperVerdict::equal;
  if (claim == PaperClaim::at_most && counted < paper) return PaperVerdict::bound;
  if (claim == PaperClaim::at_least && counted > paper) return PaperVerdict::bound;
  return {};
}

/// The note of "B15: the root keeps its own block".
std::pair<std::string, std::string> named(const texts::Entry& text, const texts::Field& field) {
  const std::size_t colon = field.text.find(": ");
  if (colon == std::string::npos) text.refuse(field, "a name and a colon must precede the text");
  return {field.text.substr(0, colon), field.text.substr(colon + 2)};
}

ReproductionEntry entry_of(const std::string& name, Reproduction (*compute)(ReproductionRuns&)) {
  std::vector<texts::Entry> entries = texts::entries_below("reproductions/" + name + ".md");
  texts::Entry& text = entries.front();
  if (entries.size() > 1) entries[1].refuse("a reproduction is one entry");
  ReproductionEntry entry{
      .name = name, .source = text.heading(), .summary = text.take("summary").text, .compute = compute};
  for (const texts::Field& table : text.take_all({"table"})) entry.titles.insert(named(text, table));
  if (const auto plot = text.take_if_any("plot")) entry.plot_title = plot->text;
  for (const texts::Field& note : text.take_all({"note"})) {
    auto [mark, said] = named(text, note);
    entry.notes.push_back({std::move(mark), std::move(said)});
  }
  for (texts::Field& remark : text.take_all({"remark"})) entry.remarks.push_back(std::move(remark.text));
  text.expect_no_more();
  return entry;
}

}  // namespace

std::string_view name(PaperVerdict verdict) {
  switch (verdict) {
    case PaperVerdict::equal:
      return "equal";
    case PaperVerdict::bound:
      return "bound";
    case PaperVerdict::wrong:
      return "wrong";
    case PaperVerdict::differs:
      break;
  }
  return "differs";
}

PaperVerdict Judgement::of(const PaperLine& line, double paper, double counted) {
  const auto verdict = held(line.claim, paper, counted);
  if (line.is_erratum) {
    bool& seen = errata_[line.name];
    seen = seen || !verdict;
    return verdict.value_or(PaperVerdict::wrong);
  }
  if (!verdict) {
    differing_.push_back(line.name + ": the paper has " + host::short_number(paper) + ", counted " +
                         host::short_number(counted));
  }
  return verdict.value_or(PaperVerdict::differs);
}

std::vector<std::string> Judgement::disagreements() const {
  std::vector<std::string> lines = differing_;
  for (const auto& [name, seen] : errata_) {
    if (!seen) lines.push_back(name + ": holds wherever it was counted, but the errata deny it");
  }
  return lines;
}

run::RunRecord ReproductionRuns::run(const run::RunArguments& arguments) {
  ++done_;
  if (!quiet_ && status_.is_due()) {
    status_.show("run " + std::to_string(done_) + ": " + arguments.algorithm + " on " + arguments.machine);
  }
  if (stop_) throw host::Interrupted();
  run::Trial trial{.machine = arguments.machine, .method = arguments.algorithm, .ports = {}, .arguments = arguments};
  trial.arguments.quiet = true;
  trial.record = run::planned(run::plan_run(trial.arguments));
  run::run_trial(trial, stop_);
  if (!trial.record) throw RunFailed(trial.method + " on " + trial.machine + ": " + trial.reason);
  return *std::move(trial.record);
}

run::RunRecord ReproductionRuns::predict(const run::RunArguments& arguments) const {
  return run::planned(run::plan_prediction(arguments));
}

void add_timed_row(ReproducedTable& table, std::vector<ReproducedValue> labels, const PaperLine& line, double paper,
                   const run::RunRecord& record, Judgement& judgement) {
  const Report& report = record.outcome.report;
  const double time = report.time_synchronous;
  labels.insert(labels.end(), {report.steps, report.longest_sum, time, paper});
  table.rows.push_back({std::move(labels), judgement.of(line, paper, time), line.mark});
}

run::RunArguments arguments_for(const std::string& machine, const std::string& method,
                                std::optional<std::uint64_t> words, double beta) {
  run::RunArguments arguments;
  arguments.machine = machine;
  arguments.algorithm = method;
  arguments.settings.words = words;
  arguments.model.beta = beta;
  return arguments;
}

Reproduction ReproductionEntry::reproduce(ReproductionRuns& runs) const {
  Reproduction made = compute(runs);
  for (ReproducedTable& table : made.tables) {
    if (!table.title.empty()) continue;
    const auto title = titles.find(table.name);
    if (title == titles.end()) throw std::logic_error("the text of " + name + " has no title for " + table.name);
    table.title = title->second;
  }
  if (made.plot) made.plot->title = plot_title;
  made.notes = notes;
  made.remarks.insert(made.remarks.begin(), remarks.begin(), remarks.end());
  return made;
}

std::span<const ReproductionEntry> reproductions() {
  static const std::vector<ReproductionEntry> all{
      entry_of("saad-schultz-table-1", saad_schultz_1988::table_1),
      entry_of("saad-schultz-table-2", saad_schultz_1988::table_2),
      entry_of("saad-schultz-1985", saad_schultz_1985::reproduction),
      entry_of("mukherjee", mukherjee::reproduction),
      entry_of("dimakopoulos", dimakopoulos::reproduction),
      entry_of("johnsson-ho-table-3", johnsson_ho_table_3::reproduction),
      entry_of("johnsson-ho-9", johnsson_ho_section_9::reproduction),
      entry_of("johnsson-ho-10", johnsson_ho_figures::figure_10),
      entry_of("johnsson-ho-12", johnsson_ho_figures::figure_12),
      entry_of("johnsson-ho-14a", johnsson_ho_figures::figure_14a),
      entry_of("johnsson-ho-15", johnsson_ho_figures::figure_15),
      entry_of("johnsson-ho-19", johnsson_ho_figures::figure_19),
  };
  return all;
}

const ReproductionEntry& find_reproduction(const std::string& name) {
  std::vector<std::string> names;
  for (const ReproductionEntry& entry : reproductions()) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  refuse_choice("reproduce", name, names);
}

}  // namespace lockstep::cli::reproduce
