#pragma once

#include <cstdint>
#include <istream>
#include <string>

#include "lockstep/algorithms/number_file.hpp"

namespace lockstep::data {

/// A number of a text file.
struct FileNumber {
  NumberType type;     ///< double if it has a fraction or an exponent
  std::int64_t whole;  ///< what it is if it is an int64
  double value;

  Word word(NumberType as) const;
};

/// The text that reads as the same word, "inf" and "nan" excepted; a double's text reads as a double.
std::string number_text(Word word, NumberType type);

/// Throws InputError: "FILE, line 3: " and the error.
[[noreturn]] void refuse_line(const std::string& path, std::uint64_t line, const std::string& what);

/// Reads the numbers of a text file one after the other; they are separated by white space.
class NumberReader {
 public:
  /// Starts in the file at that line. The file and its path must outlive the reader.
  NumberReader(std::istream& file, const std::string& path, std::uint64_t line = 1);

  /// Advances to the next text, which should be a number; false at the end. Throws InputError if the file cannot be
  /// read.
  bool next();

  const std::string& text() const { return text_; }
  /// The line of the text; at the end, the file's last.
  std::uint64_t line() const { return line_; }

  /// The value of the text. Throws InputError that names its line if that is no finite number of 64 bits.
  FileNumber number() const;
  /// Throws InputError that names the line of the text.
  [[noreturn]] void refuse(const std::string& what) const { refuse_line(path_, line_, what); }

 private:
  std::istream& file_;
  const std::string& path_;
  std::uint64_t line_;
  std::string text_;
};

}  // namespace lockstep::data
