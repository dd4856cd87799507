#include "plot_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "host/number_text.hpp"

namespace lockstep::cli::report {
namespace {

bool is_on(const PlotAxis& axis, double value) { return !axis.is_log || value > 0; }

/// The range of values that an axis shows.
struct AxisValues {
  const PlotAxis& axis;
  std::vector<double> values{};
  double least = 0;
  double most = 0;

  AxisValues(const PlotAxis& of, std::vector<double> shown) : axis(of), values(std::move(shown)) {
    if (values.empty()) return;
    const auto [first, last] = std::ranges::minmax_element(values);
    least = *first;
    most = *last;
  }

  /// The place of a value, from 0 to 1, and the value at a place.
  double place_of(double value) const {
    if (least == most) return 0.5;
    return axis.is_log ? std::log(value / least) / std::log(most / least) : (value - least) / (most - least);
  }
  double at(double place) const {
    if (least == most) return least;
    return axis.is_log ? least * std::pow(most / least, place) : least + place * (most - least);
  }
};

AxisValues x_values(const PlotAxis& axis, const std::vector<PlotSeries>& series) {
  std::vector<double> values;
  for (const PlotSeries& one : series) {
    for (const PlotPoint& point : one.line) values.push_back(point.x);
    for (const PlotPoint& point : one.points) values.push_back(point.x);
  }
  return {axis, std::move(values)};
}

/// With the ends of intervals that can be drawn.
AxisValues y_values(const PlotAxis& axis, const std::vector<PlotSeries>& series) {
  std::vector<double> values;
  for (const PlotSeries& one : series) {
    for (const PlotPoint& point : one.line) values.push_back(point.y);
    for (const PlotPoint& point : one.points) {
      values.push_back(point.y);
      if (!point.interval) continue;
      if (is_on(axis, point.interval->first)) values.push_back(point.interval->first);
      values.push_back(point.interval->second);
    }
  }
  return {axis, std::move(values)};
}

bool are_few_whole_numbers(const AxisValues& all) {
  constexpr double few = 20;
  return !all.values.empty() && all.most - all.least <= few &&
         std::ranges::all_of(all.values, [](double value) { return value == std::floor(value); });
}

/// At most ten ticks, at powers of two that are equally far apart.
std::vector<PlotTick> ticks_by_two(const AxisValues& all) {
  constexpr int most_steps = 9;
  const int first = static_cast<int>(std::floor(std::log2(all.least)));
  const int last = static_cast<int>(std::ceil(std::log2(all.most)));
  const int step = std::max(1, (last - first + most_steps - 1) / most_steps);
  std::vector<PlotTick> ticks;
  for (int power = first; power <= last; power += step) ticks.push_back({std::exp2(power), power});
  return ticks;
}

/// The values with some space beside them, for marks.
std::pair<double, double> wider_range(const AxisValues& all) {
  constexpr double space = 0.04;
  if (all.least != all.most) return {all.at(-space), all.at(1 + space)};
  return all.axis.is_log ? std::pair{all.least / 2, all.most * 2} : std::pair{all.least - 1, all.most + 1};
}

DrawnAxis drawn_axis(const AxisValues& all) {
  constexpr int longest = 16;  // powers of two whose numbers are still short
  constexpr int shortest = -4;
  DrawnAxis drawn;
  if (!all.values.empty()) drawn.range = wider_range(all);
  if (!all.axis.is_log) {
    if (are_few_whole_numbers(all)) drawn.step = 1;
    return drawn;
  }
  if (all.axis.by_two && !all.values.empty()) drawn.ticks = ticks_by_two(all);
  drawn.shows_powers = std::ranges::any_of(
      drawn.ticks, [](const PlotTick& tick) { return tick.power > longest || tick.power < shortest; });
  return drawn;
}

bool are_near(double one, double other) {
  constexpr double tolerance = 1e-9;
  return std::abs(one - other) <= tolerance * std::max(std::abs(one), std::abs(other));
}

bool coincide(const std::vector<PlotPoint>& some, const std::vector<PlotPoint>& others) {
  return std::ranges::equal(some, others, [](const PlotPoint& one, const PlotPoint& other) {
    return one.x == other.x && are_near(one.y, other.y) && one.interval == other.interval;
  });
}

/// Whether all points are on the line, at its ends and bends.
bool are_on_line(const std::vector<PlotPoint>& points, const std::vector<PlotPoint>& line) {
  return std::ranges::all_of(points, [&](const PlotPoint& point) {
    return std::ranges::any_of(
        line, [&](const PlotPoint& other) { return point.x == other.x && are_near(point.y, other.y); });
  });
}

bool coincide(const PlotSeries& one, const PlotSeries& other) {
  if (one.group != other.group || !coincide(one.line, other.line)) return false;
  return coincide(one.points, other.points) ||
         (are_on_line(one.points, one.line) && are_on_line(other.points, other.line));
}

void add_new_points(std::vector<PlotPoint>& points, const std::vector<PlotPoint>& others) {
  for (const PlotPoint& point : others) {
    if (std::ranges::find(points, point.x, &PlotPoint::x) == points.end()) points.push_back(point);
  }
  std::ranges::stable_sort(points, {}, &PlotPoint::x);
}

/// The series with something to draw; those that coincide are one.
std::vector<PlotSeries> merged(const Plot& plot) {
  std::vector<PlotSeries> all;
  for (PlotSeries one : plot.series) {
    const auto is_off = [&](const PlotPoint& at) { return !is_on(plot.x, at.x) || !is_on(plot.y, at.y); };
    std::erase_if(one.line, is_off);
    std::erase_if(one.points, is_off);
    if (one.line.empty() && one.points.empty()) continue;
    const auto same = std::ranges::find_if(all, [&](const PlotSeries& other) { return coincide(one, other); });
    if (same == all.end()) {
      all.push_back(std::move(one));
    } else {
      same->title += " = " + one.title;
      add_new_points(same->points, one.points);
    }
  }
  return all;
}

/// Some points of a line, which tell it from others.
std::vector<PlotPoint> marked_points(const std::vector<PlotPoint>& line) {
  constexpr std::size_t most = 16;
  const std::size_t step = (line.size() + most - 1) / most;
  std::vector<PlotPoint> points;
  for (std::size_t index = 0; index < line.size(); index += step) points.push_back(line[index]);
  return points;
}

/// Moves marks of several curves at one place apart.
void move_apart(std::vector<DrawnCurve>& curves, const AxisValues& x, const AxisValues& y) {
  constexpr double cells = 120;  // in each direction; marks in one cell hide each other
  constexpr double distance = 0.014;
  std::map<std::pair<double, double>, std::vector<DrawnMark*>> places;
  for (DrawnCurve& curve : curves) {
    for (DrawnMark& mark : curve.marks) {
      places[{std::round(x.place_of(mark.point.x) * cells), std::round(y.place_of(mark.point.y) * cells)}].push_back(
          &mark);
    }
  }
  for (const auto& [place, marks] : places) {
    const double middle = static_cast<double>(marks.size() - 1) / 2;
    for (std::size_t index = 0; index < marks.size() && marks.size() > 1; ++index) {
      DrawnMark& mark = *marks[index];
      const double moved = (static_cast<double>(index) - middle) * distance;
      if (moved != 0) mark.x = x.at(x.place_of(mark.point.x) + moved);
    }
  }
}

}  // namespace

bool DrawnCurve::has_interval() const {
  return std::ranges::any_of(marks, [](const DrawnMark& mark) { return mark.point.interval.has_value(); });
}

PlotDrawing drawing_of(const Plot& plot) {
  const std::vector<PlotSeries> all = merged(plot);
  const bool has_runs = std::ranges::any_of(all, [](const PlotSeries& one) { return !one.points.empty(); });
  PlotDrawing drawing;
  for (const PlotSeries& one : all) {
    DrawnCurve& curve = drawing.curves.emplace_back(
        DrawnCurve{.title = one.title, .group = one.group, .line = one.line, .marks = {}, .number = 0});
    curve.number = drawing.curves.size() - 1;
    for (const PlotPoint& point : has_runs ? one.points : marked_points(one.line))
      curve.marks.push_back({point, point.x});
  }
  const AxisValues x = x_values(plot.x, all);
  const AxisValues y = y_values(plot.y, all);
  move_apart(drawing.curves, x, y);
  drawing.x = drawn_axis(x);
  drawing.y = drawn_axis(y);
  const bool has_decades = plot.y.is_log && !plot.y.by_two && y.least != y.most;
  if (has_decades) drawing.y.range.reset();
  return drawing;
}

std::vector<DrawnCurve> in_drawing_order(std::vector<DrawnCurve> curves) {
  std::ranges::stable_sort(curves, {}, [](const DrawnCurve& curve) { return curve.number % plot_dashes.size(); });
  return curves;
}

std::string plot_digits(double value) {
  constexpr double unwieldy = 1e15;
  const bool is_whole = value == std::floor(value) && std::abs(value) < unwieldy;
  return is_whole ? host::short_number(value, 15) : host::all_digits(value);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines{""};
  for (const char letter : text) {
    if (letter == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += letter;
    }
  }
  return lines;
}

std::vector<std::size_t> ticks_of(const std::vector<std::string>& values) {
  constexpr std::size_t most = 20;
  const std::size_t step = (values.size() + most - 1) / most;
  std::vector<std::size_t> ticks;
  for (std::size_t index = 0; index < values.size(); index += step) ticks.push_back(index);
  return ticks;
}

std::size_t numbered_cells(const WinnerMap& map) {
  constexpr std::size_t most = 20;  // a side
  return std::max<std::size_t>(1, (std::max(map.x_values.size(), map.y_values.size()) + most - 1) / most);
}

}  // namespace lockstep::cli::report
