#pragma once

#include <string>
#include <vector>

#include "plot_drawing.hpp"

namespace lockstep::cli::report {

/// Commands for gnuplot 5.2 or newer that draw on any terminal, and the data that they read.
struct GnuplotScript {
  std::string commands;
  std::string data;
  std::size_t lines;    ///< that titles and legends take
  std::size_t letters;  ///< of the longest line of a legend
};

/// A text as a literal of gnuplot.
std::string gnuplot_literal(const std::string& text);

/// The commands read the data from a file of that name in the current directory.
GnuplotScript gnuplot_script(const Plot& plot, const PlotDrawing& drawing, const std::string& data_name);
/// One map below the other; at least one, each with a winner.
GnuplotScript gnuplot_script(const std::vector<WinnerMap>& maps, const std::string& data_name);

}  // namespace lockstep::cli::report
