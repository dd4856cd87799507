// Johnsson & Ho, Table 3: some-to-all and all-to-some personalized communication.
#include <cmath>

#include "entries.hpp"

namespace lockstep::cli::reproduce::johnsson_ho_table_3 {
namespace {

constexpr double beta = 100;
constexpr std::uint64_t max_packet = 64;

/// 2^l processors have data for all 2^(k+l), or the reverse: `words` in all.
struct SplitSize {
  std::uint64_t k;
  std::uint64_t l;
  std::uint64_t words;
};

/// The packets of that many words.
double packets(double words) { return std::ceil(words / static_cast<double>(max_packet)); }

double time(const SplitSize& size, bool all_ports) {
  const auto words = static_cast<double>(size.words);
  const auto k = static_cast<double>(size.k);
  const auto l = static_cast<double>(size.l);
  const double ports_of_splits = all_ports ? k : 1;
  const double ports_of_exchanges = all_ports ? l : 1;
  const double exchanged = words / std::exp2(k + l + 1);
  double longest_sum = 0;
  double startups = 0;
  if (size.l > 0) {
    longest_sum += l / ports_of_exchanges * exchanged;
    startups += l * packets(exchanged / ports_of_exchanges);
  }
  for (double i = 0; i < k; ++i) {
    const double split = words / std::exp2(k + l - i);
    longest_sum += split / ports_of_splits;
    startups += packets(split / ports_of_splits);
  }
  return longest_sum + startups * beta;
}

struct TableEntry {
  std::string ports;
  std::string formula;
  std::vector<std::string> methods;
};

std::vector<TableEntry> entries() {
  return {
      {"one",
       "(l E + sum S_i) tau + (l ceil(E/B_m) + sum ceil(S_i/B_m)) beta",
       {"some-to-all/exchange", "all-to-some/exchange"}},
      {"all", "(E + 1/k sum S_i) tau + (l ceil(E/(l B_m)) + sum ceil(S_i/(k B_m))) beta", {"some-to-all/rotated-sbt"}}};
}

run::RunArguments arguments_of(const SplitSize& size, const std::string& method) {
  run::RunArguments arguments = arguments_for("hypercube:" + std::to_string(size.k + size.l), method, size.words, beta);
  arguments.settings.sources = size.l;
  arguments.model.max_packet_words = max_packet;
  return arguments;
}

/// Blocks divide by k and by l, so that all their parts are equal.
std::vector<SplitSize> sizes(std::uint64_t n) {
  constexpr std::uint64_t block = 60;
  std::vector<SplitSize> all;
  for (std::uint64_t l = 0; l <= n; ++l) all.push_back({.k = n - l, .l = l, .words = block << (n + l)});
  return all;
}

}  // namespace

Reproduction reproduction(ReproductionRuns& runs) {
  const std::uint64_t n = runs.quick() ? 4 : 6;
  Judgement judgement;
  ReproducedTable formulas{.name = "formulas", .columns = {"method", "what", "formula"}};
  ReproducedTable counted{.name = "counted",
                          .title = "Counted on the " + std::to_string(n) + "-cube; beta = 100, tau = 1, B_m = 64",
                          .columns = {"ports", "method", "l", "k", "PQ", "steps", "longest sum", "time", "paper"}};
  for (const auto& [ports, formula, methods] : entries()) {
    for (const std::string& method : methods) {
      const Prediction exact = runs.predict(arguments_of(sizes(n)[1], method)).prediction;
      formulas.rows.push_back({{method, "paper's time", formula}});
      formulas.rows.push_back({{method, "exact longest sum", exact.longest_sum->formula}});
      formulas.rows.push_back({{method, "exact start-ups of all", exact.startups->formula}});
      for (const SplitSize& size : sizes(n)) {
        const bool lacks_phase = size.k == 0 || size.l == 0;
        const PaperLine line{.name = ports + "-port", .mark = lacks_phase && ports == "all" ? "J10" : ""};
        add_timed_row(counted, {ports, method, size.l, size.k, size.words}, line, time(size, ports == "all"),
                      runs.run(arguments_of(size, method)), judgement);
      }
    }
  }
  return {.tables = {std::move(formulas), std::move(counted)}, .disagreements = judgement.disagreements()};
}

}  // namespace lockstep::cli::reproduce::johnsson_ho_table_3
