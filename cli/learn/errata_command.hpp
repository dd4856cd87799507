#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::cli::learn {

/// What `lockstep errata` was asked for.
struct ErrataArguments {
  std::string name;                           ///< a paper, or the number of an erratum; empty: all
  std::optional<std::string> markdown, json;  ///< files or "-"
};

/// Whether a paper or an erratum has that name, in any case of letters.
bool names_errata(std::string_view name);

/// `lockstep errata`: what the papers have wrong and what holds instead, for people, as Markdown or as JSON. Throws
/// InputError and OutputError.
int errata_command(const ErrataArguments& arguments);

}  // namespace lockstep::cli::learn
