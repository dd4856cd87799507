#include "trace_outputs.hpp"

#include <algorithm>
#include <filesystem>

#include "lockstep/core/printable.hpp"
#include "number_text.hpp"

namespace lockstep::cli {
namespace {

constexpr std::uint64_t usual_word_bytes = 1'000'000;

/// GOAL and SimGrid know messages from one processor to another only.
void refuse_transactions(const TraceArguments& arguments, const RunPlan& plan) {
  const auto& medium = plan.machine.medium;
  if (!medium || medium->kind == MediumKind::crossbar || !(arguments.goal || arguments.replay)) return;
  throw InputError(std::string(arguments.goal ? "--goal" : "--ti") + " is for messages between two processors; on " +
                   printable(plan.machine.text) + " there are transactions");
}

void refuse_large_graph(const TraceArguments& arguments, const RunRecord& planned) {
  if (!arguments.dot) return;
  const std::string machine = printable(planned.plan.machine.text);
  if (planned.plan.machine.medium) throw InputError("--dot draws links, of which " + machine + " has none");
  const std::uint64_t links = planned.facts.links;
  if (links <= arguments.limits.max_events) return;
  throw InputError("--dot would draw the " + counted(links, "link") + " of " + machine + ", more than --max-events " +
                   std::to_string(arguments.limits.max_events));
}

/// The directory is replaced as a whole.
void refuse_inside(const std::string& path, const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code none;
  const auto place = [&](const std::string& name) { return fs::weakly_canonical(fs::absolute(name), none); };
  if (path == "-" || place(path).parent_path() != place(directory)) return;
  throw InputError(quoted(path) + " cannot be in the directory of --ti, which is written as a whole");
}

}  // namespace

TraceOutputs::TraceOutputs(const TraceArguments& arguments, const RunRecord& planned)
    : arguments_(arguments), recorder_(planned.plan, arguments.limits) {
  refuse_transactions(arguments, planned.plan);
  refuse_large_graph(arguments, planned);
  if (arguments.word_bytes && !arguments.replay) throw InputError("--word-bytes is for --ti, which is not there");
  if (arguments.replay == "-") throw InputError("--ti makes a directory, which needs a name");
  const auto add = [this](const std::optional<std::string>& path, std::string (*text)(const TracedRun&)) {
    if (path) forms_.push_back({*path, text, std::make_unique<OutputFile>(*path)});
  };
  add(arguments.json, trace_json);
  add(arguments.perfetto, trace_perfetto);
  add(arguments.goal, trace_goal);
  add(arguments.dot, trace_dot);
  if (!arguments.replay) return;
  for (const Form& form : forms_) refuse_inside(form.path, *arguments.replay);
  if (arguments.html) refuse_inside(*arguments.html, *arguments.replay);
  replay_.emplace(*arguments.replay, is_replay_file);
}

void TraceOutputs::prepare(const TracedRun& run) {
  for (Form& form : forms_) form.file->prepare(form.text(run));
  if (!replay_) return;
  for (const NamedText& file : trace_replay(run, arguments_.word_bytes.value_or(usual_word_bytes))) {
    replay_->write(file.name, file.text);
  }
}

void TraceOutputs::publish() {
  for (Form& form : forms_) form.file->publish();
  if (replay_) replay_->put_in_place();
}

bool TraceOutputs::take_standard_output() const {
  return std::ranges::any_of(forms_, [](const Form& form) { return form.path == "-"; });
}

std::string TraceOutputs::human_text(const TracedRun& run) const {
  if (arguments_.shows_text()) return trace_text(run);
  const std::string messages = messages_line(run);
  std::string text;
  const auto add = [&](const std::string& path) { text += printable(path) + ": " + messages + "\n"; };
  for (const Form& form : forms_) add(form.path);
  if (arguments_.replay) add(*arguments_.replay);
  return text;
}

}  // namespace lockstep::cli
