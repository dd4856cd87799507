#include "gnuplot_script.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::cli::report {
namespace {

// Texts are taken as they are: "noenhanced" is said of each, since not every terminal has it as an option.

/// A literal of several lines.
std::string literal_of_lines(const std::string& text) {
  std::string literal;
  for (const std::string& line : lines_of(text)) {
    literal += (literal.empty() ? "" : ".\"\\n\".") + gnuplot_literal(line);
  }
  return literal;
}

/// gnuplot's points from 4 to 13 are outlined and filled shapes; neighbours here differ most.
std::string shape_of(std::size_t number) {
  constexpr std::array<const char*, 10> shapes{"6", "5", "8", "13", "10", "7", "12", "9", "4", "11"};
  return std::string(" pointtype ") + shapes[number % shapes.size()];
}

std::string colour_of(std::size_t number) {
  return " linecolor rgb '#" + std::string(plot_colours[number % plot_colours.size()]) + "'";
}

std::string dashes_of(std::size_t number) {
  const std::string_view lengths = plot_dashes[number % plot_dashes.size()];
  if (lengths.empty()) return " dashtype 1";
  std::string text(lengths);
  std::ranges::replace(text, ' ', ',');
  return " dashtype (" + text + ")";
}

/// What joins runs without predictions.
constexpr const char* thin_line = " linewidth 0.5 dashtype (2,3)";

std::string line_style(const DrawnCurve& curve) {
  return curve.line.empty() ? thin_line : " linewidth 1.5" + dashes_of(curve.number);
}

std::string title_commands(const std::string& title) {
  return "set title " + literal_of_lines(title) + " noenhanced\n";
}

std::string general_commands(const std::string& title, const std::string& data_name) {
  return "data = " + gnuplot_literal(data_name) + "\n" + title_commands(title) +
         "set key outside right top Left reverse noenhanced\nset grid linecolor 'gray90'\n";
}

std::string axis_commands(char name, const PlotAxis& axis, const DrawnAxis& drawn) {
  const std::string set = std::string("set ") + name;
  const std::string of = std::string(" ") + name;
  std::string text = set + "label " + gnuplot_literal(axis.label) + " noenhanced\n";
  if (drawn.range) {
    text += set + "range [" + plot_digits(drawn.range->first) + ":" + plot_digits(drawn.range->second) + "]\n";
  }
  if (!axis.is_log) return text + (drawn.step ? set + "tics " + plot_digits(*drawn.step) + "\n" : "");
  if (!axis.by_two) return text + "set logscale" + of + " 10\nset format" + of + " '10^{%L}'\n";
  text += "set logscale" + of + " 2\n";
  std::string ticks;
  for (const PlotTick& tick : drawn.ticks) {
    const std::string shown = drawn.shows_powers ? "2^{" + std::to_string(tick.power) + "}" : plot_digits(tick.value);
    ticks += (ticks.empty() ? "" : ", ") + gnuplot_literal(shown) + " " + plot_digits(tick.value);
  }
  return text + (ticks.empty() ? "" : set + "tics (" + ticks + ")\n");
}

/// A line with the number of the mark; neighbouring numbers have different heights so that they stay readable.
std::string mark_commands(const PlotMark& mark, std::size_t number) {
  constexpr std::array<const char*, 4> heights{"0.97", "0.93", "0.89", "0.85"};
  const std::string x = "first " + plot_digits(mark.x);
  return "set arrow from " + x + ", graph 0 to " + x + ", graph 1 nohead dashtype 3 linecolor 'gray40'\n" +
         "set label '" + std::to_string(number + 1) + "' at " + x + ", graph " + heights[number % heights.size()] +
         " center textcolor 'gray30' front\n";
}

/// Blocks of data and the items of a plot command that draw them.
class PlotItems {
 public:
  void add(const std::string& item) { items_ += (items_.empty() ? "plot " : ", \\\n     ") + item; }
  /// An item that draws the block.
  void add(const std::string& title, const std::string& block, const std::string& drawn) {
    data_ += "# " + lines_of(title).front() + "\n" + block + "\n\n";  // two empty lines end a block
    add("data index " + std::to_string(blocks_++) + drawn);
  }
  /// An item with a line of the legend.
  void add_legend(const std::string& drawn, const std::string& title) {
    add(drawn + " title " + gnuplot_literal(title));
    ++lines_;
    letters_ = std::max(letters_, title.size());
  }
  /// One that draws the last block again.
  void add_again(const std::string& drawn) { add("data index " + std::to_string(blocks_ - 1) + drawn); }

  std::string take_command() { return std::exchange(items_, {}) + "\n"; }
  const std::string& data() const { return data_; }
  std::size_t lines() const { return lines_; }
  std::size_t letters() const { return letters_; }

 private:
  std::string items_;
  std::string data_;
  std::size_t blocks_ = 0;
  std::size_t lines_ = 0;  // of legends
  std::size_t letters_ = 0;
};

std::string block_of(const std::vector<PlotPoint>& points) {
  std::string text;
  for (const PlotPoint& point : points) text += plot_digits(point.x) + " " + plot_digits(point.y) + "\n";
  return text;
}

/// x and y, then the interval if the curve has one, then where the mark is drawn if some are moved.
std::string block_of(const DrawnCurve& curve, bool is_moved) {
  std::string text;
  for (const DrawnMark& mark : curve.marks) {
    const PlotPoint& point = mark.point;
    text += plot_digits(point.x) + " " + plot_digits(point.y);
    if (curve.has_interval()) {
      const auto [low, high] = point.interval.value_or(std::pair{point.y, point.y});
      text += " " + plot_digits(low) + " " + plot_digits(high);
    }
    text += (is_moved ? " " + plot_digits(mark.x) : "") + "\n";
  }
  return text;
}

void add_marks(PlotItems& items, const DrawnCurve& curve) {
  if (curve.marks.empty()) return;
  const bool is_moved = std::ranges::any_of(curve.marks, [](const DrawnMark& mark) { return mark.x != mark.point.x; });
  const std::string place = is_moved ? curve.has_interval() ? "5" : "3" : "1";
  const std::string points =
      curve.has_interval() ? " using " + place + ":2:3:4 with yerrorbars" : " using " + place + ":2 with points";
  items.add(curve.title, block_of(curve, is_moved),
            points + shape_of(curve.number) + colour_of(curve.number) + " notitle");
  if (curve.line.empty())
    items.add_again(" using 1:2 with lines" + line_style(curve) + colour_of(curve.number) + " notitle");
}

/// The legend, apart from what it explains.
void add_legend(PlotItems& items, const Plot& plot, const std::vector<DrawnCurve>& curves) {
  std::string group;
  for (const DrawnCurve& curve : curves) {
    if (curve.group != group) {
      group = curve.group;
      items.add_legend("keyentry with lines linetype nodraw", group + ":");
    }
    items.add_legend("keyentry with " + std::string(curve.marks.empty() ? "lines" : "linespoints") + line_style(curve) +
                         (curve.marks.empty() ? "" : shape_of(curve.number)) + colour_of(curve.number),
                     curve.title);
  }
  for (std::size_t mark = 0; mark < plot.marks.size(); ++mark) {
    items.add_legend("keyentry with lines dashtype 3 linecolor 'gray40'",
                     std::to_string(mark + 1) + ": " + plot.marks[mark].text);
  }
}

std::string tick_commands(char name, const std::vector<std::string>& values) {
  std::string text;
  for (const std::size_t tick : ticks_of(values)) {
    text += (text.empty() ? "" : ", ") + gnuplot_literal(values[tick]) + " " + std::to_string(tick);
  }
  return std::string("set ") + name + "tics (" + text + ")" + (name == 'x' ? " rotate by -45" : "") +
         " noenhanced\nset " + name + "range [-0.5:" + std::to_string(values.size() - 1) + ".5]\n";
}

}  // namespace

std::string gnuplot_literal(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? std::string("''") : std::string(1, letter);
  return quoted + "'";
}

// Solid lines come first: others on them still show.
GnuplotScript gnuplot_script(const Plot& plot, const PlotDrawing& drawing, const std::string& data_name) {
  std::string commands = general_commands(plot.title, data_name) + axis_commands('x', plot.x, drawing.x) +
                         axis_commands('y', plot.y, drawing.y);
  for (std::size_t mark = 0; mark < plot.marks.size(); ++mark) commands += mark_commands(plot.marks[mark], mark);
  PlotItems items;
  for (const DrawnCurve& curve : in_drawing_order(drawing.curves)) {
    if (curve.line.empty()) continue;
    items.add(curve.title, block_of(curve.line),
              " with lines" + line_style(curve) + colour_of(curve.number) + " notitle");
  }
  for (const DrawnCurve& curve : drawing.curves) add_marks(items, curve);
  add_legend(items, plot, drawing.curves);
  commands += items.take_command();
  return {commands, items.data(), lines_of(plot.title).size() + items.lines(), items.letters()};
}

GnuplotScript gnuplot_script(const std::vector<WinnerMap>& maps, const std::string& data_name) {
  constexpr std::size_t few = 40;  // cells a side that can have a border
  std::string commands = general_commands(maps.front().title, data_name);
  if (maps.size() > 1) commands += "set multiplot layout " + std::to_string(maps.size()) + ",1\n";
  PlotItems items;
  std::size_t most_lines = 0;
  for (const WinnerMap& map : maps) {
    most_lines = std::max(most_lines, lines_of(map.title).size() + map.names.size());
    const bool are_few = std::max(map.x_values.size(), map.y_values.size()) <= few;
    const std::string step = std::to_string(numbered_cells(map));
    if (&map != &maps.front()) commands += title_commands(map.title);
    commands += "set xlabel " + gnuplot_literal(map.x_label) + " noenhanced\nset ylabel " +
                gnuplot_literal(map.y_label) + " noenhanced\n" + tick_commands('x', map.x_values) +
                tick_commands('y', map.y_values) +
                (are_few ? "set style fill solid 0.7 border\n" : "set style fill solid 0.7 noborder\n");
    for (std::size_t winner = 0; winner < map.names.size(); ++winner) {
      std::string block;
      for (std::size_t x = 0; x < map.x_values.size(); ++x) {
        for (std::size_t y = 0; y < map.y_values.size(); ++y) {
          if (map.at[x][y] == winner) block += std::to_string(x) + " " + std::to_string(y) + "\n";
        }
      }
      const std::string number = std::to_string(winner + 1);
      items.add(map.names[winner], block, " using 1:2:(0.5):(0.5) with boxxyerror" + colour_of(winner) + " notitle");
      items.add_legend("keyentry with boxes" + colour_of(winner), number + ": " + map.names[winner]);
      items.add_again(" using 1:2:(int($1) % " + step + " || int($2) % " + step + " ? '' : '" + number +
                      "') with labels notitle");
    }
    commands += items.take_command();
  }
  if (maps.size() > 1) commands += "unset multiplot\n";
  return {commands, items.data(), maps.size() * most_lines, items.letters()};
}

}  // namespace lockstep::cli::report
