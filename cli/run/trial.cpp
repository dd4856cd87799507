#include "trial.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <ranges>

#include "execution.hpp"
#include "failure.hpp"
#include "flags/setting_flags.hpp"
#include "host/interrupt.hpp"
#include "host/joined.hpp"
#include "host/number_text.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/algorithms/carried_prediction.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/port_models.hpp"
#include "lockstep/algorithms/replay.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/printable.hpp"
#include "memory_need.hpp"
#include "method_choice.hpp"
#include "schedule_input.hpp"

namespace lockstep::cli::run {
namespace {

using MethodList = std::vector<const Method*>;

/// The catalogue entry of that name for the machine; null if there is none.
const Method* entry_for(const MethodList& methods, std::string_view name, const MachineSpec& machine) {
  const auto entry = std::find_if(methods.begin(), methods.end(), [&](const Method* method) {
    return method->name == name && is_for(*method, machine.family);
  });
  return entry == methods.end() ? nullptr : *entry;
}

std::string families(const MethodList& methods, std::string_view name) {
  std::vector<std::string_view> all;
  for (const Method* method : methods) {
    if (method->name == name) all.insert(all.end(), method->families.begin(), method->families.end());
  }
  return host::joined(all);
}

/// Each once: entries of one name need not follow each other.
std::vector<std::string> names_of(const MethodList& methods) {
  std::vector<std::string> names;
  for (const Method* method : methods) {
    if (std::ranges::find(names, method->name) == names.end()) names.emplace_back(method->name);
  }
  return names;
}

void refuse_foreign(const TrialArguments& arguments, const MethodList& methods) {
  for (const auto& given : arguments.settings) {
    const SettingFlag& flag = *given.first;
    if (std::ranges::any_of(methods, [&](const Method* method) { return flags::takes(*method, flag.name); })) continue;
    throw InputError(flag.flag() + " is not a parameter of any method of " + arguments.operation);
  }
}

/// The given settings that the method takes. Throws InputError if it lacks one that changes its task.
Settings settings_for(const TrialArguments& arguments, const Method& method) {
  Settings settings;
  for (const auto& [flag, text] : arguments.settings) {
    if (flags::takes(method, flag->name)) {
      flag->set(settings, text);
    } else if (!flag->is_tuning) {
      throw InputError("takes no " + flag->flag());
    }
  }
  return settings;
}

/// Whether both ways round a ring of the machine are one link: those of two processors.
bool has_ring_of_two(const MachineSpec& machine) {
  return machine.processors == 2 || std::ranges::any_of(machine.factors, [](const MachineSpec& factor) {
           return factor.family == "ring" && factor.processors == 2;
         });
}

/// A prediction holds only under the rules that the method's schedule is meant for; a run shows what else is legal.
/// stage() is the machine of the method.
template <class Stage>
void refuse_rules(const flags::ModelArguments& rules, const Method& method, const Stage& stage) {
  if (rules.ports && !is_meant_for(method, *rules.ports)) {
    const auto called = [](PortModel model) { return name(model); };
    throw InputError("is meant for --ports " + host::joined(method.port_models, called, " or "));
  }
  const std::vector<Duplex> forms = duplex_forms(method);
  if (rules.duplex && std::find(forms.begin(), forms.end(), *rules.duplex) == forms.end()) {
    throw InputError("is meant for --duplex " + std::string(name(forms.back())));
  }
  if (rules.duplex == Duplex::half_link && method.strictest_duplex == Duplex::half_link && has_ring_of_two(stage())) {
    throw InputError("may use both directions of a link at once where a ring has two processors");
  }
  const PortModel ports = rules.ports.value_or(method.defaults.ports);
  if (rules.multicast == false && method.defaults.multicast && !sends_on_several_ports(ports)) {
    throw InputError("is meant for --multicast on");
  }
}

/// The text without the method's name before it.
std::string text_of(const std::string& method, std::string text) {
  for (const char* separator : {": ", " "}) {
    const std::string name = method + separator;
    if (text.starts_with(name)) return text.substr(name.size());
  }
  return text;
}

/// Sets the trial's record to make_record(); if that throws, the trial has the reason and no record.
template <class MakeRecord>
void plan_with(Trial& trial, const MakeRecord& make_record) {
  try {
    trial.record = make_record();
  } catch (const InputError& error) {
    trial.record.reset();
    trial.reason = text_of(trial.method, error.what());
  } catch (const MemoryError& error) {
    trial.record.reset();
    trial.is_too_large = true;
    trial.reason = text_of(trial.method, error.what());
  }
}

/// Sets the trial's arguments. Throws what settings_for() throws, when all but the settings are set.
void set_arguments(const TrialArguments& arguments, const Method& takes, Trial& trial) {
  trial.arguments = arguments.run;
  trial.arguments.machine = trial.machine;
  trial.arguments.algorithm = trial.method;
  if (trial.guest.empty()) {
    trial.arguments.embed = trial.arguments.map = std::nullopt;
    trial.arguments.embedding = nullptr;
  }
  trial.arguments.model.ports = trial.ports;
  trial.arguments.settings = settings_for(arguments, takes);
}

/// Plans a schedule from a file, which is compared with the methods.
void plan_schedule(const TrialArguments& arguments, Trial& trial) {
  plan_with(trial, [&] {
    const bool is_replay = arguments.operation == replay_operation;
    set_arguments(arguments, is_replay ? replay_method() : written_schedule_method("alltoall"), trial);
    trial.takes_settings = true;
    RunRecord record = planned(arguments.predict ? plan_prediction(trial.arguments) : plan_run(trial.arguments));
    const std::string_view operation = record.plan.method->operation;
    if (operation != arguments.operation) throw InputError("is of operation " + std::string(operation));
    return record;
  });
}

/// Unless --words is given, sets it to the first schedule's number of chunks, so that it moves whole words.
TrialArguments with_words_of_schedules(TrialArguments arguments) {
  const auto is_words = [](const auto& given) { return given.first->name == "words"; };
  if (arguments.schedules.empty() || std::ranges::any_of(arguments.settings, is_words)) return arguments;
  Trial trial{.machine = arguments.machines.front(), .method = arguments.schedules.front(), .ports = {}};
  if (!arguments.ports.empty()) trial.ports = arguments.ports.front();
  plan_schedule(arguments, trial);
  if (!trial.record || !trial.record->plan.settings.words) return arguments;
  arguments.settings.emplace_back(flags::find_setting("words"), std::to_string(*trial.record->plan.settings.words));
  return arguments;
}

/// Whether a small run replaces the prediction that the paths of a guest's messages do not allow: it gives the same
/// figures every time.
bool is_found_by_run(const Trial& trial) {
  constexpr std::uint64_t most_bytes = std::uint64_t{32} << 20;
  if (trial.guest.empty() || !trial.record || trial.record->prediction.steps) return false;
  const RunPlan& plan = trial.record->plan;
  if (flags::takes(*plan.method, "time-limit")) return false;  // it would search as long as that every time
  return run_memory(*plan.method, plan.stage(), plan.model, plan.settings) <= most_bytes;
}

void find_by_run(Trial& trial) {
  static const std::atomic<bool> never = false;
  const RunArguments given = trial.arguments;
  RunArguments& run = trial.arguments;
  run.quiet = true;
  run.executor = ExecutorKind::sequential;
  run.threads = 0;
  run.repeat = 1;
  run.warmup = 0;
  run.schedule_seed.reset();
  plan_to_run(trial);
  if (trial.record) run_trial(trial, never);
  trial.arguments = given;
}

/// A trial that cannot run for a reason known before gets that reason.
void plan(const TrialArguments& arguments, const Method& method, Trial& trial, const std::string& known_reason = {}) {
  plan_with(trial, [&] {
    set_arguments(arguments, method, trial);
    if (!known_reason.empty()) throw InputError(known_reason);
    if (arguments.predict) refuse_rules(trial.arguments.model, method, [&] { return stage_of(trial.arguments); });
    trial.takes_settings = true;
    return planned(arguments.predict ? plan_prediction(trial.arguments) : plan_run(trial.arguments));
  });
  if (arguments.predict && is_found_by_run(trial)) find_by_run(trial);
}

/// With one port a guest's multicast is carried as several messages, in steps that are not predicted.
void refuse_multicast(const Model& model) {
  if (model.multicast && model.ports != PortModel::all) throw InputError("is not predicted with multicasts");
}

/// Turns the root from a rank of the host into that of the same processor in the guest.
void rename_root(const Embedding& embedding, const Method& method, Settings& settings) {
  const std::uint64_t root = settings.root.value_or(0);
  if (!flags::takes(method, "root") || root >= embedding.processors) return;
  Rank rank = 0;
  while (embedding.place(rank) != root) ++rank;
  if (rank != root) settings.root = rank;
}

/// Plans a method of a machine that spans another.
void plan_guest(const TrialArguments& arguments, const GuestMethod& guest, bool has_bound, Trial& trial) {
  plan_with(trial, [&] {
    const Method& method = *guest.method;
    set_arguments(arguments, method, trial);
    trial.arguments.embed = trial.guest;
    trial.arguments.embedding = guest.embedding;
    rename_root(*guest.embedding, method, trial.arguments.settings);
    refuse_rules(trial.arguments.model, method, [&] { return *guest.embedding->machine; });
    refuse_multicast(flags::model_of(trial.arguments.model, method.defaults));
    trial.takes_settings = true;
    const RunPlan plan = arguments.predict ? plan_prediction(trial.arguments) : plan_run(trial.arguments);
    if (!does_task_of_host(*plan.embedding, method, plan.settings))
      throw InputError("does the operation in another order of ranks");
    return has_bound ? planned(plan) : predicted(plan);
  });
}

/// The machine of --embed, which must be one on which methods run.
std::optional<MachineSpec> guest_of(const TrialArguments& arguments) {
  if (!arguments.run.embed) {
    if (arguments.run.map) throw InputError("--map places the processors of --embed, which is not given");
    return {};
  }
  if (*arguments.run.embed == "binary-tree") {
    throw InputError("--embed binary-tree: no method runs on it; `lockstep info` shows the embedding");
  }
  return parse_machine(*arguments.run.embed);
}

/// Makes the guest's embedding, once for all trials on the machine. Returns why it cannot; empty if it could.
std::string embed(RunArguments& run, const MachineSpec& machine) {
  run.embedding = nullptr;
  try {
    run.embedding = embedding_for(run, machine);
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

void refuse_if_nothing_runs(const std::vector<Trial>& trials, const std::string& operation,
                            const std::string& machine) {
  const auto is_of_machine = [&](const Trial& trial) { return machine.empty() || trial.machine == machine; };
  auto those = trials | std::views::filter(is_of_machine);
  if (std::ranges::any_of(those, [](const Trial& trial) { return trial.record.has_value(); })) return;
  // The most useful reason is that of a method that is for the machine and has the parameters.
  auto shown = std::ranges::find_if(those, &Trial::takes_settings);
  if (shown == those.end()) shown = std::ranges::find_if(those, &Trial::is_for_machine);
  if (shown == those.end()) shown = those.begin();
  throw InputError("no method of " + operation + " can be compared on " + printable(shown->machine) + ": " +
                   shown->method + ": " + shown->reason);
}

void refuse_idle_faults(const TrialArguments& arguments) {
  if (!arguments.predict || arguments.run.faults.empty()) return;
  throw InputError(flags::flags_of(arguments.run.faults) + " needs runs, and --predict makes none");
}

void refuse_twice(const std::string& flag, std::vector<std::string> values) {
  std::ranges::sort(values);
  const auto same = std::ranges::adjacent_find(values);
  if (same != values.end()) throw InputError(flag + " " + lockstep::quoted(*same) + " is given twice");
}

void Trial::drop_record() {
  if (record) plan = record->plan;
  if (record && has_failed && record->has_counts()) failed = std::move(record);
  record.reset();
}

bool is_under_own_rules(const Trial& trial) {
  try {
    const RunPlan& plan = trial.record->plan;
    refuse_rules(trial.arguments.model, *plan.method, [&] { return plan.stage(); });
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void plan_to_run(Trial& trial) {
  plan_with(trial, [&] { return planned(plan_run(trial.arguments)); });
}

std::vector<host::NamedFile> inputs_of(const TrialArguments& arguments) {
  std::vector<host::NamedFile> inputs;
  if (arguments.run.map) inputs.push_back({"--map", *arguments.run.map});
  for (const auto& [flag, text] : arguments.settings) {
    if (flag->name == "input" || flag->name == "pattern" || flag->name == "permutation" || flag->name == "group") {
      inputs.push_back({flag->flag(), text});
    }
  }
  for (const std::string& schedule : arguments.schedules) {
    for (const std::string& path : schedule_files(schedule.substr(std::string_view("file:").size()))) {
      inputs.push_back({"a schedule of --algorithm", path});
    }
  }
  for (const std::string& machine : arguments.machines) {
    for (const std::string& path : host::graph_files(machine)) inputs.push_back({"a graph of --machine", path});
  }
  return inputs;
}

std::vector<const Method*> methods_beside(const TrialArguments& arguments) {
  if (arguments.operation != replay_operation) {
    return selected_methods(methods_of({.name = {}, .operation = arguments.operation, .machine = {}}),
                            arguments.methods);
  }
  if (!arguments.methods.empty()) throw InputError("--methods selects from a catalogue, which has none for a replay");
  if (!arguments.schedules.empty()) return {};
  throw InputError("no method does a replay; --algorithm file:FILE names messages to send again");
}

std::vector<GuestMethod> guest_methods(const TrialArguments& arguments, const MachineSpec& host) {
  std::vector<GuestMethod> guests;
  if (!arguments.chooses_guests || arguments.run.embed || host.medium || !collective_of(arguments.operation))
    return guests;
  if (!arguments.run.faults.empty()) return guests;  // which are those of a machine's own methods
  const auto is_given = [&](std::string_view name) {
    return std::ranges::any_of(arguments.settings, [&](const auto& given) { return given.first->name == name; });
  };
  if (is_given("input") || is_given("group")) return guests;              // by the host's ranks
  if (!arguments.schedules.empty() && !is_given("words")) return guests;  // a schedule has its own words
  const MethodList methods = methods_beside(arguments);
  // Methods for any machine only lack links there that the host has; but on a path or ring they make pipelines. A mesh
  // only lacks links of the torus of its shape, which spans the host too if it is another shape than the host's.
  const auto uses_shape = [&](const MachineSpec& guest, const Method& method) {
    if (guest.family == "path" || guest.family == "ring" || guest.parameters == host.parameters) return true;
    if (is_for_any_machine(method)) return false;
    return guest.family != "mesh" || entry_for(methods, method.name, parse_machine("torus:2x2")) == nullptr;
  };
  for (Embedding& one : spanning_machines(host)) {
    const auto embedding = std::make_shared<const Embedding>(std::move(one));
    for (const std::string& name : names_of(methods)) {
      const Method* const method = entry_for(methods, name, *embedding->machine);
      const bool is_left_out = std::ranges::find(arguments.left_out, method) != arguments.left_out.end();
      if (method == nullptr || is_left_out || flags::takes(*method, "time-limit")) continue;
      if (!uses_shape(*embedding->machine, *method)) continue;
      guests.push_back({embedding, method});
    }
  }
  return guests;
}

std::vector<Trial> plan_guests(const TrialArguments& arguments, bool has_bounds) {
  std::vector<std::optional<PortModel>> models(arguments.ports.begin(), arguments.ports.end());
  if (models.empty()) models.emplace_back();
  std::vector<Trial> trials;
  for (const std::string& machine : arguments.machines) {
    for (const GuestMethod& guest : arguments.guests) {
      if (guest.embedding->host.text != machine) continue;
      for (const auto& ports : models) {
        Trial trial{.machine = machine,
                    .method = std::string(guest.method->name),
                    .guest = guest.embedding->guest,
                    .ports = ports};
        plan_guest(arguments, guest, has_bounds, trial);
        trials.push_back(std::move(trial));
      }
    }
  }
  return trials;
}

std::vector<Trial> plan_trials(const TrialArguments& given) {
  TrialArguments arguments = with_words_of_schedules(given);
  const bool is_replay = arguments.operation == replay_operation;
  MethodList methods = methods_beside(arguments);
  std::erase_if(methods, [&](const Method* method) {
    return std::ranges::find(arguments.left_out, method) != arguments.left_out.end();
  });
  if (methods.empty() && !is_replay) throw InputError("there is no other method of " + arguments.operation);
  refuse_foreign(arguments, is_replay ? MethodList{&replay_method()} : methods);
  std::ranges::stable_partition(methods, [](const Method* method) { return !is_for_any_machine(*method); });
  refuse_twice("--machine", arguments.machines);
  refuse_twice("--algorithm", arguments.schedules);
  std::vector<std::string> port_models;
  for (const PortModel ports : arguments.ports) port_models.emplace_back(name(ports));
  refuse_twice("--ports", port_models);
  refuse_idle_flags(arguments.run);
  std::vector<std::optional<PortModel>> models(arguments.ports.begin(), arguments.ports.end());
  if (models.empty()) models.emplace_back();
  const std::optional<MachineSpec> guest = guest_of(arguments);
  std::vector<Trial> trials;
  for (const std::string& text : arguments.machines) {
    const MachineSpec machine = parse_machine(text);
    const std::string no_guest = guest ? embed(arguments.run, machine) : "";
    for (const std::string& name : names_of(methods)) {
      const auto add = [&](const Method& method, const std::string& embedded) {
        for (const auto& ports : models) {
          Trial trial{.machine = text, .method = name, .guest = embedded, .ports = ports};
          plan(arguments, method, trial, embedded.empty() ? "" : no_guest);
          trials.push_back(std::move(trial));
        }
      };
      const Method* const own = entry_for(methods, name, machine);
      const Method* const of_guest = guest ? entry_for(methods, name, *guest) : nullptr;
      if (own != nullptr) add(*own, {});
      if (of_guest != nullptr) add(*of_guest, guest->text);
      if (own == nullptr && of_guest == nullptr) {
        trials.push_back({.machine = text, .method = name, .ports = {}, .reason = "is for " + families(methods, name)});
      }
    }
    for (const std::string& schedule : arguments.schedules) {
      for (const auto& ports : models) {
        Trial trial{.machine = text, .method = schedule, .ports = ports};
        if (guest && !machine.medium) trial.guest = guest->text;
        plan_schedule(arguments, trial);
        trials.push_back(std::move(trial));
      }
    }
  }
  std::ranges::move(plan_guests(arguments), std::back_inserter(trials));
  refuse_if_nothing_runs(trials, arguments.operation);
  return trials;
}

void note_problems(Trial& trial) {
  if (trial.record->problems.empty()) return;
  trial.reason = trial.record->problems.front();
  trial.has_failed = true;
  trial.drop_record();
}

void run_trial(Trial& trial, const std::atomic<bool>& stop) {
  try {
    execute(
        trial.arguments, *trial.record, [&](std::uint64_t) { return trial.record->plan.settings; }, stop);
    return note_problems(trial);
  } catch (...) {
    const CommandFailure failure = failure_of(std::current_exception(), &trial.record->plan);
    if (failure.is_interrupt()) throw host::Interrupted();
    if (failure.code == host::internal_error) throw;
    trial.reason = text_of(trial.method, failure.text);
    trial.has_failed = failure.code == host::run_failed;
  }
  trial.drop_record();
}

bool run_until_stopped(std::span<Trial* const> trials, const std::atomic<bool>& stop,
                       const std::function<void(const Trial&)>& show) {
  bool is_interrupted = false;
  for (Trial* const trial : trials) {
    if (!trial->record) continue;
    try {
      if (!is_interrupted) show(*trial);
      if (!is_interrupted) run_trial(*trial, stop);
    } catch (const host::Interrupted&) {
      is_interrupted = true;
    }
    if (!is_interrupted) continue;
    trial->record.reset();
    trial->reason = "was not run to its end: interrupted";
  }
  return is_interrupted;
}

host::ExitCode exit_code_of(std::span<const Trial* const> trials) {
  constexpr std::size_t most_lines = 10;  // of a study with faults thousands may fail
  std::size_t failed = 0;
  for (const Trial* const trial : trials) {
    if (!trial->has_failed || ++failed > most_lines) continue;
    print_line(printable(trial->name()) + " on " + printable(trial->machine) + ": " + trial->reason);
  }
  if (failed > most_lines) print_line("and " + host::counted(failed - most_lines, "more run") + " failed");
  if (failed > 0) return host::run_failed;
  if (std::ranges::any_of(trials, [](const Trial* trial) { return trial->record.has_value(); })) return host::verified;
  const Trial& first = **std::ranges::find_if(trials, &Trial::is_for_machine);
  print_line("nothing could be compared: " + first.method + " on " + printable(first.machine) + ": " + first.reason);
  return host::bad_input;
}

}  // namespace lockstep::cli::run
