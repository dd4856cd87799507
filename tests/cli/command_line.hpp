#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../temporary_directory.hpp"

namespace lockstep::test {

/// The result of a finished command. A command ended by a signal has the exit code 128 + signal.
struct Finished {
  int exit_code = -1;
  std::string out;
  std::string err;
};

/// Runs the built `lockstep` with these arguments, its outputs piped into the result. `before_start` is called in the
/// new process before the command starts there.
Finished lockstep(const std::vector<std::string>& arguments, const std::function<void()>& before_start = {});

/// Arguments in one text, split at spaces; none may contain a space.
Finished lockstep(const std::string& arguments);

/// Expects a refusal: exit code 2, one line on standard error that has all these parts, and no other output but a
/// report where JSON on standard output was requested.
void expect_refused(const Finished& run, const std::vector<std::string>& said);

/// A `lockstep`, or another program, that runs in the background, either piped or with a terminal for all its outputs.
class Running {
 public:
  enum class Outputs { pipes, terminal };
  Running(const std::vector<std::string>& arguments, Outputs outputs, const std::function<void()>& before_start = {},
          const std::string& program = LOCKSTEP_COMMAND);
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  /// Ends the command if it still runs.
  ~Running();

  /// Waits until the command catches interrupts; false if that does not happen within a minute.
  bool wait_for_signal_handler() const;
  /// Waits until all threads of the command have slept for a tenth of a second; false if that does not happen within a
  /// minute.
  bool wait_until_idle() const;
  /// Waits until `text` has been written `times` times; false if the outputs end first.
  bool wait_for_text(const std::string& text, std::size_t times = 1);
  /// Presses keys, if there is a terminal.
  void type(const std::string& keys) const;
  /// Whether the terminal echoes keys.
  bool shows_keys() const;
  /// Sends a signal; returns whether the command was running.
  bool send(int signal) const;
  /// Waits for the end. On a terminal all output is in `out`. A command that could not be started has the exit code -1.
  Finished finish();

 private:
  /// False at the end of the outputs, or if nothing arrived within the time.
  bool read_some(int milliseconds = -1);

  pid_t process_ = -1;
  int out_ = -1;
  int err_ = -1;
  Finished finished_;
};

std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);

/// The lines of a text; text after the last line end counts if not empty.
std::vector<std::string> lines(const std::string& text);

/// The report of `run --json -` with these further arguments; fails the test if the exit code is not 0.
nlohmann::json run_json(const std::string& machine, const std::string& algorithm, const std::string& further = "");

}  // namespace lockstep::test
