#include "demo_run.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "flags/value_option.hpp"
#include "host/interrupt.hpp"
#include "report/json_report.hpp"
#include "run/execution.hpp"
#include "trace/program_run.hpp"

namespace lockstep::cli::learn {

run::RunArguments run_arguments(const std::vector<std::string>& arguments) {
  run::RunArguments read;
  flags::parse(arguments, [&read](CLI::App& app) { run::add_run_options(app, read); });
  read.quiet = true;
  return read;
}

run::RunRecord run_of(const std::vector<std::string>& arguments, const std::atomic<bool>& stop) {
  const run::RunArguments read = run_arguments(arguments);
  run::RunRecord record = run::planned(run::plan_run(read));
  run::execute(
      read, record, [&record](std::uint64_t) { return record.plan.settings; }, stop);
  return record;
}

ShownRun::ShownRun(const Exhibit& exhibit, const std::atomic<bool>& stop) : exhibit_(exhibit) {
  if (exhibit.program) {
    run_program();
  } else {
    run_method(stop);
  }
  code_ = texts::pseudo_code_of(record_.plan, trace());
  record_holders();
}

void ShownRun::run_method(const std::atomic<bool>& stop) {
  const run::RunArguments arguments = run_arguments(exhibit_.arguments);
  record_ = run::planned(run::plan_run(arguments));
  recorder_ = std::make_unique<run::TraceRecorder>(record_.plan, run::TraceLimits{});
  try {
    run::execute(
        arguments, record_, [this](std::uint64_t) { return record_.plan.settings; }, stop, recorder_.get());
  } catch (...) {
    run::CommandFailure failure = run::failure_of(std::current_exception(), &record_.plan);
    if (failure.is_interrupt()) throw host::Interrupted();
    if (!failure.of_run) throw;
    fail(std::move(failure));
  }
}

void ShownRun::run_program() {
  const DemoProgram& program = *exhibit_.program;
  method_of_program_ = std::make_unique<const Method>(trace::method_of_program(program.model));
  record_ = run::planned({.machine = parse_machine(program.machine),
                          .method = method_of_program_.get(),
                          .name = program.name,
                          .settings = {},
                          .model = program.model});
  recorder_ = std::make_unique<run::TraceRecorder>(record_.plan, run::TraceLimits{});
  try {
    record_.outcome.report = program.run(record_.plan.machine, program.model, *recorder_);
    record_.status = run::Status::ended;
  } catch (...) {
    fail(trace::failure_of_program(std::current_exception()));
  }
}

void ShownRun::fail(run::CommandFailure failure) {
  record_.status = run::status_of(failure, true);
  record_.error = failure.kind;
  failure_ = std::move(failure);
}

void ShownRun::record_holders() {
  const std::size_t cycles = trace().cycles().size();
  std::optional<trace::Holders> holders = trace::holders_of(traced());
  if (holders && !holders->groups().empty()) {
    held_.push_back(holders->groups());
    for (std::size_t index = 0; index < cycles; ++index) {
      holders->move(trace().messages_of(index));
      held_.push_back(holders->groups());
    }
  } else if (std::optional<trace::Holders> hearsay = trace::hearsay_of(traced())) {
    known_.push_back(hearsay->groups());
    for (std::size_t index = 0; index < cycles; ++index) {
      hearsay->spread(trace().messages_of(index));
      known_.push_back(hearsay->groups());
    }
  }
}

nlohmann::ordered_json ShownRun::report() const {
  return failure_ ? report::json_failure(record_, *failure_) : report::json_report(record_, false);
}

}  // namespace lockstep::cli::learn
