#include "application.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/port_models.hpp"
#include "method/entry_parts.hpp"

namespace lockstep::application {
namespace {

std::string own_part(std::string_view name) { return std::string(name.substr(name.find('/') + 1)); }

/// "one, one-strict".
template <class Values>
std::string listed(const Values& values) {
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : ", ") + std::string(name(value));
  return text;
}

bool is_on(std::string_view name, std::string_view family) {
  return std::ranges::any_of(catalogue(),
                             [&](const Method* method) { return method->name == name && is_for(*method, family); });
}

void refuse_unless_meant_for(const Method& method, const Model& model) {
  const std::string who = "--method " + std::string(own_name(method));
  if (!is_meant_for(method, model.ports)) {
    throw InputError(who + " is not for --ports " + std::string(name(model.ports)) + ", but for " +
                     listed(method.port_models));
  }
  if (method.defaults.multicast && !model.multicast && !sends_on_several_ports(model.ports)) {
    throw InputError(who + " needs --multicast on or --ports all");
  }
}

}  // namespace

void MethodParameter::resolve(const MachineSpec& machine, const Model& model, Settings& settings) const {
  std::vector<std::string> here;
  for (const std::string_view choice : choices) {
    if (choice == none || is_on(choice, machine.family)) here.emplace_back(choice);
  }
  const std::string given = settings.method.value_or(here.front());
  const auto chosen = std::ranges::find_if(here, [&](const std::string& choice) {
    return is_same_name(choice, given) || is_same_name(own_part(choice), given);
  });
  if (chosen == here.end()) refuse_choice("--method", given, here);
  settings.method = *chosen;
  if (*chosen == none) return;
  const Method& method = chosen_method(machine, settings);
  refuse_unless_meant_for(method, model);
  Settings one;
  one.words = 1;
  method.resolve(machine, model, one);
}

const Method& chosen_method(const MachineSpec& machine, const Settings& settings) {
  return find_method(*settings.method, machine.family);
}

void resolve_size(const NumberParameter& parameter, const MachineSpec& machine, Settings& settings) {
  constexpr std::uint64_t fewest = 8;
  constexpr std::uint64_t most = 256;
  NumberRange range = parameter.range;
  range.otherwise = std::clamp(machine.processors, fewest, most);
  parameter.resolve(settings, range);
}

Method with_defaults(Method own) {
  own.reads_costs = true;  // some choose the packets of the collectives that they use
  return filled_in(std::move(own), {.operation = "application", .known_as = "application"});
}

Cycle PredictedParts::add(const Method& method, std::uint64_t words, std::uint64_t times, Settings settings) {
  settings.words = words;
  method.resolve(machine_, model_, settings);
  Prediction one = method.predict(machine_, model_, settings);
  one.most_operations = 0;  // applications charge only what they compute themselves
  steps_ += Wide{times} * one.steps.value().value;
  messages_ += Wide{times} * one.messages.value().value;
  words_ += Wide{times} * one.words.value().value;
  longest_sum_ += Wide{times} * one.longest_sum.value().value;
  if (one.scanned_blocks) scanned_blocks_ += Wide{times} * one.scanned_blocks->value;
  time_ += static_cast<double>(times) * synchronous_time(one, model_.cost).value().value;
  return one.steps->value;
}

void PredictedParts::add(const PredictedParts& parts, std::uint64_t times) {
  steps_ += times * parts.steps_;
  messages_ += times * parts.messages_;
  words_ += times * parts.words_;
  longest_sum_ += times * parts.longest_sum_;
  scanned_blocks_ += times * parts.scanned_blocks_;
  compute(times * parts.most_operations_, times * parts.operations_);
  time_ += static_cast<double>(times) * parts.time_;
}

void PredictedParts::add_steps(Wide steps, Wide longest, Wide messages, Wide words) {
  steps_ += steps;
  messages_ += messages;
  words_ += words;
  longest_sum_ += steps * longest;
  const auto length = static_cast<std::uint64_t>(longest);
  time_ += static_cast<double>(steps) * model_.cost.time(model_.cost.startups(length), length);
}

Prediction PredictedParts::prediction(const std::string& what) const {
  const double arithmetic = static_cast<double>(most_operations_) * model_.cost.flop;
  const std::string of = "of " + what;
  return {.steps = exact_count(steps_, of),
          .messages = exact_count(messages_, of),
          .words = exact_count(words_, of),
          .longest_sum = exact_count(longest_sum_, of),
          .operations = exact_count(operations_, "arithmetic of all processors"),
          .scanned_blocks = scanned_blocks_ > 0 ? exact_count(scanned_blocks_, of) : std::nullopt,
          .synchronous = ModelledTime{time_ + arithmetic, of + ", and arithmetic"}};
}

double generated_number(std::uint64_t seed, std::uint64_t row, std::uint64_t column) {
  const Word random = generated_word(seed, static_cast<Rank>(row), static_cast<Rank>(column), 0);
  return std::ldexp(static_cast<double>(random >> 11), -53);
}

std::string what_is_wrong(Rank rank, std::string_view what, std::span<const double> held,
                          std::span<const double> expected, double tolerance, std::uint64_t first) {
  const auto shown = [](double number) {
    std::ostringstream text;
    text.precision(17);
    text << number;
    return text.str();
  };
  if (held.size() != expected.size()) {
    return "rank " + std::to_string(rank) + " has " + std::to_string(held.size()) + " numbers of " +
           std::to_string(expected.size()) + " of " + std::string(what);
  }
  for (std::size_t index = 0; index < held.size(); ++index) {
    if (std::abs(held[index] - expected[index]) <= tolerance) continue;  // not if it is no number
    return "rank " + std::to_string(rank) + " has as component " + std::to_string(first + index) + " of " +
           std::string(what) + " " + shown(held[index]) + " instead of " + shown(expected[index]);
  }
  return {};
}

WordDigest of_first(const Division& division, const WordDigest& heard_by_first) {
  Bytes given;
  ByteWriter(given).put(heard_by_first);
  return ByteReader(division.processes.gather(std::move(given))[division.placement.owner(0)]).get<WordDigest>();
}

std::string what_is_wrong(Rank rank, const WordDigest& heard, const WordDigest& first) {
  if (heard.value() == first.value()) return {};
  return "rank " + std::to_string(rank) + " has received other words than rank 0";
}

}  // namespace lockstep::application
