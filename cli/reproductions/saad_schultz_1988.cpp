// Saad & Schultz 1988, Tables 1 and 2.
#include <algorithm>
#include <array>

#include "entries.hpp"
#include "six_machines.hpp"

namespace lockstep::cli {
namespace {

using Cell = SixMachinesCell;
using Size = SixMachinesSize;
using Machines = std::array<const char*, 3>;

const Reproduction::Note of_pipelines{
    "a",
    "for a pipeline's (x + y)^2 the table has 2 (x^2 + y^2), x^2 being N tau and y^2 start-ups for all hops but one"};
const Reproduction::Note of_own_blocks{
    "b", "rounds up: counts the blocks that processors have for themselves, and k or sqrt(k) steps for one less"};

constexpr Machines in_table_1{"bus", "shared memory", "ring"};
constexpr Machines in_table_2{"grid", "hypercube", "switch"};

bool is_of(const Machines& machines, const Cell& cell) {
  return std::ranges::any_of(machines, [&](const char* machine) { return cell.machine == machine; });
}

/// Blocks of all pairs are cut into log2(k) slices on the hypercube, so that N is a multiple of k^2 log2(k).
std::vector<Size> sizes(bool quick) {
  constexpr double beta = 1000;
  const Size common{.k = 64, .N = 24576, .kstar = 16, .beta = beta};
  if (quick) return {common};
  return {{.k = 16, .N = 16384, .kstar = 4, .beta = beta}, common, {.k = 64, .N = 196608, .kstar = 16, .beta = beta}};
}

Reproduction cells_of(const Machines& machines, std::vector<Reproduction::Note> notes, ReproductionRuns& runs) {
  ReproducedTable formulas{
      .name = "entries",
      .title = "Entries, and the methods whose times they are",
      .columns = {"operation", "machine", "paper's entry", "method", "exact steps", "exact longest sum"}};
  ReproducedTable times{.name = "counted",
                        .title = "Counted: steps beta + longest sum tau is the time; beta = 1000, tau = 1, k* = k/4",
                        .columns = {"operation", "machine", "k", "N", "steps", "longest sum", "time", "paper"}};
  Judgement judgement;
  for (const Cell& cell : six_machines_cells()) {
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
  return {
      .tables = {std::move(formulas), std::move(times)},
      .notes = std::move(notes),
      .remarks = {"beta is the paper's tau, the time of a start-up, and tau its 1/b, the time of a word. N words are "
                  "the item (one to one, one to all), all blocks of one processor (all to all, scatter: N/k each) "
                  "or of all pairs (multiscatter: N/k^2 each). Packets: as many as take the least time."},
      .disagreements = judgement.disagreements()};
}

Reproduction table_1(ReproductionRuns& runs) {
  return cells_of(
      in_table_1,
      {{"B15", "k - 1 messages are enough: the root keeps its own block"},
       {"B16", "(3.37) lets every processor read N words instead of N/k: N tau + beta + (N/k tau + beta) k/k*"},
       {"B21", "(3.43) adds k terms where k - 1 are needed: (k-1) beta + N (k-1)/(2k) tau"},
       {"B24",
        "not what the paper's text comes to: 2 N tau + 2 beta (one to one), k/k* (N tau + 2 beta) (all to all), "
        "2 k/k* (N/k tau + beta) (multiscatter, with the blocks that processors have for themselves)"},
       {"B29", "counts the blocks that processors have for themselves"},
       of_pipelines,
       of_own_blocks},
      runs);
}

Reproduction table_2(ReproductionRuns& runs) {
  Reproduction reproduction = cells_of(
      in_table_2,
      {{"B22",
        "section 3.5(d) delivers only 1/sqrt(k) of the blocks; two phases of rotate and drop deliver all, in less"},
       {"B23", "an exchange on the switch is one permutation, not two transfers: log2(k) (N/(2k) tau + beta)"},
       {"B24",
        "one to one, one to all: the factor 2 of (x + y)^2 <= 2 (x^2 + y^2) is left out of the start-ups, so that "
        "the entry is no bound; scatter: about twice what (3.39) comes to, N/2 (1 + 1/sqrt(k)) tau + sqrt(k) beta"},
       {"B28", "the schedule is not in the report that the paper refers to; one of Johnsson & Ho takes just this time"},
       {"B30", "a link carries whole blocks: exact is 2 sum of ceil(C(n,i)/n) N/k tau, n = log2(k)"},
       of_pipelines,
       of_own_blocks},
      runs);
  add_conclusions(reproduction, runs);
  return reproduction;
}

}  // namespace

ReproductionEntry saad_schultz_table_1() {
  return {"saad-schultz-table-1", "Saad & Schultz 1988, Table 1",
          "times of five operations on the bus, the shared memory and the ring", table_1};
}

ReproductionEntry saad_schultz_table_2() {
  return {"saad-schultz-table-2", "Saad & Schultz 1988, Table 2 and section 4",
          "times of five operations on the grid, the hypercube and the switch, and what is fastest where", table_2};
}

}  // namespace lockstep::cli
