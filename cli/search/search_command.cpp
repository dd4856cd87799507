#include "search_command.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "flags/report_files.hpp"
#include "flags/setting_flags.hpp"
#include "host/exit_code.hpp"
#include "host/file_names.hpp"
#include "host/interrupt.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/schedule_search.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/topologies.hpp"
#include "report/json_report.hpp"
#include "report/schedule_format.hpp"
#include "run/execution.hpp"
#include "run/failure.hpp"
#include "run/memory_need.hpp"
#include "search_report.hpp"

namespace lockstep::cli::search {
namespace {

/// Checks what does not depend on the search: the machine exists, has links and is not too large.
MachineSpec checked_machine(const SearchArguments& arguments) {
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

}  // namespace

CommandSearch::CommandSearch(const SearchArguments& given)
    : arguments(given),
      machine(checked_machine(given)),
      topology(build(machine)),
      network(machine, topology),
      task{given.operation, static_cast<Rank>(given.root), given.chunks},
      bound(chunk_bound(task, network, given.ports)) {}

namespace {

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
    trials.settings.emplace_back(flags::find_setting(name), std::to_string(value));
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
    const std::uint64_t steps = *arguments.steps;
    throw InputError("--steps " + std::to_string(steps) + ": " +
                     (steps < search.bound.steps ? "the lower bound is " + host::counted(search.bound.steps, "step")
                                                 : "no schedule of " + host::counted(steps, "step") + " was found"));
  }
  if (!search.rival) return;
  const Rival& rival = *search.rival;
  const ChunkCounts own = search.found ? counts(search.found->schedule, search.network) : ChunkCounts{};
  search.takes_rival = !search.found || merit(arguments, rival.steps, rival.rounds, rival.longest_sum) <
                                            merit(arguments, own.steps, own.rounds, own.longest_sum * arguments.words);
}

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

}  // namespace

int search_command(const SearchArguments& arguments, const std::atomic<bool>& stop) {
  CommandSearch search(arguments);
  std::vector<host::NamedFile> inputs;
  for (const std::string& path : host::graph_files(arguments.machine)) inputs.push_back({"a graph of --machine", path});
  std::vector<host::NamedFile> others;
  if (arguments.output) others.push_back({"--output", *arguments.output});
  flags::ReportFiles files({.markdown = {}, .csv = {}, .json = arguments.json}, inputs, others);
  std::optional<host::OutputFile> output;
  if (arguments.output) output.emplace(*arguments.output);
  find(search, stop);
  const TakenSchedule taken = run(search, stop);
  report::ScheduleText written;
  if (output) written = written_schedule(search, stop);
  if (stop) throw host::Interrupted();
  host::begin_outputs();
  if (output) output->prepare(written.text);
  files.write(
      {.markdown = {}, .csv = {}, .json = [&] { return report::json_text(json_document(search, taken)); }},
      [&] { return human_text(search, taken); }, arguments.quiet, host::pointer_to(output));
  if (output) report::print_warnings(printable(*arguments.output), written);
  if (taken.wrong.empty()) return host::verified;
  return run::print_last(taken.wrong, host::run_failed);
}

}  // namespace lockstep::cli::search
