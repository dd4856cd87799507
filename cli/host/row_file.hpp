#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "output_file.hpp"

namespace lockstep::cli::host {

/// A text file to which a long command adds each result as a line at once, so that all but the last are kept however
/// the command ends, and from which it can resume.
class RowFile {
 public:
  /// The text with which the file begins; its first line is the header, if it is whole.
  struct Beginning {
    std::string header;                ///< with its newline, or empty
    std::string text;                  ///< at the beginning of every such file, the header first
    std::string whose = "this sweep";  ///< in messages
  };

  /// Reads the file and changes nothing. "-" is standard output. Throws InputError if a file exists but is not to be
  /// resumed, begins otherwise or cannot be read, or if a stream is to be resumed.
  RowFile(std::string path, Beginning beginning, bool resume);
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  ~RowFile();

  /// The whole lines of the file, without the header.
  const std::vector<std::string>& lines() const { return lines_; }
  /// "rows.csv, line 3", for one of these.
  std::string place_of(std::size_t line) const;

  /// Prepares the file for lines: removes what follows its last whole line, and writes the header of a new file. Waits
  /// until a pipe has a reader. Throws what add() does.
  void begin();
  /// Adds a line, with its newline. Throws OutputError, or Interrupted if the user interrupts a wait for a reader.
  void add(const std::string& line);

 private:
  void read();

  std::string path_;
  Beginning beginning_;
  std::vector<std::string> lines_;
  std::size_t whole_ = 0;  ///< bytes of whole lines, with the header
  bool has_part_ = false;  ///< of a line, after them
  std::optional<Stream> stream_;
  int file_ = -1;
};

}  // namespace lockstep::cli::host
