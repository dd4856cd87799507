#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::cli::learn {

/// An operation for which a user can write a program, and the texts for that program. Texts of several lines are parts
/// of comments.
struct ProjectOperation {
  std::string_view name;        ///< "allgather"
  std::string_view phrase;      ///< "an allgather"
  std::string_view include;     ///< the header, "allgather" if it is the operation's own
  std::string_view entry;       ///< the function that makes a method of the program
  std::string_view payload;     ///< the payload of messages
  std::string_view parameters;  ///< of the program, after `self`
  std::string_view at_first;    ///< what a processor holds
  std::string_view in_the_end;  ///< what it must hold
  std::string_view verbs;       ///< how data is sent and received
  bool is_for_powers_of_two = false;
};

/// All of them.
const std::vector<ProjectOperation>& project_operations();

/// A project for one user program.
struct NewProject {
  std::string name;            ///< of the program, and of its method after the operation
  ProjectOperation operation;  ///< of the program
  std::string machine;         ///< the family of the machines on which it runs, or "graph:FILE", the only one
  std::string place;           ///< of Lockstep: an installation, or a build directory
};

/// The machines on which it is judged. Throws InputError if there are none.
std::vector<std::string> sizes_of(const NewProject& project);

/// The names and texts of its files.
std::vector<std::pair<std::string, std::string>> files_of(const NewProject& project);

}  // namespace lockstep::cli::learn
