#include "shared_table.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "interrupt.hpp"
#include "output_file.hpp"

namespace lockstep::cli::host {
namespace {

namespace fs = std::filesystem;

bool is_same_file(int file, const std::string& path) {
  struct stat open {
  }, named{};
  return fstat(file, &open) == 0 && stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

}  // namespace

SharedTable::SharedTable(std::string path, std::string headings, std::string what)
    : path_(std::move(path)), headings_(std::move(headings)), what_(std::move(what)) {
  if (path_ == "-") return;
  std::error_code ignored;
  if (is_stream(path_)) {
    if (access(path_.c_str(), W_OK) != 0) refuse_output(path_);
    return;
  }
  if (!fs::exists(path_, ignored)) {
    check_replaceable(path_);
    return;
  }
  if (fs::is_directory(path_, ignored)) throw OutputError(path_, "it is a directory");
  lock();
  refuse_if_other_headings();
  release();
}

SharedTable::~SharedTable() { release(); }

void SharedTable::add(const std::string& line) {
  if (path_ == "-") return write_output(headings_ + "\n" + line + "\n");
  if (is_stream(path_)) return Stream(path_).write(headings_ + "\n" + line + "\n");
  lock();
  refuse_if_other_headings();
  const std::string before = size_before_ == 0 ? headings_ + "\n" : ends_within_line() ? "\n" : "";
  if (write_whole(file_, before + line + "\n")) return;
  const int reason = errno;
  take_back();
  throw OutputError(path_, std::strerror(reason));
}

void SharedTable::release() {
  if (file_ >= 0) close(file_);  // and with it the lock
  file_ = -1;
}

void SharedTable::take_back() {
  if (file_ >= 0 && ftruncate(file_, size_before_) == 0 && size_before_ == 0) unlink(path_.c_str());
  release();
}

/// Opens the file and waits for its lock; repeats if the file was replaced meanwhile.
void SharedTable::lock() {
  const PatientWait wait;
  for (;;) {
    release();
    file_ = open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) refuse_output(path_);
    while (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) refuse_output(path_);
      wait.pause();
    }
    if (is_same_file(file_, path_)) break;
  }
  struct stat status {};
  if (fstat(file_, &status) != 0) refuse_output(path_);
  size_before_ = status.st_size;
}

void SharedTable::refuse_if_other_headings() {
  if (size_before_ == 0 || first_line() == headings_) return;
  release();  // the destructor does not run for a failed constructor
  throw OutputError(path_, "its first line is not the header of " + what_ + "; name a new file");
}

/// The first line of the file, read up to little more than its expected length.
std::string SharedTable::first_line() const {
  std::string text(headings_.size() + 1, '\0');
  const ssize_t count = pread(file_, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));  // an unreadable file has no header
  return text.substr(0, text.find('\n'));
}

bool SharedTable::ends_within_line() const {
  char last = '\n';
  return pread(file_, &last, 1, size_before_ - 1) == 1 && last != '\n';
}

}  // namespace lockstep::cli::host
