#include "plot.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "host/child_process.hpp"
#include "host/interrupt.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "lockstep/core/printable.hpp"
#include "run/failure.hpp"

namespace lockstep::cli::report {
namespace {

namespace fs = std::filesystem;

/// A text as a literal of gnuplot.
std::string literal(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? std::string("''") : std::string(1, letter);
  return quoted + "'";
}

std::string digits(double value) { return host::short_number(value, 17); }

/// The colours of the curves, used in turn.
constexpr std::array<const char*, 12> colours{"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf",
                                              "#8c564b", "#e377c2", "#000000", "#bcbd22", "#7f7f7f", "#1b4f2a"};

std::string colour_of(std::size_t index) { return " linecolor rgb " + literal(colours[index % colours.size()]) + " "; }

/// Curves of a repeated colour are dashed too.
std::string dashes_of(const PlotSeries& series, std::size_t index) {
  constexpr std::size_t styles = 5;  // of gnuplot
  return " dashtype " + std::to_string(1 + (series.dashes + index / colours.size()) % styles);
}

std::string title_commands(const std::string& title) { return "set title " + literal(title) + "\n"; }

/// gnuplot's points from 4 to 13 are outlined and filled shapes.
std::string shape_of(std::size_t index) { return " pointtype " + std::to_string(4 + index % 10); }

bool is_on(const PlotAxis& axis, double value) { return !axis.is_log || value > 0; }

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

std::string block(const std::vector<PlotPoint>& points) {
  std::string text;
  for (const PlotPoint& point : points) text += digits(point.x) + " " + digits(point.y) + "\n";
  return text + "\n\n";  // end a block
}

bool are_few_whole_numbers(const std::vector<double>& values) {
  constexpr double few = 20;
  const auto [least, most] = std::ranges::minmax_element(values);
  return !values.empty() && *most - *least <= few &&
         std::ranges::all_of(values, [](double value) { return value == std::floor(value); });
}

/// Powers of two get their own ticks. gnuplot warns of an axis whose values are all equal, unless it has a range.
std::string axis_commands(char name, const PlotAxis& axis, std::vector<double> values) {
  std::erase_if(values, [&](double value) { return !is_on(axis, value); });
  const std::string set = std::string("set ") + name;
  const std::string of = std::string(" ") + name;
  std::string text = set + "label " + literal(axis.label) + "\n";
  const auto [least, most] = std::ranges::minmax_element(values);
  if (!values.empty() && *least == *most) {
    text +=
        set + "range [" +
        (axis.is_log ? digits(*least / 2) + ":" + digits(*most * 2) : digits(*least - 1) + ":" + digits(*most + 1)) +
        "]\n";
  }
  if (!axis.is_log) return text + (are_few_whole_numbers(values) ? set + "tics 1\n" : "");
  const bool by_two = std::ranges::all_of(values, is_power_of_two);
  return text + "set logscale" + of + (by_two ? " 2\n" : " 10\n") + "set format" + of +
         (by_two ? " '%.0f'\n" : " '%g'\n");
}

/// A line with the number of the mark; neighbouring numbers have different heights so that they stay readable.
std::string mark_commands(const PlotMark& mark, std::size_t number) {
  constexpr std::array<const char*, 4> heights{"0.97", "0.93", "0.89", "0.85"};
  const std::string x = "first " + digits(mark.x);
  return "set arrow from " + x + ", graph 0 to " + x + ", graph 1 nohead dashtype 3 linecolor 'gray40'\n" +
         "set label '" + std::to_string(number + 1) + "' at " + x + ", graph " + heights[number % heights.size()] +
         " center textcolor 'gray30' front\n";
}

/// The meaning of the number, below the names of the curves.
std::string mark_key(const PlotMark& mark, std::size_t number) {
  return ", \\\n     keyentry with lines dashtype 3 linecolor 'gray40' title " +
         literal(std::to_string(number + 1) + ": " + mark.text);
}

/// At most as many ticks as can be read.
std::string tick_commands(char name, const std::vector<std::string>& values) {
  constexpr std::size_t most = 20;
  const std::size_t step = (values.size() + most - 1) / most;
  std::string text;
  for (std::size_t index = 0; index < values.size(); index += step) {
    text += (index == 0 ? "" : ", ") + literal(values[index]) + " " + std::to_string(index);
  }
  return std::string("set ") + name + "tics (" + text + ")" + (name == 'x' ? " rotate by -45" : "") + "\nset " + name +
         "range [-0.5:" + std::to_string(values.size() - 1) + ".5]\n";
}

std::vector<double> coordinates(const Plot& plot, double PlotPoint::*coordinate) {
  std::vector<double> values;
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.line) values.push_back(point.*coordinate);
    for (const PlotPoint& point : series.points) values.push_back(point.*coordinate);
  }
  return values;
}

/// Whether the process ends with exit code 0. Throws Interrupted if the user interrupts.
bool ends_well(host::ChildProcess& child) {
  const host::PatientWait wait;
  while (!child.status()) wait.pause();
  const int status = *child.status();
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Runs gnuplot in that directory, without the user's settings and apart from the terminal. Returns an error, or an
/// empty text. Throws Interrupted.
std::string gnuplot(const std::string& directory, const std::string& commands, const std::string& picture) {
  host::ChildProcess child(
      {.words = {"gnuplot", "-d", "-e", "picture=" + literal(picture), "./" + commands}, .directory = directory});
  const int error = child.error();
  if (error == ENOENT) return "gnuplot is not installed: sudo apt-get install gnuplot-nox";
  if (error != 0) return std::string("gnuplot cannot be started: ") + std::strerror(error);
  std::error_code none;
  return ends_well(child) && fs::file_size(picture, none) > 0 ? "" : "gnuplot failed";
}

/// The text quoted for a shell.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}

}  // namespace

PlotAxis axis_for(std::string label, const std::vector<double>& values) {
  constexpr double many = 8;
  double least = 0;
  double most = 0;
  bool has_zero = false;
  for (const double value : values) {
    if (value <= 0) has_zero = true;
    if (value > 0) least = least == 0 ? value : std::min(least, value);
    most = std::max(most, value);
  }
  const bool is_log = least > 0 && most >= many * least;
  if (is_log && has_zero) label += ", 0 is left out";
  return {std::move(label), is_log};
}

int code_after(int code, const std::function<void()>& draw) {
  try {
    draw();
  } catch (const OutputError& error) {
    if (code == host::verified) throw;
    run::print_line(error.what());
  }
  return code;
}

Picture::Picture(const std::string& path) : path_(path) {
  const fs::path name(path);
  if ((name.extension() != ".svg" && name.extension() != ".png") || printable(path) != path) {
    throw InputError("--plot " + quoted(path) + " is not the name of a picture: FILE.svg or FILE.png");
  }
  commands_path_ = fs::path(name).replace_extension(".gp").string();
  data_path_ = fs::path(name).replace_extension(".dat").string();
  for (const host::NamedFile& file : files()) check_replaceable(file.path);
}

std::vector<host::NamedFile> Picture::files() const {
  return {{"--plot", path_}, {"the commands of --plot", commands_path_}, {"the data of --plot", data_path_}};
}

void Picture::draw(const Plot& plot) const {
  PlotScript drawing;
  drawing.commands = axis_commands('x', plot.x, coordinates(plot, &PlotPoint::x)) +
                     axis_commands('y', plot.y, coordinates(plot, &PlotPoint::y));
  for (std::size_t mark = 0; mark < plot.marks.size(); ++mark)
    drawing.commands += mark_commands(plot.marks[mark], mark);
  std::string curves;
  std::size_t index = 0;
  const auto add = [&](const std::string& title, std::vector<PlotPoint> points, const std::string& style,
                       bool is_named) {
    std::erase_if(points, [&](const PlotPoint& at) { return !is_on(plot.x, at.x) || !is_on(plot.y, at.y); });
    if (points.empty()) return;
    drawing.data += "# " + title + "\n" + block(points);
    curves += (curves.empty() ? "plot " : ", \\\n     ") + std::string("data index ") + std::to_string(index++) +
              " with " + style + (is_named ? "title " + literal(title) : "notitle");
  };
  std::size_t number = 0;
  for (const PlotSeries& series : plot.series) {
    const bool has_line = !series.line.empty();
    if (!has_line && series.points.empty()) continue;
    const std::string colour = colour_of(number);
    const std::string points = has_line ? "points" : "linespoints dashtype 3";
    add(series.title, series.line, "lines linewidth 1.5" + dashes_of(series, number) + colour, true);
    add(series.title, series.points, points + shape_of(number) + colour, !has_line);
    ++number;
  }
  if (index == 0) throw OutputError(path_, "there is no exact figure to draw");
  for (std::size_t mark = 0; mark < plot.marks.size(); ++mark) curves += mark_key(plot.marks[mark], mark);
  drawing.commands += curves + "\n";
  draw(plot.title, drawing);
}

void Picture::draw(const std::vector<WinnerMap>& maps) const {
  constexpr std::size_t few = 40;  // cells a side that can have a border
  PlotScript drawing;
  std::size_t index = 0;
  if (maps.size() > 1) drawing.commands = "set multiplot layout " + std::to_string(maps.size()) + ",1\n";
  for (const WinnerMap& map : maps) {
    const bool are_few = std::max(map.x_values.size(), map.y_values.size()) <= few;
    if (&map != &maps.front()) drawing.commands += title_commands(map.title);
    drawing.commands += "set xlabel " + literal(map.x_label) + "\nset ylabel " + literal(map.y_label) + "\n" +
                        tick_commands('x', map.x_values) + tick_commands('y', map.y_values) +
                        (are_few ? "set style fill solid 0.7 border\n" : "set style fill solid 0.7 noborder\n");
    std::string boxes;
    for (std::size_t winner = 0; winner < map.names.size(); ++winner) {
      std::vector<PlotPoint> points;
      for (std::size_t x = 0; x < map.x_values.size(); ++x) {
        for (std::size_t y = 0; y < map.y_values.size(); ++y) {
          if (map.at[x][y] == winner) points.push_back({static_cast<double>(x), static_cast<double>(y)});
        }
      }
      drawing.data += "# " + map.names[winner] + "\n" + block(points);
      boxes += (winner == 0 ? "plot " : ", \\\n     ") + std::string("data index ") + std::to_string(index++) +
               " using 1:2:(0.5):(0.5) with boxxyerror" + colour_of(winner) + "title " + literal(map.names[winner]);
    }
    drawing.commands += boxes + "\n";
  }
  if (index == 0) throw OutputError(path_, "there is no exact figure to draw");
  if (maps.size() > 1) drawing.commands += "unset multiplot\n";
  draw(maps.front().title, drawing, maps.size());
}

void Picture::draw(const std::string& title, const PlotScript& drawing, std::size_t drawings) const {
  const fs::path picture(path_);
  const std::string data_name = fs::path(data_path_).filename().string();
  const std::string commands_name = fs::path(commands_path_).filename().string();
  const std::string size = " size 1000," + std::to_string(600 * drawings);
  const std::string terminal = picture.extension() == ".png"
                                   ? "pngcairo" + size + " noenhanced font 'sans,11'"
                                   : "svg" + size + " dynamic noenhanced font 'sans,13' background 'white'";
  std::string commands = "# gnuplot " + commands_name + "\n";
  commands += "if (!exists('picture')) picture = " + literal(picture.filename().string()) + "\n";
  commands += "data = " + literal(data_name) + "\n";
  commands += "set terminal " + terminal + "\nset output picture\n";
  commands += title_commands(title) + "set key outside right top\nset grid linecolor 'gray90'\n";
  host::OutputFile(data_path_).write(drawing.data);
  host::OutputFile(commands_path_).write(commands + drawing.commands);
  NewFile drawn(path_);
  const fs::path directory = picture.has_parent_path() ? picture.parent_path() : fs::path(".");
  const std::string name = fs::absolute(drawn.name()).string();
  if (const std::string wrong = gnuplot(directory.string(), commands_name, name); !wrong.empty()) {
    const std::string cd = picture.has_parent_path() ? "cd " + shell_word(directory.string()) + " && " : "";
    throw OutputError(
        path_, wrong + "; its commands and data are there: " + cd + "gnuplot " + shell_word("./" + commands_name));
  }
  drawn.put_in_place();
}

}  // namespace lockstep::cli::report
