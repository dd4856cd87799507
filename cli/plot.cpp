#include "plot.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "lockstep/core/printable.hpp"
#include "number_text.hpp"
#include "output_file.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

/// A text as gnuplot has it in its commands.
std::string literal(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? std::string("''") : std::string(1, letter);
  return quoted + "'";
}

std::string digits(double value) { return short_number(value, 17); }

/// Of the curves, in turn.
constexpr std::array<const char*, 12> colours{"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf",
                                              "#8c564b", "#e377c2", "#000000", "#bcbd22", "#7f7f7f", "#1b4f2a"};

std::string colour_of(std::size_t index) { return " linecolor rgb " + literal(colours[index % colours.size()]) + " "; }

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

std::string block(const std::vector<PlotPoint>& points) {
  std::string text;
  for (const PlotPoint& point : points) text += digits(point.x) + " " + digits(point.y) + "\n";
  return text + "\n\n";  // which end a block
}

bool are_few_whole_numbers(const std::vector<double>& values) {
  constexpr double few = 20;
  const auto [least, most] = std::ranges::minmax_element(values);
  return !values.empty() && *most - *least <= few &&
         std::ranges::all_of(values, [](double value) { return value == std::floor(value); });
}

/// Powers of two have ticks of their own.
std::string axis_commands(char name, const PlotAxis& axis, const std::vector<double>& values) {
  std::string text = std::string("set ") + name + "label " + literal(axis.label) + "\n";
  if (!axis.is_log) return text + (are_few_whole_numbers(values) ? std::string("set ") + name + "tics 1\n" : "");
  const bool by_two = std::ranges::all_of(values, is_power_of_two);
  text += std::string("set logscale ") + name + (by_two ? " 2\n" : " 10\n");
  text += std::string("set format ") + name + (by_two ? " '%.0f'\n" : " '%g'\n");
  return text;
}

std::string mark_commands(const PlotMark& mark) {
  const std::string x = "first " + digits(mark.x);
  return "set arrow from " + x + ", graph 0 to " + x + ", graph 1 nohead dashtype 3 linecolor 'gray40'\n" +
         "set label " + literal(mark.text) + " at " + x +
         ", graph 0.98 right rotate by 90 offset character -0.8,0 textcolor 'gray40'\n";
}

std::string tick_commands(char name, const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t index = 0; index < values.size(); ++index) {
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

/// Runs gnuplot in that directory. Returns what went wrong, or nothing.
std::string gnuplot(const std::string& directory, const std::string& commands, const std::string& picture) {
  const std::string where = "picture=" + literal(picture);
  std::string words[] = {"gnuplot", "-e", where, commands};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return "gnuplot is not installed: sudo apt-get install gnuplot-nox";
  if (error != 0) return std::string("gnuplot cannot be started: ") + std::strerror(error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : "gnuplot failed";
}

}  // namespace

PlotAxis axis_for(std::string label, const std::vector<double>& values) {
  constexpr double many = 8;
  const auto [least, most] = std::ranges::minmax_element(values);
  return {std::move(label), !values.empty() && *least > 0 && *most >= many * *least};
}

Picture::Picture(const std::string& path) : path_(path) {
  const fs::path name(path);
  if ((name.extension() != ".svg" && name.extension() != ".png") || printable(path) != path) {
    throw InputError("--plot " + quoted(path) + " is not the name of a picture: FILE.svg or FILE.png");
  }
  commands_path_ = fs::path(name).replace_extension(".gp").string();
  data_path_ = fs::path(name).replace_extension(".dat").string();
  for (const NamedFile& file : files()) check_replaceable(file.path);
}

std::vector<NamedFile> Picture::files() const {
  return {{"--plot", path_}, {"the commands of --plot", commands_path_}, {"the data of --plot", data_path_}};
}

void Picture::draw(const Plot& plot) const {
  Drawing drawing;
  drawing.commands = axis_commands('x', plot.x, coordinates(plot, &PlotPoint::x)) +
                     axis_commands('y', plot.y, coordinates(plot, &PlotPoint::y));
  for (const PlotMark& mark : plot.marks) drawing.commands += mark_commands(mark);
  std::string curves;
  std::size_t index = 0;
  std::size_t number = 0;
  const auto add = [&](const PlotSeries& series, const std::vector<PlotPoint>& points, const std::string& style,
                       bool is_named) {
    if (points.empty()) return;
    drawing.data += "# " + series.title + "\n" + block(points);
    curves += (curves.empty() ? "plot " : ", \\\n     ") + std::string("data index ") + std::to_string(index++) +
              " with " + style + colour_of(number) + (is_named ? "title " + literal(series.title) : "notitle");
  };
  for (const PlotSeries& series : plot.series) {
    const bool has_line = !series.line.empty();
    const std::string points = "pointtype " + std::to_string(4 + number % 10);
    add(series, series.line, series.points.empty() ? "lines linewidth 2" : "lines linewidth 1.5", true);
    add(series, series.points, has_line ? "points " + points : "linespoints dashtype 3 " + points, !has_line);
    ++number;
  }
  drawing.commands += curves + "\n";
  draw(plot.title, drawing);
}

void Picture::draw(const WinnerMap& map) const {
  Drawing drawing;
  drawing.commands = "set xlabel " + literal(map.x_label) + "\nset ylabel " + literal(map.y_label) + "\n" +
                     tick_commands('x', map.x_values) + tick_commands('y', map.y_values) +
                     "set style fill solid 0.7 border\n";
  std::string boxes;
  for (std::size_t winner = 0; winner < map.names.size(); ++winner) {
    std::vector<PlotPoint> points;
    for (std::size_t x = 0; x < map.x_values.size(); ++x) {
      for (std::size_t y = 0; y < map.y_values.size(); ++y) {
        if (map.at[x][y] == winner) points.push_back({static_cast<double>(x), static_cast<double>(y)});
      }
    }
    drawing.data += "# " + map.names[winner] + "\n" + block(points);
    boxes += (winner == 0 ? "plot " : ", \\\n     ") + std::string("data index ") + std::to_string(winner) +
             " using 1:2:(0.5):(0.5) with boxxyerror" + colour_of(winner) + "title " + literal(map.names[winner]);
  }
  drawing.commands += boxes + "\n";
  draw(map.title, drawing);
}

void Picture::draw(const std::string& title, const Drawing& drawing) const {
  const fs::path picture(path_);
  const std::string data_name = fs::path(data_path_).filename().string();
  const std::string commands_name = fs::path(commands_path_).filename().string();
  const std::string terminal = picture.extension() == ".png"
                                   ? "pngcairo size 1000,600 noenhanced font 'sans,11'"
                                   : "svg size 1000,600 dynamic noenhanced font 'sans,13' background 'white'";
  std::string commands = "# gnuplot " + commands_name + "\n";
  commands += "if (!exists('picture')) picture = " + literal(picture.filename().string()) + "\n";
  commands += "data = " + literal(data_name) + "\n";
  commands += "set terminal " + terminal + "\nset output picture\n";
  commands += "set title " + literal(title) + "\nset key outside right top\nset grid linecolor 'gray90'\n";
  OutputFile(data_path_).write(drawing.data);
  OutputFile(commands_path_).write(commands + drawing.commands);
  NewFile drawn(path_);
  const fs::path directory = picture.has_parent_path() ? picture.parent_path() : fs::path(".");
  const std::string name = fs::absolute(drawn.name()).string();
  if (const std::string wrong = gnuplot(directory.string(), commands_name, name); !wrong.empty()) {
    throw OutputError(
        path_, wrong + "; its commands and data are there: cd " + directory.string() + " && gnuplot " + commands_name);
  }
  drawn.put_in_place();
}

}  // namespace lockstep::cli
