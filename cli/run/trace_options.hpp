#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "against.hpp"
#include "host/file_names.hpp"
#include "lockstep/algorithms/settings.hpp"
#include "trace_limits.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::run {

/// The arguments of `lockstep trace` beyond those of a run.
struct TraceArguments {
  bool text = false;
  std::optional<std::string> html;  ///< a file or "-", as those below
  std::optional<std::string> json;
  std::optional<std::string> perfetto;
  std::optional<std::string> goal;
  std::optional<std::string> dot;
  std::optional<std::string> replay;  ///< a directory
  std::optional<std::uint64_t> word_bytes;
  TraceLimits limits;
  std::vector<Against> against;
  /// The parameters as given, for the runs of `against`.
  std::vector<std::pair<const SettingFlag*, std::string>> settings;

  /// The files to write, with their flags; standard output for the text if --text was given.
  std::vector<host::NamedFile> outputs() const;
  /// Whether the text is shown: --text was given, or no other form.
  bool shows_text() const;
};

/// Adds the flags of `lockstep trace` that `run` does not have.
void add_trace_forms(CLI::App& app, TraceArguments& arguments);

}  // namespace lockstep::cli::run
