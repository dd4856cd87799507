#include "results_page.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "instructions.hpp"
#include "ratio_table.hpp"
#include "ratios.hpp"
#include "report/picture.hpp"

namespace lockstep::bench {
namespace {

/// A way of doing kernel E, over n.
struct Series {
  const char* label;
  const char* contender;
  unsigned threads;
};
constexpr Series series[] = {{"Lockstep, 2 threads", "lockstep", 2},
                             {"Lockstep, 1 thread", "lockstep", 1},
                             {"Boost.Fiber, 2 threads", "boost_fiber", 2},
                             {"polling fibers, 2 threads", "boost_fiber_polling", 2},
                             {"bare coroutines, 2 threads", "bare_coroutines", 2},
                             {"plain loop, 1 thread", "plain_loop", 1}};

/// A row of the other kernels.
struct OtherKernel {
  const char* what;
  const char* kernel;
  const char* contender;
  unsigned threads;
  unsigned size;
};
constexpr OtherKernel others[] = {
    {"E, n = 10, 16 threads", "E", "lockstep", 16, 10},
    {"E, n = 16, 16 threads", "E", "lockstep", 16, 16},
    {"E, n = 10, words in a struct, 1 thread", "E", "lockstep_items", 1, 10},
    {"E, n = 16, words in a struct, 1 thread", "E", "lockstep_items", 1, 16},
    {"E, n = 10, an observer that does nothing", "E", "lockstep_observed", 2, 10},
    {"E, n = 16, an observer that does nothing", "E", "lockstep_observed", 2, 16},
    {"E, n = 10, channels of Boost.Lockfree", "E", "lockstep_lockfree", 2, 10},
    {"E, n = 16, channels of Boost.Lockfree", "E", "lockstep_lockfree", 2, 16},
    {"E, n = 20, channels of Boost.Lockfree", "E", "lockstep_lockfree", 2, 20},
    {"E, n = 20", "E", "lockstep", 2, 20},
    {"E, n = 20, where ports lead tabled beforehand", "E", "lockstep_tabled", 2, 20},
    {"E, n = 20, 1 thread", "E", "lockstep", 1, 20},
    {"E, n = 20, Boost.Fiber", "E", "boost_fiber", 2, 20},
    {"E, n = 20, polling fibers", "E", "boost_fiber_polling", 2, 20},
    {"E, n = 20, bare coroutines", "E", "bare_coroutines", 2, 20},
    {"R: shift on a ring of 2^16", "R", "lockstep", 2, 16},
    {"S: a token's hop on a ring of 2^10", "S", "lockstep", 2, 10},
    {"S: a token's hop on a ring of 2^16", "S", "lockstep", 2, 16},
    {"S: a token's hop on a ring of 2^20", "S", "lockstep", 2, 20},
    {"broadcast on the 10-cube", "broadcast", "lockstep", 2, 10},
    {"broadcast on the 16-cube", "broadcast", "lockstep", 2, 16},
    {"broadcast on the 20-cube", "broadcast", "lockstep", 2, 20},
    {"alltoall/product on torus:32x32", "alltoall", "lockstep", 2, 32},
    {"B: allgather/adea on the 10-cube, a block of 4 KiB", "B", "lockstep", 2, 10},
    {"B: memcpy of the same blocks", "B", "memcpy", 2, 10},
};

/// The number with three digits; a dash where there is none.
std::string number(const std::optional<double>& value) {
  if (!value) return "-";
  char text[32];
  std::snprintf(text, sizeof text, *value < 99.95 ? "%.3g" : "%.0f", *value);
  return text;
}

void write_times(std::ostream& page, const Measurements& measurements) {
  page << "| n | processors |";
  for (const Series& one : series) page << " " << one.label << " |";
  page << "\n|---|---|";
  for (std::size_t column = 0; column < std::size(series); ++column) page << "---|";
  page << "\n";
  for (unsigned n = smallest_n; n <= largest_n; ++n) {
    page << "| " << n << " | " << (1U << n) << " |";
    for (const Series& one : series) {
      const std::string name = benchmark_name("E", one.contender, one.threads, n);
      page << " " << number(measurements.value(name, Quantity::run)) << " |";
    }
    page << "\n";
  }
}

void write_others(std::ostream& page, const Measurements& measurements) {
  page << "| kernel | ns a message | million messages a second | set-up, s | bytes a processor |\n"
          "|---|---|---|---|---|\n";
  for (const OtherKernel& other : others) {
    const std::string name = benchmark_name(other.kernel, other.contender, other.threads, other.size);
    const std::optional<double> time = measurements.value(name, Quantity::run);
    std::optional<double> bytes = measurements.value(name, Quantity::memory);
    if (bytes == 0) bytes.reset();
    page << "| " << other.what << " | " << number(time) << " | " << number(time ? std::optional(1e3 / *time) : time)
         << " | " << number(measurements.setup_seconds(name)) << " | " << number(bytes) << " |\n";
  }
}

void write_ratios(std::ostream& page, const Measurements& measurements) {
  page << "| ratio | measured |\n|---|---|\n";
  for (const Ratio& ratio : ratios()) {
    page << "| " << ratio.name << " | " << number(value_of(ratio, measurements)) << " |\n";
  }
  const auto gives_reason = [&](const Ratio& ratio) { return !ratio.why.empty() && value_of(ratio, measurements); };
  std::vector<std::string> reasons;
  for (const Ratio& ratio : ratios()) {
    if (gives_reason(ratio) && std::ranges::find(reasons, ratio.why) == reasons.end()) reasons.push_back(ratio.why);
  }
  for (const std::string& why : reasons) {
    const char* separator = "\n- ";
    for (const Ratio& ratio : ratios()) {
      if (!gives_reason(ratio) || ratio.why != why) continue;
      page << separator << ratio.name;
      separator = "; ";
    }
    page << ". " << why << "\n";
  }
}

void write_instructions(std::ostream& page, const Measurements& measurements) {
  page << "| kernel E, n = 12, one thread | instructions a message |\n|---|---|\n";
  for (const InstructionKernel& kernel : instruction_kernels) {
    page << "| " << text(kernel) << " | " << number(measurements.instructions(text(kernel))) << " |\n";
  }
}

void write_methods(std::ostream& page, const Measurements& measurements) {
  const std::optional<double> yardstick = measurements.value("transpose/2d-spt/2/hypercube:10", Quantity::word);
  page << "| method | machine | flags | ns a message | ns a word | times `2d-spt` | set-up, s | run, s | verification, "
          "s "
          "|\n|---|---|---|---|---|---|---|---|---|\n";
  for (const MethodSize& size : method_sizes()) {
    const std::string name = benchmark_name(size);
    const std::optional<double> word = measurements.value(name, Quantity::word);
    page << "| " << size.method << " | " << size.machine << " | " << size.flags << " | "
         << number(measurements.value(name, Quantity::run)) << " | " << number(word) << " | "
         << number(word && yardstick ? std::optional(*word / *yardstick) : std::nullopt) << " | "
         << number(measurements.setup_seconds(name)) << " | " << number(measurements.run_seconds(name)) << " | "
         << number(measurements.verify_seconds(name)) << " |\n";
  }
}

void write_noise(std::ostream& page, const Measurements& measurements, const Host& host) {
  page << "The host's load average was " << number(host.load) << " before the run.";
  const std::vector<Measurements::Spread> spreads = measurements.spreads();
  if (!spreads.empty()) {
    const auto percent = [](double share) { return number(100 * share) + " %"; };
    page << " The median of a benchmark's times lies " << percent(spreads[spreads.size() / 2].share)
         << "\nabove their first quartile for half of the benchmarks, and " << percent(spreads.back().share)
         << " for the worst (" << spreads.back().benchmark << ").";
  }
  page << "\n";
}

/// The processor's name in /proc/cpuinfo.
std::string processor_model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "an unnamed processor";
}

void write_file(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  out << text << std::flush;
  if (!out) throw std::runtime_error("cannot write " + file);
}

}  // namespace

Host this_host() {
  const unsigned cores = std::thread::hardware_concurrency();
  Host host{std::to_string(cores) + (cores == 1 ? " core of " : " cores of ") + processor_model(), 0};
  host.kind += ", g++ " __VERSION__;
  getloadavg(&host.load, 1);
  return host;
}

std::string results_page(const Measurements& measurements, const Host& host) {
  std::ostringstream page;
  page << R"(# Measurements

`./dev bench --record` writes this page, its plot and the table `ratios.csv`; nothing in them is edited by hand. Times
are first quartiles over interleaved repetitions in one run of one program, since other work of a host only slows it
down, on )"
       << host.kind << R"(. Hosts differ, so only ratios can be compared with another host's:
`./dev bench --check` measures them again and names those that fell by more than a quarter. `./dev bench` measures
everything and writes no file.

## Kernel E: nanoseconds a message

Recursive-doubling exchange on the n-cube, n 2^n messages of one word, all rules of `--ports one` on. Beside it the same
data movement by Boost.Fiber (a fiber a processor, a buffered channel a link), by fibers that poll lock-free queues
instead of Boost.Fiber's own channels, by bare coroutines over plain arrays (no channels, no rules, no counts), and by a
plain loop over arrays.

![Time a message over n](time_per_message.svg)

)";
  write_times(page, measurements);
  page << "\n## Ratios\n\nMore is better.\n\n";
  write_ratios(page, measurements);
  page << R"(
## All kernels

On two threads unless stated otherwise. In kernel B a message is a block of 4 KiB over one link: 4096 divided by its
nanoseconds is gigabytes a second.

)";
  write_others(page, measurements);
  page << R"(
## Instructions

Counted by valgrind, so they are the same on every host with the same compiler: three rounds of the exchange minus
one round, so that set-up cancels. A dash means that valgrind was not installed.

)";
  write_instructions(page, measurements);
  page << R"(
## All methods

Every method of the catalogue, on two threads, its data checked by its oracle: where about five million words move, with
the flags shown, or, where none are shown, with its defaults. The sixth column compares its nanoseconds a word with those
of `transpose/2d-spt`, which moves few large blocks.

)";
  write_methods(page, measurements);
  page << "\n## Noise\n\n";
  write_noise(page, measurements, host);
  return page.str();
}

cli::report::Plot results_plot(const Measurements& measurements, const Host& host) {
  std::vector<double> times;
  cli::report::Plot plot{.title = "Kernel E: time a message (" + host.kind + ")",
                         .x = {"n, for 2^n processors"},
                         .y = {},
                         .series = {},
                         .marks = {}};
  for (const Series& one : series) {
    cli::report::PlotSeries& curve = plot.series.emplace_back(cli::report::PlotSeries{one.label, {}, {}});
    for (unsigned n = smallest_n; n <= largest_n; ++n) {
      const auto time = measurements.value(benchmark_name("E", one.contender, one.threads, n), Quantity::run);
      if (!time) continue;
      curve.points.push_back({static_cast<double>(n), *time});
      times.push_back(*time);
    }
  }
  plot.y = cli::report::axis_for("time a message (ns)", times);
  return plot;
}

void require_idle(const Host& host) {
  constexpr double most = 0.5;
  if (host.load <= most) return;
  throw std::runtime_error("the host's load average is " + number(host.load) + ", for a record it has to be at most " +
                           number(most) + "; try again when nothing else has run for some minutes");
}

void require_directory(const std::string& directory) {
  if (!std::filesystem::is_directory(directory))
    throw std::runtime_error("no directory '" + directory + "' for a record");
}

void write_results(const Measurements& measurements, const Host& host, const std::string& directory) {
  for (const Ratio& ratio : ratios()) {
    if (!value_of(ratio, measurements)) throw std::runtime_error("not recorded: '" + ratio.name + "' was not measured");
  }
  std::ostringstream table;
  write_table(table, rows(measurements));
  // The latest measurements of processes.sh, with mpirun.
  std::ifstream processes(directory + "/processes.md");
  std::ostringstream page;
  page << results_page(measurements, host) << '\n' << processes.rdbuf();
  write_file(directory + "/RESULTS.md", page.str());
  cli::report::Picture(directory + "/time_per_message.svg").draw(results_plot(measurements, host));
  write_file(directory + "/ratios.csv", table.str());
}

}  // namespace lockstep::bench
