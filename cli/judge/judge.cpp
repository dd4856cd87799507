#include "judge.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>

#include "compare/comparison.hpp"
#include "flags/model_options.hpp"
#include "flags/setting_flags.hpp"
#include "flags/value_range.hpp"
#include "host/joined.hpp"
#include "host/number_text.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "machine/small_machines.hpp"
#include "report/quantity.hpp"
#include "run/method_choice.hpp"
#include "run/run_plan.hpp"

namespace lockstep::cli::judge {
namespace {

using Ending = JudgedRun::Ending;

/// A method and a machine to judge it on. A refusal ends the command only if the user named the machine.
struct JudgeCandidate {
  std::string machine;
  const Method* method;
  bool is_asked_for;
};

/// The entries of that name; throws InputError if there is none.
std::vector<const Method*> methods_called(const std::string& algorithm) {
  std::vector<const Method*> methods;
  std::ranges::copy_if(catalogue(), std::back_inserter(methods),
                       [&](const Method* method) { return is_called(*method, algorithm); });
  if (methods.empty()) find_method(algorithm, "");
  return methods;
}

std::vector<JudgeCandidate> default_candidates(const std::vector<const Method*>& methods,
                                               const std::vector<std::string>& sizes) {
  std::vector<JudgeCandidate> candidates;
  for (const Method* const method : methods) {
    std::vector<std::string> machines;
    for (const std::string& text : sizes) {
      for (std::string& machine : flags::machines_of(text)) {
        if (is_for(*method, parse_machine(machine).family)) machines.push_back(std::move(machine));
      }
    }
    if (machines.empty()) machines = machine::small_machines(std::string(method->families.front()));
    for (const std::string& machine : machines) candidates.push_back({machine, method, false});
  }
  return candidates;
}

std::vector<JudgeCandidate> candidates(const JudgeArguments& arguments) {
  const std::vector<const Method*> own = added_methods();
  if (arguments.algorithm.empty() && own.empty()) {
    throw InputError(
        "judge needs --algorithm, e.g. lockstep judge --algorithm allgather/daisy-chain; only programs that add "
        "methods judge these without");
  }
  const std::vector<const Method*> methods = arguments.algorithm.empty() ? own : methods_called(arguments.algorithm);
  for (const auto& given : arguments.trials.settings) {
    const SettingFlag& flag = *given.first;
    if (std::ranges::any_of(methods, [&](const Method* method) { return flags::takes(*method, flag.name); })) continue;
    throw InputError(flag.flag() + " is not a parameter of " +
                     host::joined(methods, [](const Method* method) { return method->name; }));
  }
  const std::vector<std::string>& machines = arguments.trials.machines;
  const std::optional<std::string>& guest = arguments.trials.run.embed;
  if (machines.empty() && guest) throw InputError("judge needs --machine, the host of " + printable(*guest));
  if (machines.empty()) {
    // A name with several entries takes the one for the family that comes first.
    return default_candidates(arguments.algorithm.empty() ? methods : std::vector{methods.front()}, arguments.sizes);
  }
  run::refuse_twice("--machine", machines);
  std::vector<JudgeCandidate> found;
  for (const std::string& text : machines) {
    const MachineSpec stage = parse_machine(guest.value_or(text));
    const std::size_t before = found.size();
    for (const Method* const method : methods) {
      if (is_for(*method, stage.family)) found.push_back({text, method, true});
    }
    if (found.size() == before) find_method(methods.front()->name, stage.family);  // throws, naming its families
  }
  return found;
}

/// A run's task parameters, without those that only tune its method.
std::vector<std::pair<const SettingFlag*, std::string>> task_settings(const JudgedRun& run) {
  std::vector<std::pair<const SettingFlag*, std::string>> settings;
  for (const SettingFlag& flag : setting_flags()) {
    const auto found = run.parameters.find(std::string(flag.name));
    if (flag.is_tuning || found == run.parameters.end() || found->is_null() || *found == false) continue;
    const bool is_switch = found->is_boolean();
    settings.emplace_back(&flag, is_switch ? "" : found->is_string() ? found->get<std::string>() : found->dump());
  }
  return settings;
}

/// Whether the root of a guest's method has another rank on the host: the host's own methods then have another task.
bool is_root_elsewhere(const JudgeArguments& arguments, const JudgeCandidate& candidate, const JudgedRun& run) {
  const auto root = run.parameters.find("root");
  if (!arguments.trials.run.embed || root == run.parameters.end() || !root->is_number()) return false;
  const auto rank = root->get<Rank>();
  return run::embedding_for(arguments.trials.run, parse_machine(candidate.machine))->place(rank) != rank;
}

bool combines(const run::Trial& trial) { return compare::rules_of(trial.record->plan).combines; }

/// The catalogued methods that are legal under the rules of the judged run, for the same task on the same machine,
/// predicted, or run where steps are not predicted.
std::vector<run::Trial> catalogued(const JudgeArguments& arguments, const JudgeCandidate& candidate,
                                   const JudgedRun& run, const std::function<void(const std::string&)>& show,
                                   const std::atomic<bool>& stop) {
  constexpr std::uint64_t most_processors_run = 256;  // these runs have no limits
  run::TrialArguments others = arguments.trials;
  others.operation = candidate.method->operation;
  others.machines = {candidate.machine};
  others.run.model.ports.reset();
  if (const auto ports = flags::port_model_called(run.ports)) others.ports = {*ports};
  others.run.model.duplex =
      flags::parse_choice("--duplex", run.duplex, {Duplex::full, Duplex::half_link, Duplex::half_node});
  others.run.model.multicast = run.multicast;
  others.settings = task_settings(run);
  others.run.quiet = true;
  others.predict = true;
  others.left_out = added_methods();
  others.left_out.push_back(candidate.method);
  std::vector<run::Trial> trials;
  try {
    trials = run::plan_trials(others);
  } catch (const InputError&) {  // there is none
  }
  if (is_root_elsewhere(arguments, candidate, run))
    std::erase_if(trials, [](const run::Trial& trial) { return trial.guest.empty(); });
  std::erase_if(trials, [&](const run::Trial& trial) {
    return !trial.record || compare::task_of(*trial.record) != run.task || (combines(trial) && !run.combines);
  });
  for (run::Trial& trial : trials) {
    const auto& steps = trial.record->prediction.steps;
    // A method that searches until its time limit would do so for every machine.
    if ((steps && steps->exact) || flags::takes(*trial.record->plan.method, "time-limit")) continue;
    if (trial.record->plan.machine.processors > most_processors_run) continue;
    run::plan_to_run(trial);
    if (!trial.record) continue;
    show(printable(trial.name()) + " on " + printable(trial.machine) + ", to compare");
    run::run_trial(trial, stop);
  }
  std::erase_if(trials, [](const run::Trial& trial) { return !trial.record; });
  return trials;
}

/// The bound of the steps. A user method's own bound counts only where no other is known.
std::optional<std::uint64_t> least_steps(const JudgeCandidate& candidate, const JudgedRun& run,
                                         const std::vector<run::Trial>& trials) {
  const std::vector<const Method*> own = added_methods();
  const bool is_own = std::ranges::find(own, candidate.method) != own.end();
  std::optional<std::uint64_t> least = is_own ? std::nullopt : run.bound;
  for (const run::Trial& trial : trials) {
    const auto& bound = trial.record->lower_bound.steps;
    if (bound && combines(trial) == run.combines) least = std::min(least.value_or(*bound), *bound);
  }
  if (!least) least = run.machine_bound;
  return least ? least : run.bound;
}

void compare_with_others(JudgedSize& size, const std::vector<run::Trial>& trials) {
  for (const run::Trial& trial : trials) {
    const run::RunRecord& record = *trial.record;
    const auto steps = report::find_quantity("steps").of(record);
    const auto time = report::find_quantity("time_synchronous").of(record);
    if (!steps || !steps->exact) continue;
    const JudgedSize::FewestSteps one{trial.method, trial.guest, static_cast<std::uint64_t>(steps->value),
                                      time ? std::optional(static_cast<double>(time->value)) : std::nullopt};
    const auto rank = [](const JudgedSize::FewestSteps& best) {
      return std::pair(best.steps, best.time.value_or(std::numeric_limits<double>::infinity()));
    };
    if (!size.best || rank(one) < rank(*size.best)) size.best = one;
  }
}

/// How the run in another order differs from the first; empty if it does not.
std::string difference(const JudgedRun& first, const JudgedRun& other) {
  if (!other.has_ended()) return "it fails: " + other.text;
  if (other.digest == first.digest) return "";
  return other.wrong.empty() ? "data or counts differ" : "its data is wrong: " + other.wrong;
}

/// Gives the size the result of another run, with the flags of that run.
void take_end(JudgedSize& size, const JudgedRun& other, const std::string& how) {
  size.run.ending = other.ending;
  size.run.kind = other.kind;
  size.run.text = other.text + how;
}

/// Repeats the run with the processors in other orders and on several threads.
void look_for_schedule(JudgedSize& size, const JudgeArguments& arguments,
                       const std::function<void(const std::string&)>& show, const std::atomic<bool>& stop) {
  const JudgedRun& first = size.run;
  JudgedRunOrder order{.machine = size.machine, .method = size.method};
  std::optional<JudgedRun> of_first_seed;
  for (order.seed = 1; order.seed <= arguments.seeds; ++order.seed) {
    order.executor = ExecutorKind::seeded;
    show(printable(size.name()) + " on " + printable(order.machine) + ", order " + std::to_string(order.seed) + " of " +
         std::to_string(arguments.seeds));
    JudgedRun run = run_apart(arguments, order, stop);
    const std::string in_seed = "with --executor seeded --schedule-seed " + std::to_string(order.seed) + " ";
    if (run.was_cut_short()) {
      return take_end(size, run, " (with --executor seeded --schedule-seed " + std::to_string(order.seed) + ")");
    }
    if (!of_first_seed) of_first_seed = run;
    const std::string from_first_seed = difference(*of_first_seed, run);
    if (!from_first_seed.empty()) {
      size.schedule = "depends on the schedule: seeds 1 and " + std::to_string(order.seed) + " differ; " + in_seed +
                      from_first_seed;
      return;
    }
    const std::string from_rank_order = difference(first, run);
    if (!from_rank_order.empty()) {
      size.schedule = "depends on the schedule: the order of ranks and seed " + std::to_string(order.seed) +
                      " differ; " + in_seed + from_rank_order;
      return;
    }
  }
  order.executor = ExecutorKind::tbb;
  const JudgedRun run = run_apart(arguments, order, stop);
  if (run.was_cut_short()) return take_end(size, run, " (on several threads)");
  const std::string on_threads = difference(first, run);
  if (!on_threads.empty()) size.schedule = "depends on the schedule: on several threads " + on_threads;
}

bool is_given(const JudgeArguments& arguments, std::string_view parameter) {
  return std::ranges::any_of(arguments.trials.settings,
                             [&](const auto& given) { return given.first->name == parameter; });
}

/// A run with other data that ends with wrong data, if there is one: data that is right by chance, such as two records
/// already in order, is not right for every seed.
std::optional<JudgedRun> wrong_with_other_data(const JudgeArguments& arguments, const JudgedRunOrder& order,
                                               const std::atomic<bool>& stop) {
  constexpr int last_seed = 40;  // the run before had seed 1; two records of few values are often in order
  if (is_given(arguments, "seed")) return {};
  for (int seed = 2; seed <= last_seed; ++seed) {
    JudgeArguments other = arguments;
    other.words.insert(other.words.end(), {"--seed", std::to_string(seed)});
    JudgedRun run = run_apart(other, order, stop);
    if (run.wrong.empty()) continue;
    run.wrong += " (with --seed " + std::to_string(seed) + ")";
    return run;
  }
  return {};
}

/// The flags of another run, with other values of the method's parameters that the user has not set.
std::vector<std::string> other_flags(const JudgeArguments& arguments, const JudgedSize& size, const Method& method,
                                     bool has_words) {
  std::vector<std::string> flags;
  const auto add = [&](const std::string& name, std::uint64_t value) {
    if (flags::takes(method, name) && !is_given(arguments, name))
      flags.insert(flags.end(), {"--" + name, std::to_string(value)});
  };
  add("root", size.processors - 1);
  if (has_words) add("words", 3);
  add("seed", 2);
  return flags;
}

/// Repeats a run with right data, from another root and with other data, which must be right too.
void look_at_other_data(JudgedSize& size, const JudgeArguments& arguments, const Method& method,
                        const std::atomic<bool>& stop) {
  for (const bool has_words : {true, false}) {
    const std::vector<std::string> flags = other_flags(arguments, size, method, has_words);
    if (flags.empty()) return;
    JudgeArguments other = arguments;
    other.words.insert(other.words.end(), flags.begin(), flags.end());
    const JudgedRun run = run_apart(other, {.machine = size.machine, .method = size.method}, stop);
    if (run.ending == Ending::refused) continue;  // not all methods are for that many words
    std::string with = " (with";
    for (const std::string& word : flags) with += " " + word;
    with += ")";
    if (!run.has_ended() && !run.was_cut_short()) take_end(size, run, with);  // it has more data than requested
    if (!run.wrong.empty()) size.run.wrong = run.wrong + with;
    for (const std::string& line : run.unexplained) size.run.unexplained.push_back(line + with);
    return;
  }
}

JudgedSize judged_size(const JudgeArguments& arguments, const JudgeCandidate& candidate,
                       const std::function<void(const std::string&)>& show, const std::atomic<bool>& stop) {
  JudgedSize size{.machine = candidate.machine,
                  .method = std::string(candidate.method->name),
                  .guest = arguments.trials.run.embed.value_or(""),
                  .processors = parse_machine(arguments.trials.run.embed.value_or(candidate.machine)).processors};
  show(printable(size.name()) + " on " + printable(size.machine));
  size.run = run_apart(arguments, {.machine = size.machine, .method = size.method}, stop);
  if (size.run.ending == Ending::refused) return size;
  if (!size.run.task.empty()) {
    const std::vector<run::Trial> trials = catalogued(arguments, candidate, size.run, show, stop);
    size.bound = least_steps(candidate, size.run, trials);
    compare_with_others(size, trials);
  }
  if (size.is_found_out()) {
    if (auto run = wrong_with_other_data(arguments, {.machine = size.machine, .method = size.method}, stop)) {
      size.run = std::move(*run);
    }
  }
  if (size.run.has_right_data() && !size.is_found_out()) look_at_other_data(size, arguments, *candidate.method, stop);
  // A search may find another schedule when it runs out of time.
  if (size.run.has_right_data() && !flags::takes(*candidate.method, "time-limit")) {
    look_for_schedule(size, arguments, show, stop);
  }
  return size;
}

/// The fraction of the sizes for which it is true.
template <class Predicate>
double part_of(const std::vector<JudgedSize>& sizes, const Predicate& predicate) {
  return static_cast<double>(std::ranges::count_if(sizes, predicate)) / static_cast<double>(sizes.size());
}

std::vector<Assessment::AssessedPart> parts_of(const JudgeArguments& arguments, const Assessment& assessment) {
  const std::vector<JudgedSize>& sizes = assessment.sizes;
  const auto counts = [&](const JudgedSize& size) { return assessment.counts(size); };
  std::vector<Assessment::AssessedPart> parts{
      {"data", arguments.data_points, part_of(sizes, counts)},
      {"rules", arguments.rules_points, part_of(sizes, [](const JudgedSize& size) { return size.run.has_ended(); })}};
  double nearness = 0;
  double compared = 0;
  for (const JudgedSize& size : sizes) {
    if (size.run.has_ended() && !size.reference()) continue;
    compared += 1;
    nearness += counts(size) ? size.nearness() : 0;
  }
  const double others = arguments.data_points + arguments.rules_points;
  if (compared > 0 || others == 0) {
    parts.push_back({"bound", arguments.bound_points, compared > 0 ? nearness / compared : 0});
  } else {
    for (Assessment::AssessedPart& part : parts) part.share *= arguments.all_points() / others;
  }
  return parts;
}

}  // namespace

std::optional<std::uint64_t> JudgedSize::reference() const {
  return bound ? bound : best ? std::optional(best->steps) : std::nullopt;
}

double JudgedSize::nearness() const {
  const std::optional<std::uint64_t> least = reference();
  if (!least || run.steps <= *least) return 1;
  return static_cast<double>(*least) / static_cast<double>(run.steps);
}

std::string verdict(const JudgedSize& size) {
  const JudgedRun& run = size.run;
  switch (run.ending) {
    case Ending::failed:
      return run.kind;
    case Ending::refused:
      return "refused";
    case Ending::out_of_time:
      return "out of time";
    case Ending::out_of_memory:
      return "out of memory";
    case Ending::killed:
      return "killed";
    case Ending::crashed:
      return "crashed";
    case Ending::no_result:
      return "no result";
    case Ending::ended:
      break;
  }
  if (!run.wrong.empty()) return "wrong data";
  if (!run.unexplained.empty() || size.has_too_few_steps()) return "data without messages";
  if (!size.schedule.empty()) return "depends on the schedule";
  return run.differing.empty() ? "right" : "not as predicted";
}

std::vector<std::string> complaints(const JudgedSize& size) {
  const JudgedRun& run = size.run;
  if (!run.has_ended()) return {run.text};
  std::vector<std::string> lines;
  if (!run.wrong.empty()) lines.push_back("wrong data: " + run.wrong);
  std::ranges::copy(run.unexplained, std::back_inserter(lines));
  if (size.has_too_few_steps()) {
    lines.push_back(host::counted(run.steps, "step") + ", fewer than the " + host::grouped(*size.bound) +
                    " that any program needs: data came without messages");
  }
  if (!size.schedule.empty()) lines.push_back(size.schedule);
  std::ranges::copy(run.differing, std::back_inserter(lines));
  return lines;
}

bool Assessment::counts(const JudgedSize& size) const {
  return size.run.has_right_data() && std::ranges::none_of(sizes, [&](const JudgedSize& each) {
           return each.method == size.method && each.is_found_out();
         });
}

bool Assessment::is_right() const { return std::ranges::all_of(sizes, &JudgedSize::is_right); }

double Assessment::points() const {
  double sum = 0;
  for (const AssessedPart& part : parts) sum += part.points();
  return sum;
}

JudgeArguments with_named_guest(JudgeArguments arguments) {
  run::RunArguments named = arguments.trials.run;
  named.algorithm = arguments.algorithm;
  named = run::with_named_guest(std::move(named));
  if (named.algorithm == arguments.algorithm) return arguments;
  arguments.algorithm = named.algorithm;
  arguments.trials.run.embed = named.embed;
  arguments.words.insert(arguments.words.end(), {"--embed", *named.embed});
  return arguments;
}

Assessment judged(const JudgeArguments& arguments, const std::function<void(const std::string& what)>& show,
                  const std::atomic<bool>& stop) {
  Assessment assessment;
  std::string refusal = "no machine to judge on; --machine names one";
  for (const JudgeCandidate& candidate : candidates(arguments)) {
    JudgedSize size = judged_size(arguments, candidate, show, stop);
    if (size.run.ending != Ending::refused) {
      assessment.sizes.push_back(std::move(size));
      continue;
    }
    refusal = size.run.text;
    if (candidate.is_asked_for) throw InputError(refusal);
  }
  if (assessment.sizes.empty()) throw InputError(refusal);
  assessment.parts = parts_of(arguments, assessment);
  return assessment;
}

}  // namespace lockstep::cli::judge
