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
#include <ostream>
#include <streambuf>
#include <system_error>
#include <vector>

namespace lockstep::cli::host {
namespace {

namespace fs = std::filesystem;

/// Returns whether all of the text was written; if not, errno is set. A pipe that accepts bytes accepts PIPE_BUF at
/// once, so no write blocks longer than the user wants.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const PatientWait wait;
    pollfd ready{file, POLLOUT, 0};
    constexpr int waited = 100;  // milliseconds
    while (poll(&ready, 1, waited) <= 0) wait.check();
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

/// Collects the output of a stream into pieces.
class PieceBuffer : public std::streambuf {
 public:
  explicit PieceBuffer(const std::function<void(std::string_view)>& take) : take_(take), piece_(std::size_t{1} << 16) {
    begin();
  }

 protected:
  int_type overflow(int_type letter) override {
    hand_on();
    if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
    return sputc(traits_type::to_char_type(letter));
  }
  int sync() override {
    hand_on();
    return 0;
  }

 private:
  void begin() { setp(piece_.data(), piece_.data() + piece_.size()); }
  void hand_on() {
    take_({pbase(), pptr()});
    begin();
  }

  const std::function<void(std::string_view)>& take_;
  std::vector<char> piece_;
};

/// Thrown when the reader of standard output has gone: nothing more need be written.
class ReaderGone : public std::exception {};

void write_or_give_up(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return;
  if (errno == EPIPE) throw ReaderGone();
  throw OutputError("standard output", std::strerror(errno));
}

}  // namespace

void refuse_output(const std::string& path) { throw OutputError(path, std::strerror(errno)); }

bool write_whole(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void write_in_pieces(const TextWriter& write, const PatientWait& wait,
                     const std::function<void(std::string_view)>& take) {
  const std::function<void(std::string_view)> take_in_time = [&](std::string_view piece) {
    wait.check();
    take(piece);
  };
  PieceBuffer pieces(take_in_time);
  std::ostream out(&pieces);
  out.exceptions(std::ios::badbit);  // rethrows exceptions of `take`
  write(out);
  out.flush();
}

void write_output(std::string_view text) {
  write_output([text](std::ostream& out) { out << text; });
}

void write_output(const TextWriter& write) {
  try {
    write_in_pieces(write, PatientWait(), write_or_give_up);
  } catch (const ReaderGone&) {
  }
}

Stream::Stream(const std::string& path) : path_(path), file_(-1) {
  const PatientWait wait;
  for (;;) {
    file_ = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file_ >= 0) return;
    if (errno != EINTR && !(errno == ENXIO && is_pipe(path))) refuse_output(path);
    wait.pause();
  }
}

Stream::~Stream() { close(file_); }

void Stream::write(std::string_view text) const {
  if (!write_all(file_, text)) refuse_output(path_);
}

bool is_stream(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (is_standard_output()) return;
  if (!is_stream(path_)) {
    check_replaceable(path_);
  } else if (access(path_.c_str(), W_OK) != 0) {
    refuse_output(path_);
  }
}

void OutputFile::prepare(TextWriter write) {
  if (is_file()) {
    file_.emplace(path_).write([&](std::ostream& file) {
      write_in_pieces(write, PatientWait(), [&](std::string_view piece) {
        if (!(file << piece)) refuse_output(path_);
      });
    });
    return;
  }
  write_ = std::move(write);
  if (!is_standard_output()) stream_.emplace(path_);
}

void OutputFile::prepare(std::string text) {
  prepare([text = std::move(text)](std::ostream& out) { out << text; });
}

void OutputFile::publish() {
  if (file_) return file_->put_in_place();
  if (!stream_) return write_output(write_);
  write_in_pieces(write_, PatientWait(), [this](std::string_view piece) { stream_->write(piece); });
}

void publish(std::span<OutputFile* const> outputs, const std::function<void()>& show) {
  const auto publish_those = [&](bool are_files) {
    for (OutputFile* const output : outputs) {
      if (output != nullptr && output->is_new_file() == are_files) output->publish();
    }
  };
  std::exception_ptr interrupt;
  try {
    publish_those(false);
    show();
  } catch (const Interrupted&) {
    interrupt = std::current_exception();
  }
  publish_those(true);
  if (interrupt) std::rethrow_exception(interrupt);
}

bool OutputFile::is_file() const { return !is_standard_output() && !is_stream(path_); }

void OutputFile::write(std::string text) {
  prepare(std::move(text));
  publish();
}

}  // namespace lockstep::cli::host
