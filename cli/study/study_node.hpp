#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/machines/input_error.hpp"

namespace lockstep::cli::study {

/// A value of a study file, whether that is TOML or JSON, and where it stands.
struct StudyNode {
  enum class Kind { text, number, truth, list, table };

  Kind kind = Kind::table;
  std::size_t line = 0;                                      ///< from 1; of a member of a table that of its name
  std::string text{};                                        ///< of a text; of a number or a truth as flags take it
  std::vector<StudyNode> items{};                            ///< of a list
  std::vector<std::pair<std::string, StudyNode>> members{};  ///< of a table, in the order of the file
};

/// A mistake at a line of a text that is read.
class StudyMistake : public InputError {
 public:
  StudyMistake(std::size_t line, const std::string& reason) : InputError(reason), line_(line) {}
  std::size_t line() const { return line_; }

 private:
  std::size_t line_;
};

/// The table that the text is in TOML. Throws StudyMistake, with the line, if it is not TOML, or has a date or time.
StudyNode toml_node(std::string_view text);

/// The table that the text is in JSON. Throws StudyMistake, with the line, if it is not a JSON object, a name occurs
/// twice in an object, or a value is null.
StudyNode json_node(std::string_view text);

}  // namespace lockstep::cli::study
