#include "command_line.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <thread>

namespace lockstep::test {
namespace {

[[noreturn]] void become_command(const std::vector<std::string>& arguments, const std::function<void()>& before_start,
                                 std::string command) {
  if (before_start) before_start();
  std::vector<char*> words;
  words.push_back(command.data());
  std::vector<std::string> copies = arguments;
  for (std::string& copy : copies) words.push_back(copy.data());
  words.push_back(nullptr);
  execv(command.c_str(), words.data());
  _exit(99);
}

/// Appends the text that can be read now; false at the end.
bool read_into(int& file, std::string& text) {
  std::array<char, 4096> buffer{};
  const ssize_t count = read(file, buffer.data(), buffer.size());
  if (count > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }
  if (count < 0 && errno == EINTR) return true;
  close(file);  // a terminal's end is an error
  file = -1;
  return false;
}

/// The number of occurrences of a text in another.
std::size_t count_of(const std::string& text, const std::string& in) {
  std::size_t count = 0;
  for (std::size_t at = in.find(text); at != std::string::npos; at = in.find(text, at + 1)) ++count;
  return count;
}

/// Closes the open ones.
void close_all(std::initializer_list<int> files) {
  for (const int file : files) {
    if (file >= 0) close(file);
  }
}

}  // namespace

Running::Running(const std::vector<std::string>& arguments, Outputs outputs, const std::function<void()>& before_start,
                 const std::string& program) {
  if (outputs == Outputs::terminal) {
    winsize size{.ws_row = 24, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
    process_ = forkpty(&out_, nullptr, nullptr, &size);
    if (process_ == 0) become_command(arguments, before_start, program);
    return;
  }
  std::array<int, 2> out{-1, -1};
  std::array<int, 2> err{-1, -1};
  if (pipe2(out.data(), O_CLOEXEC) == 0 && pipe2(err.data(), O_CLOEXEC) == 0) process_ = fork();
  if (process_ == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    become_command(arguments, before_start, program);
  }
  close_all({out[1], err[1]});
  out_ = out[0];
  err_ = err[0];
}

Running::~Running() {
  if (send(SIGKILL)) waitpid(process_, nullptr, 0);
  close_all({out_, err_});
}

bool Running::wait_for_signal_handler() const {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  constexpr unsigned long long bit = 1ULL << (SIGINT - 1);
  while (std::chrono::steady_clock::now() < deadline) {
    std::istringstream status(read_file("/proc/" + std::to_string(process_) + "/status"));
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("SigCgt:") && (std::stoull(line.substr(7), nullptr, 16) & bit) != 0) return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

bool Running::wait_until_idle() const {
  const auto is_asleep = [tasks = "/proc/" + std::to_string(process_) + "/task"] {
    std::error_code gone;  // the thread or the process has ended
    for (std::filesystem::directory_iterator task(tasks, gone), end; task != end; task.increment(gone)) {
      // "ID (NAME) STATE ..", where a name may hold anything.
      const std::string stat = read_file(task->path() / "stat");
      const std::size_t name_end = stat.rfind(')');
      if (name_end != std::string::npos && stat.compare(name_end, 3, ") S") != 0) return false;
    }
    return true;
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  for (int looks = 0; looks < 20; looks = is_asleep() ? looks + 1 : 0) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

bool Running::wait_for_text(const std::string& text, std::size_t times) {
  constexpr int patience = 120'000;  // milliseconds, for text that never arrives
  while (std::max(count_of(text, finished_.out), count_of(text, finished_.err)) < times) {
    if (!read_some(patience)) return false;
  }
  return true;
}

void Running::type(const std::string& keys) const {
  EXPECT_EQ(write(out_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
}

bool Running::shows_keys() const {
  termios state{};
  EXPECT_EQ(tcgetattr(out_, &state), 0);
  return (state.c_lflag & ECHO) != 0;
}

bool Running::send(int signal) const {
  // For kill(), 0 and negative numbers mean many processes, including this one.
  return process_ > 0 && kill(process_, signal) == 0;
}

/// Waits for either output and reads it; false when both have ended.
bool Running::read_some(int milliseconds) {
  std::array<pollfd, 2> files{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0}};
  if (out_ < 0 && err_ < 0) return false;
  if (poll(files.data(), files.size(), milliseconds) == 0) return false;
  if (out_ >= 0 && files[0].revents != 0) read_into(out_, finished_.out);
  if (err_ >= 0 && files[1].revents != 0) read_into(err_, finished_.err);
  return true;
}

Finished Running::finish() {
  while (read_some()) {
  }
  if (process_ <= 0) return finished_;
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  finished_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished_;
}

Finished lockstep(const std::vector<std::string>& arguments, const std::function<void()>& before_start) {
  return Running(arguments, Running::Outputs::pipes, before_start).finish();
}

Finished lockstep(const std::string& arguments) {
  std::vector<std::string> words;
  std::istringstream text(arguments);
  for (std::string word; text >> word;) words.push_back(word);
  return lockstep(words);
}

void expect_refused(const Finished& run, const std::vector<std::string>& said) {
  EXPECT_EQ(run.exit_code, 2);
  if (!run.out.empty()) {
    EXPECT_EQ(nlohmann::json::parse(run.out, nullptr, false)["status"], "refused") << run.out;
  }
  EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(run.err.starts_with("lockstep: ")) << run.err;
  for (const std::string& part : said) EXPECT_NE(run.err.find(part), std::string::npos) << part << "\n" << run.err;
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  // An iterator would throw for a file in /proc whose process ends meanwhile.
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void write_file(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

nlohmann::json run_json(const std::string& machine, const std::string& algorithm, const std::string& further) {
  const Finished run = lockstep("run --json - --machine " + machine + " --algorithm " + algorithm + " " + further);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  return nlohmann::json::parse(run.out, nullptr, false);
}

}  // namespace lockstep::test
