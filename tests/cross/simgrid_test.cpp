// SimGrid takes the modelled time for the traces of `trace --ti`. Its `smpirun`, from Debian's package libsimgrid-dev,
// replays them; without it the tests are skipped.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "../cli/command_line.hpp"

namespace lockstep::test::simgrid_test {
namespace {

const std::string smpirun = LOCKSTEP_SMPIRUN;
const std::string replayer = LOCKSTEP_SMPI_REPLAY;

std::string output_of(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) output += part.data();
  EXPECT_EQ(pclose(pipe), 0) << output;
  return output;
}

std::string platform(const std::string& inside) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">" +
         inside + "</platform>\n";
}

/// Processors around a switch, each with one cable: half a second of latency either way, 10^7 bytes a second.
std::string with_one_port(unsigned processors) {
  return platform("<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-" + std::to_string(processors - 1) +
                  "\" speed=\"1Gf\" bw=\"10MBps\" lat=\"0.5s\" sharing_policy=\"SPLITDUPLEX\"/>");
}

/// A cable for every link of the machine, with the whole latency, and no route between processors without a link.
std::string with_all_ports(const std::string& machine) {
  const nlohmann::json graph = nlohmann::json::parse(lockstep({"info", machine, "--graph-json", "-"}).out);
  std::string hosts, cables, routes;
  for (const nlohmann::json& node : graph["nodes"]) {
    hosts += "<host id=\"h" + node["id"].dump() + "\" speed=\"1Gf\"/>\n";
  }
  for (const nlohmann::json& edge : graph["links"]) {
    const std::string one = edge["source"].dump(), other = edge["target"].dump(), cable = "l" + one + "-" + other;
    const auto route = [&cable](const std::string& from, const std::string& to, const std::string& direction) {
      return "<route src=\"h" + from + "\" dst=\"h" + to + "\" symmetrical=\"NO\"><link_ctn id=\"" + cable +
             "\" direction=\"" + direction + "\"/></route>\n";
    };
    cables += "<link id=\"" + cable + "\" bandwidth=\"10MBps\" latency=\"1s\" sharing_policy=\"SPLITDUPLEX\"/>\n";
    routes += route(one, other, "UP") + route(other, one, "DOWN");
  }
  return platform("<zone id=\"z\" routing=\"Full\">\n" + hosts + cables + routes + "</zone>");
}

/// A run of the command with a start-up of 1 s and 1 s a word of 10^7 bytes.
struct Traced {
  nlohmann::json report;
  std::string machine() const { return report["machine"]["spec"]; }
  unsigned processors() const { return report["machine"]["processors"]; }
  double synchronous() const { return report["modelled_time"]["synchronous"]; }
  double asynchronous() const { return report["modelled_time"]["asynchronous"]; }
};

/// Writes the traces of the run to the directory; nothing if the command refuses the run.
std::optional<Traced> traced(const std::string& flags, const TemporaryDirectory& directory) {
  const Finished run = lockstep("trace " + flags + " --word-bytes 10000000 --json - --ti " + directory.file("ti"));
  if (run.exit_code == 2) return std::nullopt;
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return Traced{nlohmann::json::parse(run.out)};
}

/// How the replay is started: as documented, or, in a quarter of the time, as `smpirun` itself starts it.
enum class Start { as_documented, at_once };

/// Seconds that SimGrid takes for the traces in the directory. Without the last two options incoming data would slow
/// down outgoing data, and a link would carry at most a TCP window of 4 MiB at a time.
double replayed(const TemporaryDirectory& directory, unsigned processors, const std::string& platform, Start start) {
  write_file(directory.file("platform.xml"), platform);
  std::string hosts;
  for (unsigned rank = 0; rank < processors; ++rank) hosts += "h" + std::to_string(rank) + "\n";
  write_file(directory.file("hosts"), hosts);
  const std::string number = std::to_string(processors);
  const std::string options = " --cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:0 ";
  const std::string command =
      start == Start::as_documented
          ? smpirun + " -no-privatize -replay traces.txt -np " + number +
                " -platform ../platform.xml -hostfile ../hosts " + replayer + options
          : std::filesystem::path(replayer).replace_filename("smpimain").string() + " " + replayer +
                " --cfg=smpi/privatization:no --cfg=smpi/replay:traces.txt --cfg=smpi/np:" + number +
                " --cfg=smpi/hostfile:../hosts --cfg=surf/precision:1e-9" + options + "../platform.xml";
  const std::string output = output_of("cd " + directory.file("ti") + " && " + command + " 2>&1");
  // SimGrid also prints a time when all started processes have ended and others have yet to start.
  const std::string before = "Simulation time ";
  const std::size_t found = output.rfind(before);
  EXPECT_NE(found, std::string::npos) << output;
  return found == std::string::npos ? 0 : std::stod(output.substr(found + before.size()));
}

/// SimGrid adds 16 bytes to every message, 1.6 us of at least a second, and prints microseconds.
double tolerance(double time) { return 2e-6 * time; }

class SimGrid : public testing::Test {
 protected:
  void SetUp() override {
    if (smpirun.empty() || replayer.empty()) GTEST_SKIP() << "SimGrid is missing (Debian's package libsimgrid-dev)";
  }
};

struct TimedRun {
  std::string flags;
  double time;
};

// By hand, with k = 2^n processors and m words: n (1 + m) for a tree of messages of m words, n + (k-1) m where they
// double, (k-1) (1 + m) round a ring, n (1 + k/2 m) for a total exchange on a cube.
const std::vector<TimedRun> timed_runs{
    {"--machine hypercube:4 --algorithm broadcast/sbt --words 5", 24},
    {"--machine hypercube:4 --algorithm reduce/tree --words 5", 24},
    {"--machine hypercube:4 --algorithm scan/cube --words 5", 24},
    {"--machine hypercube:4 --algorithm gather/sbt --words 5", 79},
    {"--machine hypercube:4 --algorithm scatter/sbt --words 5", 79},
    {"--machine hypercube:4 --algorithm allgather/adea --words 5", 79},
    {"--machine hypercube:4 --algorithm alltoall/exchange --words 5", 164},
    {"--machine ring:8 --algorithm allgather/daisy-chain --words 5", 42},
    {"--machine torus:4x4 --algorithm allgather/two-pass --words 3", 51},  // 3 (1 + 3) + 3 (1 + 4 * 3)
    {"--machine switch:7 --algorithm reduce-scatter/ring --words 14", 18},
    {"--machine switch:7 --algorithm allreduce/ring --words 14", 36},
    {"--machine switch:8 --algorithm allreduce/rabenseifner --words 16", 34},  // 2 (3 + (8-1) 2)
    {"--machine switch:11 --algorithm barrier/dissemination", 4},              // ceil(log2 11) start-ups
    {"--machine switch:7 --algorithm alltoall/pairwise --words 2", 18}};

TEST_F(SimGrid, TakesTheTimesOfTheFormulas) {
  for (const TimedRun& run : timed_runs) {
    SCOPED_TRACE(run.flags);
    const TemporaryDirectory directory;
    const std::optional<Traced> trace = traced(run.flags, directory);
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->synchronous(), run.time);
    EXPECT_EQ(trace->asynchronous(), run.time);
    EXPECT_NEAR(replayed(directory, trace->processors(), with_one_port(trace->processors()), Start::as_documented),
                run.time, tolerance(run.time));
  }
}

TEST_F(SimGrid, NoticesAWordMoreInOneMessage) {
  const TemporaryDirectory directory;
  const std::optional<Traced> trace = traced("--machine hypercube:3 --algorithm broadcast/sbt --words 5", directory);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->asynchronous(), 18);
  for (const auto& [rank, line] : {std::pair{"0", "0 send 1 0 "}, std::pair{"1", "1 recv 0 0 "}}) {
    const std::string file = directory.file("ti/rank-" + std::string(rank) + ".trace");
    std::string text = read_file(file);
    const std::size_t found = text.find(line + std::string("50000000"));
    ASSERT_NE(found, std::string::npos) << text;
    text[found + std::string(line).size()] = '6';
    write_file(file, text);
  }
  EXPECT_NEAR(replayed(directory, 8, with_one_port(8), Start::as_documented), 19, tolerance(19));
}

class SimGridOn : public SimGrid, public testing::WithParamInterface<const char*> {};

// The processors of a trace begin their next cycle only after the last one has ended. So SimGrid's time is the modelled
// one where both clocks agree, otherwise between the two. A message with several start-ups has one in SimGrid.
TEST_P(SimGridOn, TakesTheModelledTimeOfEveryMethod) {
  const std::string machine = GetParam();
  const nlohmann::json described = nlohmann::json::parse(lockstep({"info", machine, "--json", "-"}).out);
  const bool has_links = described["machine"]["ports"] != 0;
  const nlohmann::json listed =
      nlohmann::json::parse(lockstep({"list", "algorithms", "--json", "--machine", machine}).out);
  std::size_t same = 0, between = 0;
  for (const nlohmann::json& method : listed["algorithms"]) {
    const std::string name = method["name"];
    if (name == "alltoall/search" || method["operation"] == "application") continue;
    for (const std::string ports : method["port_models"]) {
      if (ports != "one" && (ports != "all" || !has_links)) continue;
      const std::string flags = "--machine " + machine + " --algorithm " + name + " --ports " + ports;
      SCOPED_TRACE(flags);
      const TemporaryDirectory directory;
      const std::optional<Traced> trace = traced(flags, directory);
      if (!trace || trace->report["counted"]["startups"] != trace->report["counted"]["messages"]) continue;
      const bool has_cables = ports == "all" || trace->report["model"]["multicast"] == true;
      if (has_cables && !has_links) continue;  // a network that copies messages
      const double early = trace->asynchronous(), late = trace->synchronous();
      const double time =
          replayed(directory, trace->processors(),
                   has_cables ? with_all_ports(machine) : with_one_port(trace->processors()), Start::at_once);
      EXPECT_GE(time, early - tolerance(early));
      EXPECT_LE(time, late + tolerance(late));
      ++(early == late ? same : between);
    }
  }
  std::cout << machine << ": " << same << " equal, " << between << " between the clocks\n";
  EXPECT_GE(same, 6U);
}

INSTANTIATE_TEST_SUITE_P(Machines, SimGridOn,
                         testing::Values("hypercube:3", "rh:1,1", "ring:5", "torus:3x3", "path:4", "complete:5",
                                         "switch:6", "omega:4", "ccc:3", "star:3", "hypercube:2+1", "circulant:7,1,3",
                                         "shuffle-exchange:3", "product:ring:3*path:2"));

}  // namespace
}  // namespace lockstep::test::simgrid_test
