// Saad & Schultz 1988, Tables 1 and 2.
#include <algorithm>
#include <array>

#include "entries.hpp"
#include "six_machines.hpp"

namespace lockstep::cli::reproduce::saad_schultz_1988 {
namespace {

using Size = SixMachinesSize;
using Machines = std::array<const char*, 3>;

constexpr Machines in_table_1{"bus", "shared memory", "ring"};
constexpr Machines in_table_2{"grid", "hypercube", "switch"};

bool is_of(const Machines& machines, const SixMachinesCell& cell) {
  return std::ranges::any_of(machines, [&](const char* machine) { return cell.machine == machine; });
}

/// Blocks of all pairs are cut into log2(k) slices on the hypercube, so that N is a multiple of k^2 log2(k).
std::vector<Size> sizes(bool quick) {
  constexpr double beta = 1000;
  const Size common{.k = 64, .N = 24576, .kstar = 16, .beta = beta};
  if (quick) return {common};
  return {{.k = 16, .N = 16384, .kstar = 4, .beta = beta}, common, {.k = 64, .N = 196608, .kstar = 16, .beta = beta}};
}

Reproduction cells_of(const Machines& machines, ReproductionRuns& runs) {
  ReproducedTable formulas{
      .name = "entries",
      .columns = {"operation", "machine", "paper's entry", "method", "exact steps", "exact longest sum"}};
  ReproducedTable times{.name = "counted",
                        .columns = {"operation", "machine", "k", "N", "steps", "longest sum", "time", "paper"}};
  Judgement judgement;
  for (const SixMachinesCell& cell : six_machines_cells()) {
    if (!is_of(machines, cell)) continue;
    const Prediction exact = runs.predict(arguments_of(cell, sizes(runs.quick()).front())).prediction;
    formulas.rows.push_back(
        {{cell.operation, cell.machine, cell.entry, cell.method, exact.steps->formula, exact.longest_sum->formula}});
    for (const Size& size : sizes(runs.quick())) {
      add_timed_row(
          times, {cell.operation, cell.machine, static_cast<std::uint64_t>(size.k), static_cast<std::uint64_t>(size.N)},
          {cell.operation + " on the " + cell.machine, cell.claim, cell.mark, cell.is_erratum}, cell.value(size),
          runs.run(arguments_of(cell, size)), judgement);
    }
  }
  return {.tables = {std::move(formulas), std::move(times)}, .disagreements = judgement.disagreements()};
}

}  // namespace

Reproduction table_1(ReproductionRuns& runs) { return cells_of(in_table_1, runs); }

Reproduction table_2(ReproductionRuns& runs) {
  Reproduction reproduction = cells_of(in_table_2, runs);
  add_conclusions(reproduction, runs);
  return reproduction;
}

}  // namespace lockstep::cli::reproduce::saad_schultz_1988
