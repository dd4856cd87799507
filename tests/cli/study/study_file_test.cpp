// Study files: the points that they mean, in TOML and in JSON, and the line of every mistake.
#include <gtest/gtest.h>

#include <set>

#include "command_line.hpp"
#include "report/tidy.hpp"
#include "study/study_node.hpp"
#include "study/study_points.hpp"
#include "study/study_presets.hpp"
#include "study/study_results.hpp"

namespace lockstep::test::study_file_test {
namespace {

using Texts = std::vector<std::string>;

class StudyFile : public testing::Test {
 protected:
  cli::study::StudyPlan plan(const std::string& text, const std::string& name = "trial.toml") const {
    write_file(directory_.file(name), text);
    return plan_study(cli::study::read_study(directory_.file(name)), [](double) {});
  }
  Texts keys(const std::string& text, const std::string& name = "trial.toml") const {
    Texts keys;
    for (const auto& point : plan(text, name).points) keys.push_back(point.experiment + ": " + point.key);
    return keys;
  }
  /// Expects that the file is refused in one line that has all these parts.
  void expect_mistake(const std::string& text, const Texts& said, const std::string& name = "trial.toml") const {
    try {
      plan(text, name);
      ADD_FAILURE() << "not refused: " << text;
    } catch (const InputError& error) {
      const std::string line = error.what();
      for (const std::string& part : said) EXPECT_NE(line.find(part), std::string::npos) << line << "\nlacks " << part;
      EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
  }

 private:
  TemporaryDirectory directory_;
};

TEST_F(StudyFile, CombinesEveryLevelOfEveryFactor) {
  EXPECT_EQ(keys(R"([all]
tau = [1, 2.5]
[[experiment]]
name = "trees"
operation = "broadcast"
machine = "hypercube:2..3"
methods = ["sbt"]
words = ["1..4*4", 9]
)"),
            (Texts{"trees: --machine hypercube:2 --algorithm broadcast/sbt --words 1 --tau 1",
                   "trees: --machine hypercube:2 --algorithm broadcast/sbt --words 4 --tau 1",
                   "trees: --machine hypercube:2 --algorithm broadcast/sbt --words 9 --tau 1",
                   "trees: --machine hypercube:2 --algorithm broadcast/sbt --words 1 --tau 2.5",
                   "trees: --machine hypercube:2 --algorithm broadcast/sbt --words 4 --tau 2.5",
                   "trees: --machine hypercube:2 --algorithm broadcast/sbt --words 9 --tau 2.5",
                   "trees: --machine hypercube:3 --algorithm broadcast/sbt --words 1 --tau 1",
                   "trees: --machine hypercube:3 --algorithm broadcast/sbt --words 4 --tau 1",
                   "trees: --machine hypercube:3 --algorithm broadcast/sbt --words 9 --tau 1",
                   "trees: --machine hypercube:3 --algorithm broadcast/sbt --words 1 --tau 2.5",
                   "trees: --machine hypercube:3 --algorithm broadcast/sbt --words 4 --tau 2.5",
                   "trees: --machine hypercube:3 --algorithm broadcast/sbt --words 9 --tau 2.5"}));
}

TEST_F(StudyFile, OfAnExperimentReplacesWhatIsForAll) {
  EXPECT_EQ(keys(R"([all]
words = [1, 2]
[[experiment]]
operation = "broadcast"
machine = "hypercube:2"
methods = "sbt"
words = 7
[[experiment]]
name = "other"
operation = "broadcast"
machine = "hypercube:2"
methods = "sbt"
)"),
            (Texts{"broadcast: --machine hypercube:2 --algorithm broadcast/sbt --words 7",
                   "other: --machine hypercube:2 --algorithm broadcast/sbt --words 1",
                   "other: --machine hypercube:2 --algorithm broadcast/sbt --words 2"}));
}

TEST_F(StudyFile, NamesAPointAlikeWhateverTheOrder) {
  const std::string head = "[[experiment]]\noperation = \"broadcast\"\nmachine = \"hypercube:2\"\nmethods = \"sbt\"\n";
  EXPECT_EQ(keys(head + "beta = 2\nwords = 3\n"), keys(head + "words = 3\nbeta = 2\n"));
}

TEST_F(StudyFile, ReadsTheSameFromJson) {
  EXPECT_EQ(keys(R"({"title": "a: \"b\"", "all": {"beta": [0.5, 3]},
 "experiment": [{"name": "x", "operation": "broadcast", "machine": ["hypercube:2"], "methods": ["sbt", "msbt"],
                 "words": "1..2", "fail-link": [[], ["0-1", "0-2"]]}]})",
                 "trial.json"),
            keys(R"(title = 'a: "b"'
[all]
beta = [0.5, 3]
[[experiment]]
name = "x"
operation = "broadcast"
machine = ["hypercube:2"]
methods = ["sbt", "msbt"]
words = "1..2"
fail-link = [[], ["0-1", "0-2"]]
)"));
}

TEST_F(StudyFile, GivesAFlagSeveralTimesForAListWithinAList) {
  EXPECT_EQ(keys(R"([[experiment]]
operation = "broadcast"
machine = "hypercube:2"
methods = "sbt"
fail-link = [[], "0-1", ["0-1", "2-3"]]
)"),
            (Texts{"broadcast: --machine hypercube:2 --algorithm broadcast/sbt",
                   "broadcast: --machine hypercube:2 --algorithm broadcast/sbt --fail-link 0-1",
                   "broadcast: --machine hypercube:2 --algorithm broadcast/sbt --fail-link 0-1 --fail-link 2-3"}));
}

TEST_F(StudyFile, AppliesTuningToTheMethodsThatHaveIt) {
  // sbt sends the whole message: packets are nothing to it, and both values make one point.
  EXPECT_EQ(keys(R"([[experiment]]
operation = "broadcast"
machine = "hypercube:2"
methods = ["sbt", "msbt"]
words = 8
packets = [2, 4]
)"),
            (Texts{"broadcast: --machine hypercube:2 --algorithm broadcast/sbt --words 8",
                   "broadcast: --machine hypercube:2 --algorithm broadcast/msbt --words 8 --packets 2",
                   "broadcast: --machine hypercube:2 --algorithm broadcast/msbt --words 8 --packets 4"}));
}

TEST_F(StudyFile, LeavesOutWhatCannotRunAndSaysWhy) {
  const cli::study::StudyPlan mixed = plan(R"([[experiment]]
operation = "broadcast"
machine = ["hypercube:2", "ring:5"]
methods = ["sbt", "bfs*"]
)");
  Texts points;
  for (const auto& point : mixed.points) points.push_back(point.key);
  EXPECT_EQ(points, (Texts{"--machine hypercube:2 --algorithm broadcast/sbt",
                           "--machine hypercube:2 --algorithm broadcast/bfs-tree",
                           "--machine ring:5 --algorithm broadcast/bfs-tree"}));
  ASSERT_EQ(mixed.left_out.size(), 1U);
  EXPECT_EQ(mixed.left_out[0].point.key, "--machine ring:5 --algorithm broadcast/sbt");
  EXPECT_NE(mixed.left_out[0].reason.find("ring"), std::string::npos);
  expect_mistake("[[experiment]]\noperation = \"broadcast\"\nmachine = \"ring:5\"\nmethods = \"sbt\"\n",
                 {"trial.toml, line 1", "nothing of experiment 'broadcast' can run"});
}

TEST_F(StudyFile, TakesMethodsOfAnotherMachine) {
  EXPECT_EQ(keys(R"([[experiment]]
operation = "allgather"
machine = "complete:4"
methods = ["adea on hypercube:2"]
)"),
            Texts{"allgather: --machine complete:4 --algorithm allgather/adea on hypercube:2"});
}

TEST_F(StudyFile, NamesTheLineOfEveryMistake) {
  const std::string head = "[[experiment]]\noperation = \"broadcast\"\nmachine = \"hypercube:2\"\n";
  struct Mistake {
    std::string text;
    Texts said;
  };
  const Mistake mistakes[] = {
      {head + "wrods = 3\n", {"line 4", "unknown name 'wrods' in [[experiment]]", "did you mean 'words'?"}},
      {head + "oparation = \"x\"\n", {"line 4", "did you mean 'operation'?"}},
      {"[all]\n\nbata = 3\n" + head, {"line 3", "unknown name 'bata' in [all]", "did you mean 'beta'?"}},
      {"experimant = 1\n", {"line 1", "did you mean 'experiment'?"}},
      {"\nwords = 1\n" + head, {"line 2", "'words' stands in [all]"}},
      {head + "json = \"x\"\n", {"line 4", "'json' is not set in a study"}},
      {head + "words = -1\n", {"line 4", "--words"}},
      {head + "words = \"4..1\"\n", {"line 4", "is empty"}},
      {head + "words = [1, 1]\n", {"line 4", "the same value twice"}},
      {head + "words = []\n", {"line 4", "an empty list"}},
      {head + "words = true\n", {"line 4", "takes a value"}},
      {head + "words = {a = 1}\n", {"line 4", "texts and numbers"}},
      {head + "words = 2020-01-01\n", {"line 4", "a date"}},
      {head + "input = \"-\"\n", {"line 4", "standard input"}},
      {head + "methods = \"sbx\"\n", {"line 1", "no method of broadcast is 'sbx'", "did you mean 'sbt'?"}},
      {head + "methods = \"a,,b\"\n", {"line 4", "lacks a name"}},
      {head + "ports = \"tow\"\n", {"line 4", "--ports 'tow' is not one of one, one-strict"}},
      {"[[experiment]]\noperation = \"brodcast\"\nmachine = \"ring:4\"\n", {"line 1", "did you mean 'broadcast'?"}},
      {"[[experiment]]\noperation = \"broadcast\"\nmachine = \"rign:4\"\n", {"line 3", "did you mean"}},
      {"[[experiment]]\nmachine = \"ring:4\"\n", {"line 1", "needs 'operation' and 'machine'"}},
      {head + head, {"line 4", "two experiments have the name 'broadcast'"}},
      {"title = \"x\"\n", {"line 1", "at least one [[experiment]]"}},
      {"a = [1,\nb = 2\n", {"is not TOML"}},
      {head + "words = 1\nwords = 2\n", {"line 5", "is not TOML"}}};
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.text);
    Texts said = mistake.said;
    said.push_back("trial.toml, ");
    expect_mistake(mistake.text, said);
  }
}

TEST_F(StudyFile, NamesTheLineInJsonToo) {
  const auto json = [](const std::string& member) {
    return "{\"title\": \"a \\\" : b\",\n \"experiment\": [\n  {\"operation\": \"broadcast\",\n   \"machine\": "
           "\"hypercube:2\",\n   " +
           member + "}]}";
  };
  expect_mistake(json("\"wrods\": 3"), {"trial.json, line 5", "did you mean 'words'?"}, "trial.json");
  expect_mistake(json("\"words\": null"), {"trial.json, line 5", "null"}, "trial.json");
  expect_mistake(json("\"words\": 1, \"words\": 2"), {"trial.json", "a name occurs twice"}, "trial.json");
  expect_mistake(json("\"words\": 01"), {"trial.json, line 5", "is not JSON"}, "trial.json");
  expect_mistake("[1]", {"trial.json, line 1", "is not a JSON object"}, "trial.json");
  expect_mistake(std::string(200, '['), {"trial.json, line 1"}, "trial.json");
}

TEST(StudyPresets, ArePlannedWithoutAMistake) {
  TemporaryDirectory directory;
  ASSERT_GE(cli::study::preset_names().size(), 3U);
  for (const std::string& name : cli::study::preset_names()) {
    SCOPED_TRACE(name);
    write_file(directory.file(name + ".toml"), std::string(cli::study::preset_text(name)));
    const auto study = cli::study::read_study(directory.file(name + ".toml"));
    const auto plan = plan_study(study, [](double) {});
    std::set<std::string> experiments;
    for (const auto& point : plan.points) experiments.insert(point.experiment);
    EXPECT_EQ(experiments.size(), study.experiments.size());
    EXPECT_FALSE(study.title.empty());
  }
}

TEST(TidyColumns, HaveOneNameEachAndAreDescribed) {
  std::set<std::string> names;
  for (const auto& column : cli::study::own_columns()) EXPECT_TRUE(names.emplace(column.name).second) << column.name;
  for (const auto& column : cli::report::tidy_columns()) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name << " occurs twice";
    EXPECT_FALSE(column.unit.empty()) << column.name;
    EXPECT_FALSE(column.meaning.empty()) << column.name << " lacks a meaning";
  }
  for (const char* name : {"words", "moved_words", "predicted_moved_words", "digest", "verified", "version"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_FALSE(names.contains("words_parameter"));
}

}  // namespace
}  // namespace lockstep::test::study_file_test
