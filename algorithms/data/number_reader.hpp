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

/// The text that is read as the same word, "inf" and "nan" excepted; that of a double is read as a double.
std::string number_text(Word word, NumberType type);

/// Throws InputError: "FILE, line 3: " and what is wrong.
[[noreturn]] void refuse_line(const std::string& path, std::uint64_t line, const std::string& what);

/// Takes the numbers out of a text file one after the other; white space is between them.
class NumberReader {
 public:
  /// Goes on in the file where that line begins. The file and its path have to outlive the reader.
  NumberReader(std::istream& file, const std::string& path, std::uint64_t line = 1);

  /// Goes on to the next text that should be a number; false at the end. Throws InputError if the file cannot be read.
  bool next();

  const std::string& text() const { return text_; }
  /// Of the text; at the end, the file's last.
  std::uint64_t line() const { return line_; }

  /// What the text is. Throws InputError that names its line if that is no finite number of 64 bits.
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
