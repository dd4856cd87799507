#pragma once

#include <string>
#include <utility>
#include <vector>

#include "failure.hpp"
#include "host/exit_code.hpp"
#include "host/started_processes.hpp"
#include "lockstep/core/processes.hpp"

namespace lockstep::cli::run {

/// The command in several processes, all with the same arguments: only the first writes output, and all end with one
/// exit code. They meet twice: before a shared run (or when one of them finds that there is none), and at the end.
class ProcessGroup {
 public:
  /// Silences all processes but the first: their further output is discarded. `what` describes this program and its
  /// arguments.
  ProcessGroup(StartedProcesses& processes, std::string what);

  StartedProcesses& processes() { return processes_; }
  bool is_first() const { return processes_.own() == 0; }

  /// Records the files that this process reads and their contents, which all compare when they begin.
  void reads(std::string files) { files_ = std::move(files); }
  /// Called by all before a shared run. Throws InputError if they differ in program, arguments or files, or if another
  /// process has found that there will be no run.
  void begin();
  /// Called by each at its end, with its exit code and its error, if any. Returns the exit code of all: that of the
  /// first process whose code is not 0.
  int end(int code, const std::string& what_went_wrong);
  /// Ends all processes because this one cannot go on, and prints why.
  [[noreturn]] void end_all(const CommandFailure& failure);

 private:
  struct Notice;

  std::vector<Notice> exchange(const Notice& own);

  StartedProcesses& processes_;
  std::string what_;
  std::string files_;
  int standard_error_;  // before it was silenced
  bool has_begun_ = false;
};

}  // namespace lockstep::cli::run
