#pragma once

#include <string>
#include <vector>

namespace lockstep::cli {

/// A text file to which a long command adds a line for every result, at once, so that all but the last are kept
/// whatever ends the command, and from which it can go on.
class RowFile {
 public:
  /// Opens a new file or, to resume, one that may be there. The first line is the header, with its newline, unless that
  /// is empty. "-" is standard output. Throws OutputError if that cannot be
  /// written, and InputError if a file is there and is not to be resumed or has other headings, or a stream is to be.
  RowFile(std::string path, std::string header, bool resume);
  RowFile(RowFile&& other) noexcept;
  RowFile& operator=(RowFile&&) = delete;
  ~RowFile();

  /// The whole lines that were there, without the header.
  const std::vector<std::string>& lines() const { return lines_; }
  /// Adds a line, with its newline. Throws OutputError, or Interrupted if nobody reads and the user asks to stop.
  void add(const std::string& line);

 private:
  void read();

  std::string path_;
  std::string header_;
  std::vector<std::string> lines_;
  int file_ = -1;
};

}  // namespace lockstep::cli
