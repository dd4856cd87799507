#include "row_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "output_file.hpp"

namespace lockstep::cli {

RowFile::RowFile(std::string path, std::string header, bool resume)
    : path_(std::move(path)), header_(std::move(header)) {
  const bool is_standard_output = path_ == "-";
  if (resume && (is_standard_output || is_stream(path_))) {
    throw InputError("--resume goes on with files, and " + printable(path_) + " is none");
  }
  if (is_standard_output) {
    if (!header_.empty()) write_output(header_);
    return;
  }
  const bool is_there = access(path_.c_str(), F_OK) == 0 && !is_stream(path_);
  if (is_there && !resume) {
    throw InputError(printable(path_) + " is there already: --resume goes on with it, or name a new file");
  }
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw OutputError(path_, std::strerror(errno));
  if (is_there) read();
  if (lseek(file_, 0, SEEK_END) <= 0 && !header_.empty()) add(header_);
}

RowFile::RowFile(RowFile&& other) noexcept
    : path_(std::move(other.path_)),
      header_(std::move(other.header_)),
      lines_(std::move(other.lines_)),
      file_(std::exchange(other.file_, -1)) {}

RowFile::~RowFile() {
  if (file_ >= 0) close(file_);
}

// Of a line that has no end nobody knows whether it is whole: it goes.
void RowFile::read() {
  std::ostringstream all;
  all << std::ifstream(path_).rdbuf();
  const std::string text = all.str();
  const std::size_t whole = text.find_last_of('\n') + 1;  // 0 if there is none
  if (whole < text.size() && ftruncate(file_, static_cast<off_t>(whole)) != 0) {
    throw OutputError(path_, std::strerror(errno));
  }
  if (whole == 0) return;
  if (!text.starts_with(header_)) {
    close(std::exchange(file_, -1));
    throw InputError(printable(path_) + " is not of this sweep: its columns are others");
  }
  std::istringstream lines(text.substr(header_.size(), whole - header_.size()));
  for (std::string line; std::getline(lines, line);) lines_.push_back(line);
}

void RowFile::add(const std::string& line) {
  if (file_ < 0) return write_output(line);
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t written = write(file_, line.data() + done, line.size() - done);
    if (written < 0 && errno != EINTR) throw OutputError(path_, std::strerror(errno));
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

}  // namespace lockstep::cli
