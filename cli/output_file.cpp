#include "output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw OutputError("cannot write '" + path + "': " + reason);
}

[[noreturn]] void refuse(const std::string& path) { refuse(path, std::strerror(errno)); }

/// An open file; closed at the end whatever happens.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (is_open()) close(number_);
  }
  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  int number_;
};

/// Whether all of the text was written; if not, errno says why.
bool write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return true;
}

/// A new file beside the one that it is to replace.
std::string name_of_new(const std::string& path) { return path + "." + std::to_string(getpid()) + ".new"; }

/// Whether the file holds something and its last line lacks its end.
bool ends_within_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file || file.tellg() <= 0) return false;
  file.seekg(-1, std::ios::end);
  return file.get() != '\n';
}

}  // namespace

void write_output(const std::string& text) {
  if (!write_all(STDOUT_FILENO, text) && errno != EPIPE) refuse("standard output");
}

OutputFile::OutputFile(std::string path, Use use) : path_(std::move(path)) {
  if (is_output()) return;
  if (path_.empty()) refuse(path_, "the name is empty");
  std::error_code ignored;
  const fs::file_status status = fs::status(path_, ignored);
  if (fs::is_symlink(path_, ignored)) {
    if (!fs::exists(status)) refuse(path_, "it is a symbolic link that leads nowhere");
    // The file behind it is replaced, not the link. A pipe behind /dev/stdout has no such path.
    if (fs::is_regular_file(status)) path_ = fs::canonical(path_);
  }
  if (fs::is_directory(status)) refuse(path_, "it is a directory");
  replaceable_ = !fs::exists(status) || fs::is_regular_file(status);
  if (fs::exists(status) && access(path_.c_str(), W_OK) != 0) refuse(path_);
  if (!replaceable_ || (use == Use::append && fs::exists(status))) return;
  const std::string trial = name_of_new(path_);
  if (!Descriptor(trial, O_CREAT | O_EXCL).is_open()) refuse(path_);
  unlink(trial.c_str());
}

void OutputFile::write(const std::string& text) const {
  if (is_output()) return write_output(text);
  const std::string place = replaceable_ ? name_of_new(path_) : path_;
  const Descriptor file(place, replaceable_ ? O_CREAT | O_EXCL : 0);
  if (!file.is_open()) refuse(path_);
  const bool done = write_all(file.number(), text) && (!replaceable_ || rename(place.c_str(), path_.c_str()) == 0);
  if (done) return;
  const int reason = errno;
  if (replaceable_) unlink(place.c_str());
  refuse(path_, std::strerror(reason));
}

void OutputFile::append(const std::string& text) const {
  if (is_output()) return write_output(text);
  const bool within_line = replaceable_ && ends_within_line(path_);
  const Descriptor file(path_, O_CREAT | O_APPEND);
  if (!file.is_open() || !write_all(file.number(), within_line ? "\n" + text : text)) refuse(path_);
}

bool OutputFile::is_same_as(const OutputFile& other) const {
  if (is_output() || other.is_output()) return is_output() && other.is_output();
  std::error_code ignored;
  return fs::weakly_canonical(path_, ignored) == fs::weakly_canonical(other.path_, ignored) ||
         fs::equivalent(path_, other.path_, ignored);
}

std::string OutputFile::first_line() const {
  std::string line;
  if (is_output() || !replaceable_) return line;
  std::ifstream file(path_);
  std::getline(file, line);
  return line;
}

}  // namespace lockstep::cli
