#include "failure.hpp"

#include <array>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "host/interrupt.hpp"
#include "lockstep/algorithms/new_file.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::run {
namespace {

bool is_bad_alloc(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

/// The text of a run's error with the model's words turned into the flags that set them.
std::string in_flags(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> flags{
      {{"(port model ", "(--ports "},
       {"(duplex ", "(--duplex "},
       {"(no multicast)", "(--multicast off)"},
       {" without multicast:", " without --multicast:"},
       {" cycles; ", " cycles (--max-cycles); "}}};
  for (const auto& [words, flag] : flags) {
    if (const std::size_t at = text.find(words); at != std::string::npos) text.replace(at, words.size(), flag);
  }
  return text;
}

std::string line_of(const std::string& text) {
  constexpr std::size_t longest = 2000;  // messages are much shorter
  return "lockstep: " + printable(text, longest) + "\n";
}

CommandFailure out_of_memory(const RunPlan& plan) {
  return {host::bad_input, printable(plan.name) + " on " + printable(plan.machine.text) + " does not fit memory",
          "memory"};
}

/// Without what the error tells.
CommandFailure failure_of_run(const RunError& error, const RunPlan& plan) {
  const auto* thrown = dynamic_cast<const ProgramError*>(&error);
  if (thrown != nullptr && is_bad_alloc(thrown->cause())) return out_of_memory(plan);
  std::string text = in_flags(error.what());
  const std::string kind(name(error.kind()));
  if (error.kind() == ErrorKind::interrupted) return {host::interrupt_code(), text, kind};
  const std::string changed = flags::changed_rules(plan.model, plan.method->defaults);
  if (!error.is_violation() || changed.empty() || plan.faults.may_change_counts())
    return {host::run_failed, text, kind};
  const std::string shown = printable(plan.name);
  if (text.starts_with(shown + ": ")) text.erase(0, shown.size() + 2);
  return {host::bad_input, shown + " is not legal under " + changed + ": " + text, kind};
}

}  // namespace

bool CommandFailure::is_interrupt() const {
  return code == host::hung_up || code == host::interrupted || code == host::terminated;
}

CommandFailure::OfRun details_of(const RunError& error) {
  CommandFailure::OfRun details{error.cycle(), error.rank(), error.ports(), error.what(), {}, {}};
  if (const auto* deadlock = dynamic_cast<const DeadlockError*>(&error)) {
    details.dot = deadlock->dot();
    details.waits = deadlock->waits();
  }
  return details;
}

CommandFailure interruption() { return {host::interrupt_code(), "interrupted", "interrupted"}; }

CommandFailure failure_of(const std::exception_ptr& exception, const RunPlan* plan) {
  try {
    std::rethrow_exception(exception);
  } catch (const OutputError& error) {
    return {host::bad_input, error.what(), "output"};
  } catch (const InputError& error) {
    return {host::bad_input, error.what(), "input"};
  } catch (const MachineSpecError& error) {
    return {host::bad_input, error.what(), "input"};
  } catch (const MemoryError& error) {
    return {host::bad_input, in_flags(error.what()), "memory"};
  } catch (const std::bad_alloc&) {
    if (plan != nullptr) return out_of_memory(*plan);
    return {host::bad_input, "this run does not fit memory", "memory"};
  } catch (const RunError& error) {
    if (plan != nullptr) {
      CommandFailure failure = failure_of_run(error, *plan);
      failure.of_run = details_of(error);
      return failure;
    }
    if (error.kind() == ErrorKind::interrupted) return {host::interrupt_code(), error.what(), "interrupted"};
    return {host::internal_error, std::string("internal error: ") + error.what(), "internal"};
  } catch (const host::Interrupted&) {
    return interruption();
  } catch (const std::exception& error) {
    if (lacks_threads(error)) return {host::bad_input, std::string(no_threads), "input"};
    return {host::internal_error, std::string("internal error: ") + error.what(), "internal"};
  } catch (...) {
    return {host::internal_error, "internal error: an exception of an unknown kind", "internal"};
  }
}

// oneTBB throws it without a type of its own.
bool lacks_threads(const std::exception& exception) {
  return std::string_view(exception.what()).starts_with("pthread_create has failed");
}

Status status_of(const CommandFailure& failure, bool has_begun) {
  if (failure.is_interrupt()) return Status::interrupted;
  return has_begun || failure.code == host::internal_error ? Status::failed : Status::refused;
}

void print_line(const std::string& text) { std::cerr << line_of(text); }

host::ExitCode print_last(const std::string& text, host::ExitCode code) {
  host::say_last(line_of(text), code);
  return code;
}

void print_problems(const RunRecord& record) {
  for (const std::string& problem : record.problems) {
    print_line(printable(record.plan.name) + " on " + printable(record.plan.machine.text) + ": " + problem);
  }
}

}  // namespace lockstep::cli::run
