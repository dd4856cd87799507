#include <algorithm>
#include <cmath>

#include "host/number_text.hpp"
#include "host/terminal.hpp"
#include "learn/demo_run.hpp"
#include "lists.hpp"
#include "run/execution.hpp"

namespace lockstep::cli {
namespace {

constexpr std::size_t most_packets = 32;
constexpr std::size_t height = 12;

std::vector<std::string> arguments(std::size_t packets) {
  return {"--machine", "hypercube:3", "--algorithm", "broadcast/sbt-pipelined", "--words", "64",
          "--beta",    "10",          "--packets",   std::to_string(packets)};
}

/// The predicted time of 1, 2, .. packets, a column each.
std::string curve(const std::atomic<bool>&) {
  std::vector<double> times;
  for (std::size_t packets = 1; packets <= most_packets; ++packets) {
    times.push_back(predicted_time(planned(plan_prediction(run_arguments(arguments(packets)))))->value);
  }
  const double most = *std::ranges::max_element(times);
  const auto best = std::ranges::min_element(times);
  const auto row_of = [&](double time) {
    return static_cast<std::size_t>(std::lround((time - *best) / (most - *best) * (height - 1)));
  };
  std::string text = "Modelled time over the number of packets\n\n";
  for (std::size_t row = height; row-- > 0;) {
    const double value = *best + (most - *best) * static_cast<double>(row) / (height - 1);
    std::string line = right(row % 4 == 0 || row + 1 == height ? short_number(value, 3) : "", 5) + " │";
    for (const double& time : times) line += row_of(time) != row ? " " : &time == &*best ? "◆" : "•";
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  std::string axis = "      └", numbers = "       ";
  for (std::size_t packets = 1; packets <= most_packets; ++packets) {
    const bool is_marked = packets == 1 || packets % 8 == 0;
    axis += is_marked ? "┴" : "─";
    if (is_marked) numbers = left(numbers, 6 + packets) + std::to_string(packets);
  }
  return text + axis + "\n" + numbers + "\n      ◆ best: " + std::to_string(best - times.begin() + 1) +
         " packets, time " + short_number(*best) + "\n";
}

}  // namespace

std::vector<Demo> pipelining_demos() {
  return {
      {.name = "pipelining",
       .title = "Pipelining: how many packets are best?",
       .summary = "a long item in 1, 4 and 8 packets, and the time for every number of them",
       .introduction =
           "Processor 0 of a 3-cube has an item of 64 words for everybody. It can send the item whole, or in packets: "
           "while a processor passes on the first packet, the second is already coming. A message costs 10 for its "
           "start-up and 1 a word. So short packets keep more links busy, and each pays its start-up.",
       .exhibits = {{.title = "1 packet of 64 words", .arguments = arguments(1)},
                    {.title = "4 packets of 16 words", .arguments = arguments(4)},
                    {.title = "8 packets of 8 words", .arguments = arguments(8)}},
       .sentences =
           {{1,
             "All three begin alike: 0 tells its three neighbours at once, as one and the same payload may leave on "
             "several links. But look at the times: the whole item takes 74, a quarter of it 26, an eighth 18."},
            {2,
             "The whole item goes on to the processors at distance 2, and 0 has nothing more to do. In packets the "
             "second one leaves 0 meanwhile: six links work at once where three did."},
            {3,
             "One packet: 7 has the item, and the run ends after 3 steps, as many as the cube has dimensions. The "
             "pipelines are full now: all 7 links of the tree work at once."},
            {4, "Four packets: 0 sends its last one. From now on their pipeline empties."},
            {5,
             "A pipeline fills and empties once, however many packets go through. In three dimensions that costs 2 "
             "steps."},
            {6, "Four packets end after 3 + 4 - 1 = 6 steps of 26 each: 156, against 3 steps of 74 = 222."},
            {7,
             "Eight packets go on. Nothing new happens in these steps, and that is the strength of a pipeline: all its "
             "links work all the time. But of the 18 that a step takes, 10 are start-up."},
            {8, "The eighth packet leaves 0, and the pipeline begins to empty."},
            {9, "At time 162 more has been spent than the four packets took for everything."},
            {10,
             "The last packet reaches 7: 3 + 8 - 1 = 10 steps of 18 each are 180. More packets than four make the "
             "steps more, and not shorter enough."}},
       .ending =
           "Steps are n + nu - 1 for nu packets on the n-cube, and a step takes beta + N/nu: the more packets, the "
           "more steps, and the shorter each. Times are 222, 156 and 180. The curve falls steeply, is flat around its "
           "best, and rises slowly: nearly the best number is nearly as good. The best is near sqrt((n-1) N tau/beta) "
           "= "
           "sqrt(2 * 64 / 10) = 3.6.",
       .question =
           "The start-up becomes four times as expensive. Will the best number of packets be larger or smaller, "
           "and by about which factor?",
       .answer =
           "Smaller, by about 2, as it goes with the square root of 1/beta: sqrt(2 * 64 / 40) = 1.8, so 2 packets. "
           "`lockstep run --machine hypercube:3 --algorithm broadcast/sbt-pipelined --words 64 --beta 40` picks 2.",
       .notes =
           {"8 minutes.", "Point at the numbers of messages in step 3: 1, 7 and 7. That is what pipelining buys.",
            "Without --packets the command picks the best number by the same formula that draws the curve.",
            "An assembly line is the picture to draw: it costs to fill and to empty it, and to hand over each piece."},
       .finale = curve}};
}

}  // namespace lockstep::cli
