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

/// What `lockstep trace` was asked for besides a run.
struct TraceArguments {
  bool text = false;
  std::optional<std::string> html;  ///< a file or "-", as the following
  std::optional<std::string> json;
  std::optional<std::string> perfetto;
  std::optional<std::string> goal;
  std::optional<std::string> dot;
  std::optional<std::string> replay;  ///< a directory
  std::optional<std::uint64_t> word_bytes;
  TraceLimits limits;
  std::vector<Against> against;
  /// The parameters as they were given, for those of `against`.
  std::vector<std::pair<const SettingFlag*, std::string>> settings;

  /// The files that are to be written, with their flags; standard output for the text if that was asked for.
  std::vector<host::NamedFile> outputs() const;
  /// Whether the text is shown: nothing else was asked for, or it was.
  bool shows_text() const;
};

/// Adds the flags of `lockstep trace` that `run` does not have.
void add_trace_forms(CLI::App& app, TraceArguments& arguments);

}  // namespace lockstep::cli::run
