// Saad & Schultz 1985: the formulas of the report, and the disjoint paths of it and of its sequel of 1988.
#include <cmath>

#include "entries.hpp"

namespace lockstep::cli::reproduce::saad_schultz_1985 {
namespace {

constexpr double beta = 100;
constexpr std::uint64_t words = 64;  ///< of an item, or of a block

/// The parameters of the report's times: an n-cube, m words.
struct CubeSize {
  double n;
  double m;

  double k() const { return std::exp2(n); }
};

/// A time of the report.
struct Formula {
  PaperLine line;
  std::string text;
  double (*value)(const CubeSize&);
  std::string method;
  bool takes_half_duplex = false;  ///< an exchange is two transfers
  std::uint64_t m = words;
  bool to_nearer = false;  ///< to a processor one link nearer than the antipode
};

/// (sqrt(m tau) + sqrt((hops - 1) beta))^2, the least time of a pipeline with packets of any size.
double pipeline(double m, double hops) { return m + (hops - 1) * beta + 2 * std::sqrt(m * (hops - 1) * beta); }

/// Section 4: m words of every processor to all others.
std::vector<Formula> exchanges() {
  return {
      {{"(4.1) SBA", PaperClaim::at_least, "A2"},
       "2^n (sqrt(m tau) + sqrt((n-1) beta))^2",
       [](const CubeSize& z) { return z.k() * pipeline(z.m, z.n); },
       "allgather/sequential"},
      {{"(4.2) daisy chain"},
       "(2^n - 1)(beta + m tau)",
       [](const CubeSize& z) { return (z.k() - 1) * (beta + z.m); },
       "allgather/daisy-chain"},
      {{"(4.3) ADEA"},
       "2n beta + (2^(n+1) - 2) m tau",
       [](const CubeSize& z) { return 2 * z.n * beta + (2 * z.k() - 2) * z.m; },
       "allgather/adea",
       true},
      {{"(4.4) TEA1"},
       "2n beta + 2^n m tau",
       [](const CubeSize& z) { return 2 * z.n * beta + z.k() * z.m; },
       "allgather/tea1",
       true},
      {{"(4.4) TEA1, grouped", PaperClaim::equal, "A5"},
       "(n+1) beta + 2^n m tau",
       [](const CubeSize& z) { return (z.n + 1) * beta + z.k() * z.m; },
       "allgather/tea1-grouped",
       true},
      {{"(4.5) TEA2", PaperClaim::at_most, "A3"},
       "2n beta + (2^(n+1)/n + 2n) m tau",
       [](const CubeSize& z) { return 2 * z.n * beta + (2 * z.k() / z.n + 2 * z.n) * z.m; },
       "allgather/tea2",
       true},
      {{"(4.5) TEA2, grouped", PaperClaim::at_most, "A5"},
       "(n+1) beta + (2^(n+1)/n + 2n) m tau",
       [](const CubeSize& z) { return (z.n + 1) * beta + (2 * z.k() / z.n + 2 * z.n) * z.m; },
       "allgather/tea2-grouped",
       true},
  };
}

/// Sections 2, 3, 5 and 6.
std::vector<Formula> others() {
  constexpr std::uint64_t item = 6 * 9 * 1024;  // divides among the paths of many cubes
  return {
      {{"(2.1) broadcast of a word"},
       "n (beta + tau)",
       [](const CubeSize& z) { return z.n * (beta + 1); },
       "broadcast/sbt",
       false,
       1},
      {{"(2.2) broadcast", PaperClaim::at_least, "A2"},
       "(sqrt(m tau) + sqrt((n-1) beta))^2",
       [](const CubeSize& z) { return pipeline(z.m, z.n); },
       "broadcast/sbt-pipelined",
       false,
       item},
      {{"(3.1) one path", PaperClaim::at_least, "A2"},
       "(sqrt(m tau) + sqrt((i-1) beta))^2, i = n",
       [](const CubeSize& z) { return pipeline(z.m, z.n); },
       "send/pipelined",
       false,
       item},
      {{"Prop. 3.2 n paths", PaperClaim::at_least, "A2"},
       "(sqrt(m/n tau) + sqrt((i-1) beta))^2, i = n",
       [](const CubeSize& z) { return pipeline(z.m / z.n, z.n); },
       "send/disjoint-paths",
       false,
       item},
      {{"Prop. 3.2 n paths, H = n - 1", PaperClaim::at_least, "A2"},
       "(sqrt(m/n tau) + sqrt((i-1) beta))^2, i = n + 1",
       [](const CubeSize& z) { return pipeline(z.m / z.n, z.n + 1); },
       "send/disjoint-paths",
       false,
       item,
       true},
      {{"(5.1) gather"},
       "n beta + (2^n - 1) m tau",
       [](const CubeSize& z) { return z.n * beta + (z.k() - 1) * z.m; },
       "gather/sbt"},
      {{"(5.1) scatter"},
       "n beta + (2^n - 1) m tau",
       [](const CubeSize& z) { return z.n * beta + (z.k() - 1) * z.m; },
       "scatter/sbt"},
      {{"section 6, SMG"},
       "2^n ((2^n - 1) m tau + n beta)",
       [](const CubeSize& z) { return z.k() * ((z.k() - 1) * z.m + z.n * beta); },
       "alltoall/sequential-gather"},
      {{"section 6, SMG", PaperClaim::at_most, "A10"},
       "about 4^n m tau + n 2^n beta",
       [](const CubeSize& z) { return z.k() * z.k() * z.m + z.n * z.k() * beta; },
       "alltoall/sequential-gather"},
      {{"section 6, MTADEA"},
       "n (2^n m tau + 2 beta)",
       [](const CubeSize& z) { return z.n * (z.k() * z.m + 2 * beta); },
       "alltoall/exchange",
       true},
  };
}

run::RunArguments arguments_of(const Formula& formula, std::uint64_t n) {
  run::RunArguments arguments = arguments_for("hypercube:" + std::to_string(n), formula.method, formula.m, beta);
  if (formula.takes_half_duplex) arguments.model.duplex = Duplex::half_node;
  if (formula.to_nearer) arguments.settings.destination = (std::uint64_t{1} << (n - 1)) - 1;
  return arguments;
}

/// The formulas beside the exact ones, and their values.
void add_times(const std::string& name, const std::vector<Formula>& formulas, ReproductionRuns& runs,
               Judgement& judgement, Reproduction& reproduction) {
  const std::vector<std::uint64_t> dimensions =
      runs.quick() ? std::vector<std::uint64_t>{6} : std::vector<std::uint64_t>{2, 3, 4, 5, 6, 7, 8, 9};
  ReproducedTable texts{.name = name,
                        .columns = {"formula", "time in the paper", "method", "exact steps", "exact longest sum"}};
  ReproducedTable counted{.name = name + "_counted",
                          .title = "Counted; beta = " + std::to_string(static_cast<int>(beta)) + ", tau = 1",
                          .columns = {"formula", "n", "m", "steps", "longest sum", "time", "paper"}};
  for (const Formula& formula : formulas) {
    const Prediction exact = runs.predict(arguments_of(formula, dimensions.front())).prediction;
    texts.rows.push_back(
        {{formula.line.name, formula.text, formula.method, exact.steps->formula, exact.longest_sum->formula}});
    for (const std::uint64_t n : dimensions) {
      const CubeSize size{static_cast<double>(n), static_cast<double>(formula.m)};
      add_timed_row(counted, {formula.line.name, n, formula.m}, formula.line, formula.value(size),
                    runs.run(arguments_of(formula, n)), judgement);
    }
  }
  reproduction.tables.push_back(std::move(texts));
  reproduction.tables.push_back(std::move(counted));
}

/// Disjoint paths from rank 0, according to a proposition.
struct Paths {
  std::string proposition;
  std::string machine;
  std::uint64_t destination;
  std::uint64_t distance;
  std::uint64_t number;
  std::uint64_t longest;
  std::uint64_t links;  ///< of all paths
};

std::vector<Paths> cube_paths(std::uint64_t n) {
  std::vector<Paths> paths;
  for (std::uint64_t i = 1; i <= n; ++i) {
    paths.push_back({.proposition = "Prop. 3.1; 1988, Prop. 3.3",
                     .machine = "hypercube:" + std::to_string(n),
                     .destination = (std::uint64_t{1} << i) - 1,
                     .distance = i,
                     .number = n,
                     .longest = i == n ? i : i + 2,
                     .links = i * i + (n - i) * (i + 2)});
  }
  return paths;
}

/// On the 8x8 torus, to (x, y): a neighbour, in one line, and neither.
std::vector<Paths> torus_paths() {
  constexpr std::uint64_t s = 8;
  std::vector<Paths> paths;
  const auto add = [&](std::uint64_t x, std::uint64_t y, std::uint64_t longest, std::uint64_t links) {
    paths.push_back({.proposition = "1988, Prop. 3.2",
                     .machine = "torus:8x8",
                     .destination = y * s + x,
                     .distance = x + y,
                     .number = 4,
                     .longest = longest,
                     .links = links});
  };
  add(1, 0, 7, 1 + 3 + 5 + 7);
  for (const std::uint64_t x : {2U, 3U, 4U}) add(x, 0, x + 4, 4 * (x + 4));
  for (const std::uint64_t y : {1U, 2U, 3U, 4U}) add(3, y, 3 + y + 2, 4 * (3 + y + 2));
  return paths;
}

/// One word per path, in one packet: the messages count the links of all paths, the steps those of the longest.
ReproducedTable paths_table(ReproductionRuns& runs, Judgement& judgement) {
  ReproducedTable table{.name = "paths",
                        .columns = {"proposition", "machine", "to", "distance", "paths", "messages", "in the paper",
                                    "steps", "longest", "busiest link"}};
  std::vector<Paths> all = cube_paths(runs.quick() ? 4 : 8);
  for (const Paths& paths : torus_paths()) all.push_back(paths);
  for (const Paths& paths : all) {
    run::RunArguments arguments = arguments_for(paths.machine, "send/disjoint-paths", paths.number);
    arguments.settings.packets = 1;
    arguments.settings.source = 0;
    arguments.settings.destination = paths.destination;
    const run::RunRecord record = runs.run(arguments);
    const Report& report = record.outcome.report;
    const std::uint64_t busiest = run::busiest_link_words(record).value();
    const std::string name = paths.proposition + " on " + paths.machine + " to " + std::to_string(paths.destination);
    std::optional<PaperVerdict> verdict;
    for (const auto& [what, paper, counted] :
         {std::tuple{"links", paths.links, report.messages}, std::tuple{"longest", paths.longest, report.steps},
          std::tuple{"words over a link", std::uint64_t{1}, busiest}}) {
      const PaperVerdict one =
          judgement.of({name + ", " + what}, static_cast<double>(paper), static_cast<double>(counted));
      if (verdict != PaperVerdict::differs) verdict = one;
    }
    const std::string mark = paths.machine == "torus:8x8" ? "B7" : "";
    table.rows.push_back({{paths.proposition, paths.machine, paths.destination, paths.distance, paths.number,
                           report.messages, paths.links, report.steps, paths.longest, busiest},
                          verdict,
                          mark});
  }
  return table;
}

}  // namespace

Reproduction reproduction(ReproductionRuns& runs) {
  Judgement judgement;
  Reproduction reproduction;
  add_times("exchange", exchanges(), runs, judgement, reproduction);
  add_times("others", others(), runs, judgement, reproduction);
  reproduction.tables.push_back(paths_table(runs, judgement));
  reproduction.disagreements = judgement.disagreements();
  return reproduction;
}

}  // namespace lockstep::cli::reproduce::saad_schultz_1985
