#include "run_outputs.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "host/file_names.hpp"
#include "json_report.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/core/printable.hpp"
#include "run/run_plan.hpp"
#include "run/schedule_input.hpp"

namespace lockstep::cli::report {
namespace {

std::vector<host::NamedFile> outputs_of(const run::RunArguments& arguments) {
  std::vector<host::NamedFile> outputs;
  if (arguments.json) outputs.push_back({"--json", *arguments.json});
  if (arguments.csv) outputs.push_back({"--csv", *arguments.csv});
  if (arguments.plan) outputs.push_back({"--output", *arguments.plan});
  if (arguments.settings.output) outputs.push_back({"--output", *arguments.settings.output});
  if (arguments.trace) {
    const std::vector<host::NamedFile> traces = arguments.trace->outputs();
    outputs.insert(outputs.end(), traces.begin(), traces.end());
  }
  return outputs;
}

}  // namespace

std::vector<host::NamedFile> inputs_of(const run::RunArguments& arguments) {
  std::vector<host::NamedFile> inputs;
  const Settings& settings = arguments.settings;
  if (const std::optional<std::string> schedule = run::schedule_file(arguments)) {
    const std::string what = arguments.schedule ? "the schedule" : "the schedule of --algorithm";
    for (const std::string& path : run::schedule_files(*schedule)) inputs.push_back({what, path});
  }
  if (settings.input) inputs.push_back({"--input", *settings.input});
  if (settings.pattern) inputs.push_back({"--pattern", *settings.pattern});
  if (settings.permutation) inputs.push_back({"--permutation", *settings.permutation});
  if (settings.group) inputs.push_back({"--group", *settings.group});
  if (arguments.map) inputs.push_back({"--map", *arguments.map});
  for (const std::string& path : host::graph_files(arguments.machine)) inputs.push_back({"a graph of --machine", path});
  if (!arguments.trace) return inputs;
  for (const run::Against& against : arguments.trace->against) {
    run::RunArguments other;
    other.algorithm = against.algorithm;
    if (const std::optional<std::string> schedule = run::schedule_file(other)) {
      for (const std::string& path : run::schedule_files(*schedule))
        inputs.push_back({"a schedule of --against", path});
    }
    for (const std::string& path : host::graph_files(against.machine.value_or(""))) {
      inputs.push_back({"a graph of --against", path});
    }
  }
  return inputs;
}

RunOutputs::RunOutputs(const run::RunArguments& arguments)
    : with_cycles_(arguments.cycles), discards_data_(arguments.discards_data) {
  host::refuse_shared_files(outputs_of(arguments), inputs_of(arguments));
  if (arguments.json) json_.emplace(*arguments.json);
  if (arguments.csv) csv_.emplace(*arguments.csv);
  if (arguments.plan) plan_.emplace(*arguments.plan);
  data_path_ = arguments.settings.output;
  if (data_path_) data_.emplace(*data_path_);
}

Settings RunOutputs::settings(const Settings& resolved, bool is_first_run) const {
  Settings settings = resolved;
  if (discards_data_ && is_first_run) settings.output = written_elsewhere;
  if (data_) settings.output = is_first_run ? std::optional(data_->name()) : std::nullopt;
  return settings;
}

void RunOutputs::prepare_json(std::string text) {
  json_can_be_written_ = false;
  json_->prepare(std::move(text));
  json_can_be_written_ = true;
}

void RunOutputs::publish(const run::RunRecord& record, const std::string& human, const std::string& plan,
                         const std::function<void()>& further) {
  if (json_) prepare_json(json_text(json_report(record, with_cycles_)));
  if (plan_) plan_->prepare(plan);
  if (!human.empty()) host::write_output(human);
  if (!csv_) return put_in_place(record, further);
  csv_->append(record);
  try {
    put_in_place(record, further);
  } catch (...) {
    csv_->take_back();
    throw;
  }
  csv_->release();
}

void RunOutputs::put_in_place(const run::RunRecord& record, const std::function<void()>& further) {
  if (json_) {
    json_can_be_written_ = json_->is_file();
    json_->publish();
  }
  cli::host::publish(std::array{host::pointer_to(plan_)}, further);
  if (data_ && record.status == run::Status::verified) data_->put_in_place();
}

void RunOutputs::report_failure(run::RunRecord record, const run::CommandFailure& failure) {
  record.status = run::status_of(failure, true);
  record.error = failure.kind;
  // Errors while writing are dropped: the user sees the first error, which is this failure.
  try {
    if (json_ && json_can_be_written_) json_->write(json_text(json_failure(record, failure)));
  } catch (const std::exception&) {
  }
  try {
    if (csv_) csv_->append(record);
  } catch (const std::exception&) {
  }
  if (csv_) csv_->release();
}

std::exception_ptr RunOutputs::user_error(const std::exception_ptr& exception) const {
  try {
    std::rethrow_exception(exception);
  } catch (const OutputError& error) {
    const bool is_beside = data_ && error.path() == data_->name();
    return is_beside ? std::make_exception_ptr(OutputError(*data_path_, error.reason())) : exception;
  } catch (...) {
    return exception;
  }
}

}  // namespace lockstep::cli::report
