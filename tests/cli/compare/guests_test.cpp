// Methods of machines that lie in a richer one: they compete there, and no machine does worse than what lies in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "command_line.hpp"
#include "lockstep/algorithms/carried_prediction.hpp"

namespace lockstep::test::guests_test {
namespace {

using Json = nlohmann::json;

struct NamedMachine {
  std::string family;
  std::vector<unsigned> sides;  ///< the number of processors, or the sides of a grid

  unsigned processors() const {
    unsigned product = 1;
    for (const unsigned side : sides) product *= side;
    return product;
  }
  std::string text() const {
    if (family == "hypercube") return "hypercube:" + std::to_string(std::bit_width(processors()) - 1);
    std::string text;
    for (const unsigned side : sides) text += (text.empty() ? "" : "x") + std::to_string(side);
    return family + ":" + text;
  }
};

bool is_grid(const NamedMachine& machine) { return machine.family == "mesh" || machine.family == "torus"; }

bool has_sides(const NamedMachine& machine, bool (*is_right)(unsigned side)) {
  return std::ranges::all_of(machine.sides, is_right);
}

/// Whether the poorer machine is known to lie in the richer one, link for link (docs/command.md, One machine on
/// another).
bool lies_in(const NamedMachine& poorer, const NamedMachine& richer) {
  const std::string& host = richer.family;
  const std::string& guest = poorer.family;
  if (host == "complete") return guest != "complete";
  if (host == "path" || guest == "complete") return false;
  if (guest == "path") return true;
  if (host == "ring") return false;
  if (guest == "ring") {
    return host != "mesh" || std::ranges::any_of(richer.sides, [](unsigned side) { return side % 2 == 0; });
  }
  if (guest == "mesh" && host == "torus" && poorer.sides == richer.sides) return true;
  // A ring of 4 is a square, so a torus with such sides is a hypercube.
  const bool is_cube = host == "hypercube" ||
                       (host == "torus" && has_sides(richer, [](unsigned side) { return side == 2 || side == 4; }));
  if (!is_cube) return false;
  if (guest == "hypercube") return host != "hypercube";
  return poorer.text() != richer.text() && has_sides(poorer, [](unsigned side) { return std::has_single_bit(side); });
}

/// Whether that keeps the ranks, so that scans are those of the same order.
bool keeps_ranks(const NamedMachine& poorer, const NamedMachine& richer) {
  return richer.family == "complete" || richer.family == "ring" || (is_grid(poorer) && poorer.sides == richer.sides);
}

/// Up to 64 processors, of every family; grids of several shapes.
std::vector<NamedMachine> machines(bool has_large) {
  std::vector<std::vector<unsigned>> shapes{{2, 2}, {3, 4}, {2, 2, 3}, {3, 5}, {2, 8}, {4, 4}, {2, 2, 4}, {2, 2, 2, 2}};
  if (has_large) shapes.insert(shapes.end(), {{6, 6}, {8, 8}, {4, 4, 4}});
  std::vector<NamedMachine> all;
  std::set<unsigned> sizes;
  for (const auto& shape : shapes) {
    for (const char* family : {"mesh", "torus"}) all.push_back({family, shape});
    sizes.insert(all.back().processors());
  }
  for (const unsigned size : sizes) {
    for (const char* family : {"path", "ring", "complete"}) all.push_back({family, {size}});
    if (std::has_single_bit(size)) all.push_back({"hypercube", {size}});
  }
  return all;
}

/// The least figure of all methods without multicast, by machine and words, as predicted.
using LeastFigures = std::map<std::pair<std::string, std::string>, double>;

LeastFigures least(const std::string& operation, const std::string& ports, const std::string& criterion,
                   const std::vector<NamedMachine>& all) {
  // Parts of a reduce-scatter are equal where all processors have one word or more of each.
  const std::string words = operation == "reduce-scatter" ? "2880,28800" : "1,2880";
  std::string line = "sweep --predict --quiet --jsonl - --beta 100 --tau 1 --operation " + operation + " --ports " +
                     ports + " --by " + criterion;
  if (operation != "barrier") line += " --vary words=" + words;
  for (const NamedMachine& machine : all) line += " --machine " + machine.text();
  const Finished sweep = lockstep(line);
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
  LeastFigures figures;
  for (const std::string& text : lines(sweep.out)) {
    const Json row = Json::parse(text);
    const std::string quantity = criterion == "time" ? "time_synchronous" : criterion;
    if (!row.contains("figures") || row["model"]["multicast"] == true || row["figures"][quantity].is_null()) continue;
    if (std::ranges::find(row["at_most"], Json(quantity)) != row["at_most"].end()) continue;
    const double figure = row["figures"][quantity];
    const std::string point = row["point"].contains("words") ? row["point"]["words"].dump() : "";
    const auto [known, is_new] = figures.try_emplace({row["machine"], point}, figure);
    if (!is_new) known->second = std::min(known->second, figure);
  }
  return figures;
}

class Guests : public testing::TestWithParam<const char*> {};

TEST_P(Guests, NoMachineDoesWorseThanWhatLiesInIt) {
  const std::string operation = GetParam();
  const bool is_scan = operation == "scan" || operation == "exscan";
  std::size_t pairs = 0;
  for (const std::string ports : {"one", "all"}) {
    for (const std::string criterion : {"time", "steps"}) {
      const std::vector<NamedMachine> all = machines(criterion == "steps");
      const LeastFigures figures = least(operation, ports, criterion, all);
      for (const NamedMachine& richer : all) {
        for (const NamedMachine& poorer : all) {
          if (richer.processors() != poorer.processors() || !lies_in(poorer, richer)) continue;
          if (is_scan && !keeps_ranks(poorer, richer)) continue;
          for (const auto& [at, figure] : figures) {
            if (at.first != poorer.text()) continue;
            const auto of_richer = figures.find({richer.text(), at.second});
            ASSERT_NE(of_richer, figures.end()) << operation << " on " << richer.text();
            EXPECT_LE(of_richer->second, figure * (1 + 1e-9))
                << operation << " on " << richer.text() << " and on " << poorer.text() << ", --ports " << ports
                << ", --by " << criterion << ", words " << at.second;
            ++pairs;
          }
        }
      }
    }
  }
  EXPECT_GT(pairs, operation == "barrier" || is_scan ? 150U : 600U);
}

INSTANTIATE_TEST_SUITE_P(OfCollectives, Guests,
                         testing::Values("broadcast", "scatter", "gather", "allgather", "alltoall", "reduce",
                                         "allreduce", "reduce-scatter", "scan", "exscan", "barrier"),
                         [](const auto& operation) {
                           std::string name = operation.param;
                           std::erase(name, '-');
                           return name;
                         });

Json compared(const std::string& flags) {
  const Finished comparison = lockstep("compare --ports one --json " + flags);
  EXPECT_EQ(comparison.exit_code, 0) << comparison.err;
  return Json::parse(comparison.out, nullptr, false);
}

// 4 steps double what each of 16 processors knows; the farthest is 4 links away in the torus too, and 15 blocks arrive
// at every processor through one port.
TEST(Guest, HasTheBoundOfTheMachine) {
  const Json rows = compared("--operation allgather --machine torus:4x4 --words 64")["rows"];
  EXPECT_EQ(rows[0]["algorithm"], "allgather/adea");
  EXPECT_EQ(rows[0]["guest"], "hypercube:4");
  EXPECT_EQ(rows[0]["figures"]["steps"], 4);
  EXPECT_EQ(rows[0]["figures"]["time_synchronous"], 4 + 15 * 64);
  for (const Json& row : rows) {
    if (row["rules"] != "one port") continue;
    EXPECT_EQ(row["figures"]["lower_bound_steps"], 4) << row;
    EXPECT_EQ(row["figures"]["lower_bound_longest_sum"], 15 * 64) << row;
  }
}

TEST(Guest, IsNamedInEveryTable) {
  const std::string what = " --operation allgather --machine torus:4x4 --ports one --predict ";
  EXPECT_NE(lockstep("compare" + what).out.find("1  allgather/adea on hypercube:4 "), std::string::npos);
  EXPECT_NE(lockstep("sweep --vary words=1,2" + what).out.find("adea on hypercube:4\n"), std::string::npos);
  EXPECT_NE(lockstep("compare --csv -" + what).out.find("torus:4x4,allgather/adea on hypercube:4,"), std::string::npos);
  const Json best = Json::parse(
      lockstep("best --operation allgather --machine torus:4x4 --ports one --words 1,64 --json").out, nullptr, false);
  EXPECT_EQ(best["ranges"][0]["name"], "adea on hypercube:4");
  EXPECT_EQ(best["ranges"][0]["guest"], "hypercube:4");
  EXPECT_EQ(best["runs"][0]["figure"], 4 + 15);
}

// The method and its machine together are what `run --algorithm` takes; beside it stands the machine that runs it.
TEST(Guest, StandsInTheRowOfItsHost) {
  const std::string what = " --operation allgather --machine torus:4x4 --machine ring:15 --ports one --predict --quiet";
  const auto has_row = [](const std::string& text, const std::string& pattern) {
    EXPECT_TRUE(std::regex_search(text, std::regex(pattern))) << pattern << "\n" << text;
    const std::string tables = text.substr(0, text.find("not compared"));
    EXPECT_FALSE(std::regex_search(tables, std::regex("[a-z]+:[0-9x]+ on [a-z]+:[0-9]"))) << text;
  };
  has_row(lockstep("compare --markdown -" + what).out, "\\| allgather/adea on hypercube:4 +\\| torus:4x4 +\\|");
  has_row(lockstep("compare --csv -" + what).out, "torus:4x4,allgather/adea on hypercube:4,");
  has_row(lockstep("sweep --vary words=1,2 --csv -" + what).out, "\n2,torus:4x4,allgather/adea on hypercube:4,");
  const std::string shown =
      lockstep("compare --operation allgather --machine torus:4x4 --machine ring:15 --ports one --predict").out;
  has_row(shown, "\n1 +allgather/adea on hypercube:4 +torus:4x4 ");
  has_row(shown, "\n1 +allgather/[a-z-]+ +ring:15 ");
  has_row(lockstep("compare --operation allreduce --machine torus:4x4 --machine torus:2x8 --embed complete:16 --ports "
                   "one --predict")
              .out,
          "allreduce/swing on complete:16 +torus:2x8 ");
  const std::string alone =
      lockstep("compare --operation allreduce --machine torus:4x4 --embed complete:16 --ports one --predict").out;
  has_row(alone, "allreduce/swing on complete:16 +one port ");
  EXPECT_EQ(alone.find(" machine "), std::string::npos) << alone;
}

/// Packets down a chain of n links: m mod nu of them are a word longer and go first.
unsigned pipelined(unsigned n, unsigned m, unsigned beta) {
  unsigned best = n * (beta + m);
  for (unsigned packets = 1; packets <= m; ++packets) {
    const unsigned longer = m % packets;
    const unsigned long_steps = longer == 0 ? 0 : longer + n - 1;
    best = std::min(best, (n + packets - 1) * (beta + m / packets) + long_steps);
  }
  return best;
}

// The chain through all 12 processors goes round the ring from the root, wherever it lies.
TEST(Guest, HasTheRootOfTheMachine) {
  const std::string flags = "--operation broadcast --machine mesh:3x4 --words 2000 --beta 100 --root ";
  for (const std::string root : {"0", "5", "11"}) {
    const Json all = compared(flags + root);
    const auto row = std::ranges::find_if(all["rows"], [](const Json& one) { return one.contains("guest"); });
    ASSERT_NE(row, all["rows"].end()) << all;
    EXPECT_EQ((*row)["figures"]["time_synchronous"], pipelined(11, 2000, 100)) << *row;
    const Json places = Json::parse(
        lockstep("info mesh:3x4 --embed " + (*row)["guest"].get<std::string>() + " --json").out, nullptr, false);
    const std::size_t rank = (*row)["parameters"]["root"];
    EXPECT_EQ(places["embedding"]["places"][rank].dump(), root);
  }
}

// In another order of ranks a scan is another task, and so are parts of unequal length.
TEST(Guest, DoesTheTaskOfTheMachinesRanks) {
  const auto guests = [](const std::string& flags) {
    std::set<std::string> all;
    const Json comparison = compared("--predict " + flags);
    for (const Json& row : comparison["rows"]) {
      if (row.contains("guest")) all.insert(row["guest"]);
    }
    return all;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(guests("--operation exscan --machine torus:4x4"), Names{});
  EXPECT_EQ(guests("--operation exscan --machine complete:1024"), Names{"hypercube:10"});
  EXPECT_EQ(guests("--operation reduce --machine torus:4x4 --words 1600"), Names{"hypercube:4"});
  EXPECT_EQ(guests("--operation reduce-scatter --machine torus:4x4 --words 32"), Names{"hypercube:4"});
  EXPECT_EQ(guests("--operation reduce-scatter --machine torus:4x4 --words 33"), Names{});
  EXPECT_EQ(guests("--operation allgather --machine torus:4x4 --embed ring:16"), Names{"ring:16"});
}

TEST(Guest, CombinesInTheOrderOfTheMachinesRanks) {
  Settings settings;
  for (const auto& [host, name, does] : {std::tuple("torus:4x4", "sum", true), std::tuple("torus:4x4", "concat", false),
                                         std::tuple("complete:16", "concat", true)}) {
    settings.operator_name = name;
    const Embedding embedded = embedding("hypercube:4", parse_machine(host));
    for (const char* method : {"reduce/tree", "allreduce/dimension-exchange"}) {
      EXPECT_EQ(does_task_of_host(embedded, find_method(method, "hypercube"), settings), does) << host << name;
    }
  }
}

TEST(Guest, RunsByItsName) {
  const auto json = [](const std::vector<std::string>& arguments) {
    return Json::parse(lockstep(arguments).out, nullptr, false);
  };
  const Json named = json({"run", "--machine", "torus:4x4", "--algorithm", "scatter/two-phase on path:16", "--json"});
  const Json embedded =
      json({"run", "--machine", "torus:4x4", "--algorithm", "scatter/two-phase", "--embed", "path:16", "--json"});
  EXPECT_EQ(named["counted"], embedded["counted"]);
  EXPECT_EQ(named["carried"], embedded["carried"]);
  EXPECT_EQ(named["digest"], embedded["digest"]);
  // The path's processor 0 has the farthest 15 links away.
  EXPECT_EQ(named["counted"]["steps"], 15);
  const auto refuse = [](const std::string& algorithm, const std::string& machine, const std::string& said) {
    expect_refused(lockstep({"run", "--machine", machine, "--algorithm", algorithm}), {said});
  };
  refuse("scatter/two-phase on path:17", "torus:4x4", "torus:4x4 has 16 processors, too few for path:17");
  refuse("scatter/two-phase on pth:16", "torus:4x4", "did you mean path?");
  refuse("scatter/two-phases on path:16", "torus:4x4", "did you mean 'scatter/two-phase'?");
  refuse("broadcast/msbt on path:16", "torus:4x4", "broadcast/msbt does not run on path");
  refuse("scatter/two-phase on path:4", "switch:4", "only a machine with links can be a host");
  expect_refused(
      lockstep({"run", "--machine", "torus:4x4", "--algorithm", "scatter/two-phase on path:16", "--embed", "path:16"}),
      {"names the machine of the method, as --embed does"});
}

// A path's processor 0 has the farthest 15 links away; in the ring it is 8.
TEST(Guest, IsJudgedByItsName) {
  const auto judged = [](const std::string& machine, const std::string& algorithm,
                         const std::vector<std::string>& flags = {}) {
    std::vector<std::string> all{"judge", "--seeds", "1", "--machine", machine, "--algorithm", algorithm};
    all.insert(all.end(), flags.begin(), flags.end());
    return lockstep(all);
  };
  const Json named =
      Json::parse(judged("ring:16", "scatter/two-phase on path:16", {"--json", "-"}).out, nullptr, false);
  EXPECT_EQ(named["status"], "right");
  const Json size = named["sizes"][0];
  EXPECT_EQ(size["algorithm"], "scatter/two-phase");
  EXPECT_EQ(size["machine"], "ring:16");
  EXPECT_EQ(size["guest"], "path:16");
  EXPECT_EQ(size["steps"], 15);
  EXPECT_EQ(size["bound_steps"], 8);
  EXPECT_EQ(named, Json::parse(judged("ring:16", "scatter/two-phase", {"--embed", "path:16", "--json", "-"}).out,
                               nullptr, false));
  const Finished text = judged("ring:16", "scatter/two-phase on path:16");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(text.out.starts_with("scatter/two-phase on path:16, judged on 1 machine and in 1 order of processors\n"))
      << text.out;
  // On the same ring in the reduced hypercube another method takes half of 7 steps.
  const std::string daisy_chain = "allgather/daisy-chain on ring:8";
  const Json others = Json::parse(judged("rh:1,1", daisy_chain, {"--json", "-"}).out, nullptr, false);
  EXPECT_EQ(others["sizes"][0]["steps"], 7);
  EXPECT_EQ(others["sizes"][0]["best"]["algorithm"], "allgather/neighbour-exchange");
  EXPECT_EQ(others["sizes"][0]["best"]["guest"], "ring:8");
  EXPECT_EQ(others["sizes"][0]["best"]["steps"], 4);
  EXPECT_NE(judged("rh:1,1", daisy_chain).out.find(" neighbour-exchange on ring:8 "), std::string::npos);
  const auto refuse = [&](const std::string& algorithm, const std::string& machine, const std::string& said) {
    expect_refused(judged(machine, algorithm), {said});
  };
  refuse("scatter/two-phases on path:16", "ring:16", "did you mean 'scatter/two-phase'?");
  refuse("scatter/two-phase on pth:16", "ring:16", "did you mean path?");
  refuse("broadcast/msbt on path:16", "ring:16", "broadcast/msbt does not run on path");
  refuse("scatter/two-phase on path:17", "ring:16", "ring:16 has 16 processors, too few for path:17");
  refuse("scatter/two-phase on path:4", "switch:4", "only a machine with links can be a host");
  expect_refused(judged("ring:16", "scatter/two-phase on path:16", {"--embed", "path:16"}),
                 {"names the machine of the method, as --embed does"});
  expect_refused(lockstep({"judge", "--algorithm", "scatter/two-phase on path:16"}),
                 {"judge needs --machine, the host of path:16"});
}

// The cube's scatter-allgather has a word for every processor by default, which is another task than that of one word.
TEST(Guest, HasNoTableOfItsOwn) {
  for (const char* operation : {"broadcast", "reduce"}) {
    std::set<std::string> tasks;
    const Json all = compared("--predict --machine torus:4x4 --operation " + std::string(operation));
    for (const Json& row : all["rows"]) {
      if (!row.contains("guest")) tasks.insert(row["task"].get<std::string>() + row["rules"].get<std::string>());
    }
    for (const Json& row : all["rows"]) {
      EXPECT_TRUE(tasks.contains(row["task"].get<std::string>() + row["rules"].get<std::string>())) << row;
    }
  }
}

// Libraries have no methods of their machines' parts.
TEST(Guest, IsNotInSelectionFiles) {
  const Finished best = lockstep(
      "best --operation allgather --machine complete:16 --words 1..1000*10 --ports one --no-run --write openmpi-text "
      "-");
  EXPECT_EQ(best.exit_code, 0) << best.err;
  EXPECT_EQ(best.err.find(" on "), std::string::npos) << best.err;
}

}  // namespace
}  // namespace lockstep::test::guests_test
