// `lockstep study`: what it runs and writes, how it goes on, and what --verify finds.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "../outputs.hpp"

namespace lockstep::test::study_test {
namespace {

using Rows = std::vector<std::map<std::string, std::string>>;

/// Trees on two cubes with messages of two lengths.
const std::string trees = R"([[experiment]]
operation = "broadcast"
machine = ["hypercube:2", "hypercube:3"]
methods = ["sbt"]
words = [1, 5]
)";

/// One tree, without and with the failure of the link over which the source sends first.
const std::string faults = R"([[experiment]]
operation = "broadcast"
machine = "hypercube:3"
methods = ["sbt"]
fail-link = [[], ["0-1", "0-2"]]
)";

class Study : public Outputs {
 protected:
  /// Runs the study of that text as trial.toml, with results in the same folder.
  Finished study(const std::string& text, const std::string& flags = "") const {
    write_file(file("trial.toml"), text);
    return again(flags);
  }
  Finished again(const std::string& flags = "") const {
    return lockstep("study " + file("trial.toml") + " --output " + directory_.path() + flags);
  }
  std::vector<std::string> jsonl() const { return lines(read_file(file("trial.jsonl"))); }

  /// The rows of the CSV file by their columns. No cell has a comma here but reasons, which are the last.
  Rows rows() const {
    const std::vector<std::string> all = lines(read_file(file("trial.csv")));
    const std::vector<std::string> columns = cells(all.front());
    Rows rows;
    for (std::size_t line = 1; line < all.size(); ++line) {
      const std::vector<std::string> values = cells(all[line]);
      for (std::size_t at = 0; at < columns.size(); ++at) {
        if (at == 0) rows.emplace_back();
        rows.back()[columns[at]] = at < values.size() ? values[at] : "";
      }
    }
    return rows;
  }

  /// Replaces a text in the file that repeats the study.
  void change_repetition(const std::string& from, const std::string& to) const {
    std::string text = read_file(file("trial.repeat.json"));
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_file(file("trial.repeat.json"), text.replace(at, from.size(), to));
  }

 private:
  static std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> all{""};
    bool is_quoted = false;
    for (const char letter : line) {
      if (letter == '"') {
        is_quoted = !is_quoted;
      } else if (letter == ',' && !is_quoted) {
        all.emplace_back();
      } else {
        all.back() += letter;
      }
    }
    return all;
  }
};

// The spanning binomial tree of an n-cube takes n steps and sends 2^n - 1 messages, each of all words.
TEST_F(Study, WritesARowForEachPoint) {
  const Finished run = study(trees);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("4 points: 4 verified"), std::string::npos) << run.out;
  struct Expected {
    std::string machine, words, steps, messages, moved_words;
  };
  const Expected expected[] = {{"hypercube:2", "1", "2", "3", "3"},
                               {"hypercube:2", "5", "2", "3", "15"},
                               {"hypercube:3", "1", "3", "7", "7"},
                               {"hypercube:3", "5", "3", "7", "35"}};
  Rows written = rows();
  ASSERT_EQ(written.size(), 4U);
  ASSERT_EQ(jsonl().size(), 4U);
  for (std::size_t at = 0; at < 4; ++at) {
    auto& row = written[at];
    const Expected& want = expected[at];
    EXPECT_EQ(row["experiment"], "broadcast");
    EXPECT_EQ(row["point"], "--machine " + want.machine + " --algorithm broadcast/sbt --words " + want.words);
    EXPECT_EQ(row["machine"], want.machine);
    EXPECT_EQ(row["words"], want.words);
    EXPECT_EQ(row["steps"], want.steps);
    EXPECT_EQ(row["messages"], want.messages);
    EXPECT_EQ(row["moved_words"], want.moved_words);
    EXPECT_EQ(row["predicted_moved_words"], want.moved_words);
    EXPECT_EQ(row["verified"], "true");
    EXPECT_EQ(row["digest"].size(), 16U);
    EXPECT_FALSE(row.at("version").empty());
    const auto json = nlohmann::json::parse(jsonl()[at]);
    EXPECT_EQ(json["moved_words"].dump(), want.moved_words);
    EXPECT_EQ(json["digest"], row["digest"]);
  }
}

TEST_F(Study, TheCommandOfARowRepeatsItsRun) {
  ASSERT_EQ(study(trees).exit_code, 0);
  auto row = rows().back();
  ASSERT_TRUE(row["command"].starts_with("lockstep run --machine=hypercube:3")) << row["command"];
  const Finished run = lockstep(row["command"].substr(std::string("lockstep ").size()) + " --json -");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out)["digest"], row["digest"]);
}

TEST_F(Study, GoesOnWithWhatIsMissing) {
  ASSERT_EQ(study(trees).exit_code, 0);
  const std::vector<std::string> before = jsonl();
  // Killed while it wrote the third row.
  write_file(file("trial.jsonl"), before[0] + "\n" + before[1] + "\n" + before[2].substr(0, before[2].size() / 2));
  const Finished run = again();
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::vector<std::string> after = jsonl();
  ASSERT_EQ(after.size(), 4U);
  EXPECT_EQ(after[0], before[0]);
  EXPECT_EQ(after[1], before[1]);
  EXPECT_EQ(nlohmann::json::parse(after[2])["digest"], nlohmann::json::parse(before[2])["digest"]);
  EXPECT_EQ(rows().size(), 4U);
}

TEST_F(Study, OfMorePointsRunsOnlyThese) {
  ASSERT_EQ(study(trees).exit_code, 0);
  const std::vector<std::string> before = jsonl();
  std::string larger = trees;
  larger.replace(larger.find("[1, 5]"), 6, "[9, 1, 5]");
  ASSERT_EQ(study(larger).exit_code, 0);
  const std::vector<std::string> after = jsonl();
  ASSERT_EQ(after.size(), 6U);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
  EXPECT_EQ(rows().size(), 6U);
  // Rows of points that the study no longer has stay in the file of rows alone.
  ASSERT_EQ(study(trees).exit_code, 0);
  EXPECT_EQ(jsonl().size(), 6U);
  EXPECT_EQ(rows().size(), 4U);
}

TEST_F(Study, DoesNotUseRowsOfAnotherVersion) {
  ASSERT_EQ(study(trees).exit_code, 0);
  std::string text = read_file(file("trial.jsonl"));
  const std::string version = nlohmann::json::parse(jsonl().front())["version"];
  const std::string field = "\"version\":\"" + version + "\"";
  text.replace(text.find(field), field.size(), "\"version\":\"0.0.0\"");
  write_file(file("trial.jsonl"), text);
  const Finished run = again();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("1 row of other versions"), std::string::npos) << run.out;
  EXPECT_EQ(jsonl().size(), 5U);
  for (auto& row : rows()) EXPECT_EQ(row["version"], version);
}

TEST_F(Study, RefusesAFileOfRowsThatIsNotItsOwn) {
  write_file(file("trial.jsonl"), "{\"experiment\":\"x\"}\n");
  expect_refused(study(trees), {"trial.jsonl, line 1", "not a row of a study"});
  write_file(file("trial.jsonl"), "a text of somebody\n");
  expect_refused(study(trees), {"trial.jsonl", "not of a study"});
  EXPECT_EQ(read_file(file("trial.jsonl")), "a text of somebody\n");
}

TEST_F(Study, EndsWithALineThatSaysHowToGoOn) {
  write_file(file("trial.toml"), R"([[experiment]]
operation = "broadcast"
machine = "hypercube:12"
methods = "sbt"
seed = "1..1000"
)");
  Running run({"study", file("trial.toml"), "--output", directory_.path()}, Running::Outputs::pipes);
  ASSERT_TRUE(run.wait_for_signal_handler());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  const auto has_row = [&] {
    return std::filesystem::exists(file("trial.jsonl")) && std::filesystem::file_size(file("trial.jsonl")) > 0;
  };
  while (!has_row() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(has_row());
  run.send(SIGINT);
  const Finished ended = run.finish();
  EXPECT_EQ(ended.exit_code, 130);
  EXPECT_NE(ended.err.find(" of 1,000 points; the same command goes on"), std::string::npos) << ended.err;
  EXPECT_EQ(lines(ended.err).size(), 1U);
  const std::size_t done = jsonl().size();
  EXPECT_LT(done, 1000U);
  for (const std::string& line : jsonl()) EXPECT_TRUE(nlohmann::json::accept(line)) << line;
  const Finished listed = again(" --dry-run");
  EXPECT_NE(listed.out.find("of which " + std::to_string(done) + " are done"), std::string::npos);
}

TEST_F(Study, VerifiesThatAllIsAsBefore) {
  ASSERT_EQ(study(trees).exit_code, 0);
  const Finished verified = again(" --verify");
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_NE(verified.out.find("4 points"), std::string::npos) << verified.out;
  // The file that was written is enough.
  std::filesystem::remove(file("trial.toml"));
  std::filesystem::remove(file("trial.jsonl"));
  EXPECT_EQ(lockstep("study " + file("trial.repeat.json") + " --verify").exit_code, 0);
}

TEST_F(Study, NoticesEveryDifference) {
  struct Change {
    std::string from, to, said;
  };
  const Change changes[] = {{R"("steps": 2)", R"("steps": 3)", "steps is 2, not 3"},
                            {R"("moved_words": 15)", R"("moved_words": 16)", "moved_words is 15, not 16"},
                            {R"("status": "verified")", R"("status": "failed")", "status is verified, not failed"},
                            {R"("digest": ")", R"("digest": "x)", "digest is "},
                            {R"("messages": 7,)", R"()", "messages is 7, not missing"},
                            {"--algorithm=broadcast/sbt", "--algorithm=broadcast/sbx", "cannot run: "}};
  ASSERT_EQ(study(trees).exit_code, 0);
  const std::string written = read_file(file("trial.repeat.json"));
  for (const Change& change : changes) {
    SCOPED_TRACE(change.said);
    write_file(file("trial.repeat.json"), written);
    change_repetition(change.from, change.to);
    const Finished verified = again(" --verify");
    EXPECT_EQ(verified.exit_code, 1);
    EXPECT_NE(verified.out.find(change.said), std::string::npos) << verified.out;
    EXPECT_NE(verified.err.find("1 run of 4 differ"), std::string::npos) << verified.err;
  }
}

TEST_F(Study, VerifiesOnlyWhatAStudyWrote) {
  expect_refused(lockstep("study " + file("none.repeat.json") + " --verify"), {"none.repeat.json"});
  for (const std::string text : {"{}", "[1]", "no JSON", R"({"lockstep":"0","inputs":[],"points":[]})",
                                 R"({"lockstep":"0","inputs":{},"points":[{"experiment":"a"}]})"}) {
    write_file(file("a.repeat.json"), text);
    expect_refused(lockstep("study " + file("a.repeat.json") + " --verify"), {"a.repeat.json", "not a file"});
  }
  expect_refused(lockstep("study " + file("a.repeat.json")), {"--verify"});
}

TEST_F(Study, HasRowsOfRunsThatFail) {
  const Finished run = study(faults);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("1 verified, 1 failed by faults"), std::string::npos) << run.out;
  Rows written = rows();
  ASSERT_EQ(written.size(), 2U);
  EXPECT_EQ(written[0]["status"], "verified");
  EXPECT_EQ(written[0]["faults"], "");
  EXPECT_EQ(written[1]["status"], "failed");
  EXPECT_NE(written[1]["faults"].find("0-1"), std::string::npos) << written[1]["faults"];
  EXPECT_NE(written[1]["faults"].find("0-2"), std::string::npos) << written[1]["faults"];
  EXPECT_FALSE(written[1]["error"].empty());
  EXPECT_FALSE(written[1]["reason"].empty());
  EXPECT_EQ(again(" --verify").exit_code, 0);
  // Such a row is a result, too: nothing is run again.
  const std::vector<std::string> before = jsonl();
  EXPECT_EQ(again().exit_code, 0);
  EXPECT_EQ(jsonl(), before);
}

TEST_F(Study, TellsTheBestMethods) {
  // On 8 ranks Bruck's 3 steps beat the ring's 7 by 4 start-ups at every size: both move 7 blocks.
  const Finished run = study(R"([[experiment]]
operation = "allgather"
machine = "switch:8"
methods = ["doubling", "daisy-chain"]
words = "1..256*4"
beta = 100
)");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("switch:8  1 to 256  doubling"), std::string::npos) << run.out;
  // The binomial tree sends m words in 3 steps, 3 (10 + m); scatter and ring take 3 + 7 steps and 7/8 m words each,
  // 10 * 10 + 14/8 m: less from m = 56 on.
  const Finished broadcast = study(R"([[experiment]]
operation = "broadcast"
machine = "switch:8"
methods = ["doubling", "scatter-allgather"]
words = "8..512*2"
beta = 10
)");
  ASSERT_EQ(broadcast.exit_code, 0) << broadcast.err;
  EXPECT_NE(broadcast.out.find("8 to 32"), std::string::npos) << broadcast.out;
  EXPECT_NE(broadcast.out.find("64 to 512"), std::string::npos) << broadcast.out;
}

// n steps of beta + m tau, by default m + 1, on an n-cube.
TEST_F(Study, DrawsTheTimesOfItsMethodsOverWhatVaries) {
  const Finished run = study(trees, " --plot gp");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("2 pictures, " + file("trial-broadcast-hypercube-2.gp") + " and others"), std::string::npos)
      << run.out;
  EXPECT_NE(read_file(file("trial-broadcast-hypercube-2.dat")).find("\n1 4\n5 12\n"), std::string::npos);
  EXPECT_NE(read_file(file("trial-broadcast-hypercube-3.dat")).find("\n1 6\n5 18\n"), std::string::npos);
  const std::string commands = read_file(file("trial-broadcast-hypercube-3.gp"));
  for (const std::string part : {"'broadcast: modelled time'", "'hypercube:3'", "'sbt'", "xlabel 'words'"}) {
    EXPECT_NE(commands.find(part), std::string::npos) << part << "\n" << commands;
  }
}

TEST_F(Study, DrawsMachinesByTheirProcessors) {
  const std::string of_one_word = "[[experiment]]\noperation = \"broadcast\"\nmethods = [\"sbt\"]\nmachine = ";
  ASSERT_EQ(study(of_one_word + "\"hypercube:2..4\"\n", " --plot tex").exit_code, 0);
  const std::string picture = read_file(file("trial-broadcast.tex"));
  for (const std::string part : {"xlabel={processors", "(4,4)", "(8,6)", "(16,8)"}) {
    EXPECT_NE(picture.find(part), std::string::npos) << part << "\n" << picture;
  }
}

TEST_F(Study, DrawsNothingOverSeedsOrOnePlace) {
  const Finished run =
      study("[[experiment]]\noperation = \"broadcast\"\nmachine = \"ring:4\"\nseed = \"1..3\"\n", " --plot gp --quiet");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("no experiment has runs at two numbers on an axis"), std::string::npos) << run.err;
  expect_refused(study(trees, " --plot jpg"), {"--plot 'jpg' is not one of", "svg, pdf, png, tex, gp"});
  expect_refused(study(trees, " --verify --plot svg"), {"--verify draws nothing"});
}

TEST_F(Study, RunsItsExamples) {
  const std::string example = "start";
  const Finished made =
      lockstep({"study", "--new", example}, [this] { std::filesystem::current_path(directory_.path()); });
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Finished listed = lockstep("study " + file("start.toml") + " --dry-run --output " + directory_.path());
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_FALSE(std::filesystem::exists(file("start.jsonl")));
  const auto in_folder = [this] { std::filesystem::current_path(directory_.path()); };
  expect_refused(lockstep({"study", "--new", example}, in_folder), {"start.toml", "exists"});
  expect_refused(lockstep("study --new strat"), {"--new 'strat'", "did you mean 'start'?"});
}

TEST_F(Study, RefusesWhatMakesNoSense) {
  expect_refused(lockstep("study"), {"study needs a file"});
  expect_refused(lockstep("study " + file("none.toml")), {"none.toml", "no such file"});
  expect_refused(lockstep("study " + directory_.path()), {"not a file"});
  expect_refused(study(trees, " --dry-run --verify"), {"--dry-run", "--verify"});
  expect_refused(study(trees, " --new start"), {"--new"});
  // The file of the study would be that of its rows.
  std::filesystem::create_symlink(file("trial.toml"), file("trial.csv"));
  expect_refused(study(trees), {"the table", "the study"});
}

}  // namespace
}  // namespace lockstep::test::study_test
