#include "learn_options.hpp"

#include "flags/value_option.hpp"
#include "host/number_text.hpp"

namespace lockstep::cli::learn {
namespace {

constexpr const char* json_description = "write JSON, to FILE or (-, or no FILE) to standard output";

constexpr const char* list_examples = R"(Examples:
  lockstep list algorithms broadcast
  lockstep list --machine rh:3,2
  lockstep list --operation scan --json)";

constexpr const char* explain_examples = R"(Examples:
  lockstep explain broadcast/sbt
  lockstep explain allgather/daisy-chain --machine torus:4x4
  lockstep explain deadlock
  lockstep explain torus --json)";

constexpr const char* demo_examples =
    R"(Keys: Enter goes on, b back, q quits; arrows and Page Down scroll what is longer than the screen.

Examples:
  lockstep demo
  lockstep demo broadcast-hypercube
  lockstep demo deadlock --auto 3
  lockstep demo pipelining --speaker)";

constexpr const char* new_examples =
    R"(The directory NAME has a program to fill in, a CMake project that builds and judges it, and a README that says how.

Examples:
  lockstep new mine --operation allgather
  lockstep new round --operation broadcast --machine ring)";

}  // namespace

void add_list_options(CLI::App& app, ListArguments& arguments) {
  flags::add_value_option(app, "what", "machines|algorithms|presets", "which list to show; all if not given",
                          [&arguments](const std::string& text) { arguments.what = text; });
  flags::add_value_option(
      app, "name", "NAME",
      "only what has that name: a family of machines; an algorithm, or all of an operation; a preset",
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
  flags::add_value_option(app, "--markdown", "FILE", "write Markdown, to FILE or (-) to standard output",
                          [&arguments](const std::string& text) { arguments.markdown = text; });
  flags::add_json_option(app, json_description, [&arguments](const std::string& text) { arguments.json = text; });
  flags::set_footer(app, "Examples:\n  lockstep errata johnsson-ho\n  lockstep errata J23 --json");
}

void add_explain_options(CLI::App& app, ExplainArguments& arguments) {
  flags::add_value_option(
      app, "name", "NAME",
      "what to explain, such as broadcast/sbt, TEA1, scan, torus, 'port model' or deadlock; all names if "
      "not given",
      [&arguments](const std::string& text) { arguments.name = text; });
  flags::add_value_option(app, "--machine", "SPEC", "of methods of that name only the one that runs on that machine",
                          [&arguments](const std::string& text) { arguments.machine = text; });
  flags::add_json_option(app, json_description, [&arguments](const std::string& text) { arguments.json = text; });
  flags::set_footer(app, explain_examples);
}

void add_demo_options(CLI::App& app, DemoArguments& arguments) {
  flags::add_value_option(app, "name", "NAME", "which demonstration; all are listed if not given",
                          [&arguments](const std::string& text) { arguments.name = text; });
  flags::add_value_option(
      app, "--auto", "SECONDS", "go on by itself after so many seconds",
      [&arguments](const std::string& text) { arguments.seconds = host::parse_seconds("--auto", text, 3600); });
  flags::add_value_option(app, "--html", "FILE|-", "write a page for browsers with the runs and what is said of them",
                          [&arguments](const std::string& text) { arguments.html = text; });
  flags::add_flag(app, "--speaker", arguments.speaker, "print the notes for a lecturer instead");
  flags::set_footer(app, demo_examples);
}

void add_new_options(CLI::App& app, NewArguments& arguments) {
  flags::add_value_option(app, "name", "NAME", "of the directory, the program and its method OPERATION/NAME",
                          [&arguments](const std::string& text) { arguments.name = text; });
  flags::add_value_option(app, "--operation", "NAME", "what the program is to do, e.g. allgather",
                          [&arguments](const std::string& text) { arguments.operation = &project_operation(text); });
  flags::add_value_option(app, "--machine", "FAMILY", "the machines on which it is to run (default hypercube)",
                          [&arguments](const std::string& text) { arguments.family = project_family(text); });
  flags::set_footer(app, new_examples);
}

}  // namespace lockstep::cli::learn
