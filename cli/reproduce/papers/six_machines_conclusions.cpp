// Section 4 of Saad & Schultz 1988: which machine is fastest for which operation.
#include <algorithm>
#include <cmath>
#include <map>

#include "six_machines.hpp"

namespace lockstep::cli::reproduce {
namespace {

using Size = SixMachinesSize;
using SixMachinesCells = std::vector<const SixMachinesCell*>;
/// The time of a cell.
using TimeOf = std::function<double(const SixMachinesCell&, const Size&)>;

/// Start-ups are long, so that blocks of one size can stand for few and for many words.
constexpr double beta = 1e6;
constexpr double least_words = 24576;  // k^2 log2(k) for k = 64
constexpr std::uint64_t most_times_more = 65536;

Size size_of(double k, double words) { return {.k = k, .N = words, .kstar = 16, .beta = beta}; }

/// The cells by operation, in the order of the tables.
std::vector<SixMachinesCells> by_operation() {
  std::vector<SixMachinesCells> operations;
  for (const SixMachinesCell& cell : six_machines_cells()) {
    if (operations.empty() || operations.back().front()->operation != cell.operation) operations.emplace_back();
    operations.back().push_back(&cell);
  }
  return operations;
}

double least_time(const SixMachinesCells& cells, const Size& size, const TimeOf& time_of) {
  double least = time_of(*cells.front(), size);
  for (const SixMachinesCell* cell : cells) least = std::min(least, time_of(*cell, size));
  return least;
}

/// All the fastest.
std::string fastest(const SixMachinesCells& cells, const Size& size, const TimeOf& time_of) {
  const double least = least_time(cells, size, time_of);
  std::string machines;
  for (const SixMachinesCell* cell : cells) {
    if (time_of(*cell, size) <= least * (1 + 1e-9)) machines += (machines.empty() ? "" : ", ") + cell->machine;
  }
  return machines;
}

double by_entry(const SixMachinesCell& cell, const Size& size) { return cell.value(size); }

/// N as multiples of the least; between two powers of two bisection finds the first that differs.
ReproducedTable crossovers(const TimeOf& by_prediction) {
  ReproducedTable table{.name = "crossovers",
                        .columns = {"operation", "N tau / beta", "by exact times", "by the entries"}};
  using Fastest = std::pair<std::string, std::string>;
  for (const SixMachinesCells& cells : by_operation()) {
    const auto fastest_of = [&](std::uint64_t multiple) {
      const Size size = size_of(64, least_words * static_cast<double>(multiple));
      return Fastest{fastest(cells, size, by_prediction), fastest(cells, size, by_entry)};
    };
    const auto add = [&](std::uint64_t multiple, const Fastest& now) {
      const double from = least_words * static_cast<double>(multiple) / beta;
      table.rows.push_back({{cells.front()->operation, from, now.first, now.second}});
    };
    Fastest before = fastest_of(1);
    add(1, before);
    for (std::uint64_t until = 2; until <= most_times_more; until *= 2) {
      std::uint64_t same = until / 2;
      while (fastest_of(until) != before) {
        std::uint64_t other = until;
        while (other - same > 1) {
          const std::uint64_t middle = same + (other - same) / 2;
          (fastest_of(middle) == before ? same : other) = middle;
        }
        before = fastest_of(other);
        add(other, before);
        same = other;
      }
    }
  }
  return table;
}

/// The paper's best machines for much data.
ReproducedTable much_data(const TimeOf& by_prediction, Judgement& judgement) {
  ReproducedTable table{.name = "much_data",
                        .columns = {"operation", "paper: best", "time", "exactly: best", "least time"}};
  const Size size = size_of(64, least_words * static_cast<double>(most_times_more));
  for (const SixMachinesCells& cells : by_operation()) {
    const std::string& operation = cells.front()->operation;
    const std::string best = operation == "one to all" ? "bus" : "hypercube";
    const SixMachinesCell& named = **std::ranges::find(cells, best, &SixMachinesCell::machine);
    const double paper = by_prediction(named, size);
    const double least = least_time(cells, size, by_prediction);
    const std::string mark = operation == "scatter" ? "B25" : operation == "one to all" ? "c" : "";
    const PaperVerdict verdict =
        judgement.of({operation + ": best for much data", PaperClaim::equal, mark, !mark.empty()}, paper, least);
    table.rows.push_back({{operation, best, paper, fastest(cells, size, by_prediction), least}, verdict, mark});
  }
  return table;
}

/// The paper's statement for little data: the start-ups grow as k, sqrt(k) or log2(k).
ReproducedTable little_data(const ReproductionRuns& runs, Judgement& judgement) {
  ReproducedTable table{.name = "little_data",
                        .columns = {"operation", "machine", "order", "k = 64", "k = 256", "k = 1024"}};
  struct GrowthOrder {
    std::string text;
    double (*of)(const Size&);
  };
  const GrowthOrder linear{"k", [](const Size& size) { return size.k; }};
  const GrowthOrder root{"sqrt(k)", [](const Size& size) { return size.side(); }};
  const GrowthOrder logarithm{"log2(k)", [](const Size& size) { return size.dimensions(); }};
  const std::map<std::string, GrowthOrder> orders{
      {"ring", linear}, {"shared memory", linear}, {"grid", root}, {"hypercube", logarithm}, {"switch", logarithm}};
  constexpr double constant = 3;  // of every order
  for (const SixMachinesCell& cell : six_machines_cells()) {
    const auto order = orders.find(cell.machine);
    ReproducedTable::ReproducedRow row{{cell.operation, cell.machine, order == orders.end() ? "" : order->second.text}};
    for (const double k : {64.0, 256.0, 1024.0}) {
      const Size size = size_of(k, k * k * std::log2(k));
      // Only start-ups count, so there is one packet.
      run::RunArguments arguments = arguments_of(cell, size);
      arguments.model.tau = 0;
      const std::uint64_t steps = runs.predict(arguments).prediction.steps->value;
      row.values.emplace_back(steps);
      if (order == orders.end()) continue;
      const PaperVerdict verdict =
          judgement.of({cell.operation + " on the " + cell.machine + ": order of the start-ups", PaperClaim::at_most},
                       constant * order->second.of(size), static_cast<double>(steps));
      if (row.verdict != PaperVerdict::differs) row.verdict = verdict;
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

void add_conclusions(Reproduction& reproduction, const ReproductionRuns& runs) {
  Judgement judgement;
  std::map<std::pair<const SixMachinesCell*, double>, double> times;
  const TimeOf by_prediction = [&](const SixMachinesCell& cell, const Size& size) {
    double& time = times[{&cell, size.N}];
    if (time == 0) {
      const run::RunRecord record = runs.predict(arguments_of(cell, size));
      time = run::predicted_time(record)->value;
    }
    return time;
  };
  reproduction.tables.push_back(crossovers(by_prediction));
  reproduction.tables.push_back(much_data(by_prediction, judgement));
  reproduction.tables.push_back(little_data(runs, judgement));
  for (const std::string& line : judgement.disagreements()) reproduction.disagreements.push_back(line);
}

}  // namespace lockstep::cli::reproduce
