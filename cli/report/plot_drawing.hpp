#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plot.hpp"

namespace lockstep::cli::report {

/// The colours of curves and of winners as hexadecimal RGB, used in turn: those of Okabe & Ito 2008, "Color Universal
/// Design", which people of any colour vision tell apart, without black and yellow.
inline constexpr std::array<std::string_view, 6> plot_colours{"0072B2", "D55E00", "009E73",
                                                              "CC79A7", "E69F00", "56B4E9"};

/// Lengths of dashes and gaps in turn; the first is a solid line. Their number has no divisor in common with that of
/// the colours, so that 30 curves differ, and without colours neighbouring ones do.
inline constexpr std::array<std::string_view, 5> plot_dashes{"", "10 3", "3 3", "10 3 2 3", "5 2 1 2 1 2"};

/// A mark that may be drawn beside its point, where other curves have marks at the same place.
struct DrawnMark {
  PlotPoint point;
  double x;  ///< where it is drawn
};

struct DrawnCurve {
  std::string title;  ///< "sbt", or "sbt = bfs-tree" for series that coincide
  std::string group;
  std::vector<PlotPoint> line;
  std::vector<DrawnMark> marks;
  std::size_t number;  ///< from 0; it chooses colour, dashes and shape

  bool has_interval() const;
};

/// A tick at 2 to a power.
struct PlotTick {
  double value;
  int power;
};

struct DrawnAxis {
  std::optional<std::pair<double, double>> range{};  ///< none: up to the next ticks
  std::optional<double> step{};                      ///< between ticks
  std::vector<PlotTick> ticks{};                     ///< of powers of two
  bool shows_powers = false;                         ///< as powers, since the numbers are long
};

/// What is drawn of a plot, for any program.
struct PlotDrawing {
  DrawnAxis x;
  DrawnAxis y;
  std::vector<DrawnCurve> curves;  ///< may be none
};

/// Series of one group that coincide are one curve; marks of several curves at one place are moved apart; points that
/// an axis leaves out are dropped. Where nothing has run, the marks are on the lines.
PlotDrawing drawing_of(const Plot& plot);

/// The curves in an order in which those whose lines cover others come first: solid ones, on which dashes show.
std::vector<DrawnCurve> in_drawing_order(std::vector<DrawnCurve> curves);

/// A number that reads as the same: "65536", "0.1".
std::string plot_digits(double value);

/// The lines of a text.
std::vector<std::string> lines_of(const std::string& text);

/// Ticks of a map, at most as many as can be read: the numbers of the values.
std::vector<std::size_t> ticks_of(const std::vector<std::string>& values);

/// Between how many cells of a map, in both directions, one has the number of its winner.
std::size_t numbered_cells(const WinnerMap& map);

}  // namespace lockstep::cli::report
