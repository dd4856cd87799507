#pragma once

#include <atomic>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "demo.hpp"
#include "run/failure.hpp"
#include "run/trace.hpp"
#include "texts/pseudo_code.hpp"
#include "trace/trace_words.hpp"

namespace lockstep::cli::learn {

/// The arguments as `lockstep run` parses them.
run::RunArguments run_arguments(const std::vector<std::string>& arguments);

/// The run of these arguments. Throws what plan_run() and execute() throw.
run::RunRecord run_of(const std::vector<std::string>& arguments, const std::atomic<bool>& stop);

/// An exhibit after its run, which finished or failed.
class ShownRun {
 public:
  /// Runs it. Throws what plan_run() throws, and Interrupted if the user interrupts, but nothing for a failed run.
  ShownRun(const Exhibit& exhibit, const std::atomic<bool>& stop);
  ShownRun(const ShownRun&) = delete;
  ShownRun& operator=(const ShownRun&) = delete;

  const Exhibit& exhibit() const { return exhibit_; }
  const run::RunRecord& record() const { return record_; }
  const MachineSpec& machine() const { return record_.plan.machine; }
  const run::Trace& trace() const { return recorder_->trace(); }
  const std::optional<run::CommandFailure>& failure() const { return failure_; }
  const std::optional<texts::PseudoCode>& code() const { return code_; }
  trace::TracedRun traced() const { return {record_, trace(), failure_ ? failure_->text : ""}; }
  /// json_report() or json_failure() of it.
  nlohmann::ordered_json report() const;

  /// What each processor holds after that many of the trace's cycles; null where that is not known, or nothing moves.
  const std::vector<trace::Holders::HolderGroup>* held_after(std::size_t cycles) const {
    return held_.empty() ? nullptr : &held_[cycles];
  }
  /// Where that is not known: whose data may have reached each processor; null where that is not known either.
  const std::vector<trace::Holders::HolderGroup>* known_after(std::size_t cycles) const {
    return known_.empty() ? nullptr : &known_[cycles];
  }

 private:
  void run_method(const std::atomic<bool>& stop);
  void run_program();
  void fail(run::CommandFailure failure);
  void record_holders();

  const Exhibit& exhibit_;
  std::unique_ptr<const Method> method_of_program_;
  run::RunRecord record_;
  std::unique_ptr<run::TraceRecorder> recorder_;
  std::optional<run::CommandFailure> failure_;
  std::optional<texts::PseudoCode> code_;
  std::vector<std::vector<trace::Holders::HolderGroup>> held_;
  std::vector<std::vector<trace::Holders::HolderGroup>> known_;  // empty if held_ is not
};

}  // namespace lockstep::cli::learn
