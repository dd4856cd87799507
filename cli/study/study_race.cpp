#include "study_race.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "flags/setting_flags.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::study {
namespace {

/// A flag's name and value in a point; the value of one that is given several times has all.
using GivenFlags = std::map<std::string, std::string>;

constexpr const char* method_flag = "algorithm";

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

std::string value_of(const GivenFlags& given, const std::string& axis) {
  const auto value = given.find(axis);
  return value == given.end() ? "-" : printable(value->second);
}

/// The values of all flags in some points.
class GivenValues {
 public:
  void add(const GivenFlags& given) {
    for (const auto& [name, value] : given) values_[name].insert(value);
  }

  std::size_t methods() const { return values_.at(method_flag).size(); }

  std::string axis_name() const {
    if (values_.contains("words") && varies("words")) return "words";
    std::string most = "machine";
    for (const auto& [name, values] : values_) {
      if (name != method_flag && values.size() > values_.at(most).size()) most = name;
    }
    return most;
  }

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

 private:
  bool varies(const std::string& name) const { return values_.at(name).size() > 1; }

  std::map<std::string, std::set<std::string>> values_;
};

/// The race of these points, which are verified.
StudyRace race_of(const std::vector<const StudyPoint*>& points, const StudyRows& rows) {
  GivenValues all;
  for (const StudyPoint* const point : points) all.add(given_flags(*point));
  StudyRace race{
      .experiment = points.front()->experiment, .axis = all.axis_name(), .methods = all.methods(), .runs = {}};
  for (const StudyPoint* const point : points) {
    const GivenFlags given = given_flags(*point);
    const Json& row = *rows.find(*point);
    const std::string& name = given.at(method_flag);
    race.runs.push_back({.place = all.place_of(given, race.axis),
                         .value = value_of(given, race.axis),
                         .method = printable(name.substr(name.find('/') + 1)),
                         .time = row.at("time_synchronous"),
                         .processors = row.at("processors")});
  }
  return race;
}

}  // namespace

std::vector<StudyRace> races_of(const std::vector<StudyPoint>& points, const StudyRows& rows) {
  std::vector<StudyRace> races;
  for (auto begin = points.begin(); begin != points.end();) {
    const auto end = std::find_if(begin, points.end(),
                                  [&](const StudyPoint& point) { return point.experiment != begin->experiment; });
    std::vector<const StudyPoint*> verified;
    for (auto point = begin; point != end; ++point) {
      if (rows.find(*point)->at("status") == "verified") verified.push_back(&*point);
    }
    if (!verified.empty()) races.push_back(race_of(verified, rows));
    begin = end;
  }
  return races;
}

}  // namespace lockstep::cli::study
