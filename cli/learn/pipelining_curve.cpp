#include <algorithm>
#include <cmath>

#include "demo_code.hpp"
#include "demo_run.hpp"
#include "host/number_text.hpp"
#include "host/terminal.hpp"
#include "run/execution.hpp"

namespace lockstep::cli::learn {
namespace {

constexpr std::size_t most_packets = 32;
constexpr std::size_t height = 12;

std::vector<std::string> arguments(std::size_t packets) {
  return {"--machine", "hypercube:3", "--algorithm", "broadcast/sbt-pipelined", "--words", "64",
          "--beta",    "10",          "--packets",   std::to_string(packets)};
}

}  // namespace

std::string pipelining_curve(const std::atomic<bool>&) {
  std::vector<double> times;
  for (std::size_t packets = 1; packets <= most_packets; ++packets) {
    times.push_back(run::predicted_time(run::planned(run::plan_prediction(run_arguments(arguments(packets)))))->value);
  }
  const double most = *std::ranges::max_element(times);
  const auto best = std::ranges::min_element(times);
  const auto row_of = [&](double time) {
    return static_cast<std::size_t>(std::lround((time - *best) / (most - *best) * (height - 1)));
  };
  std::string text = "Modelled time over the number of packets\n\n";
  for (std::size_t row = height; row-- > 0;) {
    const double value = *best + (most - *best) * static_cast<double>(row) / (height - 1);
    std::string line = host::right(row % 4 == 0 || row + 1 == height ? host::short_number(value, 3) : "", 5) + " │";
    for (const double& time : times) line += row_of(time) != row ? " " : &time == &*best ? "◆" : "•";
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  std::string axis = "      └", numbers = "       ";
  for (std::size_t packets = 1; packets <= most_packets; ++packets) {
    const bool is_marked = packets == 1 || packets % 8 == 0;
    axis += is_marked ? "┴" : "─";
    if (is_marked) numbers = host::left(numbers, 6 + packets) + std::to_string(packets);
  }
  return text + axis + "\n" + numbers + "\n      ◆ best: " + std::to_string(best - times.begin() + 1) +
         " packets, time " + host::short_number(*best) + "\n";
}

}  // namespace lockstep::cli::learn
