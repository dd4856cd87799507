// The cells of Tables 1 and 2 of Saad & Schultz 1988, and the methods whose times they are.
#include "six_machines.hpp"

#include <cmath>

namespace lockstep::cli::reproduce {
namespace {

using Size = SixMachinesSize;
using enum SixMachinesCell::Share;

double rounds(const Size& z) { return z.k / z.kstar; }

}  // namespace

double SixMachinesSize::dimensions() const { return std::log2(k); }
double SixMachinesSize::side() const { return std::sqrt(k); }

const std::vector<SixMachinesCell>& six_machines_cells() {
  constexpr auto is_equal = PaperClaim::equal;
  constexpr auto at_most = PaperClaim::at_most;
  static const std::vector<SixMachinesCell> cells{
      {"one to one", "bus", "N tau + beta", [](const Size& z) { return z.N + z.beta; }, is_equal, "", false,
       "send/direct", item},
      {"one to one", "shared memory", "2 N tau + beta", [](const Size& z) { return 2 * z.N + z.beta; }, is_equal, "B24",
       true, "send/direct", item},
      {"one to one", "ring", "2 N tau + k beta", [](const Size& z) { return 2 * z.N + z.k * z.beta; }, at_most, "a",
       false, "send/pipelined", item},
      {"one to one", "grid", "N/2 tau + (sqrt(k) + 6) beta",
       [](const Size& z) { return z.N / 2 + (z.side() + 6) * z.beta; }, at_most, "B24", true, "send/disjoint-paths",
       item},
      {"one to one", "hypercube", "2 N/log2(k) tau + (2 + log2(k)) beta",
       [](const Size& z) { return 2 * z.N / z.dimensions() + (2 + z.dimensions()) * z.beta; }, at_most, "B24", true,
       "send/disjoint-paths", item},
      {"one to one", "switch", "N tau + beta", [](const Size& z) { return z.N + z.beta; }, is_equal, "", false,
       "send/direct", item},

      {"one to all", "bus", "N tau + beta", [](const Size& z) { return z.N + z.beta; }, is_equal, "", false,
       "broadcast/direct", item},
      {"one to all", "shared memory", "(N tau + beta) (1 + k/k*)",
       [](const Size& z) { return (z.N + z.beta) * (1 + rounds(z)); }, is_equal, "", false, "broadcast/direct", item},
      {"one to all", "ring", "2 N tau + k beta", [](const Size& z) { return 2 * z.N + z.k * z.beta; }, at_most, "a",
       false, "broadcast/two-way", item},
      {"one to all", "grid", "N tau + sqrt(k) beta", [](const Size& z) { return z.N + z.side() * z.beta; }, at_most,
       "B24", true, "broadcast/two-streams", item},
      {"one to all", "hypercube", "2 (N tau + log2(k) beta)",
       [](const Size& z) { return 2 * (z.N + z.dimensions() * z.beta); }, at_most, "a", false,
       "broadcast/sbt-pipelined", item},
      {"one to all", "switch", "4 (N tau + log2(k) beta)",
       [](const Size& z) { return 4 * (z.N + z.dimensions() * z.beta); }, at_most, "a", false, "broadcast/tree", item},

      {"all to all", "bus", "N tau + k beta", [](const Size& z) { return z.N + z.k * z.beta; }, is_equal, "", false,
       "allgather/direct", block},
      {"all to all", "shared memory", "N (k + 1)/k* tau + 2/k* beta",
       [](const Size& z) { return z.N * (z.k + 1) / z.kstar + 2 / z.kstar * z.beta; }, is_equal, "B24", true,
       "allgather/direct", block},
      {"all to all", "ring", "N tau + k beta", [](const Size& z) { return z.N + z.k * z.beta; }, at_most, "b", false,
       "allgather/daisy-chain", block},
      {"all to all", "grid", "N tau + 2 sqrt(k) beta", [](const Size& z) { return z.N + 2 * z.side() * z.beta; },
       at_most, "b", false, "allgather/two-pass", block},
      {"all to all", "hypercube", "2 N/log2(k) tau + 2 log2(k) beta",
       [](const Size& z) { return 2 * z.N / z.dimensions() + 2 * z.dimensions() * z.beta; }, at_most, "B30", true,
       "allgather/tea2", block, true},
      {"all to all", "switch", "N tau + log2(k) beta", [](const Size& z) { return z.N + z.dimensions() * z.beta; },
       at_most, "b", false, "allgather/doubling", block},

      {"scatter", "bus", "N tau + k beta", [](const Size& z) { return z.N + z.k * z.beta; }, at_most, "B15", false,
       "scatter/direct", block},
      {"scatter", "shared memory", "(N tau + beta) (1 + k/k*)",
       [](const Size& z) { return (z.N + z.beta) * (1 + rounds(z)); }, is_equal, "B16", true, "scatter/direct", block},
      {"scatter", "ring", "N/2 tau + k/2 beta", [](const Size& z) { return z.N / 2 + z.k / 2 * z.beta; }, is_equal, "",
       false, "scatter/two-way", block},
      {"scatter", "grid", "N tau + 2 sqrt(k) beta", [](const Size& z) { return z.N + 2 * z.side() * z.beta; }, at_most,
       "B24", false, "scatter/two-phase", block},
      {"scatter", "hypercube", "N tau + log2(k) beta", [](const Size& z) { return z.N + z.dimensions() * z.beta; },
       at_most, "b", false, "scatter/sbt", block},
      {"scatter", "switch", "N tau + log2(k) beta", [](const Size& z) { return z.N + z.dimensions() * z.beta; },
       at_most, "b", false, "scatter/shift", block},

      {"multiscatter", "bus", "N tau + k beta", [](const Size& z) { return z.N + z.k * z.beta; }, at_most, "B29", false,
       "alltoall/direct", pair},
      {"multiscatter", "shared memory", "2 (N tau + beta) (1 + k/k*)",
       [](const Size& z) { return 2 * (z.N + z.beta) * (1 + rounds(z)); }, is_equal, "B24", true, "alltoall/direct",
       pair},
      {"multiscatter", "ring", "N/2 tau + k beta", [](const Size& z) { return z.N / 2 + z.k * z.beta; }, at_most, "B21",
       false, "alltoall/rotate-drop", pair},
      {"multiscatter", "grid", "2 (N tau + sqrt(k) beta)", [](const Size& z) { return 2 * (z.N + z.side() * z.beta); },
       at_most, "B22", false, "alltoall/two-phase", pair},
      {"multiscatter", "hypercube", "N/k tau + 2 log2(k) beta",
       [](const Size& z) { return z.N / z.k + 2 * z.dimensions() * z.beta; }, is_equal, "B28", false,
       "alltoall/rotated-sbt", pair, true},
      {"multiscatter", "switch", "log2(k) (N/k tau + 2 beta)",
       [](const Size& z) { return z.dimensions() * (z.N / z.k + 2 * z.beta); }, is_equal, "B23", true,
       "alltoall/exchange", pair},
  };
  return cells;
}

run::RunArguments arguments_of(const SixMachinesCell& cell, const SixMachinesSize& size) {
  const auto whole = [](double number) { return std::to_string(static_cast<std::uint64_t>(number)); };
  const std::string k = whole(size.k);
  const std::string machine = cell.machine == "shared memory" ? "shared:" + k + ",kstar=" + whole(size.kstar)
                              : cell.machine == "grid"        ? "torus:" + whole(size.side()) + "x" + whole(size.side())
                              : cell.machine == "hypercube"   ? "hypercube:" + whole(size.dimensions())
                                                              : cell.machine + ":" + k;
  const double parts = cell.share == item ? 1 : cell.share == block ? size.k : size.k * size.k;
  run::RunArguments arguments =
      arguments_for(machine, cell.method, static_cast<std::uint64_t>(size.N / parts), size.beta);
  if (cell.takes_half_duplex) arguments.model.duplex = Duplex::half_node;
  return arguments;
}

}  // namespace lockstep::cli::reproduce
