#pragma once

#include <stdexcept>
#include <string>

namespace lockstep::cli {

/// Something that cannot be written; what() is one line naming it and the reason.
class OutputError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes to standard output. A reader that has gone away is no error; throws OutputError for any other reason.
void write_output(const std::string& text);

/// A place for results that the user named: a file, or "-" for standard output. Nothing is written before write() or
/// append(), but the constructor finds out whether it can be.
class OutputFile {
 public:
  enum class Use { replace, append };
  /// Throws OutputError if the file cannot be put to that use.
  OutputFile(std::string path, Use use);

  /// Puts the text in place of what the file held: the whole of it or, if that fails (OutputError), nothing.
  void write(const std::string& text) const;
  /// Adds the text at the end of the file, on a new line. Throws OutputError.
  void append(const std::string& text) const;

  /// The file's first line without its end, empty if there is none; always empty for standard output.
  std::string first_line() const;
  /// Whether both lead to the same place, however it is named.
  bool is_same_as(const OutputFile& other) const;

 private:
  bool is_output() const { return path_ == "-"; }

  std::string path_;
  bool replaceable_ = true;  // by renaming a new file; devices and pipes are not
};

}  // namespace lockstep::cli
