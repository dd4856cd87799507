#pragma once

#include <string_view>
#include <vector>

#include "lockstep/core/error.hpp"

// What is explained beside methods: operations, machines, terms and kinds of error. Plain text throughout.
namespace lockstep::cli {

/// A command that shows what a text says.
struct Trial {
  std::string_view command{};  ///< for a shell; empty where no command shows it
  int exit_code = 0;           ///< with which it ends
};

struct OperationText {
  std::string_view name;  ///< as the catalogue has it
  std::string_view mpi;   ///< "MPI_Bcast"; empty where MPI has no such function
  std::string_view text;  ///< what is where before and after it, and what the papers call it
};

struct MachineText {
  std::string_view family;     ///< as `list machines` has it
  std::string_view built;      ///< of what it is made
  std::string_view reason;     ///< why people build it, or study it
  std::string_view distances;  ///< processors, links, degree, diameter, bisection width
  std::string_view routing;    ///< the way from one processor to another
  Trial trial;
};

struct TermText {
  std::string_view name;
  std::vector<std::string_view> also;  ///< other names for it
  std::string_view text;
  Trial trial;
};

struct ErrorText {
  ErrorKind kind;
  std::string_view meaning;
  std::string_view provoking;  ///< how a command does it, or what a program does that none of the catalogue's does
  Trial trial;
  std::string_view mending;
};

extern const std::vector<OperationText> operation_texts;
extern const std::vector<MachineText> machine_texts;
extern const std::vector<TermText> term_texts;
extern const std::vector<ErrorText> error_texts;

/// Null if there is none, as for operations that users add.
const OperationText* text_of_operation(std::string_view name);

}  // namespace lockstep::cli
