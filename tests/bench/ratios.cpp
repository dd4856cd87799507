#include "ratios.hpp"

namespace lockstep::bench {
namespace {

Measured run_of(const std::string& kernel, const std::string& contender, unsigned threads, unsigned size) {
  return {Quantity::run, benchmark_name(kernel, contender, threads, size)};
}

constexpr char against_bare_coroutines[] =
    "Bare coroutines touch 150 bytes a processor, which for the 16-cube stay in caches, and execute few instructions. "
    "A message of Lockstep touches its sender, its receiver and a channel, of 1.2 KiB a processor, and executes "
    "150 to 180 instructions, some four a clock tick, evenly spread over resuming, channels, rules, counts and clocks.";
constexpr char against_fibers[] =
    "Fibers with stacks of 7 KiB wait for memory, Lockstep executes instructions: the ratio follows the clock rate of "
    "the host's cores. Other hosts measured 8.7 to 19 at n = 16 and 10 to 17 at n = 20, the least on cores half as "
    "fast.";
constexpr char caches[] =
    "A hop visits one processor in a ring of any size; the state of 2^10 processors stays in the second-level "
    "cache, that of 2^20 does not, and a hop waits for memory once or twice.";

std::vector<Ratio> make_ratios() {
  std::vector<Ratio> all;
  for (const unsigned n : {10U, 16U, 20U}) {
    std::string kernel = "E n=";
    kernel += std::to_string(n) + ": ";
    const Measured ours = run_of("E", "lockstep", 2, n);
    all.push_back({kernel + "Boost.Fiber / Lockstep", run_of("E", "boost_fiber", 2, n), ours, against_fibers});
    all.push_back(
        {kernel + "bare coroutines / Lockstep", run_of("E", "bare_coroutines", 2, n), ours, against_bare_coroutines});
    all.push_back({kernel + "1 thread / 2 threads", run_of("E", "lockstep", 1, n), ours});
  }
  for (const unsigned n : {10U, 16U}) {
    std::string kernel = "E n=";
    kernel += std::to_string(n) + ": ";
    all.push_back({kernel + "2 threads / 16 threads", run_of("E", "lockstep", 2, n), run_of("E", "lockstep", 16, n)});
  }
  const std::string large = benchmark_name("E", "lockstep", 2, 20);
  all.push_back({"E n=20: run / set-up", {Quantity::run, large}, {Quantity::setup, large}});
  all.push_back({"E n=20: memory of bare coroutines / of Lockstep",
                 {Quantity::memory, benchmark_name("E", "bare_coroutines", 2, 20)},
                 {Quantity::memory, large}});
  all.push_back({"n=16: kernel E / kernel R", run_of("E", "lockstep", 2, 16), run_of("R", "lockstep", 2, 16)});
  for (const unsigned n : {10U, 16U}) {
    std::string name = "S: ring of 2^";
    name += std::to_string(n) + " / of 2^20";
    all.push_back({name, run_of("S", "lockstep", 2, n), run_of("S", "lockstep", 2, 20), caches});
  }
  all.push_back(
      {"broadcast: n=10 / n=20", run_of("broadcast", "lockstep", 2, 10), run_of("broadcast", "lockstep", 2, 20)});
  all.push_back({"kernel E n=10 / alltoall on torus:32x32", run_of("E", "lockstep", 2, 10),
                 run_of("alltoall", "lockstep", 2, 32)});
  all.push_back({"B: memcpy / Lockstep", run_of("B", "memcpy", 2, 10), run_of("B", "lockstep", 2, 10)});
  return all;
}

}  // namespace

const std::vector<Ratio>& ratios() {
  static const std::vector<Ratio> all = make_ratios();
  return all;
}

std::optional<double> value_of(const Ratio& ratio, const Measurements& measurements) {
  const auto above = measurements.value(ratio.above.benchmark, ratio.above.quantity);
  const auto below = measurements.value(ratio.below.benchmark, ratio.below.quantity);
  if (!above || !below || *below <= 0) return std::nullopt;
  return *above / *below;
}

}  // namespace lockstep::bench
