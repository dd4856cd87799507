// Mukherjee's thesis: the orders of its algorithms on reduced hypercubes, and reduced hypercubes against hypercubes.
#include <cmath>
#include <map>

#include "entries.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::cli::reproduce::mukherjee {
namespace {

/// RH(k,n).
struct Reduced {
  std::uint64_t k;
  std::uint64_t n;

  std::uint64_t dimensions() const { return k + (std::uint64_t{1} << n); }  ///< of the hypercube of equal size
  std::string machine() const { return "rh:" + std::to_string(k) + "," + std::to_string(n); }
  std::string cube() const { return "hypercube:" + std::to_string(dimensions()); }
};

/// The thesis's order of the time, up to a constant factor.
struct ThesisOrder {
  std::string text;
  double (*value)(double k, double n);
  std::string mark{};
  bool is_erratum = false;
};

struct ThesisOperation {
  std::string name;
  std::string method;
  std::vector<ThesisOrder> orders;
  std::string cube_method;
  double (*cube_steps)(double dimensions);  ///< exactly
  std::optional<PortModel> ports{};
  std::optional<std::string> order_of_sends{};
};

/// The constant factor of every order, which suffices for all machines here.
constexpr double constant = 4;

std::vector<ThesisOperation> operations() {
  const auto dimensions = [](double d) { return d; };
  const ThesisOrder of_trees{"k + n 2^n", [](double k, double n) { return k + n * std::exp2(n); }};
  const ThesisOrder printed_sort{"k^2 + n + 8^n", [](double k, double n) { return k * k + n + std::exp2(3 * n); },
                                 "R14", true};
  const ThesisOrder corrected_sort{"k^2 + n + 8^n (1 + (k-n) k)",
                                   [](double k, double n) { return k * k + n + std::exp2(3 * n) * (1 + (k - n) * k); },
                                   "a"};
  ThesisOrder of_thesis = of_trees;
  of_thesis.mark = "R5";
  return {
      {"broadcast", "broadcast/drbt", {of_trees}, "broadcast/sbt", dimensions},
      {"broadcast, thesis' order", "broadcast/drbt", {of_thesis}, "broadcast/sbt", dimensions, {}, "cross-first"},
      {"broadcast, all ports", "broadcast/drbt", {of_trees}, "broadcast/sbt", dimensions, PortModel::all},
      {"reduction", "reduce/tree", {of_trees}, "reduce/tree", dimensions},
      {"barrier", "barrier/tree", {of_trees}, "barrier/tree", [](double d) { return 2 * d; }},
      {"prefix",
       "scan/hub",
       {{"k + n 4^n", [](double k, double n) { return k + n * std::exp2(2 * n); }}},
       "scan/cube",
       dimensions},
      {"sorting",
       "sort/resort",
       {printed_sort, corrected_sort},
       "sort/bitonic",
       [](double d) { return d * (d + 1) / 2; }},
  };
}

/// Some small ones, or all RH(k,n) with n > 0 of up to 2^16 processors.
std::vector<Reduced> machines(bool quick) {
  if (quick) return {{1, 1}, {2, 1}, {3, 1}, {2, 2}, {3, 2}, {4, 2}, {5, 2}, {3, 3}};
  constexpr std::uint64_t most_dimensions = 16;
  std::vector<Reduced> all;
  for (std::uint64_t n = 1; n <= 3; ++n) {
    for (std::uint64_t k = n; Reduced{k, n}.dimensions() <= most_dimensions; ++k) all.push_back({k, n});
  }
  return all;
}

run::RunArguments arguments_of(const ThesisOperation& operation, const Reduced& machine) {
  run::RunArguments arguments = arguments_for(machine.machine(), operation.method, {});
  arguments.model.ports = operation.ports;
  arguments.settings.order = operation.order_of_sends;
  return arguments;
}

ReproducedTable formulas(const ReproductionRuns& runs) {
  ReproducedTable table{.name = "formulas",
                        .columns = {"operation", "method", "order", "exact steps", "exact longest sum"}};
  for (const ThesisOperation& operation : operations()) {
    const Prediction exact = runs.predict(arguments_of(operation, {3, 2})).prediction;
    const auto text = [](const std::optional<Count>& count) {
      return (count->exact ? "" : "at most ") + count->formula;
    };
    for (const ThesisOrder& order : operation.orders) {
      table.rows.push_back(
          {{operation.name, operation.method, order.text, text(exact.steps), text(exact.longest_sum)}, {}, order.mark});
    }
  }
  return table;
}

void add_rows(const ThesisOperation& operation, const Reduced& machine, ReproductionRuns& runs, Judgement& judgement,
              ReproducedTable& orders, ReproducedTable& cubes) {
  const run::RunRecord reduced = runs.run(arguments_of(operation, machine));
  const run::RunRecord cube = runs.run(arguments_for(machine.cube(), operation.cube_method, {}));
  const Report& counted = reduced.outcome.report;
  const auto k = static_cast<double>(machine.k);
  const auto n = static_cast<double>(machine.n);
  for (const ThesisOrder& order : operation.orders) {
    const double value = order.value(k, n);
    const auto sum = static_cast<double>(counted.longest_sum);
    PaperVerdict verdict =
        judgement.of({operation.name + ": O(" + order.text + ")", PaperClaim::at_most, order.mark, order.is_erratum},
                     constant * value, sum);
    if (verdict == PaperVerdict::equal) verdict = PaperVerdict::bound;
    orders.rows.push_back(
        {{operation.name, machine.machine(), order.text, counted.steps, counted.longest_sum, value, sum / value},
         verdict,
         order.mark});
  }
  const auto multiple = [](std::uint64_t one, std::uint64_t other) {
    return static_cast<double>(one) / static_cast<double>(other);
  };
  const Report& of_cube = cube.outcome.report;
  const double by_step = multiple(counted.steps, of_cube.steps);
  const double links = multiple(reduced.facts.links, cube.facts.links);
  cubes.rows.push_back({{operation.name, machine.machine(), counted.steps, machine.cube(), of_cube.steps, by_step,
                         multiple(counted.longest_sum, of_cube.longest_sum), links, by_step * links},
                        judgement.of({operation.name + " on " + machine.cube() + ": steps"},
                                     operation.cube_steps(static_cast<double>(machine.dimensions())),
                                     static_cast<double>(of_cube.steps))});
}

/// From rank 0 to all, by breadth-first search.
std::vector<std::uint64_t> distances(const Topology& topology) {
  constexpr std::uint64_t unknown = ~std::uint64_t{0};
  std::vector<std::uint64_t> distances(topology.processors(), unknown);
  std::vector<Rank> queue{0};
  distances[0] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (Port port = 0; port < topology.ports(); ++port) {
      const Rank neighbour = topology.peer(queue[next], port).rank;
      if (neighbour == no_rank || distances[neighbour] != unknown) continue;
      distances[neighbour] = distances[queue[next]] + 1;
      queue.push_back(neighbour);
    }
  }
  return distances;
}

/// Section 1.3.1: the lengths of a hypercube's links on the reduced one with the same addresses.
ReproducedTable dilations(Judgement& judgement) {
  struct Example {
    Reduced machine;
    std::map<std::uint64_t, std::uint64_t> links;  ///< by their length
    double mean;
    std::string mark;
  };
  const std::vector<Example> examples{{{5, 2}, {{1, 6}, {3, 2}, {5, 1}}, 1.88, "R18"},
                                      {{8, 3}, {{1, 9}, {3, 3}, {5, 3}, {7, 1}}, 2.5, ""}};
  ReproducedTable table{.name = "dilations", .columns = {"machine", "dilation", "edges", "paper"}};
  for (const auto& [machine, links, mean, mark] : examples) {
    const std::vector<std::uint64_t> all = distances(build(parse_machine(machine.machine())));
    std::map<std::uint64_t, std::uint64_t> counted;
    std::uint64_t sum = 0;
    for (std::uint64_t bit = 0; bit < machine.dimensions(); ++bit) {
      const std::uint64_t length = all[std::size_t{1} << bit];
      ++counted[length];
      sum += length;
    }
    const std::string on_machine = " of dilation on " + machine.machine();
    for (const auto& [length, number] : counted) {
      const auto printed = links.find(length);
      const std::uint64_t paper = printed == links.end() ? 0 : printed->second;
      table.rows.push_back({{machine.machine(), std::to_string(length), number, paper},
                            judgement.of({"edges" + on_machine + " " + std::to_string(length)},
                                         static_cast<double>(paper), static_cast<double>(number))});
    }
    const double counted_mean = static_cast<double>(sum) / static_cast<double>(machine.dimensions());
    table.rows.push_back(
        {{machine.machine(), "mean", counted_mean, mean},
         judgement.of({"mean" + on_machine, PaperClaim::equal, mark, !mark.empty()}, mean, counted_mean),
         mark});
  }
  return table;
}

}  // namespace

Reproduction reproduction(ReproductionRuns& runs) {
  Judgement judgement;
  ReproducedTable orders{
      .name = "orders",
      .title = "Counted, for values of one word; an order holds where the longest sum is at most " +
               std::to_string(static_cast<int>(constant)) + " times as much",
      .columns = {"operation", "machine", "order", "steps", "longest sum", "order's value", "multiple"}};
  ReproducedTable cubes{
      .name = "cubes",
      .columns = {"operation", "machine", "steps", "cube", "cube's steps", "by step", "by word", "links", "by link"}};
  for (const ThesisOperation& operation : operations()) {
    for (const Reduced& machine : machines(runs.quick())) {
      add_rows(operation, machine, runs, judgement, orders, cubes);
    }
  }
  std::vector<ReproducedTable> tables{dilations(judgement), formulas(runs), std::move(orders), std::move(cubes)};
  return {.tables = std::move(tables), .disagreements = judgement.disagreements()};
}

}  // namespace lockstep::cli::reproduce::mukherjee
