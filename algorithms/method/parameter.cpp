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

namespace {

void check_choice(std::string_view flag, const std::string& choice, std::span<const std::string_view> choices) {
  if (std::find(choices.begin(), choices.end(), choice) != choices.end()) return;
  refuse_choice("--" + std::string(flag), choice, {choices.begin(), choices.end()});
}

}  // namespace

void ChoiceParameter::resolve(Settings& settings) const {
  std::optional<std::string>& choice = settings.*member;
  if (!choice) choice = choices.front();
  check_choice(name, *choice, choices);
}

void BroughtNumber::resolve(Settings& settings, const NumberRange& here) const {
  BroughtValue& value = settings.brought.find_or_set(name, here.otherwise);
  whole_number(name, std::get<std::uint64_t>(value), here.least, here.most);
}

std::uint64_t BroughtNumber::of(const Settings& settings) const {
  return std::get<std::uint64_t>(*settings.brought.find(name));
}

void BroughtChoice::resolve(Settings& settings) const {
  const std::string first(brought.choices.front());
  const BroughtValue& value = settings.brought.find_or_set(name, first);
  check_choice(name, std::get<std::string>(value), brought.choices);
}

const std::string& BroughtChoice::of(const Settings& settings) const {
  return std::get<std::string>(*settings.brought.find(name));
}

}  // namespace lockstep
