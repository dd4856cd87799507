#pragma once

#include <string>

namespace CLI {
class App;
}

namespace lockstep::cli::shell {

/// The page for man, in its language: what the help of the app and of its subcommands says, exit codes and environment.
std::string manual_page(const CLI::App& app);

}  // namespace lockstep::cli::shell
