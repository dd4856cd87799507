#pragma once

#include <string>
#include <utility>
#include <vector>

#include "failure.hpp"
#include "host/exit_code.hpp"
#include "host/started_processes.hpp"
#include "lockstep/core/processes.hpp"

namespace lockstep::cli::run {

/// The command in several processes at once, all with the same arguments: the first one speaks for all, and they end
/// with one exit code. They meet twice: before a run that they share, or when one of them finds that there will be
/// none, and at the end.
class Together {
 public:
  /// Silences all processes but the first: what they write from now on goes nowhere. `what` is said of this program and
  /// its arguments.
  Together(StartedProcesses& processes, std::string what);

  StartedProcesses& processes() { return processes_; }
  bool is_first() const { return processes_.own() == 0; }

  /// Notes which files this process reads, and what is in them, so that all can compare it when they begin.
  void reads(std::string files) { files_ = std::move(files); }
  /// Called by all before a run that they share. Throws InputError if what they are is not the same everywhere, or if
  /// another process has found that there will be no run.
  void begin();
  /// Called by each when it is done, with its exit code, and what went wrong if anything did. Returns the exit code of
  /// all: that of the first process that has another than 0.
  int end(int code, const std::string& what_went_wrong);
  /// Ends all, because this process alone cannot go on; says why.
  [[noreturn]] void end_all(const Failure& failure);

 private:
  struct Word;

  std::vector<Word> tell(const Word& own);

  StartedProcesses& processes_;
  std::string what_;
  std::string files_;
  int standard_error_;  // as it was
  bool has_begun_ = false;
};

}  // namespace lockstep::cli::run
