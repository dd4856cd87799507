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

/// What is written about one thing: plain text, formulas as the catalogue writes them.
struct Explanation {
  std::string name;      ///< "broadcast/direct", "allgather", "torus", "port model", "deadlock"
  std::string families;  ///< of a method, as `list` names them: "ring", "switch, omega"; empty if it has one entry
  std::vector<std::string> also;  ///< other names; of an operation that of MPI, if it has one there
  std::vector<Section> sections;

  /// The text of a section; empty if there is none of the title.
  std::string_view text(std::string_view title) const;
};

/// Of the entries of the catalogue: what a method does and why that works (idea), what holds after every step
/// (invariant), why steps, messages and words are what they are (count), when to use it and when what else (use), what
/// the paper says and where it errs (paper), something to try (exercise).
const std::vector<Explanation>& method_texts();
/// What is where before and after an operation, and what the papers call it.
const std::vector<Explanation>& operation_texts();
/// Of what a machine is made (built), why people build it (why), distances, routing, and a command to try.
const std::vector<Explanation>& machine_texts();
const std::vector<Explanation>& term_texts();
/// By kind of error: its meaning, how to provoke it, a command that does, and how to mend it.
const std::vector<Explanation>& error_texts();

/// That of the entry; null if there is none, as for methods that users add.
const Explanation* explanation_of(const Method& method);

/// Null if there is none, as for operations that users add.
const Explanation* text_of_operation(std::string_view name);

}  // namespace lockstep::cli::texts
