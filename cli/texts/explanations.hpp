#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::cli::texts {

struct Section {
  std::string title;
  std::string text;
};

/// The explanation of one topic: plain text, with formulas in the catalogue's form.
struct Explanation {
  std::string name;      ///< "broadcast/direct", "allgather", "torus", "port model", "deadlock"
  std::string families;  ///< of a method, as `list` names them: "ring", "switch, omega"; empty if it has one entry
  std::vector<std::string> also;  ///< other names; for an operation its name in MPI, if any
  std::vector<Section> sections;

  /// The text of a section; empty if there is none of the title.
  std::string_view text(std::string_view title) const;
};

/// The explanations of the catalogue's entries: what a method does and why that works (idea), what holds after every
/// step (invariant), the reasons for its steps, messages and words (count), when to use it or another (use), the
/// paper's statements and errors (paper), and a task (exercise).
const std::vector<Explanation>& method_texts();
/// For operations: the data before and after, and the papers' names.
const std::vector<Explanation>& operation_texts();
/// For machines: the construction (built), the purpose (why), distances, routing, and a command to try.
const std::vector<Explanation>& machine_texts();
const std::vector<Explanation>& term_texts();
/// For kinds of error: the meaning, how to provoke it, a command that does, and how to mend it.
const std::vector<Explanation>& error_texts();

/// The explanation of the entry; null if there is none, as for methods that users add.
const Explanation* explanation_of(const Method& method);

/// Null if there is none, as for operations that users add.
const Explanation* text_of_operation(std::string_view name);

}  // namespace lockstep::cli::texts
