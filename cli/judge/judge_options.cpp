#include "judge_options.hpp"

#include <algorithm>

#include "compare/compare_options.hpp"
#include "flags/graph_options.hpp"
#include "flags/memory_size.hpp"
#include "flags/value_option.hpp"
#include "flags/value_range.hpp"
#include "host/number_text.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "run/run_options.hpp"

namespace lockstep::cli::judge {
namespace {

constexpr const char* explained =
    R"(Every run is a separate process with limits of time and memory. On every machine the method runs once and its
messages are examined: is all data right, and if not, which processor lacks which block; was every rule kept; can all
data have come by messages? A right result is checked again with another root, more words and another seed, unless you
set them. Then the method runs with the processors in other orders (--seeds) and on several threads, and all results
must be equal. One line per machine shows steps, their lower bound, the catalogued method with the fewest steps under
the same rules, and the modelled time.

Points: the fraction of the machines with right data, the fraction of those where the programs finished and kept the
rules, and the mean of bound / steps, where wrong data counts 0; each times its share. Where no bound is known, the best
catalogued method's steps replace it, or the other shares take its points. A program that is seen to cheat, or that
depends on the order of processors, gets none for data and bound.

Examples:
  lockstep judge --algorithm allgather/daisy-chain --machine ring:2..16*2
  lockstep judge --algorithm sort/merge --machine rh:2,1 --machine rh:3,1 --words 8 --json -

The exit code is 0 if all is right, 1 if something is wrong, 2 if the input was bad, 130 if you interrupted it.)";

constexpr std::uint64_t most_seeds = 1000;
constexpr double a_day = 86400;
constexpr double most_points = 1e6;
/// The command itself needs about this much to start.
constexpr std::uint64_t least_memory = std::uint64_t{64} << 20;

bool begins_machine(std::string_view text) {
  return std::ranges::any_of(machine_families(), [&](const MachineFamily& family) {
    return text.starts_with(family.name) && text.substr(family.name.size()).starts_with(':');
  });
}

/// "ring:4,rh:2,1" has two: a comma separates machines if one begins after it.
std::vector<std::string> parted(const std::string& text) {
  std::vector<std::string> machines;
  std::size_t first = 0;
  for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 1)) {
    if (!begins_machine(std::string_view(text).substr(comma + 1))) continue;
    machines.push_back(text.substr(first, comma - first));
    first = comma + 1;
  }
  machines.push_back(text.substr(first));
  return machines;
}

}  // namespace

void add_judge_options(CLI::App& app, JudgeArguments& arguments) {
  const char* const what = "What to judge";
  flags::add_value_option(app, "--algorithm", "NAME",
                          "the method, or \"NAME on SPEC\", as with --embed SPEC (default: all of the program's own)",
                          [&arguments](const std::string& text) { arguments.algorithm = text; })
      .group(what);
  flags::add_repeated_option(
      app, "--machine", "SPEC,..",
      "the machines, or ranges such as hypercube:0..6 (default: the program's own, else some of up to 64 "
      "processors)",
      [&arguments](const std::string& text) {
        for (const std::string& part : parted(text)) {
          for (std::string& machine : flags::machines_of(part)) {
            arguments.trials.machines.push_back(std::move(machine));
          }
        }
      })
      .group(what);
  flags::add_graph_options(app, [&arguments] { return flags::pointers_to(arguments.trials.machines); });
  run::add_embed_options(app, what,
                         "judge a method of SPEC embedded in each --machine, e.g. complete:16 on hypercube:4",
                         arguments.trials.run.embed, arguments.trials.run.map);
  run::add_setting_options(
      app, [](std::string_view name) { return name != "output" && name != "time-limit" && name != "word-bytes"; },
      [&arguments](const SettingFlag& flag, const std::string& text) {
        compare::take_parameter(arguments.trials, flag, text);
      });
  flags::add_model_options(app, arguments.trials.run.model);

  const char* const how = "How it is judged";
  const auto add = [&app](const char* flag, const char* type, const char* description, const char* group,
                          flags::TakeText take) {
    flags::add_value_option(app, flag, type, description, std::move(take)).group(group);
  };
  add("--seeds", "N", "number of processor orders to run (default 20)", how,
      [&arguments](const std::string& text) { arguments.seeds = parse_whole_number("--seeds", text, 0, most_seeds); });
  add("--time-limit", "SECONDS", "wall-clock limit of one run (default 60)", how,
      [&arguments](const std::string& text) {
        arguments.time_limit = host::parse_seconds("--time-limit", text, a_day);
      });
  add("--memory-limit", "SIZE", "memory limit of one run: 64MiB or more (default 2GiB)", how,
      [&arguments](const std::string& text) {
        arguments.memory_limit = flags::parse_memory_size("--memory-limit", text, least_memory);
      });
  run::add_max_cycles_option(app, "10^6", arguments.trials.run.max_cycles).group(how);
  const auto add_points = [&](const char* flag, const char* description, double& points) {
    add(flag, "POINTS", description, how,
        [flag, &points](const std::string& text) { points = host::parse_number(flag, text, most_points, "12.5"); });
  };
  add_points("--data-points", "points for right data (default 60)", arguments.data_points);
  add_points("--rules-points", "points for keeping the rules (default 20)", arguments.rules_points);
  add_points("--bound-points", "points for few steps (default 20)", arguments.bound_points);
  flags::add_repeated_option(app, "--against", "PROGRAM,..",
                             "other programs with their own methods, for a league table",
                             [&arguments](const std::string& text) {
                               std::size_t first = 0;
                               for (std::size_t comma = 0; comma != std::string::npos; first = comma + 1) {
                                 comma = text.find(',', first);
                                 arguments.against.push_back(text.substr(first, comma - first));
                                 if (arguments.against.back().empty()) throw InputError("--against names no program");
                               }
                             })
      .group(how);
  const char* const output = "Output";
  flags::add_json_option(app, "write JSON to FILE, or with - or no FILE as the only text on standard output",
                         [&arguments](const std::string& text) { arguments.json = text; })
      .group(output);
  flags::add_flag(app, "--quiet", arguments.quiet, "show neither table nor progress").group(output);
  flags::set_footer(app, explained);
}

}  // namespace lockstep::cli::judge
