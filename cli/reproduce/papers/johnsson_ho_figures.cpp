// Johnsson & Ho, the figures of section 8 and Figure 19: transpositions on the Intel iPSC.
#include <algorithm>
#include <cmath>
#include <functional>

#include "entries.hpp"
#include "ipsc.hpp"

namespace lockstep::cli::reproduce::johnsson_ho_figures {
namespace {

using MatrixSides = std::vector<std::uint64_t>;

const std::string unbuffered = "transpose/1d-unbuffered";
const std::string buffered = "transpose/1d-buffered";
const std::string two_dimensional = "transpose/2d-spt";
const std::string naive = "transpose/gray-mixed-naive";
const std::string combined = "transpose/gray-mixed";

/// A method and the paper's formulas for it: the quantity, and the formula.
struct PaperFormulas {
  std::string method;
  std::vector<std::pair<std::string, std::string>> of_paper;
};

const PaperFormulas unbuffered_formulas{
    unbuffered,
    {{"paper's time", "n K/2 tau + S beta"}, {"paper's S", "N + ceil(K/(2 B_m)) min(n, log2 ceil(K/B_m)) - K/B_m"}}};
const std::pair<std::string, std::string> buffered_startups{
    "paper's S", "min(N, K/B_c) - min(N, K/B_m) + ceil(K/(2 B_m)) (min(n, log2 ceil(K/B_m)) + X)"};
const PaperFormulas two_dimensional_formulas{two_dimensional,
                                             {{"paper's time", "n (K tau + ceil(K/B_m) beta) + 2 K t_copy"}}};

/// `copied`: how much of K an exchange copies.
PaperFormulas buffered_formulas(const std::string& copied) {
  return {buffered,
          {{"paper's time", "n K/2 tau + X " + copied + " t_copy + S beta, X = max(0, n - log2 ceil(K/B_c))"},
           buffered_startups}};
}

double packet() { return static_cast<double>(ipsc_cost().max_packet_words); }

/// Sides of matrices with a row for every processor of a 6-cube.
MatrixSides one_dimensional_sides(const ReproductionRuns& runs) {
  return runs.quick() ? MatrixSides{64, 256} : MatrixSides{64, 128, 256, 512};
}
MatrixSides two_dimensional_sides(const ReproductionRuns& runs) {
  return runs.quick() ? MatrixSides{16, 64, 256} : MatrixSides{16, 32, 64, 128, 256, 512};
}

ReproducedTable formulas(ReproductionRuns& runs, const std::vector<PaperFormulas>& methods) {
  ReproducedTable table{.name = "formulas", .columns = {"method", "what", "formula"}};
  for (const auto& [method, of_paper] : methods) {
    for (const auto& [what, formula] : of_paper) table.rows.push_back({{method, what, formula}});
    const Prediction exact = runs.predict(arguments_of({.side = 64, .n = 4}, method)).prediction;
    const auto time = exact.asynchronous ? exact.asynchronous : exact.synchronous;
    table.rows.push_back({{method, "exact time", time->formula}});
    table.rows.push_back({{method, "exact start-ups of all", exact.startups->formula}});
  }
  return table;
}

/// A table of times, one row per matrix and cube.
ReproducedTable times(std::string name) {
  return {.name = std::move(name), .columns = {"matrix", "n", "K", "start-ups", "copied", "seconds", "paper"}};
}

void add_time(ReproducedTable& table, const IpscMatrix& matrix, std::uint64_t startups, const run::RunRecord& record,
              const PaperLine& line, double paper, Judgement& judgement) {
  const double seconds = record.outcome.report.time_synchronous;
  table.rows.push_back({{matrix.name(), matrix.n, static_cast<std::uint64_t>(matrix.K()), startups,
                         copies_of_one(record), seconds, paper},
                        judgement.of(line, paper, seconds),
                        line.mark});
}

PaperLine unbuffered_line(const IpscMatrix& matrix) {
  const bool is_right = packet() <= matrix.K() && matrix.K() <= matrix.N() * packet();
  if (is_right) return {.name = "8.1 without buffers"};
  return {.name = "8.1 without buffers, outside of B_m <= K <= N B_m", .mark = "J20", .is_erratum = true};
}

PaperLine buffered_line(const IpscMatrix& matrix) {
  if (packet() <= matrix.K()) return {.name = "8.1 with buffers"};
  return {.name = "8.1 with buffers, K < B_m", .mark = "a", .is_erratum = true};
}

/// How the times of a matrix change with n.
std::string trend(const std::vector<double>& seconds) {
  if (std::ranges::is_sorted(seconds, std::less())) return "grows";
  return std::ranges::is_sorted(seconds, std::greater()) ? "falls" : "falls, then grows";
}

/// Section 9 counts half of the copies of section 8.1.
PaperLine one_dimensional_line(const run::RunRecord& record) {
  if (record.outcome.report.copied_words == 0) return {.name = "9, one dimension"};
  return {.name = "9, one dimension, with copies", .mark = "J21", .is_erratum = true};
}

/// The cube from which on two dimensions are quicker than one, while every processor has a row.
ReproducedTable lead(const MatrixSides& sides, ReproductionRuns& runs) {
  ReproducedTable table{.name = "lead", .columns = {"matrix", "from n", "K", "one dimension", "two dimensions"}};
  for (const std::uint64_t side : sides) {
    IpscMatrix matrix{.side = side, .n = 2};
    const auto seconds = [&](const std::string& method) {
      return run::predicted_time(runs.predict(arguments_of(matrix, method)))->value;
    };
    while (matrix.N() <= static_cast<double>(side) && seconds(buffered) <= seconds(two_dimensional)) matrix.n += 2;
    if (matrix.N() > static_cast<double>(side)) {
      table.rows.push_back({{matrix.name(), "none", {}, {}, {}}});
    } else {
      table.rows.push_back({{matrix.name(), std::to_string(matrix.n), static_cast<std::uint64_t>(matrix.K()),
                             seconds(buffered), seconds(two_dimensional)}});
    }
  }
  return table;
}

}  // namespace

Reproduction figure_10(ReproductionRuns& runs) {
  Judgement judgement;
  IpscCurves curves;
  ReproducedTable without = times("unbuffered");
  ReproducedTable with = times("buffered");
  for (const IpscMatrix& matrix : one_dimensional_matrices(one_dimensional_sides(runs))) {
    const run::RunRecord sent = runs.run(arguments_of(matrix, unbuffered));
    const run::RunRecord copied = runs.run(arguments_of(matrix, buffered));
    add_time(without, matrix, startups_of_one(sent), sent, unbuffered_line(matrix), unbuffered_time(matrix), judgement);
    add_time(with, matrix, startups_of_one(copied), copied, buffered_line(matrix), buffered_time(matrix, 1), judgement);
    curves.add(matrix.name() + " unbuffered", matrix, sent);
    curves.add(matrix.name() + " buffered", matrix, copied);
  }
  return {
      .tables = {formulas(runs, {unbuffered_formulas, buffered_formulas("K")}), std::move(without), std::move(with)},
      .remarks = {ipsc_remark("Figure 10")},
      .disagreements = judgement.disagreements(),
      .plot = curves.plot("seconds")};
}

Reproduction figure_12(ReproductionRuns& runs) {
  Judgement judgement;
  IpscCurves curves;
  ReproducedTable gain{.name = "gain",
                       .columns = {"matrix", "n", "K/N", "unbuffered", "buffered", "unbuffered / buffered"}};
  const PaperLine alike{.name = "8.1, both times coincide"};
  const PaperLine better{.name = "8.1, buffers improve", .claim = PaperClaim::at_most};
  for (const IpscMatrix& matrix : one_dimensional_matrices(one_dimensional_sides(runs))) {
    const run::RunRecord sent = runs.run(arguments_of(matrix, unbuffered));
    const run::RunRecord copied = runs.run(arguments_of(matrix, buffered));
    const double before = sent.outcome.report.time_synchronous;
    const double after = copied.outcome.report.time_synchronous;
    const bool is_long = matrix.K() / matrix.N() >= static_cast<double>(ipsc_copy_threshold);
    const PaperVerdict verdict = judgement.of(is_long ? alike : better, before, after);
    gain.rows.push_back({{matrix.name(), matrix.n, matrix.K() / matrix.N(), before, after, before / after},
                         is_long ? std::optional(verdict) : std::nullopt});
    curves.add(matrix.name(), matrix, run::predicted_time(sent)->value / run::predicted_time(copied)->value,
               before / after);
  }
  return {.tables = {std::move(gain)},
          .remarks = {ipsc_remark("Figure 12")},
          .disagreements = judgement.disagreements(),
          .plot = curves.plot("unbuffered / buffered time")};
}

Reproduction figure_14a(ReproductionRuns& runs) {
  Judgement judgement;
  IpscCurves curves;
  ReproducedTable counted = times("counted");
  ReproducedTable trends{.name = "trends", .columns = {"matrix", "time"}};
  for (const std::uint64_t side : two_dimensional_sides(runs)) {
    std::vector<double> seconds;
    for (const IpscMatrix& matrix : two_dimensional_matrices({side})) {
      const run::RunRecord record = runs.run(arguments_of(matrix, two_dimensional));
      const auto packets = static_cast<std::uint64_t>(std::ceil(matrix.K() / packet()));
      add_time(counted, matrix, matrix.n * packets, record, {.name = "8.2.1"}, two_dimensional_time(matrix), judgement);
      seconds.push_back(record.outcome.report.time_synchronous);
      curves.add(matrix.name(), matrix, record);
    }
    trends.rows.push_back({{IpscMatrix{.side = side, .n = 0}.name(), trend(seconds)}});
  }
  std::vector<std::string> disagreements = judgement.disagreements();
  const auto expect = [&](const ReproducedTable::ReproducedRow& row, const std::string& said) {
    const auto& found = std::get<std::string>(row.values[1]);
    if (found != said) disagreements.push_back("8.2.1: the time " + found + ", and the paper says that it " + said);
  };
  expect(trends.rows.front(), "grows");
  expect(trends.rows.back(), "falls");
  return {.tables = {formulas(runs, {two_dimensional_formulas}), std::move(counted), std::move(trends)},
          .remarks = {ipsc_remark("Figure 14(a)")},
          .disagreements = std::move(disagreements),
          .plot = curves.plot("seconds")};
}

Reproduction figure_15(ReproductionRuns& runs) {
  Judgement judgement;
  IpscCurves curves;
  ReproducedTable counted{.name = "counted",
                          .columns = {"matrix", "n", "K", "method", "encoding", "seconds", "steps", "paper"}};
  ReproducedTable gain{.name = "gain", .columns = {"matrix", "n", "naive", "combined", "naive / combined"}};
  for (const IpscMatrix& matrix : two_dimensional_matrices(two_dimensional_sides(runs))) {
    const auto add = [&](const std::string& method, const std::string& encoding, const PaperLine& line,
                         std::uint64_t steps) {
      run::RunArguments arguments = arguments_of(matrix, method);
      arguments.settings.encoding = encoding;
      run::RunRecord record = runs.run(arguments);
      const Report& report = record.outcome.report;
      counted.rows.push_back({{matrix.name(), matrix.n, static_cast<std::uint64_t>(matrix.K()), method, encoding,
                               report.time_synchronous, report.steps, steps},
                              judgement.of(line, static_cast<double>(steps), static_cast<double>(report.steps)),
                              line.mark});
      return record;
    };
    const run::RunRecord apart = add(naive, "rows-binary", {.name = "8.2.1, 2n - 2 steps"}, 2 * matrix.n - 2);
    const run::RunRecord together = add(combined, "rows-binary", {.name = "8.2.1, n steps", .mark = "J17"}, matrix.n);
    add(combined, "rows-gray", {.name = "8.2.1, n steps", .mark = "J17"}, matrix.n);
    const double before = apart.outcome.report.time_synchronous;
    const double after = together.outcome.report.time_synchronous;
    gain.rows.push_back({{matrix.name(), matrix.n, before, after, before / after}});
    curves.add(matrix.name() + " naive", matrix, apart);
    curves.add(matrix.name() + " combined", matrix, together);
  }
  ReproducedTable formulas{.name = "formulas", .columns = {"method", "what", "formula"}};
  for (const auto& [method, steps] : {std::pair(naive, "2n - 2"), std::pair(combined, "n")}) {
    const Prediction exact = runs.predict(arguments_of({.side = 64, .n = 4}, method)).prediction;
    formulas.rows.push_back({{method, "paper's steps", steps}});
    formulas.rows.push_back({{method, "exact steps", exact.steps->formula}});
    formulas.rows.push_back({{method, "exact longest sum", exact.longest_sum->formula}});
    formulas.rows.push_back({{method, "exact copied words", exact.copied_words->formula}});
  }
  return {.tables = {std::move(formulas), std::move(counted), std::move(gain)},
          .remarks = {ipsc_remark("Figure 15")},
          .disagreements = judgement.disagreements(),
          .plot = curves.plot("seconds")};
}

Reproduction figure_19(ReproductionRuns& runs) {
  Judgement judgement;
  IpscCurves curves;
  ReproducedTable one = times("one_dimension");
  ReproducedTable two = times("two_dimensions");
  ReproducedTable ratios{.name = "startups", .columns = {"matrix", "n", "K", "ratio", "quicker"}};
  const PaperLine most{.name = "9, most start-ups", .claim = PaperClaim::at_most, .mark = "a"};
  for (const IpscMatrix& matrix : two_dimensional_matrices(one_dimensional_sides(runs))) {
    const run::RunRecord rows = runs.run(arguments_of(matrix, buffered));
    const run::RunRecord blocks = runs.run(arguments_of(matrix, two_dimensional));
    const auto packets = static_cast<std::uint64_t>(std::ceil(matrix.K() / packet()));
    add_time(one, matrix, startups_of_one(rows), rows, one_dimensional_line(rows), buffered_time(matrix, 0.5),
             judgement);
    add_time(two, matrix, matrix.n * packets, blocks, {.name = "9, two dimensions"}, two_dimensional_time(matrix),
             judgement);
    const double ratio = static_cast<double>(startups_of_one(rows)) / static_cast<double>(matrix.n * packets);
    judgement.of({.name = "9, fewest start-ups", .claim = PaperClaim::at_least}, 0.5, ratio);
    const PaperVerdict verdict = judgement.of(most, 2.5, ratio);
    const bool rows_win = rows.outcome.report.time_synchronous <= blocks.outcome.report.time_synchronous;
    ratios.rows.push_back({{matrix.name(), matrix.n, static_cast<std::uint64_t>(matrix.K()), ratio,
                            rows_win ? "one dimension" : "two dimensions"},
                           verdict,
                           most.mark});
    curves.add(matrix.name() + " 1-D", matrix, rows);
    curves.add(matrix.name() + " 2-D", matrix, blocks);
  }
  return {.tables = {formulas(runs, {buffered_formulas("K/2"), two_dimensional_formulas}), std::move(one),
                     std::move(two), std::move(ratios), lead({64, 128, 256, 512, 1024}, runs)},
          .remarks = {ipsc_remark("Figure 19")},
          .disagreements = judgement.disagreements(),
          .plot = curves.plot("seconds")};
}

}  // namespace lockstep::cli::reproduce::johnsson_ho_figures
