#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::cli::learn {

/// The arguments of `lockstep errata`.
struct ErrataArguments {
  std::string name;                           ///< a paper, or the number of an erratum; empty: all
  std::optional<std::string> markdown, json;  ///< files or "-"
};

/// Whether a paper or an erratum has that name, in upper or lower case.
bool names_errata(std::string_view name);

/// `lockstep errata`: errors in the papers and their corrections, as text, Markdown or JSON. Throws InputError and
/// OutputError.
int errata_command(const ErrataArguments& arguments);

}  // namespace lockstep::cli::learn
