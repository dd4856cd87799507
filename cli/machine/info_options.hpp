#pragma once

#include "info_command.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::machine {

void add_info_options(CLI::App& app, InfoArguments& arguments);

}  // namespace lockstep::cli::machine
