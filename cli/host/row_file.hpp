#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "output_file.hpp"

namespace lockstep::cli::host {

/// A text file to which a long command adds a line for every result, at once, so that all but the last are kept
/// whatever ends the command, and from which it can go on.
class RowFile {
 public:
  /// Of the text with which the file begins the first line is its header, if it is a whole one.
  struct Beginning {
    std::string header;  ///< with its newline, or empty
    std::string text;    ///< with which every such file begins, the header first
  };

  /// Reads what is there, and changes nothing. "-" is standard output. Throws InputError if a file is there and is not
  /// to be resumed, or begins otherwise or cannot be read, or if a stream is to be resumed.
  RowFile(std::string path, Beginning beginning, bool resume);
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  ~RowFile();

  /// The whole lines that were there, without the header.
  const std::vector<std::string>& lines() const { return lines_; }
  /// "rows.csv, line 3", of one of these.
  std::string place_of(std::size_t line) const;

  /// Makes the file ready for lines: what follows its last whole line goes, a new one gets the header. Waits until a
  /// pipe has a reader. Throws what add() does.
  void begin();
  /// Adds a line, with its newline. Throws OutputError, or Interrupted if nobody reads and the user asks to stop.
  void add(const std::string& line);

 private:
  void read();

  std::string path_;
  Beginning beginning_;
  std::vector<std::string> lines_;
  std::size_t whole_ = 0;  ///< bytes of whole lines, with the header
  bool has_part_ = false;  ///< of a line, behind them
  std::optional<Stream> stream_;
  int file_ = -1;
};

}  // namespace lockstep::cli::host
