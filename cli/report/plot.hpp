#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::cli::report {

struct PlotPoint {
  double x;
  double y;
  std::optional<std::pair<double, double>> interval{};  ///< in which the true y is, drawn as a bar

  bool operator==(const PlotPoint&) const = default;
};

/// With `is_log`, only values above 0 are drawn.
struct PlotAxis {
  std::string label;  ///< with its unit
  bool is_log = false;
  bool by_two = false;  ///< the ticks of a logarithmic axis are powers of two, else of ten
};

/// One curve: predictions as a line, runs as points. Points without a line are joined by a thin one.
struct PlotSeries {
  std::string title;
  std::vector<PlotPoint> line;
  std::vector<PlotPoint> points;
  std::string group{};  ///< the heading of the legend below which its title is; empty: none
};

/// A place on the x axis, shown by a dashed line and a number; the legend has the number and the text.
struct PlotMark {
  double x;
  std::string text;
};

/// Curves over one quantity. Series of one group are together.
struct Plot {
  std::string title;  ///< of one or several lines
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  std::vector<PlotMark> marks;
};

/// The best methods at every point of a grid.
struct WinnerMap {
  std::string title;  ///< of one or several lines
  std::string x_label;
  std::string y_label;
  std::vector<std::string> x_values;
  std::vector<std::string> y_values;
  std::vector<std::string> names;                           ///< of what is best somewhere: "sbt", or "sbt and bfs-tree"
  std::vector<std::vector<std::optional<std::size_t>>> at;  ///< [x][y]: which of the names, if any
};

/// An axis for these values, logarithmic if the largest is many times the least above 0; then 0 is left out.
PlotAxis axis_for(std::string label, const std::vector<double>& values);

}  // namespace lockstep::cli::report
