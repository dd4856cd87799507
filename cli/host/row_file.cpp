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

namespace lockstep::cli::host {

RowFile::RowFile(std::string path, Beginning beginning, bool resume)
    : path_(std::move(path)), beginning_(std::move(beginning)) {
  const bool is_no_file = path_ == "-" || is_stream(path_);
  if (resume && is_no_file) throw InputError("--resume continues files, and " + printable(path_) + " is not one");
  if (is_no_file || access(path_.c_str(), F_OK) != 0) return;
  if (!resume) {
    throw InputError(printable(path_) + " already exists: --resume continues it, or name a new file");
  }
  read();
}

RowFile::~RowFile() {
  if (file_ >= 0) close(file_);
}

void RowFile::read() {
  std::ifstream file(path_);
  std::ostringstream all;
  if (file) all << file.rdbuf();
  if (!file || all.bad()) throw InputError("cannot read " + lockstep::quoted(path_) + ": " + std::strerror(errno));
  const std::string text = all.str();
  const std::string& known = beginning_.text;
  if (!text.starts_with(known) && !known.starts_with(text)) {
    throw InputError(printable(path_) + " is not of " + beginning_.whose + ": its " +
                     (beginning_.header.empty() ? "first line is not a row of it" : "columns differ"));
  }
  whole_ = text.find_last_of('\n') + 1;  // 0 if there is none
  has_part_ = whole_ < text.size();
  if (whole_ == 0) return;
  std::istringstream lines(text.substr(beginning_.header.size(), whole_ - beginning_.header.size()));
  for (std::string line; std::getline(lines, line);) lines_.push_back(line);
}

std::string RowFile::place_of(std::size_t line) const {
  return printable(path_) + ", line " + std::to_string(line + (beginning_.header.empty() ? 1 : 2));
}

// A line without an end may be incomplete: it is removed.
void RowFile::begin() {
  if (is_stream(path_)) {
    stream_.emplace(path_);
  } else if (path_ != "-") {
    file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file_ < 0 || (has_part_ && ftruncate(file_, static_cast<off_t>(whole_)) != 0)) {
      refuse_output(path_);
    }
  }
  if (whole_ == 0 && !beginning_.header.empty()) add(beginning_.header);
}

void RowFile::add(const std::string& line) {
  if (stream_) return stream_->write(line);
  if (file_ < 0) return write_output(line);
  if (!write_whole(file_, line)) refuse_output(path_);
}

}  // namespace lockstep::cli::host
