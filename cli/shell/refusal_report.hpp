#pragma once

#include <optional>
#include <span>
#include <string>

#include "run/failure.hpp"

namespace lockstep::cli::shell {

/// What the reports say of a command that ended before it had begun: an argument that is wrong, a run that is refused.
/// The arguments are looked through as they are, since those that name the reports may stand behind the one that is
/// wrong.
class RefusalReport {
 public:
  /// All arguments, without the program's name; they have to outlive it.
  explicit RefusalReport(std::span<const char* const> arguments) : arguments_(arguments) {}

  /// Writes a JSON document if --json is there, and a CSV row if --csv is, as far as they can be written. A file that
  /// another argument names too is left alone.
  void write(const run::Failure& failure) const;

 private:
  std::optional<std::string> value_of(std::string_view flag) const;
  std::optional<std::string> json() const;
  /// Whether the command is about one run.
  bool is_run() const;
  bool is_named_once(const std::string& path) const;

  std::span<const char* const> arguments_;
};

}  // namespace lockstep::cli::shell
