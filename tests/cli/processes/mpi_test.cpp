// The command in several processes, as mpirun starts it: one report, one digest, one line for an error, and one end.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "command_line.hpp"

namespace lockstep::test::mpi_test {
namespace {

/// Lets Open MPI start more processes than cores, also as root.
void allow_everything() {
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// `mpirun -n PROCESSES lockstep ARGUMENTS`; the words have no spaces.
std::vector<std::string> command(unsigned processes, const std::string& arguments) {
  std::vector<std::string> words{"-n", std::to_string(processes), LOCKSTEP_COMMAND};
  for (std::string& word : words_of(arguments)) words.push_back(std::move(word));
  return words;
}

Finished mpirun(const std::vector<std::string>& words) {
  return Running(words, Running::Outputs::pipes, allow_everything, LOCKSTEP_MPIEXEC).finish();
}
Finished mpirun(unsigned processes, const std::string& arguments) { return mpirun(command(processes, arguments)); }

/// Without mpirun's own lines.
std::vector<std::string> own_lines(const Finished& run) {
  std::vector<std::string> own;
  for (const std::string& line : lines(run.err)) {
    if (line.starts_with("lockstep: ")) own.push_back(line);
  }
  return own;
}

nlohmann::json report_of(const Finished& run) {
  EXPECT_EQ(run.exit_code, 0) << run.err;
  nlohmann::json report = nlohmann::json::parse(run.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << run.out;
  return report;
}

class Mpi : public testing::TestWithParam<const char*> {};

TEST_P(Mpi, OneReportSaysTheSameForAnyNumberOfProcesses) {
  const std::string arguments = std::string("run --json - --threads 1 ") + GetParam();
  nlohmann::json alone = report_of(lockstep(arguments));
  EXPECT_TRUE(alone["wall"]["mpi"].is_null());
  for (const char* measured : {"wall", "host"}) alone.erase(measured);
  for (const unsigned processes : {1U, 2U, 3U}) {
    nlohmann::json report = report_of(mpirun(processes, arguments));
    const nlohmann::json wire = report["wall"]["mpi"];
    for (const char* measured : {"wall", "host"}) report.erase(measured);
    EXPECT_EQ(report, alone);
    if (processes == 1) {
      EXPECT_TRUE(wire.is_null());
      continue;
    }
    EXPECT_EQ(wire["processes"], processes);
    EXPECT_GT(wire["messages"], 0);
    EXPECT_GT(wire["bytes"], 0);
    EXPECT_GE(wire["wait_share"], 0.0);
    EXPECT_LE(wire["wait_share"], 1.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Mpi,
                         testing::Values("--machine hypercube:6 --algorithm broadcast/sbt --words 500",
                                         "--machine torus:4x5 --algorithm alltoall/product",
                                         "--machine hypercube:5 --algorithm allgather/tea2 --words 3",
                                         "--machine rh:2,1 --algorithm allreduce/tree --operator concat",
                                         "--machine hypercube:4 --algorithm sort/bitonic --words 8",
                                         "--machine mesh:3x4 --algorithm barrier/bfs-tree --arrivals 9 --ports all",
                                         "--machine torus:4x5 --algorithm alltoall/product --partition gray",
                                         "--machine bus:8 --algorithm broadcast/direct --words 700",
                                         "--machine shared:6,kstar=2 --algorithm scatter/direct",
                                         "--machine switch:7 --algorithm allreduce/recursive-doubling --words 3",
                                         "--machine omega:8 --algorithm alltoall/exchange",
                                         "--machine mesh:2x3 --algorithm alltoall/search",
                                         "--machine ring:2 --algorithm broadcast/bfs-tree --cycles"));

// A search limited by time runs once: separate searches in each process would find different schedules.
TEST(MpiSearch, HasOneScheduleThoughTheClockEndsIt) {
  const nlohmann::json report = report_of(
      mpirun(3, "run --machine mesh:6x6 --algorithm alltoall/search --tries 2000000000 --time-limit 1 --json -"));
  EXPECT_EQ(report["measures"]["out_of_time"], 1);
  EXPECT_EQ(report["verified"], true);
}

class MpiOutput : public testing::TestWithParam<const char*> {};

// Each process holds a part of the data, and the first one writes all of it.
TEST_P(MpiOutput, IsTheFileOfOneProcess) {
  const TemporaryDirectory directory;
  const std::string arguments = std::string("run --quiet --threads 1 ") + GetParam() + " --output ";
  const Finished alone = lockstep(arguments + directory.file("alone"));
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  const std::string expected = read_file(directory.file("alone"));
  EXPECT_FALSE(expected.empty());
  for (const unsigned processes : {2U, 3U}) {
    const std::string path = directory.file(std::to_string(processes));
    const Finished run = mpirun(processes, arguments + path + " --partition gray");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(read_file(path), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, MpiOutput,
                         testing::Values("--machine hypercube:3 --algorithm broadcast/sbt --words 5",
                                         "--machine hypercube:3 --algorithm scatter/sbt --words 2",
                                         "--machine hypercube:3 --algorithm gather/sbt --words 2 --root 5",
                                         "--machine hypercube:3 --algorithm sort/bitonic --words 4",
                                         "--machine hypercube:3 --algorithm sort/bitonic --type string",
                                         "--machine hypercube:3 --algorithm allreduce/tree --operator concat",
                                         "--machine torus:3x4 --algorithm allreduce/bfs-tree",
                                         "--machine hypercube:3 --algorithm reduce/tree --root 6",
                                         "--machine torus:3x4 --algorithm reduce/bfs-tree --root 11",
                                         "--machine complete:6 --algorithm reduce/binomial --root 4",
                                         "--machine hypercube:3 --algorithm scan/cube --operator concat",
                                         "--machine torus:3x4 --algorithm scan/in-order-tree",
                                         "--machine complete:6 --algorithm exscan/shift",
                                         "--machine complete:6 --algorithm reduce-scatter/pairwise --words 13",
                                         "--machine complete:6 --algorithm allreduce/ring --words 13",
                                         "--machine hypercube:4 --algorithm transpose/2d-spt --matrix 8x8"));

// In any format: whole blocks, chunks, sums of them, another program's.
TEST(MpiSchedule, FromAFileSaysTheSame) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("schedule");
  struct Written {
    std::string machine, writing;
    unsigned processes;
  };
  for (const auto& [machine, writing, processes] :
       {Written{"mesh:2x3", "plan --machine mesh:2x3 --algorithm alltoall/greedy", 2},
        Written{"mesh:2x3", "plan --machine mesh:2x3 --algorithm alltoall/greedy", 3},
        Written{"mesh:2x3", "search --machine mesh:2x3 --operation allgather --chunks 2", 3},
        Written{"ring:5", "plan --machine ring:5 --algorithm allreduce/ring --words 5", 2},
        Written{"switch:4", "plan --machine switch:4 --algorithm allreduce/ring --words 4 --format msccl", 2}}) {
    SCOPED_TRACE(writing);
    ASSERT_EQ(lockstep(writing + " --output " + path).exit_code, 0);
    const std::string arguments = "run --json - --threads 1 --machine " + machine + " --algorithm file:" + path;
    nlohmann::json alone = report_of(lockstep(arguments));
    for (const char* measured : {"wall", "host"}) alone.erase(measured);
    nlohmann::json report = report_of(mpirun(processes, arguments));
    EXPECT_EQ(report["wall"]["mpi"]["processes"], processes);
    for (const char* measured : {"wall", "host"}) report.erase(measured);
    EXPECT_EQ(report, alone);
  }
}

// Faults can only be applied in a single process.
TEST(MpiSchedule, InWhichSomethingFailsIsRefused) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("schedule");
  for (const char* const writing : {"plan --machine path:3 --algorithm allgather/bfs-tree",
                                    "search --machine path:3 --operation allgather --chunks 2"}) {
    ASSERT_EQ(lockstep(std::string(writing) + " --output " + path).exit_code, 0) << writing;
    const Finished run = mpirun(2, "run --machine path:3 --fail-link 0-1 --algorithm file:" + path);
    EXPECT_EQ(run.exit_code, 2) << writing;
    ASSERT_EQ(own_lines(run).size(), 1U) << writing << run.err;
    EXPECT_NE(own_lines(run).front().find("mpirun cannot divide a run with faults"), std::string::npos) << run.err;
  }
}

TEST(MpiPartition, OfMetisSaysTheSame) {
  const std::string arguments = "run --json - --threads 1 --machine torus:5x6 --algorithm allgather/torus --words 3";
  nlohmann::json alone = report_of(lockstep(arguments));
  for (const char* measured : {"wall", "host"}) alone.erase(measured);
  for (const unsigned processes : {1U, 2U, 3U}) {
    const Finished run = mpirun(processes, arguments + " --partition metis");
    if (run.exit_code == 2 && run.err.find("which this program was built without") != std::string::npos) {
      GTEST_SKIP() << "built without METIS";
    }
    nlohmann::json report = report_of(run);
    for (const char* measured : {"wall", "host"}) report.erase(measured);
    EXPECT_EQ(report, alone);
  }
}

TEST(MpiInfo, MeasuresTheWire) {
  const nlohmann::json costs = report_of(mpirun(2, "info torus:8x8 --processes 5 --json"))["divided"]["costs"];
  EXPECT_EQ(costs["measured_between"], 2);
  for (const char* cost : {"message_seconds", "exchange_seconds", "agreement_seconds"}) EXPECT_GT(costs[cost], 0.0);
  const nlohmann::json plain = report_of(mpirun(2, "info ring:5 --json"));
  EXPECT_EQ(plain["machine"], report_of(lockstep("info ring:5 --json"))["machine"]);
}

TEST(MpiRefusals, AreOneLineAndExitCode2) {
  for (const auto& [arguments, said] : std::vector<std::pair<std::string, std::string>>{
           {"run --machine hypercube:99 --algorithm broadcast/sbt", "hypercube:99"},
           {"run --machine hypercube:4 --algorithm broadcast/sbt --wrods 3", "--wrods"},
           {"run --machine hypercube:4 --embed torus:4x4 --algorithm broadcast/axis",
            "broadcast/axis on hypercube:4: mpirun cannot divide a run that carries another machine"},
           {"run --machine hypercube:4 --algorithm broadcast/sbt --json /nowhere/report.json",
            "lockstep: cannot write '/nowhere/report.json'"},
           {"run --machine hypercube:3 --algorithm sort/bitonic --input -", "reads standard input"},
           {"run --machine hypercube:30 --algorithm broadcast/sbt",
            "lockstep: broadcast/sbt on hypercube:30 with 2 of 2 processes here needs "},
           {"run --machine ring:4 --algorithm broadcast/axis --partition grey",
            "--partition 'grey' is not one of block, gray, metis; did you mean 'gray'?"},
           {"info bus:4 --processes 2", "--processes shows which links are cut"},
           {"nothing", "nothing"}}) {
    const Finished run = mpirun(2, arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    ASSERT_EQ(own_lines(run).size(), 1U) << run.err;
    EXPECT_NE(own_lines(run).front().find(said), std::string::npos) << run.err;
    EXPECT_EQ(run.out.find("verified"), std::string::npos);
  }
}

TEST(MpiRefusals, ProcessesThatAreNotAlikeDoNotBegin) {
  std::vector<std::string> words = command(1, "run --machine hypercube:4 --algorithm broadcast/sbt");
  words.push_back(":");
  for (std::string& word : command(1, "run --machine hypercube:4 --algorithm broadcast/sbt --words 2")) {
    words.push_back(std::move(word));
  }
  const Finished run = mpirun(words);
  EXPECT_EQ(run.exit_code, 2);
  ASSERT_EQ(own_lines(run).size(), 1U) << run.err;
  EXPECT_NE(own_lines(run).front().find("all processes must be the same: process 0 is lockstep"), std::string::npos);
}

TEST(MpiRefusals, FilesThatAreNotTheSameOnAllHostsAreNoticed) {
  const TemporaryDirectory directory;
  for (const char* host : {"first", "second"}) {
    std::filesystem::create_directory(directory.file(host));
    std::ofstream(directory.file(host) + "/data") << "1 2 3 4 5 6 7 " << host[0] % 10 << "\n";
  }
  const auto run_with_hosts = [&](const std::string& other) {
    const std::string arguments = "run --machine hypercube:3 --algorithm sort/bitonic --input data --json -";
    std::vector<std::string> words{"-n", "1", "--wdir", directory.file("first"), LOCKSTEP_COMMAND};
    for (const std::string& word : words_of(arguments)) words.push_back(word);
    for (const std::string& word : {std::string(":"), std::string("-n"), std::string("1"), std::string("--wdir"),
                                    directory.file(other), std::string(LOCKSTEP_COMMAND)}) {
      words.push_back(word);
    }
    for (const std::string& word : words_of(arguments)) words.push_back(word);
    return mpirun(words);
  };
  const Finished same = run_with_hosts("first");
  EXPECT_EQ(same.exit_code, 0) << same.err;
  const Finished other = run_with_hosts("second");
  EXPECT_EQ(other.exit_code, 2) << other.out;
  ASSERT_EQ(own_lines(other).size(), 1U) << other.err;
  EXPECT_NE(own_lines(other).front().find("all processes must read the same files: process 0 reads data of digest "),
            std::string::npos)
      << other.err;
}

TEST(MpiFailures, EndAllProcessesWithOneLine) {
  const std::string arguments = "run --machine hypercube:4 --algorithm broadcast/sbt --max-cycles 2";
  const Finished alone = lockstep(arguments);
  const Finished run = mpirun(3, arguments);
  EXPECT_EQ(run.exit_code, alone.exit_code);
  EXPECT_EQ(own_lines(run), lines(alone.err));
}

// The data is written to a file beside it, whose name means nothing to the user.
TEST(MpiFailures, NameTheFileThatCannotBeWritten) {
  const TemporaryDirectory directory;
  const auto few_bytes = [] {
    allow_everything();
    constexpr rlim_t half_of_the_data = 6'000'000;  // and more than Open MPI needs
    const rlimit limit{.rlim_cur = half_of_the_data, .rlim_max = half_of_the_data};
    setrlimit(RLIMIT_FSIZE, &limit);
  };
  const std::string path = directory.file("data");
  const std::vector<std::string> words =
      command(2, "run --machine hypercube:3 --algorithm broadcast/sbt --words 600000 --threads 1 --output " + path);
  const Finished run = Running(words, Running::Outputs::pipes, few_bytes, LOCKSTEP_MPIEXEC).finish();
  EXPECT_EQ(run.exit_code, 2);
  const std::string line = "lockstep: cannot write '" + path + "': File too large (process 0, which ends all)";
  EXPECT_EQ(own_lines(run), std::vector<std::string>{line}) << run.err;
  EXPECT_TRUE(directory.files().empty());
}

TEST(MpiFailures, WhatIsNotSharedIsDoneOnce) {
  const Finished run = mpirun(3, "list presets --json -");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, lockstep("list presets --json -").out);
}

/// The content of that file of the process in /proc; empty if there is none.
std::string text_of(const std::filesystem::path& process, const char* file) {
  std::ifstream in(process / file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The processes of the command with that word among their arguments.
std::vector<std::filesystem::path> processes_with(const std::string& word) {
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string line = text_of(entry.path(), "cmdline");
    if (line.starts_with(LOCKSTEP_COMMAND) && line.find(word) != std::string::npos) all.push_back(entry.path());
  }
  return all;
}

bool catches_signals(const std::filesystem::path& process) {
  const std::string status = text_of(process, "status");
  const std::size_t caught = status.find("SigCgt:");
  constexpr unsigned long long hang_up = 1ULL << (SIGHUP - 1);  // MPI does not catch it
  return caught != std::string::npos && (std::stoull(status.substr(caught + 7, 20), nullptr, 16) & hang_up) != 0;
}

/// Sends the signal to process `number` of the `count` processes with that word among their arguments, when all of them
/// have begun their run.
void signal_begun(const std::string& word, int signal, unsigned count, unsigned number) {
  const std::string variable = "_RANK=" + std::to_string(number) + '\0';  // of OMPI_COMM_WORLD, PMI or PMIX
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  std::vector<std::filesystem::path> all;
  while (all.size() != count || !std::ranges::all_of(all, catches_signals)) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    all = processes_with(word);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  for (const std::filesystem::path& process : all) {
    if (text_of(process, "environ").find(variable) == std::string::npos) continue;
    ASSERT_EQ(kill(std::stoi(process.filename()), signal), 0);
    return;
  }
  ADD_FAILURE() << "no process of number " << number;
}

const std::string long_run = "run --machine torus:64x64 --algorithm alltoall/product --threads 1 --seed ";
/// A number that no other process has among its arguments.
std::string own_number() { return std::to_string(900'000'000 + getpid()); }

TEST(MpiFailures, AnInterruptOfOneProcessEndsAllWithOneLine) {
  for (const auto& [arguments, said] : std::vector<std::pair<std::string, std::string>>{
           {long_run, "alltoall/product: interrupted after cycle "},
           {"sweep --operation sort --machine hypercube:9..10 --vary words=1..200 --by steps --seed ",
            "lockstep: interrupted after "}}) {
    Running run(command(3, arguments + own_number()), Running::Outputs::pipes, allow_everything, LOCKSTEP_MPIEXEC);
    signal_begun(own_number(), SIGINT, 3, 1);
    const Finished finished = run.finish();
    EXPECT_EQ(finished.exit_code, 130) << arguments << finished.err;
    ASSERT_EQ(own_lines(finished).size(), 1U) << finished.err;
    EXPECT_NE(own_lines(finished).front().find(said), std::string::npos) << finished.err;
  }
}

/// As mpirun sees it, for a signal to either process.
TEST(MpiFailures, AnInterruptHasTheCodeOfItsSignal) {
  for (const unsigned rank : {0U, 1U}) {
    for (const int signal : {SIGTERM, SIGHUP}) {
      Running run(command(2, long_run + own_number()), Running::Outputs::pipes, allow_everything, LOCKSTEP_MPIEXEC);
      signal_begun(own_number(), signal, 2, rank);
      const Finished finished = run.finish();
      EXPECT_EQ(finished.exit_code, 128 + signal) << "process " << rank << ": " << finished.err;
      EXPECT_EQ(own_lines(finished).size(), 1U) << finished.err;
    }
  }
}

TEST(MpiFailures, AProcessThatIsKilledLeavesNoFileOfAnother) {
  const TemporaryDirectory directory;
  const std::string seed = own_number();
  const std::string sort = "run --machine hypercube:10 --algorithm sort/bitonic --words 100 --repeat 100000 --output ";
  Running run(command(2, sort + directory.file("out") + " --seed " + seed), Running::Outputs::pipes, allow_everything,
              LOCKSTEP_MPIEXEC);
  signal_begun(seed, SIGKILL, 2, 1);
  const Finished finished = run.finish();
  EXPECT_NE(finished.exit_code, 0);
  EXPECT_LE(own_lines(finished).size(), 1U) << finished.err;
  EXPECT_EQ(directory.files(), std::vector<std::string>{});
}

TEST(MpiFailures, AProcessThatIsKilledEndsTheOthers) {
  constexpr auto patience = std::chrono::seconds(10);
  const std::string seed = own_number();
  Running run(command(3, long_run + seed), Running::Outputs::pipes, allow_everything, LOCKSTEP_MPIEXEC);
  signal_begun(seed, SIGKILL, 3, 2);
  const auto killed = std::chrono::steady_clock::now();
  const Finished finished = run.finish();
  EXPECT_NE(finished.exit_code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - killed, patience);
  EXPECT_LE(own_lines(finished).size(), 1U) << finished.err;
  EXPECT_TRUE(processes_with(seed).empty());
}

const std::string small_sweep = "sweep --operation allgather --machine hypercube:3..5 --vary words=1..16*4 --by steps";

TEST(MpiSweep, HasOneFileAndTheTableOfOneProcess) {
  const TemporaryDirectory directory;
  const std::string alone = directory.file("alone.csv");
  const Finished expected = lockstep(small_sweep + " --csv " + alone);
  EXPECT_EQ(expected.exit_code, 0);
  for (const unsigned processes : {2U, 3U}) {
    const std::string path = directory.file(std::to_string(processes) + ".csv");
    const Finished run = mpirun(processes, small_sweep + " --csv " + path);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, expected.out);
    EXPECT_EQ(lines(read_file(path)).size(), lines(read_file(alone)).size());
  }
}

TEST(MpiSweep, GoesOnWhereAProcessWasKilled) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("sweep.csv");
  const std::string sweep =
      "sweep --operation allgather --machine hypercube:3..9 --vary words=1..64*4 --by steps --csv ";
  {
    Running run(command(2, sweep + path), Running::Outputs::pipes, allow_everything, LOCKSTEP_MPIEXEC);
    for (int tries = 0; tries < 15000; ++tries) {
      if (std::filesystem::exists(path) && lines(read_file(path)).size() > 3) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    const auto processes = processes_with(path);
    ASSERT_FALSE(processes.empty());
    ASSERT_EQ(kill(std::stoi(processes.back().filename()), SIGKILL), 0);
    EXPECT_NE(run.finish().exit_code, 0);
  }
  const std::size_t kept = lines(read_file(path)).size();
  EXPECT_GT(kept, 3U);
  const Finished resumed = mpirun(2, sweep + path + " --resume");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  const std::string alone = directory.file("alone.csv");
  EXPECT_EQ(resumed.out, lockstep(sweep + alone).out);
  const std::size_t all = lines(read_file(alone)).size();
  EXPECT_EQ(lines(read_file(path)).size(), all);
  EXPECT_LT(kept, all) << "nothing was left when a process was killed";
}

// Its runs are separate processes, not those that mpirun started.
TEST(MpiJudge, JudgesInTheFirstProcessAlone) {
  const std::string judge = "judge --machine hypercube:2 --algorithm broadcast/sbt";
  const Finished alone = lockstep(judge);
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  for (const unsigned processes : {1U, 2U}) {
    const Finished run = mpirun(processes, judge);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, alone.out);
  }
}

TEST(MpiSweep, RefusesJobs) {
  const Finished run = mpirun(2, small_sweep + " --jobs 2");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(own_lines(run),
            std::vector<std::string>{"lockstep: --jobs is for one process; here are 2, each of which runs "
                                     "one method at a time"});
}

}  // namespace
}  // namespace lockstep::test::mpi_test
