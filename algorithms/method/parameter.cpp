#include "lockstep/algorithms/parameter.hpp"

#include <algorithm>

namespace lockstep {

std::uint64_t whole_number(std::string_view flag, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return value;
  throw InputError("--" + std::string(flag) + " " + std::to_string(value) +
                   " is out of range: " + std::to_string(least) + " to " + std::to_string(most));
}

void NumberParameter::resolve(Settings& settings, const NumberRange& here) const {
  std::optional<std::uint64_t>& number = settings.*member;
  number = whole_number(name, number.value_or(here.otherwise), here.least, here.most);
}

void RankParameter::resolve(const MachineSpec& machine, Settings& settings, std::uint64_t otherwise) const {
  std::optional<std::uint64_t>& rank = settings.*member;
  rank = whole_number(name, rank.value_or(otherwise), 0, machine.processors - 1);
}

void ChoiceParameter::resolve(Settings& settings) const {
  std::optional<std::string>& choice = settings.*member;
  if (!choice) choice = choices.front();
  if (std::find(choices.begin(), choices.end(), *choice) != choices.end()) return;
  refuse_choice("--" + std::string(name), *choice, {choices.begin(), choices.end()});
}

}  // namespace lockstep
