#include "trace_options.hpp"

#include <limits>

#include "flags/value_option.hpp"
#include "flags/value_range.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::cli::run {
namespace {

constexpr std::uint64_t most_events = 1'000'000'000;

/// The plan checks that the machine has them.
std::vector<Rank> ranks_of(const std::string& text) {
  std::vector<Rank> ranks;
  for (const std::string& value : flags::values_of("--ranks", text)) {
    ranks.push_back(static_cast<Rank>(parse_whole_number("--ranks", value, 0, most_processors - 1)));
  }
  return ranks;
}

}  // namespace

std::vector<host::NamedFile> TraceArguments::outputs() const {
  std::vector<host::NamedFile> files;
  const auto add = [&files](const std::string& flag, const std::optional<std::string>& path) {
    if (path) files.push_back({flag, *path});
  };
  add("--html", html);
  add("--trace-json", json);
  add("--perfetto", perfetto);
  add("--goal", goal);
  add("--dot", dot);
  add("--ti", replay);
  if (text) files.push_back({"--text", "-"});
  return files;
}

bool TraceArguments::shows_text() const { return text || outputs().empty(); }

void add_trace_forms(CLI::App& app, TraceArguments& arguments) {
  const char* const forms = "Forms of the trace";
  flags::add_flag(app, "--text", arguments.text, "show the run cycle by cycle (default without another form)")
      .group(forms);
  const auto add = [&](const std::string& flag, const std::string& type, const std::string& description,
                       std::optional<std::string>& place) {
    flags::add_value_option(app, flag, type, description, [&place](const std::string& text) {
      place = text;
    }).group(forms);
  };
  add("--html", "FILE|-", "write a page for a browser that animates the run", arguments.html);
  add("--trace-json", "FILE|-", "write every message as JSON", arguments.json);
  add("--perfetto", "FILE|-", "write Chrome's trace JSON, for ui.perfetto.dev", arguments.perfetto);
  add("--goal", "FILE|-", "write GOAL, the schedule that LogGOPSim simulates", arguments.goal);
  add("--ti", "DIRECTORY", "write SimGrid's time-independent traces, one file per rank, to a new directory",
      arguments.replay);
  add("--dot", "FILE|-", "write the machine, with the words over each link, as a graph for Graphviz", arguments.dot);
  flags::add_repeated_option(app, "--against", "ALGORITHM[@PORTS][@MACHINE]",
                             "show this run too on the page of --html; up to 5 times",
                             [&arguments](const std::string& text) {
                               if (arguments.against.size() == most_against) {
                                 throw InputError("--against is given more than 5 times");
                               }
                               arguments.against.push_back(parse_against(text));
                             })
      .group(forms);
  const char* const limits = "Limits of the trace";
  flags::add_value_option(app, "--max-events", "N", "only the first N messages (default 1000000)",
                          [&arguments](const std::string& text) {
                            arguments.limits.max_events = parse_whole_number("--max-events", text, 1, most_events);
                          })
      .group(limits);
  flags::add_value_option(app, "--from-cycle", "C", "only messages of cycle C and later",
                          [&arguments](const std::string& text) {
                            arguments.limits.from_cycle = parse_whole_number("--from-cycle", text, 0, last_cycle);
                          })
      .group(limits);
  flags::add_value_option(app, "--ranks", "LIST", "only messages from or to these ranks, e.g. 0..3,7",
                          [&arguments](const std::string& text) { arguments.limits.ranks = ranks_of(text); })
      .group(limits);
}

}  // namespace lockstep::cli::run
