// docs/coverage.md: how near the best method of every collective comes to its lower bound, on every family of machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "documents.hpp"

namespace lockstep::test::coverage_test {
namespace {

using Json = nlohmann::json;

constexpr std::array operations{"broadcast", "scatter",        "gather", "allgather", "alltoall", "reduce",
                                "allreduce", "reduce-scatter", "scan",   "exscan",    "barrier"};
constexpr std::array linked{"hypercube:4", "rh:2,1",    "ring:16",          "ring:9",       "path:16",     "torus:4x4",
                            "torus:3x5",   "mesh:4x4",  "mesh:3x5",         "complete:16",  "complete:13", "ccc:3",
                            "star:4",      "pancake:4", "circulant:16,1,4", "hypercube:3+1"};
constexpr std::array media{"switch:16",        "switch:13", "omega:16",          "inverse-omega:16",
                           "indirect-cube:16", "bus:16",    "shared:16,kstar=4", "data-manipulator:16"};
const std::string few = "24";  // as many as the processors of the largest machine
const std::string many = "1600";

/// A method and the least of its figure, over the bound.
struct Nearest {
  std::string method;
  double ratio = 0;
};
/// Empty where no method is predicted; by figure.
using Cell = std::map<std::string, Nearest>;

/// The best of every figure for all machines, ports and words of an operation.
class Table {
 public:
  explicit Table(std::string_view operation) : operation_(operation) {
    add("one", linked);
    add("all", linked);
    add("one", media);
  }

  const Cell& cell(const std::string& machine, const std::string& ports, const std::string& words) {
    return cells_[machine + " " + ports + " " + words];
  }

 private:
  template <std::size_t size>
  void add(const std::string& ports, const std::array<const char*, size>& machines) {
    std::string all;
    for (const char* machine : machines) all += std::string(" --machine ") + machine;
    if (add(ports, all)) return;
    // A machine on which nothing runs is an error, for all.
    for (const char* machine : machines) add(ports, std::string(" --machine ") + machine);
  }

  /// Whether anything runs there.
  bool add(const std::string& ports, const std::string& machines) {
    std::string line =
        "./dev sweep --predict --quiet --jsonl - --beta 100 --ports " + ports + " --operation " + operation_;
    if (operation_ != "barrier") line += " --vary words=" + few + "," + many;
    const Given given = give_in_repository(line + machines + " 2>/dev/null");
    if (given.exit_code != 0) return false;
    for (const std::string& row : lines_of(given.output)) {
      const Json fields = Json::parse(row, nullptr, false);
      if (fields.is_object() && fields.contains("figures")) add(ports, fields);
    }
    return true;
  }

  void add(const std::string& ports, const Json& row) {
    // On a bus every transaction may be heard by all.
    const std::string machine = row["machine"];
    if (row["model"]["multicast"] == true && !machine.starts_with("bus")) return;
    const std::string words = row["point"].contains("words") ? row["point"]["words"].dump() : few;
    Cell& best = cells_[machine + " " + ports + " " + words];
    const Json& figures = row["figures"];
    const auto value = [&](const char* name) {
      const bool is_bound = std::ranges::find(row["at_most"], Json(name)) != row["at_most"].end();
      return figures.value(name, Json()).is_null() || is_bound ? std::optional<double>() : figures[name].get<double>();
    };
    const auto steps = value("lower_bound_steps");
    const auto longest_sum = value("lower_bound_longest_sum");
    const std::string guest = row.contains("guest") ? " on " + row["guest"].get<std::string>() : "";
    const auto keep = [&](const char* figure, std::optional<double> bound) {
      const auto own = value(figure);
      if (!own || !bound) return;
      const double ratio = *bound > 0 ? *own / *bound : *own == 0 ? 1 : std::numeric_limits<double>::infinity();
      const auto [place, is_new] =
          best.try_emplace(figure, Nearest{row["algorithm"].get<std::string>() + guest, ratio});
      if (!is_new && ratio < place->second.ratio) place->second = {row["algorithm"].get<std::string>() + guest, ratio};
    };
    keep("steps", steps);
    keep("longest_sum", longest_sum);
    keep("time_synchronous", value("lower_bound_time"));
  }

  std::string operation_;
  std::map<std::string, Cell> cells_;
};

std::string number(double ratio) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", ratio);
  return text.data();
}

std::string own_name(const std::string& method) { return method.substr(method.find('/') + 1); }

struct CoveragePage {
  std::vector<std::string> rows;
  double logarithms = 0;
  int cells = 0;
  int empty = 0;
  int over_two = 0;

  void add(Table& table, const std::string& operation, const std::string& machine, const std::string& ports) {
    const Cell& small = table.cell(machine, ports, few);
    const Cell& large = table.cell(machine, ports, many);
    const auto shown = [&](const Cell& cell, const char* figure, bool is_counted) -> std::string {
      const auto found = cell.find(figure);
      if (found == cell.end()) {
        if (is_counted) ++empty;
        return "- |";
      }
      if (is_counted) {
        ++cells;
        logarithms += std::log(found->second.ratio);
        if (found->second.ratio > 2.005) ++over_two;
      }
      return number(found->second.ratio) + " " + own_name(found->second.method) + " |";
    };
    const bool is_barrier = operation == "barrier";
    std::string row = "| " + operation + " | `" + machine + "` | " + ports + " | ";
    row += shown(small, "steps", false) + " ";
    row += is_barrier ? "" : shown(large, "longest_sum", false) + " ";
    if (is_barrier) row += "| ";
    row += shown(small, "time_synchronous", true) + " ";
    row += is_barrier ? "|" : shown(large, "time_synchronous", true);
    rows.push_back(row);
  }

  std::string summary() const {
    return std::to_string(cells) + " times, " + std::to_string(empty) + " empty cells, " + std::to_string(over_two) +
           " times above twice the bound, geometric mean " + number(std::exp(logarithms / cells)) + ".";
  }
};

TEST(Coverage, IsThatOfThePage) {
  CoveragePage page;
  for (const char* operation : operations) {
    Table table(operation);
    for (const char* ports : {"one", "all"}) {
      for (const char* machine : linked) page.add(table, operation, machine, ports);
    }
    for (const char* machine : media) page.add(table, operation, machine, "one");
  }
  ASSERT_GT(page.cells, 400);
  const std::string heading =
      "| operation | machine | ports | steps | longest sum, 1,600 words | time, 24 words | time, 1,600 words |";
  const std::string text = contents("docs/coverage.md");
  const std::size_t begin = text.find(heading);
  ASSERT_NE(begin, std::string::npos);
  std::string made = text.substr(0, begin) + heading + "\n|---|---|---|---|---|---|---|\n";
  for (const std::string& row : page.rows) made += row + "\n";
  made += "\n" + page.summary() + "\n";
  if (is_rewriting()) rewrite("docs/coverage.md", made);
  EXPECT_EQ(contents("docs/coverage.md"), made);
}

}  // namespace
}  // namespace lockstep::test::coverage_test
