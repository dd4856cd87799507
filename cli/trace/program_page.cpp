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

}  // namespace

struct ProgramPage::State {
  Method method;
  RunRecord record;
  TraceRecorder recorder;

  State(std::string program, const MachineSpec& machine, const Model& model, std::uint64_t max_messages)
      : method(method_of_program(model)),
        record(planned(
            {.machine = machine, .method = &method, .name = std::move(program), .settings = {}, .model = model})),
        recorder(record.plan, {.max_events = max_messages, .from_cycle = 0, .ranks = {}}) {}

  void write(const std::string& path, const TracedRun& run, const nlohmann::ordered_json& report) const {
    TracePage page(record.plan.name + " on " + record.plan.machine.text);
    page.add(run, report);
    OutputFile file(path);
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
  RunRecord record = state_->record;
  record.outcome.report = report;
  record.status = Status::ended;
  state_->write(path, {record, state_->recorder.trace()}, json_report(record, !report.per_cycle.empty()));
}

void ProgramPage::write(const std::string& path, const std::exception_ptr& failure) const {
  RunRecord record = state_->record;
  const Failure said = failure_of_program(failure);
  record.status = Status::failed;
  record.error = said.kind;
  state_->write(path, {record, state_->recorder.trace(), said.text}, json_failure(record, said, failure));
}

}  // namespace lockstep
