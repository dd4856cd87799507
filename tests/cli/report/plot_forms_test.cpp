// What a plot becomes in each form: curves that coincide, ticks, legends, intervals.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "report/gnuplot_script.hpp"
#include "report/pgfplots.hpp"

namespace lockstep::test::plot_forms_test {
namespace {

using cli::report::drawing_of;
using cli::report::DrawnCurve;
using cli::report::Plot;
using cli::report::PlotDrawing;
using cli::report::PlotPoint;
using cli::report::PlotSeries;
using Texts = std::vector<std::string>;

bool has_part(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

Plot plot_with(std::vector<PlotSeries> series) {
  return {.title = "title", .x = {"words"}, .y = {"steps"}, .series = std::move(series), .marks = {}};
}

std::string script_of(const Plot& plot) { return gnuplot_script(plot, drawing_of(plot), "a.dat").commands; }
std::string data_of(const Plot& plot) { return gnuplot_script(plot, drawing_of(plot), "a.dat").data; }
std::string tex_of(const Plot& plot) { return pgfplots_text(plot, drawing_of(plot)); }

Texts titles_of(const PlotDrawing& drawing) {
  Texts titles;
  for (const DrawnCurve& curve : drawing.curves) titles.push_back(curve.title);
  return titles;
}

TEST(PlotAxis, HasTicksAtPowersOfTwoIfAllValuesAreThose) {
  EXPECT_TRUE(cli::report::axis_for("", {1, 4, 65536}).by_two);
  EXPECT_TRUE(cli::report::axis_for("", {0, 0.25, 4}).by_two);
  EXPECT_EQ(cli::report::axis_for("n", {0, 0.25, 4}).label, "n, 0 is left out");
  EXPECT_FALSE(cli::report::axis_for("", {1, 4, 68, 65536}).by_two);
  EXPECT_TRUE(cli::report::axis_for("", {1, 4, 68, 65536}).is_log);
  EXPECT_FALSE(cli::report::axis_for("", {1, 2, 4}).by_two);  // 4 is not many times 1: a linear axis
}

// Ten ticks at most: with 17 powers from 1 to 65536, every second one.
TEST(PlotDrawing, TicksAreReadable) {
  Plot plot = plot_with({{"a", {{1, 1}, {65536, 2}}, {}}});
  plot.x = cli::report::axis_for("words", {1, 65536});
  EXPECT_TRUE(has_part(script_of(plot),
                       "set xtics ('1' 1, '4' 4, '16' 16, '64' 64, '256' 256, '1024' 1024, '4096' 4096, '16384' 16384, "
                       "'65536' 65536)"));
  EXPECT_TRUE(has_part(tex_of(plot), "xticklabels={1,4,16,64,256,1024,4096,16384,65536}"));
  plot.series[0].line[1].x = 1048576;
  plot.x = cli::report::axis_for("words", {1, 1048576});
  EXPECT_TRUE(has_part(script_of(plot), "('2^{0}' 1, '2^{3}' 8, ")) << script_of(plot);
  EXPECT_TRUE(has_part(tex_of(plot), "xticklabels={$2^{0}$,$2^{3}$,"));
  EXPECT_TRUE(has_part(script_of(plot), "set ytics 1\n"));
}

TEST(PlotDrawing, SeriesThatCoincideAreOneCurve) {
  const std::vector<PlotPoint> line{{1, 3}, {2, 5}};
  const std::vector<PlotPoint> other{{1, 3}, {2, 6}};
  const Plot plot = plot_with({{"a", line, line},
                               {"b", line, {}},  // nothing was run
                               {"c", other, other},
                               {"d", line, {{2, 5.1}}},  // the run is not as predicted
                               {"e", line, line, "group"},
                               {"f", line, line}});
  EXPECT_EQ(titles_of(drawing_of(plot)), (Texts{"a = b = f", "c", "d", "e"}));
  const std::string commands = script_of(plot);
  EXPECT_EQ(times_in(commands, " title 'a = b = f'"), 1U);  // line and points have one entry
  EXPECT_TRUE(has_part(commands, "keyentry with linespoints linewidth 1.5 dashtype 1 pointtype 6")) << commands;
  EXPECT_EQ(times_in(tex_of(plot), "\\addlegendentry{a = b = f}"), 1U);
}

// Both curves begin at (1, 3): half a step to the left and to the right of it; a step is a seventieth of the axis.
TEST(PlotDrawing, MarksAtOnePlaceAreMovedApart) {
  const Plot plot = plot_with({{"a", {}, {{1, 3}, {2, 5}}}, {"b", {}, {{1, 3}, {2, 6}}}});
  const PlotDrawing drawing = drawing_of(plot);
  EXPECT_NEAR(drawing.curves[0].marks[0].x, 1 - 0.007, 1e-12);
  EXPECT_NEAR(drawing.curves[1].marks[0].x, 1 + 0.007, 1e-12);
  EXPECT_EQ(drawing.curves[0].marks[0].point.x, 1);
  EXPECT_EQ(drawing.curves[0].marks[1].x, 2);
  EXPECT_EQ(data_of(plot), "# a\n1 3 0.993\n2 5 2\n\n\n# b\n1 3 1.007\n2 6 2\n\n\n");  // values stay
  EXPECT_TRUE(has_part(script_of(plot), "data index 0 using 3:2 with points"));
  EXPECT_TRUE(has_part(script_of(plot), "data index 0 using 1:2 with lines linewidth 0.5"));
  EXPECT_TRUE(has_part(tex_of(plot), "table[x=at, y=y] {\nx y at\n1 3 0.993\n2 5 2\n};"));
}

TEST(PlotDrawing, ThirtyCurvesDifferInColourOrDashes) {
  std::vector<PlotSeries> series;
  for (int number = 0; number < 30; ++number) {
    series.push_back({std::to_string(number), {{1, 1.0 + number}, {2, 40.0}}, {}});
  }
  std::set<std::string> styles;
  const std::string commands = script_of(plot_with(std::move(series)));
  std::istringstream items(commands);
  for (std::string line; std::getline(items, line);) {
    const std::size_t begin = line.find(" dashtype");
    const std::size_t end = line.find(" pointtype");
    if (line.find("keyentry") == std::string::npos || end == std::string::npos) continue;
    styles.insert(line.substr(begin, end - begin) + line.substr(line.find(" linecolor"), 24));
  }
  EXPECT_EQ(styles.size(), 30U);
}

TEST(PlotLegend, HasAHeadingForEveryGroupAndEveryMark) {
  Plot plot = plot_with({{"a", {{1, 3}}, {}, "one port"}, {"b", {{1, 4}}, {}, "all ports"}});
  plot.marks = {{2, "b from 2"}};
  const std::string commands = script_of(plot);
  const std::size_t first = commands.find("nodraw title 'one port:'");
  const std::size_t second = commands.find("nodraw title 'all ports:'");
  EXPECT_LT(first, commands.find("title 'a'"));
  EXPECT_LT(commands.find("title 'a'"), second);
  EXPECT_LT(second, commands.find("title 'b'"));
  EXPECT_LT(commands.find("title 'b'"), commands.find("title '1: b from 2'"));
  EXPECT_TRUE(has_part(tex_of(plot), "\\addlegendimage{empty legend}\n\\addlegendentry{all ports:}"));
  EXPECT_TRUE(has_part(tex_of(plot), "\\addlegendentry{1: b from 2}"));
  EXPECT_TRUE(has_part(tex_of(plot), "extra x ticks={2}"));
}

TEST(PlotForms, DrawIntervals) {
  const Plot plot = plot_with({{"a", {}, {{1, 4, std::pair{3.5, 6.0}}, {2, 5}}}});
  EXPECT_EQ(data_of(plot), "# a\n1 4 3.5 6\n2 5 5 5\n\n\n");
  EXPECT_TRUE(has_part(script_of(plot), "data index 0 using 1:2:3:4 with yerrorbars"));
  EXPECT_TRUE(has_part(tex_of(plot),
                       "y dir=both, y explicit] table[x=at, y=y, y error plus=above, y error minus=below] "
                       "{\nx y at below above\n1 4 1 0.5 2\n2 5 2 0 0\n};"));
}

TEST(PlotForms, TakeTextsAsTheyAre) {
  Plot plot = plot_with({{"a_1 & {b}", {{1, 3}}, {}}});
  plot.title = "it's 5 %\nof c:\\d^2";
  const std::string commands = script_of(plot);
  EXPECT_TRUE(has_part(commands, "set title 'it''s 5 %'.\"\\n\".'of c:\\d^2' noenhanced\n")) << commands;
  EXPECT_TRUE(has_part(commands, "set xlabel 'words' noenhanced\n"));
  EXPECT_TRUE(has_part(commands, "reverse noenhanced\n"));  // of the key
  const std::string text = tex_of(plot);
  EXPECT_TRUE(has_part(text, "title={it's 5 \\%\\\\of c:\\textbackslash{}d\\textasciicircum{}2}")) << text;
  EXPECT_TRUE(has_part(text, "\\addlegendentry{a\\_1 \\& \\{b\\}}"));
}

// A document by itself: every group that opens is closed.
TEST(Pgfplots, MakesAWholeDocument) {
  const cli::report::WinnerMap map{.title = "map",
                                   .x_label = "words",
                                   .y_label = "beta",
                                   .x_values = {"1", "2"},
                                   .y_values = {"0", "10"},
                                   .names = {"one", "two_2"},
                                   .at = {{0, 1}, {{}, 1}}};
  const std::string pages = cli::report::pgfplots_text(std::vector{map, map});
  EXPECT_EQ(times_in(pages, "\\begin{tikzpicture}"), 2U);
  EXPECT_TRUE(has_part(pages, "\\documentclass[border=2pt, multi=tikzpicture]{standalone}"));
  EXPECT_TRUE(has_part(pages,
                       "\\fill[colour0!70] (axis cs:-0.5,-0.5) rectangle (axis cs:0.5,0.5);\n\\node at (axis cs:0,0) "
                       "{1};\n\\fill[colour1!70] (axis cs:-0.5,0.5) rectangle (axis cs:0.5,1.5);"))
      << pages;
  EXPECT_TRUE(has_part(pages, "\\addlegendentry{2: two\\_2}"));
  for (const std::string& text : {pages, tex_of(plot_with({{"a", {{1, 3}}, {{1, 3}}}, {"b", {}, {{1, 5}}}}))}) {
    for (const char* const group : {"{document}", "{tikzpicture}", "{axis}"}) {
      EXPECT_EQ(times_in(text, std::string("\\begin") + group), times_in(text, std::string("\\end") + group));
    }
    EXPECT_EQ(times_in(text, "{"), times_in(text, "}"));
    EXPECT_EQ(times_in(text, "["), times_in(text, "]"));
    EXPECT_TRUE(text.ends_with("\\end{document}\n"));
  }
}

TEST(WinnerMapScript, NumbersItsCells) {
  const cli::report::WinnerMap map{.title = "map",
                                   .x_label = "words",
                                   .y_label = "beta",
                                   .x_values = {"1", "2"},
                                   .y_values = {"0"},
                                   .names = {"one", "two"},
                                   .at = {{0}, {1}}};
  const std::string commands = gnuplot_script(std::vector{map}, "a.dat").commands;
  EXPECT_TRUE(has_part(commands, "? '' : '2') with labels")) << commands;
  EXPECT_TRUE(has_part(commands, "title '2: two'")) << commands;
}

}  // namespace
}  // namespace lockstep::test::plot_forms_test
