// Dimakopoulos & Dimopoulos: average status, steps and bound by family, and the limits of Theorem 3.
#include <cmath>

#include "entries.hpp"

namespace lockstep::cli::reproduce::dimakopoulos {
namespace {

/// One dimension of a product.
struct ProductFactor {
  enum class Kind { ring, path, complete } kind;
  std::uint64_t m;  ///< nodes

  /// Average status.
  double status() const {
    const auto size = static_cast<double>(m);
    if (kind == Kind::ring) return std::floor(size * size / 4);
    return kind == Kind::complete ? size - 1 : (size * size - 1) / 3;
  }
  /// Steps of a total exchange; for a path Lockstep's, which are the minimum.
  double steps() const {
    const auto size = static_cast<double>(m);
    return kind == Kind::path ? std::ceil(size * size / 2) - 1 : status();
  }
};

constexpr ProductFactor ring(std::uint64_t m) { return {ProductFactor::Kind::ring, m}; }
constexpr ProductFactor path(std::uint64_t m) { return {ProductFactor::Kind::path, m}; }
constexpr ProductFactor complete(std::uint64_t m) { return {ProductFactor::Kind::complete, m}; }

struct ProductNetwork {
  std::string family;
  std::string machine;
  std::vector<ProductFactor> factors;

  double nodes() const {
    double n = 1;
    for (const ProductFactor& factor : factors) n *= static_cast<double>(factor.m);
    return n;
  }
  /// Corollary 1: n sum AS(G_i)/n_i.
  double status() const { return sum(&ProductFactor::status); }
  /// Corollary 2: n sum T_i/n_i.
  double steps() const { return sum(&ProductFactor::steps); }

 private:
  double sum(double (ProductFactor::*of)() const) const {
    double total = 0;
    for (const ProductFactor& factor : factors) total += nodes() * (factor.*of)() / static_cast<double>(factor.m);
    return total;
  }
};

std::vector<ProductNetwork> networks(bool quick) {
  std::vector<ProductNetwork> all{
      {"ring", "ring:7", {ring(7)}},
      {"ring", "ring:8", {ring(8)}},
      {"complete graph", "complete:8", {complete(8)}},
      {"torus", "torus:4x3", {ring(4), ring(3)}},
      {"torus", "torus:3x4x5", {ring(3), ring(4), ring(5)}},
      {"torus", "torus:8x8", {ring(8), ring(8)}},
      {"generalized hypercube", "product:complete:4*complete:4*complete:4", {complete(4), complete(4), complete(4)}},
      {"generalized hypercube", "product:complete:3*complete:5", {complete(3), complete(5)}},
      {"product", "product:complete:4*ring:5", {complete(4), ring(5)}},
      {"product", "product:star:3*ring:4", {ring(6), ring(4)}},  // the star graph of three symbols is a ring of six
      {"product", "product:path:3*ring:4", {path(3), ring(4)}},
      {"mesh", "path:5", {path(5)}},
      {"mesh", "mesh:3x2", {path(3), path(2)}},
      {"mesh", "mesh:4x4", {path(4), path(4)}},
      {"mesh", "mesh:3x4x5", {path(3), path(4), path(5)}},
  };
  for (std::uint64_t d = 2; d <= (quick ? 6 : 10); d += 2) {
    all.push_back({"hypercube", "hypercube:" + std::to_string(d), std::vector<ProductFactor>(d, path(2))});
  }
  if (quick) return all;
  all.push_back({"torus", "torus:16x16", {ring(16), ring(16)}});
  all.push_back({"torus", "torus:5x6x7", {ring(5), ring(6), ring(7)}});
  all.push_back({"mesh", "mesh:16x16", {path(16), path(16)}});
  return all;
}

ReproducedTable formulas() {
  return {.name = "formulas",
          .columns = {"family", "average status", "steps"},
          .rows = {{{"ring", "floor(m^2/4)", "floor(m^2/4)"}},
                   {{"complete graph", "m - 1", "m - 1"}},
                   {{"hypercube, d dimensions", "d 2^(d-1)", "d 2^(d-1)"}},
                   {{"torus", "n sum floor(m^2/4)/m", "n sum floor(m^2/4)/m"}},
                   {{"generalized hypercube, d dimensions", "n (d - sum 1/m)", "n (d - sum 1/m)"}},
                   {{"path", "(m^2 - 1)/3", "ceil(m^2/2) - 1"}, {}, "a"},
                   {{"product", "n sum AS/m", "n sum T/m"}}}};
}

/// The steps of A2, or of a single dimension. All messages take shortest paths, so their number is n times the average
/// status.
ReproducedTable products(ReproductionRuns& runs, Judgement& judgement) {
  ReproducedTable table{.name = "families",
                        .columns = {"family", "machine", "status", "links", "bound", "T", "steps", "T / bound"}};
  for (const ProductNetwork& network : networks(runs.quick())) {
    const std::string method = network.factors.size() == 1 ? "alltoall/factor" : "alltoall/product";
    const Report counted = runs.run(arguments_for(network.machine, method, 1)).outcome.report;
    const double links = static_cast<double>(counted.messages) / network.nodes();
    const double bound = std::ceil(network.status() - 1e-9);
    const PaperVerdict status = judgement.of({network.machine + ": average status"}, network.status(), links);
    const PaperVerdict steps =
        judgement.of({network.machine + ": steps"}, network.steps(), static_cast<double>(counted.steps));
    judgement.of({network.machine + ": bound", PaperClaim::at_least}, bound, static_cast<double>(counted.steps));
    table.rows.push_back({{network.family, network.machine, network.status(), links, static_cast<std::uint64_t>(bound),
                           static_cast<std::uint64_t>(network.steps()), counted.steps, network.steps() / bound},
                          status == PaperVerdict::differs ? status : steps,
                          bound == network.status() ? "" : "D8"});
  }
  return table;
}

/// Section 5: Cayley graphs have total exchanges whose steps equal the average status.
ReproducedTable cayley_graphs(ReproductionRuns& runs, Judgement& judgement) {
  ReproducedTable table{.name = "cayley", .columns = {"machine", "processors", "status", "steps"}};
  std::vector<std::string> machines{"star:3", "star:4", "pancake:4", "ccc:3", "ccc:4", "circulant:12,1,3", "rh:2,1"};
  if (!runs.quick()) machines.insert(machines.end(), {"star:5", "pancake:5", "ccc:5", "rh:3,2"});
  for (const std::string& machine : machines) {
    const run::RunRecord record = runs.run(arguments_for(machine, "alltoall/cayley", 1));
    const double status = record.facts.average_status.value().to_double();
    const std::uint64_t steps = record.outcome.report.steps;
    table.rows.push_back({{machine, record.facts.processors, status, steps},
                          judgement.of({machine + ": steps"}, status, static_cast<double>(steps)),
                          "D11"});
  }
  return table;
}

/// Theorem 3 where the dimensions are optimal without meeting the average status.
ReproducedTable meshes(ReproductionRuns& runs, Judgement& judgement) {
  ReproducedTable table{.name = "meshes",
                        .columns = {"machine", "status", "bound", "T of A2", "steps of A2", "steps of a search"}};
  for (const ProductNetwork& network : {ProductNetwork{"mesh", "mesh:3x2", {path(3), path(2)}},
                                        ProductNetwork{"mesh", "mesh:3x3", {path(3), path(3)}}}) {
    const std::uint64_t product = runs.run(arguments_for(network.machine, "alltoall/product", 1)).outcome.report.steps;
    const std::uint64_t found = runs.run(arguments_for(network.machine, "alltoall/search", 1)).outcome.report.steps;
    table.rows.push_back(
        {{network.machine, network.status(), static_cast<std::uint64_t>(std::ceil(network.status() - 1e-9)),
          static_cast<std::uint64_t>(network.steps()), product, found},
         judgement.of({network.machine + ": optimal steps", PaperClaim::equal, "D9", true}, network.steps(),
                      static_cast<double>(found)),
         "D9"});
  }
  return table;
}

}  // namespace

Reproduction reproduction(ReproductionRuns& runs) {
  Judgement judgement;
  std::vector<ReproducedTable> tables{formulas(), products(runs, judgement), cayley_graphs(runs, judgement),
                                      meshes(runs, judgement)};
  return {.tables = std::move(tables), .disagreements = judgement.disagreements()};
}

}  // namespace lockstep::cli::reproduce::dimakopoulos
