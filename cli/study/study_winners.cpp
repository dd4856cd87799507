#include "study_winners.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "flags/setting_flags.hpp"
#include "host/table.hpp"
#include "host/terminal.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::study {
namespace {

/// A flag's name and value in a point; the value of one that is given several times has all.
using GivenFlags = std::map<std::string, std::string>;

constexpr std::string_view method_flag = "algorithm";

/// The flags of the point, without parameters that only tune some of the methods.
GivenFlags given_flags(const StudyPoint& point) {
  GivenFlags given;
  for (const std::string& word : point.words) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals - 2);
    const SettingFlag* const setting = flags::find_setting(name);
    if (setting != nullptr && setting->is_tuning) continue;
    std::string& value = given[name];
    value += (value.empty() ? "" : " ") + (equals == std::string::npos ? "on" : word.substr(equals + 1));
  }
  return given;
}

/// The verified runs of an experiment, and what they have in common.
class WonRanges {
 public:
  void add(const StudyPoint& point, const Json& row) {
    const GivenFlags given = given_flags(point);
    for (const auto& [name, value] : given) values_[name].insert(value);
    runs_.push_back({given, row.at("time_synchronous").get<double>()});
  }

  /// Empty for runs of one method.
  std::string text(const std::string& experiment) const {
    if (runs_.empty() || values_.at(std::string(method_flag)).size() < 2) return "";
    const std::string axis = axis_name();
    std::vector<host::Column> columns{{"at", true, {}}, {axis, true, {}}, {"least modelled time", true, {}}};
    for (const auto& [at, range, best] : lines(axis)) {
      columns[0].cells.push_back(at);
      columns[1].cells.push_back(range);
      columns[2].cells.push_back(best);
    }
    return host::Style::of_output().heading(printable(experiment) + "\n") + host::plain_table(columns) + "\n";
  }

 private:
  struct WonRun {
    GivenFlags given;
    double time;
  };
  struct WonLine {
    std::string at;
    std::string range;
    std::string best;
  };

  bool varies(const std::string& name) const { return values_.at(name).size() > 1; }

  std::string axis_name() const {
    if (values_.contains("words") && varies("words")) return "words";
    std::string most = "machine";
    for (const auto& [name, values] : values_) {
      if (name != method_flag && values.size() > values_.at(most).size()) most = name;
    }
    return most;
  }

  /// What distinguishes the run's line from others: "switch:8, beta 100".
  std::string place_of(const GivenFlags& given, const std::string& axis) const {
    std::string text = axis == "machine" ? "" : given.at("machine");
    for (const auto& [name, values] : values_) {
      if (name == axis || name == method_flag || name == "machine") continue;
      const auto value = given.find(name);
      const bool is_missing_in_some = value == given.end();
      if (!varies(name) && !is_missing_in_some) continue;
      text += (text.empty() ? "" : ", ") + name + " " + (is_missing_in_some ? "-" : value->second);
    }
    return printable(text.empty() ? "all" : text);
  }

  std::vector<WonLine> lines(const std::string& axis) const {
    std::vector<WonLine> all;
    std::string first;  // value of the last line
    for (std::size_t begin = 0; begin < runs_.size();) {
      const std::string at = place_of(runs_[begin].given, axis);
      const std::string value = value_of(runs_[begin].given, axis);
      std::size_t end = begin;
      while (end < runs_.size() && place_of(runs_[end].given, axis) == at &&
             value_of(runs_[end].given, axis) == value) {
        ++end;
      }
      const std::string best = best_of(begin, end);
      if (!all.empty() && all.back().at == at && all.back().best == best) {
        all.back().range = is_number(value) ? first + " to " + value : all.back().range + ", " + value;
      } else {
        all.push_back({at, value, best});
        first = value;
      }
      begin = end;
    }
    return all;
  }

  static bool is_number(const std::string& value) {
    double number = 0;
    const char* const end = value.data() + value.size();
    return std::from_chars(value.data(), end, number).ptr == end;
  }

  static std::string value_of(const GivenFlags& given, const std::string& axis) {
    const auto value = given.find(axis);
    return value == given.end() ? "-" : printable(value->second);
  }

  /// The methods of these runs that take least: "doubling = bruck".
  std::string best_of(std::size_t begin, std::size_t end) const {
    double least = runs_[begin].time;
    for (std::size_t run = begin; run < end; ++run) least = std::min(least, runs_[run].time);
    std::string best;
    for (std::size_t run = begin; run < end; ++run) {
      if (runs_[run].time > least) continue;
      const std::string& name = runs_[run].given.at(std::string(method_flag));
      best += (best.empty() ? "" : " = ") + printable(name.substr(name.find('/') + 1));
    }
    return best;
  }

  std::vector<WonRun> runs_;
  std::map<std::string, std::set<std::string>> values_;
};

}  // namespace

std::string winners_text(const std::vector<StudyPoint>& points, const StudyRows& rows) {
  std::string text;
  for (auto begin = points.begin(); begin != points.end();) {
    const auto end = std::find_if(begin, points.end(),
                                  [&](const StudyPoint& point) { return point.experiment != begin->experiment; });
    WonRanges ranges;
    for (auto point = begin; point != end; ++point) {
      const Json& row = *rows.find(*point);
      if (row.at("status") == "verified") ranges.add(*point, row);
    }
    text += ranges.text(begin->experiment);
    begin = end;
  }
  return text;
}

}  // namespace lockstep::cli::study
