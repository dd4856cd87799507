#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/file_names.hpp"

namespace lockstep::cli::report {

struct PlotPoint {
  double x;
  double y;
};

/// With `is_log`, only values above 0 are drawn.
struct PlotAxis {
  std::string label;  ///< with its unit
  bool is_log = false;
};

/// One curve: predictions as a line, runs as points. Points without a line are joined by a thin one.
struct PlotSeries {
  std::string title;
  std::vector<PlotPoint> line;
  std::vector<PlotPoint> points;
  std::size_t dashes = 0;  ///< the style of the line; curves of one style are of one kind
};

/// A place on the x axis, shown by a dashed line and a text.
struct PlotMark {
  double x;
  std::string text;
};

/// Curves over one quantity.
struct Plot {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  std::vector<PlotMark> marks;
};

/// The best methods at every point of a grid.
struct WinnerMap {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> x_values;
  std::vector<std::string> y_values;
  std::vector<std::string> names;                           ///< of what is best somewhere: "sbt", or "sbt and bfs-tree"
  std::vector<std::vector<std::optional<std::size_t>>> at;  ///< [x][y]: which of the names, if any
};

/// An axis, logarithmic if the largest value is many times the least above 0; then 0 is left out.
PlotAxis axis_for(std::string label, const std::vector<double>& values);

/// A picture that gnuplot draws: FILE.svg or FILE.png, the commands for it in FILE.gp and the data in FILE.dat.
class Picture {
 public:
  /// Throws InputError for another ending, and OutputError if one of the three cannot be written.
  explicit Picture(const std::string& path);

  /// All three, for refuse_shared_files().
  std::vector<host::NamedFile> files() const;

  /// Writes commands and data and runs gnuplot on them. Throws OutputError if there is nothing to draw, or if gnuplot
  /// is missing or fails, after both were written; and Interrupted.
  void draw(const Plot& plot) const;
  /// One below the other.
  void draw(const std::vector<WinnerMap>& maps) const;

 private:
  struct PlotScript {
    std::string commands;
    std::string data;
  };
  /// The picture is that many times as high as one drawing.
  void draw(const std::string& title, const PlotScript& drawing, std::size_t drawings = 1) const;

  std::string path_;
  std::string commands_path_;
  std::string data_path_;
};

/// The exit code of a command that draws last: a picture that cannot be drawn is reported, but does not hide an earlier
/// error.
int code_after(int code, const std::function<void()>& draw);

}  // namespace lockstep::cli::report
