#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cli::host {

/// How another program is started: apart from the terminal, so that Ctrl-C is for us, and with nothing to read.
struct ChildStart {
  std::vector<std::string> words;  ///< the program and its arguments
  std::string program{};           ///< the file to run; empty: what the shell would find under the first word
  std::string directory = ".";     ///< in which it begins
  int output = -1;                 ///< the file that is its standard output; -1: nobody sees it
  int errors = 2;                  ///< the same of its standard error
};

/// A process that is to have an end: killed with all that it has started, if it has not come to one.
class ChildProcess {
 public:
  explicit ChildProcess(const ChildStart& start);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { end(); }

  /// Why it could not be started, as errno has it; 0 if it was.
  int error() const { return error_; }
  pid_t process() const { return process_; }
  /// How it has ended, as waitpid() says; empty as long as it has not.
  std::optional<int> status();
  /// Kills what is left of it.
  void end();

 private:
  int error_ = 0;
  pid_t process_ = -1;
  std::optional<int> status_;
};

/// What a process may take.
struct ProcessLimits {
  double seconds = 0;                         ///< by the clock on the wall
  std::optional<std::uint64_t> memory_bytes;  ///< of its own, whether touched or not
};

/// How a process came to its end, and what it wrote.
struct EndedProcess {
  enum class Ending { returned, signalled, out_of_time, too_much_output, not_started };

  Ending ending = Ending::returned;
  int code = 0;          ///< its exit code, the signal, or errno
  std::string output{};  ///< all of it
  std::string errors{};  ///< the beginning
};

/// Runs a program to its end, or to that of its limits. Throws Interrupted soon after `stop` is set.
EndedProcess run_process(const std::vector<std::string>& words, const std::string& program, const ProcessLimits& limits,
                         const std::atomic<bool>& stop);

}  // namespace lockstep::cli::host
