#include "study_plot.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "flags/value_range.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::study {
namespace {

std::optional<double> place_on_axis(const StudyRace& race, const RaceRun& run) {
  if (race.axis == "machine") return static_cast<double>(run.processors);
  return flags::axis_value(run.value);
}

bool can_be_drawn(const StudyRace& race) {
  return !race.axis.ends_with("seed") &&
         std::ranges::all_of(race.runs, [&](const RaceRun& run) { return place_on_axis(race, run).has_value(); });
}

/// Small letters and digits, all else as single dashes: "allgather-8-ranks".
std::string file_word(const std::string& text) {
  std::string word;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (std::isalnum(code) != 0) {
      word += static_cast<char>(std::tolower(code));
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  if (word.ends_with('-')) word.pop_back();
  return word;
}

/// Empty series if there are fewer than two places on the axis.
report::Plot plot_at(const StudyRace& race, const std::string& place) {
  std::vector<double> xs;
  std::vector<double> ys;
  std::vector<report::PlotSeries> series;
  for (const RaceRun& run : race.runs) {
    if (run.place != place) continue;
    auto curve = std::ranges::find(series, run.method, &report::PlotSeries::title);
    if (curve == series.end()) curve = series.insert(curve, {.title = run.method, .line = {}, .points = {}});
    xs.push_back(*place_on_axis(race, run));
    ys.push_back(run.time);
    curve->points.push_back({xs.back(), ys.back()});
  }
  if (std::set(xs.begin(), xs.end()).size() < 2) series.clear();
  for (report::PlotSeries& one : series) std::ranges::sort(one.points, {}, &report::PlotPoint::x);
  return {.title = printable(race.experiment) + ": modelled time" + (place == "all" ? "" : "\n" + place),
          .x = report::axis_for(race.axis == "machine" ? "processors" : race.axis, xs),
          .y = report::axis_for("modelled time", ys),
          .series = std::move(series),
          .marks = {}};
}

}  // namespace

std::vector<NamedPlot> plots_of(const std::vector<StudyRace>& races) {
  std::vector<NamedPlot> plots;
  std::set<std::string> names;
  for (const StudyRace& race : races) {
    if (!can_be_drawn(race)) continue;
    std::set<std::string> drawn;
    for (const RaceRun& run : race.runs) {
      if (!drawn.insert(run.place).second) continue;
      report::Plot plot = plot_at(race, run.place);
      if (plot.series.empty()) continue;
      const std::string name = file_word(race.experiment + " " + (run.place == "all" ? "" : run.place));
      std::string unique = name;
      for (unsigned number = 2; !names.insert(unique).second; ++number) unique = name + "-" + std::to_string(number);
      plots.push_back({unique, std::move(plot)});
    }
  }
  return plots;
}

}  // namespace lockstep::cli::study
