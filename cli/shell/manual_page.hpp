#pragma once

#include <string>

namespace CLI {
class App;
}

namespace lockstep::cli::shell {

/// The manual page in the language of man: the help of the app and its subcommands, exit codes and environment.
std::string manual_page(const CLI::App& app);

}  // namespace lockstep::cli::shell
