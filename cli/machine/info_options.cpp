#include "info_options.hpp"

#include "flags/graph_options.hpp"
#include "flags/value_option.hpp"
#include "host/number_text.hpp"
#include "lockstep/algorithms/method.hpp"
#include "run/run_options.hpp"

namespace lockstep::cli::machine {

void add_info_options(CLI::App& app, InfoArguments& arguments) {
  flags::add_value_option(app, "machine", "MACHINE", "the machine, e.g. torus:4x5; see `lockstep list machines`",
                          [&arguments](const std::string& text) { arguments.machine = text; });
  flags::add_graph_options(app, [&arguments] { return std::vector<std::string*>{&arguments.machine}; });
  run::add_embed_options(app, "", "show the embedding of SPEC (or binary-tree) in the machine, and its costs",
                         arguments.embed, arguments.map);
  flags::add_json_option(app, "write JSON to FILE, or with - or no FILE to standard output",
                         [&arguments](const std::string& text) { arguments.json = text; });
  flags::add_flag(app, "--status", arguments.status,
                  "instead show the status of every processor, the sum of its distances to all");
  const auto add_graph_option = [&app](const char* flag, const char* form, std::optional<std::string>& path) {
    flags::add_value_option(app, flag, "FILE|-", std::string("write the machine as a graph with places: ") + form,
                            [&path](const std::string& text) { path = text; });
  };
  add_graph_option("--graph-json", "NetworkX node-link JSON", arguments.node_link);
  add_graph_option("--graphml", "GraphML", arguments.graphml);
  add_graph_option("--dot", "DOT, for neato", arguments.dot);
  flags::add_value_option(
      app, "--processes", "P",
      "show the parts of P processes (mpirun -n P lockstep run ..), the links cut between them, and the "
      "time of a run: 1 to 65536",
      [&arguments](const std::string& text) {
        arguments.processes = static_cast<unsigned>(parse_whole_number("--processes", text, 1, 65536));
      });
  run::add_partition_option(app, "their division of the machine: block (default), gray or metis",
                            [&arguments](PartitionKind partition) { arguments.partition = partition; });
  flags::add_value_option(app, "--algorithm", "NAME", "predict a run of the method on them, with its defaults",
                          [&arguments](const std::string& text) { arguments.algorithm = text; });
  flags::add_value_option(app, "--message-time", "SECONDS",
                          "cost of a message of that run to one thread, as `lockstep run --threads 1` reports it for a "
                          "smaller machine, e.g. 60e-9 (default: the cost in a regular exchange, measured now)",
                          [&arguments](const std::string& text) {
                            arguments.message_time = host::parse_seconds("--message-time", text, 1);
                          });
  run::add_setting_options(
      app, [](std::string_view name) { return name == "words"; },
      [&arguments](const SettingFlag& flag, const std::string& text) { flag.set(arguments.settings, text); });
  flags::set_footer(app,
                    "Examples:\n  lockstep info rh:2,1\n  lockstep info 'product:ring:5*complete:4' --json\n"
                    "  lockstep info mesh:3x2 --status\n  lockstep info hypercube:5 --embed torus:4x8\n"
                    "  lockstep info mesh:8x8 --embed hypercube:6 --map shuffled\n"
                    "  lockstep info torus:4096x4096 --processes 4 --algorithm broadcast/axis");
}

}  // namespace lockstep::cli::machine
