#include "study_winners.hpp"

#include <algorithm>

#include "flags/value_range.hpp"
#include "host/table.hpp"
#include "host/terminal.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::study {
namespace {

using NextRun = std::vector<RaceRun>::const_iterator;

struct WonLine {
  std::string at;
  std::string range;
  std::string best;
};

/// The methods of these runs that take least: "doubling = bruck".
std::string best_of(NextRun begin, NextRun end) {
  const double least = std::min_element(begin, end, [](const RaceRun& one, const RaceRun& other) {
                         return one.time < other.time;
                       })->time;
  std::string best;
  for (NextRun run = begin; run != end; ++run) {
    if (run->time == least) best += (best.empty() ? "" : " = ") + run->method;
  }
  return best;
}

std::vector<WonLine> lines_of(const std::vector<RaceRun>& runs) {
  std::vector<WonLine> all;
  std::string first;  // value of the last line
  for (NextRun begin = runs.begin(); begin != runs.end();) {
    const NextRun end = std::find_if(
        begin, runs.end(), [&](const RaceRun& run) { return run.place != begin->place || run.value != begin->value; });
    const std::string& value = begin->value;
    const std::string best = best_of(begin, end);
    if (!all.empty() && all.back().at == begin->place && all.back().best == best) {
      all.back().range = flags::axis_value(value) ? first + " to " + value : all.back().range + ", " + value;
    } else {
      all.push_back({begin->place, value, best});
      first = value;
    }
    begin = end;
  }
  return all;
}

}  // namespace

std::string winners_text(const std::vector<StudyRace>& races) {
  std::string text;
  for (const StudyRace& race : races) {
    if (race.methods < 2) continue;
    std::vector<host::Column> columns{{"at", true, {}}, {race.axis, true, {}}, {"least modelled time", true, {}}};
    for (const auto& [at, range, best] : lines_of(race.runs)) {
      columns[0].cells.push_back(at);
      columns[1].cells.push_back(range);
      columns[2].cells.push_back(best);
    }
    text += host::Style::of_output().heading(printable(race.experiment) + "\n") + host::plain_table(columns) + "\n";
  }
  return text;
}

}  // namespace lockstep::cli::study
