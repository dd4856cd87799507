#include "league.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "host/child_process.hpp"
#include "host/exit_code.hpp"
#include "host/joined.hpp"
#include "host/json_value.hpp"
#include "host/number_text.hpp"
#include "host/table.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::judge {
namespace {

using Json = nlohmann::ordered_json;

/// The flags for the other programs: without those for output and for this program's methods, and with the machines of
/// this program's judgement.
std::vector<std::string> flags_for_others(const JudgeArguments& arguments, const Assessment& assessment) {
  std::vector<std::string> flags;
  bool is_value = false;
  for (const std::string& word : arguments.words) {
    const std::string flag = word.substr(0, word.find('='));
    const bool is_flag = word.starts_with("--");
    if (is_flag) is_value = false;
    if (flag == "--against" || flag == "--json" || flag == "--machine" || flag == "--algorithm" || flag == "--quiet") {
      is_value = flag != "--quiet" && word.find('=') == std::string::npos;
    } else if (is_value) {
      is_value = false;
    } else {
      flags.push_back(word);
    }
  }
  std::vector<std::string> machines;
  for (const JudgedSize& size : assessment.sizes) {
    if (std::ranges::find(machines, size.machine) != machines.end()) continue;
    machines.push_back(size.machine);
    flags.insert(flags.end(), {"--machine", size.machine});
  }
  flags.insert(flags.end(), {"--json", "-", "--quiet"});
  return flags;
}

/// Thrown if a document is not an assessment, or not the requested one.
class NoAssessment : public std::exception {};

bool is_judged_on(const Assessment& assessment, const std::string& machine) {
  return std::ranges::find(assessment.sizes, machine, &JudgedSize::machine) != assessment.sizes.end();
}

/// Throws NoAssessment unless the document, which may contain anything, judges these machines; the library's error if
/// fields are missing.
void refuse_other_answers(const JudgeArguments& arguments, const Assessment& assessment, const Json& document) {
  if (document.at("status") == "refused") return;
  const double points = document.at("points");
  const Json& sizes = document.at("sizes");
  bool answers = points >= 0 && points <= rounded_points(arguments.all_points()) && !sizes.empty();
  for (const Json& size : sizes) answers = answers && is_judged_on(assessment, size.at("machine"));
  if (!answers) throw NoAssessment();
}

/// Reads an assessment's document. Throws the library's error if it is none.
LeagueEntry entry_of(const std::string& program, const Json& document) {
  LeagueEntry entry{.program = program};
  if (document.at("status") == "refused") {
    entry.complaint = document.at("error").at("text");
    return entry;
  }
  entry.points = document.at("points");
  std::uint64_t most = 0;
  std::set<std::string> rules;
  for (const Json& size : document.at("sizes")) {
    if (size.contains("rules") && size.at("rules").is_string()) rules.insert(size.at("rules").get<std::string>());
    const auto& complaints = size.at("complaints");
    if (entry.complaint.empty() && !complaints.empty()) {
      entry.complaint = size.at("machine").get<std::string>() + ": " + complaints.front().get<std::string>();
    }
    if (size.at("processors") < most) continue;
    most = size.at("processors");
    const bool has_ended = !size.at("steps").is_null();
    entry.steps = has_ended ? std::optional<std::uint64_t>(size.at("steps")) : std::nullopt;
    entry.time = has_ended ? std::optional<double>(size.at("time")) : std::nullopt;
  }
  entry.rules = host::joined(rules, " and ");
  return entry;
}

LeagueEntry judged_by_itself(const std::string& program, const JudgeArguments& arguments, const Assessment& assessment,
                             const std::atomic<bool>& stop) {
  std::vector<std::string> words{program, "judge"};
  const std::vector<std::string> flags = flags_for_others(arguments, assessment);
  words.insert(words.end(), flags.begin(), flags.end());
  // Time for all runs on every machine: in ranks' order, with other data, in all orders, on threads; and to start.
  constexpr double to_start = 10;
  const double runs = static_cast<double>(assessment.sizes.size() * (arguments.seeds + 3));
  const double seconds = arguments.time_limit * runs + to_start;
  const host::EndedProcess process = host::run_process(words, program, {.seconds = seconds, .memory_bytes = {}}, stop);
  LeagueEntry entry{.program = program};
  switch (process.ending) {
    case host::EndedProcess::Ending::not_started:
      entry.complaint = std::string("cannot be started: ") + std::strerror(process.code);
      return entry;
    case host::EndedProcess::Ending::out_of_time:
      entry.complaint = "did not end within " + host::short_number(seconds) + " s";
      return entry;
    case host::EndedProcess::Ending::too_much_output:
      entry.complaint = "wrote without end";
      return entry;
    case host::EndedProcess::Ending::signalled:
      entry.complaint = std::string("crashed: ") + strsignal(process.code);
      return entry;
    case host::EndedProcess::Ending::returned:
      break;
  }
  try {
    const Json document = host::json_in(process.output);
    refuse_other_answers(arguments, assessment, document);
    return entry_of(program, document);
  } catch (const Json::exception&) {
  } catch (const NoAssessment&) {
  }
  entry.complaint = "is not a program with `judge` (exit code " + std::to_string(process.code) + ")";
  return entry;
}

bool is_better(const LeagueEntry& one, const LeagueEntry& other) {
  if (one.points != other.points) return one.points > other.points;
  const auto steps = [](const LeagueEntry& entry) {
    return entry.steps.value_or(std::numeric_limits<std::uint64_t>::max());
  };
  if (steps(one) != steps(other)) return steps(one) < steps(other);
  return one.time.value_or(0) < other.time.value_or(0);
}

/// Ranks from 1 among those of equal rules, equal for equal entries.
std::vector<std::size_t> ranks_of(const League& league) {
  std::vector<std::size_t> ranks;
  std::size_t first = 0;
  for (std::size_t index = 0; index < league.size(); ++index) {
    if (league[index].rules != league[first].rules) first = index;
    const bool is_equal = index > first && !is_better(league[index - 1], league[index]);
    ranks.push_back(is_equal ? ranks.back() : index - first + 1);
  }
  return ranks;
}

}  // namespace

League league(const JudgeArguments& arguments, const Assessment& assessment,
              const std::function<void(const std::string& what)>& show, const std::atomic<bool>& stop) {
  League entries{entry_of(arguments.program, json_of(assessment))};
  for (const std::string& other : arguments.against) {
    show(printable(other));
    entries.push_back(judged_by_itself(other, arguments, assessment, stop));
  }
  const std::string asked = entries.front().rules;
  for (LeagueEntry& entry : entries) {
    if (entry.rules.empty()) entry.rules = asked;  // it was not judged
  }
  std::ranges::stable_sort(entries, [&](const LeagueEntry& one, const LeagueEntry& other) {
    if (one.rules == other.rules) return is_better(one, other);
    return std::pair(one.rules != asked, one.rules) < std::pair(other.rules != asked, other.rules);
  });
  return entries;
}

std::string text_of(const League& league) {
  const std::vector<std::size_t> ranks = ranks_of(league);
  std::string text;
  for (std::size_t first = 0; first < league.size();) {
    std::vector<host::Column> columns{{"rank", false, {}},  {"program", true, {}}, {"points", false, {}},
                                      {"steps", false, {}}, {"time", false, {}},   {"first complaint", true, {}}};
    const std::string& rules = league[first].rules;
    if (first > 0) text += "\nunder other rules: " + rules + "\n";
    for (; first < league.size() && league[first].rules == rules; ++first) {
      const LeagueEntry& entry = league[first];
      const std::vector<std::string> cells{std::to_string(ranks[first]),
                                           printable(entry.program),
                                           points_text(entry.points),
                                           entry.steps ? host::grouped(*entry.steps) : "-",
                                           entry.time ? host::short_number(*entry.time) : "-",
                                           printable(entry.complaint, 200)};
      for (std::size_t column = 0; column < cells.size(); ++column) columns[column].cells.push_back(cells[column]);
    }
    text += host::plain_table(columns);
  }
  return text;
}

Json json_of(const League& league) {
  Json json = Json::array();
  const std::vector<std::size_t> ranks = ranks_of(league);
  for (std::size_t index = 0; index < league.size(); ++index) {
    const LeagueEntry& entry = league[index];
    json.push_back({{"rank", ranks[index]},
                    {"program", entry.program},
                    {"rules", entry.rules.empty() ? Json() : Json(entry.rules)},
                    {"points", entry.points},
                    {"steps", host::json_of(entry.steps)},
                    {"time", host::json_of(entry.time)},
                    {"complaint", entry.complaint.empty() ? Json() : Json(entry.complaint)}});
  }
  return json;
}

}  // namespace lockstep::cli::judge
