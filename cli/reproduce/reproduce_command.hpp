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

/// What `lockstep reproduce` was asked for.
struct ReproduceArguments {
  std::string name;  ///< of what is reproduced; empty: the list of what there is
  bool quick = false;
  bool quiet = false;
  flags::ReportPlaces places;
  std::optional<std::string> plot;
};

/// Adds the flags of `lockstep reproduce` and its help text. The arguments must outlive the app.
void add_reproduce_options(CLI::App& app, ReproduceArguments& arguments);

/// `lockstep reproduce`: what a paper prints beside what the machine counts, or the list of what there is. Returns
/// run_failed if something differs that should agree. Throws InputError, OutputError, MemoryError and Interrupted.
int reproduce_command(const ReproduceArguments& arguments, const std::atomic<bool>& stop);

/// The same of this entry, whatever name was given.
int reproduce(const ReproductionEntry& entry, const ReproduceArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::reproduce
