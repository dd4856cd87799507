// Errors and the exit codes of the command. No method of the catalogue causes most of them.
#include "run/failure.hpp"

#include <gtest/gtest.h>

#include <new>

#include "host/interrupt.hpp"
#include "lockstep/algorithms/new_file.hpp"

namespace lockstep::cli::run::failure_test {
namespace {

RunPlan plan(std::optional<PortModel> ports = {}) {
  RunArguments arguments;
  arguments.machine = "hypercube:3";
  arguments.algorithm = "broadcast/sbt";
  arguments.model.ports = ports;
  return plan_run(arguments);
}

RunError error_of(ErrorKind kind) { return {kind, 4, 2, {1}, "broadcast/sbt: cycle 4, rank 2: some rule"}; }

CommandFailure failure_of_run(const RunPlan& plan, const auto& error) {
  return failure_of(std::make_exception_ptr(error), &plan);
}

TEST(Failure, EveryKindOfErrorHasItsExitCode) {
  for (const ErrorKind kind :
       {ErrorKind::no_link, ErrorKind::link_down, ErrorKind::send_limit, ErrorKind::overflow, ErrorKind::receive_limit,
        ErrorKind::one_strict, ErrorKind::half_link, ErrorKind::half_node, ErrorKind::nothing_arrived,
        ErrorKind::exception, ErrorKind::deadlock, ErrorKind::livelock, ErrorKind::undelivered,
        ErrorKind::invalid_schedule}) {
    const CommandFailure failure = failure_of_run(plan(), error_of(kind));
    EXPECT_EQ(failure.code, 1) << name(kind);
    EXPECT_EQ(failure.text, "broadcast/sbt: cycle 4, rank 2: some rule") << name(kind);
  }
  EXPECT_EQ(failure_of_run(plan(), error_of(ErrorKind::interrupted)).code, 130);
}

TEST(Failure, AViolationUnderRulesThatTheUserChangedIsBadInput) {
  const RunPlan changed = plan(PortModel::one_strict);
  const CommandFailure failure = failure_of_run(changed, error_of(ErrorKind::one_strict));
  EXPECT_EQ(failure.code, 2);
  EXPECT_EQ(failure.text, "broadcast/sbt is not legal under --ports one-strict: cycle 4, rank 2: some rule");
  EXPECT_EQ(failure_of_run(changed, error_of(ErrorKind::deadlock)).code, 1) << "no rule was broken";
  RunPlan faulty = changed;
  faulty.faults.faults.links.push_back({0, 1, 0});
  EXPECT_EQ(failure_of_run(faulty, error_of(ErrorKind::one_strict)).code, 1) << "it may be the fault's";
}

TEST(Failure, MemoryThatRunsOutInsideAProgramIsSaidToBe) {
  const ProgramError out_of_memory(4, 2, "the program threw: std::bad_alloc",
                                   std::make_exception_ptr(std::bad_alloc()));
  const CommandFailure failure = failure_of_run(plan(), out_of_memory);
  EXPECT_EQ(failure.code, 2);
  EXPECT_EQ(failure.text, "broadcast/sbt on hypercube:3 does not fit memory");
  const ProgramError other(4, 2, "the program threw: other", std::make_exception_ptr(std::runtime_error("other")));
  EXPECT_EQ(failure_of_run(plan(), other).code, 1);
  EXPECT_EQ(failure_of_run(plan(), other).text, "the program threw: other");
  EXPECT_EQ(failure_of_run(plan(), std::bad_alloc()).text, failure.text) << "outside of a program, too";
}

TEST(Failure, OfARunHasItsCoordinatesAndWords) {
  const CommandFailure failure = failure_of_run(plan(PortModel::one_strict), error_of(ErrorKind::one_strict));
  ASSERT_TRUE(failure.of_run);
  EXPECT_EQ(failure.of_run->cycle, 4U);
  EXPECT_EQ(failure.of_run->rank, 2U);
  EXPECT_EQ(failure.of_run->ports, std::vector<Port>{1});
  EXPECT_EQ(failure.of_run->text, "broadcast/sbt: cycle 4, rank 2: some rule");
  EXPECT_EQ(failure.of_run->dot, "");
  EXPECT_TRUE(failure_of_run(plan(), error_of(ErrorKind::interrupted)).of_run);
  EXPECT_FALSE(failure_of_run(plan(), InputError("why")).of_run);
  EXPECT_FALSE(failure_of(std::make_exception_ptr(error_of(ErrorKind::deadlock))).of_run) << "of no run";
}

CommandFailure failure_after(const auto& exception) { return failure_of(std::make_exception_ptr(exception)); }

TEST(Failure, WhatIsNoRunErrorIsBadInputOrOurs) {
  EXPECT_EQ(failure_after(InputError("why")).code, 2);
  EXPECT_EQ(failure_after(InputError("why")).text, "why");
  EXPECT_EQ(failure_after(MachineSpecError("why")).code, 2);
  EXPECT_EQ(failure_after(MemoryError("a run", 2, 1)).code, 2);
  EXPECT_EQ(failure_after(OutputError("x", "why")).code, 2);
  EXPECT_EQ(failure_after(OutputError("x", "why")).text, "cannot write 'x': why");
  EXPECT_EQ(failure_after(host::Interrupted()).code, 130);
  EXPECT_EQ(failure_after(std::bad_alloc()).code, 2);
  EXPECT_EQ(failure_after(std::bad_alloc()).text, "this run does not fit memory");
  EXPECT_EQ(failure_after(std::logic_error("digests differ")).code, 3);
  EXPECT_EQ(failure_after(std::logic_error("digests differ")).text, "internal error: digests differ");
  EXPECT_EQ(failure_after(7).code, 3);
}

TEST(Failure, HasAKindForReports) {
  EXPECT_EQ(failure_of_run(plan(), error_of(ErrorKind::deadlock)).kind, "deadlock");
  EXPECT_EQ(failure_of_run(plan(), error_of(ErrorKind::interrupted)).kind, "interrupted");
  EXPECT_EQ(failure_of_run(plan(PortModel::one_strict), error_of(ErrorKind::one_strict)).kind, "one-strict");
  EXPECT_EQ(failure_after(InputError("why")).kind, "input");
  EXPECT_EQ(failure_after(MachineSpecError("why")).kind, "input");
  EXPECT_EQ(failure_after(MemoryError("a run", 2, 1)).kind, "memory");
  EXPECT_EQ(failure_after(std::bad_alloc()).kind, "memory");
  EXPECT_EQ(failure_after(OutputError("x", "why")).kind, "output");
  EXPECT_EQ(failure_after(host::Interrupted()).kind, "interrupted");
  EXPECT_EQ(failure_after(7).kind, "internal");
}

TEST(Failure, BeforeTheRunIsARefusal) {
  EXPECT_EQ(status_of({host::bad_input, "why", "input"}, false), Status::refused);
  EXPECT_EQ(status_of({host::bad_input, "why", "output"}, true), Status::failed);
  EXPECT_EQ(status_of({host::internal_error, "why", "internal"}, false), Status::failed);
  EXPECT_EQ(status_of({host::interrupted, "why", "interrupted"}, false), Status::interrupted);
}

}  // namespace
}  // namespace lockstep::cli::run::failure_test
