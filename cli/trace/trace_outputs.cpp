#include "trace_outputs.hpp"

#include <algorithm>
#include <filesystem>

#include "flags/setting_flags.hpp"
#include "host/number_text.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph_text.hpp"

namespace lockstep::cli::trace {
namespace {

constexpr std::uint64_t usual_word_bytes = 1'000'000;

/// SimGrid and many file systems cannot handle a directory with more files.
constexpr std::uint64_t most_replayed = std::uint64_t{1} << 16;

/// GOAL and SimGrid have only messages from one processor to another.
void refuse_transactions(const run::TraceArguments& arguments, const run::RunPlan& plan) {
  const auto& medium = plan.machine.medium;
  if (!medium || medium->kind == MediumKind::crossbar || !(arguments.goal || arguments.replay)) return;
  throw InputError(std::string(arguments.goal ? "--goal" : "--ti") + " is for messages between two processors; on " +
                   printable(plan.machine.text) + " there are transactions");
}

/// After faults, sends and receives no longer match.
void refuse_faults(const run::TraceArguments& arguments, const run::RunPlan& plan) {
  if (!plan.faults.may_change_counts() || !(arguments.goal || arguments.replay)) return;
  throw InputError(std::string(arguments.goal ? "--goal" : "--ti") + " is for runs without faults that change counts");
}

void refuse_many_files(const run::TraceArguments& arguments, const MachineSpec& machine) {
  if (!arguments.replay || machine.processors <= most_replayed) return;
  throw InputError("--ti writes one file per rank, at most " + std::to_string(most_replayed) + "; " +
                   printable(machine.text) + " has " + std::to_string(machine.processors) + " ranks");
}

void refuse_large_graph(const run::TraceArguments& arguments, const run::RunRecord& planned) {
  if (!arguments.dot) return;
  const std::string machine = printable(planned.plan.machine.text);
  if (planned.plan.machine.medium) throw InputError("--dot draws links; " + machine + " has none");
  const std::uint64_t links = planned.facts.links;
  if (links <= most_written) return;
  throw InputError("--dot draws at most " + std::to_string(most_written) + " links; " + machine + " has " +
                   std::to_string(links));
}

/// Refuses other outputs inside the directory of --ti, which is replaced as a whole.
void refuse_inside(const std::string& path, const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code none;
  const auto place = [&](const std::string& name) { return fs::weakly_canonical(fs::absolute(name), none); };
  if (path == "-" || place(path).parent_path() != place(directory)) return;
  throw InputError(quoted(path) + " cannot be in the directory of --ti, which is written as a whole");
}

}  // namespace

TraceOutputs::TraceOutputs(const run::TraceArguments& arguments, const run::RunRecord& planned)
    : arguments_(arguments), recorder_(planned.plan, arguments.limits) {
  refuse_transactions(arguments, planned.plan);
  refuse_faults(arguments, planned.plan);
  refuse_many_files(arguments, planned.plan.machine);
  refuse_large_graph(arguments, planned);
  if (arguments.word_bytes && !arguments.replay && !flags::takes(*planned.plan.method, "word-bytes")) {
    throw InputError("--word-bytes needs --ti");
  }
  if (arguments.replay == "-") throw InputError("--ti makes a directory and needs its name");
  const auto add = [this](const std::optional<std::string>& path, void (*write)(const TracedRun&, std::ostream&)) {
    if (path) forms_.push_back({*path, write, std::make_unique<host::OutputFile>(*path)});
  };
  add(arguments.json, write_trace_json);
  add(arguments.perfetto, write_perfetto);
  add(arguments.goal, write_goal);
  add(arguments.dot, write_loads);
  if (!arguments.replay) return;
  for (const TraceForm& form : forms_) refuse_inside(form.path, *arguments.replay);
  if (arguments.html) refuse_inside(*arguments.html, *arguments.replay);
  replay_.emplace(*arguments.replay, is_replay_file);
}

void TraceOutputs::prepare(const TracedRun& run) {
  for (TraceForm& form : forms_) {
    form.file->prepare([run, write = form.write](std::ostream& out) { write(run, out); });
  }
  if (!replay_) return;
  write_replay(run, arguments_.word_bytes.value_or(usual_word_bytes),
               [this](const std::string& name, const host::TextWriter& write) { replay_->write(name, write); });
}

void TraceOutputs::publish(const TracedRun& run, bool is_shown, host::OutputFile* page, const std::string& further) {
  const bool shows_text = is_shown && arguments_.shows_text();
  if (shows_text) host::write_output([&run](std::ostream& out) { write_trace_text(run, out); });
  std::vector<host::OutputFile*> outputs{page};
  for (const TraceForm& form : forms_) outputs.push_back(form.file.get());
  lockstep::cli::host::publish(outputs, [&] {
    if (is_shown && !shows_text) host::write_output(file_lines(run));
    host::write_output(further);
  });
  if (replay_) replay_->put_in_place();
}

bool TraceOutputs::takes_standard_output() const {
  return std::ranges::any_of(forms_, [](const TraceForm& form) { return form.path == "-"; });
}

std::string TraceOutputs::file_lines(const TracedRun& run) const {
  const std::string messages = messages_line(run);
  std::string text;
  const auto add = [&](const std::string& path) { text += printable(path) + ": " + messages + "\n"; };
  for (const TraceForm& form : forms_) add(form.path);
  if (arguments_.replay) add(*arguments_.replay);
  return text;
}

}  // namespace lockstep::cli::trace
