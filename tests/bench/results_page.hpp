#pragma once

#include <string>

#include "measurements.hpp"
#include "report/plot.hpp"

namespace lockstep::bench {

/// The host of the measurements.
struct Host {
  std::string kind;  ///< cores, kind of processor, compiler
  double load;       ///< its load average before anything was measured
};
Host this_host();

/// RESULTS.md.
std::string results_page(const Measurements& measurements, const Host& host);

/// The plot of the page.
cli::report::Plot results_plot(const Measurements& measurements, const Host& host);

/// Throws std::runtime_error if the host is busy with other work.
void require_idle(const Host& host);

/// Throws std::runtime_error if there is no such directory, so that nothing is measured in vain.
void require_directory(const std::string& directory);

/// Writes RESULTS.md, ratios.csv and time_per_message.svg, with its commands and data, into the directory. Throws
/// std::runtime_error or OutputError if it cannot, or, before it writes anything, if a ratio was not measured.
void write_results(const Measurements& measurements, const Host& host, const std::string& directory);

}  // namespace lockstep::bench
