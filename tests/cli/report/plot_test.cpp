// Pictures, their commands and data, and the points where the lead changes.
#include "report/plot.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "command_line.hpp"
#include "compare/lead.hpp"
#include "report/picture.hpp"

namespace lockstep::test::plot_test {
namespace {

using cli::compare::Contender;
using cli::compare::Lead;
using cli::compare::RacePoint;
using cli::compare::ValuesBetween;
using Texts = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Least is first 4 v, then 4 + v, then 10.
std::vector<Contender> race(double v, bool is_predicted = true) {
  return {{"flat", "t", 10, is_predicted}, {"steep", "t", 4 * v, is_predicted}, {"slow", "t", 4 + v, is_predicted}};
}

std::vector<RacePoint> race_at(const Texts& values, bool is_predicted = true) {
  std::vector<RacePoint> points;
  for (const std::string& value : values) points.push_back({value, race(std::stod(value), is_predicted)});
  return points;
}

std::string text_of(const std::vector<Lead>& all) {
  std::string text;
  for (const Lead& one : all) text += one.name + " " + one.from + ".." + one.to + (one.is_exact ? "" : "?") + " ";
  return text;
}

std::vector<Contender> predicted_race(const std::string& value) { return race(std::stod(value)); }

// 4 v < 4 + v up to v = 1; at 4/3 they are equal. 4 + v < 10 up to v = 5; at 6 they are equal.
TEST(Leads, OfWholeNumbersChangeAtTheFirstValueAtWhichAnotherIsLess) {
  const std::string all = "steep 1..1 slow 2..6 flat 7..1000 ";
  EXPECT_EQ(text_of(cli::compare::leads(race_at({"1", "1000"}), ValuesBetween::whole_numbers, predicted_race)), all);
  EXPECT_EQ(text_of(cli::compare::leads(race_at({"1", "2", "4", "6", "8", "1000"}), ValuesBetween::whole_numbers,
                                        predicted_race)),
            all);
  EXPECT_EQ(text_of(cli::compare::leads(race_at({"7", "9"}), ValuesBetween::whole_numbers, predicted_race)),
            "flat 7..9 ");
  EXPECT_EQ(text_of(cli::compare::leads({}, ValuesBetween::whole_numbers, predicted_race)), "");
}

TEST(Leads, OfNumbersAreFoundToNineDigits) {
  const auto found = cli::compare::leads(race_at({"0.01", "100"}), ValuesBetween::numbers, predicted_race);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(std::stod(found[1].from), 4.0 / 3, 1e-8);
  EXPECT_NEAR(std::stod(found[2].from), 6, 1e-8);
}

TEST(Leads, OfWhatIsNotPredictedAreOnlyKnownAtPoints) {
  const auto none = [](const std::string&) { return std::vector<Contender>(); };
  const std::string all = "steep 1..1 slow 4..4? flat 16..16? ";
  EXPECT_EQ(
      text_of(cli::compare::leads(race_at({"1", "4", "16"}, false), ValuesBetween::whole_numbers, predicted_race)),
      all);
  EXPECT_EQ(text_of(cli::compare::leads(race_at({"1", "4", "16"}), ValuesBetween::unknown, predicted_race)), all);
  EXPECT_EQ(text_of(cli::compare::leads(race_at({"1", "4", "16"}), ValuesBetween::whole_numbers, none)), all);
}

TEST(Leads, AreOfThoseThatDoTheSame) {
  const std::vector<RacePoint> points{{"1", {{"a", "s", 1, true}, {"b", "t", 2, true}, {"c", "t", 3, true}}},
                                      {"2", {{"a", "s", 4, true}, {"b", "t", 3, true}, {"c", "t", 2, true}}}};
  EXPECT_EQ(text_of(cli::compare::leads(points, ValuesBetween::whole_numbers, predicted_race)),
            "a 1..2 b 1..1 c 2..2 ");
}

TEST(Leads, AreOfEqualRules) {
  const cli::compare::RunRules multicast{.multicast = true};
  const std::vector<RacePoint> points{{"1", {{"a", "s", 2, true, {}}, {"b", "s", 1, true, multicast}}},
                                      {"2", {{"a", "s", 3, true, {}}, {"b", "s", 4, true, multicast}}}};
  const std::vector<Lead> all = cli::compare::leads(points, ValuesBetween::whole_numbers, predicted_race);
  EXPECT_EQ(text_of(all), "a 1..2 b 1..2 ");
  EXPECT_EQ(all.at(1).rules, multicast);
}

TEST(Picture, IsDrawnWithItsCommandsAndData) {
  const TemporaryDirectory directory;
  const cli::report::Plot plot{.title = "it's a title",
                               .x = {"words", true},
                               .y = {"time (s)", false},
                               .series = {{"both_kinds", {{1, 2}, {4, 3}}, {{1, 2}}}, {"points", {}, {{2, 2.5}}}},
                               .marks = {{2, "here"}}};
  cli::report::Picture(directory.file("a.svg")).draw(plot);
  EXPECT_EQ(directory.files(), (Texts{"a.dat", "a.gp", "a.svg"}));
  EXPECT_EQ(read_file(directory.file("a.dat")),
            "# both_kinds\n1 2\n4 3\n\n\n# both_kinds\n1 2\n\n\n# points\n2 2.5\n\n\n");
  EXPECT_FALSE(contains(read_file(directory.file("a.gp")), "\nset terminal"));
  const std::string svg = read_file(directory.file("a.svg"));
  for (const char* text : {"it's a title", "words", "time (s)", "both_kinds", "points", "here"}) {
    EXPECT_TRUE(contains(svg, text)) << text;
  }
  cli::report::Picture(directory.file("a.png")).draw(plot);
  EXPECT_EQ(read_file(directory.file("a.png")).substr(1, 3), "PNG");
  cli::report::Picture(directory.file("a.pdf")).draw(plot);
  EXPECT_EQ(read_file(directory.file("a.pdf")).substr(0, 5), "%PDF-");
}

TEST(Picture, OfAGridIsAMapOfNames) {
  const TemporaryDirectory directory;
  cli::report::Picture(directory.file("a.svg"))
      .draw(std::vector{cli::report::WinnerMap{.title = "map",
                                               .x_label = "words",
                                               .y_label = "beta",
                                               .x_values = {"1", "2"},
                                               .y_values = {"0", "10", "100"},
                                               .names = {"one", "other"},
                                               .at = {{0, 1, {}}, {1, 1, 1}}}});
  EXPECT_EQ(read_file(directory.file("a.dat")), "# one\n0 0\n\n\n# other\n0 1\n1 0\n1 1\n1 2\n\n\n");
  EXPECT_TRUE(contains(read_file(directory.file("a.svg")), "other"));
}

// With beta = 100, m words in 2 packets take 10 (100 + ceil(m/2)) down the rotated trees of the 8-cube, and the
// binomial tree 8 (100 + m): packets take less from 68 words on, where 3 packets still take more.
TEST(SweepPlot, MarksAndPrintsWhereTheLeadChanges) {
  const TemporaryDirectory directory;
  const std::string flags =
      "sweep --operation broadcast --machine hypercube:8 --beta 100 --vary words=1..1024*4 --plot ";
  const Finished run = lockstep(flags + directory.file("b.svg"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "\nmsbt is ahead of sbt from 68 words on\n\nunder other rules: ")) << run.out;
  const std::string commands = read_file(directory.file("b.gp"));
  EXPECT_TRUE(contains(commands, "title '1: msbt (one port) from 68'")) << commands;
  EXPECT_TRUE(contains(commands, "set title 'broadcast on hypercube:8: modelled time'.\"\\n\".'beta 100, tau 1'"))
      << commands;
  // Ticks are at the values of the sweep, although the lead changes beside them.
  EXPECT_TRUE(contains(commands, "set logscale x 2\nset xtics ('1' 1, '4' 4, ")) << commands;
  const std::string data = read_file(directory.file("b.dat"));
  const std::string sbt = "# sbt = bfs-tree\n1 808";
  EXPECT_TRUE(contains(data, sbt + "\n4 832\n")) << data;  // 8 (100 + m), both predicted and counted
  EXPECT_NE(data.find(sbt), data.rfind(sbt));
}

// Predictions at changes of the lead are drawn, too, so that curves cross there.
TEST(SweepPlot, HasPointsWhereTheLeadChanges) {
  const TemporaryDirectory directory;
  lockstep(
      "sweep --operation broadcast --machine hypercube:8 --beta 100 --vary words=1,1024 --predict --quiet --plot " +
      directory.file("b.svg"));
  EXPECT_TRUE(contains(read_file(directory.file("b.dat")), "# sbt = bfs-tree\n1 808\n67 1336\n68 1344\n1024 8992\n"))
      << read_file(directory.file("b.dat"));
}

TEST(SweepPlot, KeepsTheFilesThatAreRead) {
  const TemporaryDirectory directory;
  const std::string pattern = directory.file("pat.dat");
  write_file(pattern, "0 1\n1 0\n");
  const Finished run = lockstep("sweep --operation route --machine hypercube:1 --vary pattern=" + pattern +
                                ",gather --vary words=1,2 --plot " + directory.file("pat.svg"));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(read_file(pattern), "0 1\n1 0\n");
}

TEST(SweepPlot, TakesNamesThatLookLikeOtherThings) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.file("it's a %s"));
  for (const char* const name : {"it's a %s/-x.svg", "it's a %s/y z.svg"}) {
    const Finished run = lockstep({"sweep", "--operation", "broadcast", "--machine", "hypercube:3", "--vary",
                                   "words=1,100", "--quiet", "--plot", directory.file(name)});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_TRUE(contains(read_file(directory.file(name)), "</svg>")) << name;
  }
}

// Steps do not depend on the words, so all values of the axis are equal.
TEST(SweepPlot, IsQuiet) {
  const TemporaryDirectory directory;
  const Finished run = lockstep(
      "sweep --operation gather --machine hypercube:3 --vary words=8 --by steps --predict "
      "--quiet --plot " +
      directory.file("a.svg"));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
}

TEST(SweepPlot, SaysThatThereIsNothingToDraw) {
  const TemporaryDirectory directory;
  expect_refused(lockstep("sweep --operation alltoall --machine shuffle-exchange:9 --vary words=1,2 --predict "
                          "--quiet --plot " +
                          directory.file("a.svg")),
                 {"there is no exact figure to draw"});
}

TEST(SweepPlot, DoesNotHideThatRunsFailed) {
  const TemporaryDirectory directory;
  const Finished run = lockstep({"sweep", "--operation", "broadcast", "--machine", "hypercube:4", "--vary",
                                 "words=1,100", "--max-cycles", "3", "--quiet", "--plot", directory.file("a.svg")},
                                [&] { setenv("PATH", "/nowhere", 1); });
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_TRUE(contains(run.err, "livelock")) << run.err;
}

TEST(SweepPlot, EndsAGnuplotThatHangs) {
  const TemporaryDirectory directory;
  write_file(directory.file("gnuplot"), "#!/bin/sh\nexec sleep 1000\n");
  std::filesystem::permissions(directory.file("gnuplot"), std::filesystem::perms::owner_all);
  Running run({"sweep", "--operation", "broadcast", "--machine", "hypercube:2", "--vary", "words=1,2", "--plot",
               directory.file("a.svg")},
              Running::Outputs::pipes, [&] { setenv("PATH", (directory.path() + ":/usr/bin:/bin").c_str(), 1); });
  ASSERT_TRUE(run.wait_for_text("sbt"));
  ASSERT_TRUE(run.send(SIGINT));
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 130) << finished.err;
  EXPECT_EQ(directory.files(), (Texts{"a.dat", "a.gp", "gnuplot"}));
}

// One word takes as many steps as the cube has dimensions down the binomial tree, which is also the breadth-first one,
// and with multicast down the double-rooted one; 1024 words are best divided into packets, on the 3-cube into parts: 6
// steps and 2 * 7/8 of the words. With multicast the packets of all three trees go one a step.
TEST(SweepPlot, OfTwoThingsIsAMapForEverySetOfRules) {
  const TemporaryDirectory directory;
  const std::string some = "sweep --operation broadcast --predict --quiet --machine ";
  const Finished run =
      lockstep(some + "hypercube:3..4 --beta 100 --vary words=1,1024 --plot " + directory.file("m.png"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(read_file(directory.file("m.dat")),
            "# sbt and bfs-tree\n0 0\n0 1\n\n\n# scatter-allgather and scatter-gossip\n1 0\n\n\n# msbt\n1 1\n\n\n"
            "# sbt-pipelined\n0 0\n0 1\n1 0\n1 1\n\n\n");
  const std::string commands = read_file(directory.file("m.gp"));
  EXPECT_TRUE(contains(commands, ".'as predicted'.\"\\n\".'one port, full duplex' noenhanced")) << commands;
  EXPECT_TRUE(contains(commands, "set title 'under other rules: one port, multicast, full duplex'")) << commands;
  EXPECT_TRUE(contains(commands, "title '1: sbt and bfs-tree'")) << commands;
  const Finished together =
      lockstep(some + "hypercube:3..4 --beta 100 --vary words=1,1024 --multicast on --plot " + directory.file("t.png"));
  EXPECT_EQ(together.exit_code, 0) << together.err;
  EXPECT_EQ(read_file(directory.file("t.dat")),
            "# drbt and sbt and sbt-pipelined and bfs-tree\n0 0\n0 1\n\n\n"
            "# drbt and sbt-pipelined and bfs-tree\n1 0\n1 1\n\n\n");
}

TEST(SweepPlot, NamesTheRulesOfItsCurvesWhereTheyDiffer) {
  const TemporaryDirectory directory;
  lockstep("sweep --operation allgather --machine hypercube:3 --vary words=1,8 --predict --quiet --plot " +
           directory.file("a.svg"));
  const std::string commands = read_file(directory.file("a.gp"));
  for (const char* const rules : {"one port", "all ports", "one port, multicast"}) {
    EXPECT_TRUE(contains(commands, "nodraw title '" + std::string(rules) + ", full duplex:'")) << rules << commands;
  }
}

// Methods that cannot run under the requested rules are not drawn, even if they have predictions.
TEST(SweepPlot, LeavesOutWhatCannotRun) {
  const TemporaryDirectory directory;
  lockstep("sweep --operation alltoall --machine hypercube:2..3 --ports one --plot " + directory.file("a.svg"));
  EXPECT_FALSE(contains(read_file(directory.file("a.dat")), "# sbnt"));
  EXPECT_TRUE(contains(read_file(directory.file("a.dat")), "# exchange"));
}

TEST(SweepPlot, RefusesInOneLineBeforeAnythingRuns) {
  const TemporaryDirectory directory;
  const std::string some = "sweep --operation broadcast --machine hypercube:2 ";
  expect_refused(lockstep(some + "--vary words=1,2 --plot " + directory.file("a.eps")),
                 {"--plot", "a.eps' is not the name of a picture: FILE.svg, .pdf, .png, .tex, .gp or .gnuplot"});
  expect_refused(lockstep(some + "--vary words=1,2 --plot " + directory.file("none/a.svg")), {"cannot write", "a.svg"});
  expect_refused(lockstep(some + "--vary root=0b1,0b10 --plot " + directory.file("a.svg")),
                 {"--plot cannot draw over root: '0b1' is not a number"});
  expect_refused(lockstep(some + "--vary words=1,2 --vary beta=1,2 --vary tau=1,2 --plot " + directory.file("a.svg")),
                 {"--plot draws one variation, or two as a map; this sweep has 3"});
  expect_refused(lockstep(some + "--vary words=1,2 --vary beta=1,2 --vary tau=1,2 --vary copy-cost=1,2 --plot " +
                          directory.file("a.svg")),
                 {"--plot draws one variation, or two as a map; this sweep has 4"});
  expect_refused(lockstep(some + "--machine ring:4 --plot " + directory.file("a.svg")),
                 {"--plot cannot draw over machine: 'hypercube:2' and 'ring:4' are not of one family"});
  expect_refused(
      lockstep(some + "--vary words=1,2 --plot " + directory.file("a.svg") + " --csv " + directory.file("a.dat")),
      {"a.dat"});
  EXPECT_EQ(directory.files(), Texts());
}

TEST(SweepPlot, LeavesCommandsAndDataWhereThereIsNoGnuplot) {
  const TemporaryDirectory directory;
  const Finished run = lockstep({"sweep", "--operation", "broadcast", "--machine", "hypercube:2", "--vary", "words=1,2",
                                 "--quiet", "--plot", directory.file("a.svg")},
                                [&] { setenv("PATH", "/nowhere", 1); });
  EXPECT_EQ(run.exit_code, 2);
  const std::string begins = "lockstep: cannot write '" + directory.file("a.svg") +
                             "': gnuplot is not installed: sudo apt-get install gnuplot-nox; its commands and data are "
                             "there: cd '" +
                             directory.path() + "' && gnuplot -e 'set terminal svg ";
  EXPECT_EQ(run.err.substr(0, begins.size()), begins);
  EXPECT_TRUE(run.err.ends_with("' './a.gp' > 'a.svg'\n")) << run.err;
  EXPECT_EQ(directory.files(), (Texts{"a.dat", "a.gp"}));
}

TEST(SweepPlot, NeedsNoGnuplotForCommandsAndLatex) {
  const TemporaryDirectory directory;
  for (const char* const name : {"a.gp", "b.gnuplot", "c.tex"}) {
    const Finished run = lockstep({"sweep", "--operation", "broadcast", "--machine", "hypercube:2", "--vary",
                                   "words=1,2", "--quiet", "--plot", directory.file(name)},
                                  [&] { setenv("PATH", "/nowhere", 1); });
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
  }
  EXPECT_EQ(directory.files(), (Texts{"a.dat", "a.gp", "b.dat", "b.gnuplot", "c.tex"}));
}

// The preset of the iPSC is in seconds.
TEST(SweepPlot, SaysTheUnitsOfAPreset) {
  const TemporaryDirectory directory;
  const std::string some = "sweep --operation broadcast --machine hypercube:3 --quiet --predict --plot ";
  EXPECT_EQ(lockstep(some + directory.file("a.gp") + " --preset ipsc --vary words=1,2").exit_code, 0);
  const std::string commands = read_file(directory.file("a.gp"));
  EXPECT_TRUE(contains(commands, "set ylabel 'modelled time (seconds)'")) << commands;
  EXPECT_TRUE(contains(commands, "preset ipsc, beta 0.005, tau 4e-06'")) << commands;
  EXPECT_EQ(lockstep(some + directory.file("b.gp") + " --preset ipsc --vary beta=1,2").exit_code, 0);
  EXPECT_TRUE(contains(read_file(directory.file("b.gp")), "set xlabel 'beta (seconds a start-up)'"));
  EXPECT_EQ(lockstep(some + directory.file("c.gp") + " --vary words=1,2").exit_code, 0);
  EXPECT_TRUE(contains(read_file(directory.file("c.gp")), "set ylabel 'modelled time (in the unit of beta and tau)'"));
}

// Of six runs the interval of the median is all of them: a bar from the least to the most, around the median.
TEST(SweepPlot, OfWallClockHasIntervalsAndSaysWhereItWasMeasured) {
  const TemporaryDirectory directory;
  const std::string some =
      "sweep --operation barrier --machine hypercube:2 --ports one --vary words=1,2 --by wall "
      "--threads 1 --quiet --plot ";
  const Finished run = lockstep(some + directory.file("a.gp") + " --repeat 6");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string commands = read_file(directory.file("a.gp"));
  for (const char* const part :
       {"barrier on hypercube:2: wall-clock time", "one port, full duplex", "'1 thread of tbb on ",
        "'medians of 6 runs; bars are their 95 % intervals'", "with yerrorbars", "set ylabel 'wall-clock time (s)'"}) {
    EXPECT_TRUE(contains(commands, part)) << part << commands;
  }
  for (const char* const part : {"beta", "tau"}) EXPECT_FALSE(contains(commands, part)) << part << commands;
  double x = 0;
  double median = 0;
  double low = 0;
  double high = 0;
  std::istringstream data(read_file(directory.file("a.dat")));
  std::string heading;
  std::getline(data, heading);
  ASSERT_TRUE(data >> x >> median >> low >> high);
  EXPECT_EQ(x, 1);
  EXPECT_LT(0, low);
  EXPECT_LE(low, median);
  EXPECT_LE(median, high);
  EXPECT_EQ(lockstep(some + directory.file("b.gp") + " --repeat 5").exit_code, 0);  // five have no interval
  EXPECT_TRUE(contains(read_file(directory.file("b.gp")), "'medians of 5 runs'"));
  EXPECT_FALSE(contains(read_file(directory.file("b.gp")), "yerrorbars"));
}

}  // namespace
}  // namespace lockstep::test::plot_test
