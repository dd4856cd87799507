#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gnuplot_script.hpp"
#include "host/file_names.hpp"
#include "plot.hpp"

namespace lockstep::cli::report {

/// A file with a picture. Its ending chooses the form:
/// - FILE.svg, FILE.pdf and FILE.png are drawn by gnuplot; the commands for it are in FILE.gp and the data in FILE.dat;
/// - FILE.gp and FILE.gnuplot are commands for gnuplot, which draw on any terminal; the data are in FILE.dat;
/// - FILE.tex is a document of LaTeX, with the package pgfplots.
class Picture {
 public:
  /// Throws InputError for another ending, and OutputError if one of the files cannot be written.
  explicit Picture(const std::string& path);

  /// All that are written, for refuse_shared_files().
  std::vector<host::NamedFile> files() const;

  /// Writes the files. Throws OutputError if there is nothing to draw, or if gnuplot is needed and is missing or fails,
  /// after commands and data were written; and Interrupted.
  void draw(const Plot& plot) const;
  /// One below the other; in LaTeX a page for each.
  void draw(const std::vector<WinnerMap>& maps) const;

 private:
  bool is_tex() const;
  std::string data_name() const;
  /// A picture drawn by gnuplot is that many times as high as one drawing.
  void draw(const GnuplotScript& script, std::size_t drawings = 1) const;

  std::string path_;
  std::string commands_path_;  // the same for a picture that is nothing but commands
  std::string data_path_;
};

/// The exit code of a command that draws last: a picture that cannot be drawn is reported, but does not hide an earlier
/// error.
int code_after(int code, const std::function<void()>& draw);

}  // namespace lockstep::cli::report
