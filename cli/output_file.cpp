#include "output_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "interrupt.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path) { throw OutputError(path, std::strerror(errno)); }

/// Whether all of the text was written; if not, errno says why. A pipe takes PIPE_BUF bytes at once if it takes any, so
/// that no write waits for a reader longer than the user wants.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const PatientWait wait;
    pollfd ready{file, POLLOUT, 0};
    constexpr int moment = 100;  // milliseconds
    while (poll(&ready, 1, moment) <= 0) wait.check();
    const ssize_t written = ::write(file, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool is_pipe(const std::string& path) {
  std::error_code ignored;
  return fs::is_fifo(path, ignored);
}

}  // namespace

void write_output(std::string_view text) {
  if (!write_all(STDOUT_FILENO, text) && errno != EPIPE) {
    throw OutputError("standard output", std::strerror(errno));
  }
}

Stream::Stream(const std::string& path) : path_(path), file_(-1) {
  const PatientWait wait;
  for (;;) {
    file_ = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file_ >= 0) return;
    if (errno != EINTR && !(errno == ENXIO && is_pipe(path))) refuse(path);
    wait.pause();
  }
}

Stream::~Stream() { close(file_); }

void Stream::write(std::string_view text) const {
  if (!write_all(file_, text)) refuse(path_);
}

bool is_stream(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") return;
  if (!is_stream(path_)) {
    check_replaceable(path_);
  } else if (access(path_.c_str(), W_OK) != 0) {
    refuse(path_);
  }
}

void OutputFile::prepare(std::string text) {
  text_ = std::move(text);
  if (path_ == "-") return;
  if (is_stream(path_)) {
    stream_.emplace(path_);
  } else {
    file_.emplace(path_).write(text_);
  }
}

void OutputFile::publish() {
  if (file_) return file_->put_in_place();
  if (stream_) return stream_->write(text_);
  write_output(text_);
}

bool OutputFile::is_file() const { return path_ != "-" && !is_stream(path_); }

void OutputFile::write(std::string text) {
  prepare(std::move(text));
  publish();
}

}  // namespace lockstep::cli
