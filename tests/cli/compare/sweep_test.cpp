// `lockstep sweep`: its ranges, lines equal to those of `lockstep run`, and no run lost or made twice.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <thread>

#include "../../temporary_directory.hpp"
#include "command_line.hpp"
#include "flags/value_range.hpp"
#include "lockstep/machines/input_error.hpp"
#include "report/csv_report.hpp"

namespace lockstep::test::sweep_test {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

Texts words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

std::string refusal(const std::string& text) {
  try {
    cli::flags::values_of("--vary words", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Ranges, CountAddAndMultiply) {
  EXPECT_EQ(cli::flags::values_of("f", "1..4"), (Texts{"1", "2", "3", "4"}));
  EXPECT_EQ(cli::flags::values_of("f", "1..8+3"), (Texts{"1", "4", "7"}));
  EXPECT_EQ(cli::flags::values_of("f", "1..64*4"), (Texts{"1", "4", "16", "64"}));
  EXPECT_EQ(cli::flags::values_of("f", "5..5"), (Texts{"5"}));
  EXPECT_EQ(cli::flags::values_of("f", "1,4,9"), (Texts{"1", "4", "9"}));
  EXPECT_EQ(cli::flags::values_of("f", "1,10..30+10,7"), (Texts{"1", "10", "20", "30", "7"}));
  EXPECT_EQ(cli::flags::values_of("f", "1..1e6*100"), (Texts{"1", "100", "10000", "1000000"}));
  EXPECT_EQ(cli::flags::values_of("f", "1e-3..1*10"), (Texts{"0.001", "0.01", "0.1", "1"}));
  EXPECT_EQ(cli::flags::values_of("f", "0..0.3+0.1").size(), 4U);  // 3 * 0.1 is a little more than 0.3
  EXPECT_EQ(cli::flags::values_of("f", "16x16..64x64*2"), (Texts{"16x16", "32x32", "64x64"}));
  EXPECT_EQ(cli::flags::values_of("f", "4x16,8x8"), (Texts{"4x16", "8x8"}));
  EXPECT_EQ(cli::flags::values_of("f", "sum,min"), (Texts{"sum", "min"}));
}

TEST(Ranges, AreRefusedWhereTheyHaveNoValueOrTooMany) {
  EXPECT_EQ(refusal("8..1"), "--vary words '8..1' is empty: 8 is more than 1");
  EXPECT_EQ(refusal("1..8*1"), "--vary words '1..8*1' never ends: it must start above 0 and multiply by more than 1");
  EXPECT_EQ(refusal("0..8*2"), "--vary words '0..8*2' never ends: it must start above 0 and multiply by more than 1");
  EXPECT_EQ(refusal("1..8+0"), "--vary words '1..8+0' never ends: it must add more than 0");
  EXPECT_EQ(refusal("1..8*"), "--vary words '1..8*' needs a number after its *");
  EXPECT_EQ(refusal("1..x"), "--vary words '1..x' is not a range like 1..8, 1..8+2 or 1..64*4");
  EXPECT_EQ(refusal("4x4..8"), "--vary words '4x4..8' is not a range like 1..8, 1..8+2 or 1..64*4");
  EXPECT_EQ(refusal("1..-8"), "--vary words '1..-8' is not a range like 1..8, 1..8+2 or 1..64*4");
  EXPECT_EQ(refusal("1..1e9"), "--vary words '1..1e9' stands for more than 100,000 values");
  EXPECT_EQ(refusal("1,,2"), "--vary words '1,,2' lacks a value");
}

TEST(Ranges, OfMachinesStandWhereNumbersDo) {
  EXPECT_EQ(cli::flags::machines_of("hypercube:2..4"), (Texts{"hypercube:2", "hypercube:3", "hypercube:4"}));
  EXPECT_EQ(cli::flags::machines_of("torus:4..16*2x8"), (Texts{"torus:4x8", "torus:8x8", "torus:16x8"}));
  EXPECT_EQ(cli::flags::machines_of("rh:1..2,1..2"), (Texts{"rh:1,1", "rh:1,2", "rh:2,1", "rh:2,2"}));
  EXPECT_EQ(cli::flags::machines_of("product:ring:3..4*complete:5"),
            (Texts{"product:ring:3*complete:5", "product:ring:4*complete:5"}));
  EXPECT_EQ(cli::flags::machines_of("ring:7"), (Texts{"ring:7"}));
  EXPECT_EQ(cli::flags::machines_of("graph:../g.json"), (Texts{"graph:../g.json"}));
}

// Every line has the results of `run` at its point, with the number of packets that the line names.
TEST(Sweep, HasTheFiguresOfRun) {
  const Finished sweep =
      lockstep("sweep --operation broadcast --machine hypercube:1..3 --vary words=1,7 --vary beta=1,10 --jsonl -");
  ASSERT_EQ(sweep.exit_code, 0) << sweep.err;
  const Texts rows = lines(sweep.out);
  EXPECT_EQ(rows.size(), 3U * 4U * 9U);
  for (const std::string& line : rows) {
    const Json row = Json::parse(line);
    const Json packets = row["parameters"].value("packets", Json());
    const Json run = Json::parse(
        lockstep("run --machine " + std::string(row["machine"]) + " --algorithm " + std::string(row["algorithm"]) +
                 (packets.is_null() ? "" : " --packets " + packets.dump()) + " --words " +
                 row["point"]["words"].dump() + " --beta " + row["point"]["beta"].dump() + " --json -")
            .out);
    for (const char* count : {"steps", "messages", "words", "longest_sum"}) {
      EXPECT_EQ(row["figures"][count], run["counted"][count]) << line;
    }
    EXPECT_EQ(row["figures"]["time_synchronous"], run["modelled_time"]["synchronous"]) << line;
    EXPECT_EQ(row["digest"], run["digest"]) << line;
  }
}

/// The setup_s and run_s of the rows, each a set, as a shared run gives equal ones.
std::set<std::string> wall_clocks(const std::string& flags) {
  const Finished sweep =
      lockstep("sweep --operation allgather --machine hypercube:4 --methods tea2 " + flags + " --jsonl -");
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
  std::set<std::string> all;
  for (const std::string& line : lines(sweep.out)) all.insert(Json::parse(line)["figures"]["run_s"].dump());
  return all;
}

// Three costs are one run; their rows have the times of runs of their own (Sweep.HasTheFiguresOfRun).
TEST(Sweep, RunsAMethodOnceForAllCosts) {
  EXPECT_EQ(wall_clocks("--vary beta=1,10,100").size(), 1U);
  EXPECT_EQ(wall_clocks("--vary beta=1,10 --vary tau=1,2 --jobs 2").size(), 1U);
  // Wall-clock in nanoseconds: two of three runs may agree by chance, but hardly all of twenty.
  EXPECT_GT(wall_clocks("--vary beta=1..20 --by wall").size(), 1U);
  EXPECT_GT(wall_clocks("--vary beta=1..20 --repeat 2").size(), 1U);
  EXPECT_GT(wall_clocks("--vary words=1..20").size(), 1U);
}

// For m words on the n-cube with beta = tau = 1 the binomial tree takes n (1 + m); 4 packets take n + 3 steps of 1 +
// m/4 down it, n + 4 steps down the rotated ones, and down the double-rooted one 2 (n - 1) + 2 * 3, and down the
// breadth-first one, which is the binomial tree, n + 3 n, as its root is busy n steps with each packet. A word each for
// the first m of 256 processors takes 2 n steps, and m - 1 and 1 + 2 + 4 + .. words, then m in each step that is left;
// the gossip on a cube doubles too.
TEST(Sweep, ShowsTheBestMethodOfEachRange) {
  const Finished sweep =
      lockstep("sweep --operation broadcast --machine hypercube:8 --vary words=4..64*16 --packets 4 --predict");
  EXPECT_EQ(sweep.out,
            "broadcast on hypercube:8, modelled time, one port, as predicted; * marks the best for each task\n"
            "words  drbt  msbt  msbt-redundant   sbt  scatter-allgather  bfs-tree  scatter-gossip  "
            "scatter-rarest-first\n"
            "    4   40    24*             80    40                 46        64              46                   "
            "759\n"
            "   64  340   204*          1,040   520                270       544             270                   "
            "843\n"
            "\nunder other rules: one port, multicast\n"
            "words  sbt-pipelined\n"
            "    4            22*\n"
            "   64           187*\n");
}

TEST(Sweep, RunsSeveralAtATimeWithTheSameResults) {
  const TemporaryDirectory directory;
  const std::string flags = "sweep --operation allgather --machine hypercube:4..5 --vary words=1..4 --quiet --csv ";
  EXPECT_EQ(lockstep(flags + directory.file("one.csv")).exit_code, 0);
  EXPECT_EQ(lockstep(flags + directory.file("three.csv") + " --jobs 3").exit_code, 0);
  const auto results = [&](const std::string& name) {
    std::multiset<Texts> rows;
    const Texts all = lines(read_file(directory.file(name)));
    const Texts names = cli::report::csv_cells_of(all.front());
    for (const std::string& line : all) {
      Texts cells = cli::report::csv_cells_of(line);
      EXPECT_EQ(cells.size(), names.size()) << line;
      for (const char* measured :
           {"run_s", "setup_s", "run_min_s", "run_q1_s", "run_q3_s", "verify_s", "arithmetic_s", "messages_per_s",
            "ns_per_message", "peak_rss_bytes", "estimated_s", "threads", "executor", "host_load"}) {
        cells.at(static_cast<std::size_t>(std::ranges::find(names, measured) - names.begin())).clear();
      }
      cells.pop_back();  // the check, also of the time
      rows.insert(cells);
    }
    return rows;
  };
  EXPECT_EQ(results("one.csv"), results("three.csv"));
  // 10 methods of the cube, and that of the torus with sides of 2 on hypercube:5.
  EXPECT_EQ(results("one.csv").size(), 1U + 2U * 4U * 10U + 4U);
}

/// A file whose last line was cut off and that lacks others.
TEST(Sweep, GoesOnWhereItWasCutOff) {
  const TemporaryDirectory directory;
  const std::string csv = directory.file("sweep.csv");
  const std::string jsonl = directory.file("sweep.jsonl");
  const std::string flags = "sweep --operation broadcast --machine hypercube:3..5 --vary words=1,2 --predict --csv " +
                            csv + " --jsonl " + jsonl;
  const Finished whole = lockstep(flags);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const std::string whole_csv = read_file(csv);
  const std::string whole_jsonl = read_file(jsonl);
  ASSERT_EQ(lines(whole_csv).size(), 1U + 3U * 2U * 9U);
  for (const std::size_t kept : {std::size_t{0}, std::size_t{30}, whole_csv.size() / 2, whole_csv.size() - 3}) {
    write_file(csv, whole_csv.substr(0, kept));
    write_file(jsonl, whole_jsonl.substr(0, whole_jsonl.size() / 3));
    const Finished rest = lockstep(flags + " --resume");
    EXPECT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_EQ(rest.out, whole.out) << kept;
    EXPECT_EQ(read_file(csv), whole_csv) << kept;
    EXPECT_EQ(read_file(jsonl), whole_jsonl) << kept;
  }
  EXPECT_EQ(lockstep(flags + " --resume").out, whole.out);  // no run is left
  EXPECT_EQ(read_file(csv), whole_csv);
}

// A failed run is recorded and not tried again.
TEST(Sweep, WritesDownWhatFails) {
  const TemporaryDirectory directory;
  const std::string csv = directory.file("sweep.csv");
  const std::string flags =
      "sweep --operation allgather --machine hypercube:3 --ports one --vary words=1,2 --max-cycles 4 --csv " + csv;
  const Finished whole = lockstep(flags);
  EXPECT_EQ(whole.exit_code, 1);
  EXPECT_NE(whole.err.find("allgather/daisy-chain on hypercube:3: livelock: "), std::string::npos) << whole.err;
  const std::string text = read_file(csv);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 2 * 10);
  const Finished resumed = lockstep(flags + " --resume");
  EXPECT_EQ(resumed.exit_code, 1);
  EXPECT_EQ(resumed.err, whole.err);
  EXPECT_EQ(read_file(csv), text);
}

TEST(Sweep, KeepsWhatIsDoneWhenItIsInterrupted) {
  const TemporaryDirectory directory;
  const std::string csv = directory.file("sweep.csv");
  Running sweep(
      {"sweep", "--operation", "alltoall", "--machine", "hypercube:8", "--vary", "words=8..2007", "--csv", csv},
      Running::Outputs::pipes);
  ASSERT_TRUE(sweep.wait_for_signal_handler());
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::ranges::count(read_file(csv), '\n') < 3 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_TRUE(sweep.send(SIGINT));
  const Finished finished = sweep.finish();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_TRUE(finished.err.starts_with("lockstep: interrupted after ")) << finished.err;
  EXPECT_TRUE(finished.err.ends_with(" of 24,000 runs; the same command with --resume continues\n")) << finished.err;
  const std::string text = read_file(csv);
  EXPECT_TRUE(text.ends_with('\n'));
  const Texts rows = lines(text);
  for (const std::string& line : rows) {
    EXPECT_EQ(cli::report::csv_cells_of(line).size(), cli::report::csv_cells_of(rows.front()).size()) << line;
  }
}

TEST(Sweep, RefusesBeforeAnythingRuns) {
  const TemporaryDirectory directory;
  const std::string there = directory.file("there.csv");
  write_file(there, "a,b\n");
  const std::string some = "--operation allgather --machine hypercube:3 ";
  const std::pair<std::string, std::string> refusals[] = {
      {"--operation allgather --machine hypercube:3",
       "sweep needs values to vary: --vary NAME=VALUES, or a range in --machine; `compare` takes one point"},
      {some + "--vary words", "--vary 'words' is not of the form NAME=VALUES, e.g. words=1..1024*2"},
      {some + "--vary words=1..4 --words 2", "--words is varied and cannot also have one value"},
      {some + "--vary words=1,2 --vary words=3", "--vary words is given twice"},
      {some + "--vary root=0,1", "at root=0: --root is not a parameter of any method of allgather"},
      {some + "--vary words=1..4294967296*65536",
       "at words=4294967296: no method of allgather can be compared on hypercube:3: allgather/adea: --words 4294967296 "
       "is out of range: 1 to 2147483648"},
      {some + "--vary words=1,2 --csv " + there, there + " already exists: --resume continues it, or name a new file"},
      {some + "--vary words=1,2 --resume --csv " + there, there + " is not of this sweep: its columns differ"},
      {some + "--vary words=1,2 --resume", "--resume continues a file: --csv FILE or --jsonl FILE"},
      {some + "--vary words=1,2 --resume --csv -", "--resume continues files, and - is not one"},
      {some + "--vary words=1,2 --csv x --jsonl x", "--csv and --jsonl cannot both go to 'x'"},
      {some + "--vary words=1,2 --csv /nowhere/x", "cannot write '/nowhere/x': No such file or directory"},
      {some + "--vary words=1,2 --jobs 2 --threads 2",
       "--jobs runs every method on one thread and excludes --threads and --executor"},
  };
  for (const auto& [flags, text] : refusals) {
    const Finished refused = lockstep("sweep " + flags);
    EXPECT_EQ(refused.exit_code, 2) << flags;
    EXPECT_EQ(refused.err, "lockstep: " + text + "\n") << flags;
  }
  EXPECT_EQ(read_file(there), "a,b\n");
}

class SweepPipe : public testing::Test {
 protected:
  SweepPipe() { EXPECT_EQ(mkfifo(pipe().c_str(), 0600), 0); }
  std::string pipe() const { return directory_.file("pipe"); }
  std::string sweep(const std::string& words) const {
    return "sweep --operation broadcast --machine hypercube:3 --quiet --vary words=" + words + " --csv " + pipe();
  }

 private:
  TemporaryDirectory directory_;
};

TEST_F(SweepPipe, GetsAllRows) {
  Running run(words_of(sweep("1..40")), Running::Outputs::pipes);
  EXPECT_EQ(lines(read_file(pipe())).size(), 1U + 40 * 9);
  EXPECT_EQ(run.finish().exit_code, 0);
}

TEST_F(SweepPipe, WhoseReaderLeavesEndsTheSweep) {
  Running run(words_of(sweep("1..3000")), Running::Outputs::pipes);
  {
    std::ifstream reader(pipe());
    std::string line;
    EXPECT_TRUE(std::getline(reader, line));
  }
  expect_refused(run.finish(), {"cannot write '" + pipe() + "': Broken pipe"});
}

TEST_F(SweepPipe, WithoutAReaderEndsWithTheFirstSignal) {
  Running run(words_of(sweep("1..3")), Running::Outputs::pipes);
  ASSERT_TRUE(run.wait_for_signal_handler());
  ASSERT_TRUE(run.wait_until_idle());
  run.send(SIGINT);
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_EQ(finished.err, "lockstep: interrupted\n");
}

// Sanitizers need the whole address space.
#if !defined(LOCKSTEP_ADDRESS_SANITIZER) && !defined(LOCKSTEP_THREAD_SANITIZER)
TEST(Sweep, WithoutItsThreadsIsRefusedAndKeepsItsRows) {
  const TemporaryDirectory directory;
  const std::string csv = directory.file("rows.csv");
  const std::string sweep =
      "sweep --operation broadcast --machine hypercube:6 --vary words=1..5 --quiet --jobs 8 --csv " + csv;
  const auto with_little_memory = [] {
    const rlimit limit{.rlim_cur = 60'000 << 10, .rlim_max = 60'000 << 10};  // a thread's stack takes 8 MiB
    setrlimit(RLIMIT_AS, &limit);
  };
  expect_refused(lockstep(words_of(sweep), with_little_memory), {"cannot start the threads (", "); --jobs is 8, try"});
  EXPECT_EQ(lockstep(sweep + " --resume").exit_code, 0);
  EXPECT_EQ(lines(read_file(csv)).size(), 1U + 5 * 9);
}

TEST(Sweep, ThatCanRunNothingDrawsNothing) {
  const TemporaryDirectory directory;
  const auto with_little_data = [] {
    const rlimit limit{.rlim_cur = 5'000 << 10, .rlim_max = 5'000 << 10};
    setrlimit(RLIMIT_DATA, &limit);
  };
  const Finished run = lockstep(words_of("sweep --operation broadcast --machine hypercube:3 --vary words=1..5 --quiet "
                                         "--plot " +
                                         directory.file("picture.svg")),
                                with_little_data);
  expect_refused(run, {});
  EXPECT_EQ(directory.files(), Texts{});
}
#endif

}  // namespace
}  // namespace lockstep::test::sweep_test
