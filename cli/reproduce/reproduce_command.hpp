#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "flags/report_files.hpp"
#include "reproduction.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::reproduce {

/// The arguments of `lockstep reproduce`.
struct ReproduceArguments {
  std::string name;  ///< of a reproduction; empty: list all
  bool quick = false;
  bool quiet = false;
  flags::ReportPlaces places;
  std::optional<std::string> plot;
};

/// Adds the flags of `lockstep reproduce` and its help text. The arguments must outlive the app.
void add_reproduce_options(CLI::App& app, ReproduceArguments& arguments);

/// `lockstep reproduce`: a paper's results beside the machine's counts, or the list of reproductions. Returns
/// run_failed if a result differs that should agree. Throws InputError, OutputError, MemoryError and Interrupted.
int reproduce_command(const ReproduceArguments& arguments, const std::atomic<bool>& stop);

/// The same for this entry, whatever name was given.
int reproduce(const ReproductionEntry& entry, const ReproduceArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::reproduce
