#pragma once

#include <optional>
#include <span>
#include <string>

#include "run/failure.hpp"

namespace lockstep::cli::shell {

/// Writes the reports of a command that ends before it begins: a wrong argument, a refused run. It searches the raw
/// arguments, since those that name the reports may follow the wrong one.
class RefusalReport {
 public:
  /// All arguments without the program's name; they must outlive the report.
  explicit RefusalReport(std::span<const char* const> arguments) : arguments_(arguments) {}

  /// Writes a JSON document if --json is given and a CSV row if --csv is, where they can be written. A file that
  /// another argument names too is not touched.
  void write(const run::CommandFailure& failure) const;

 private:
  std::optional<std::string> json() const;
  /// Whether the command is about one run.
  bool is_run() const;
  bool is_named_once(const std::string& path) const;

  std::span<const char* const> arguments_;
};

}  // namespace lockstep::cli::shell
