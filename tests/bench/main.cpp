// Benchmarks of the emulator and of the same work done by other means in the same binary and run: only the ratios
// count, since hosts differ and are noisy. `./dev bench` builds and runs this.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "instructions.hpp"
#include "lockstep/core/error.hpp"
#include "measurements.hpp"
#include "options.hpp"
#include "ratio_table.hpp"
#include "ratios.hpp"
#include "results_page.hpp"

namespace lockstep::bench {
namespace {

void measure(benchmark::State& state, const Benchmark& benchmark, Measurements& measurements) {
  for (auto _ : state) {
    try {
      const Timing timing = benchmark.run();
      state.SetIterationTime(timing.run_seconds);
      measurements.add(benchmark.name, timing);
    } catch (const MemoryError& error) {
      state.SkipWithError(error.what());
      break;
    } catch (const std::logic_error& error) {
      throw std::logic_error(benchmark.name + ": " + error.what());
    }
  }
}

void add(const Benchmark& benchmark, Measurements& measurements) {
  const auto run = [&measurements, benchmark](benchmark::State& state) { measure(state, benchmark, measurements); };
  benchmark::RegisterBenchmark(benchmark.name.c_str(), run)->Iterations(benchmark.runs)->UseManualTime();
}

/// Prints a line for every benchmark after its last repetition.
class LineReporter : public benchmark::BenchmarkReporter {
 public:
  explicit LineReporter(const Measurements& measurements) : measurements_(measurements) {}

  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    if (runs.front().run_type == Run::RT_Aggregate) return;
    const std::string& name = runs.front().run_name.function_name;
    std::printf("%-42s", name.c_str());
    if (const auto time = measurements_.value(name, Quantity::run)) {
      std::printf("%8.2f ns a message, %7.2f million/s, set-up %9.6f s", *time, 1e3 / *time,
                  *measurements_.setup_seconds(name));
      if (const double word = *measurements_.value(name, Quantity::word); std::isfinite(word)) {
        std::printf(", %6.2f ns a word, verification %.6f s", word, *measurements_.verify_seconds(name));
      }
      const double bytes = *measurements_.value(name, Quantity::memory);
      if (bytes > 0) std::printf(", %.0f bytes a processor", bytes);
    } else {
      std::printf("not run: %s", runs.front().error_message.c_str());
    }
    std::printf("\n");
    std::fflush(stdout);
  }

 private:
  const Measurements& measurements_;
};

void print_ratios(const Measurements& measurements) {
  std::printf("\n");
  for (const Ratio& ratio : ratios()) {
    const std::optional<double> value = value_of(ratio, measurements);
    if (value) std::printf("%-48s %7.3g\n", ratio.name.c_str(), *value);
  }
}

void print_instructions(const Measurements& measurements) {
  for (const InstructionKernel& kernel : instruction_kernels) {
    std::printf("%-48s %7.1f instructions a message\n", text(kernel).c_str(), *measurements.instructions(text(kernel)));
  }
}

/// Passes the arguments to Google Benchmark, preceded by five interleaved repetitions: the last of two equal flags
/// wins. Returns whether all were understood.
bool initialize(const std::string& program, const Options& options) {
  std::vector<std::string> arguments{
      program, "--benchmark_enable_random_interleaving=true",
      options.form == Form::tiny ? "--benchmark_repetitions=1" : "--benchmark_repetitions=5"};
  arguments.insert(arguments.end(), options.others.begin(), options.others.end());
  std::vector<char*> pointers;
  pointers.reserve(arguments.size());
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  return !benchmark::ReportUnrecognizedArguments(count, pointers.data());
}

/// Thrown when Google Benchmark does not understand an argument, after its own message.
struct UnknownArgument {};

Measurements measure_all(const std::string& program, const Options& options) {
  Measurements measurements;
  for (const Benchmark& benchmark : benchmarks(options.form)) add(benchmark, measurements);
  if (!initialize(program, options)) throw UnknownArgument{};
  LineReporter reporter(measurements);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  std::cout << std::endl;
  return measurements;
}

/// Returns the exit code.
int run(const std::string& program, const Options& options) {
  if (options.check) {
    std::ifstream table(*options.check);
    if (!table) throw std::invalid_argument("cannot open " + *options.check);
    return check(
        table, [&] { return measure_all(program, options); }, std::cout, std::cerr);
  }
  const Host host = this_host();
  if (options.record) {
    require_idle(host);
    require_directory(*options.record);
  }
  std::cout << host.kind << ", load " << host.load << std::endl;
  Measurements measurements = measure_all(program, options);
  print_ratios(measurements);
  if (options.form == Form::all && options.others.empty()) {
    if (count_instructions(program, measurements)) {
      print_instructions(measurements);
    } else {
      std::printf("valgrind, which counts instructions, is not installed\n");
    }
  }
  if (options.record) write_results(measurements, host, *options.record);
  return 0;
}

}  // namespace
}  // namespace lockstep::bench

int main(int argc, char** argv) {
  using namespace lockstep::bench;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (std::find(arguments.begin(), arguments.end(), "--help") != arguments.end()) {
    std::cout << options_help();
    return 0;
  }
  try {
    if (arguments.size() == 1 && run_watched(arguments.front())) return 0;
    return run(argv[0], read_options(arguments, LOCKSTEP_BENCH_DIRECTORY));
  } catch (const UnknownArgument&) {
    return 2;
  } catch (const std::invalid_argument& error) {
    std::cerr << "lockstep_bench: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "lockstep_bench: " << error.what() << "\n";
    return 1;
  }
}
