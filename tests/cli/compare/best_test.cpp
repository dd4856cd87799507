// `lockstep best`: its ranges against formulas, and the runs at their edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>
#include <vector>

#include "command_line.hpp"
#include "report/csv_report.hpp"

namespace lockstep::test::best_test {
namespace {

using Json = nlohmann::json;

Json best_json(const std::string& flags) {
  const Finished best = lockstep("best " + flags + " --json");
  EXPECT_EQ(best.exit_code, 0) << best.err;
  return Json::parse(best.out, nullptr, false);
}

constexpr std::uint64_t beta = 100;

std::uint64_t tree(std::uint64_t n, std::uint64_t m) { return n * (beta + m); }

/// With the best number of packets: r = m mod nu of them are a word longer and go first, so the last nu - r of n + nu -
/// 1 steps are shorter.
std::uint64_t pipelined(std::uint64_t n, std::uint64_t m) {
  std::uint64_t best = tree(n, m);
  for (std::uint64_t packets = 1; packets <= m; ++packets) {
    const std::uint64_t longer = m % packets;
    const std::uint64_t long_steps = longer == 0 ? 0 : longer + n - 1;
    best = std::min(best, (n + packets - 1) * (beta + m / packets) + long_steps);
  }
  return best;
}

/// The ranges under these rules.
std::vector<Json> ranges_of(const Json& best, const std::string& rules) {
  std::vector<Json> ranges;
  for (const Json& range : best["ranges"]) {
    if (range["rules"] == rules) ranges.push_back(range);
  }
  return ranges;
}

// The binomial tree takes n (beta + m); 2 packets down the rotated trees (n + 2)(beta + ceil(m/2)), which is less from
// m = 2 beta / (n/2 - 1) on, for n = 8 the even number above 66.7, where more packets take more.
TEST(Best, ChangesAtTheFirstWordAtWhichPacketsPay) {
  const Json best =
      best_json("--operation broadcast --machine hypercube:8 --words 1..5000*10 --beta 100 --ports one --no-run");
  const std::vector<Json> ranges = ranges_of(best, "one port");
  ASSERT_EQ(ranges.size(), 2U) << best;
  EXPECT_EQ(ranges[0]["algorithm"], "broadcast/sbt");
  EXPECT_EQ(ranges[1]["algorithm"], "broadcast/msbt");
  EXPECT_EQ(ranges[0]["to"], 67);
  EXPECT_EQ(ranges[1]["from"], 68);
  EXPECT_EQ(ranges[1]["to"], 1000);
  EXPECT_EQ(ranges[1]["exact"], true);
  EXPECT_EQ(ranges[0]["first"]["figure"], tree(8, 1));
  EXPECT_EQ(ranges[0]["last"]["figure"], tree(8, 67));
  EXPECT_EQ(ranges[1]["first"]["figure"], 10 * (beta + 34));
}

// The pipelined tree sends a packet on all ports at once: nu packets of m/nu words take (n + nu - 1)(beta + m/nu).
TEST(Best, ShowsOtherRulesApart) {
  for (const std::uint64_t n : {3U, 6U, 8U}) {
    const std::string flags = "--operation broadcast --machine hypercube:" + std::to_string(n) +
                              " --words 1..1000*10 --beta 100 --ports one --no-run";
    const Json best = best_json(flags);
    const std::vector<Json> other = ranges_of(best, "one port, multicast");
    ASSERT_EQ(other.size(), 1U) << best;
    EXPECT_EQ(other[0]["algorithm"], "broadcast/sbt-pipelined");
    EXPECT_EQ(other[0]["first"]["figure"], pipelined(n, 1));
    EXPECT_EQ(other[0]["last"]["figure"], pipelined(n, 1000));
    for (const Json& range : ranges_of(best, "one port")) {
      EXPECT_EQ(range.dump().find("sbt-pipelined"), std::string::npos) << range;
    }
    EXPECT_EQ(best["ranges"].front()["rules"], "one port");
    const std::string text = lockstep("best " + flags).out;
    const std::size_t title = text.find("\n\nunder other rules: one port, multicast\n");
    EXPECT_NE(title, std::string::npos) << text;
    EXPECT_GT(text.find("sbt-pipelined"), title) << text;
  }
}

// In the bisection a tie does not change the leader: a tree in the switch ties with the ring at 16.
TEST(Best, DoesNotDependOnTheValuesThatWereGiven) {
  const auto ranges = [](const std::string& words) {
    Json all = best_json("--operation broadcast --machine switch:16 --no-run --words " + words)["ranges"];
    std::vector<std::string> starts;
    for (const Json& range : all) starts.push_back(range["name"].get<std::string>() + " " + range["from"].dump());
    return starts;
  };
  EXPECT_EQ(ranges("1..4096*8"), ranges("1..4096*4095"));
  EXPECT_EQ(ranges("1..4096*8"), ranges("1,7,4096"));
}

// If words take no time, all methods with 5 steps tie; the search for the leader next to 0 ends.
TEST(Best, EndsNextToZero) {
  const Json best = best_json("--operation allgather --machine hypercube:5 --words 256 --vary tau=0,1,1000 --no-run");
  for (const Json& range : best["ranges"]) {
    EXPECT_TRUE(range["from"] == 0 || range["from"] > 1e-7) << best["ranges"];
  }
}

TEST(Best, SaysWhatFails) {
  const Finished best =
      lockstep("best --operation broadcast --machine hypercube:4 --words 1,100 --ports one --max-cycles 4");
  EXPECT_EQ(best.exit_code, 1);
  EXPECT_NE(best.out.find("Failed: sbt-pipelined at 100 words: "), std::string::npos) << best.out;
  EXPECT_EQ(best.out.find("came to what is predicted"), std::string::npos) << best.out;
  EXPECT_NE(best.err.find("lockstep: sbt-pipelined at 100 words: livelock"), std::string::npos) << best.err;
}

TEST(Best, RunsTheEdges) {
  const std::string flags = "--operation broadcast --machine hypercube:8 --words 1..1000*10 --beta 100 --ports one";
  const Json best = best_json(flags);
  std::set<std::pair<std::string, std::uint64_t>> runs;
  for (const Json& run : best["runs"]) {
    runs.emplace(run["name"], run["at"]);
    EXPECT_EQ(run["digest"].get<std::string>().size(), 16U);
    EXPECT_EQ(run["reason"], "");
    const std::uint64_t m = run["at"];
    if (run["name"] == "sbt") {
      EXPECT_EQ(run["figure"], tree(8, m));
    } else if (run["name"] == "sbt-pipelined") {
      EXPECT_EQ(run["figure"], pipelined(8, m));
    }
  }
  const std::set<std::pair<std::string, std::uint64_t>> expected{
      {"sbt", 1},   {"sbt", 67},    {"sbt", 68},          {"msbt", 67},
      {"msbt", 68}, {"msbt", 1000}, {"sbt-pipelined", 1}, {"sbt-pipelined", 1000}};
  EXPECT_EQ(runs, expected);
  EXPECT_EQ(best_json(flags + " --no-run")["runs"], Json::array());
}

TEST(Best, GoesAlongCostsAndMachines) {
  const Json costs = best_json(
      "--operation broadcast --machine hypercube:8 --words 64 --packets 2 --vary beta=1..1e4*10 --multicast on "
      "--no-run");
  ASSERT_EQ(costs["ranges"].size(), 3U) << costs;
  // A word each for 64 processors takes 16 beta + 63 + 127 + 64, 2 packets of 32 words 9 (beta + 32), the tree 8 (beta
  // + 64): equal at 34/7 and at 224.
  EXPECT_NEAR(costs["ranges"][1]["from"].get<double>(), 34.0 / 7, 1e-6);
  EXPECT_NEAR(costs["ranges"][2]["from"].get<double>(), 224, 1e-6);
  EXPECT_EQ(costs["varied"], "beta");
  // The torus with the same links takes 4 + 15 * 8 / 4, whatever a look at a block costs; tea2 takes 44 and 128 looks.
  const Json looks = best_json(
      "--operation allgather --machine hypercube:4 --ports all --words 8 --vary scan-cost=0.001..100*10 --no-run");
  ASSERT_EQ(looks["ranges"].size(), 1U) << looks;
  EXPECT_EQ(looks["ranges"][0]["last"]["figure"], 34);
  const Json machines =
      best_json("--operation broadcast --machine hypercube:2..4 --words 29 --beta 100 --ports one --no-run");
  EXPECT_EQ(machines["varied"], "machine");
  EXPECT_EQ(machines["ranges"].front()["from"], "hypercube:2");
  EXPECT_EQ(machines["ranges"].back()["to"], "hypercube:4");
}

// 2^25 processors and more are predicted; their runs are refused, as they do not fit memory.
// T = 14 steps for one packet, 4 between packets: nu packets take 14 + 4 (nu - 1) steps and 10 ceil(64/nu) + 4 * 64
// words; the tree of a whole value takes 15 steps of 64 words.
TEST(Best, GivesTheBestPacketsToMethodsThatSendWholeByDefault) {
  std::uint64_t least = 15 * (1 + 64);
  std::uint64_t packets = 1;
  for (std::uint64_t nu = 2; nu <= 64; ++nu) {
    const std::uint64_t time = 14 + 4 * (nu - 1) + 10 * ((64 + nu - 1) / nu) + 4 * 64;
    if (time >= least) continue;
    least = time;
    packets = nu;
  }
  const Json best = best_json("--operation reduce --machine rh:3,2 --words 64..64 --duplex half-node --no-run");
  ASSERT_EQ(best["ranges"].size(), 1U) << best;
  EXPECT_EQ(best["ranges"][0]["algorithm"], "reduce/tree");
  EXPECT_EQ(best["ranges"][0]["first"]["figure"], least);
  EXPECT_EQ(best["ranges"][0]["first"]["parameters"]["packets"], packets) << best;
}

TEST(Best, SaysWhatIsTooLargeToRun) {
  const Json best = best_json("--operation broadcast --machine hypercube:28..30 --words 5 --ports one");
  ASSERT_FALSE(best["ranges"].empty());
  ASSERT_FALSE(best["runs"].empty());
  for (const Json& run : best["runs"]) {
    EXPECT_TRUE(run["figure"].is_null());
    EXPECT_NE(run["reason"].get<std::string>().find("of memory"), std::string::npos) << run;
  }
}

TEST(Best, WritesTheSameInAllForms) {
  const TemporaryDirectory directory;
  const Finished best = lockstep(
      "best --operation broadcast --machine hypercube:8 --words 1..1000*10 --beta 100 --ports one --csv " +
      directory.file("b.csv") + " --markdown " + directory.file("b.md") + " --plot " + directory.file("b.svg"));
  EXPECT_EQ(best.exit_code, 0) << best.err;
  EXPECT_NE(best.out.find("\n         1     67  sbt "), std::string::npos) << best.out;
  EXPECT_NE(best.out.find("\n8 runs at the edges of the ranges matched the predictions.\n"), std::string::npos);
  const auto rows = lines(read_file(directory.file("b.csv")));
  ASSERT_EQ(rows.size(), 4U);
  const auto cells = cli::report::csv_cells_of(rows[1]);
  EXPECT_EQ(cells[1] + " " + cells[3] + " " + cells[4] + " " + cells[7], "one port 1 67 broadcast/sbt");
  EXPECT_NE(read_file(directory.file("b.md")).find("| 1 | 67 | sbt |"), std::string::npos);
  EXPECT_NE(read_file(directory.file("b.gp")).find("title '1: msbt (one port) from 68'"), std::string::npos);
  EXPECT_EQ(directory.files(), (std::vector<std::string>{"b.csv", "b.dat", "b.gp", "b.md", "b.svg"}));
}

TEST(Best, RefusesInOneLine) {
  const std::string some = "best --operation broadcast --machine hypercube:3 ";
  expect_refused(lockstep("best --operation broadcast"), {"best needs --operation, --machine and a range"});
  expect_refused(lockstep(some), {"best needs exactly one range", "none is given"});
  expect_refused(lockstep(some + "--words 1..8 --vary beta=1,2"), {"here are 2"});
  expect_refused(lockstep("best --operation transpose --machine hypercube:4 --matrix 16x64,64x16,32x32"),
                 {"best cannot go along matrix: '16x64' and '64x16' have the same size"});
  expect_refused(lockstep("best --operation alltoall --machine hypercube:4 --machine torus:4x4 --words 10"),
                 {"best cannot go along machine: 'hypercube:4' and 'torus:4x4' are not of one family"});
  expect_refused(lockstep("best --operation reduce --machine hypercube:4 --vary operator=sum,max"),
                 {"best cannot go along operator: 'sum' is not a number"});
  expect_refused(lockstep(some + "--words 10,5,5,1"), {"--vary words '5' is given twice"});
  expect_refused(lockstep(some + "--words 1,1e15"), {"at words=1000000000000000: "});
  expect_refused(lockstep(some + "--words 8..1"), {"--words '8..1' is empty: 8 is more than 1"});
  expect_refused(lockstep(some + "--words 1..8 --by wall"),
                 {"--by wall is not predicted, and best goes by predictions"});
  expect_refused(lockstep(some + "--words 1..8 --by tme"), {"did you mean 'time'?"});
  expect_refused(lockstep("best --operation alltoall --machine shuffle-exchange:9 --words 1..8"),
                 {"nothing is predicted here"});
  expect_refused(lockstep(some + "--words 1..8 --plot x.gif"), {"is not the name of a picture"});
}

/// The method of a row, with the machine on which it runs if that is another.
std::string method_of(const Json& row) {
  const Json guest = row.value("guest", Json());
  return row["algorithm"].get<std::string>() + (guest.is_null() ? "" : " on " + guest.get<std::string>());
}

/// By rules, the methods that stand first in comparisons by prediction, and their time.
struct First {
  std::set<std::string> methods;
  Json time;
};
std::map<std::string, First> first_in_compare(const std::string& flags) {
  const Finished compared = lockstep("compare " + flags + " --predict --json");
  std::map<std::string, First> first;
  const Json comparison = Json::parse(compared.out, nullptr, false);
  if (!comparison.contains("rows")) return first;
  for (const Json& row : comparison["rows"]) {
    if (row["rank"] != 1) continue;
    First& of_rules = first[row["rules"]];
    of_rules.methods.insert(method_of(row));
    of_rules.time = row["figures"]["time_synchronous"];
  }
  return first;
}

/// The time of a method on an embedded machine, which a comparison leaves out where it is no better than others.
Json time_on_guest(const std::string& flags, const Json& range) {
  const Finished swept = lockstep("sweep " + flags + " --embed " + range["guest"].get<std::string>() +
                                  " --vary tau=1,2 --predict --jsonl - --quiet");
  std::istringstream lines(swept.out);
  for (std::string line; std::getline(lines, line);) {
    const Json row = Json::parse(line);
    if (row["algorithm"] == range["algorithm"] && row.value("guest", Json()) == range["guest"]) {
      return row["figures"]["time_synchronous"];
    }
  }
  return {};
}

// One tuner and one set of predictions: the leader at a size is one of the first in a comparison at that size.
TEST(Best, NamesTheFirstOfCompare) {
  const std::vector<std::string> operations{"broadcast", "scatter", "gather",         "allgather", "alltoall", "reduce",
                                            "allreduce", "barrier", "reduce-scatter", "scan",      "exscan"};
  const std::vector<std::string> machines{"hypercube:3",
                                          "hypercube:4",
                                          "hypercube:3+1",
                                          "ring:9",
                                          "ring:12",
                                          "path:8",
                                          "path:13",
                                          "torus:4x4",
                                          "torus:3x5",
                                          "torus:2x2x3",
                                          "mesh:3x5",
                                          "mesh:4x4",
                                          "complete:7",
                                          "complete:8",
                                          "rh:2,1",
                                          "ccc:3",
                                          "star:4",
                                          "pancake:4",
                                          "circulant:10,1,3",
                                          "shuffle-exchange:3",
                                          "product:ring:4*path:3",
                                          "switch:12",
                                          "switch:16",
                                          "bus:6",
                                          "bus:6,kstar=2",
                                          "omega:8",
                                          "inverse-omega:8",
                                          "indirect-cube:8",
                                          "shared:6,kstar=2",
                                          "shared:8,kstar=4,banks=4"};
  const std::vector<std::uint64_t> sizes{1, 7, 60, 500, 4000, 30'000};
  int compared = 0;
  for (std::size_t operation = 0; operation < operations.size(); ++operation) {
    for (std::size_t machine = 0; machine < machines.size(); ++machine) {
      const std::string flags = "--beta 100 --operation " + operations[operation] + " --machine " + machines[machine] +
                                " --ports " + ((operation + machine) % 2 == 0 ? "one" : "all");
      const Finished found = lockstep("best " + flags + " --words 1,7,60,500,4000,30000 --no-run --json");
      const Json best = Json::parse(found.out, nullptr, false);
      if (!best.contains("ranges")) continue;  // a medium has no ports
      for (const std::uint64_t words : sizes) {
        const std::string here = flags + " --words " + std::to_string(words);
        const auto first = first_in_compare(here);
        for (const Json& range : best["ranges"]) {
          if (range["from"] > words || range["to"] < words) continue;
          ++compared;
          const std::string rules = range["rules"];
          ASSERT_TRUE(first.contains(rules)) << here << ": " << rules;
          if (first.at(rules).methods.contains(method_of(range))) continue;
          ASSERT_TRUE(range["guest"].is_string()) << here << ": " << range;
          EXPECT_EQ(time_on_guest(here, range), first.at(rules).time) << here << ": " << range;
        }
      }
    }
  }
  EXPECT_GT(compared, 1800);
}

}  // namespace
}  // namespace lockstep::test::best_test
