#include "lockstep/algorithms/choice_error.hpp"

#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep {

void refuse_choice(std::string_view flag, std::string_view text, const std::vector<std::string>& choices) {
  std::string line = std::string(flag) + " " + quoted(text) + " is not one of ";
  for (const std::string& choice : choices) line += (choice == choices.front() ? "" : ", ") + choice;
  throw ChoiceError(line + did_you_mean(text, choices), choices);
}

}  // namespace lockstep
