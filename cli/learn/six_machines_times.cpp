#include <limits>

#include "demo_code.hpp"
#include "host/joined.hpp"
#include "host/number_text.hpp"
#include "host/table.hpp"
#include "reproduce/papers/six_machines.hpp"
#include "run/execution.hpp"

namespace lockstep::cli::learn {
namespace {

constexpr reproduce::SixMachinesSize size{.k = 16, .N = 1536, .kstar = 4, .beta = 10};

double time_of(const reproduce::SixMachinesCell& cell) {
  return run::predicted_time(run::planned(run::plan_prediction(reproduce::arguments_of(cell, size))))->value;
}

/// The machine's name in the race.
std::string name_of(const reproduce::SixMachinesCell& cell) {
  if (cell.machine == "shared memory") return "memory";
  return cell.machine == "grid" ? "torus" : cell.machine;
}

}  // namespace

std::string six_machines_times(const std::atomic<bool>&) {
  const std::vector<std::pair<std::string, std::string>> operations{
      {"one to all", "1 to all"}, {"all to all", "all to all"}, {"scatter", "scatter"}};
  std::vector<host::Column> columns{{"time", true, {}}};
  std::string text = "Modelled times for 1,536 words in all,\nby the methods of the paper:\n\n";
  std::vector<std::string> winners;
  for (const auto& [operation, heading] : operations) {
    host::Column column{heading, false, {}};
    double least = std::numeric_limits<double>::infinity();
    std::string fastest;
    for (const reproduce::SixMachinesCell& cell : reproduce::six_machines_cells()) {
      if (cell.operation != operation) continue;
      if (columns.size() == 1) columns.front().cells.push_back(name_of(cell));
      const double time = time_of(cell);
      if (time < least) fastest = name_of(cell);
      least = std::min(least, time);
      column.cells.push_back(host::short_number(time, 6));
    }
    columns.push_back(column);
    winners.push_back(fastest);
  }
  return text + host::plain_table(columns) + "\nFastest: " + host::joined(winners) + ".\n";
}

}  // namespace lockstep::cli::learn
