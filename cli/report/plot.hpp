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

/// Where `is_log`, only what is more than 0 is drawn.
struct PlotAxis {
  std::string label;  ///< with its unit
  bool is_log = false;
};

/// One curve: what is predicted as a line, what was run as points. Points without a line are joined by a thin one.
struct PlotSeries {
  std::string title;
  std::vector<PlotPoint> line;
  std::vector<PlotPoint> points;
};

/// A place on the x axis that a dashed line and a text show.
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

/// Who is best at every point of a grid.
struct WinnerMap {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> x_values;
  std::vector<std::string> y_values;
  std::vector<std::string> names;                           ///< of those that are best somewhere
  std::vector<std::vector<std::optional<std::size_t>>> at;  ///< [x][y]: which of the names, if any
};

/// A logarithmic axis where the largest value is many times the least that is more than 0; then 0 is left out.
PlotAxis axis_for(std::string label, const std::vector<double>& values);

/// A picture that gnuplot draws: FILE.svg or FILE.png, the commands for it in FILE.gp and the data in FILE.dat.
class Picture {
 public:
  /// Throws InputError if the name ends in neither, and OutputError if one of the three cannot be written.
  explicit Picture(const std::string& path);

  /// All three, for refuse_shared_files().
  std::vector<host::NamedFile> files() const;

  /// Writes commands and data and has gnuplot draw them. Throws OutputError if there is nothing to draw; if there is no
  /// gnuplot, or it fails, where both are there all the same; and Interrupted.
  void draw(const Plot& plot) const;
  void draw(const WinnerMap& map) const;

 private:
  struct Drawing {
    std::string commands;
    std::string data;
  };
  void draw(const std::string& title, const Drawing& drawing) const;

  std::string path_;
  std::string commands_path_;
  std::string data_path_;
};

/// What a command returns that draws when all else is done: a picture that cannot be drawn is said, but does not hide
/// what was wrong before.
int code_after(int code, const std::function<void()>& draw);

}  // namespace lockstep::cli::report
