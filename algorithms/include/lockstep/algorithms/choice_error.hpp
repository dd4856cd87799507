#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/machines/input_error.hpp"

namespace lockstep {

/// A text that is none of the possible choices.
class ChoiceError : public InputError {
 public:
  /// `line` is the message to show.
  ChoiceError(const std::string& line, std::vector<std::string> choices)
      : InputError(line), choices_(std::move(choices)) {}

  /// The possible choices.
  const std::vector<std::string>& choices() const { return choices_; }

 private:
  std::vector<std::string> choices_;
};

/// Throws ChoiceError: "--ports 'tow' is not one of one, one-strict, all; did you mean 'one'?".
[[noreturn]] void refuse_choice(std::string_view flag, std::string_view text, const std::vector<std::string>& choices);

}  // namespace lockstep
