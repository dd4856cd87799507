#include "rules.hpp"

#include <algorithm>

#include "lockstep/algorithms/schedule_file.hpp"

namespace lockstep::cli::compare {
namespace {

std::string text_of(PortModel ports) {
  switch (ports) {
    case PortModel::one:
      return "one port";
    case PortModel::one_strict:
      return "one port, strictly";
    case PortModel::all:
      return "all ports";
    case PortModel::ring:
      return "ports of a ring";
    default:  // K ports
      return name(ports) + " ports";
  }
}

}  // namespace

RunRules rules_of(const run::RunPlan& plan) {
  const WrittenSchedule& written = plan.settings.written_schedule;
  return {.ports = plan.model.ports,
          .multicast = plan.model.multicast,
          .duplex = plan.model.duplex,
          .switching = plan.model.cost.switching,
          .combines = written ? written->combines() : plan.method->combines};
}

std::string text_of(const RunRules& rules) {
  std::string text = text_of(rules.ports);
  if (rules.multicast) text += ", multicast";
  if (rules.duplex != Duplex::full) text += ", " + std::string(name(rules.duplex));
  if (rules.switching != Switching::store_and_forward) text += ", " + std::string(name(rules.switching));
  if (!rules.combines) text += ", without combining";
  return text;
}

std::string whole_text_of(const RunRules& rules) {
  return text_of(rules) + (rules.duplex == Duplex::full ? ", full duplex" : "");
}

bool are_asked_for(const RunRules& rules, const run::TrialArguments& arguments) {
  flags::ModelArguments model = arguments.run.model;
  if (arguments.ports.empty()) return are_asked_for(rules, model);
  return std::ranges::any_of(arguments.ports, [&](PortModel ports) {
    model.ports = ports;
    return are_asked_for(rules, model);
  });
}

bool are_asked_for(const RunRules& rules, const flags::ModelArguments& model) {
  RunRules asked;
  asked.ports = model.ports.value_or(asked.ports);
  asked.multicast = model.multicast.value_or(asked.multicast);
  asked.duplex = model.duplex.value_or(asked.duplex);
  asked.switching = model.switching.value_or(asked.switching);
  return rules == asked;
}

std::pair<bool, RunRules> order_of(const RunRules& rules, const run::TrialArguments& arguments) {
  return {!are_asked_for(rules, arguments), rules};
}

std::string marked_text(const RunRules& rules, bool is_asked_for) {
  return (is_asked_for ? "" : "under other rules: ") + text_of(rules);
}

}  // namespace lockstep::cli::compare
