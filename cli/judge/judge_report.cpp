// The reports of an assessment.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "compare/rules.hpp"
#include "host/joined.hpp"
#include "host/json_value.hpp"
#include "host/number_text.hpp"
#include "host/table.hpp"
#include "host/version.hpp"
#include "judge.hpp"
#include "lockstep/core/printable.hpp"
#include "report/json_report.hpp"

namespace lockstep::cli::judge {
namespace {

using Json = nlohmann::ordered_json;

bool has_one_method(const Assessment& assessment) {
  return std::ranges::all_of(assessment.sizes,
                             [&](const JudgedSize& size) { return size.method == assessment.sizes.front().method; });
}

std::string time_text(double time) { return host::short_number(time, 6); }

std::string table_of(const Assessment& assessment) {
  std::vector<host::Column> columns;
  const auto add = [&](const std::string& heading, bool is_text, const auto& cell) {
    host::Column column{heading, is_text, {}};
    for (const JudgedSize& size : assessment.sizes) column.cells.push_back(cell(size));
    const auto says_nothing = [](const std::string& text) { return text.empty() || text == "-"; };
    if (!std::ranges::all_of(column.cells, says_nothing)) columns.push_back(std::move(column));
  };
  if (!has_one_method(assessment)) add("method", true, [](const JudgedSize& size) { return printable(size.method); });
  add("machine", true, [](const JudgedSize& size) { return printable(size.machine); });
  const std::string default_rules = compare::text_of(compare::RunRules{});
  if (std::ranges::any_of(assessment.sizes, [&](const JudgedSize& size) { return size.run.rules != default_rules; })) {
    add("rules", true, [](const JudgedSize& size) { return size.run.rules; });
  }
  add("steps", false,
      [](const JudgedSize& size) { return size.run.has_ended() ? host::grouped(size.run.steps) : "-"; });
  add("bound", false, [](const JudgedSize& size) { return size.bound ? host::grouped(*size.bound) : "-"; });
  add("best", false, [](const JudgedSize& size) { return size.best ? host::grouped(size.best->steps) : "-"; });
  add("by", true, [](const JudgedSize& size) {
    if (!size.best) return std::string();
    const std::string name = size.best->name();
    return printable(name.substr(name.find('/') + 1));
  });
  add("time", false, [](const JudgedSize& size) { return size.run.has_ended() ? time_text(size.run.time) : "-"; });
  add("its time", false,
      [](const JudgedSize& size) { return size.best && size.best->time ? time_text(*size.best->time) : "-"; });
  add("verdict", true, [](const JudgedSize& size) { return verdict(size); });
  return host::plain_table(columns);
}

std::string parts_text(const Assessment& assessment) {
  const std::string text = host::joined(assessment.parts, [](const Assessment::AssessedPart& part) {
    return part.name + " " + points_text(part.points()) + " of " + host::short_number(part.share) + " (" +
           points_text(100 * part.part) + "%)";
  });
  const bool has_bound =
      std::ranges::find(assessment.parts, "bound", &Assessment::AssessedPart::name) != assessment.parts.end();
  return text + (has_bound ? "" : "; no bound known");
}

}  // namespace

double rounded_points(double points) { return std::round(points * 10) / 10; }

std::string points_text(double points) { return host::short_number(rounded_points(points)); }

std::string text_of(const JudgeArguments& arguments, const Assessment& assessment) {
  const JudgedSize& first = assessment.sizes.front();
  std::string text =
      printable(has_one_method(assessment) ? first.name() : run::name_on("the program's methods", first.guest));
  text += ", judged on " + host::counted(assessment.sizes.size(), "machine") + " and in " +
          host::counted(arguments.seeds, "order") + " of processors\n" + table_of(assessment);
  for (const JudgedSize& size : assessment.sizes) {
    const std::string where =
        (has_one_method(assessment) ? "" : printable(size.method) + " on ") + printable(size.machine);
    constexpr std::size_t longest = 1000;
    for (const std::string& line : complaints(size)) text += where + ": " + printable(line, longest) + "\n";
  }
  return text + "points " + points_text(assessment.points()) + " of " + host::short_number(arguments.all_points()) +
         ": " + parts_text(assessment) + "\n";
}

Json json_of(const Assessment& assessment) {
  Json sizes = Json::array();
  for (const JudgedSize& size : assessment.sizes) {
    const JudgedRun& run = size.run;
    const bool has_ended = run.has_ended();
    const auto& best = size.best;
    sizes.push_back(
        {{"algorithm", size.method},
         {"machine", size.machine},
         {"processors", size.processors},
         {"ports", run.ports.empty() ? Json() : Json(run.ports)},
         {"rules", run.rules.empty() ? Json() : Json(run.rules)},
         {"parameters", run.parameters},
         {"steps", has_ended ? Json(run.steps) : Json()},
         {"time", has_ended ? Json(run.time) : Json()},
         {"bound_steps", host::json_of(size.bound)},
         {"best", best ? Json{{"algorithm", best->method}, {"steps", best->steps}, {"time", host::json_of(best->time)}}
                       : Json()},
         {"verdict", verdict(size)},
         {"right_data", assessment.counts(size)},
         {"rules_kept", has_ended},
         {"nearness", has_ended ? Json(size.nearness()) : Json()},
         {"complaints", complaints(size)}});
    if (!size.guest.empty()) sizes.back()["guest"] = size.guest;
    if (best && !best->guest.empty()) sizes.back()["best"]["guest"] = best->guest;
  }
  Json parts = Json::object();
  for (const Assessment::AssessedPart& part : assessment.parts) {
    parts[part.name] = {{"share", part.share}, {"part", part.part}, {"points", rounded_points(part.points())}};
  }
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"sizes", sizes},
          {"points", rounded_points(assessment.points())},
          {"parts", parts},
          {"status", assessment.is_right() ? "right" : "wrong"}};
}

}  // namespace lockstep::cli::judge
