#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../temporary_directory.hpp"

namespace lockstep::test {

/// What a finished command left behind. A command that a signal ended has the exit code 128 + signal.
struct Finished {
  int exit_code = -1;
  std::string out;
  std::string err;
};

/// Runs the built `lockstep` with these arguments, its outputs piped into the result. `before_start` is called in the
/// new process before the command starts there.
Finished lockstep(const std::vector<std::string>& arguments, const std::function<void()>& before_start = {});

/// The arguments, split at the spaces: for those that contain none.
Finished lockstep(const std::string& arguments);

/// Bad input: the exit code is 2, and all output one line on standard error that has all these parts, and a report of
/// the refusal where JSON on standard output was asked for.
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
  /// Waits until `text` has been written, so often; false if the outputs end before.
  bool wait_for_text(const std::string& text, std::size_t times = 1);
  /// Presses keys, if there is a terminal.
  void type(const std::string& keys) const;
  /// Whether the terminal shows what is typed.
  bool shows_keys() const;
  /// Whether there was a command to send it to.
  bool send(int signal) const;
  /// Waits for the end. On a terminal all output is in `out`. A command that could not be started has the exit code -1.
  Finished finish();

 private:
  /// False if nothing more can come, or nothing came for so long.
  bool read_some(int milliseconds = -1);

  pid_t process_ = -1;
  int out_ = -1;
  int err_ = -1;
  Finished finished_;
};

std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);

/// The lines of a text; what follows the last line end counts if it is not empty.
std::vector<std::string> lines(const std::string& text);

/// The report of `run --json -` with these further arguments; fails the test if the exit code is not 0.
nlohmann::json run_json(const std::string& machine, const std::string& algorithm, const std::string& further = "");

}  // namespace lockstep::test
