#include "search_command.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <vector>

#include "flags/value_option.hpp"
#include "host/exit_code.hpp"
#include "host/file_names.hpp"
#include "host/interrupt.hpp"
#include "host/json_value.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "host/version.hpp"
#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/schedule_search.hpp"
#include "lockstep/algorithms/settings.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/topologies.hpp"
#include "report/json_report.hpp"
#include "report/schedule_format.hpp"
#include "run/execution.hpp"
#include "run/failure.hpp"
#include "run/memory_need.hpp"
#include "run/trial.hpp"

namespace lockstep::cli::search {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* explained =
    R"(Searches for a schedule of equally long chunks with few steps, and with few rounds in these steps. All chunks
that cross one link in one step are one message, which takes ceil(chunks / multiplicity) rounds; a link's multiplicity
is that of the graph's file ("multiplicity" of an edge), else 1. A step takes as many rounds as its longest message.

The schedule found is compared with the lower bounds and with the best method of the catalogue on the machine, which is
taken instead if it has fewer steps, or equally many and fewer rounds. Then the schedule runs: every processor is a
program, and the data is compared with the operation's result. --steps S allows S steps and minimizes the rounds.

Every processor has C chunks for all (allgather) or for every other one (alltoall), or the root has them (broadcast);
or every processor combines C parts of the vector (allreduce: a reduce-scatter, which is an allgather backwards, and
that allgather). The same flags and seed give the same schedule.

Examples:
  lockstep search --operation allgather --machine mesh:3x3 --ports all
  lockstep search --operation broadcast --machine torus:4x4 --chunks 8 --steps 7 --ports all
  lockstep search --operation allgather --machine graph:dgx1.json --chunks 6 --steps 3 --ports all --output dgx1-6.json
  lockstep search --operation allgather --machine mesh:3x3 --ports all --format msccl --output mesh.xml

The exit code is 0 if the schedule is verified, 1 if it failed, 2 if the input was bad or an output could not be
written, 130 if you interrupted it.)";

const std::vector<std::string>& operations() {
  static const std::vector<std::string> names{"allgather", "allreduce", "broadcast", "alltoall"};
  return names;
}

/// A method of the catalogue with its counts.
struct Rival {
  std::string name;
  run::Trial trial;
  std::uint64_t steps = 0;
  std::uint64_t rounds = 0;
  std::uint64_t messages = 0;
  std::uint64_t longest_sum = 0;            ///< words
  std::optional<ChunkSchedule> schedule{};  ///< where it moves whole blocks
};

/// The result of the search.
struct CommandSearch {
  const SearchArguments& arguments;
  MachineSpec machine;
  Topology topology;
  SearchNetwork network;
  ChunkTask task;
  ChunkBound bound{};
  std::optional<Synthesis> found{};
  std::optional<Rival> rival{};
  bool takes_rival = false;
  double seconds = 0;

  explicit CommandSearch(const SearchArguments& given)
      : arguments(given),
        machine(checked(given)),
        topology(build(machine)),
        network(machine, topology),
        task{given.operation, static_cast<Rank>(given.root), given.chunks} {
    bound = chunk_bound(task, network, given.ports);
  }

  /// The reported schedule; null if the catalogue's cannot be written in chunks.
  const ChunkSchedule* schedule() const {
    if (!takes_rival) return &found->schedule;
    return rival->schedule ? &*rival->schedule : nullptr;
  }

 private:
  static MachineSpec checked(const SearchArguments& arguments);
};

/// Checks what does not depend on the search: the machine exists, has links and is not too large.
MachineSpec CommandSearch::checked(const SearchArguments& arguments) {
  if (arguments.operation.empty() || arguments.machine.empty()) {
    throw InputError(
        "search needs --operation and --machine, e.g. lockstep search --operation allgather --machine mesh:3x3");
  }
  MachineSpec machine = parse_machine(arguments.machine);
  const std::string text = printable(machine.text);
  if (machine.medium) throw InputError("search is for machines with links; " + text + " has none");
  constexpr std::uint64_t most_processors_searched = 1024;
  if (machine.processors > most_processors_searched) {
    throw InputError("search is for machines of up to " + std::to_string(most_processors_searched) + " processors; " +
                     text + " has " + std::to_string(machine.processors));
  }
  const bool has_root = arguments.operation == "broadcast";
  if (arguments.root != 0 && !has_root) throw InputError("--root is for --operation broadcast");
  if (arguments.root >= machine.processors) {
    throw InputError("--root " + std::to_string(arguments.root) + " does not exist, " + text + " has 0 to " +
                     std::to_string(machine.processors - 1));
  }
  const Wide pairs = Wide{machine.processors} * (has_root ? 1 : machine.processors);
  constexpr std::uint64_t most_places = std::uint64_t{1} << 22;
  if (pairs * arguments.chunks > most_places) {
    throw InputError("--chunks " + std::to_string(arguments.chunks) + " on " + text +
                     " are more than a search can handle; at most " +
                     std::to_string(static_cast<std::uint64_t>(most_places / pairs)));
  }
  constexpr std::uint64_t copies = 4;
  run::refuse_if_too_large("the data of this search",
                           saturated(pairs * arguments.chunks * (arguments.words + 16) * (copies * sizeof(Word))));
  return machine;
}

/// The words for methods of the catalogue, so that they move as much data.
std::uint64_t words_for_methods(const CommandSearch& search) {
  const Wide parts = search.task.operation == "allreduce" ? search.machine.processors : 1;
  return saturated(parts * search.arguments.chunks * search.arguments.words);
}

/// All methods of the catalogue that run there, as `lockstep compare` would.
std::vector<run::Trial> trials_for(const CommandSearch& search) {
  const SearchArguments& arguments = search.arguments;
  run::TrialArguments trials;
  trials.operation = arguments.operation;
  trials.machines = {arguments.machine};
  trials.ports = {arguments.ports};
  trials.run.quiet = true;
  trials.run.model.multicast = false;  // a message crosses one link
  const auto set = [&trials](std::string_view name, std::uint64_t value) {
    const auto flag = std::ranges::find(setting_flags(), name, &SettingFlag::name);
    trials.settings.emplace_back(&*flag, std::to_string(value));
  };
  set("words", words_for_methods(search));
  if (arguments.root != 0) set("root", arguments.root);
  set("seed", arguments.seed);
  for (const Method* method : catalogue()) {  // searches itself, within a time limit
    if (method->name == "alltoall/search") trials.left_out.push_back(method);
  }
  try {
    return run::plan_trials(trials);
  } catch (const InputError&) {
    return {};  // no method runs there
  }
}

/// The order of schedules, better ones first.
auto merit(const SearchArguments& arguments, std::uint64_t steps, std::uint64_t rounds, std::uint64_t longest_sum) {
  return arguments.steps ? std::tuple(rounds, longest_sum, steps) : std::tuple(steps, rounds, longest_sum);
}

/// A method's moves as a schedule, if they are of whole blocks.
std::optional<ChunkSchedule> schedule_of(const CommandSearch& search, run::Trial& trial,
                                         const std::atomic<bool>& stop) {
  if (!moves_blocks(search.task.operation)) return std::nullopt;
  MoveLog log = log_for(*trial.record->plan.method, trial.record->plan.settings);
  MoveRecorder recorder(log);
  run::RunRecord record = *trial.record;
  run::execute(
      trial.arguments, record, [&](std::uint64_t) { return record.plan.settings; }, stop, &recorder);
  if (log.has_unlabelled || log.has_parts) return std::nullopt;
  log.schedule.nodes = search.network.nodes;
  return in_chunks(log.schedule, search.task.chunks);
}

/// The best method of the catalogue; with --steps, among those with at most that many steps.
std::optional<Rival> best_rival(const CommandSearch& search, const std::atomic<bool>& stop) {
  std::vector<run::Trial> trials = trials_for(search);
  std::vector<run::Trial*> to_run;
  for (run::Trial& trial : trials) to_run.push_back(&trial);
  if (run::run_until_stopped(to_run, stop)) throw host::Interrupted();
  const SearchArguments& arguments = search.arguments;
  std::optional<Rival> best;
  for (run::Trial& trial : trials) {
    if (!trial.record) continue;
    const Report& report = trial.record->outcome.report;
    if (arguments.steps && report.steps > *arguments.steps) continue;
    // One chunk per round; links count as single until the moves are known.
    const std::uint64_t rounds = (report.longest_sum + arguments.words - 1) / arguments.words;
    const auto of = [&](const Rival& rival) { return merit(arguments, rival.steps, rival.rounds, rival.longest_sum); };
    Rival rival{.name = trial.method,
                .trial = trial,
                .steps = report.steps,
                .rounds = rounds,
                .messages = report.messages,
                .longest_sum = report.longest_sum};
    if (!best || of(rival) < of(*best)) best = std::move(rival);
  }
  if (!best) return best;
  best->schedule = schedule_of(search, best->trial, stop);
  if (best->schedule) {
    check(*best->schedule, search.network, arguments.ports);
    best->rounds = counts(*best->schedule, search.network).rounds;
  }
  return best;
}

/// A total exchange message by message (alltoall/search), if --steps allows its steps.
void search_single_messages(CommandSearch& search) {
  const SearchArguments& arguments = search.arguments;
  if (arguments.operation != "alltoall" || arguments.ports != PortModel::one || !arguments.steps) return;
  const ChunkTask one_chunk{arguments.operation, 0, 1};
  const std::uint64_t bound = chunk_bound(one_chunk, search.network, arguments.ports).rounds;
  const FoundSchedule single =
      search_steps(search.topology, bound, arguments.seed, {.tries = arguments.tries, .time = std::chrono::hours(24)});
  if (single.steps.size() > *arguments.steps) return;
  ChunkSchedule schedule = in_chunks({search.network.nodes, single.steps, false, {}}, arguments.chunks);
  const auto of = [&](const ChunkSchedule& one) {
    const ChunkCounts its = counts(one, search.network);
    return merit(arguments, its.steps, its.rounds, its.longest_sum);
  };
  if (search.found && of(search.found->schedule) <= of(schedule)) return;
  const std::uint64_t tries = search.found ? search.found->tries : 0;
  search.found = {std::move(schedule), tries + single.ways_tried};
}

void find(CommandSearch& search, const std::atomic<bool>& stop) {
  const SearchArguments& arguments = search.arguments;
  const auto start = std::chrono::steady_clock::now();
  try {
    search.found = synthesize(search.task, search.network, arguments.ports,
                              {.steps = arguments.steps, .tries = arguments.tries, .seed = arguments.seed}, stop);
  } catch (const std::runtime_error&) {
    if (stop) throw host::Interrupted();
    throw;
  }
  search_single_messages(search);
  search.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  search.rival = best_rival(search, stop);
  if (!search.found && !search.rival) {
    const std::string few = std::to_string(*arguments.steps) + (*arguments.steps == 1 ? " step" : " steps");
    throw InputError("--steps " + std::to_string(*arguments.steps) + ": " +
                     (*arguments.steps < search.bound.steps
                          ? "no schedule has so few; the lower bound is " + std::to_string(search.bound.steps)
                          : "no schedule of " + few + " was found"));
  }
  if (!search.rival) return;
  const Rival& rival = *search.rival;
  const ChunkCounts own = search.found ? counts(search.found->schedule, search.network) : ChunkCounts{};
  search.takes_rival = !search.found || merit(arguments, rival.steps, rival.rounds, rival.longest_sum) <
                                            merit(arguments, own.steps, own.rounds, own.longest_sum * arguments.words);
}

/// The reported facts of the schedule that is taken.
struct TakenSchedule {
  ChunkCounts counts;
  std::uint64_t words = 0;
  std::uint64_t longest_sum = 0;  ///< words
  std::string wrong{};
};

/// Runs it; the counts are the machine's.
TakenSchedule run(const CommandSearch& search, const std::atomic<bool>& stop) {
  const ChunkSchedule* const schedule = search.schedule();
  if (schedule == nullptr) {  // it has already run as a method
    const Report& report = search.rival->trial.record->outcome.report;
    return {{report.steps, search.rival->rounds, report.messages, 0, 0}, report.words, report.longest_sum};
  }
  check(*schedule, search.network, search.arguments.ports);
  Model model;
  model.ports = search.arguments.ports;
  Settings settings;
  settings.words = search.arguments.words;
  settings.seed = search.arguments.seed;
  const auto executor = make_executor(ExecutorKind::tbb, 0);
  const RunOptions options{.name = "search", .stop = &stop};
  const Outcome outcome = carry_out({.machine = search.machine,
                                     .topology = search.topology,
                                     .model = model,
                                     .settings = settings,
                                     .executor = *executor,
                                     .options = options},
                                    *schedule);
  const Report& report = outcome.report;
  TakenSchedule taken{counts(*schedule, search.network), report.words, report.longest_sum, outcome.wrong};
  const ChunkCounts& its = taken.counts;
  if (report.steps != its.steps || report.messages != its.messages ||
      report.longest_sum != its.longest_sum * search.arguments.words) {
    throw std::logic_error("a run that counts otherwise than its schedule");
  }
  return taken;
}

std::string bound_text(std::uint64_t bound, std::uint64_t counted, const std::string& what) {
  const std::string text = what + " " + host::grouped(bound);
  return text + (counted == bound ? " (met)" : " (" + host::grouped(counted - bound) + " more)");
}

std::string line(const std::string& label, const std::string& text) {
  constexpr std::size_t width = 13;
  std::string line = label;
  line.resize(std::max(width, line.size()), ' ');
  return line + text + "\n";
}

std::string counts_text(std::uint64_t steps, std::uint64_t rounds, std::uint64_t longest_sum) {
  return host::counted(steps, "step") + ", " + host::counted(rounds, "round") + ", longest sum " +
         host::grouped(longest_sum);
}

std::string task_text(const CommandSearch& search) {
  const SearchArguments& arguments = search.arguments;
  std::string text = arguments.operation;
  if (arguments.operation == "broadcast") text += " from " + std::to_string(arguments.root);
  text += " on " + printable(search.machine.text) + ", --ports " + std::string(name(arguments.ports)) + ", ";
  text += host::counted(arguments.chunks, "chunk");
  text += arguments.operation == "broadcast"   ? ""
          : arguments.operation == "alltoall"  ? " a pair"
          : arguments.operation == "allreduce" ? " of the vector a processor"
                                               : " a processor";
  return text + " of " + host::counted(arguments.words, "word");
}

std::string human_text(const CommandSearch& search, const TakenSchedule& taken) {
  const ChunkCounts& its = taken.counts;
  std::string text = line("search", task_text(search));
  text += line("schedule", counts_text(its.steps, its.rounds, taken.longest_sum) + ", " +
                               host::counted(its.messages, "message") + ", " + host::counted(taken.words, "word"));
  text += line("lower bound", bound_text(search.bound.steps, its.steps, "steps") + ", " +
                                  bound_text(search.bound.rounds, its.rounds, "rounds"));
  const std::string allowed = search.arguments.steps ? " of so few steps" : "";
  if (search.rival) {
    const Rival& rival = *search.rival;
    text += line("catalogue", "best" + allowed + " is " + rival.name + ": " +
                                  counts_text(rival.steps, rival.rounds, rival.longest_sum));
  } else {
    text += line("catalogue", "no method" + allowed + " runs here");
  }
  const std::string by = search.takes_rival ? "the catalogue's method is taken; the search" : "the search";
  text +=
      line("found by", by +
                           (search.found ? " laid " + host::counted(search.found->tries, "tree") + " after the first"
                                         : " found none of so few steps") +
                           ", seed " + std::to_string(search.arguments.seed));
  text += line("wall-clock", host::duration(search.seconds) + " for the search");
  text +=
      line(taken.wrong.empty() ? "verified" : "NOT VERIFIED", taken.wrong.empty() ? "all data is right" : taken.wrong);
  return text;
}

Json json_document(const CommandSearch& search, const TakenSchedule& taken) {
  const SearchArguments& arguments = search.arguments;
  const ChunkCounts& its = taken.counts;
  Json rival;
  if (search.rival) {
    rival = {{"algorithm", search.rival->name},
             {"steps", search.rival->steps},
             {"rounds", search.rival->rounds},
             {"messages", search.rival->messages},
             {"longest_sum", search.rival->longest_sum}};
  }
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"operation", arguments.operation},
          {"machine", search.machine.text},
          {"ports", name(arguments.ports)},
          {"root", arguments.operation == "broadcast" ? Json(arguments.root) : Json()},
          {"chunks", arguments.chunks},
          {"words", arguments.words},
          {"steps_allowed", host::json_of(arguments.steps)},
          {"seed", arguments.seed},
          {"tries", arguments.tries},
          {"taken", search.takes_rival ? search.rival->name : "search"},
          {"counted",
           {{"steps", its.steps},
            {"rounds", its.rounds},
            {"messages", its.messages},
            {"words", taken.words},
            {"longest_sum", taken.longest_sum}}},
          {"lower_bound", {{"steps", search.bound.steps}, {"rounds", search.bound.rounds}}},
          {"gap", {{"steps", its.steps - search.bound.steps}, {"rounds", its.rounds - search.bound.rounds}}},
          {"catalogue", rival},
          {"trees_laid", search.found ? Json(search.found->tries) : Json()},
          {"wall", {{"search_s", search.seconds}}},
          {"verified", taken.wrong.empty()}};
}

/// The text of the schedule's file; for a method that divides blocks, in the chunks of its messages.
report::ScheduleText written_schedule(const CommandSearch& search, const std::atomic<bool>& stop) {
  const SearchArguments& arguments = search.arguments;
  const ChunkSchedule* const schedule = search.schedule();
  if (schedule != nullptr && arguments.format == run::ScheduleFormat::lockstep) {
    return {.text = chunk_schedule_text(*schedule, search.machine.text)};
  }
  Model model;
  model.ports = arguments.ports;
  if (schedule != nullptr) {
    return report::schedule_text_of(contents_of(*schedule), arguments.format, "search", search.machine, search.topology,
                                    model);
  }
  return report::schedule_text_of(report::contents_of(search.rival->trial.record->plan, stop), arguments.format,
                                  search.rival->name, search.machine, search.topology, model);
}

/// Throws InputError if both outputs are one file, or one is the graph's file.
void refuse_shared(const SearchArguments& arguments) {
  std::vector<host::NamedFile> outputs;
  if (arguments.output) outputs.push_back({"--output", *arguments.output});
  if (arguments.json) outputs.push_back({"--json", *arguments.json});
  std::vector<host::NamedFile> inputs;
  for (const std::string& path : host::graph_files(arguments.machine)) inputs.push_back({"a graph of --machine", path});
  host::refuse_shared_files(outputs, inputs);
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
  add_number("--tries", "N", "trees of chunks to try before the search ends (default 100000)", 0, most_tries,
             arguments.tries);
  add_number("--seed", "S", "seed of the search and of the data (default 1)", 0,
             std::numeric_limits<std::uint64_t>::max(), arguments.seed);
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

int search_command(const SearchArguments& arguments, const std::atomic<bool>& stop) {
  CommandSearch search(arguments);
  refuse_shared(arguments);
  std::optional<host::OutputFile> output;
  std::optional<host::OutputFile> json;
  if (arguments.output) output.emplace(*arguments.output);
  if (arguments.json) json.emplace(*arguments.json);
  find(search, stop);
  const TakenSchedule taken = run(search, stop);
  report::ScheduleText written;
  if (output) written = written_schedule(search, stop);
  if (stop) throw host::Interrupted();
  host::begin_outputs();
  if (output) output->prepare(written.text);
  if (json) json->prepare(report::json_text(json_document(search, taken)));
  const std::array outputs{host::pointer_to(output), host::pointer_to(json)};
  host::publish(outputs, [&] {
    if (!arguments.quiet && arguments.output != "-" && arguments.json != "-")
      host::write_output(human_text(search, taken));
  });
  if (output) report::print_warnings(printable(*arguments.output), written);
  if (taken.wrong.empty()) return host::verified;
  return run::print_last(taken.wrong, host::run_failed);
}

}  // namespace lockstep::cli::search
