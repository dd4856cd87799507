#include "learn_options.hpp"

#include "flags/value_option.hpp"
#include "host/number_text.hpp"

namespace lockstep::cli::learn {
namespace {

constexpr const char* json_description = "write JSON to FILE, or with - or no FILE to standard output";

constexpr const char* list_examples = R"(Examples:
  lockstep list algorithms broadcast
  lockstep list --machine rh:3,2
  lockstep list --operation scan --json)";

constexpr const char* explain_examples = R"(Examples:
  lockstep explain broadcast/sbt
  lockstep explain allgather/daisy-chain --machine torus:4x4
  lockstep explain 'scatter/two-phase on path:16'
  lockstep explain deadlock
  lockstep explain torus --json)";

constexpr const char* demo_examples =
    R"(Keys: Enter goes on, b back, q quits; arrows and Page Down scroll a text that is longer than the screen.

Examples:
  lockstep demo
  lockstep demo broadcast-hypercube
  lockstep demo deadlock --auto 3
  lockstep demo pipelining --speaker)";

constexpr const char* new_examples =
    R"(The directory NAME gets a program to complete, a CMake project that builds and judges it, and a README.

Examples:
  lockstep new mine --operation allgather
  lockstep new round --operation broadcast --machine ring
  lockstep new mine --operation alltoall --machine graph:petersen.json)";

}  // namespace

void add_list_options(CLI::App& app, ListArguments& arguments) {
  flags::add_value_option(app, "what", "machines|algorithms|presets", "the list to show (default: all)",
                          [&arguments](const std::string& text) { arguments.what = text; });
  flags::add_value_option(
      app, "name", "NAME",
      "only entries of that name: a family of machines; an algorithm, or all of an operation; a preset",
      [&arguments](const std::string& text) { arguments.name = text; });
  flags::add_value_option(app, "--operation", "NAME", "only algorithms of that operation, e.g. scan",
                          [&arguments](const std::string& text) { arguments.operation = text; });
  flags::add_value_option(app, "--machine", "SPEC", "only algorithms that run on that machine",
                          [&arguments](const std::string& text) { arguments.machine = text; });
  flags::add_json_option(app, json_description, [&arguments](const std::string& text) { arguments.json = text; });
  flags::set_footer(app, list_examples);
}

void add_errata_options(CLI::App& app, ErrataArguments& arguments) {
  flags::add_value_option(app, "name", "PAPER", "a paper, such as johnsson-ho, or one erratum, such as J23",
                          [&arguments](const std::string& text) { arguments.name = text; });
  flags::add_value_option(app, "--markdown", "FILE", "write Markdown to FILE, or with - to standard output",
                          [&arguments](const std::string& text) { arguments.markdown = text; });
  flags::add_json_option(app, json_description, [&arguments](const std::string& text) { arguments.json = text; });
  flags::set_footer(app, "Examples:\n  lockstep errata johnsson-ho\n  lockstep errata J23 --json");
}

void add_explain_options(CLI::App& app, ExplainArguments& arguments) {
  flags::add_value_option(
      app, "name", "NAME",
      "what to explain, such as broadcast/sbt, TEA1, scan, torus, 'port model' or deadlock (default: list all "
      "names)",
      [&arguments](const std::string& text) { arguments.name = text; });
  flags::add_value_option(
      app, "--machine", "SPEC",
      "among methods of one name, the one that runs on that machine; of \"METHOD on SPEC\" the machine in "
      "which SPEC is embedded",
      [&arguments](const std::string& text) { arguments.machine = text; });
  flags::add_json_option(app, json_description, [&arguments](const std::string& text) { arguments.json = text; });
  flags::set_footer(app, explain_examples);
}

void add_demo_options(CLI::App& app, DemoArguments& arguments) {
  flags::add_value_option(app, "name", "NAME", "the demonstration (default: list all)",
                          [&arguments](const std::string& text) { arguments.name = text; });
  flags::add_value_option(
      app, "--auto", "SECONDS", "advance by itself every SECONDS",
      [&arguments](const std::string& text) { arguments.seconds = host::parse_seconds("--auto", text, 3600); });
  flags::add_value_option(app, "--html", "FILE|-", "write a page for a browser with the runs and their texts",
                          [&arguments](const std::string& text) { arguments.html = text; });
  flags::add_flag(app, "--speaker", arguments.speaker, "print the notes for a lecturer instead");
  flags::set_footer(app, demo_examples);
}

void add_new_options(CLI::App& app, NewArguments& arguments) {
  flags::add_value_option(app, "name", "NAME", "the name of the directory, the program and its method OPERATION/NAME",
                          [&arguments](const std::string& text) { arguments.name = text; });
  flags::add_value_option(app, "--operation", "NAME", "the operation of the program, e.g. allgather",
                          [&arguments](const std::string& text) { arguments.operation = &project_operation(text); });
  flags::add_value_option(app, "--machine", "FAMILY|graph:FILE", "the machines on which it runs (default hypercube)",
                          [&arguments](const std::string& text) { arguments.machine = project_machine(text); });
  flags::set_footer(app, new_examples);
}

}  // namespace lockstep::cli::learn
