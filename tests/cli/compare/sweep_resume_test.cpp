// `lockstep sweep --resume`: the rows that it accepts as its own; it changes no file that it refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "../../temporary_directory.hpp"
#include "command_line.hpp"
#include "report/csv_report.hpp"

namespace lockstep::test::sweep_resume_test {
namespace {

using Texts = std::vector<std::string>;

std::string text_of(const Texts& rows) {
  std::string text;
  for (const std::string& row : rows) text += row + "\n";
  return text;
}

/// A small sweep with its rows in a file of either form.
class SweepResume : public testing::TestWithParam<std::string> {
 protected:
  const std::string sweep_ = "sweep --operation broadcast --machine hypercube:3 --vary words=1..3 --quiet";

  std::string path() const { return directory_.file("rows." + GetParam()); }
  std::string output() const { return " --" + GetParam() + " " + path(); }
  bool is_csv() const { return GetParam() == "csv"; }

  /// Writes the rows of the sweep with further flags; returns the exit code.
  int write_rows(const std::string& flags = "") const { return lockstep(sweep_ + flags + output()).exit_code; }
  Finished resume(const std::string& flags = "") const { return lockstep(sweep_ + flags + output() + " --resume"); }
  /// Expects a refusal with these parts in its line, and an unchanged file.
  void expect_untouched(const Texts& said) const {
    const std::string before = read_file(path());
    Texts parts = said;
    parts.push_back(path());
    expect_refused(resume(), parts);
    EXPECT_TRUE(read_file(path()) == before);
  }
  /// After the headings.
  std::size_t first_row() const { return is_csv() ? 1 : 0; }

 private:
  TemporaryDirectory directory_;
};

INSTANTIATE_TEST_SUITE_P(Forms, SweepResume, testing::Values("csv", "jsonl"),
                         [](const auto& form) { return form.param; });

TEST_P(SweepResume, RefusesRowsOfAnotherSweep) {
  struct Other {
    std::string flags;
    std::string in_csv;
    std::string in_json;
  };
  const Other others[] = {
      {" --tau 2", "its tau is 2.0, not 1.0", "its model.tau is 2.0, not 1.0"},
      {" --predict", "its max_cycles is nothing, not 1000000000", "its max_cycles is nothing, not 1000000000"},
      {" --root 1", "its parameters is words=1 packets=1 root=1 seed=1, not", "its parameters.root is 1, not 0"},
      {" --seed 2", "its parameters is words=1 packets=1 root=0 seed=2, not", "its parameters.seed is 2, not 1"},
      {" --ports all", "its ports is all, not one", "its model.ports is all, not one"},
      {" --multicast on", "its multicast is on, not off", "its model.multicast is true, not false"},
      {" --copy-cost 2", "its copy_cost is 2.0, not 0.0", "its model.copy_cost is 2.0, not 0.0"},
      {" --max-packet 4", "its max_packet_words is 4, not nothing", "its model.max_packet_words is 4, not nothing"},
      {" --max-cycles 2", "its max_cycles is 2, not 1000000000", "its max_cycles is 2, not 1000000000"},
      {" --straggler 1:2", "its faults is --straggler 1:2, not nothing", "its faults is --straggler 1:2, not nothing"}};
  for (const Other& other : others) {
    SCOPED_TRACE(other.flags);
    std::filesystem::remove(path());
    write_rows(other.flags);
    expect_untouched({is_csv() ? ", line 2 is of another sweep: " : ", line 1 is of another sweep: ",
                      is_csv() ? other.in_csv : other.in_json});
  }
}

TEST_P(SweepResume, RefusesRowsOfOtherRuns) {
  for (const std::string other : {"sweep --operation broadcast --machine hypercube:4 --vary words=1..3 --quiet",
                                  "sweep --operation reduce --machine hypercube:3 --vary words=1..3 --quiet",
                                  "sweep --operation broadcast --machine hypercube:3 --vary words=5 --quiet"}) {
    SCOPED_TRACE(other);
    std::filesystem::remove(path());
    ASSERT_EQ(lockstep(other + output()).exit_code, 0);
    expect_untouched({" is of no run of this sweep: "});
  }
}

// A method that cannot run has a row with only its reason.
TEST_P(SweepResume, RefusesOtherReasonsOfWhatCannotRun) {
  ASSERT_EQ(write_rows(" --packets 3"), 0);
  const std::string before = read_file(path());
  EXPECT_EQ(resume(" --packets 3").exit_code, 0);
  EXPECT_EQ(read_file(path()), before);
  expect_refused(resume(" --packets 2"), {path(), "is of another sweep: "});
  EXPECT_EQ(read_file(path()), before);
}

TEST_P(SweepResume, LeavesForeignFilesAsTheyAre) {
  const std::string foreign[] = {"a,b\nprecious last line", "only line", "a,b\n",
                                 "{\"point\":1}\n{\"poi",   "\n\n",      std::string("\0\x80\n\0", 4)};
  for (const std::string& text : foreign) {
    SCOPED_TRACE(text);
    write_file(path(), text);
    expect_untouched({" is not of this sweep: "});
  }
}

TEST_P(SweepResume, RefusesDamagedRows) {
  ASSERT_EQ(write_rows(), 0);
  const Texts whole = lines(read_file(path()));
  const std::size_t third = first_row() + 2;
  struct Damage {
    std::function<void(Texts&)> inflict;
    std::string in_csv;
    std::string in_json;
  };
  const std::string changed = " was changed after it was written: its check does not match";
  const std::string few = ", not " + std::to_string(cli::report::csv_cells_of(whole[0]).size());
  const Damage damages[] = {
      {[&](Texts& rows) { rows[third].resize(30); }, few, " is not a JSON object"},
      {[&](Texts& rows) { rows[third].pop_back(); }, changed, " is not a JSON object"},
      {[&](Texts& rows) { rows[third].replace(rows[third].find("hypercube:3"), 11, "hypercube:4"); }, changed, changed},
      {[&](Texts& rows) { rows[third].replace(rows[third].find("seed"), 4, "sEEd"); }, changed, changed},
      {[&](Texts& rows) { rows[third] += "x"; }, changed, " is not a JSON object"},
      {[&](Texts& rows) { rows[third][8] = '\0'; }, changed, " is not a JSON object"},
      {[&](Texts& rows) { rows[third].clear(); }, " is empty", " is empty"},
      {[&](Texts& rows) { rows[third] = rows[third - 1]; },
       " has what another line has: ", " has what another line has: "},
      {[&](Texts& rows) { rows[third] = is_csv() ? "a,b" : R"({"a":1})"; }, " has 2 columns" + few, changed},
  };
  for (const Damage& damage : damages) {
    Texts rows = whole;
    damage.inflict(rows);
    write_file(path(), text_of(rows) + rows[first_row()].substr(0, 20));
    expect_untouched({", line " + std::to_string(third + 1) + " ", is_csv() ? damage.in_csv : damage.in_json});
  }
}

TEST_P(SweepResume, RunsWhatIsMissingInAnyOrder) {
  ASSERT_EQ(write_rows(), 0);
  Texts rows = lines(read_file(path()));
  std::reverse(rows.begin() + static_cast<std::ptrdiff_t>(first_row()), rows.end());
  const std::string last = rows.back();
  rows.pop_back();
  rows.erase(rows.begin() + 3);
  const std::string kept = text_of(rows);
  write_file(path(), kept + last.substr(0, last.size() - 1));
  EXPECT_EQ(resume().exit_code, 0);
  const std::string text = read_file(path());
  EXPECT_TRUE(text.starts_with(kept));
  EXPECT_EQ(lines(text).size(), rows.size() + 2);
  EXPECT_EQ(resume().exit_code, 0);
  EXPECT_EQ(read_file(path()), text);
}

// Neither file is changed before both are checked.
TEST(SweepResumeOfTwoFiles, ChangesNoneWhereOneIsRefused) {
  const TemporaryDirectory directory;
  const std::string csv = directory.file("rows.csv");
  const std::string sweep = "sweep --operation broadcast --machine hypercube:3 --vary words=1..3 --quiet --csv " + csv;
  ASSERT_EQ(lockstep(sweep).exit_code, 0);
  const std::string part = read_file(csv).substr(0, 2000);
  write_file(csv, part);
  const std::string foreign = directory.file("foreign");
  write_file(foreign, "a");
  expect_refused(lockstep(sweep + " --resume --jsonl " + foreign), {foreign});
  EXPECT_EQ(read_file(csv), part);
  EXPECT_EQ(read_file(foreign), "a");
  std::filesystem::remove(csv);
  expect_refused(lockstep(sweep + " --jsonl " + foreign), {foreign});
  EXPECT_FALSE(std::filesystem::exists(csv));
}

// The row of a failed run has all requested values, too.
TEST(SweepResumeOfFailures, KnowsWhatTheyWere) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("rows.jsonl");
  const std::string sweep =
      "sweep --operation allgather --machine hypercube:3 --vary words=1,2 --max-cycles 2 --quiet --jsonl " + file;
  const Finished failed = lockstep(sweep);
  EXPECT_EQ(failed.exit_code, 1);
  const std::string text = read_file(file);
  for (const std::string& line : lines(text)) {
    const auto row = nlohmann::json::parse(line);
    EXPECT_EQ(row["max_cycles"], 2);
    EXPECT_EQ(row["model"]["tau"], 1) << line;
    EXPECT_EQ(row["parameters"]["words"], row["point"]["words"]) << line;
  }
  const Finished again = lockstep(sweep + " --resume");
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_EQ(again.err, failed.err);
  expect_refused(lockstep(sweep + " --resume --tau 2"), {"its model.tau is 1.0, not 2.0"});
  EXPECT_EQ(read_file(file), text);
}

}  // namespace
}  // namespace lockstep::test::sweep_resume_test
