#pragma once

#include <optional>
#include <string>

namespace lockstep::cli::learn {

/// What `lockstep explain` was asked for.
struct ExplainArguments {
  std::string name;                    ///< of a topic; empty: what can be explained
  std::optional<std::string> machine;  ///< of methods only those that run on it
  std::optional<std::string> json;     ///< a file or "-"
};

/// `lockstep explain`: what a method, operation, machine, term, parameter or kind of error is, for people or as JSON.
/// Throws InputError and OutputError.
int explain_command(const ExplainArguments& arguments);

}  // namespace lockstep::cli::learn
