// Benchmarks of the emulator beside the same work done by other means in the same binary and run: what counts are the
// ratios, since hosts differ and are noisy. `./dev bench` builds and runs this with interleaved repetitions.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernel.hpp"

namespace lockstep::bench {
namespace {

using Kernel = Timing (*)(unsigned dimensions, unsigned threads);

void measure(benchmark::State& state, Kernel kernel, unsigned threads) {
  const auto dimensions = static_cast<unsigned>(state.range(0));
  const double processors = static_cast<double>(std::uint64_t{1} << dimensions);
  const double messages = processors * dimensions;
  double setup = 0;
  double run = 0;
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    const Timing timing = kernel(dimensions, threads);
    state.SetIterationTime(timing.run_seconds);
    setup += timing.setup_seconds;
    run += timing.run_seconds;
    bytes = std::max(bytes, timing.resident_bytes);
  }
  const double moved = messages * static_cast<double>(state.iterations());
  state.counters["ns/message"] = run * 1e9 / moved;
  state.counters["messages/s"] = moved / run;
  state.counters["setup_s"] = benchmark::Counter(setup, benchmark::Counter::kAvgIterations);
  if (bytes > 0) state.counters["bytes/processor"] = static_cast<double>(bytes) / processors;
}

void add(const char* name, Kernel kernel, unsigned threads, std::initializer_list<int> sizes) {
  for (const int dimensions : sizes) {
    benchmark::RegisterBenchmark(name, [=](benchmark::State& state) { measure(state, kernel, threads); })
        ->Arg(dimensions)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
}

/// Prints what Google Benchmark prints, and keeps each benchmark's ns/message for the table of ratios.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const auto found = run.counters.find("ns/message");
      if (run.run_type == Run::RT_Iteration && found != run.counters.end()) {
        samples_[{run.run_name.function_name, run.run_name.args}].push_back(found->second.value);
      }
    }
    ConsoleReporter::ReportRuns(runs);
  }

  /// Nanoseconds a message as medians over the repetitions, and every companion as a multiple of Lockstep's time.
  void print_ratios() {
    std::printf("\nKernel E, median ns a message (times Lockstep on two threads)\n");
    for (const char* size : {"10", "16", "20"}) {
      const double ours = median("lockstep_2_threads", size);
      if (ours == 0) continue;
      std::printf("  n = %s: Lockstep, 2 threads %.1f", size, ours);
      for (const char* companion :
           {"lockstep_1_thread", "boost_fiber_2_threads", "bare_coroutines_2_threads", "plain_loop_1_thread"}) {
        const double theirs = median(companion, size);
        if (theirs != 0) std::printf("; %s %.1f (%.2f)", companion, theirs, theirs / ours);
      }
      std::printf("\n");
    }
  }

 private:
  double median(const char* name, const char* size) {
    std::vector<double>& samples = samples_[{name, size}];
    if (samples.empty()) return 0;
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
  }

  std::map<std::pair<std::string, std::string>, std::vector<double>> samples_;  // by name and dimensions
};

}  // namespace
}  // namespace lockstep::bench

int main(int argc, char** argv) {
  using namespace lockstep::bench;
  add("lockstep_2_threads", exchange_lockstep, 2, {10, 16, 20});
  add("lockstep_1_thread", exchange_lockstep, 1, {10, 16, 20});
  add("boost_fiber_2_threads", exchange_boost_fiber, 2, {10, 16});
  add("bare_coroutines_2_threads", exchange_bare_coroutines, 2, {10, 16, 20});
  add("plain_loop_1_thread", exchange_plain_loop, 1, {10, 16, 20});
  // Five interleaved repetitions, unless the caller says otherwise: the last of two equal flags wins.
  std::vector<char*> arguments(argv, argv + argc);
  std::string repetitions = "--benchmark_repetitions=5";
  std::string interleaving = "--benchmark_enable_random_interleaving=true";
  std::string aggregates = "--benchmark_report_aggregates_only=false";
  std::string time = "--benchmark_min_time=0.2";
  arguments.insert(arguments.begin() + 1, {repetitions.data(), interleaving.data(), aggregates.data(), time.data()});
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratios();
  return 0;
}
