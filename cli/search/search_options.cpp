// The flags of `lockstep search`.
#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "flags/graph_options.hpp"
#include "flags/value_option.hpp"
#include "host/number_text.hpp"
#include "lockstep/algorithms/choice_error.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "search_command.hpp"

namespace lockstep::cli::search {
namespace {

constexpr const char* explained =
    R"(Searches for a schedule of equally long chunks with few steps, and with few rounds in these steps. All chunks
that cross one link in one step are one message, which takes ceil(chunks / multiplicity) rounds; a link's multiplicity
is that of the graph's file ("multiplicity" of an edge), else 1. A step takes as many rounds as its longest message.

More steps may save rounds: the front lists every pair of steps and rounds that no other schedule found, and no method
of the catalogue, improves on. Taken is the schedule of the fewest steps, and among these of the fewest rounds; with
--steps S, that of the fewest rounds in at most S steps; with --beta or --tau, that of the least time, beta a step and
tau a word of the longest message in each. Then the schedule runs: every processor is a program, and the data is compared with the
operation's result.

Every processor has C chunks for all (allgather) or for every other one (alltoall), or the root has them (broadcast);
or every processor combines C parts of the vector (allreduce: a reduce-scatter, which is an allgather backwards, and
that allgather). The same flags and seed give the same schedule, unless --time-limit or Ctrl-C ends the search: then the
best one so far is taken. --resume goes on from it.

Examples:
  lockstep search --operation allgather --machine mesh:3x3 --ports all
  lockstep search --operation broadcast --machine torus:4x4 --chunks 8 --steps 7 --ports all
  lockstep search --operation broadcast --machine hypercube:4 --chunks 32 --beta 10
  lockstep search --operation allgather --machine graph:dgx1.json --chunks 6 --steps 3 --ports all --output dgx1-6.json
  lockstep search --operation allgather --machine mesh:3x3 --ports all --format msccl --output mesh.xml
  lockstep search --operation alltoall --machine mesh:8x8 --time-limit 60 --output best.json
  lockstep search --operation alltoall --machine mesh:8x8 --resume best.json --seed 2 --output best.json

The exit code is 0 if the schedule is verified, 1 if it failed, 2 if the input was bad or an output could not be
written, 130 if you interrupted it, with or without a schedule.)";

const std::vector<std::string>& operations() {
  static const std::vector<std::string> names{"allgather", "allreduce", "broadcast", "alltoall"};
  return names;
}

}  // namespace

void add_search_options(CLI::App& app, SearchArguments& arguments) {
  const char* const what = "What to search (required)";
  const auto add_number = [&app](const char* flag, const char* type, const std::string& description,
                                 std::uint64_t least, std::uint64_t most, auto& number) {
    flags::add_value_option(app, flag, type, description, [flag, least, most, &number](const std::string& text) {
      number = static_cast<std::remove_reference_t<decltype(number)>>(parse_whole_number(flag, text, least, most));
    });
  };
  flags::add_value_option(app, "--operation", "NAME", "allgather, allreduce, broadcast or alltoall",
                          [&arguments](const std::string& text) {
                            if (std::ranges::find(operations(), text) == operations().end()) {
                              refuse_choice("--operation", text, operations());
                            }
                            arguments.operation = text;
                          })
      .group(what);
  flags::add_value_option(app, "--machine", "SPEC", "the machine, one with links, e.g. graph:FILE",
                          [&arguments](const std::string& text) { arguments.machine = text; })
      .group(what);
  flags::add_graph_options(app, [&arguments] { return std::vector<std::string*>{&arguments.machine}; });
  constexpr std::uint64_t most_chunks = 65'536;
  constexpr std::uint64_t most_chunk_words = 1'000'000;
  constexpr std::uint64_t most_steps = 10'000;
  constexpr std::uint64_t most_tries = 1'000'000'000;
  add_number("--chunks", "C", "chunks of every block (default 1)", 1, most_chunks, arguments.chunks);
  add_number("--words", "W", "words of every chunk (default 1)", 1, most_chunk_words, arguments.words);
  add_number("--root", "RANK", "root of a broadcast (default 0)", 0, most_processors, arguments.root);
  flags::add_value_option(app, "--ports", "MODEL", "one (default) or all", [&arguments](const std::string& text) {
    arguments.ports = flags::parse_choice("--ports", text, {PortModel::one, PortModel::all});
  });
  flags::add_value_option(
      app, "--steps", "S", "allow S steps and minimize the rounds (default: minimize the steps first)",
      [&arguments](const std::string& text) { arguments.steps = parse_whole_number("--steps", text, 0, most_steps); });
  flags::add_value_option(app, "--beta", "TIME", "time of a step; the schedule of the least time is taken (default 1)",
                          [&arguments](const std::string& text) { arguments.beta = host::parse_time("--beta", text); });
  flags::add_value_option(app, "--tau", "TIME", "time of a word on a link, likewise (default 1)",
                          [&arguments](const std::string& text) { arguments.tau = host::parse_time("--tau", text); });
  add_number("--tries", "N", "trees of chunks to try before the search ends (default 100000)", 0, most_tries,
             arguments.tries);
  add_number("--seed", "S", "seed of the search and of the data (default 1)", 0,
             std::numeric_limits<std::uint64_t>::max(), arguments.seed);
  constexpr double a_day = 86'400;
  flags::add_value_option(app, "--time-limit", "SECONDS", "take the best schedule found by then (default: no limit)",
                          [&arguments](const std::string& text) {
                            arguments.time_limit = host::parse_seconds("--time-limit", text, a_day);
                          });
  flags::add_value_option(app, "--resume", "FILE|-", "go on from the schedule in FILE, of an earlier search",
                          [&arguments](const std::string& text) { arguments.resume = text; });
  flags::add_value_option(app, "--output", "FILE|-", "write the schedule", [&arguments](const std::string& text) {
    arguments.output = text;
  }).group("Output");
  flags::add_value_option(app, "--format", "NAME", "format of --output: lockstep (default), msccl (XML) or sccl (JSON)",
                          [&arguments](const std::string& text) {
                            arguments.format = flags::parse_choice(
                                "--format", text,
                                {run::ScheduleFormat::lockstep, run::ScheduleFormat::msccl, run::ScheduleFormat::sccl});
                          })
      .group("Output");
  flags::add_json_option(app, "write a report as JSON to FILE, or with - or no FILE to standard output",
                         [&arguments](const std::string& text) { arguments.json = text; })
      .group("Output");
  flags::add_flag(app, "--quiet", arguments.quiet, "show nothing").group("Output");
  flags::set_footer(app, explained);
}

}  // namespace lockstep::cli::search
