#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "lockstep/core/model.hpp"
#include "run/run_options.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::search {

/// The arguments of `lockstep search`, each flag checked by itself.
struct SearchArguments {
  std::string operation;
  std::string machine;
  std::uint32_t chunks = 1;
  std::uint64_t words = 1;  ///< of a chunk
  std::uint64_t root = 0;
  PortModel ports = PortModel::one;
  std::optional<std::uint64_t> steps{};
  std::optional<double> beta{};  ///< time of a step
  std::optional<double> tau{};   ///< of a word on a link
  std::uint64_t tries = 100'000;
  std::uint64_t seed = 1;
  std::optional<double> time_limit{};                          ///< seconds
  std::optional<std::string> resume{};                         ///< the file of the schedule that it goes on from
  std::optional<std::string> output{};                         ///< a file or "-"
  run::ScheduleFormat format = run::ScheduleFormat::lockstep;  ///< of the output
  std::optional<std::string> json{};
  bool quiet = false;
};

/// Adds the flags of `lockstep search` and its help text. The arguments must outlive the app.
void add_search_options(CLI::App& app, SearchArguments& arguments);

/// `lockstep search`: finds schedules, runs the best, compares it with the bounds and the best method of the catalogue,
/// reports and writes it, also if the time is over or the user interrupts when there is one. Returns the exit code.
/// Throws InputError, OutputError and Interrupted.
int search_command(const SearchArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::search
