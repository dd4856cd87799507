#pragma once

#include <string>
#include <vector>

#include "plot_drawing.hpp"

namespace lockstep::cli::report {

/// A document of LaTeX with the package pgfplots, 1.13 or newer: the picture alone on a page of its size.
std::string pgfplots_text(const Plot& plot, const PlotDrawing& drawing);
/// A page for every map.
std::string pgfplots_text(const std::vector<WinnerMap>& maps);

}  // namespace lockstep::cli::report
