#include "search_command.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "flags/report_files.hpp"
#include "flags/setting_flags.hpp"
#include "host/exit_code.hpp"
#include "host/file_names.hpp"
#include "host/interrupt.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/schedule_search.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/topologies.hpp"
#include "report/json_report.hpp"
#include "report/schedule_format.hpp"
#include "resumed_schedule.hpp"
#include "run/execution.hpp"
#include "run/failure.hpp"
#include "run/memory_need.hpp"
#include "search_report.hpp"
#include "search_watch.hpp"

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

/// The rules: a message crosses one link.
Model model_of(const SearchArguments& arguments) {
  Model model;
  model.ports = arguments.ports;
  return model;
}

/// The words for methods of the catalogue, so that they move as much data.
std::uint64_t words_for_methods(const CommandSearch& search) {
  const Wide parts = search.task.operation == "allreduce" ? search.machine.processors : 1;
  return saturated(parts * search.task.chunks * search.arguments.words);
}

/// The bounds of the problem in words, which methods may divide further than into chunks; of the rounds by the bounds
/// room only where a link takes one word in each.
ChunkBound bound_of(const CommandSearch& search) {
  const std::uint64_t w = search.arguments.words;
  ChunkTask in_words = search.task;
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();  // fewer have no higher bound
  in_words.chunks = static_cast<std::uint32_t>(std::min(most, in_words.chunks * w));
  ChunkBound bound = chunk_bound(in_words, search.network, search.arguments.ports);
  const LowerBound known = bound_of_task(search.task.operation, search.task.root, search.machine,
                                         model_of(search.arguments), words_for_methods(search));
  bound.steps = std::max(bound.steps, known.steps.value_or(0));
  if (!search.network.has_multiplicities) bound.rounds = std::max(bound.rounds, known.longest_sum.value_or(0));
  bound.rounds = (bound.rounds + w - 1) / w;
  return bound;
}

}  // namespace

CommandSearch::CommandSearch(const SearchArguments& given)
    : arguments(given),
      machine(checked_machine(given)),
      topology(build(machine)),
      network(machine, topology),
      task{given.operation, static_cast<Rank>(given.root), given.chunks},
      bound(bound_of(*this)) {}

std::optional<double> CommandSearch::time_of(const Candidate& candidate) const {
  if (!arguments.beta && !arguments.tau) return std::nullopt;
  const std::uint64_t words = network.has_multiplicities ? candidate.rounds * arguments.words : candidate.longest_sum;
  return arguments.beta.value_or(1) * static_cast<double>(candidate.steps) +
         arguments.tau.value_or(1) * static_cast<double>(words);
}

std::vector<const Candidate*> CommandSearch::front() const {
  std::vector<const Candidate*> sorted;
  for (const Candidate& candidate : candidates) sorted.push_back(&candidate);
  std::ranges::stable_sort(sorted, {}, [](const Candidate* one) { return std::pair(one->steps, one->rounds); });
  std::vector<const Candidate*> front;
  for (const Candidate* const one : sorted) {
    if (front.empty() || one->rounds < front.back()->rounds) front.push_back(one);
  }
  return front;
}

namespace {

/// All methods of the catalogue that run there, as `lockstep compare` would, and those of the machines that span it.
std::vector<run::Trial> trials_for(const CommandSearch& search) {
  const SearchArguments& arguments = search.arguments;
  run::TrialArguments trials;
  trials.operation = arguments.operation;
  trials.machines = {arguments.machine};
  trials.ports = {arguments.ports};
  trials.run.quiet = true;
  trials.run.model.multicast = false;  // a message crosses one link
  trials.run.model.beta = arguments.beta;
  trials.run.model.tau = arguments.tau;
  trials.run.tunes = arguments.beta || arguments.tau;
  const auto set = [&trials](std::string_view name, std::uint64_t value) {
    trials.settings.emplace_back(flags::find_setting(name), std::to_string(value));
  };
  set("words", words_for_methods(search));
  if (arguments.root != 0) set("root", arguments.root);
  set("seed", arguments.seed);
  for (const Method* method : catalogue()) {  // searches itself, within a time limit
    if (method->name == "alltoall/search") trials.left_out.push_back(method);
  }
  trials.guests = run::guest_methods(trials, search.machine);
  try {
    return run::plan_trials(trials);
  } catch (const InputError&) {
    return {};  // no method runs there
  }
}

/// The order of candidates, better ones first.
auto merit(const CommandSearch& search, const Candidate& one) {
  const auto steps = static_cast<double>(one.steps);
  const auto rounds = static_cast<double>(one.rounds);
  const auto longest_sum = static_cast<double>(one.longest_sum);
  if (const auto time = search.time_of(one)) return std::tuple(*time, steps, rounds, longest_sum);
  return search.arguments.steps ? std::tuple(rounds, longest_sum, steps, 0.0)
                                : std::tuple(steps, rounds, longest_sum, 0.0);
}

/// A method's moves as a schedule, if they are of whole blocks.
std::optional<ChunkSchedule> schedule_of(const CommandSearch& search, run::Trial& trial,
                                         const std::atomic<bool>& stop) {
  if (!moves_blocks(search.task.operation) || !trial.guest.empty()) return std::nullopt;  // its ranks are the guest's
  MoveLog log = log_for(*trial.record->plan.method, trial.record->plan.settings);
  MoveRecorder recorder(log);
  run::RunRecord record = *trial.record;
  run::execute(
      trial.arguments, record, [&](std::uint64_t) { return record.plan.settings; }, stop, &recorder);
  if (log.has_unlabelled || log.has_parts) return std::nullopt;
  log.schedule.nodes = search.network.nodes;
  return in_chunks(log.schedule, search.task.chunks);
}

/// Adds a schedule that a search found.
void add(CommandSearch& search, ChunkSchedule schedule) {
  const ChunkCounts its = counts(schedule, search.network);
  search.candidates.push_back({.by = "search",
                               .schedule = std::move(schedule),
                               .steps = its.steps,
                               .rounds = its.rounds,
                               .messages = its.messages,
                               .longest_sum = its.longest_sum * search.arguments.words});
}

/// Finds out the moves of a method, if they are of whole blocks, and its rounds over links that take several chunks.
void know_moves(const CommandSearch& search, Candidate& method, const std::atomic<bool>& stop) {
  method.schedule = schedule_of(search, *method.trial, stop);
  if (!method.schedule) return;
  check(*method.schedule, search.network, search.arguments.ports);
  method.rounds = counts(*method.schedule, search.network).rounds;
}

/// The methods of the catalogue that have no more steps than allowed.
std::vector<Candidate> methods_for(const CommandSearch& search, const std::atomic<bool>& stop) {
  std::vector<Candidate> methods;
  std::vector<run::Trial> trials = trials_for(search);
  std::vector<run::Trial*> to_run;
  for (run::Trial& trial : trials) to_run.push_back(&trial);
  if (run::run_until_stopped(to_run, stop)) throw host::Interrupted();
  const SearchArguments& arguments = search.arguments;
  for (run::Trial& trial : trials) {
    if (!trial.record) continue;
    const Report& report = trial.record->outcome.report;
    if (arguments.steps && report.steps > *arguments.steps) continue;
    Candidate method{.by = trial.name(),
                     .trial = std::move(trial),
                     .steps = report.steps,
                     .rounds = (report.longest_sum + arguments.words - 1) / arguments.words,  // a chunk in each
                     .messages = report.messages,
                     .longest_sum = report.longest_sum};
    if (search.network.has_multiplicities) know_moves(search, method, stop);
    methods.push_back(std::move(method));
  }
  return methods;
}

/// Of the effort of the first search, what others take.
constexpr std::uint64_t share = 8;

/// Adds a total exchange message by message (alltoall/search), if --steps allows its steps.
void add_single_messages(CommandSearch& search, SearchWatch& watch, const std::atomic<bool>& stop) {
  const SearchArguments& arguments = search.arguments;
  if (arguments.operation != "alltoall" || arguments.ports != PortModel::one || !watch.goes_on()) return;
  const ChunkTask one_chunk{arguments.operation, 0, 1};
  const std::uint64_t bound = chunk_bound(one_chunk, search.network, arguments.ports).rounds;
  const FoundSchedule single = search_steps(
      search.topology, bound, arguments.seed,
      {.tries = arguments.steps ? arguments.tries : arguments.tries / share, .time = watch.time_left(), .stop = &stop});
  watch.goes_on();  // notes why it has ended
  if (arguments.steps && single.steps.size() > *arguments.steps) return;
  add(search, in_chunks({search.network.nodes, single.steps, false, {}}, arguments.chunks));
  search.tries = search.tries.value_or(0) + single.ways_tried;
}

/// Adds what a search in at most that many steps finds, if it does; with `from` it goes on from that schedule.
void add_found(CommandSearch& search, std::optional<std::uint64_t> steps, std::uint64_t tries, SearchWatch& watch,
               const ChunkSchedule* from = nullptr) {
  static const std::atomic<bool> never{false};
  if (!watch.goes_on()) return;
  watch.begin(steps ? "search in " + host::counted(*steps, "step") : "search", tries);
  const std::optional<Synthesis> found =
      synthesize(search.task, search.network, search.arguments.ports,
                 {.steps = steps,
                  .tries = tries,
                  .seed = search.arguments.seed,
                  .from = from,
                  .goes_on = [&watch](const SynthesisProgress& progress) { return watch.goes_on(progress); }},
                 never);
  if (!found) return;
  search.tries = search.tries.value_or(0) + found->tries;
  add(search, found->schedule);
}

/// Adds what searches with more steps than the first one's find, until the bound of the rounds is reached: each is
/// allowed twice as many more.
void add_with_more_steps(CommandSearch& search, SearchWatch& watch) {
  if (search.candidates.empty()) return;  // the first was cut
  const std::uint64_t least = search.candidates.front().steps;
  for (std::uint64_t more = 1; watch.goes_on() && least + more <= search.candidates.front().rounds; more *= 2) {
    if (search.front().back()->rounds <= search.bound.rounds) return;
    add_found(search, least + more, search.arguments.tries / share, watch);
  }
}

/// Nothing is found: within the steps, or before the search was cut.
[[noreturn]] void refuse_all(const CommandSearch& search) {
  if (search.cut == "interrupted") throw host::Interrupted();
  if (search.cut)
    throw InputError("--time-limit: nothing was found by then, and no method of the catalogue runs there");
  const std::uint64_t steps = *search.arguments.steps;
  throw InputError("--steps " + std::to_string(steps) + ": " +
                   (steps < search.bound.steps ? "the lower bound is " + host::counted(search.bound.steps, "step")
                                               : "no schedule of " + host::counted(steps, "step") + " was found"));
}

/// Methods run first: they are what there is if the search is cut.
void find(CommandSearch& search, const std::optional<ChunkSchedule>& resumed, const std::atomic<bool>& stop) {
  const SearchArguments& arguments = search.arguments;
  const auto start = std::chrono::steady_clock::now();
  SearchWatch watch(arguments, stop);
  std::vector<Candidate> methods = methods_for(search, stop);
  if (!methods.empty() || resumed) watch.has_something();
  add_found(search, arguments.steps, arguments.tries, watch, resumed ? &*resumed : nullptr);
  if (resumed) {
    add(search, *resumed);
    search.candidates.back().by = printable(*arguments.resume);
  }
  for (Candidate& method : methods) search.candidates.push_back(std::move(method));
  if (!arguments.steps) add_with_more_steps(search, watch);
  add_single_messages(search, watch, stop);
  search.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  search.cut = watch.cut();
  if (search.candidates.empty()) refuse_all(search);
  const auto is_better = [&](const Candidate& one, const Candidate* other) {
    return other == nullptr || merit(search, one) < merit(search, *other);
  };
  for (Candidate& one : search.candidates) {
    if (is_better(one, search.taken)) search.taken = &one;
    if (one.trial && is_better(one, search.of_catalogue)) search.of_catalogue = &one;
  }
}

/// Runs it; the counts are the machine's.
TakenSchedule run(const CommandSearch& search, const std::atomic<bool>& stop) {
  const auto& schedule = search.taken->schedule;
  if (!schedule) {  // it has already run as a method
    const Report& report = search.taken->trial->record->outcome.report;
    return {{report.steps, search.taken->rounds, report.messages, 0, 0}, report.words, report.longest_sum};
  }
  check(*schedule, search.network, search.arguments.ports);
  const Model model = model_of(search.arguments);
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
  const auto& schedule = search.taken->schedule;
  if (schedule && arguments.format == run::ScheduleFormat::lockstep) {
    return {.text = found_schedule_text(*schedule, host::machine_beside(search.machine.text, *arguments.output),
                                        graph_digest(search.machine))};
  }
  const Model model = model_of(arguments);
  if (schedule) {
    return report::schedule_text_of(contents_of(*schedule), arguments.format, *arguments.output, "search",
                                    search.machine, search.topology, model);
  }
  return report::schedule_text_of(report::contents_of(search.taken->trial->record->plan, stop), arguments.format,
                                  *arguments.output, search.taken->by, search.machine, search.topology, model);
}

}  // namespace

int search_command(const SearchArguments& arguments, const std::atomic<bool>& stop) {
  CommandSearch search(arguments);
  std::vector<host::NamedFile> inputs;
  for (const std::string& path : host::graph_files(arguments.machine)) inputs.push_back({"a graph of --machine", path});
  std::vector<host::NamedFile> others;
  if (arguments.output) others.push_back({"--output", *arguments.output});
  if (arguments.resume) inputs.push_back({"--resume", *arguments.resume});
  const std::optional<ChunkSchedule> resumed =
      arguments.resume ? std::optional(resumed_schedule(search)) : std::nullopt;
  flags::ReportFiles files({.markdown = {}, .csv = {}, .json = arguments.json}, inputs, others);
  std::optional<host::OutputFile> output;
  if (arguments.output) output.emplace(*arguments.output);
  find(search, resumed, stop);
  // From here on an interrupt changes only the exit code; a second one ends the command.
  static const std::atomic<bool> never{false};
  if (search.taken->trial && !search.taken->schedule) know_moves(search, *search.taken, never);
  const TakenSchedule taken = run(search, never);
  report::ScheduleText written;
  if (output) written = written_schedule(search, never);
  host::begin_outputs();
  if (output) output->prepare(written.text);
  files.write(
      {.markdown = {}, .csv = {}, .json = [&] { return report::json_text(json_document(search, taken)); }},
      [&] { return human_text(search, taken); }, arguments.quiet, host::pointer_to(output));
  if (output) report::print_warnings(printable(*arguments.output), written);
  if (!taken.wrong.empty()) return run::print_last(taken.wrong, host::run_failed);
  return stop ? run::print_last("interrupted; the best schedule so far was taken", host::interrupt_code())
              : host::verified;
}

}  // namespace lockstep::cli::search
