#include "lockstep/command/program_page.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "host/output_file.hpp"
#include "lockstep/algorithms/new_file.hpp"
#include "program_run.hpp"
#include "report/json_report.hpp"
#include "run/execution.hpp"
#include "trace_page.hpp"

namespace lockstep {
namespace {

using namespace cli;
using namespace cli::trace;

}  // namespace

struct ProgramPage::State {
  Method method;
  run::RunRecord record;
  run::TraceRecorder recorder;

  State(std::string program, const MachineSpec& machine, const Model& model, std::uint64_t max_messages)
      : method(trace::method_of_program(model)),
        record(run::planned(
            {.machine = machine, .method = &method, .name = std::move(program), .settings = {}, .model = model})),
        recorder(record.plan, {.max_events = max_messages, .from_cycle = 0, .ranks = {}}) {}

  void write(const std::string& path, const TracedRun& run, const nlohmann::ordered_json& report) const {
    trace::TracePage page(record.plan.name + " on " + record.plan.machine.text);
    page.add(run, report);
    host::OutputFile file(path);
    file.prepare([&page](std::ostream& out) { page.write(out); });
    file.publish();
  }
};

ProgramPage::ProgramPage(std::string program, const MachineSpec& machine, const Model& model,
                         std::uint64_t max_messages)
    : state_(std::make_unique<State>(std::move(program), machine, model, max_messages)) {}

ProgramPage::~ProgramPage() = default;

RunObserver& ProgramPage::observer() { return state_->recorder; }

void ProgramPage::write(const std::string& path, const Report& report) const {
  run::RunRecord record = state_->record;
  record.outcome.report = report;
  record.status = run::Status::ended;
  state_->write(path, {record, state_->recorder.trace()}, report::json_report(record, !report.per_cycle.empty()));
}

void ProgramPage::write(const std::string& path, const std::exception_ptr& failure) const {
  run::RunRecord record = state_->record;
  const run::CommandFailure said = failure_of_program(failure);
  record.status = run::Status::failed;
  record.error = said.kind;
  state_->write(path, {record, state_->recorder.trace(), said.text}, report::json_failure(record, said));
}

}  // namespace lockstep
