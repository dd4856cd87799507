#pragma once

#include <optional>
#include <string>
#include <vector>

#include "file_names.hpp"

namespace lockstep::cli {

struct PlotPoint {
  double x;
  double y;
};

/// Where `is_log`, every coordinate of the axis is more than 0.
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

/// A logarithmic axis where the values are more than 0 and the largest is many times the least.
PlotAxis axis_for(std::string label, const std::vector<double>& values);

/// A picture that gnuplot draws: FILE.svg or FILE.png, the commands for it in FILE.gp and the data in FILE.dat.
class Picture {
 public:
  /// Throws InputError if the name ends in neither, and OutputError if one of the three cannot be written.
  explicit Picture(const std::string& path);

  /// All three, for refuse_shared_files().
  std::vector<NamedFile> files() const;

  /// Writes commands and data and has gnuplot draw them. Throws OutputError; if there is no gnuplot, or it fails, both
  /// are there all the same.
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

}  // namespace lockstep::cli
