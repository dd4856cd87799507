#include "sweep_command.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "comparison.hpp"
#include "fault_outcomes.hpp"
#include "guests.hpp"
#include "host/exit_code.hpp"
#include "host/file_names.hpp"
#include "host/interrupt.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "host/status_line.hpp"
#include "host/terminal.hpp"
#include "lockstep/core/printable.hpp"
#include "report/picture.hpp"
#include "run/failure.hpp"
#include "run/process_group.hpp"
#include "run/shared_run.hpp"
#include "sweep.hpp"
#include "sweep_axis.hpp"
#include "sweep_files.hpp"
#include "sweep_plot.hpp"
#include "sweep_row.hpp"
#include "thread_gains.hpp"

namespace lockstep::cli::compare {
namespace {

void refuse_if_incomplete(const SweepArguments& arguments) {
  const run::TrialArguments& trials = arguments.trials;
  if (trials.operation.empty() || trials.machines.empty()) {
    throw InputError(
        "sweep needs --operation, --machine and what to --vary, e.g. lockstep sweep --operation allgather --machine "
        "hypercube:8 --vary words=1..65536*2");
  }
  if (arguments.variations.empty() && trials.machines.size() == 1) {
    throw InputError(
        "sweep needs values to vary: --vary NAME=VALUES, or a range in --machine; `compare` takes one point");
  }
  if (arguments.resume && !arguments.csv && !arguments.jsonl) {
    throw InputError("--resume continues a file: --csv FILE or --jsonl FILE");
  }
  const bool has_own_threads = trials.run.threads != 0 || trials.run.executor != ExecutorKind::tbb ||
                               is_varied(arguments, "threads") || is_varied(arguments, "executor");
  if (arguments.jobs > 1 && has_own_threads) {
    throw InputError("--jobs runs every method on one thread and excludes --threads and --executor");
  }
}

const report::Quantity& sweep_criterion(const SweepArguments& arguments) {
  const report::Quantity& criterion = report::find_criterion(arguments.criterion, arguments.trials.predict, true);
  if (!criterion.is_more_better || is_varied(arguments, "threads")) return criterion;
  throw InputError("--by " + arguments.criterion + " needs numbers of threads, e.g. --vary threads=1,2,4");
}

/// Brings numbers of threads in ascending order, so that runs on the fewest come first.
void order_threads(std::vector<Variation>& variations) {
  for (Variation& variation : variations) {
    if (variation.name == "threads") variation.values = in_order(std::move(variation.values));
  }
}

/// Sets the trial's result from its row.
void note_done(SweepTrial& trial, const SweepRow& row) {
  trial.figure = row.figure;
  trial.coverage = row.coverage;
  trial.trial.has_failed = row.has_failed;
  trial.trial.reason = row.reason;
  if (!row.reason.empty()) trial.trial.drop_record();
}

/// A measure of the trial's duration: its predicted messages, if known.
std::uint64_t work_of(const SweepTrial& trial) {
  if (!trial.trial.record) return 0;
  const run::RunRecord& record = *trial.trial.record;
  return record.prediction.messages ? record.prediction.messages->value : record.plan.machine.processors;
}

/// Whether trials may share a run: not where their wall-clock times are compared.
bool shares_runs(const SweepArguments& arguments, const report::Quantity& criterion) {
  const bool is_by_wall_clock = criterion.name == "run_s" || criterion.is_more_better;
  return !is_by_wall_clock && !is_varied(arguments, "threads") && !arguments.trials.predict;
}

/// The trials in sets that are run together, in the order of their first ones.
std::vector<std::vector<SweepTrial*>> run_together(const std::vector<SweepTrial*>& trials, bool shares) {
  constexpr std::size_t most = 16;  // each needs memory for its clocks
  std::vector<std::vector<SweepTrial*>> sets;
  std::map<std::string, std::size_t> open;
  for (SweepTrial* const trial : trials) {
    const std::string key = shares ? run::shared_run_key(trial->trial) : "";
    const auto known = key.empty() ? open.end() : open.find(key);
    if (known != open.end() && sets[known->second].size() < most) {
      sets[known->second].push_back(trial);
      continue;
    }
    if (!key.empty()) open[key] = sets.size();
    sets.push_back({trial});
  }
  return sets;
}

/// Runs the trials that are not done yet, several at a time, and writes each result.
class SweepRuns {
 public:
  SweepRuns(const SweepArguments& arguments, const report::Quantity& criterion, std::vector<SweepTrial>& trials,
            SweepFiles& files, const std::atomic<bool>& stop)
      : arguments_(arguments), criterion_(criterion), trials_(trials), files_(files), stop_(stop), gains_(arguments) {
    for (SweepTrial& trial : trials) {
      if (const SweepRow* const done = files.find(key_of(arguments, trial))) {
        note_done(trial, *done);
        if (done->run_seconds) gains_.note(trial, *done->run_seconds);
      } else {
        left_.push_back(&trial);
      }
    }
    sets_ = run_together(left_, shares_runs(arguments, criterion));
  }

  /// Throws the error of the first trial that did not finish.
  void run_all() {
    std::vector<std::thread> workers;
    start(workers);
    work();
    for (std::thread& worker : workers) worker.join();
    if (error_) std::rethrow_exception(error_);
  }

  /// The same, shared by several processes; the first one knows what is already done, and writes. In every round each
  /// process runs one trial, all of about equal duration. Throws the same in all processes, or ends all.
  void run_all(run::ProcessGroup& group) {
    if (!group.is_first()) left_.clear();
    share_left(group.processes());
    std::ranges::stable_sort(left_, std::greater(), [](const SweepTrial* trial) { return work_of(*trial); });
    const std::size_t processes = group.processes().count();
    for (std::size_t first = 0; first < left_.size(); first += processes) {
      const std::size_t own = first + group.processes().own();
      Bytes given;
      if (own < left_.size()) given = lines_of(*left_[own]);
      const std::vector<Bytes> all = group.processes().gather(std::move(given));
      for (std::size_t number = first; number < std::min(left_.size(), first + processes); ++number) {
        if (all[number - first].empty()) throw host::Interrupted();
        take(*left_[number], all[number - first], number == own);
      }
    }
  }

  std::size_t done() const { return done_; }
  std::size_t all() const { return left_.size(); }

 private:
  /// No thread begins a run before all have started, and none begins if one cannot start.
  void start(std::vector<std::thread>& workers) {
    const std::lock_guard lock(mutex_);
    try {
      for (unsigned job = 1; job < arguments_.jobs; ++job) workers.emplace_back([this] { work(); });
    } catch (const std::system_error& error) {
      error_ = std::make_exception_ptr(InputError("cannot start the threads (" + error.code().message() +
                                                  "); --jobs is " + std::to_string(arguments_.jobs) + ", try fewer"));
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  void work() {
    while (const std::vector<SweepTrial*>* const together = next()) {
      try {
        run(*together);
        const std::lock_guard lock(mutex_);
        for (const SweepTrial* const trial : *together) {
          files_.add(key_of(arguments_, *trial), row_of(RowForm::csv, arguments_, *trial),
                     row_of(RowForm::json, arguments_, *trial));
          ++done_;
        }
        show();
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
      }
    }
  }

  /// Runs trials that share a run, or one.
  void run(const std::vector<SweepTrial*>& together) {
    std::vector<run::Trial*> trials;
    for (SweepTrial* const trial : together) {
      if (trial->trial.record && !arguments_.trials.predict) trials.push_back(&trial->trial);
    }
    run::run_trials(trials, stop_);
    for (SweepTrial* const trial : together) {
      if (trial->trial.record) gains_.set(*trial);
      if (trial->trial.record) trial->figure = criterion_.of(*trial->trial.record);
      const run::RunRecord* const record = trial->trial.known_record();
      if (record != nullptr && record->coverage) trial->coverage = record->coverage->share();
    }
  }

  /// Sets the remaining trials to those of the first process.
  void share_left(Processes& processes) {
    Bytes given;
    std::vector<std::uint64_t> numbers;
    for (const SweepTrial* const trial : left_) numbers.push_back(static_cast<std::uint64_t>(trial - trials_.data()));
    ByteWriter to(given);
    pack(numbers, to);
    const std::vector<Bytes> all = processes.gather(std::move(given));
    ByteReader from(all.front());
    left_.clear();
    for (const std::uint64_t number : unpack(from, std::type_identity<std::vector<std::uint64_t>>{})) {
      left_.push_back(&trials_.at(number));
    }
  }

  /// Runs the trial and returns its rows; empty if the user interrupts.
  Bytes lines_of(SweepTrial& trial) {
    Bytes lines;
    if (stop_) return lines;
    try {
      run({&trial});
    } catch (const host::Interrupted&) {
      return lines;
    }
    ByteWriter to(lines);
    pack(row_of(RowForm::csv, arguments_, trial), to);
    pack(row_of(RowForm::json, arguments_, trial), to);
    return lines;
  }

  /// Writes the rows that a process has sent for the trial.
  void take(SweepTrial& trial, const Bytes& lines, bool is_own) {
    ByteReader from(lines);
    const std::string in_csv = unpack(from, std::type_identity<std::string>{});
    const std::string row = in_csv.substr(0, in_csv.size() - 1);
    if (!is_own) note_done(trial, read_row(RowForm::csv, arguments_, row, criterion_));
    files_.add(key_of(arguments_, trial), in_csv, unpack(from, std::type_identity<std::string>{}));
    ++done_;
    show();
  }

  const std::vector<SweepTrial*>* next() {
    const std::lock_guard lock(mutex_);
    if (stop_ && !error_) error_ = std::make_exception_ptr(host::Interrupted());
    return error_ || next_ == sets_.size() ? nullptr : &sets_[next_++];
  }

  void show() {
    if (arguments_.trials.run.quiet || !status_.is_due()) return;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
    const double left = taken.count() / static_cast<double>(done_) * static_cast<double>(left_.size() - done_);
    status_.show(host::progress_bar(static_cast<double>(done_) / static_cast<double>(left_.size())) +
                 host::grouped(done_) + " of " + host::counted(left_.size(), "run") + ", about " +
                 host::duration(left) + " left");
  }

  const SweepArguments& arguments_;
  const report::Quantity& criterion_;
  std::vector<SweepTrial>& trials_;
  SweepFiles& files_;
  const std::atomic<bool>& stop_;
  std::vector<SweepTrial*> left_;
  std::vector<std::vector<SweepTrial*>> sets_;  // of one process
  ThreadGains gains_;                           // of one job
  host::StatusLine status_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;  // guards the members below, the files and the status line
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  std::exception_ptr error_;
};

/// A table for every set of rules, with its changes of the lead.
std::string shown_tables(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                         const report::Quantity& criterion, const std::vector<Lead>& leads) {
  const std::vector<RuledTrials> sets = by_rules(arguments, trials);
  std::string text;
  for (const RuledTrials& set : sets) {
    const std::string rules = sets.size() > 1 ? marked_text(set.rules, set.is_asked_for) : "";
    std::string title = rules;
    if (text.empty()) {
      title = arguments.trials.operation;
      if (arguments.trials.machines.size() == 1) title += " on " + printable(arguments.trials.machines.front());
      title += ", " + report::title_of(criterion);
      if (!rules.empty()) title += ", " + rules;
      if (arguments.trials.predict) title += ", as predicted";
      title += is_over_fault_seeds(arguments) ? ", over the seeds of faults" : "; * marks the best for each task";
    }
    text += (text.empty() ? "" : "\n") + host::Style::of_output().heading(title + "\n");
    if (is_over_fault_seeds(arguments)) {
      text += outcomes_table(arguments, set.trials, criterion);
      continue;
    }
    std::vector<Lead> own;
    std::ranges::copy_if(leads, std::back_inserter(own), [&](const Lead& lead) { return lead.rules == set.rules; });
    text += sweep_table(arguments, set.trials, criterion) + changes_text(arguments, own);
  }
  for (const std::string& line : without_embedding(trials)) text += host::wrapped("", line, 0, host::line_width());
  return text;
}

/// The arguments for a process that writes no reports.
void set_quiet(SweepArguments& arguments) {
  arguments.csv.reset();
  arguments.jsonl.reset();
  arguments.plot.reset();
  arguments.trials.run.quiet = true;
}

/// An error of one process ends all.
void run_in_group(SweepRuns& runs, run::ProcessGroup& group) {
  try {
    runs.run_all(group);
  } catch (const host::Interrupted&) {
    throw;
  } catch (...) {
    group.end_all(run::failure_of(std::current_exception()));
  }
}

}  // namespace

int sweep_command(const SweepArguments& given, const std::atomic<bool>& stop, run::ProcessGroup* group) {
  SweepArguments arguments = given;
  const report::Quantity& criterion = sweep_criterion(arguments);
  refuse_if_incomplete(arguments);
  order_threads(arguments.variations);
  if (group != nullptr && arguments.jobs > 1) {
    throw InputError("--jobs is for one process; here are " + std::to_string(group->processes().count()) +
                     ", each of which runs one method at a time");
  }
  if (group != nullptr && is_varied(arguments, "threads")) {
    throw InputError("--vary threads is for one process; here are " + std::to_string(group->processes().count()) +
                     ", which share the host's cores");
  }
  if (group != nullptr && !group->is_first()) set_quiet(arguments);
  std::vector<host::NamedFile> outputs;
  if (arguments.csv) outputs.push_back({"--csv", *arguments.csv});
  if (arguments.jsonl) outputs.push_back({"--jsonl", *arguments.jsonl});
  std::optional<report::Picture> picture;
  if (arguments.plot) {
    refuse_undrawable(arguments);
    for (const host::NamedFile& file : picture.emplace(*arguments.plot).files()) outputs.push_back(file);
  }
  host::refuse_shared_files(outputs, inputs_of(arguments));
  const bool is_quiet = arguments.trials.run.quiet;
  if (arguments.jobs > 1) arguments.trials.run.executor = ExecutorKind::sequential;
  run::TrialArguments& trials_arguments = arguments.trials;
  trials_arguments.run.tunes = report::is_time(criterion);
  trials_arguments.run.quiet = true;  // the sweep has a line of its own
  std::vector<SweepTrial> trials;
  {
    host::StatusLine status;
    arguments.planning = shown_planning(is_quiet, stop, status);
    trials = plan_sweep(arguments, criterion);
    add_guests(arguments, criterion, trials);
    arguments.planning = SweepArguments().planning;
  }
  trials_arguments.run.quiet = is_quiet;
  SweepFiles files(arguments, trials, criterion);
  if (group != nullptr) {
    group->reads(host::digests_of(inputs_of(arguments)));
    group->begin();
  }
  SweepRuns runs(arguments, criterion, trials, files, stop);
  try {
    if (group != nullptr) {
      run_in_group(runs, *group);
    } else {
      runs.run_all();
    }
  } catch (const host::Interrupted&) {
    host::begin_outputs();
    std::string text = "interrupted after " + host::grouped(runs.done()) + " of " + host::counted(runs.all(), "run");
    if (arguments.csv || arguments.jsonl) text += "; the same command with --resume continues";
    return run::print_last(text, host::interrupt_code());
  }
  host::begin_outputs();
  const bool shows_table = arguments.csv != "-" && arguments.jsonl != "-" && !is_quiet;
  const std::vector<Lead> leads = shows_table || picture ? leads_of(arguments, trials, criterion) : std::vector<Lead>();
  if (shows_table) host::write_output(shown_tables(arguments, trials, criterion, leads));
  std::vector<const run::Trial*> all;
  for (const SweepTrial& trial : trials) all.push_back(&trial.trial);
  const host::ExitCode code = run::exit_code_of(all);
  if (code == host::bad_input) return code;  // nothing to draw
  return report::code_after(code, [&] {
    if (picture && varied_things(arguments) == 2) picture->draw(maps_of(arguments, trials, criterion));
    if (picture && varied_things(arguments) == 1)
      picture->draw(described(plot_of(arguments, trials, criterion, leads)));
  });
}

}  // namespace lockstep::cli::compare
