#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cli::host {

/// How another program is started: apart from the terminal, so that Ctrl-C reaches this process only, without input.
struct ChildStart {
  std::vector<std::string> words;  ///< the program and its arguments
  std::string program{};           ///< the file to run; empty: found by the first word, as a shell does
  std::string directory = ".";     ///< working directory
  int output = -1;                 ///< the file that is its standard output; -1: discarded
  int errors = 2;                  ///< the same for standard error
};

/// A child process; if it has not ended when this object goes, it is killed with all processes that it has started.
class ChildProcess {
 public:
  explicit ChildProcess(const ChildStart& start);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { end(); }

  /// The errno of a failed start; 0 if it was started.
  int error() const { return error_; }
  pid_t process() const { return process_; }
  /// Its status from waitpid() when it has ended; empty before.
  std::optional<int> status();
  /// Kills what is left of it and its children.
  void end();

 private:
  int error_ = 0;
  pid_t process_ = -1;
  std::optional<int> status_;
};

/// The limits of a process.
struct ChildLimits {
  double seconds = 0;                         ///< wall-clock
  std::optional<std::uint64_t> memory_bytes;  ///< of its own, whether touched or not
};

/// How a process ended, and what it wrote.
struct EndedProcess {
  enum class Ending { returned, signalled, out_of_time, too_much_output, not_started };

  Ending ending = Ending::returned;
  int code = 0;          ///< its exit code, the signal, or errno
  std::string output{};  ///< all of it
  std::string errors{};  ///< the beginning
};

/// Runs a program until it ends or exceeds its limits. Throws Interrupted soon after `stop` is set.
EndedProcess run_process(const std::vector<std::string>& words, const std::string& program, const ChildLimits& limits,
                         const std::atomic<bool>& stop);

}  // namespace lockstep::cli::host
