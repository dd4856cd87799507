#pragma once

#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::cli {

/// What a student reads of one catalogue entry: plain text, formulas as the catalogue writes them.
struct Explanation {
  std::string_view method;     ///< "allgather/daisy-chain"
  std::string_view families;   ///< as `list` names them: "ring", "switch, omega"; empty where one entry has the name
  std::string_view idea;       ///< what it does and why that works, 2 to 5 sentences
  std::string_view invariant;  ///< what holds after every step, a sentence or two
  std::string_view count;      ///< why steps, messages, words are what they are
  std::string_view use;        ///< when to use it, and when what else (by catalogue names)
  std::string_view paper;      ///< what the paper says, with its section, and where it errs; which names it uses
  std::string_view exercise;   ///< something to try with a command of lockstep, and what to find out
};

/// Of all entries of the catalogue, operation by operation.
const std::vector<Explanation>& explanations();

/// That of the entry; null if there is none, as for methods that users add.
const Explanation* explanation_of(const Method& method);

}  // namespace lockstep::cli
