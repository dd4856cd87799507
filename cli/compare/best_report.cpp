// The reports of the winners.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "best.hpp"
#include "flags/setting_flags.hpp"
#include "host/joined.hpp"
#include "host/json_value.hpp"
#include "host/number_text.hpp"
#include "host/table.hpp"
#include "host/terminal.hpp"
#include "host/version.hpp"
#include "lockstep/core/printable.hpp"
#include "plot_title.hpp"
#include "report/csv_report.hpp"
#include "report/json_report.hpp"
#include "sweep_axis.hpp"

namespace lockstep::cli::compare {
namespace {

using Json = nlohmann::ordered_json;

/// The parameters that tune the method: "--packets 1 to 40", from the first value of the range to its last.
std::string tuning_text(const Win& win) {
  const Method& method = *win.first.record->plan.method;
  const Json first = flags::setting_values(method, win.first.record->plan.settings);
  const Json last = flags::setting_values(method, win.last.record->plan.settings);
  std::string text;
  for (const SettingFlag& flag : setting_flags()) {
    const std::string name(flag.name);
    if (!flag.is_tuning || !first.contains(name) || first[name].is_null()) continue;
    const auto shown = [&](const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); };
    text += (text.empty() ? "" : " ") + flag.flag() + " " + shown(first[name]);
    if (first[name] != last[name]) text += " to " + shown(last[name]);
  }
  return text;
}

std::string cell_text(const Best& best, const std::string& value) {
  return varied_name(best.arguments) == "words" ? host::grouped(std::stoull(value)) : printable(value);
}

using Wins = std::span<const Win>;

/// The winners under equal rules, those that are asked for first.
std::vector<Wins> by_rules(const Best& best) {
  std::vector<Wins> sets;
  for (auto begin = best.wins.begin(); begin != best.wins.end();) {
    const auto end =
        std::find_if(begin, best.wins.end(), [&](const Win& win) { return win.lead.rules != begin->lead.rules; });
    sets.emplace_back(begin, end);
    begin = end;
  }
  return sets;
}

bool has_several_rules(const Best& best) { return best.leads.front().rules != best.leads.back().rules; }

std::vector<host::Column> columns_of(const Best& best, Wins wins) {
  std::vector<host::Column> columns;
  const auto add = [&](const std::string& heading, bool is_text, const auto& cell) {
    host::Column column{heading, is_text, {}};
    for (const Win& win : wins) column.cells.push_back(cell(win));
    if (std::ranges::any_of(column.cells, [](const std::string& text) { return !text.empty(); })) {
      columns.push_back(std::move(column));
    }
  };
  const bool has_tasks =
      std::ranges::any_of(best.leads, [&](const Lead& lead) { return lead.task != best.leads.front().task; });
  add(has_tasks ? "task" : "", true, [&](const Win& win) { return has_tasks ? win.lead.task : ""; });
  add("from " + varied_name(best.arguments), false, [&](const Win& win) { return cell_text(best, win.lead.from); });
  add("to", false, [&](const Win& win) { return cell_text(best, win.lead.to); });
  add("best", true, [&](const Win& win) {
    const std::string full_name = win.first.name();
    return printable(full_name.substr(full_name.find('/') + 1));
  });
  if (!has_several_rules(best)) {  // else the title names them
    add("rules", true, [](const Win& win) { return text_of(win.lead.rules); });
  }
  add("with", true, tuning_text);
  const std::string figure(best.criterion.heading);
  const auto of = [&](const run::Trial& trial) {
    return report::short_text(best.criterion, *best.criterion.of(*trial.record));
  };
  add(figure + " at first", false, [&](const Win& win) { return of(win.first); });
  add("at last", false, [&](const Win& win) { return of(win.last); });
  add("as good", true, [](const Win& win) { return host::joined(win.as_good); });
  return columns;
}

/// The methods that took part only in a part of the range, each with the last value at which it did.
std::vector<std::string> known_in_part(const Best& best) {
  std::map<std::string, std::string> last_known;
  std::set<std::string> in_part;
  for (const SweepTrial& one : best.trials) {
    if (!one.trial.record) continue;
    const std::string name = heading_of(one.trial, best.arguments);
    if (one.predicted && one.predicted->exact) {
      last_known[name] = one.values.empty() ? one.trial.machine : one.values.front();
    } else if (last_known.contains(name)) {
      in_part.insert(name);
    }
  }
  std::vector<std::string> texts;
  for (const std::string& name : in_part) {
    texts.push_back(name + " (" + value_text(best.arguments, last_known[name]) + ")");
  }
  return texts;
}

/// The title above the winners; only the first one says what all have in common.
std::string title(const Best& best, Wins wins) {
  const RunRules& rules = wins.front().lead.rules;
  const std::string of_rules = marked_text(rules, are_asked_for(rules, best.arguments.trials));
  if (wins.data() != best.wins.data()) return of_rules;
  return printable(subject_text(best.arguments, best.trials)) + (has_several_rules(best) ? ", " + of_rules : "") +
         ": the best by " + report::title_of(best.criterion) + ", as predicted";
}

/// Notes below the tables of a text report.
std::vector<std::string> notes(const Best& best) {
  std::vector<std::string> notes;
  if (!best.unpredicted.empty()) {
    notes.push_back("Left out because they have no prediction: " + host::joined(best.unpredicted) + ".");
  }
  if (const std::vector<std::string> in_part = known_in_part(best); !in_part.empty()) {
    notes.push_back("Not compared at some values beyond about that in brackets, where they have no prediction: " +
                    host::joined(in_part) + ".");
  }
  for (std::string& line : without_embedding(best.trials)) notes.push_back(std::move(line));
  const auto failed = [](const EdgeRun& run) { return run.trial.has_failed; };
  const auto confirmed =
      std::ranges::count_if(best.runs, [](const EdgeRun& run) { return run.trial.record.has_value(); });
  if (confirmed > 0 && std::ranges::none_of(best.runs, failed)) {
    notes.insert(notes.begin(), host::counted(static_cast<std::uint64_t>(confirmed), "run") +
                                    " at the edges of the ranges matched the predictions.");
  }
  std::string too_large;
  std::string too_long;
  for (const EdgeRun& run : best.runs) {
    if (run.trial.record) continue;
    const std::string what = heading_of(run.trial, best.arguments) + " at " + value_text(best.arguments, run.value);
    if (run.is_long) {
      too_long += (too_long.empty() ? "" : ", ") + what;
    } else if (run.trial.is_too_large) {
      too_large += (too_large.empty() ? "" : ", ") + what;
    } else {
      notes.push_back((failed(run) ? "Failed: " : "Not run: ") + what + ": " + run.trial.reason);
    }
  }
  if (!too_long.empty()) notes.push_back("Not run, as it would take more than a moment: " + too_long + ".");
  if (!too_large.empty()) notes.push_back("Not run for lack of memory: " + too_large + ".");
  return notes;
}

Json figure_at(const Best& best, const run::Trial& trial) {
  return report::exact_json(best.criterion, *best.criterion.of(*trial.record));
}

/// One end of a range.
Json json_of_end(const Best& best, const run::Trial& trial) {
  return {{"parameters", flags::setting_values(*trial.record->plan.method, trial.record->plan.settings)},
          {"figure", figure_at(best, trial)}};
}

Json json_of_run(const Best& best, const EdgeRun& run) {
  Json json{{"at", json_of_value(run.value)}, {"name", heading_of(run.trial, best.arguments)}};
  const bool has_run = run.trial.record.has_value();
  json["figure"] = has_run ? figure_at(best, run.trial) : Json();
  json["digest"] = has_run ? Json(run.trial.record->digest) : Json();
  json["reason"] = run.trial.reason;
  return json;
}

}  // namespace

std::string text_of(const Best& best) {
  std::string text;
  for (const Wins wins : by_rules(best)) {
    text += (text.empty() ? "" : "\n") + host::Style::of_output().heading(title(best, wins)) + "\n" +
            host::plain_table(columns_of(best, wins));
  }
  for (const std::string& note : notes(best)) text += host::wrapped("", note, 0, host::line_width());
  return text;
}

std::string markdown_of(const Best& best) {
  std::string text;
  for (const Wins wins : by_rules(best)) {
    text += (text.empty() ? "" : "\n") + title(best, wins) + "\n\n" + host::markdown_table(columns_of(best, wins));
  }
  for (const std::string& note : notes(best)) text += "\n" + note + "\n";
  return text;
}

std::string csv_of(const Best& best) {
  std::string text =
      report::csv_text({"task", "rules", "varied", "from", "to", "exact", "name", "algorithm", "ports", "as_good",
                        "first_parameters", "first_figure", "last_parameters", "last_figure"});
  for (const Win& win : best.wins) {
    const auto parameters = [&](const run::Trial& trial) {
      return flags::setting_text(*trial.record->plan.method, trial.record->plan.settings, "", "=");
    };
    text += report::csv_text({win.lead.task, text_of(win.lead.rules), varied_name(best.arguments), win.lead.from,
                              win.lead.to, win.lead.is_exact ? "true" : "false", win.lead.name, win.first.method,
                              std::string(name(win.first.record->plan.model.ports)), host::joined(win.as_good),
                              parameters(win.first), figure_at(best, win.first).dump(), parameters(win.last),
                              figure_at(best, win.last).dump()});
  }
  return text;
}

Json json_of(const Best& best) {
  Json ranges = Json::array();
  for (const Win& win : best.wins) {
    ranges.push_back({{"task", win.lead.task},
                      {"rules", text_of(win.lead.rules)},
                      {"from", json_of_value(win.lead.from)},
                      {"to", json_of_value(win.lead.to)},
                      {"exact", win.lead.is_exact},
                      {"name", win.lead.name},
                      {"algorithm", win.first.method},
                      {"ports", name(win.first.record->plan.model.ports)},
                      {"as_good", win.as_good},
                      {"first", json_of_end(best, win.first)},
                      {"last", json_of_end(best, win.last)}});
    if (!win.first.guest.empty()) ranges.back()["guest"] = win.first.guest;
  }
  Json runs = Json::array();
  for (const EdgeRun& run : best.runs) runs.push_back(json_of_run(best, run));
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"operation", best.arguments.trials.operation},
          {"by", best.criterion.name},
          {"varied", varied_name(best.arguments)},
          {"ranges", std::move(ranges)},
          {"not_predicted", best.unpredicted},
          {"runs", std::move(runs)}};
}

}  // namespace lockstep::cli::compare
