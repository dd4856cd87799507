#include "pgfplots.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "host/joined.hpp"

namespace lockstep::cli::report {
namespace {

/// A text in LaTeX that looks like it.
std::string tex(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '~':
        escaped += "\\textasciitilde{}";
        break;
      case '^':
        escaped += "\\textasciicircum{}";
        break;
      case '#':
      case '$':
      case '%':
      case '&':
      case '_':
      case '{':
      case '}':
        escaped += std::string("\\") + letter;
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

std::string tex_lines(const std::string& text) {
  return host::joined(
      lines_of(text), [](const std::string& line) { return tex(line); }, "\\\\");
}

std::string tex_colour(std::size_t number) { return "colour" + std::to_string(number % plot_colours.size()); }

std::string tex_dashes(std::size_t number) {
  const std::string_view lengths = plot_dashes[number % plot_dashes.size()];
  if (lengths.empty()) return "solid";
  std::string pattern = "dash pattern=";
  bool is_on = true;
  for (const char letter : lengths) {
    if (letter == ' ') {
      pattern += "pt ";
      continue;
    }
    if (pattern.back() == ' ' || pattern.back() == '=') {
      pattern += is_on ? "on " : "off ";
      is_on = !is_on;
    }
    pattern += letter;
  }
  return pattern + "pt";
}

std::string tex_shape(std::size_t number) {
  constexpr std::array<const char*, 10> shapes{
      "mark=o", "mark=square*", "mark=triangle",  "mark=diamond*", "mark=triangle, mark options={solid, rotate=180}",
      "mark=*", "mark=diamond", "mark=triangle*", "mark=square",   "mark=triangle*, mark options={solid, rotate=180}"};
  const std::string shape = shapes[number % shapes.size()];
  return shape.find(',') == std::string::npos ? shape + ", mark options={solid}" : shape;
}

/// What joins runs without predictions.
constexpr const char* thin_dashes = "very thin, dash pattern=on 2pt off 3pt";

std::string tex_line(const DrawnCurve& curve) {
  return tex_colour(curve.number) + ", " + (curve.line.empty() ? thin_dashes : "thick, " + tex_dashes(curve.number));
}

std::string tex_axis(char name, const PlotAxis& axis, const DrawnAxis& drawn) {
  const std::string of(1, name);
  std::string text = "  " + of + "label={" + tex(axis.label) + "},\n";
  if (drawn.range) {
    text += "  " + of + "min=" + plot_digits(drawn.range->first) + ", " + of +
            "max=" + plot_digits(drawn.range->second) + ",\n";
  }
  if (drawn.step) text += "  " + of + "tick distance=" + plot_digits(*drawn.step) + ",\n";
  if (axis.is_log) text += "  " + of + "mode=log,\n";
  if (drawn.ticks.empty()) return text;
  const auto shown = [&](const PlotTick& tick) {
    return drawn.shows_powers ? "$2^{" + std::to_string(tick.power) + "}$" : plot_digits(tick.value);
  };
  return text + "  log basis " + of + "=2,\n  " + of + "tick={" +
         host::joined(
             drawn.ticks, [](const PlotTick& tick) { return plot_digits(tick.value); }, ",") +
         "},\n  " + of + "ticklabels={" + host::joined(drawn.ticks, shown, ",") + "},\n";
}

/// Lines at the marks, with their numbers above the picture; neighbouring ones have different heights.
std::string tex_marks(const std::vector<PlotMark>& marks) {
  if (marks.empty()) return "";
  std::string places;
  std::string numbers;
  for (std::size_t mark = 0; mark < marks.size(); ++mark) {
    places += (mark == 0 ? "" : ",") + plot_digits(marks[mark].x);
    numbers += (mark == 0 ? "" : ",") + std::string("\\raisebox{") + std::to_string(mark % 3) + "ex}{" +
               std::to_string(mark + 1) + "}";
  }
  return "  extra x ticks={" + places + "},\n  extra x tick labels={" + numbers +
         "},\n  extra x tick style={grid=major, major grid style={densely dotted, black!60}, ticklabel pos=top},\n";
}

std::string beginning_of_file(std::string_view kind) {
  std::string text = "% pdflatex draws it.\n\\documentclass[border=2pt" + std::string(kind) +
                     "]{standalone}\n\\usepackage[T1]{fontenc}\n\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.13}\n";
  for (std::size_t number = 0; number < plot_colours.size(); ++number) {
    text += "\\definecolor{" + tex_colour(number) + "}{HTML}{" + std::string(plot_colours[number]) + "}\n";
  }
  return text + "\\begin{document}\n";
}

constexpr const char* end_of_file = "\\end{document}\n";

/// The title is above the numbers of marks.
std::string beginning_of_axis(const std::string& title, bool has_marks = false) {
  return "\\begin{tikzpicture}\n\\begin{axis}[\n  width=11cm, height=8.5cm,\n  title={" + tex_lines(title) +
         "}, title style={align=center" + (has_marks ? ", yshift=5ex" : "") +
         "},\n  legend pos=outer north east, legend cell align=left,\n"
         "  legend style={draw=none, font=\\small},\n";
}

constexpr const char* end_of_axis = "\\end{axis}\n\\end{tikzpicture}\n";

std::string tex_legend(const std::string& image, const std::string& title) {
  return "\\addlegendimage{" + image + "}\n\\addlegendentry{" + tex(title) + "}\n";
}

std::string tex_legend(const Plot& plot, const std::vector<DrawnCurve>& curves) {
  std::string text;
  std::string group;
  for (const DrawnCurve& curve : curves) {
    if (curve.group != group) {
      group = curve.group;
      text += tex_legend("empty legend", group + ":");
    }
    text += tex_legend(tex_line(curve) + (curve.marks.empty() ? "" : ", " + tex_shape(curve.number)), curve.title);
  }
  for (std::size_t mark = 0; mark < plot.marks.size(); ++mark) {
    text += tex_legend("densely dotted, black!60", std::to_string(mark + 1) + ": " + plot.marks[mark].text);
  }
  return text;
}

std::string tex_curve(const std::vector<PlotPoint>& points, const DrawnCurve& curve) {
  std::string text = "\\addplot[forget plot, " + tex_line(curve) + "] coordinates {";
  for (const PlotPoint& point : points) text += "(" + plot_digits(point.x) + "," + plot_digits(point.y) + ") ";
  text.back() = '}';
  return text + ";\n";
}

/// x and y, the place at which the mark is drawn, and where an interval ends, as differences from y.
std::string tex_marks_of(const DrawnCurve& curve) {
  if (curve.marks.empty()) return "";
  const bool has_bars = curve.has_interval();
  std::string text = "\\addplot[forget plot, only marks, " + tex_colour(curve.number) + ", " + tex_shape(curve.number) +
                     (has_bars ? ", error bars/.cd, y dir=both, y explicit" : "") + "] table[x=at, y=y" +
                     (has_bars ? ", y error plus=above, y error minus=below" : "") + "] {\nx y at" +
                     (has_bars ? " below above" : "") + "\n";
  for (const auto& [point, x] : curve.marks) {
    text += plot_digits(point.x) + " " + plot_digits(point.y) + " " + plot_digits(x);
    if (has_bars) {
      const auto [low, high] = point.interval.value_or(std::pair{point.y, point.y});
      text += " " + plot_digits(point.y - low) + " " + plot_digits(high - point.y);
    }
    text += "\n";
  }
  return text + "};\n";
}

std::string tex_ticks(char name, const std::vector<std::string>& values) {
  const std::vector<std::size_t> ticks = ticks_of(values);
  const std::string of(1, name);
  return "  " + of + "min=-0.5, " + of + "max=" + std::to_string(values.size() - 1) + ".5, " + of + "tick={" +
         host::joined(
             ticks, [](std::size_t tick) { return std::to_string(tick); }, ",") +
         "}, " + of + "ticklabels={" +
         host::joined(
             ticks, [&](std::size_t tick) { return "{" + tex(values[tick]) + "}"; }, ",") +
         "},\n";
}

std::string tex_cell(std::size_t x, std::size_t y, std::size_t winner, bool is_numbered) {
  const auto before = [](std::size_t place) { return place == 0 ? "-0.5" : std::to_string(place - 1) + ".5"; };
  const auto after = [](std::size_t place) { return std::to_string(place) + ".5"; };
  std::string text = "\\fill[" + tex_colour(winner) + "!70] (axis cs:" + before(x) + "," + before(y) +
                     ") rectangle (axis cs:" + after(x) + "," + after(y) + ");\n";
  if (!is_numbered) return text;
  return text + "\\node at (axis cs:" + std::to_string(x) + "," + std::to_string(y) + ") {" +
         std::to_string(winner + 1) + "};\n";
}

std::string tex_map(const WinnerMap& map) {
  const std::size_t step = numbered_cells(map);
  std::string text = beginning_of_axis(map.title) + "  xlabel={" + tex(map.x_label) + "}, ylabel={" + tex(map.y_label) +
                     "},\n" + tex_ticks('x', map.x_values) + tex_ticks('y', map.y_values) +
                     "  xticklabel style={rotate=45, anchor=east}, axis on top]\n";
  for (std::size_t winner = 0; winner < map.names.size(); ++winner) {
    text += tex_legend("area legend, draw=none, fill=" + tex_colour(winner) + "!70",
                       std::to_string(winner + 1) + ": " + map.names[winner]);
  }
  for (std::size_t x = 0; x < map.x_values.size(); ++x) {
    for (std::size_t y = 0; y < map.y_values.size(); ++y) {
      if (map.at[x][y]) text += tex_cell(x, y, *map.at[x][y], x % step == 0 && y % step == 0);
    }
  }
  return text + end_of_axis;
}

}  // namespace

std::string pgfplots_text(const Plot& plot, const PlotDrawing& drawing) {
  std::string text = beginning_of_file("") + beginning_of_axis(plot.title, !plot.marks.empty()) +
                     tex_axis('x', plot.x, drawing.x) + tex_axis('y', plot.y, drawing.y) + tex_marks(plot.marks) +
                     "  grid=major, major grid style={black!10}]\n";
  text += tex_legend(plot, drawing.curves);
  for (const DrawnCurve& curve : in_drawing_order(drawing.curves)) {
    if (!curve.line.empty()) text += tex_curve(curve.line, curve);
  }
  for (const DrawnCurve& curve : drawing.curves) {
    std::vector<PlotPoint> joined;
    for (const DrawnMark& mark : curve.marks) joined.push_back(mark.point);
    if (curve.line.empty()) text += tex_curve(joined, curve);
    text += tex_marks_of(curve);
  }
  return text + end_of_axis + end_of_file;
}

std::string pgfplots_text(const std::vector<WinnerMap>& maps) {
  std::string text = beginning_of_file(", multi=tikzpicture");
  for (const WinnerMap& map : maps) text += tex_map(map);
  return text + end_of_file;
}

}  // namespace lockstep::cli::report
