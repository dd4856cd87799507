#include "run_command.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include "host/file_names.hpp"
#include "host/interrupt.hpp"
#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/input_file.hpp"
#include "lockstep/machines/topologies.hpp"
#include "page_output.hpp"
#include "report/human_report.hpp"
#include "report/run_outputs.hpp"
#include "report/schedule_format.hpp"
#include "run/execution.hpp"
#include "run/failure.hpp"
#include "run/process_group.hpp"
#include "trace_outputs.hpp"

namespace lockstep::cli::trace {
namespace {

/// Names the task of a guest by ranks of its host.
void place_task(const Embedding& embedding, Task& task) {
  if (has_root(task.operation)) task.root = embedding.place(task.root);
  if (!has_few(task.operation)) return;
  for (Rank rank = 0; rank < task.few; ++rank) {
    if (embedding.place(rank) < task.few) continue;
    throw InputError("plan with --embed: " + task.operation + " needs its " + std::to_string(task.few) +
                     " processors below rank " + std::to_string(task.few) + ", and the map places processor " +
                     std::to_string(rank) + " at rank " + std::to_string(embedding.place(rank)));
  }
}

/// The recorded moves as a schedule.
const Schedule& schedule_of(const run::RunPlan& plan, MoveLog& log) {
  if (log.has_unlabelled)
    throw InputError(plan.name + " does not move whole blocks; only these can be written as a schedule");
  if (log.has_parts) throw InputError(plan.name + " divides blocks; their parts cannot be written as a schedule");
  log.schedule.nodes = static_cast<Rank>(plan.machine.processors);
  if (plan.embedding) place_task(*plan.embedding, log.schedule.task);
  return log.schedule;
}

/// The outputs of a run's messages.
struct Traced {
  std::optional<TraceOutputs> outputs{};
  std::optional<PageOutput> page{};

  explicit operator bool() const { return outputs.has_value(); }
  const run::Trace& trace() const { return outputs->trace(); }

  void prepare(const TracedRun& run) {
    outputs->prepare(run);
    if (page) page->prepare();
  }
  /// Writes the outputs and shows their text.
  void publish(const TracedRun& run, bool is_shown, const std::string& further = "") {
    const std::string line = page && is_shown ? page->line() : "";
    outputs->publish(run, is_shown, page ? &page->file() : nullptr, line + further);
  }
  bool takes_standard_output() const {
    return (outputs && outputs->takes_standard_output()) || (page && page->takes_standard_output());
  }
};

/// Whether --quiet is given or standard output carries another report.
bool shows_nothing(const run::RunArguments& arguments, const Traced& traced) {
  return arguments.quiet || arguments.json == "-" || arguments.csv == "-" || traced.takes_standard_output();
}

/// Shows and writes the run's results.
void publish(const run::RunArguments& arguments, const run::RunRecord& record, Traced& traced,
             report::RunOutputs& outputs) {
  const bool is_shown = !shows_nothing(arguments, traced);
  const host::Style style = host::Style::of_output();
  const std::string report = is_shown && (!traced || arguments.schedule) ? report::human_report(record, style) : "";
  const std::string cycles = is_shown && arguments.cycles ? report::cycle_table(record.outcome.report, style) : "";
  if (!traced) return outputs.publish(record, report + cycles, {});
  const TracedRun run{record, traced.trace()};
  traced.prepare(run);
  outputs.publish(record, report, {}, [&] { traced.publish(run, is_shown, cycles); });
}

/// Writes the schedule in chunks, in the requested format.
void publish_chunks(const run::RunArguments& arguments, const run::RunRecord& record, const std::atomic<bool>& stop,
                    report::RunOutputs& outputs) {
  const run::RunPlan& plan = record.plan;
  const MessageContents contents = report::contents_of(plan, stop);
  const report::ScheduleText written = report::schedule_text_of(contents, arguments.format, *arguments.plan, plan.name,
                                                                plan.machine, build(plan.machine), plan.model);
  outputs.publish(record, {}, written.text, [&] {
    if (*arguments.plan != "-")
      host::write_output(report::chunk_plan_line(printable(*arguments.plan), written, record));
  });
  report::print_warnings(*arguments.plan == "-" ? plan.name : printable(*arguments.plan), written);
}

/// Writes the schedule of a verified run.
void publish_plan(const run::RunArguments& arguments, const run::RunRecord& record, MoveLog& log,
                  const std::atomic<bool>& stop, report::RunOutputs& outputs) {
  if (record.status != run::Status::verified) return;
  const bool is_in_blocks = moves_blocks(record.plan.method->operation) && !record.plan.machine.medium &&
                            !log.has_unlabelled && !log.has_parts;
  const bool is_in_chunks = !is_in_blocks && has_chunks(record.plan.method->operation);
  if (is_in_chunks && record.plan.embedding) {
    throw InputError("plan with --embed writes schedules of whole blocks; " + record.plan.name + " divides them here");
  }
  if (arguments.format != run::ScheduleFormat::lockstep || is_in_chunks) {
    return publish_chunks(arguments, record, stop, outputs);
  }
  const Schedule& schedule = schedule_of(record.plan, log);
  const MachineSpec& machine = record.plan.machine;
  const std::string text = schedule_text(schedule, host::machine_beside(machine.text, *arguments.plan),
                                         record.plan.name, graph_digest(machine));
  outputs.publish(record, {}, text, [&] {
    if (*arguments.plan != "-") host::write_output(report::plan_line(printable(*arguments.plan), schedule, record));
  });
}

/// Writes the trace up to the failure.
void publish_failed(const run::RunArguments& arguments, run::RunRecord record, const run::CommandFailure& failure,
                    Traced& traced) {
  record.status = run::status_of(failure, true);
  const TracedRun run{record, traced.trace(), failure.text};
  // The run's own failure is printed last and sets the exit code.
  try {
    traced.prepare(run);
    traced.publish(run, !shows_nothing(arguments, traced));
  } catch (const std::exception&) {
    run::print_line(run::failure_of(std::current_exception()).text);
  }
}

/// Whether a run ended with its own error and not because the user interrupted it.
bool is_of_run(const std::optional<run::CommandFailure>& failure) {
  return failure && failure->of_run && !failure->is_interrupt();
}

/// Whether a file is standard input, which mpirun gives only to the first process.
bool reads_standard_input(const Settings& settings) {
  return settings.input == "-" || settings.pattern == "-" || settings.permutation == "-";
}

/// Throws InputError if the run cannot be divided over processes.
void refuse_what_is_not_divided(const run::RunArguments& arguments, const run::RunPlan& plan) {
  const std::optional<std::string> schedule = run::schedule_file(arguments);
  const char* refused = nullptr;
  if (plan.embedding) refused = "a run that carries another machine";
  if (!plan.faults.empty()) refused = "a run with faults";
  if (reads_standard_input(plan.settings) || (schedule && is_standard_input(*schedule))) {
    refused = "a run that reads standard input";
  }
  if (refused == nullptr) return;
  throw InputError(printable(plan.name) + " on " + printable(plan.machine.text) + ": mpirun cannot divide " + refused);
}

/// The digest of METIS's partition, which may differ between versions of METIS on different hosts.
std::string partition_made(const MachineSpec& machine, PartitionKind kind, const Placement& placement) {
  if (kind != PartitionKind::metis) return {};
  Digest digest;
  for (Rank rank = 0; rank < machine.processors; ++rank) digest.add(std::uint64_t{placement.owner(rank)});
  return ", a partition of digest " + digest.text();
}

/// The arguments for a process that writes no reports.
run::RunArguments silent(run::RunArguments arguments) {
  arguments.quiet = true;
  arguments.discards_data = std::exchange(arguments.settings.output, std::nullopt).has_value();
  arguments.json.reset();
  arguments.csv.reset();
  return arguments;
}

/// The first run has these arguments; `group` are the processes that share it, null for one alone.
int run_planned(const run::RunArguments& arguments, const std::vector<run::PlannedRun>& runs,
                const std::atomic<bool>& stop, run::ProcessGroup* group) {
  const run::RunRecord& before = runs.front().record;
  report::RunOutputs outputs(arguments);
  Traced traced;
  if (arguments.trace) traced.outputs.emplace(*arguments.trace, before);
  if (arguments.trace && arguments.trace->html) traced.page.emplace(runs);
  if (group != nullptr) group->begin();  // all checks that one process can do alone are done
  host::on_interrupt([&outputs, &before] { outputs.report_failure(before, run::interruption()); });
  const auto attempt = [&](const auto& action) -> std::optional<run::CommandFailure> {
    try {
      action();
      return std::nullopt;
    } catch (...) {
      return run::failure_of(outputs.user_error(std::current_exception()), &before.plan);
    }
  };
  run::RunRecord record = before;
  MoveLog log;
  host::ExitCode code_of_others = host::verified;
  std::optional<run::CommandFailure> failure = attempt([&] {
    if (arguments.plan) log = log_for(*before.plan.method, before.plan.settings);
    MoveRecorder recorder(log);
    const auto settings_of = [&](std::uint64_t number) { return outputs.settings(before.plan.settings, number == 1); };
    RunObserver* observer = nullptr;
    if (arguments.plan) observer = &recorder;
    if (traced) observer = &traced.outputs->recorder();
    run::execute(arguments, record, settings_of, stop, observer);
  });
  if (group != nullptr && failure && !failure->of_run) {  // the other processes know nothing of it
    outputs.report_failure(before, *failure);
    group->end_all(*failure);
  }
  if (traced.page && (!failure || is_of_run(failure))) {
    std::optional<run::CommandFailure> of_page = attempt([&] {
      if (failure) {
        traced.page->add(record, traced.trace(), *failure);
      } else {
        traced.page->add(record, traced.trace());
      }
      code_of_others = traced.page->run_others(stop);
    });
    if (of_page) {
      if (failure) run::print_line(failure->text);
      failure = std::move(of_page);
    }
  }
  if (!failure) {
    failure = attempt([&] {
      host::begin_outputs();
      if (arguments.plan) {
        publish_plan(arguments, record, log, stop, outputs);
      } else {
        publish(arguments, record, traced, outputs);
      }
    });
  }
  if (!failure) {
    run::print_problems(record);
    const host::ExitCode code = run::exit_code_of(record);
    return code == host::verified ? code_of_others : code;
  }
  host::begin_outputs();
  outputs.report_failure(record.is_cut_off ? record : before, *failure);
  if (record.is_cut_off && failure->of_run && failure->code == host::run_failed && !arguments.plan &&
      !arguments.schedule && !traced && !shows_nothing(arguments, traced)) {
    host::write_output(report::cut_off_report(record, failure->of_run->cycle, host::Style::of_output()));
  }
  if (traced && is_of_run(failure)) publish_failed(arguments, before, *failure, traced);
  const host::ExitCode code = run::print_last(failure->text, failure->code);
  if (failure->of_run) std::cerr << failure->of_run->dot;
  return code;
}

}  // namespace

int run_in_group(const run::RunArguments& arguments, const std::atomic<bool>& stop, run::ProcessGroup& group) {
  run::RunArguments own = group.is_first() ? arguments : silent(arguments);
  own.sharing = {group.processes().count(), group.processes().on_this_host()};
  const std::vector<run::PlannedRun> runs = run::plan_runs(own);
  const run::RunPlan& plan = runs.front().record.plan;
  refuse_what_is_not_divided(arguments, plan);
  const Placement placement = partition(plan.machine, own.partition, group.processes().count());
  const Division division{group.processes(), placement};
  own.division = &division;
  group.reads(host::digests_of(report::inputs_of(arguments)) + partition_made(plan.machine, own.partition, placement));
  return run_planned(own, runs, stop, &group);
}

int run_command(const run::RunArguments& arguments, const std::atomic<bool>& stop) {
  return run_planned(arguments, run::plan_runs(arguments), stop, nullptr);
}

}  // namespace lockstep::cli::trace
