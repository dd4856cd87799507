#include "plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace lockstep::bench {
namespace {

constexpr double width = 860;
constexpr double height = 520;
constexpr double left = 80;
constexpr double right = 230;  // for the labels of the curves
constexpr double top = 50;
constexpr double bottom = 50;
constexpr double label_distance = 16;

template <class... Values>
std::string format(const char* text, Values... values) {
  char line[256];
  std::snprintf(line, sizeof line, text, values...);
  return line;
}

/// Where n and nanoseconds lie in the picture.
struct Scale {
  unsigned first_n;
  unsigned last_n;
  int first_decade;
  int last_decade;

  double x(unsigned n) const {
    const double share = last_n == first_n ? 0.5 : double(n - first_n) / double(last_n - first_n);
    return left + share * (width - left - right);
  }
  double y(double nanoseconds) const {
    const double share = (std::log10(nanoseconds) - first_decade) / (last_decade - first_decade);
    return height - bottom - share * (height - top - bottom);
  }
};

Scale scale_of(const std::vector<Curve>& curves) {
  const auto& [some_n, some_time] = curves.front().points.front();
  Scale scale{some_n, some_n, 0, 0};
  double least = some_time;
  double most = some_time;
  for (const Curve& curve : curves) {
    for (const auto& [n, time] : curve.points) {
      scale.first_n = std::min(scale.first_n, n);
      scale.last_n = std::max(scale.last_n, n);
      least = std::min(least, time);
      most = std::max(most, time);
    }
  }
  scale.first_decade = static_cast<int>(std::floor(std::log10(least)));
  scale.last_decade = std::max(scale.first_decade + 1, static_cast<int>(std::ceil(std::log10(most))));
  return scale;
}

std::string text_at(double x, double y, const char* anchor, const char* colour, const std::string& text) {
  return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">", x, y, anchor, colour) + text +
         "</text>\n";
}

std::string axes(const Scale& scale) {
  std::string svg;
  for (int decade = scale.first_decade; decade <= scale.last_decade; ++decade) {
    const double y = scale.y(std::pow(10, decade));
    svg += format("<path d=\"M%.1f %.1fH%.1f\" stroke=\"#ccc\"/>\n", left, y, width - right);
    svg += text_at(left - 8, y + 4, "end", "#333", format("%g ns", std::pow(10, decade)));
  }
  for (unsigned n = scale.first_n; n <= scale.last_n; ++n) {
    svg += text_at(scale.x(n), height - bottom + 20, "middle", "#333", std::to_string(n));
  }
  return svg + text_at((left + width - right) / 2, height - 10, "middle", "#333", "n, for 2^n processors");
}

std::string drawn(const Curve& curve, const Scale& scale) {
  std::string svg = "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" + curve.colour + "\" points=\"";
  for (const auto& [n, time] : curve.points) svg += format("%.1f,%.1f ", scale.x(n), scale.y(time));
  svg += "\"/>\n";
  for (const auto& [n, time] : curve.points) {
    svg += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", scale.x(n), scale.y(time),
                  curve.colour.c_str());
  }
  return svg;
}

/// Every label beside the end of its curve, or below the label above it.
std::string labels(std::vector<Curve> curves, const Scale& scale) {
  const auto end_of = [&](const Curve& curve) { return scale.y(curve.points.back().second); };
  std::sort(curves.begin(), curves.end(), [&](const Curve& a, const Curve& b) { return end_of(a) < end_of(b); });
  std::string svg;
  double lowest = 0;
  for (const Curve& curve : curves) {
    lowest = std::max(end_of(curve) + 4, lowest + label_distance);
    svg += text_at(width - right + 10, lowest, "start", curve.colour.c_str(), curve.label);
  }
  return svg;
}

}  // namespace

std::string plot(const std::string& title, const std::vector<Curve>& all) {
  std::vector<Curve> curves = all;
  std::erase_if(curves, [](const Curve& curve) { return curve.points.empty(); });
  const Scale scale = scale_of(curves);
  std::string svg = format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      width, height, width, height);
  svg += text_at(left, top - 24, "start", "#000", title);
  svg += axes(scale);
  for (const Curve& curve : curves) svg += drawn(curve, scale);
  return svg + labels(curves, scale) + "</svg>\n";
}

}  // namespace lockstep::bench
