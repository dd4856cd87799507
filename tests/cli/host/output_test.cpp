// Outputs are whole or absent: a run that fails or cannot write one of its files leaves only the reports, which state
// it; and no two outputs go to one file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>

#include "../../sanitized.hpp"
#include "outputs.hpp"
#include "report/run_outputs.hpp"

namespace lockstep::test::output_test {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

TEST_F(Outputs, OfARunThatIsRightAreAllThere) {
  const Finished run = lockstep(sbt + all_outputs());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(directory_.files(), (Names{"csv", "json", "out"}));
  EXPECT_EQ(Json::parse(read_file(file("json")))["status"], "verified");
  EXPECT_EQ(Json::parse(read_file(file("json")))["error"], nullptr);
  EXPECT_EQ(only_row(read_file(file("csv")))["status"], "verified");
  EXPECT_EQ(only_row(read_file(file("csv")))["error"], "");
  EXPECT_EQ(lines(read_file(file("out"))).size(), 1U);
}

TEST_F(Outputs, OfARunThatFailsAreReports) {
  write_file(file("out"), "old");
  const Finished run = lockstep(sbt + " --max-cycles 2" + all_outputs());
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(read_file(file("out")), "old");
  EXPECT_EQ(directory_.files(), (Names{"csv", "json", "out"}));
  expect_json("failed", "livelock");
  expect_row("failed", "livelock");
}

TEST_F(Outputs, OfARunThatBreaksAChangedRuleAreReports) {
  const Finished run = lockstep("run --machine rh:2,1 --algorithm sort/merge --duplex half-link" + all_outputs());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(directory_.files(), (Names{"csv", "json"}));
  expect_json("failed", "half-link");
  expect_row("failed", "half-link");
}

// No method of the catalogue has counts that differ from its predictions, so one is made.
TEST_F(Outputs, OfARunWithAnotherCountAreReports) {
  cli::run::RunArguments arguments;
  arguments.machine = "hypercube:2";
  arguments.algorithm = "broadcast/sbt";
  arguments.json = file("json");
  arguments.csv = file("csv");
  arguments.settings.output = file("out");
  cli::run::RunRecord record;
  record.plan = cli::run::plan_run(arguments);
  record.prediction.steps = Count{7, true, "7"};
  cli::report::RunOutputs outputs(arguments);
  for (const bool first : {true, false}) {
    const auto beside = outputs.settings(record.plan.settings, first).output;
    ASSERT_EQ(beside.has_value(), first) << "the data is written once, however often the run is repeated";
    if (first) write_file(*beside, "data");
  }
  cli::run::judge(record);
  outputs.publish(record, "", "");
  EXPECT_FALSE(std::filesystem::exists(file("out")));
  expect_json("failed", "prediction-differs");
  const auto row = only_row(read_file(file("csv")));
  EXPECT_EQ(row.at("status"), "failed");
  EXPECT_EQ(row.at("error"), "prediction-differs");
  EXPECT_EQ(row.at("steps"), "0");

  record.prediction.steps.reset();
  cli::run::judge(record);
  std::filesystem::remove(file("csv"));
  outputs.publish(record, "", "");
  EXPECT_EQ(read_file(file("out")), "data");
}

TEST_F(Outputs, OfWhichOneCannotBeWrittenAreReports) {
  const auto expect_full = [](const Finished& run) {
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
    EXPECT_NE(run.err.find("No space left"), std::string::npos) << run.err;
  };
  expect_full(lockstep(sbt + all_outputs("/dev/full")));
  EXPECT_EQ(directory_.files(), Names{"csv"});
  expect_row("failed", "output");
  std::filesystem::remove(file("csv"));

  expect_full(lockstep(sbt + all_outputs("", "/dev/full")));
  EXPECT_EQ(directory_.files(), Names{"json"});
  expect_json("failed", "output");

  const auto full = [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); };
  expect_full(lockstep(words_of(sbt + all_outputs()), full));
  EXPECT_EQ(directory_.files(), (Names{"csv", "json"}));
  expect_json("failed", "output");
  expect_row("failed", "output");
  std::filesystem::remove(file("csv"));

  // Output to standard output before the row failed cannot be taken back, the rest is.
  const Finished json = lockstep(sbt + all_outputs("-", "/dev/full"));
  expect_full(json);
  EXPECT_EQ(Json::parse(json.out, nullptr, false)["status"], "failed");
  EXPECT_FALSE(std::filesystem::exists(file("out")));
}

// Also if the other is a device or standard output.
TEST_F(Outputs, OfWhichOneCannotBeWrittenAreNone) {
  const auto full = [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); };
  const std::string trace = "trace --machine ring:4 --algorithm broadcast/two-way ";
  const std::string broadcasts = " --machine ring:4 --operation broadcast ";
  for (const std::string& command :
       {std::string("info ring:4 --dot /dev/full --graphml "), std::string("info ring:4 --json /dev/full --graphml "),
        std::string("errata --json /dev/full --markdown "), std::string("reproduce dimakopoulos --quick --csv "),
        std::string("reproduce dimakopoulos --quick --quiet --json /dev/full --csv "),
        std::string("plan --machine path:3 --algorithm alltoall/factor --output "),
        std::string("demo disjoint-paths --html "), trace + "--html ", trace + "--ti ",
        trace + "--quiet --dot - --perfetto ", "compare" + broadcasts + "--csv ",
        "best" + broadcasts + "--vary words=1..8 --markdown ", "search" + broadcasts + "--output "}) {
    const Finished run = lockstep(words_of(command + file("out")), full);
    EXPECT_EQ(run.exit_code, 2) << command;
    EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
    EXPECT_NE(run.err.find("No space left"), std::string::npos) << run.err;
    EXPECT_EQ(directory_.files(), Names{}) << command;
  }
}

TEST_F(Outputs, ThatLoseTheirDirectoryAreNotThere) {
  std::filesystem::create_directory(file("sub"));
  cli::run::RunArguments arguments;
  arguments.machine = "hypercube:2";
  arguments.algorithm = "broadcast/sbt";
  arguments.json = file("json");
  arguments.csv = file("csv");
  arguments.settings.output = file("sub/out");
  cli::run::RunRecord record;
  record.plan = cli::run::plan_run(arguments);
  cli::report::RunOutputs outputs(arguments);
  write_file(*outputs.settings(record.plan.settings, true).output, "data");
  cli::run::judge(record);
  std::filesystem::remove_all(file("sub"));
  EXPECT_THROW(outputs.publish(record, "", ""), OutputError);
  EXPECT_FALSE(std::filesystem::exists(file("csv"))) << "the row of a good run was not taken back";
  outputs.report_failure(record, {cli::host::bad_input, "why", "output"});
  expect_json("failed", "output");
  EXPECT_EQ(only_row(read_file(file("csv"))).at("error"), "output");
}

// ThreadSanitizer writes its own file when a program starts, and would be ended.
#ifndef LOCKSTEP_THREAD_SANITIZER
TEST_F(Outputs, OfAProcessThatMayWriteNothingAreALine) {
  const auto no_bytes = [] {
    std::signal(SIGXFSZ, SIG_DFL);
    const rlimit limit{.rlim_cur = 0, .rlim_max = 0};
    setrlimit(RLIMIT_FSIZE, &limit);
  };
  for (const std::string& command :
       {sbt + " --output " + file("out"), sbt + " --json " + file("json"), sbt + " --csv " + file("csv"),
        "run --machine hypercube:1 --algorithm transpose/1d-exchange --output " + file("out"),
        "plan --machine path:3 --algorithm alltoall/factor --output " + file("plan"),
        "info ring:3 --json " + file("json"), "list --json " + file("json")}) {
    SCOPED_TRACE(command);
    const Finished run = lockstep(words_of(command), no_bytes);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
    EXPECT_NE(run.err.find("File too large"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("cannot write '" + directory_.path()), std::string::npos) << "another name: " << run.err;
    EXPECT_TRUE(directory_.files().empty());
  }
}
#endif

TEST_F(Outputs, OfRefusalsAreReports) {
  const std::string json = " --json " + file("json");
  for (const std::string& command :
       {sbt + " --root 99" + json, sbt + json + " --root 99", sbt + json + " --wrods 3", sbt + " --root" + json,
        "run --machine hypercbe:3 --algorithm broadcast/sbt --json=" + file("json"), "run" + json,
        "info hypercbe:3" + json, "info" + json + " ring:x", "list nonsense" + json,
        "validate /nowhere/at/all --machine ring:3" + json}) {
    SCOPED_TRACE(command);
    const Finished run = lockstep(command);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
    expect_json("refused", "input");
    std::filesystem::remove(file("json"));
  }
  for (const std::string command : {"info --json hypercbe:3", "info hypercbe:3 --json", "list --json machines --x",
                                    "run --json --machine hypercbe:3 --algorithm broadcast/sbt"}) {
    SCOPED_TRACE(command);
    const Finished run = lockstep(std::string(command));
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(Json::parse(run.out, nullptr, false)["error"]["kind"], "input") << run.out;
  }
  EXPECT_TRUE(directory_.files().empty());
  const Finished large = lockstep("run --machine hypercube:31 --algorithm broadcast/sbt --json -");
  EXPECT_EQ(Json::parse(large.out, nullptr, false)["error"]["kind"], "memory");
  EXPECT_EQ(Json::parse(large.out, nullptr, false)["machine"]["spec"], "hypercube:31");
  EXPECT_EQ(Json::parse(large.out, nullptr, false)["algorithm"]["name"], "broadcast/sbt");
}

// So a sweep has no unreported gaps.
TEST_F(Outputs, OfASweepHaveARowForEveryRun) {
  for (const std::string machine : {"hypercube:3", "ring:4", "hypercube:99", "hypercube:4"}) {
    lockstep("run --quiet --machine " + machine + " --algorithm broadcast/sbt --csv " + file("csv"));
  }
  const auto rows = lines(read_file(file("csv")));
  ASSERT_EQ(rows.size(), 5U);
  const auto says = [&](std::size_t row, const std::string& machine, const std::string& status) {
    const auto fields = only_row(rows[0] + "\n" + rows[row] + "\n");
    EXPECT_EQ(fields.at("machine"), machine);
    EXPECT_EQ(fields.at("algorithm"), "broadcast/sbt");
    EXPECT_EQ(fields.at("status"), status);
    EXPECT_EQ(fields.at("error"), status == "refused" ? "input" : "");
  };
  says(1, "hypercube:3", "verified");
  says(2, "ring:4", "refused");
  says(3, "hypercube:99", "refused");
  says(4, "hypercube:4", "verified");
}

TEST_F(Outputs, ThatAreOneFileAreRefused) {
  write_file(file("data"), "1 2");
  write_file(file("schedule"), lockstep("plan --machine path:2 --algorithm alltoall/factor").out);
  write_file(file("graph"), R"({"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]})");
  std::filesystem::create_hard_link(file("data"), file("hard"));
  std::filesystem::create_symlink("data", file("soft"));
  const std::string data = file("data"), fresh = file("new");
  const std::string graph = "run --machine graph:" + file("graph") + " --algorithm alltoall/greedy";
  for (const auto& [command, said] :
       {std::pair(sbt + " --output " + fresh + " --json " + fresh, "--json and --output cannot both go to"),
        {sbt + " --output " + fresh + " --csv " + fresh, "--csv and --output cannot both go to"},
        {sbt + " --json " + fresh + " --csv " + fresh, "--json and --csv cannot both go to"},
        {sbt + " --output " + data + " --json " + file("hard"), "--json and --output cannot both go to"},
        {sbt + " --output " + data + " --csv " + file("soft"), "--csv and --output cannot both go to"},
        {sbt + " --input " + data + " --json " + data, "which is --input"},
        {sbt + " --input " + data + " --csv " + file("soft"), "which is --input"},
        {"run --machine hypercube:2 --algorithm route/ecube --pattern " + data + " --json " + data, "is --pattern"},
        {graph + " --csv " + file("graph"), "which is a graph of --machine"},
        {"plan --machine graph:" + file("graph") + " --algorithm alltoall/greedy --output " + file("graph"),
         "which is a graph of --machine"},
        {"validate " + file("schedule") + " --machine path:2 --json " + file("schedule"), "which is the schedule"}}) {
    SCOPED_TRACE(command);
    expect_refused(lockstep(command), {said});
  }
  EXPECT_EQ(read_file(data), "1 2") << "a report of the refusal went there";
  EXPECT_EQ(directory_.files(), (Names{"data", "graph", "hard", "schedule", "soft"}));

  const auto to_file = [&] { dup2(open(fresh.c_str(), O_WRONLY | O_CREAT, 0666), STDOUT_FILENO); };
  expect_refused(lockstep(words_of(sbt + " --json " + fresh), to_file), {"which is standard output"});
}

TEST_F(Outputs, ThatAreOneDeviceAreNot) {
  EXPECT_EQ(lockstep(sbt + " --quiet --json /dev/null --csv /dev/null").exit_code, 0);
}

TEST_F(Outputs, MayTakeThePlaceOfTheDataTheyAreMadeOf) {
  write_file(file("data"), "3 1 2");
  const std::string sort = "run --machine hypercube:1 --algorithm sort/bitonic --input " + file("data");
  EXPECT_EQ(lockstep(sort + " --output " + file("data")).exit_code, 0);
  EXPECT_EQ(read_file(file("data")), "1\n2\n3\n");
}

TEST_F(Outputs, OfManyProcessesAtOnceAreOneTable) {
  constexpr int processes = sanitized ? 12 : 40;
  for (const bool refused : {false, true}) {
    std::vector<std::unique_ptr<Running>> running;
    const std::string command = (refused ? "run --machine ring:3 --algorithm broadcast/sbt" : sbt) + " --csv " +
                                file("csv") + " --quiet --executor sequential";
    for (int process = 0; process < processes; ++process) {
      running.push_back(std::make_unique<Running>(words_of(command), Running::Outputs::pipes));
    }
    for (auto& one : running) EXPECT_EQ(one->finish().exit_code, refused ? 2 : 0);
    const auto rows = lines(read_file(file("csv")));
    ASSERT_EQ(rows.size(), 1U + processes);
    const auto commas = std::count(rows[0].begin(), rows[0].end(), ',');
    for (const std::string& row : rows) EXPECT_EQ(std::count(row.begin(), row.end(), ','), commas) << row;
    for (std::size_t row = 1; row < rows.size(); ++row) EXPECT_NE(rows[row], rows[0]);
    std::filesystem::remove(file("csv"));
  }
}

}  // namespace
}  // namespace lockstep::test::output_test
