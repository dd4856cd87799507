#pragma once

#include <span>
#include <vector>

namespace lockstep::cli::shell {

/// The arguments without the program's name, such as "info --json ring:8", in an order in which no word that follows a
/// bare --json, whose file may be left out, is taken for that file though it is the subcommand's argument: "info ring:8
/// --json=-". The arguments must outlive the result.
std::vector<const char*> argument_before_json(std::span<const char* const> arguments);

}  // namespace lockstep::cli::shell
