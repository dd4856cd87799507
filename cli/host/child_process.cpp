#include "child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <string_view>
#include <system_error>
#include <thread>

#include "interrupt.hpp"
#include "lockstep/machines/input_error.hpp"
#include "started_processes.hpp"

namespace lockstep::cli::host {
namespace {

constexpr std::size_t most_output = std::size_t{64} << 20;
constexpr std::size_t most_errors = std::size_t{64} << 10;

/// A pipe from which a process's output is read.
class Pipe {
 public:
  Pipe() {
    if (pipe2(files_.data(), O_CLOEXEC) != 0)
      throw InputError(std::string("cannot start a program: ") + std::strerror(errno));
    fcntl(files_[0], F_SETFL, O_NONBLOCK);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int file : files_) close(file);
  }

  int reader() const { return files_[0]; }
  int writer() const { return files_[1]; }

  /// Appends the available bytes to the text, up to that length; returns whether there were more.
  bool read_into(std::string& text, std::size_t most) const {
    std::array<char, 65536> buffer;
    for (;;) {
      const ssize_t count = ::read(reader(), buffer.data(), buffer.size());
      if (count <= 0) return false;
      const std::size_t kept = std::min(static_cast<std::size_t>(count), most - text.size());
      text.append(buffer.data(), kept);
      if (kept < static_cast<std::size_t>(count)) return true;
    }
  }

 private:
  std::array<int, 2> files_{-1, -1};
};

void limit(pid_t process, __rlimit_resource resource, std::uint64_t most) {
  const rlimit both{most, most};
  prlimit(process, resource, &both, nullptr);
}

/// The limit on CPU time ends the process if this one is killed.
void set_limits(pid_t process, const ChildLimits& limits) {
  const double seconds = limits.seconds * std::max(1U, std::thread::hardware_concurrency());
  limit(process, RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(seconds)) + 1);
  limit(process, RLIMIT_CORE, 0);
  if (limits.memory_bytes) limit(process, RLIMIT_DATA, *limits.memory_bytes);
}

/// This process's environment without mpirun's variables: its child processes run alone.
std::vector<char*> environment() {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (std::ranges::count(variables_of_mpirun, text.substr(0, text.find('='))) == 0) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

EndedProcess ended(int status) {
  if (WIFSIGNALED(status)) return {.ending = EndedProcess::Ending::signalled, .code = WTERMSIG(status)};
  return {.ending = EndedProcess::Ending::returned, .code = WEXITSTATUS(status)};
}

}  // namespace

ChildProcess::ChildProcess(const ChildStart& start) {
  std::vector<std::string> words = start.words;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, start.directory.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (start.output < 0) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  } else {
    posix_spawn_file_actions_adddup2(&actions, start.output, STDOUT_FILENO);
  }
  posix_spawn_file_actions_adddup2(&actions, start.errors, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t ignored;  // by this process
  sigemptyset(&ignored);
  sigaddset(&ignored, SIGPIPE);
  sigaddset(&ignored, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &ignored);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const char* const program = start.program.empty() ? arguments[0] : start.program.c_str();
  const auto spawn = start.program.empty() ? posix_spawnp : posix_spawn;
  error_ = spawn(&process_, program, &actions, &attributes, arguments.data(), environment().data());
  if (error_ != 0) process_ = -1;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
}

std::optional<int> ChildProcess::status() {
  int status = 0;
  if (process_ > 0 && !status_ && waitpid(process_, &status, WNOHANG) == process_) status_ = status;
  return status_;
}

// The group keeps the process's number while any process is left in it.
void ChildProcess::end() {
  if (process_ <= 0) return;
  kill(-process_, SIGKILL);
  if (!status_) waitpid(process_, nullptr, 0);
  process_ = -1;
}

EndedProcess run_process(const std::vector<std::string>& words, const std::string& program, const ChildLimits& limits,
                         const std::atomic<bool>& stop) {
  using Ending = EndedProcess::Ending;
  constexpr int waited = 2;  // milliseconds
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(limits.seconds);
  const Pipe output, errors;
  std::string output_text, errors_text;
  ChildProcess child({.words = words, .program = program, .output = output.writer(), .errors = errors.writer()});
  if (child.error() != 0) return {.ending = Ending::not_started, .code = child.error()};
  set_limits(child.process(), limits);
  const auto read_all = [&] {
    errors.read_into(errors_text, most_errors);
    return !output.read_into(output_text, most_output);
  };
  EndedProcess result;
  for (;;) {
    const std::optional<int> status = child.status();
    const bool fits = read_all();
    if (status) result = ended(*status);
    if (!fits) result = {.ending = Ending::too_much_output};
    const bool is_late = !status && std::chrono::steady_clock::now() > end;
    if (is_late) result = {.ending = Ending::out_of_time};
    if (status || !fits || is_late) break;
    if (stop) throw Interrupted();
    std::array<pollfd, 2> files{pollfd{output.reader(), POLLIN, 0}, pollfd{errors.reader(), POLLIN, 0}};
    poll(files.data(), files.size(), waited);
  }
  result.output = std::move(output_text);
  result.errors = std::move(errors_text);
  return result;
}

}  // namespace lockstep::cli::host
