// Bad input beyond single arguments: machines too large, files, memory. Exit code 2, nothing on standard output, one
// line on standard error that states the error and what is allowed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/close_range.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "../sanitized.hpp"
#include "command_line.hpp"

namespace lockstep::test::bad_input_test {
namespace {

TEST(BadInput, AMachineTooLargeIsRefusedAtOnce) {
  for (const std::string what :
       {"--machine hypercube:31 --algorithm broadcast/sbt", "--machine rh:27,2 --algorithm broadcast/drbt",
        "--machine hypercube:31 --algorithm alltoall/product", "--machine hypercube:20 --algorithm allgather/adea",
        "--machine hypercube:27 --algorithm reduce/tree --words 1000",
        "--machine rh:10,4 --algorithm reduce/tree --operator concat --words 1000",
        "--machine hypercube:20 --algorithm sort/bitonic --words 2147483648",
        "--machine hypercube:31 --algorithm sort/bitonic --type string",
        "--machine hypercube:31 --algorithm route/ecube", "--machine complete:4000000000 --algorithm alltoall/factor",
        "--machine torus:60000x60000 --algorithm alltoall/product --words 2147483648"}) {
    SCOPED_TRACE(what);
    const auto start = std::chrono::steady_clock::now();
    expect_refused(lockstep("run " + what), {"memory", "available"});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << "it began to build the machine";
  }
}

TEST(BadInput, AGraphFileThatIsNoneIsRefusedInOneLine) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("graph.json");
  const auto refuses = [&](const std::string& text, const std::string& said) {
    write_file(file, text);
    expect_refused(lockstep({"info", "graph:" + file}),
                   {file, said, "write graph:FILE", "GraphML", "graph6", "NCCL or RCCL", "anynet file of BookSim"});
  };
  refuses("", "not JSON at line 1");
  refuses("{\"nodes\":\n[}", "not JSON at line 2, column 2");
  refuses(std::string(1'000'000, '['), "it holds an array");
  refuses("{\"x\":" + std::string(1'000'000, '['), "not JSON");
  refuses("{\"nodes\": [{\"id\": 0.5}]}", "nodes[0].id is 0.5");
  refuses("{\"nodes\": [{\"id\": 0}, {\"id\": 1}], \"links\": []}", "node 1 cannot be reached");
  refuses("{\"directed\": true}", "\"nodes\" is missing");
  refuses(R"({"directed": true, "nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]})",
          "links[0]: it is directed, and not every link has one back");
  ASSERT_EQ(mkfifo(directory.file("pipe").c_str(), 0600), 0);
  expect_refused(lockstep({"info", "graph:" + directory.file("pipe")}), {"not a regular file"});
}

TEST(BadInput, AGraphFileThatMayNotBeReadIsRefused) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("graph.json");
  write_file(file, "{}");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  const auto as_nobody = [] {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(98);  // root may read every file
  };
  expect_refused(lockstep({"info", "graph:" + file}, as_nobody), {file, "Permission denied"});
}

// Sanitizers need the whole address space.
#if !defined(LOCKSTEP_ADDRESS_SANITIZER) && !defined(LOCKSTEP_THREAD_SANITIZER)
void limit_memory(rlim_t mebibytes) {
  const rlimit limit{.rlim_cur = mebibytes << 20, .rlim_max = mebibytes << 20};
  setrlimit(RLIMIT_AS, &limit);
}

void with_little_memory() { limit_memory(300); }

TEST(BadInput, ALimitOnMemoryIsHonouredAndNamed) {
  const Finished run =
      lockstep({"run", "--machine", "hypercube:18", "--algorithm", "broadcast/sbt", "--executor", "sequential"},
               with_little_memory);
  expect_refused(run, {"broadcast/sbt on hypercube:18 needs", "of memory, but only", "MiB are available",
                       "(ulimit -v of 300.0 MiB)"});
  const Finished large =
      lockstep({"run", "--machine", "complete:4000000000", "--algorithm", "alltoall/factor"}, with_little_memory);
  expect_refused(large, {"more memory than any host has", "(ulimit -v of 300.0 MiB)"});
  const Finished info = lockstep({"info", "hypercube:18", "--json"}, with_little_memory);
  const nlohmann::json memory = nlohmann::json::parse(info.out, nullptr, false)["memory"];
  EXPECT_EQ(memory["fits"], false);
  EXPECT_EQ(memory["limited_by"], "ulimit -v of 300.0 MiB");
  EXPECT_LT(memory["available_bytes"], 300U << 20);
}

TEST(BadInput, ThreadsThatCannotBeStartedAreSaidTo) {
  for (const std::string executor : {"tbb", "threads"}) {
    SCOPED_TRACE(executor);
    const Finished run = lockstep({"run", "--machine", "hypercube:3", "--algorithm", "broadcast/sbt", "--executor",
                                   executor, "--threads", "1000"},
                                  with_little_memory);  // a thread takes megabytes of address space for its stack
    expect_refused(run, {"cannot start the threads", "--threads is 1000"});
  }
}

// Threads of oneTBB start each other, and a failure there cannot be caught.
TEST(BadInput, ThreadsThatCannotStartEachOtherAreSaidTo) {
  const TemporaryDirectory directory;
  const std::vector<std::string> sort{"run",     "--machine", "hypercube:10",        "--algorithm", "sort/bitonic",
                                      "--words", "2000",      "--threads",           "8",           "--executor",
                                      "tbb",     "--output",  directory.file("out"), "--quiet"};
  std::size_t refusals = 0;
  for (rlim_t mebibytes = 212; mebibytes < 228; ++mebibytes) {
    SCOPED_TRACE(std::to_string(mebibytes) + " MiB");
    const Finished run = lockstep(sort, [mebibytes] { limit_memory(mebibytes); });
    EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 2) << run.exit_code;
    EXPECT_EQ(lines(run.err).size(), run.exit_code == 0 ? 0U : 1U) << run.err;
    if (run.err == "lockstep: cannot start the threads; try fewer with --threads\n") ++refusals;
    std::filesystem::remove(directory.file("out"));
    EXPECT_EQ(directory.files(), std::vector<std::string>{});
  }
  EXPECT_GT(refusals, 0U);
}

// Each thread allocates the data of its processors.
TEST(BadInput, MemoryThatRunsOutInAThreadIsALine) {
  for (const std::string executor : {"threads", "tbb"}) {
    for (rlim_t mebibytes = 186; mebibytes < 230; mebibytes += 4) {
      SCOPED_TRACE(executor + " with " + std::to_string(mebibytes) + " MiB");
      const Finished run = lockstep({"run", "--machine", "hypercube:6", "--algorithm", "allgather/adea", "--words",
                                     "5000", "--quiet", "--executor", executor, "--threads", "2"},
                                    [mebibytes] { limit_memory(mebibytes); });
      if (run.exit_code != 0) expect_refused(run, {"lockstep: "});
    }
  }
}

TEST(BadInput, MetisThatGetsNoMemorySaysNothingItself) {
  for (const rlim_t mebibytes : {rlim_t{300}, rlim_t{450}}) {
    SCOPED_TRACE(std::to_string(mebibytes) + " MiB");
    expect_refused(lockstep({"info", "hypercube:20", "--processes", "4", "--partition", "metis"},
                            [mebibytes] { limit_memory(mebibytes); }),
                   {"lockstep: "});
  }
}
#endif

/// Standard input and outputs are the only three.
void limit_files(rlim_t files) {
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  const rlimit limit{.rlim_cur = files, .rlim_max = files};
  setrlimit(RLIMIT_NOFILE, &limit);
}

TEST(BadInput, AHostWithoutFilesToOpenIsNamedWhereOneIsNeeded) {
  EXPECT_EQ(lockstep({"list", "presets"}, [] { limit_files(4); }).exit_code, 0);
  expect_refused(
      lockstep({"judge", "--machine", "hypercube:2", "--algorithm", "broadcast/sbt"}, [] { limit_files(6); }),
      {"cannot start a program: Too many open files"});
  const TemporaryDirectory directory;
  expect_refused(lockstep({"new", "mine", "--operation", "scan"},
                          [&] {
                            if (chdir(directory.path().c_str()) != 0) _exit(98);
                            limit_files(5);
                          }),
                 {"'mine'", "Too many open files"});
  EXPECT_EQ(directory.files(), std::vector<std::string>{});
}

TEST(BadInput, AScheduleThatCannotBeReadIsNamed) {
  expect_refused(lockstep("validate /proc/self/mem"), {"/proc/self/mem", "Input/output error"});
}

TEST(BadInput, NoReportGoesToAScheduleOrToATraceThatItNames) {
  const TemporaryDirectory directory;
  const std::string schedule = directory.file("schedule.json");
  ASSERT_EQ(lockstep("plan --machine path:3 --algorithm alltoall/factor --output " + schedule).exit_code, 0);
  const std::string text = read_file(schedule);
  for (const std::string command :
       {"run --machine path:3 ", "trace --machine path:3 ", "run --machine path:3 --words 0 ",
        "compare --machine path:3 --operation alltoall "}) {
    const Finished run = lockstep(command + "--algorithm file:" + schedule + " --json " + schedule);
    EXPECT_EQ(run.exit_code, 2) << command;
    EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
    EXPECT_EQ(read_file(schedule), text) << command;
  }
  std::filesystem::copy(LOCKSTEP_TEST_DATA "/simgrid", directory.file("traces"),
                        std::filesystem::copy_options::recursive);
  const std::string trace = directory.file("traces/halo/rank-0.txt");
  const std::string before = read_file(trace);
  const std::string list = directory.file("traces/halo.txt");
  for (const std::string& command : {"validate " + list, "run --machine switch:8 --algorithm file:" + list}) {
    const Finished run = lockstep(command + " --json " + trace);
    EXPECT_EQ(run.exit_code, 2) << command;
    EXPECT_NE(run.err.find("--json cannot go to "), std::string::npos) << run.err;
    EXPECT_EQ(read_file(trace), before) << command;
  }
}

TEST(BadInput, OnlyReportsAreLeftOfARunThatWasRefused) {
  const TemporaryDirectory directory;
  const Finished run =
      lockstep("run --machine hypercube:3 --algorithm broadcast/sbt --root 9 --json " + directory.file("report.json") +
               " --csv " + directory.file("runs.csv") + " --output " + directory.file("out"));
  expect_refused(run, {"0 to 7"});
  EXPECT_EQ(directory.files(), (std::vector<std::string>{"report.json", "runs.csv"}));
}

TEST(BadInput, TwoNamesOfOneFileAreRefused) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.file("sub"));
  const std::string command = "run --machine hypercube:3 --algorithm broadcast/sbt --json ";
  const std::string file = directory.file("same.x");
  expect_refused(lockstep(command + file + " --csv " + directory.file("./same.x")), {"cannot both go to", "same.x"});
  expect_refused(lockstep(command + file + " --csv " + directory.file("sub/../same.x")), {"cannot both go to"});
  EXPECT_EQ(directory.files(), std::vector<std::string>{"sub"});
  write_file(file, "");
  std::filesystem::create_hard_link(file, directory.file("other.x"));
  std::filesystem::create_symlink(file, directory.file("link.x"));
  expect_refused(lockstep(command + file + " --csv " + directory.file("other.x")), {"cannot both go to"});
  expect_refused(lockstep(command + file + " --csv " + directory.file("link.x")), {"cannot both go to"});
}

TEST(BadInput, ALinkThatLeadsNowhereIsLeftAlone) {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink("nowhere", directory.file("link"));
  for (const std::string flag : {"--json", "--csv"}) {
    expect_refused(
        lockstep("run --machine hypercube:3 --algorithm broadcast/sbt " + flag + " " + directory.file("link")),
        {"link", "leads nowhere"});
  }
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("link")));
  EXPECT_EQ(directory.files().size(), 1U);
}

TEST(BadInput, AStandardOutputThatIsFullIsAnError) {
  const auto full = [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); };
  expect_refused(lockstep({"list"}, full), {"standard output", "No space left"});
}

}  // namespace
}  // namespace lockstep::test::bad_input_test
