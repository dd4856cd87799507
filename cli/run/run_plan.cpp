#include "run_plan.hpp"

#include <algorithm>

#include "flags/setting_flags.hpp"
#include "host/joined.hpp"
#include "host/number_text.hpp"
#include "lockstep/algorithms/carried_prediction.hpp"
#include "lockstep/algorithms/carrier.hpp"
#include "lockstep/algorithms/chunk_program.hpp"
#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/algorithms/operation/operands.hpp"
#include "lockstep/algorithms/port_models.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"
#include "lockstep/machines/omega.hpp"
#include "lockstep/machines/topologies.hpp"
#include "memory_need.hpp"
#include "schedule_input.hpp"
#include "trace.hpp"
#include "tuning.hpp"

namespace lockstep::cli::run {

namespace {

/// Between a method and the machine that is embedded.
constexpr std::string_view infix = " on ";

/// Refuses --channels on a machine without links, which has no channels.
void refuse_idle_channels(const RunArguments& arguments, const MachineSpec& machine) {
  if (arguments.channels && machine.medium) {
    throw InputError("--channels is for machines with links; " + printable(machine.text) + " has none");
  }
}

/// Adds the time that setting the elements of a network takes to every start-up.
void charge_stages(const RunArguments& arguments, RunPlan& plan) {
  plan.given_beta = plan.model.cost.beta;
  if (!arguments.model.stage_cost) return;
  if (!plan.machine.medium || plan.machine.medium->network == nullptr) {
    throw InputError(
        "--stage-cost is for networks of stages (omega, inverse-omega, indirect-cube, data-manipulator); " +
        printable(plan.machine.text) + " has no stages");
  }
  plan.stage_cost = *arguments.model.stage_cost;
  plan.model.cost.beta += stages_of(*plan.machine.medium, static_cast<Rank>(plan.machine.processors)) * plan.stage_cost;
}

/// The method to run; for a file, the one that runs its schedule, which is read here if it moves whole blocks.
const Method& method_of(const RunArguments& arguments, const MachineSpec& machine, WrittenSchedule& schedule) {
  const std::optional<std::string> path = schedule_file(arguments);
  if (!path) return find_method(arguments.algorithm, machine.family);
  const bool has_links = schedule ? is_for(schedule->method(), machine.family) : !machine.medium;
  if (!has_links) {
    throw InputError("the processors of " + printable(machine.text) + " have no links for a schedule to use");
  }
  if (!schedule) schedule = read_schedule_of_blocks(*path, static_cast<Rank>(machine.processors));
  return schedule->method();
}

/// Bytes that the run holds.
std::uint64_t memory_of(const RunPlan& plan) {
  const std::uint64_t bytes = run_memory(*plan.method, plan.stage(), plan.model, plan.settings);
  if (!plan.embedding || bytes == beyond_measure) return bytes;
  return saturated(Wide{bytes} + Carrier::bytes(*plan.embedding, plan.model));
}

/// Words of one block.
Wide block_words(const RunPlan& plan) {
  const Settings& settings = plan.settings;
  const Wide processors = plan.machine.processors;
  if (settings.matrix) return std::max<Wide>(Wide{settings.matrix->rows} * settings.matrix->columns / processors, 1);
  if (!settings.words) return 1;
  const Task task = log_for(*plan.method, settings).schedule.task;
  return has_few(task.operation) ? std::max<Wide>(*settings.words / (processors * task.few), 1) : *settings.words;
}

/// Bytes of the schedule, as a list and as text.
std::uint64_t schedule_memory(const RunPlan& plan) {
  constexpr std::uint64_t text_of_a_move = 40;
  return saturated(Wide{predicted_blocks(plan).value_or(0)} * (2 * sizeof(Move) + text_of_a_move));
}

/// The schedule of a guest's method is one for all processors of the host, of the blocks that they store and forward.
void refuse_if_not_in_blocks(const RunPlan& plan, ScheduleFormat format) {
  const std::string what = "plan with --embed ";
  const Embedding& embedding = *plan.embedding;
  if (!moves_blocks(plan.method->operation)) {
    throw InputError(what + "writes schedules of whole blocks; " + std::string(plan.method->name) +
                     " combines or changes them");
  }
  if (format != ScheduleFormat::lockstep) throw InputError(what + "writes only --format lockstep");
  if (embedding.processors < plan.machine.processors) {
    throw InputError(what + "writes schedules for all processors; " + printable(embedding.guest) + " uses " +
                     std::to_string(embedding.processors) + " of the " + std::to_string(plan.machine.processors) +
                     " of " + printable(plan.machine.text));
  }
  if (!embedding.is_subgraph && plan.model.cost.switching != Switching::store_and_forward) {
    throw InputError(what + "writes what is stored and forwarded, not --switching " +
                     std::string(name(plan.model.cost.switching)));
  }
}

/// Lockstep's own schedules have whole blocks that move over links, or the chunks of collectives; those of other
/// programs have only chunks, but also go over a switch.
void refuse_if_without_schedule(const RunPlan& plan, ScheduleFormat format) {
  const std::string operation(plan.method->operation);
  if (format != ScheduleFormat::lockstep && !has_chunks(operation)) {
    throw InputError("--format " + std::string(name(format)) + " is for " + host::joined(chunk_operations()) +
                     ", not for " + operation);
  }
  if (!moves_blocks(operation) && !has_chunks(operation)) {
    throw InputError("plan writes schedules of whole blocks; " + std::string(plan.method->name) + " moves other data");
  }
  if (plan.settings.group) throw InputError("plan writes schedules of whole machines; --group names a part of one");
  if (plan.machine.medium && plan.machine.family != "switch") {
    throw InputError("plan writes schedules for links or a switch; " + printable(plan.machine.text) + " has neither");
  }
}

}  // namespace

std::shared_ptr<const Embedding> embedding_for(const RunArguments& arguments, const MachineSpec& host) {
  if (arguments.embedding) return arguments.embedding;
  if (arguments.map && !arguments.embed) throw InputError("--map places the processors of --embed, which is not given");
  if (!arguments.emulate && !arguments.embed) return nullptr;
  if (arguments.emulate && arguments.embed) throw InputError("--emulate and --embed cannot be combined");
  auto made = std::make_shared<const Embedding>(arguments.embed ? embedding(*arguments.embed, host, arguments.map)
                                                                : emulated_hypercube(host));
  if (!made->machine) {
    throw InputError("--embed " + made->guest + ": no method runs on it; `lockstep info` shows the embedding");
  }
  return made;
}

MachineSpec stage_of(const RunArguments& arguments) {
  if (arguments.embed) return parse_machine(*arguments.embed);
  const MachineSpec machine = parse_machine(arguments.machine);
  return arguments.emulate ? *emulated_hypercube(machine).machine : machine;
}

std::optional<std::string> schedule_file(const RunArguments& arguments) {
  if (arguments.schedule) return arguments.schedule;
  constexpr std::string_view prefix = "file:";
  if (!arguments.algorithm.starts_with(prefix)) return {};
  return arguments.algorithm.substr(prefix.size());
}

std::optional<MethodOnMachine> method_on_machine(const std::string& name) {
  const std::size_t place = name.find(infix);
  if (place == std::string::npos) return {};
  return MethodOnMachine{name.substr(0, place), name.substr(place + infix.size())};
}

std::string name_on(const std::string& method, const std::string& guest) {
  return guest.empty() ? method : method + std::string(infix) + guest;
}

RunArguments with_named_guest(RunArguments arguments) {
  auto named = method_on_machine(arguments.algorithm);
  if (!named || schedule_file(arguments)) return arguments;
  if (arguments.embed || arguments.emulate) {
    throw InputError("--algorithm " + quoted(arguments.algorithm) + " names the machine of the method, as --" +
                     (arguments.embed ? "embed" : "emulate") + " does: give it once");
  }
  arguments.embed = std::move(named->machine);
  arguments.algorithm = std::move(named->method);
  return arguments;
}

std::vector<PlacedRank> placed_ranks(const RunPlan& plan) {
  std::vector<PlacedRank> ranks;
  if (!plan.embedding) return ranks;
  const auto add = [&](std::string_view parameter, const std::optional<std::uint64_t>& rank) {
    if (!flags::takes(*plan.method, parameter) || !rank) return;
    ranks.push_back({parameter, *rank, plan.embedding->place(static_cast<Rank>(*rank))});
  };
  add("root", plan.settings.root);
  add("source", plan.settings.source);
  add("destination", plan.settings.destination);
  return ranks;
}

Model given_model(const RunPlan& plan) {
  Model given = plan.model;
  given.cost.beta = plan.given_beta.value_or(given.cost.beta);
  return given;
}

void refuse_if_missing(const RunArguments& arguments) {
  if (arguments.schedule) {
    if (!arguments.schedule->empty()) return;
    throw InputError("validate needs a schedule, e.g. lockstep validate ring8.xml");
  }
  if (!arguments.machine.empty() && !arguments.algorithm.empty()) return;
  const std::string missing = !arguments.machine.empty()     ? "--algorithm"
                              : !arguments.algorithm.empty() ? "--machine"
                                                             : "--machine and --algorithm";
  if (arguments.plan) {
    throw InputError("plan needs " + missing + ", e.g. lockstep plan --machine path:3 --algorithm alltoall/factor");
  }
  const std::string command = arguments.trace ? "trace" : "run";
  throw InputError(command + " needs " + missing + ", e.g. lockstep " + command +
                   " --machine hypercube:4 --algorithm broadcast/sbt");
}

void refuse_idle_flags(const RunArguments& arguments) {
  const ExecutorKind executor = arguments.executor;
  const bool has_one_thread = executor == ExecutorKind::sequential || executor == ExecutorKind::seeded;
  if (arguments.threads != 0 && has_one_thread) {
    throw InputError("--threads is for --executor tbb and threads; " + std::string(name(executor)) +
                     " uses one thread");
  }
  if (arguments.schedule_seed && executor != ExecutorKind::seeded) {
    throw InputError("--schedule-seed is for --executor seeded; " + std::string(name(executor)) +
                     " draws no order of processors");
  }
}

RunPlan plan_prediction(const RunArguments& arguments) {
  refuse_if_missing(arguments);
  refuse_idle_flags(arguments);
  RunPlan plan;
  const std::optional<std::string> path = schedule_file(arguments);
  plan.settings = arguments.settings;
  ScheduleInput input;
  if (path) {
    const bool has_all_ports = arguments.model.ports == PortModel::all;
    input = read_schedule_input(*path, plan.settings.word_bytes, has_all_ports);
    plan.settings.written_schedule = input.schedule;
  }
  if (path && arguments.machine.empty() && input.machine.empty()) {
    read_schedule_of_blocks(*path, 0);  // what is wrong in the file comes first
    throw InputError(
        "a schedule in Lockstep's form that names no machine needs --machine, e.g. lockstep validate schedule.json "
        "--machine mesh:4x4");
  }
  plan.machine = parse_machine(arguments.machine.empty() ? input.machine : arguments.machine);
  if (path && arguments.machine.empty()) refuse_changed_graph(*path, input, plan.machine);
  refuse_idle_channels(arguments, plan.machine);
  plan.embedding = embedding_for(arguments, plan.machine);
  plan.method = &method_of(arguments, plan.stage(), plan.settings.written_schedule);
  plan.name = !path ? std::string(plan.method->name) : is_standard_input(*path) ? input_name(*path) : *path;
  if (arguments.plan) refuse_if_without_schedule(plan, arguments.format);
  const std::string several = arguments.repeat > 1 ? "--repeat" : arguments.warmup > 0 ? "--warmup" : "";
  if (!several.empty() && flags::takes(*plan.method, "time-limit")) {
    throw InputError(several + " needs equal runs, and " + plan.name +
                     " may find another schedule when it runs out of time; plan one and repeat `lockstep validate`");
  }
  if (arguments.trace && arguments.trace->text && arguments.quiet) throw InputError("--quiet shows no --text");
  if (!several.empty() && arguments.trace) throw InputError(several + " is not for traces; a trace is of one run");
  if (arguments.trace && !flags::takes(*plan.method, "word-bytes")) plan.settings.word_bytes.reset();  // that of --ti
  flags::refuse_foreign_settings(*plan.method, plan.settings);
  flags::refuse_idle_costs(arguments.model, *plan.method, plan.embedding != nullptr);
  plan.model = flags::model_of(arguments.model, plan.method->defaults);
  plan.preset = arguments.model.preset;
  charge_stages(arguments, plan);
  const bool has_ports = !plan.machine.medium || (is_k_ports(plan.model.ports) && plan.machine.medium->takes_k_ports());
  if (!has_ports && plan.model.ports != PortModel::one) {
    throw InputError("--ports " + name(plan.model.ports) + ": the processors of " + printable(plan.machine.text) +
                     " have no ports; they send and receive as under --ports one");
  }
  if (plan.model.ports == PortModel::ring && !has_ring_rule(plan.stage().family)) {
    throw InputError("--ports ring applies to rings only; " + printable(plan.stage().text) + " is not a ring");
  }
  if (plan.embedding) Carrier::refuse_rules(*plan.embedding, plan.model);
  if (plan.embedding && arguments.plan) refuse_if_not_in_blocks(plan, arguments.format);
  flags::refuse_idle_seed(arguments.faults);
  if (plan.embedding && !arguments.faults.empty()) {
    throw InputError("faults are for methods of the machine itself, not for those that --embed or --emulate carries");
  }
  if (arguments.faults.has_failing_processors() && plan.settings.output) {
    const std::string flag = arguments.faults.processors ? "--fail-processors" : "--fail-processor";
    throw InputError("--output does not go with " + flag + ": the data of a failed processor is lost");
  }
  plan.faults = arguments.faults;
  plan.method->resolve(plan.stage(), plan.embedding ? known_to_guest(plan.model) : plan.model, plan.settings);
  if (arguments.model.flop.value_or(0) != 0 && operands::is_concat(plan.settings)) {
    throw InputError("--flop is for operators on numbers; concat appends strings");
  }
  tune(arguments, plan);
  return plan;
}

Prediction prediction_of(const RunPlan& plan) { return prediction_of(plan, plan.model, plan.settings); }

Prediction prediction_of(const RunPlan& plan, const Model& model, const Settings& settings) {
  return plan.embedding ? carried_prediction(*plan.embedding, *plan.method, model, settings)
                        : plan.method->predict(plan.machine, model, settings);
}

std::optional<std::uint64_t> predicted_blocks(const RunPlan& plan) {
  const auto words = prediction_of(plan).words;
  if (!words) return std::nullopt;
  return static_cast<std::uint64_t>(words->value / block_words(plan));
}

RunPlan plan_run(const RunArguments& arguments, std::uint64_t kept_bytes) {
  RunPlan plan = plan_prediction(arguments);
  const std::string on_machine = " on " + printable(plan.machine.text);
  plan.estimated_bytes = memory_of(plan);
  const std::uint64_t memory = reserved_memory(plan.estimated_bytes, plan.stage(), plan.model);
  refuse_if_too_large(printable(plan.name) + on_machine, memory, arguments.memory, arguments.sharing);
  if (arguments.trace) {
    const TraceBound bound = trace_bound(plan, arguments.trace->limits);
    refuse_if_too_large(printable(plan.name) + on_machine + " with the trace of " +
                            host::counted(bound.messages, "message") + " (--max-events)" +
                            (kept_bytes > 0 ? " beside another" : ""),
                        saturated(Wide{memory} + bound.bytes() + kept_bytes), arguments.memory);
  }
  if (arguments.plan) {
    refuse_if_too_large("the schedule of " + plan.name + on_machine, schedule_memory(plan), arguments.memory);
  }
  if (plan.faults.links || plan.faults.processors) flags::draw_faults(plan.faults, build(plan.machine));
  return plan;
}

}  // namespace lockstep::cli::run
