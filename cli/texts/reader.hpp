#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// The command's texts are files of this folder, which are compiled in. All but studies/ have one form:
//
//   # broadcast/direct on bus                  an entry; "## R1" one that belongs to the entry before it
//   also: bus broadcast                        right below it fields of a line each
//                                              a blank line, and then
//   idea: On a bus all processors receive all  fields of any number of lines, each up to a blank line
//   messages at once.
//
//       held = own block                       lines of code of the field before them, indented by four spaces
//
// Lines that begin with "<!--" are comments.
namespace lockstep::cli::texts {

/// A compiled-in file.
struct TextFile {
  std::string_view path;  ///< "methods/broadcast/direct.md"
  std::string_view content;
};

/// All files, by path. cmake/texts.cmake makes the source.
std::span<const TextFile> files();

/// A mistake in a text, with its file and line.
class TextError : public std::logic_error {
 public:
  TextError(std::string_view path, std::size_t line, const std::string& reason)
      : std::logic_error("cli/texts/" + std::string(path) + ":" + std::to_string(line) + ": " + reason) {}
};

struct Field {
  std::string label;              ///< "idea"
  std::string text;               ///< in one line
  std::vector<std::string> code;  ///< without its indentation
  std::size_t line = 0;           ///< of the file
};

/// The content below a heading. Fields are taken out one by one, so that an unread one is noticed.
class Entry {
 public:
  Entry(std::string_view path, std::size_t line, std::size_t level, std::string heading)
      : path_(path), line_(line), level_(level), heading_(std::move(heading)) {}

  std::string_view path() const { return path_; }
  std::size_t level() const { return level_; }  ///< 1 or 2
  const std::string& heading() const { return heading_; }
  void add(Field field) { fields_.push_back(std::move(field)); }
  Field& last() { return fields_.back(); }
  bool has_fields() const { return !fields_.empty(); }

  /// The field of that label. Throws TextError if there is none, or a second one.
  Field take(std::string_view label);
  std::optional<Field> take_if_any(std::string_view label);
  /// All fields with one of the labels, in the order of the file.
  std::vector<Field> take_all(std::initializer_list<std::string_view> labels);
  /// Throws TextError at the first field that was not taken.
  void expect_no_more() const;

  /// Throws TextError for the entry, or for a field of it.
  [[noreturn]] void refuse(const std::string& reason) const { throw TextError(path_, line_, reason); }
  [[noreturn]] void refuse(const Field& field, const std::string& reason) const {
    throw TextError(path_, field.line, reason);
  }

 private:
  std::string_view path_;
  std::size_t line_;
  std::size_t level_;
  std::string heading_;
  std::vector<Field> fields_{};
};

/// The entries of a file, in order. Throws TextError.
std::vector<Entry> entries_of(const TextFile& file);
/// The entries of all files whose paths begin so, at least one. Throws TextError.
std::vector<Entry> entries_below(std::string_view path);

/// "direct" of "methods/broadcast/direct.md".
std::string_view stem(std::string_view path);

/// A field like "`lockstep run --machine ring:3`: steps 2 (exit code 1)": a command and a text about it.
struct Quotation {
  std::string command;  ///< without the program's name
  std::string said;     ///< may be empty
  int exit_code = 0;
};

/// Throws TextError if the field is none.
Quotation quotation(const Entry& entry, const Field& field);

}  // namespace lockstep::cli::texts
