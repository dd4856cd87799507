#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "machine_run.hpp"
#include "property.hpp"
#include "simulation.hpp"

// Random scenarios on machines and in the reference model.
namespace lockstep::reference {

/// Runs the machine on the executor; returns the first difference, or nothing.
inline std::string compare(const Scenario& scenario, Executor& executor, const MachineOptions& options,
                           const Outcome& expected, std::optional<MachineOutcome>& first) {
  MachineOutcome machine = run_on_machine(scenario, executor, options);
  std::string wrong = difference(machine.outcome, expected);
  if (!first) {
    first = std::move(machine);
  } else if (wrong.empty()) {
    if (machine.digest != first->digest) wrong = "another digest";
    if (machine.text != first->text) wrong = machine.text + "\n  elsewhere: " + first->text;
    if (machine.dot != first->dot) wrong = "another graph of a deadlock";
  }
  if (wrong.empty()) return wrong;
  return std::string(executor.name()) + ", " + std::to_string(executor.workers()) + " threads: " + wrong;
}

/// Every scenario runs on the one-threaded executors and on two of the others in turn.
class EveryExecutor {
 public:
  EveryExecutor() {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) seeded_.push_back(make_executor(ExecutorKind::seeded, 1, seed));
    // The most threads first: oneTBB's limit for the whole process is the first one set.
    for (const unsigned threads : {8U, 4U, 3U, 2U, 1U}) {
      tbb_.push_back(make_executor(ExecutorKind::tbb, threads));
      threads_.push_back(make_executor(ExecutorKind::threads, threads));
    }
  }

  std::string compare_all(const Scenario& scenario, const Outcome& expected) {
    ++turn_;
    // A machine that has run before, perhaps to a failure, behaves like a new one; so does an observed one.
    const std::vector<std::pair<Executor*, MachineOptions>> runs{{sequential_.get(), {.runs = 2}},
                                                                 {in_turn(seeded_), {}},
                                                                 {in_turn(tbb_), {.observed = turn_ % 3 == 0}},
                                                                 {in_turn(threads_), {.observed = turn_ % 3 == 1}}};
    std::optional<MachineOutcome> first;
    for (const auto& [executor, options] : runs) {
      for (const ChannelKind channels : channel_kinds(scenario)) {
        MachineOptions with_channels = options;
        with_channels.channels = channels;
        std::string wrong = compare(scenario, *executor, with_channels, expected, first);
        if (!wrong.empty()) return std::string(lockstep::name(channels)) + " channels, " + wrong;
      }
    }
    return {};
  }

 private:
  Executor* in_turn(const std::vector<std::unique_ptr<Executor>>& executors) const {
    return executors[turn_ % executors.size()].get();
  }

  std::unique_ptr<Executor> sequential_ = make_executor(ExecutorKind::sequential);
  std::vector<std::unique_ptr<Executor>> seeded_;
  std::vector<std::unique_ptr<Executor>> tbb_;
  std::vector<std::unique_ptr<Executor>> threads_;
  std::size_t turn_ = 0;
};

inline std::uint64_t notes_of(const Outcome& outcome) {
  std::uint64_t sum = 0;
  for (const auto& notes : outcome.notes) sum += notes.size();
  return sum;
}

/// Draws scenarios until the programs have executed enough operations; everything that they observe is the same on
/// every executor.
inline void expect_agreement(Draw draw, std::uint64_t enough) {
  EveryExecutor executors;
  std::uint64_t operations = 0;
  std::uint64_t scenarios_run = 0;
  for (std::uint64_t seed = 1; operations < enough; ++seed) {
    const auto result = check(draw, seed, 500, [&](const Scenario& scenario) {
      const Outcome expected = simulate(scenario);
      operations += notes_of(expected);
      ++scenarios_run;
      return executors.compare_all(scenario, expected);
    });
    if (result.is<rc::detail::SuccessResult>()) continue;
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    FAIL() << "seed " << seed << ": " << text.str();
  }
  testing::Test::RecordProperty("operations", std::to_string(operations));
  std::cout << operations << " operations in " << scenarios_run << " scenarios agree\n";
  EXPECT_GE(operations, enough);
}

}  // namespace lockstep::reference
