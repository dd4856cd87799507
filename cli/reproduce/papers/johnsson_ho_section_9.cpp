// Johnsson & Ho, section 9: one- against two-dimensional transposition.
#include <algorithm>
#include <cmath>

#include "entries.hpp"
#include "ipsc.hpp"

namespace lockstep::cli::reproduce::johnsson_ho_section_9 {
namespace {

const std::string one_dimensional = "alltoall/rotated-sbt";
const std::string two_dimensional = "transpose/2d-mpt";

/// With all ports times depend on n and on r = K tau / beta only, K = PQ/N; they are in units of beta.
double one_dimensional_least(double n, double r) { return n + r / 2; }

bool is_even(double h) { return std::fmod(h, 2) == 0; }

double in_regime_2(double n, double r) {
  if (is_even(n / 2)) return n / 2 + 3 + (n + 6) * r / (2 * n + 8);
  return n / 2 + 2 + (n + 4) * r / (2 * n + 4);
}

double two_dimensional_least(double n, double r) {
  if (n * n >= r) return (n + 1) + (n + 1) * r / (2 * n);
  if (n * n > r / 2) return in_regime_2(n, r);
  return std::pow(1 + std::sqrt(r / 2), 2);
}

/// The r at which the times of one dimension and of regime 2 are equal.
double meeting(double n) { return is_even(n / 2) ? (n / 2 - 3) * (n + 4) : (n / 2 - 2) * (n + 2); }

/// The paper has the two equal for some r of regime 2, from n^2 on.
ReproducedTable break_even(Judgement& judgement) {
  ReproducedTable table{.name = "break_even",
                        .columns = {"n", "2-D - 1-D at r = n^2", "at r = 2 n^2", "alike at r", "regime 2 from r"}};
  const PaperLine line{.name = "9, break-even", .claim = PaperClaim::at_least, .mark = "J23", .is_erratum = true};
  for (const std::uint64_t dimensions : {2U, 4U, 6U, 8U, 10U, 16U, 20U, 30U, 40U}) {
    const auto n = static_cast<double>(dimensions);
    const auto difference = [n](double r) { return in_regime_2(n, r) - one_dimensional_least(n, r); };
    table.rows.push_back({{dimensions, difference(n * n), difference(2 * n * n), meeting(n), n * n},
                          judgement.of(line, n * n, meeting(n)),
                          line.mark});
  }
  return table;
}

/// A run at K words a processor in which a start-up takes so long that r = K / beta.
run::RunArguments arguments_of(const std::string& method, std::uint64_t n, std::uint64_t K, double r) {
  run::RunArguments arguments = arguments_for("hypercube:" + std::to_string(n), method, {}, static_cast<double>(K) / r);
  if (method == one_dimensional) {
    arguments.settings.words = K >> n;
  } else {
    arguments.settings.matrix = MatrixSize{std::uint64_t{1} << n, K};
  }
  return arguments;
}

PaperLine two_dimensional_line(double n, double r) {
  if (n * n >= r) return {.name = "9, 2-D, n >= sqrt(r)"};
  return {.name = "9, 2-D, n < sqrt(r)", .claim = PaperClaim::at_least, .mark = "J14"};
}

/// Sizes that divide evenly: K by 2^n n, so that slices are equal.
ReproducedTable all_ports(ReproductionRuns& runs, Judgement& judgement) {
  ReproducedTable table{.name = "all_ports", .columns = {"n", "r", "method", "time", "paper"}};
  const std::vector<std::uint64_t> cubes =
      runs.quick() ? std::vector<std::uint64_t>{2, 4} : std::vector<std::uint64_t>{2, 4, 8};
  for (const std::uint64_t cube : cubes) {
    const auto n = static_cast<double>(cube);
    const std::uint64_t K = (cube << cube) * 4;
    for (const double r : {n * n / 2, 1.5 * n * n, 8 * n * n}) {
      const auto add = [&](const std::string& method, const PaperLine& line, double paper) {
        const run::RunRecord record = runs.run(arguments_of(method, cube, K, r));
        const double time = record.outcome.report.time_asynchronous / record.plan.model.cost.beta;
        table.rows.push_back({{cube, r, method, time, paper}, judgement.of(line, paper, time), line.mark});
        return time;
      };
      const double rows = add(one_dimensional, {.name = "9, 1-D", .mark = "J9"}, one_dimensional_least(n, r));
      const double blocks = add(two_dimensional, two_dimensional_line(n, r), two_dimensional_least(n, r));
      judgement.of({.name = "9, 1-D quicker than 2-D with all ports", .claim = PaperClaim::at_most}, blocks, rows);
    }
  }
  return table;
}

/// With one port, on the Intel iPSC: without copies, and with them.
ReproducedTable one_port(ReproductionRuns& runs, Judgement& judgement) {
  ReproducedTable table{.name = "one_port",
                        .columns = {"matrix", "n", "K", "1-D, no copies", "2-D, no copies", "1-D", "2-D", "quicker"}};
  const std::vector<std::uint64_t> sides =
      runs.quick() ? std::vector<std::uint64_t>{64} : std::vector<std::uint64_t>{64, 128, 256};
  for (const IpscMatrix& matrix : two_dimensional_matrices(sides)) {
    const auto seconds = [&](const std::string& method, bool with_copies) {
      run::RunArguments arguments = arguments_of(matrix, method);
      if (!with_copies) arguments.model.copy_cost = 0;
      return runs.run(arguments).outcome.report.time_synchronous;
    };
    const double rows = seconds("transpose/1d-exchange", false);
    const double blocks = seconds("transpose/2d-spt", false);
    judgement.of({.name = "9, 1-D quicker than 2-D with one port", .claim = PaperClaim::at_most}, blocks, rows);
    const double copied_rows = seconds("transpose/1d-buffered", true);
    const double copied_blocks = seconds("transpose/2d-spt", true);
    table.rows.push_back({{matrix.name(), matrix.n, static_cast<std::uint64_t>(matrix.K()), rows, blocks, copied_rows,
                           copied_blocks, copied_rows <= copied_blocks ? "1-D" : "2-D"}});
  }
  return table;
}

}  // namespace

Reproduction reproduction(ReproductionRuns& runs) {
  Judgement judgement;
  ReproducedTable formulas{.name = "formulas", .columns = {"partitioning", "where", "time", "method"}};
  formulas.rows = {
      {{"1-D", "", "K/2 tau + n beta", one_dimensional}},
      {{"2-D", "n >= sqrt(r)", "(n + 1) beta + (n + 1)/(2n) K tau", two_dimensional}},
      {{"2-D", "sqrt(r/2) < n < sqrt(r), n/2 even", "(n/2 + 3) beta + (n + 6)/(2n + 8) K tau", two_dimensional}},
      {{"2-D", "sqrt(r/2) < n < sqrt(r), n/2 odd", "(n/2 + 2) beta + (n + 4)/(2n + 4) K tau", two_dimensional}},
      {{"2-D", "n <= sqrt(r/2)", "(sqrt(beta) + sqrt(K/2 tau))^2", two_dimensional}},
  };
  const auto exact = [&runs](const std::string& method) {
    return runs.predict(arguments_of(method, 4, 256, 24)).prediction;
  };
  const Prediction rows = exact(one_dimensional);
  formulas.rows.push_back(
      {{"1-D", "exact", rows.steps->formula + " steps, longest sum " + rows.longest_sum->formula, one_dimensional}});
  formulas.rows.push_back({{"2-D", "exact", exact(two_dimensional).asynchronous->formula, two_dimensional}});
  ReproducedTable counted = all_ports(runs, judgement);
  ReproducedTable claimed = break_even(judgement);
  ReproducedTable copies = one_port(runs, judgement);
  return {.tables = {std::move(formulas), std::move(counted), std::move(claimed), std::move(copies)},
          .disagreements = judgement.disagreements()};
}

}  // namespace lockstep::cli::reproduce::johnsson_ho_section_9
