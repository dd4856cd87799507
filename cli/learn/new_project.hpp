#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::cli::learn {

/// An operation of which a program of one's own can be written, and what its program is told. Texts of several lines
/// are parts of comments.
struct ProjectOperation {
  std::string_view name;        ///< "allgather"
  std::string_view phrase;      ///< "an allgather"
  std::string_view include;     ///< the header, "allgather" if it is the operation's own
  std::string_view entry;       ///< what makes a method of the program
  std::string_view payload;     ///< what a message carries
  std::string_view parameters;  ///< of the program, behind `self`
  std::string_view at_first;    ///< what a processor holds
  std::string_view in_the_end;  ///< what it must hold
  std::string_view verbs;       ///< how data is sent and taken in
  bool is_for_powers_of_two = false;
};

/// All of them.
const std::vector<ProjectOperation>& project_operations();

/// A project for one program of one's own.
struct NewProject {
  std::string name;            ///< of the program, and of the method behind the operation
  ProjectOperation operation;  ///< what it is to do
  std::string family;          ///< of the machines on which it runs
  std::string place;           ///< where Lockstep is: an installation, or a directory in which it was built
};

/// The machines on which it is judged. Throws InputError if there are none.
std::vector<std::string> sizes_of(const NewProject& project);

/// The names and texts of its files.
std::vector<std::pair<std::string, std::string>> files_of(const NewProject& project);

}  // namespace lockstep::cli::learn
