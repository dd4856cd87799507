#pragma once

#include "demo_command.hpp"
#include "errata_command.hpp"
#include "explain_command.hpp"
#include "list_command.hpp"
#include "new_command.hpp"

// The flags of the commands of this room.

namespace CLI {
class App;
}

namespace lockstep::cli::learn {

void add_list_options(CLI::App& app, ListArguments& arguments);
void add_errata_options(CLI::App& app, ErrataArguments& arguments);
void add_explain_options(CLI::App& app, ExplainArguments& arguments);
void add_demo_options(CLI::App& app, DemoArguments& arguments);
void add_new_options(CLI::App& app, NewArguments& arguments);

}  // namespace lockstep::cli::learn
