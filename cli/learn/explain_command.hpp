#pragma once

#include <optional>
#include <string>

namespace lockstep::cli::learn {

/// The arguments of `lockstep explain`.
struct ExplainArguments {
  std::string name;                    ///< of a topic; empty: list all topics
  std::optional<std::string> machine;  ///< only methods that run on it
  std::optional<std::string> json;     ///< a file or "-"
};

/// `lockstep explain`: explains a method, operation, machine, term, parameter or kind of error, as text or JSON. Throws
/// InputError and OutputError.
int explain_command(const ExplainArguments& arguments);

}  // namespace lockstep::cli::learn
